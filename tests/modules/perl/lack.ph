# lack.ph - all callbacks, one to a line, so that a test can leave out any of them.
use strict;
my $n = 0;
sub lackInit { my ($o, $k) = @_; $$o = 's'; $$k = 'lack|hw'; return 1; }
sub lackGetData { record(2, "lack-x " . ++$n . "\n"); return; }
sub lackAnalyze { my ($type, $data) = @_; print "Analyze $type\n"; return; }
sub lackInitInterval { print "InitInterval\n"; return; }
sub lackIntervalEnd { print "IntervalEnd\n"; return; }
sub lackUpdateHeader { my $ref = shift; $$ref .= "# Lack: nothing\n"; return; }
sub lackGetHeader { print "GetHeader\n"; return; }
sub lackPrintBrief { my ($t, $ref) = @_; $$ref .= ('', '<Lack>', '   N  ', '   5  ')[$t] if $t < 4; return; }
sub lackPrintVerbose { my ($h, $home, $ref) = @_; $$ref = ($h ? "\n# LACK\n" : '') . "5\n"; return; }
sub lackPrintPlot { my ($t, $ref) = @_; $$ref .= $t == 1 ? '[LACK]N ' : ' 5' if $t == 1 || $t == 3; return; }
sub lackPrintExport { my ($t, $names, $values) = @_; push(@$names, 'lack.n'); push(@$values, 5); return; }
1;

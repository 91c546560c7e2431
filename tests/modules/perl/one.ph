# one.ph - shares the names of its helpers with two.ph: the one that is loaded last is called by both. Its key matches what two.ph records.
use strict;
my @seen;
sub label { return 'one'; }
sub oneInit { my ($o, $k) = @_; print "oneInit\n"; $$o = 's'; $$k = 'one|^tw'; return 1; }
sub oneUpdateHeader { return; }
sub oneGetData { record(2, "one-" . label() . " 1\n"); return; }
sub oneAnalyze { my ($type, $data) = @_; push(@seen, $type); return; }
sub oneInitInterval { @seen = (); return; }
sub onePrintBrief { my ($t, $ref) = @_; $$ref .= ('', '<One>', ' Seen ', ' ' . join(',', @seen) . ' ' . label())[$t] if $t < 4; return; }
1;

# two.ph - see one.ph. Its key is an expression with alternatives and a class.
use strict;
my @seen;
sub label { return 'two'; }
sub twoInit { my ($o, $k) = @_; print "twoInit\n"; $$o = 's'; $$k = '(one|tw[oO])-t\w+|hw'; return 1; }
sub twoUpdateHeader { return; }
sub twoGetData { record(2, "two-" . label() . " 2\n"); return; }
sub twoAnalyze { my ($type, $data) = @_; push(@seen, $type); return; }
sub twoInitInterval { @seen = (); return; }
sub twoPrintBrief { my ($t, $ref) = @_; $$ref .= ('', '<Two>', ' Seen ', ' ' . join(',', @seen) . ' ' . label())[$t] if $t < 4; return; }
1;

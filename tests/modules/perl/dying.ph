# dying.ph - dies in the third interval; its message has a line of its own.
use strict;
my $n = 0;
sub dyingInit { my ($o, $k) = @_; $$o = 's'; $$k = 'dying'; return 1; }
sub dyingUpdateHeader { return; }
sub dyingGetData { $n++; die "had enough\n" if $n == 3; record(2, "dying-n $n\n"); return; }
sub dyingAnalyze { return; }
sub dyingInitInterval { return; }
sub dyingPrintBrief { my ($t, $ref) = @_; $$ref .= "<Dy>" if $t == 1; $$ref .= "  N " if $t == 2; $$ref .= sprintf("%3d ", $n) if $t == 3; return; }
1;

# bare.ph - a module with nothing but what must be there.
use strict;
sub bareInit { my ($o, $k) = @_; $$o = 's'; $$k = 'bare'; return 1; }
sub bareGetData { record(2, "bare-x 5\n"); return; }
sub bareAnalyze { return; }
1;

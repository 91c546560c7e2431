# deep.ph - records while it analyses, and for other modules.
use strict;
my ($depth, $most, $n) = (0, 0, 0);
sub deepInit { my ($o, $k) = @_; $$o = 's'; $$k = 'deep'; return 1; }
sub deepUpdateHeader { return; }
sub deepGetData { record(2, "deep-0 go\n"); record(2, "hw-7 HelloWorld 10\n"); return; }
sub deepAnalyze
{
	my ($type, $ref) = @_;
	$depth++;
	$most = $depth if $depth > $most;
	$n++;
	record(2, "deep-1 inner\n") if $type eq 'deep-0';
	$depth--;
	return;
}
sub deepInitInterval { $n = 0; return; }
sub deepPrintBrief { my ($t, $ref) = @_; $$ref .= "<Deep>" if $t == 1; $$ref .= " N Mx " if $t == 2; $$ref .= sprintf(" %d  %d ", $n, $most) if $t == 3; return; }
1;

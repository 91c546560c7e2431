# disables.ph - calls disableSubsys and loadPids: WHERE,LETTER,FILTER with WHERE Init or GetData; $disableSubsys is no variable of collectl.
use strict;

our ($subsys, $userSubsys, $disableSubsys);
my ($where, $letter, $filter) = ('', '', '');
my $n = 0;

sub disables_try
{
	print "before [$subsys]\n";
	my @gave = disableSubsys($letter, 'it is not here');
	print 'gave ', scalar(@gave), ' after [', $subsys, '] user [', $userSubsys, '] variable [', $disableSubsys // 'undef', "]\n";
	print 'loadPids gave ', join('|', loadPids($filter)), "\n";
	return;
}

sub disablesInit
{
	my ($o, $k) = @_;
	($where, $letter, $filter) = split(/,/, $$o);
	$$o = 's';
	$$k = 'disables';
	disables_try() if $where eq 'Init';
	return 1;
}

sub disablesGetData { disables_try() if $where eq 'GetData' && !$n++; record(2, "disables-x 1\n"); return; }
sub disablesAnalyze { return; }
sub disablesInitInterval { return; }
sub disablesUpdateHeader { my $ref = shift; $$ref .= "# Disables: [$subsys]\n"; return; }
sub disablesPrintBrief { my ($t, $ref) = @_; $$ref .= ('', '<Dis>', ' X   ', '  1  ')[$t] if $t < 4; return; }
sub disablesPrintVerbose { my ($h, $home, $ref) = @_; $$ref = "1\n"; return; }

1;

# ends.ph - ends in the callback that its argument names: HOW@CALLBACK with HOW die, exit, error or warn; "drop" takes Init back.
use strict;

our ($verboseFlag, $sameColsFlag, $interval, $subsys, $datetime);
my ($how, $where, $n) = ('', '', 0);

sub ends_at
{
	my $callback = shift;
	print "$callback\n";
	return if $callback ne $where;
	die "the end in $callback\n" if $how eq 'die';
	exit(9) if $how eq 'exit';
	error("no more in $callback") if $how eq 'error';
	warn "only a warning\n" if $how eq 'warn';
	$verboseFlag = 1 if $how eq 'verbose';
	$sameColsFlag = 0 if $how eq 'columns';
	$subsys = 'm' if $how eq 'subsys';
	$interval = 5 if $how eq 'interval';
	return;
}

sub endsInit
{
	my ($o, $k) = @_;
	($how, $where) = split(/@/, $$o) if defined($$o);
	$$o = 's';
	$$k = 'ends';
	ends_at('Init');
	return $how eq 'drop' ? -1 : 1;
}

sub endsUpdateHeader { ends_at('UpdateHeader'); return; }
sub endsGetHeader { ends_at('GetHeader'); return; }
sub endsGetData { ends_at('GetData'); record(2, "ends-x " . ++$n . "\n"); return; }
sub endsAnalyze { ends_at('Analyze'); return; }
sub endsInitInterval { ends_at('InitInterval'); return; }
sub endsIntervalEnd { ends_at('IntervalEnd'); return; }
sub endsPrintBrief { my ($t, $ref) = @_; ends_at("PrintBrief"); $$ref .= ('', '<Ends>', ' N    ', "  $n   ")[$t] if $t < 4; return; }
sub endsPrintVerbose { my ($h, $home, $ref) = @_; ends_at('PrintVerbose'); $$ref = ($h ? "# ENDS\n" : '') . "$datetime$n $interval\n"; return; }
sub endsPrintPlot { my ($t, $ref) = @_; ends_at('PrintPlot'); $$ref .= $t == 1 ? '[ENDS]N ' : " $n" if $t == 1 || $t == 3; return; }
sub endsPrintExport { my ($t, $names, $values) = @_; ends_at('PrintExport'); push(@$names, 'ends.n'); push(@$values, $n); return; }

1;

# helpers.ph - what the small helpers of package main make of a table of arguments; printed, for comparison with collectl.
use strict;
no warnings;

my $n = 0;

sub helpersInit { my ($o, $k) = @_; $$o = 's'; $$k = 'helpers'; return 1; }
sub helpersUpdateHeader { return; }
sub helpersInitInterval { return; }
sub helpersAnalyze { return; }
sub helpersPrintBrief { return; }

sub helpersGetData
{
	return if $n++;
	for my $v (0, 0.4, 1, 9.5, 99, 999, 1000, 9999, 10000, 12345, 99999, 123456, 1023, 1024, 37940, 1234567, 24684100, 999999999, -1, -2732, -12345)
	{
		print "cvt $v: ", join('|', map { cvt($v, @$_) } [], [5], [3], [4, 1], [7, 1, 1], [6, 0, 1], [4, 0, 0]), "\n";
	}
	for my $v (0, 1, 59, 99, 100, 119, 5999, 6000, 12345, 359999, 360000, 360100, 8650000, 99999999, 1.25)
	{
		print "times $v: ", join('|', cvtT1($v), cvtT1($v, 1), cvtT2($v), cvtT2($v, 1), cvtT3($v), cvtT3($v, 1), cvtT4($v), cvtP($v)), "\n";
	}
	print cvtT5(8650000) =~ /^[A-Z][a-z][a-z]\d\d-\d\d:\d\d:\d\d$/ ? "cvtT5 is a moment\n" : "cvtT5 is odd\n";
	print 'fix: ', join(' ', fix(5), fix(0), fix(-5), fix(-5, 10), fix(-5, 10, 1000), fix(-5, undef, 1000)), "\n";
	print 'cat: ', join('|', cat('names/two'), cat('names/two', 1), cat('names/none'), cat('names')), "\n";
	print 'ls: ', join(' ', sort(ls('names'))), "\n";
	print 'getTime: ', getTime(1796011022), "\n";
	print 'header: ', getHeader('recording.raw.gz'), "\n";
	print 'base: ', basename('/a/b.c'), ' ', dirname('/a/b.c'), ' ', timegm(0, 0, 0, 1, 0, 70), ' ', floor(2.7), ' ', ceil(2.1), "\n";
	print 'printHeader: ', printHeader(), "\n";
	printText("sent\n");
	logmsg('I', 'told only with -m');
	pushmsg('I', 'told later, only with -m');
	logsys('to syslog');
	return;
}

1;

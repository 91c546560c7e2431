# reads.ph - every kind of getProc and getExec, and record, over a file of made-up lines; all that is recorded is printed when it is analysed.
use strict;

our ($debug);
my ($file, $n, $depth) = ('lines', 0, 0);

sub readsInit
{
	my ($o, $k) = @_;
	$file = $$o if defined($$o);
	$$o = 's';
	$$k = '^r[0-9]|^x|^tcp-|^[A-Za-z]';
	return 1;
}

sub readsUpdateHeader { return; }
sub readsInitInterval { return; }

sub readsGetData
{
	return if $n++;
	for my $type (0 .. 5, 7 .. 9, 11 .. 14, 16, 17, 20, 21, 99)
	{
		print "- getProc $type\n";
		print 'gave ', getProc($type, $file, "r$type"), "\n";
	}
	print "- other arguments\n";
	getProc(0, $file, 'r-skip', 3);
	getProc(0, $file, 'r-max', 0, 2);
	getProc(0, $file, 'r-both', 1, 1);
	getProc(0, $file, 'r-last', undef, undef, '^Ip');
	getProc(0, $file, 'r-skiplast', 2, undef, '^wr');
	getProc(0, $file, '', 1, 2);
	getProc(99, $file, '', 1, 2);
	print 'none: ', getProc(0, '/nonexistent/file', 'r-none'), ' ', getProc(17, '/nonexistent/other', 'r-none'), "\n";
	for my $type (0, 3, 4)
	{
		print "- getExec $type\n";
		getExec($type, "cat $file", "x$type");
		getExec($type, 'printf "no newline"', "x$type");
		getExec($type, 'true', "x-empty$type");
		getExec($type, 'echo out; echo err >&2; exit 3', "x-fails$type");
	}
	getExec(0, 'printf "a\n\n  b  \n"', 'x-blank');
	print "- record\n";
	record(2, "r-plain one two\n");
	record(2, "r-tabs\tone\ttwo\n");
	record(2, "r-blanks    one  two   \n");
	record(2, "r-alone\n");
	record(2, "r-again go\n");
	record(2, "r-mode one\n", 1);
	record(2, "r-rawp one\n", undef, 1);
	return;
}

sub readsAnalyze
{
	my ($type, $data) = @_;
	print '  ' x $depth, "[$type] [", $$data =~ s/\n//r, "]\n";
	return if $type ne 'r-again' || $depth > 2;
	$depth++;
	record(2, "r-again deeper $depth\n");
	getProc(0, $file, 'r-inner', 0, 1) if $depth == 1;
	getExec(0, 'echo from inside', 'x-inner') if $depth == 2;
	$depth--;
	return;
}

sub readsPrintBrief { return; }
sub readsPrintVerbose { return; }

1;

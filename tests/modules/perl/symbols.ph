# symbols.ph - tells in each callback what the variables of package main hold, one line per callback; for comparison with collectl.
use strict;

our ($miniFiller, $miniDateTime, $datetime, $rate, $SEP, $FS, $intSecs, $interval, $miniInstances, $showColFlag, $subsys, $userSubsys,
     $counted2, $limit2, $verboseFlag, $sameColsFlag, $homeFlag, $playback, $filename, $plotFlag, $options, $export, $import, $debug, $count,
     $ioSizeFlag, $utcFlag, $hiResFlag, $firstPass, $rawPFlag, @lastSeconds, @lastSecs, $intSeconds, $intUsecs, $fullTime, $seconds, $usecs,
     $Version, $Host, $myHost, $HostLC, $ReqDir, $Kernel, $HZ, $PageSize, $SrcArch, $Distro, $boottime, $OneKB, $OneMB, $OneGB, $TenGB,
     $XCFlag, $lexOutputFlag, $totSecs, $DefNetSpeed, $interval2Secs, $interval2Print, $procFilt, $procOpts, $NumCpus, $daemonFlag,
     $showHeaderFlag, %virtMacs, $recInterval, $rawtooFlag, $sockFlag);

my $given = '';

sub told { my $v = shift; return defined($v) ? "'$v'" : 'undef'; }

# Moments and lengths of time differ from run to run; whether they are there, and in which form, does not.
sub moment { my $v = shift; return told($v) if !$v; $v =~ s/\d{9,}/T/; $v =~ s/T\.\d+/T.f/; return $v; }
sub shape { my $v = shift; return told($v) if !defined($v); $v =~ s/\d/N/g; return "'$v'"; }
sub about { my $v = shift; return told($v) if !$v || $v < 0.0001; return $v > 1e6 ? 'epoch' : $v < 100 ? 'some' : 'many'; }

sub report
{
	my $where = shift;
	print "$where: ", join(' ', 'mf=' . told($miniFiller), 'md=' . told($miniDateTime), 'dt=' . shape($datetime), 'rate=' . told($rate),
		'SEP=' . told($SEP), 'FS=' . told($FS), 'int=' . about($intSecs), 'interval=' . told($interval), 'n=' . told($miniInstances),
		'col=' . told($showColFlag), 'sub=' . told($subsys), 'user=' . told($userSubsys), 'c2=' . told($counted2), 'l2=' . told($limit2),
		'verb=' . told($verboseFlag), 'first=' . told($firstPass)), "\n";
	return;
}

sub report_all
{
	my $where = shift;
	print "$where switches: ", join(' ', map { told($_) } $homeFlag, $playback, $filename, $plotFlag, $options, $export, $import, $debug, $count,
		$ioSizeFlag, $utcFlag, $hiResFlag, $rawPFlag, $daemonFlag, $showHeaderFlag, $procFilt, $procOpts), "\n";
	print "$where host: ", join(' ', map { told($_) } $Version, $Host, $myHost, $HostLC, $ReqDir, $Kernel, $HZ, $PageSize, $SrcArch, $Distro,
		$NumCpus, $OneKB, $OneMB, $OneGB, $TenGB, $XCFlag, $DefNetSpeed), ' ', about($boottime), "\n";
	print "$where times: ", join(' ', moment($lastSeconds[0]), moment($lastSecs[0]), moment($intSeconds), moment($fullTime), moment($seconds),
		defined($intUsecs) ? $intUsecs =~ /^\d+$/ : 'undef', defined($usecs) ? $usecs =~ /^\d+$/ : 'undef'), "\n";
	print "$where others: ", join(' ', map { told($_) } $lexOutputFlag, $totSecs, $interval2Secs, $interval2Print, $recInterval, $rawtooFlag,
		$sockFlag, scalar(keys(%virtMacs)), $sameColsFlag), "\n";
	return;
}

sub symbolsInit
{
	my ($o, $k) = @_;
	$given = defined($$o) ? $$o : 'undef';
	print "Init: options=$given key=", told($$k), " args=", scalar(@_), "\n";
	report('Init');
	report_all('Init');
	$$o = $given =~ /d/ && $given ne 'undef' ? 'sd' : 's';
	$$k = 'sym';
	return 1;
}

sub symbolsUpdateHeader { my $ref = shift; $$ref .= "# Symbols: $given\n"; report('UpdateHeader'); return; }
sub symbolsGetHeader { my $ref = shift; print "GetHeader: ", $$ref =~ /^#/ ? 'text' : 'none', ' ', $$ref =~ tr/\n//, "\n"; report('GetHeader'); return; }
sub symbolsGetData { report('GetData'); report_all('GetData'); record(2, "sym-x 1 2 3\n"); return; }
sub symbolsAnalyze { my ($t, $d) = @_; report("Analyze($t,$$d)"); return; }
sub symbolsInitInterval { my $s = shift; print "InitInterval(", scalar(@_), ',', about($s), ")\n"; report('InitInterval'); report_all('InitInterval'); return; }
sub symbolsIntervalEnd { my $ref = shift; print "IntervalEnd ", ref($ref), ' ', defined($$ref) ? 'text' : 'undef', "\n"; report('IntervalEnd'); return; }

sub symbolsPrintBrief
{
	my ($type, $ref) = @_;
	report("PrintBrief($type," . scalar(@_) . ')');
	report_all('PrintBrief') if $type == 3;
	$$ref .= '<Sym>' if $type == 1;
	$$ref .= ' Val ' if $type == 2;
	$$ref .= '  1  ' if $type == 3;
	return;
}

sub symbolsPrintVerbose
{
	my ($header, $home, $ref) = @_;
	print "PrintVerbose ", join(' ', told($header), told($home), defined($$ref) ? length($$ref) : 'undef'), "\n";
	report('PrintVerbose');
	$$ref = $header ? "# SYMBOLS\n#${miniFiller}Val\n" : '';
	$$ref .= 'x' . ($datetime =~ s/\d/N/gr) . "1\n" unless $showColFlag;
	return;
}

sub symbolsPrintPlot
{
	my ($type, $ref) = @_;
	report("PrintPlot($type," . told($$ref =~ s/\d/N/gr) . ')');
	$$ref .= "[SYM]V$SEP" if $type == 1;
	$$ref .= "[SYM:0]V$SEP" if $type == 2;
	$$ref .= "${SEP}1" if $type == 3 || $type == 4;
	return;
}

sub symbolsPrintExport
{
	my ($kind, @refs) = @_;
	report("PrintExport($kind," . join(',', map { ref($_) . scalar(@$_) } @refs) . ')');
	return;
}

1;

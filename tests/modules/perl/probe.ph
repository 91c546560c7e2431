# probe.ph - prints what a module sees. Line by line it does what modules of collectl's users do: records, reads files and commands, writes
# variables of the program, keeps to no warnings.
use strict;

our ($miniFiller, $rate, $SEP, $datetime, $miniInstances, $interval, $showColFlag, $intSecs, $subsys, $options, $Version, $Host, $ReqDir,
     $verboseFlag, $playback, $plotFlag, $filename, $debug, $count, $NumCpus, $OneMB, @lastSecs, $export, $import, $firstPass);

my ($seen, $lines, $total, %got) = (0, 0, 0);

sub probeInit
{
	my ($options_ref, $key_ref) = @_;
	my $given = defined($$options_ref) ? $$options_ref : 'undef';
	print "init opts=$given interval=$interval subsys=$subsys count=$count sep=", defined($SEP) ? "set" : "unset", "\n";
	print "version ok\n" if !($Version lt '3.5.1');
	exit(7) if $given eq 'leave';
	die "no more\n" if $given eq 'die';
	error("wrong words") if $given eq 'error';
	$verboseFlag = 1 if $given =~ /verbose/;
	return -1 if $given eq 'drop';
	$$options_ref = $given =~ /d/ && $given ne 'undef' ? 'sd' : 's';
	$$key_ref = 'pr[ob]+e|other';
	return 1;
}

sub probeUpdateHeader { my $ref = shift; $$ref .= "# Probe: yes\n"; return; }
sub probeGetHeader { my $ref = shift; $got{header} = $$ref =~ /^# Host:\s+(\S+)/m ? $1 : 'none'; return; }

sub probeGetData
{
	record(2, "probe-n 1 2 3\n");
	getProc(0, '/proc/loadavg', 'probe-load');
	getProc(0, '/nonexistent/file', 'probe-none');
	getExec(0, 'echo one; echo two', 'other-exec');
	getexec(4, 'printf "a\nb\nc\n"', 'other-count');
	return;
}

sub probeAnalyze
{
	my ($type, $data_ref) = @_;
	$seen++;
	my @fields = split(/\s+/, $$data_ref);
	$got{$type} = $fields[0];
	$lines++ if $type eq 'other-exec:';
	return;
}

sub probeInitInterval { my $seconds = shift; $got{init} = defined($seconds) ? 'num' : 'undef'; $lines = 0; return; }
sub probeIntervalEnd { $total += $got{'probe-n'} || 0; return; }

sub probePrintBrief
{
	my ($type, $ref) = @_;
	$$ref .= "<--Probe-->" if $type == 1;
	$$ref .= " Rec Ln Cnt " if $type == 2;
	$$ref .= sprintf(" %3s %2d %3d ", cvt($got{'probe-n'} * 1000), $lines, $got{'other-count:'}) if $type == 3;
	$total = 0 if $type == 4;
	printf " %3d ", $total if $type == 6;
	return;
}

sub probePrintVerbose
{
	my ($header, $home, $ref) = @_;
	my $line = '';
	$line .= ($home ? '' : "\n") . "# PROBE ($rate)\n#$miniFiller Rec\n" if $header;
	$$ref = $line;
	return if $showColFlag;
	$$ref .= sprintf("%s %3d\n", $datetime, $got{'probe-n'});
	return;
}

sub probePrintPlot
{
	my ($type, $ref) = @_;
	$$ref .= "[PROBE]Rec${SEP}[PROBE]Lines$SEP" if $type == 1;
	$$ref .= "[PROBE:x]Rec$SEP" if $type == 2;
	$$ref .= "$SEP$got{'probe-n'}$SEP$lines" if $type == 3;
	$$ref .= "$SEP$got{'probe-n'}" if $type == 4;
	return;
}

sub probePrintExport
{
	my ($type, $name, $value, $detail_name, $detail_value, $gauge, $detail_gauge, $format) = @_;
	if ($type eq 'l')
	{
		push @$name, 'probe.rec', 'probe.half';
		push @$value, $got{'probe-n'}, 0.5;
		push @$gauge, 1, 1;
		push @$format, '%d', '%.2f';
		push @$detail_name, 'probe.lines.x';
		push @$detail_value, $lines;
	}
	else
	{
		my ($names, $units, $values, $groups, $titles) = ($name, $value, $detail_name, $detail_value, $gauge);
		push @$names, 'probe.rec';
		push @$units, 'num';
		push @$values, $got{'probe-n'};
		push @$groups, 'probe';
		push @$titles, 'Probe';
	}
	return;
}

1;

# combo.ph - takes lines that others recorded, by expressions as keys, and draws all it can; for comparisons over any raw file.
use strict;

our ($miniFiller, $miniDateTime, $rate, $SEP, $FS, $datetime, $miniInstances, $interval, $showColFlag, $intSecs, $subsys, $OneKB);

my ($lines, $last, $delta, %seen, @totals) = (0, 0, 0);

sub comboInit
{
	my ($options, $key) = @_;
	my $given = defined($$options) ? $$options : '';
	error("combo knows s, d and sd, not '$given'") if $given !~ /^[sd]*$/;
	$$options = $given eq '' ? 's' : $given;
	$$key = 'hw-[12]|^disk$|^(?:load|misc-up)';
	@totals = (0, 0);
	return 1;
}

sub comboUpdateHeader { my $ref = shift; $$ref .= "# Combo: one\n# Combo: two\n"; return; }
sub comboGetHeader { my $ref = shift; $seen{host} = $$ref =~ /^# Host:\s+(\S+)/m ? $1 : 'none'; return; }
sub comboGetData { record(2, "hw-1 Combo 1\n"); return; }
sub comboInitInterval { $lines = 0; %seen = map { $_ => $_ eq 'host' ? $seen{host} : 0 } keys(%seen); return; }
sub comboIntervalEnd { $delta = $lines - $last; $last = $lines; return; }

sub comboAnalyze
{
	my ($type, $data) = @_;
	$lines++;
	$seen{$type} += length($$data) if $type ne 'host';
	return;
}

sub types { return grep { $_ ne 'host' } sort(keys(%seen)); }

sub comboPrintBrief
{
	my ($type, $ref) = @_;
	if ($type == 1) { $$ref .= '<--Combo-->'; }
	elsif ($type == 2) { $$ref .= ' Lines KBs '; }
	elsif ($type == 3) { $$ref .= sprintf(' %5s %4s', cvt($lines * 1000, 5), cvt($lines * $OneKB / $intSecs, 4, 1, 1)); }
	elsif ($type == 4) { @totals = (0, 0); }
	elsif ($type == 5) { $totals[0] += $lines; $totals[1]++; }
	elsif ($type == 6) { printf(' %5d %4d', $totals[0], $totals[1]); print '|', $miniInstances; }
	return;
}

sub comboPrintVerbose
{
	my ($header, $home, $ref) = @_;
	my $line = '';
	if ($header)
	{
		$line .= "\n" unless $home;
		$line .= "# COMBO STATISTICS ($rate)\n#${miniFiller}Lines Delta\n#${miniDateTime}x\n";
	}
	$$ref = $line;
	return if $showColFlag;
	$$ref .= sprintf("%s %5d %5d %s\n", $datetime, $lines, $delta, $subsys);
	$$ref .= join('', map { sprintf("%s %-12s %6${FS}\n", $datetime, $_, $seen{$_} / $intSecs) } types());
	return;
}

sub comboPrintPlot
{
	my ($type, $ref) = @_;
	$$ref .= "[COMBO]Lines${SEP}[COMBO]Delta$SEP" if $type == 1;
	$$ref .= join('', map { "[COMBO:$_]Size$SEP" } 'hw-1', 'hw-2') if $type == 2;
	$$ref .= sprintf("$SEP%$FS$SEP%d", $lines / $intSecs, $delta) if $type == 3;
	$$ref .= join('', map { $SEP . ($seen{$_} || 0) } 'hw-1', 'hw-2') if $type == 4;
	return;
}

sub comboPrintExport
{
	my ($kind, @to) = @_;
	if ($kind eq 'l')
	{
		push(@{$to[0]}, 'combo.lines', 'combo.delta');
		push(@{$to[1]}, $lines, $delta);
		push(@{$to[2]}, map { "combo.$_" } types());
		push(@{$to[3]}, map { $seen{$_} } types());
		push(@{$to[4]}, 1);
		push(@{$to[6]}, '%.2f', '%d');
	}
	else
	{
		push(@{$to[0]}, 'combo.lines', 'combo.long.name.of.a.value');
		push(@{$to[1]}, 'lines', 'num/sec');
		push(@{$to[2]}, $lines, $lines / $intSecs);
		push(@{$to[3]}, 'combo', 'combo');
		push(@{$to[4]}, 'Lines', 'A title');
	}
	return;
}

1;

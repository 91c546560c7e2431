# prelude.pl - what modules expect to find in package main and that needs no host: handles, exit, small helpers, names of other packages.
# Compiled into the door; run once when the interpreter is made.

package Perfolio::Out;

# Standard output belongs to the recorder: what a module prints takes its place between the lines that are drawn.
sub TIEHANDLE { my $class = shift; return bless {}, $class; }
sub PRINT
{
	shift;
	my $text = join(defined($,) ? $, : '', map { defined($_) ? $_ : '' } @_);
	return Perfolio::say($text . (defined($\) ? $\ : ''));
}
sub PRINTF { shift; my $format = shift; return Perfolio::say(sprintf($format, @_)); }
sub WRITE { my ($self, $text, $size, $at) = @_; return Perfolio::say(substr($text, $at || 0, $size)); }
sub FILENO { return 1; }
sub BINMODE { return 1; }
sub CLOSE { return 1; }

# Modules find these packages in main, but loading all of them takes longer than a whole sample. So each is loaded before the first file
# that has a word it gives, and all are if a file brings in text that is not seen here. A file that has its own function by such a name
# has the word, too, so the package comes first and does not replace it. A heading may have such a word; that only costs time.
package Perfolio;

our %loaded;
our @packages = ('POSIX', 'File::Basename', 'Time::Local', 'Cwd', 'English', 'Time::HiRes', 'Socket', 'IO::Socket', 'IO::Select');
our %import = ('Cwd' => "'abs_path'", 'English' => "'-no_match_vars'", 'Time::HiRes' => '()');
our %words = (
	# WORDS: put in by words.pl
);
our %mark = (
	'POSIX' => qr/\bPOSIX\b/,
	'File::Basename' => qr/\bBasename\b/,
	'Time::Local' => qr/\bLocal\b/,
	'Cwd' => qr/\bCwd\b|\babs_path\b/,
	'English' => qr/\bEnglish\b/,
	'Time::HiRes' => qr/HiRes\b/,
	'Socket' => qr/Socket\b/,
	'IO::Socket' => qr/\bIO\b|\bSocket::/,
	'IO::Select' => qr/\bIO\b/,
);
our $unseen = qr{
	\b(?:require|do)\b\s*\(?\s*["'\$q]                    # another file
	| \beval\b\s*\(?\s*(?![\s(\{"'])                       # text from elsewhere
	| \b(?:use|require)\s+(?!POSIX|File::Basename|Time::|Cwd|English|Socket|IO::)[A-Z]
	| (?<![\w:])(?!main::|Perfolio::|POSIX::|File::Basename\b|Time::|Cwd::|Socket::|IO::)[A-Z]\w*::
}x;

sub prepare
{
	my ($file) = @_;
	return if keys(%loaded) == @packages;
	local $/;
	my $text;
	if (open(my $in, '<', $file))
	{
		$text = <$in>;
		close($in);
	}
	my $all = !defined($text);
	$text = '' if $all;
	$text =~ s/^\s*#.*$//mg;
	$all ||= $text =~ $unseen;
	my %has;
	@has{ $text =~ /(?<!\w)((?:(?<![\$\@])[a-z]|[A-Z_])\w*)/g } = () if !$all;
	for my $package (grep { !$loaded{$_} } @packages)
	{
		next if !$all && $text !~ $mark{$package} && !grep { exists($has{$_}) } split(' ', $words{$package} || '');
		local $/ = "\n";
		eval('package main; use ' . $package . ' ' . ($import{$package} || '') . '; 1') or die $@;
		$loaded{$package} = 1;
	}
	return;
}

package main;

BEGIN
{
	*CORE::GLOBAL::exit = sub (;$) { Perfolio::leave(defined($_[0]) ? $_[0] : 0); };
}

$| = 1;
tie *STDOUT, 'Perfolio::Out';

our ($OneKB, $OneMB, $OneGB, $TenGB) = (1024, 1024**2, 1024**3, 10 * 1024**3);

# fix(DELTA[, DIVISOR[, MAX]]): a counter that went through its end.
sub fix
{
	my ($delta, $divisor, $max) = @_;
	return $delta if $delta >= 0;
	$max = 2**32 if !defined($max);
	return $delta + (defined($divisor) ? $max / $divisor : $max);
}

# cat(FILE[, ALL]): the first line of a file, or all of it; '' if it cannot be read.
sub cat
{
	my ($file, $all) = @_;
	open(my $in, '<', $file) or return '';
	local $/ = $all ? undef : "\n";
	my $text = <$in>;
	close($in);
	return defined($text) ? $text : '';
}

# ls(DIR): the names in a folder, without those that begin with a dot.
sub ls
{
	my ($folder) = @_;
	opendir(my $in, $folder) or return ();
	my @names = sort grep { !/^\./ } readdir($in);
	closedir($in);
	return @names;
}

sub logsys { logmsg('I', $_[0]); return; }

# getTime(SECONDS): the time of day.
sub getTime
{
	my ($seconds) = @_;
	my @t = localtime($seconds);
	return sprintf('%02d:%02d:%02d', @t[2, 1, 0]);
}

# cvtT1 to cvtT5: hundredths of a second as text, but cvtT4 takes seconds and cvtT5 hundredths since the host was started. With a second
# argument that is true there are no blanks in front.
sub cvtT1
{
	my ($hundredths, $plain) = @_;
	my $seconds = int($hundredths / 100);
	return sprintf($plain ? '%d.%02d' : '%2d.%02d', $seconds, $hundredths - $seconds * 100);
}

sub cvtT2
{
	my ($hundredths, $plain) = @_;
	my $seconds = int($hundredths / 100);
	my $hours = int($seconds / 3600);
	my $minutes = int($seconds / 60) % 60;
	my $text = $hours > 0 ? sprintf('%02d:%02d:%02d', $hours, $minutes, $seconds % 60)
		: sprintf('%02d:%02d.%02d', $minutes, $seconds % 60, $hundredths - $seconds * 100);
	return $plain ? $text : sprintf('%9s', $text);
}

sub cvtT3
{
	my ($hundredths) = @_;
	my $seconds = int($hundredths / 100);
	return sprintf('%d:%02d:%02d', int($seconds / 3600), int($seconds / 60) % 60, $seconds % 60);
}

sub cvtT4
{
	my ($seconds) = @_;
	my @t = localtime($seconds);
	return (sprintf('%d%02d%02d', $t[5] + 1900, $t[4] + 1, $t[3]), sprintf('%02d:%02d:%02d', @t[2, 1, 0]));
}

our ($boottime, $interval, $interval2Secs, $subsys);
sub cvtT5
{
	my ($hundredths) = @_;
	my @t = localtime($boottime + $hundredths / 100);
	return sprintf('%s%02d-%02d:%02d:%02d', (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$t[4]], @t[3, 2, 1, 0]);
}

# cvtP(HUNDREDTHS): percent of the second interval.
sub cvtP
{
	my ($hundredths) = @_;
	my $seconds = $interval2Secs || (($interval || '') =~ /^[^:]*:([\d.]+)/ && $1 > 0 ? $1 : 60);
	return sprintf('%3d', $hundredths / $seconds);
}

# getHeader(FILE): the lines in front of the first sample of a raw file; '' if it cannot be read.
sub getHeader
{
	my ($file) = @_;
	require IO::Uncompress::Gunzip;
	my $in = IO::Uncompress::Gunzip->new($file) or return '';
	my $header = '';
	local ($_, $/) = ('', "\n");
	while (defined(my $line = $in->getline()))
	{
		last if $line !~ /^#/;
		$header .= $line;
	}
	return $header;
}

# disableSubsys(LETTER, WHY): a subsystem that this host has not, in summary and detail.
sub disableSubsys
{
	my ($letter, $why) = @_;
	$subsys =~ s/\Q$letter\E//gi;
	pushmsg('I', "-s$letter disabled because $why");
	return '';
}

# loadPids(FILTER): collectl looks for the processes of a filter here; this recorder finds them anew in each sample.
sub loadPids { return 0; }

# Are headings due? Where an exporter runs, its host says so; modules are told when they are called.
our $perfolioHeaderDue = 0;
sub printHeader { return $perfolioHeaderDue; }

# The functions with which an exporter asks modules for their values.
our ($impNumMods, @impPrintExport) = (0);
sub Perfolio::list_modules
{
	my ($n) = @_;
	$impNumMods = $n;
	@impPrintExport = map { my $i = $_; sub { Perfolio::ask($i, @_); } } 0 .. $n - 1;
	return;
}

# Called by modules that change what is shown; the host looks at the variables themselves.
sub setOutputFormat { return; }

1;

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

package main;

BEGIN
{
	*CORE::GLOBAL::exit = sub (;$) { Perfolio::leave(defined($_[0]) ? $_[0] : 0); };
}

use POSIX;
use File::Basename;
use Time::Local;
use Cwd 'abs_path';
use English '-no_match_vars';
use Time::HiRes ();
use Socket;
use IO::Socket;
use IO::Select;

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
sub getTime { return time(); }

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

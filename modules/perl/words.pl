# words.pl PRELUDE OUT - copy the prelude and put in, where it says so, what each package gives to the package that uses it in this Perl.
use strict;
use warnings;

my ($prelude, $target) = @ARGV;
my $words = '';
my @uses = ('POSIX', 'File::Basename', 'Time::Local', "Cwd 'abs_path'", "English '-no_match_vars'", 'Socket', 'IO::Socket');
for my $i (0 .. $#uses)
{
	eval "package Taste$i; use $uses[$i]; 1" or die $@;
	no strict 'refs';
	my @names = sort grep { /^\w+$/ && $_ ne 'BEGIN' } keys %{"Taste${i}::"};
	@names or die "$uses[$i] gives nothing\n";
	$words .= "\t'" . ($uses[$i] =~ s/ .*//r) . "' => '" . join(' ', @names) . "',\n";
}
open(my $in, '<', $prelude) or die "$prelude: $!\n";
open(my $out, '>', $target) or die "$target: $!\n";
while (my $line = <$in>)
{
	print $out $line =~ /^\t# WORDS\b/ ? $words : $line;
}
close($out) or die "$target: $!\n";

#!/bin/bash
# perlapi.sh BUILD - modules of our own making exercise the helpers, symbols and callbacks of the import interface in the real collectl and in
# ours, side by side; then statsd.ph and vnet.ph of Debian's package.
set -u
. "$(dirname "$(readlink -f "$0")")/../tools/perl-setup"
raw=$here/../golden/collectl/raw/imp-vm-20261130-035702.raw.gz
install -d "$dir/own/names"
install -m 644 "$here"/../modules/perl/* "$dir/own"
cd "$dir/own" || exit 1
printf '1\n2\n' >names/two
touch names/a names/.hidden
cp "$raw" recording.raw.gz

# Helpers, records, files and commands.
for switches in "" -w -og -oG; do
	# shellcheck disable=SC2086 # none or one
	side cat --import ./helpers.ph -c1 -i.2 $switches
done
side cat --import ./reads.ph,reads.lines -c1 -i.2

# The recorder's own filters hold for what modules read, too; of slabs only those that there are, so their names must be of this host.
told() { grep '^ *\[\(r[0-9a-z-]*\|tcp-[A-Za-z]*:\|x[0-9]:\)\]\|^- \|^gave'; }
while read -r switches; do
	# shellcheck disable=SC2086 # switches are words
	side told --import ./reads.ph,reads.lines -c1 -i.2 $switches
done <<'CASES'
--rawnetfilt eth
--rawnetfilt eth,lo
--rawnetignore eth
--rawnetfilt 0: --rawnetignore ^...lo
--rawdskfilt sda
--rawdskfilt +loop
--rawdskfilt sd|loop --rawdskignore sda1
--rawdskignore sda,nvme
--dskfilt sda --netfilt eth
--tcpfilt I
--tcpfilt T
--tcpfilt IT
--tcpfilt i
--tcpfilt ctuI
--memopts p
--memopts ps
--memopts s
--envfilt ^Tcp
--slabfilt dentry
CASES
if grep -q '^dentry' /proc/slabinfo 2>/dev/null; then
	for switches in -sY "-sY --slabfilt dentry" "-sy --slabfilt dent,kmal" "-sY --slabfilt nosuch"; do
		# shellcheck disable=SC2086
		side told --import ./reads.ph,reads.lines -c1 -i.2:.2 $switches
	done
fi
side cat --import ./one.ph:./two.ph -c2 -i.2
side cat --import ./two.ph:./one.ph -c2 -i.2

# How modules end, in each callback; a warning ends nothing.
for callback in Init GetData Analyze InitInterval IntervalEnd PrintBrief; do
	for how in die exit error warn; do
		side cat --import "./ends.ph,$how@$callback" -c1 -i.2
	done
done
while read -r callback switches; do
	for how in die exit error; do
		# shellcheck disable=SC2086 # switches are words
		side cat --import "./ends.ph,$how@$callback" $switches -i.2
	done
done <<'CASES'
PrintVerbose --verbose -c1
PrintPlot -P -c1
PrintExport --export lexpr -c1
UpdateHeader --showheader
CASES
for how in die exit error; do
	side cat -p "$raw" --import "./ends.ph,$how@GetHeader" -s-all
	side cat -p "$raw" --import "./ends.ph,$how@Analyze" -s-all
done

# What modules write in Init decides about the view.
side cat --import ./ends.ph,verbose@Init -c2 -i.2
side cat --import ./ends.ph,columns@Init -c2 -i.2
side 'grep -c Memory' --import ./ends.ph,subsys@Init -c1 -i.2

# Symbols. Left out: moments and lengths of time but for their form, counters of the second interval where there is none, numbers that
# collectl leaves undefined where we have 0, the times of the first interval, and what docs/compat.md names.
symbols()
{
	grep -v ' times: \| others: \|^[0-9# ]\|^sample.time' |
		sed -E "s/undef/''/g; s/='0'/=''/g; s/ (c2|l2|n)='[0-9]*'//g; s/ dt=('[^']*')?//; s/ int=([a-z]+|'')//; /^Init(Interval)?:/s/ (md|mf|verb)='[^']*'//g
			/^[A-Z][A-Za-z]* host:/s/ '[^']*'( '[^']*')* ('10000') .*/ \2/; / switches: /s/ '[0-9]+'/ N/g; s/^InitInterval\(.*/InitInterval()/
			/^Print(Plot|Brief)/s/,[^)]*//"
}
while read -r switches; do
	# shellcheck disable=SC2086
	side symbols --import ./symbols.ph $switches
done <<'CASES'
-c2 -i.2
-c2 -i.2 -oT --verbose
-c1 -i.2 -oDm
-P -c2 -i.2 --sep ;
-c1 -i.2 -on --export lexpr
-sc -c1 -i.2 --hr 0 -w
--showheader
CASES
# shellcheck disable=SC2016 # awk's
second() { awk '/^GetData:/ { for (i = 1; i <= NF; i++) if ($i ~ /^[cl]2=/) printf "%s ", $i; print "" }'; }
side second --import ./symbols.ph -sY -c5 -i.2:.4
side second --import ./symbols.ph -sZ -c5 -i.2:.6

# Recorded: the second file of --tworaw has what belongs there, of an isolated module, too; without it modules come before the second interval.
recorded() # WHO FOLDER MODULE SWITCHES...
{
	local who=$1 folder=$2 module=$3
	shift 3
	install -d "$folder"
	timeout 60 "$who" --import "$module" -c1 "$@" -f "$folder/x" </dev/null >/dev/null 2>&1
}
order() { sed -n 's/^>>>.*/mark/p; s/^cpu .*/cpu/p; s/^\(r-plain\|tcp-Ip:\) .*/module/p; s/^Slab.*/slab/p; s/^proc:.*/proc/p' | uniq; }
recorded /usr/bin/collectl two.real ./reads.ph,reads.lines -sZc -i.2:.2 --tworaw
recorded "$collectl" two.ours ./reads.ph,reads.lines -sZc -i.2:.2 --tworaw
recorded "$collectl" two.apart ./reads.ph,reads.lines,isolate=60 -sZc -i.2:.2 --tworaw
recorded /usr/bin/collectl order.real ./reads.ph,reads.lines -sZYc -i.2:.2
recorded "$collectl" order.ours ./reads.ph,reads.lines -sZYc -i.2:.2
for part in raw rawp; do
	for who in real ours apart; do
		# What a command left without an end of line glues to the next record there.
		zcat two.$who/x-*."$part".gz | grep '^r[0-9-]\|^x[0-9-]\|^tcp-' | sed 's/no newlinex/no newline\nx/' >"two.$part.$who"
	done
	[ -s two.$part.real ] || fail "--tworaw: nothing of a module in collectl's $part"
	for who in ours apart; do
		cmp -s two.$part.real two.$part.$who || {
			fail "--tworaw: $part of $who differs from collectl's:"
			diff two.$part.real two.$part.$who | head -n 8
		}
	done
done
for who in real ours; do
	zcat order.$who/x-*.raw.gz | order >order.$who.txt
done
cmp -s order.real.txt order.ours.txt || fail "collectl records in the order $(tr '\n' ' ' <order.real.txt), ours in $(tr '\n' ' ' <order.ours.txt)"
grep -q module order.real.txt || fail "no order of a module in $(tr '\n' ' ' <order.real.txt)"

# newLog begins new files, under its own name, too.
cat >roll.ph <<'PERL'
my $n = 0;
our $filename;
sub rollInit { my ($o, $k) = @_; $$o = 's'; $$k = 'roll'; return 1; }
sub rollUpdateHeader { my $ref = shift; $$ref .= "# Roll: yes\n"; return; }
sub rollInitInterval { return; }
sub rollAnalyze { return; }
sub rollGetData { $n++; record(2, "roll $n x\n"); newLog($filename, '', '', '', '', '') if $n == 3; return; }
1;
PERL
"$build/perfolio" -sc --import ./roll.ph -c5 -i.5 -f "$dir/rolled" >/dev/null 2>&1 || fail "recording with newLog ended with $?"
[ "$(ls "$dir"/rolled-*.raw.gz | wc -l)" = 2 ] || fail "newLog: $(ls "$dir"/rolled-*)"
for file in "$dir"/rolled-*.raw.gz; do
	zcat "$file" | grep -q '^# Roll: yes' || fail "newLog: $file has no header"
done
[ "$(zcat "$dir"/rolled-*.raw.gz | grep -c '^roll ')" = 6 ] || fail "newLog lost records"

# Search: this folder, collectl's, absolute.
side cat --import nosuch
side cat --import /nonexistent/ends.ph
side cat --import "$dir/own/ends.ph" -c1 -i.2
side cat --import hello,nonsense
side cat --import misc,i=7 -i2

# statsd.ph: its options, and counters that grow, in each view.
cat >stats.log <<'STATS'
# V1
accsrvr 10 20 30 40 50 60 7
objsrvr 12 22 32 42 52 62 9 1 2 5 7.5
prxyacc 1 2 3 4 5 6 7 8 9 10 11 12 13 200:5 404:2
STATS
while read -r arguments; do
	side cat --import "statsd,$arguments" -c1 -i.2
done <<'CASES'
f=stats.log
f=stats.log,s=*,t=*,p=*,r
f=stats.log,d=1,aa
v
h
x
f=stats.log,s=q
s=a
CASES
side cat --export statsd
zcat "$raw" | awk '/^#/ { sub(/SubSys:     cd/, "SubSys:     c"); print; next }
	/^>>>/ { print; n++; next }
	/^hw-0/ {
		print "statsd accsrvr", 10 * n, 20 * n * n, 3 * n, 4, 5, 6, n
		print "statsd consrvr", n, n * n, 3, 4, 5, 6, 7
		print "statsd objsrvr", n, 2, 3, 4, 5, 6, n, n * n, 2, 5 * n, 7.5 * n
		print "statsd prxyacc", n, 2, 3, 4, 5, 6, 7, 8, n, 10, 11, 12, 13, "200:" 5 * n, "404:" n
		print "statsd # remark"
		next
	}
	/^cpu|^ctxt|^intr|^proc|^load/' >st-vm-20261130-035702.raw
while read -r arguments switches; do
	# shellcheck disable=SC2086
	side cat -p st-vm-20261130-035702.raw --import "$arguments" $switches
done <<'CASES'
statsd -s-all
statsd -sc -oT
statsd,s=*,t=*,p=*,r -s-all
statsd,s=*,t=*,p=*,r -s-all -oDm
statsd,s=p,p=a,r -sc --hr 2
statsd,os,pa -s-all -on
statsd,s=ac,t=s -P -s-all
statsd,os -P --sep 9
statsd -s-all --export lexpr
CASES

# vnet.ph lists tap devices; made up ones in a mount namespace, as they need root.
taps='mount -t tmpfs none /sys/devices/virtual/net && mkdir -p /sys/devices/virtual/net/{tap0,tap17,lo} &&
	echo fe:54:00:aa:bb:cc >/sys/devices/virtual/net/tap0/address && echo fe:54:00:00:00:01 >/sys/devices/virtual/net/tap17/address'
virtual() { grep '^vnets\|^<Virt' | sed 's/\(tap[0-9]*=[^ ]*\) \(tap.*\)/\2 \1/'; }
if unshare -m sh -c "$(sed 's/{tap0,tap17,lo}/tap0/' <<<"${taps%%&& echo fe:54:00:00*}")" 2>/dev/null; then
	cat >virt.ph <<'PERL'
our %virtMacs;
sub virtInit { my ($o, $k) = @_; $$o = 's'; $$k = 'never'; return 1; }
sub virtUpdateHeader { return; }
sub virtInitInterval { return; }
sub virtGetData { return; }
sub virtAnalyze { return; }
sub virtPrintBrief { my ($t, $ref) = @_; print '<Virt ', join(' ', map { "$_=$virtMacs{$_}" } sort keys %virtMacs), "\n" if $t == 3; return; }
1;
PERL
	for who in /usr/bin/collectl "$collectl"; do
		for switches in "-c2 -i.2 -d4" "-sZ -c4 -i.2:.4 -d4"; do
			module=$([ "$who" = "$collectl" ] && echo /usr/share/collectl/)vnet
			[ "$module" = vnet ] || module+=.ph
			unshare -m bash -c "$taps; exec timeout 60 $who --import $module:./virt.ph $switches" </dev/null 2>/dev/null | virtual
		done >"vnet.$(basename "$(dirname "$who")")"
	done
	cmp -s vnet.bin vnet.compat || {
		fail "vnet differs from collectl's:"
		diff vnet.bin vnet.compat | head
	}
	grep -q 'tap17=fe:54:00:00:00:01' vnet.bin || fail "collectl's vnet finds no devices: $(head -n 2 vnet.bin)"
else
	echo "no mount namespaces here: vnet.ph only without devices"
fi
side 'grep -c .' --import vnet -c2 -i.2
exit $failed

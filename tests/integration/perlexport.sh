#!/bin/bash
# perlexport.sh BUILD - exporters in Perl: those of Debian's collectl, unchanged, played back and live, beside the real collectl.
set -u
. "$(dirname "$(readlink -f "$0")")/../tools/perl-setup"
golden=$here/../golden/collectl/raw
share=/usr/share/collectl
cd "$dir" || exit 1

# What differs from run to run: the clock before values of gexpr, the time behind those of graphite, live that of lexpr.
live=
mask()
{
	sed -E "s/^[0-9:]{8}\.[0-9]{3} (Name)/\1/; s/ [0-9]{10}$/ T/; ${live:+s/^sample.time .*/sample.time/}"
}

# both SWITCHES EXPORTER ARGUMENTS - the same bytes and status of both programs?
both()
{
	local switches=$1 exporter=$2 arguments=$3 real ours
	# shellcheck disable=SC2086 # switches are words
	timeout 60 /usr/bin/collectl $switches --export "$exporter$arguments" </dev/null 2>/dev/null >"$dir/real.raw"
	real=$?
	# shellcheck disable=SC2086
	timeout 60 "$collectl" $switches --export "$share/$exporter.ph$arguments" </dev/null 2>"$dir/err" >"$dir/ours.raw"
	ours=$?
	mask <"$dir/real.raw" >"$dir/real"
	mask <"$dir/ours.raw" >"$dir/ours"
	[ $real = $ours ] || fail "$exporter$arguments $switches: status $ours, collectl's is $real"
	cmp -s "$dir/real" "$dir/ours" && return
	fail "$exporter$arguments $switches differs from collectl's:"
	diff "$dir/real" "$dir/ours" | head -n 6
}

to=,127.0.0.1:9,d=9
while IFS='|' read -r file switches exporter arguments; do
	both "-p $golden/$file $switches" "$exporter" "$arguments"
	[ -s "$dir/real" ] || fail "collectl printed nothing for $exporter$arguments $switches"
done <<CASES
all-vm-20261130-035618.raw.gz||lexpr|
all-vm-20261130-035618.raw.gz||gexpr|$to
all-vm-20261130-035618.raw.gz||graphite|$to
all-vm-20261130-035618.raw.gz||vmstat|
all-vm-20261130-035618.raw.gz|-oT|vmstat|
all-vm-20261130-035618.raw.gz|-on|lexpr|
all-vm-20261130-035618.raw.gz|--cpufilt 1|lexpr|
all-vm-20261130-035618.raw.gz|-scdnm|lexpr|,s=cd,d=4
all-vm-20261130-035618.raw.gz|-scdnm|gexpr|$to,g
all-vm-20261130-035618.raw.gz|-scdnm|gexpr|$to,G
proto-vm-20261130-035618.raw.gz|-scdnmCDNftsi|graphite|$to,b=a.,p=.z
tenths-vm-20261130-085651.raw.gz||lexpr|
tenths-vm-20261130-085651.raw.gz|-scdnmCDNftsiM|gexpr|$to
numa-vm-20261130-035748.raw.gz||lexpr|
synth-vm-20261130-050000.raw.gz|-scdnmCDN|lexpr|,i=2,avg
synth-vm-20261130-050000.raw.gz|-scdnm|lexpr|,i=2,tot,co
synth-vm-20261130-050000.raw.gz|-scdnm|graphite|$to,co
synth-vm-20261130-050000.raw.gz|-scdnmCDN|vmstat|
all-vm-20261130-035618.raw.gz||lexpr|,nonsense
all-vm-20261130-035618.raw.gz||lexpr|,h
all-vm-20261130-035618.raw.gz||lexpr|,i=7
all-vm-20261130-035618.raw.gz||gexpr|
all-vm-20261130-035618.raw.gz|-sc|lexpr|,s=d
CASES

# Sensors, of a file in place of ipmitool, live and recorded; what is no number for lexpr alone, since Perl warns of it.
cat >sensors <<'SENSORS'
FAN 1,3500,RPM,ok
System Fan 2,3600,RPM,ok
Fan 5A,1000,RPM,ok
Fan Block 1,35.28,unspecified,nc
CPU1 Temp,31,degrees C,ok
Temp 30 (Sys),35,degrees C,ok
Temp Front Panel,22.5,degrees C,ok
Power Meter,210,Watts,ok
Planar 3.3V,3.3,Volts,ok
SENSORS
{ cat sensors && printf 'Fan 3,,,ns\nFan 4,na,RPM,na\nVirtual Fan,0x01,percent,ok\n'; } >strange
live=yes
while IFS='|' read -r file switches exporter arguments; do
	both "-sE --envtest $file -c2 -i.2 $switches" "$exporter" "$arguments"
	grep -q 'env.*FAN1' "$dir/real" || fail "collectl tells no sensors for $exporter$arguments $switches"
done <<CASES
sensors||lexpr|
strange||lexpr|
sensors|--envopts F|lexpr|
sensors|--envremap /Fan/Blower/|lexpr|
sensors||gexpr|$to
sensors||graphite|$to
CASES
live=
cat >env.ph <<'PERL'
our ($envOpts, $envFilt, $envRules, $envRemap, $envTestFile);
sub envInit { my ($o, $k) = @_; $$o = 's'; $$k = 'env'; print join('|', map { defined ? $_ : '' } $envOpts, $envFilt, $envRules, $envRemap, $envTestFile), "\n"; exit(0); }
1;
PERL
chmod 644 env.ph
for switches in "" "--envfilt CPU" "--envremap /Fan/X/"; do
	for who in /usr/bin/collectl "$collectl"; do
		# shellcheck disable=SC2086
		"$who" -sE --envtest sensors $switches --import ./env.ph </dev/null >"$(basename "$(dirname "$who")").env" 2>/dev/null
	done
	cmp -s bin.env compat.env || fail "variables of sensors, $switches: $(cat compat.env), collectl's $(cat bin.env)"
	grep -q sensors bin.env || fail "collectl has no variables of sensors: $(cat bin.env)"
done

# A recording with a second interval; files of snapshots; a function of the user's; readers that connect to a server.
zcat $golden/imp-vm-20261130-035702.raw.gz | sed 's/Interval: 1 /Interval: 1:60 /' >ri-vm-20261130-035702.raw
for arguments in ,i=2,avg ,i=4,tot ,i=3,max; do
	both "-p ri-vm-20261130-035702.raw -scd" lexpr $arguments
done
both "-p ri-vm-20261130-035702.raw -sc" gexpr $to,i=2
printf 'sub extra { my ($kind, @refs) = @_; print "extra $kind ", scalar(@refs), "\n"; }\n1;\n' >extra.ph
chmod 644 extra.ph
both "-p $golden/imp-vm-20261130-035702.raw.gz -sc" lexpr ,x=./extra.ph
# Values of a live host are not compared, names and order are.
names() { sed -E 's/[ =]?-?[0-9.]+$//'; }
port=$((20000 + $$ % 20000))
for who in real ours; do
	program=/usr/bin/collectl exporter=lexpr
	[ $who = real ] || { program=$collectl exporter=$share/lexpr.ph; }
	mkdir "$dir/$who.files"
	timeout 60 "$program" -sc -c2 -i.2 --export "$exporter" -f "$dir/$who.files" </dev/null >"$dir/$who.raw" 2>/dev/null
	(cd "$dir/$who.files" && for file in *; do echo "$file" && names <"$file"; done) >"$dir/$who.f"
	port=$((port + 1))
	timeout 60 "$program" -sc -c20 -i.3 --export "$exporter" -A "server:$port" </dev/null >/dev/null 2>&1 &
	server=$!
	python3 - $port <<'PYTHON' | names >"$dir/$who.served"
import socket, sys, time
for _ in range(300):
    try:
        peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)
        break
    except OSError:
        time.sleep(0.1)
peer.settimeout(30)
text = b""
while text.count(b">>><<<") < 2:
    more = peer.recv(65536)
    if not more:
        break
    text += more
text = text[text.find(b"sample.time"):]
sys.stdout.buffer.write(text[:text.find(b">>><<<") + 7])
PYTHON
	kill $server 2>/dev/null
	wait $server 2>/dev/null
	python3 - "$program" "$exporter" <<'PYTHON' | names >"$dir/$who.sent"
import socket, subprocess, sys
door = socket.create_server(("127.0.0.1", 0))
door.settimeout(60)
child = subprocess.Popen([sys.argv[1], "-sc", "-c1", "-i.2", "--export", sys.argv[2], "-A", "127.0.0.1:%d" % door.getsockname()[1]],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
peer = door.accept()[0]
while True:
    more = peer.recv(65536)
    if not more:
        break
    sys.stdout.buffer.write(more)
child.wait()
PYTHON
done
for kind in f served sent; do
	[ -s "$dir/real.$kind" ] || fail "lexpr: collectl gives nothing for '$kind'"
	cmp -s "$dir/real.$kind" "$dir/ours.$kind" || {
		fail "lexpr ($kind: -f, -A server, -A ADDR) differs from collectl's:"
		diff "$dir/real.$kind" "$dir/ours.$kind" | head -n 6
	}
done

# By our own name; a module in C gives its values, too.
"$build/perfolio" -p $golden/all-vm-20261130-035618.raw.gz -sc --export $share/lexpr.ph >"$dir/out" 2>"$dir/err" || fail "lexpr.ph: $(cat "$dir/err")"
grep -q "^cputotals.user [0-9]" "$dir/out" || fail "perfolio with lexpr.ph tells no values: $(head -n 3 "$dir/out" "$dir/err")"
timeout 20 "$build/perfolio" -c1 -i.2 --import hello --export $share/lexpr.ph >"$dir/out" 2>"$dir/err"
grep -q "^hwtotals.val [0-9]" "$dir/out" || fail "lexpr.ph does not ask a module in C: $(head -n 3 "$dir/out" "$dir/err")"
grep -h "LeakSanitizer\|AddressSanitizer\|runtime error" "$dir/err" && fail "a sanitizer complains"
exit $failed

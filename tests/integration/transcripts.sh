#!/bin/bash
# transcripts.sh BUILD - what people see of the modules hello and misc live, form by form: collectl's, ours with the files of Debian's package, ours with
# the native ones. Undivided (-on) every byte is compared but clocks; divided, numbers that depend on how long an interval was are only there.
set -u
. "$(dirname "$(readlink -f "$0")")/../tools/perl-setup"
cd "$dir" || exit 1

# Moments, and the clocks of misc; with $loose also what was divided by a length of time.
mask()
{
	sed -E 's/^[0-9]{8}[ \t][0-9:]{8}|^[0-9:]{8}(\.[0-9]{3})?/TIME/; s/^sample.time .*/sample.time/; s/^>>> [0-9.]+ <<</>>> TIME/
		s/<<< \([0-9.]+\) \(.*\)/<<< TIME/; s/^(misc-(uptime|mhz)).*/\1/; s/^(misc\.(uptime|cpuMHz)) .*/\1/' |
		if [ -n "$misc" ]; then sed -E '/^(TIME)? +[0-9]|^TIME [0-9]/{ s/ [0-9]+/ UPTIME/; s/ [0-9]+/ MHZ/; }'; else cat; fi |
		if [ -n "$loose" ]; then sed -E '/^(#|hw-|>>>|misc)/!s/ *[0-9]+/ N/g'; else cat; fi
}

# compare MODULES SWITCHES... - MODULES with Debian's files and with ours
compare()
{
	local modules=$1 files
	shift
	files=$(sed -E 's#(^|:)(hello|misc)#\1/usr/share/collectl/\2.ph#g' <<<"$modules")
	timeout 60 /usr/bin/collectl --import "$modules" "$@" </dev/null 2>/dev/null | mask >real
	timeout 60 "$collectl" --import "$files" "$@" </dev/null 2>/dev/null | mask >perl
	timeout 60 "$collectl" --import "$modules" "$@" </dev/null 2>/dev/null | mask >native
	[ -s real ] || fail "collectl printed nothing for $modules $*"
	for who in perl native; do
		cmp -s real $who && continue
		fail "$modules $*, $who, differs from collectl's:"
		diff real $who | head -n 8
	done
}

while IFS='|' read -r modules switches; do
	misc= loose=
	[[ $modules = misc* ]] && misc=yes
	# shellcheck disable=SC2086 # switches are words
	compare "$modules" $switches -on -i.2
	loose=yes
	# shellcheck disable=SC2086
	compare "$modules" $switches -i.2
done <<'CASES'
hello|-c2
hello|-c2 -oT
hello|--verbose -c2
hello,d|-c2
hello,sd|-c1 -oT
hello,sd|-P -c2
hello,sd|--export lexpr -c1
hello,sd|--export gexpr,1.2.3.4:5,d=9 -c1
hello|-d4 -c2
misc|--verbose -c2 -oD
misc|-P -c2
misc,i=.4|--export lexpr -c2
CASES
misc='' loose=yes
compare hello:misc,i=.4 -sc -c3 -i.2
compare hello -c2 -on -i.4

# To an address: each line behind the name of the host; reports of an exporter end with a line of their own.
listen='import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1)
open("port", "w").write("%d\n" % s.getsockname()[1])
c = s.accept()[0]
for data in iter(lambda: c.recv(65536), b""): sys.stdout.buffer.write(data)'
mkfifo port
sent() # PROGRAM MODULES SWITCHES...
{
	local program=$1 modules=$2 reader port
	shift 2
	timeout 60 python3 -c "$listen" >heard &
	reader=$!
	read -r port <port
	timeout 60 "$program" --import "$modules" "$@" -A "127.0.0.1:$port" </dev/null >/dev/null 2>&1
	wait $reader
	sed -E 's/sample.time .*/sample.time/' heard
}
for switches in "-c2 -i.2 -on" "-c2 -i.2 -on --export lexpr"; do
	# shellcheck disable=SC2086
	sent /usr/bin/collectl hello $switches >real
	# shellcheck disable=SC2086
	sent "$collectl" /usr/share/collectl/hello.ph $switches >perl
	# shellcheck disable=SC2086
	sent "$collectl" hello $switches >native
	[ -s real ] || fail "collectl sent nothing with $switches -A"
	for who in perl native; do
		cmp -s real $who || fail "$switches -A, $who, differs from collectl's: $(diff real $who | head -n 6)"
	done
done
exit $failed

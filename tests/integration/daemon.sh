#!/bin/sh
# daemon.sh BUILD - a recorder in the background: pid file, refusal, messages, signals, settings, another user.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
work=$(mktemp -d "${TMPDIR:-/tmp}/daemon.XXXXXX") || exit 1
mkdir "$work/run" "$work/a" "$work/b"
export TZ=UTC LC_ALL=C PERFOLIO_RUNDIR="$work/run"
bad=0

# Whatever daemon is left when a check fails.
clean()
{
	for f in "$work"/run/*.pid; do
		[ -s "$f" ] && kill "$(cat "$f")" 2>/dev/null
	done
	rm -rf "$work"
}
trap clean EXIT

fail()
{
	echo "$*"
	bad=1
}

wait_for()
{
	tries=100
	while [ $tries -gt 0 ]; do
		"$@" && return 0
		tries=$((tries - 1))
		sleep 0.1
	done
	return 1
}

gone() { [ ! -e "$1" ]; }
emptied() { [ ! -s "$1" ]; }
has_marks() { [ "$(zcat "$1"/*.raw.gz 2>/dev/null | grep -c '^>>>')" -ge "$2" ]; }
flushed() { grep -q 'I-Flushing buffers in response to signal USR1' "$1"/*.log; }

cat >"$work/collectl.conf" <<EOF
# settings
DaemonCommands = -f $work/a -r00:00,7 -m -F60 -s+Z -i1:2
DaemonCommands = -i5:10
Bogus = 1
SubsysCore = cd
EOF

# What the settings say holds; what is typed beats it.
timeout 60 "$ours" -C "$work" -D -i 0.2:0.4 >"$work/out" 2>"$work/err" </dev/null || fail "starting: status $?: $(cat "$work/out" "$work/err")"
[ ! -s "$work/out" ] || fail "starting prints $(cat "$work/out")"
pid=$(cat "$work/run/collectl.pid")
[ "$(ps -o sid= -p "$pid" | tr -d ' ')" = "$pid" ] || fail "the daemon has no session of its own"
[ "$(readlink "/proc/$pid/fd/0" "/proc/$pid/fd/1" "/proc/$pid/fd/2" | sort -u)" = /dev/null ] || fail "the daemon keeps standard streams"
timeout 60 "$ours" -C "$work" -D >"$work/out" 2>&1 </dev/null
[ $? -eq 1 ] || fail "a second daemon is not refused"
grep -qx 'Error: a daemonized collectl already running' "$work/out" || fail "a second daemon: $(cat "$work/out")"
wait_for has_marks "$work/a" 4 || fail "the daemon records nothing"
kill -USR1 "$pid"
wait_for flushed "$work/a" || fail "USR1 is not told"
kill -TERM "$pid"
wait_for gone "$work/run/collectl.pid" || fail "the pid file is left behind"
sed 's/^[0-9]\{8\} [0-9:]\{8\} //; s/ on [^ ]*\.\.\.$/ on HOST.../; s/Waiting [0-9]*/Waiting N/; s/: [0-9]\{8\} 00:00:00$/: DAY/' "$work"/a/*-collectl-??????.log >"$work/log"
cat >"$work/expected" <<EOF
I-V4.3.1-1 Beginning execution on HOST...
I-First log rollover will be: DAY
I-Waiting N usecs for time alignment
F-Error: a daemonized collectl already running
I-Flushing buffers in response to signal USR1
W-Shutting down in response to signal TERM on HOST...
I-Terminating...
EOF
grep -v 'Waiting' "$work/expected" >"$work/expected.2" # it may begin on a multiple
grep -v 'Waiting' "$work/log" | cmp -s - "$work/expected.2" || fail "messages: $(grep -v Waiting "$work/log" | diff - "$work/expected.2" | sed -n 2p)"
zcat "$work"/a/*.raw.gz >"$work/raw"
grep -qx "# Host:       .*  DaemonOpts: -i5:10 -f $work/a -r00:00,7 -m -F60 -s+Z -i1:2" "$work/raw" || fail "$(grep DaemonOpts "$work/raw")"
grep -q "^# SubSys:     cdZ Options:  Interval: 0.2:0.4 " "$work/raw" || fail "$(grep '# SubSys' "$work/raw")"
first=$(sed -n 's/^>>> [0-9]*\.\(...\) <<<$/\1/p' "$work/raw" | head -n 1)
case $first in [02468]??) ;; *) fail "the first sample is at .$first of a second, not on a multiple of 0.4" ;; esac

# Another one beside it, with a name of its own; INT ends it, too.
"$perfolio" -D -C "$work/none" -f "$work/b" >"$work/out" 2>&1
[ $? -eq 2 ] || fail "settings that cannot be read: $(cat "$work/out")"
: >"$work/perfolio.conf"
"$perfolio" -D -C "$work" -f "$work/b" -sc -i0.2 --pname two -m >"$work/out" 2>&1 || fail "perfolio -D: $(cat "$work/out")"
"$perfolio" -D -C "$work" -f "$work/b" -sc -i0.2 >"$work/out" 2>&1 || fail "a second one: $(cat "$work/out")"
[ -s "$work/run/perfolio.pid" ] && [ -s "$work/run/perfolio-two.pid" ] || fail "pid files: $(ls "$work/run")"
two=$(cat "$work/run/perfolio-two.pid")
case $(ps -o args= -p "$two") in *perfolio-two*) ;; *) fail "the title is $(ps -o args= -p "$two")" ;; esac
"$perfolio" -D -C "$work" -f "$work/b" --pname two >"$work/out" 2>&1
[ $? -eq 1 ] && grep -q 'already running' "$work/out" || fail "a second one of that name: $(cat "$work/out")"
kill -INT "$two"
kill -HUP "$(cat "$work/run/perfolio.pid")"
wait_for gone "$work/run/perfolio-two.pid" || fail "INT does not end a daemon"
wait_for gone "$work/run/perfolio.pid" || fail "HUP does not end a daemon"
for f in "$work"/b/*.raw.gz; do
	gzip -t "$f" || fail "a daemon that was ended leaves a torn file"
done

# A daemon whose file was removed leaves that of the next one alone when it ends; a link is not followed.
"$perfolio" -D -C "$work" -f "$work/b/one" -sc -i0.2 >"$work/out" 2>&1 || fail "a first one: $(cat "$work/out")"
one=$(cat "$work/run/perfolio.pid")
rm "$work/run/perfolio.pid"
"$perfolio" -D -C "$work" -f "$work/b/two" -sc -i0.2 >"$work/out" 2>&1 || fail "a file that was removed: $(cat "$work/out")"
two=$(cat "$work/run/perfolio.pid")
kill "$one"
wait_for gone "/proc/$one" || fail "a daemon whose pid file was removed does not end"
[ "$(cat "$work/run/perfolio.pid")" = "$two" ] || fail "a daemon removes the pid file of another one"
kill "$two"
wait_for gone "$work/run/perfolio.pid" || fail "the second one leaves its pid file"
echo precious >"$work/precious"
ln -s "$work/precious" "$work/run/perfolio.pid"
"$perfolio" -D -C "$work" -f "$work/b" -sc -i0.2 >"$work/out" 2>&1
[ $? -eq 1 ] && grep -q 'symbolic link' "$work/out" || fail "a link in place of the pid file: status $?, $(cat "$work/out")"
[ "$(cat "$work/precious")" = precious ] || fail "a link in place of the pid file is followed"
rm "$work/run/perfolio.pid"

# What fails before all is open is the status of the program; no pid file is left.
"$perfolio" -D -C "$work" -f /nonexistent/a/b -sc >"$work/out" 2>&1
[ $? -eq 1 ] && [ -s "$work/out" ] || fail "a folder that cannot be made: status $?, $(cat "$work/out")"
[ -z "$(ls "$work/run")" ] || fail "a daemon that did not start leaves $(ls "$work/run")"
for wrong in "-D" "-D -f $work/b -p x.raw" "--runas root -c1"; do
	"$ours" -C "$work/perfolio.conf" $wrong >"$work/out" 2>&1 </dev/null
	[ $? -eq 1 ] && grep -q '^Error: ' "$work/out" || fail "$wrong is not refused: $(cat "$work/out")"
done

# A killed daemon does not keep the next one out; a file without a number neither.
echo junk >"$work/run/collectl.pid"
"$ours" -D -C "$work/perfolio.conf" -f "$work/b/k" -sc -i0.2 >"$work/out" 2>&1 || fail "junk in the pid file: $(cat "$work/out")"
kill -9 "$(cat "$work/run/collectl.pid")"
wait_for "$ours" -D -C "$work/perfolio.conf" -f "$work/b/k" -sc -i0.2 >"$work/out" 2>&1 || fail "after a kill: $(cat "$work/out")"
kill "$(cat "$work/run/collectl.pid")"
wait_for gone "$work/run/collectl.pid" || fail "the pid file is left behind after a kill"

# As somebody else.
if [ "$(id -u)" -eq 0 ] && id nobody >/dev/null 2>&1; then
	chmod 755 "$work"
	mkdir "$work/u"
	"$ours" -D -C "$work/perfolio.conf" -f "$work/u" -sc --runas nobody >"$work/out" 2>&1
	[ $? -eq 1 ] && grep -qx "Error: Ownership of '$work/u' doesn't match 'nobody'" "$work/out" || fail "--runas, folder of root: $(cat "$work/out")"
	"$ours" -D -C "$work/perfolio.conf" -f "$work/u" -sc --runas nosuchuser >"$work/out" 2>&1
	grep -qx "Error: can't find 'nosuchuser' in /etc/passwd.  Consider UID." "$work/out" || fail "--runas, nobody known: $(cat "$work/out")"
	chown nobody "$work/u"
	"$ours" -D -C "$work/perfolio.conf" -f "$work/u" -sc -i0.2 -m --umask 077 --runas nobody >"$work/out" 2>&1 || fail "--runas: $(cat "$work/out")"
	pid=$(cat "$work/run/collectl.pid")
	[ "$(sed -n 's/^Uid:\t//p' "/proc/$pid/status" | tr '\t' '\n' | sort -u)" = "$(id -u nobody)" ] || fail "--runas: $(grep ^Uid: "/proc/$pid/status")"
	for f in "$work"/u/*; do
		[ "$(stat -c '%U %a' "$f")" = "nobody 600" ] || fail "--runas, --umask: $(stat -c '%n %U %a' "$f")"
	done
	kill "$pid"
	wait_for emptied "$work/run/collectl.pid" || fail "--runas: the pid file keeps a number"
	wait_for grep -q 'I-Terminating' "$work"/u/*.log || fail "--runas: no last message"
fi

# The peer's refusals, texts and statuses beside ours: what is refused before anything starts.
if peer=$(command -v collectl); then
	for wrong in "-r 0:00 -f $work/b" "-r 24:00 -f $work/b" "-r 00:00" "-r 00:00,x -f $work/b" "-r 00:00,7:x -f $work/b" "-r 00:00,7,7 -f $work/b" \
		"-r 00:00,7,90 -f $work/b" "-r 10:00,7,60 -f $work/b" "-r 00:00 -f $work/b -c1" "-r 00:00 -f $work/b -R1s" "-F x -f $work/b" "-F 1.5 -f $work/b" \
		"-F 0 -p x.gz" "--utime 8 -f $work/b" "--utime 1 -c1" "--utime x -f $work/b" "--align -p x.gz" "--runas nobody -c1" "-V"; do
		"$peer" $wrong >"$work/peer.out" 2>/dev/null </dev/null
		peer_status=$?
		"$ours" $wrong >"$work/ours.out" 2>/dev/null </dev/null
		[ $? -eq $peer_status ] && cmp -s "$work/peer.out" "$work/ours.out" ||
			fail "$wrong: $(diff "$work/peer.out" "$work/ours.out" | grep '^[<>]' | head -n 2 | tr '\n' ' ')"
	done
fi
exit $bad

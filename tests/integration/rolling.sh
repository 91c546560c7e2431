#!/bin/sh
# rolling.sh BUILD - -r begins new files as collectl does: names, markers, headers, messages, what is removed; also on days with a clock
# change, behind a torn file, and when somebody sets the clock.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
peer=$(command -v collectl) || { echo "collectl is not installed"; exit 77; }
command -v faketime >/dev/null || { echo "faketime is not installed"; exit 77; }
preload=$(faketime -f +0 env | sed -n 's/^LD_PRELOAD=//p')
# Sanitizers want to be loaded first.
LD_PRELOAD=$preload "$perfolio" --version >/dev/null 2>&1 || { echo "the program does not run under faketime (sanitizers)"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/rolling.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C DONT_FAKE_MONOTONIC=1
bad=0

fail()
{
	echo "$*"
	bad=1
}

# wait_for SECONDS COMMAND... - until the command succeeds.
wait_for()
{
	tries=$(($1 * 10))
	shift
	while [ $tries -gt 0 ]; do
		"$@" && return 0
		tries=$((tries - 1))
		sleep 0.1
	done
	return 1
}

files()
{
	ls "$1" 2>/dev/null | grep -c 'raw.gz$'
}

has_files() { [ "$(files "$1")" -ge "$2" ]; }

# text FOLDER - all that can be unpacked; zcat itself ends at the first file that is not complete.
text()
{
	for f in "$1"/*.raw.gz; do
		zcat "$f" 2>/dev/null
	done
}

has_marks() { [ "$(text "$1" | grep -c '^>>>')" -ge "$2" ]; }

# at TIME COMMAND... - in the background, beginning at that time; its number is in $pid.
at()
{
	time=$1
	shift
	env LD_PRELOAD="$preload" FAKETIME="@$time" "$@" >/dev/null 2>"$work/err" </dev/null &
	pid=$!
}

stop()
{
	kill -TERM $1
	wait $1
}

# shape FOLDER - what can be compared: kinds of files, names of header fields, messages.
shape()
{
	for f in "$1"/*; do
		basename "$f" | sed 's/-[0-9]\{6\}\.raw/-TIME.raw/'
	done
	for f in "$1"/*.raw.gz; do
		zcat "$f" | sed -n -e 's/^\(# *[A-Za-z]*:\).*/\1/p' -e '/^####/p'
	done
	sed -e 's/^[0-9]* [0-9:]*/TIME/' "$1"/*.log
}

old="vm-20240501-000000.raw.gz vm-20240601.tab.gz other-20240501-000000.raw.gz vm-20240608-000000.raw.gz vm-collectl-202301.log vm-20240501-000000"
for who in peer ours; do
	mkdir "$work/$who"
	for name in $old; do
		: >"$work/$who/$name"
	done
done
at "2024-06-15 12:59:56" "$peer" -m -scdn -i1 -r00:00,7:12,1 -f "$work/peer"
peer_pid=$pid
at "2024-06-15 12:59:56" "$ours" -m -scdn -i1 -r00:00,7:12,1 -f "$work/ours"
wait_for 30 has_marks "$work/ours" 8 || fail "no seven samples"
wait_for 30 has_files "$work/peer" 3 || fail "collectl begins no new file"
stop $peer_pid
stop $pid || fail "a rolled recording ends with status $?"
for who in peer ours; do
	rm -f "$work/$who/vm-20240501-000000" "$work/$who/vm-20240608-000000.raw.gz" || fail "$who removed what is not old"
	shape "$work/$who" >"$work/$who.shape"
done
cmp -s "$work/peer.shape" "$work/ours.shape" || fail "a rolled recording: $(diff "$work/peer.shape" "$work/ours.shape" | grep '^[<>]' | head -n 3 | tr '\n' ' ')"
set -- "$work"/ours/*.raw.gz
[ $# -eq 2 ] || fail "$# files, not 2"
[ "$(zcat "$1" | grep '^>>>' | tail -n 1)" = "$(zcat "$2" | grep '^>>>' | head -n 1)" ] || fail "the last marker of a file is not the first one of the next"
case $2 in *-20240615-1300*) ;; *) fail "the second file is $2" ;; esac
"$peer" -p "$work/ours/*.raw.gz" -oT >"$work/by-peer" 2>&1
"$ours" -p "$work/ours/*.raw.gz" -oT >"$work/by-ours" 2>&1
cmp -s "$work/by-peer" "$work/by-ours" || fail "collectl plays rolled files otherwise: $(diff "$work/by-peer" "$work/by-ours" | sed -n 2p)"

# perfolio removes its own files only.
mkdir "$work/own"
host=$(uname -n | sed 's/\..*//')
: >"$work/own/$host-20240501-000000.raw.gz"
: >"$work/own/other-20240501-000000.raw.gz"
at "2024-06-15 12:00:00" "$perfolio" -sc -i0.1 -r00:00 -f "$work/own/"
wait_for 20 has_marks "$work/own" 2
stop $pid
[ -e "$work/own/other-20240501-000000.raw.gz" ] || fail "another host's file is removed"
[ ! -e "$work/own/$host-20240501-000000.raw.gz" ] || fail "an old file is left"

# The hour that comes twice: a file of its own for each, with its own offset.
mkdir "$work/twice"
export TZ=Europe/Berlin
at "2024-10-27 01:59:58" "$ours" -sc -i0.2 -r00:00,7,60 -f "$work/twice"
wait_for 20 has_files "$work/twice" 2 || fail "no new file at 02:00"
stop $pid
env LD_PRELOAD="$preload" FAKETIME_FMT=%s FAKETIME=@1729990798 "$ours" -sc -i0.2 -r00:00,7,60 -f "$work/twice" \
	>/dev/null 2>&1 </dev/null &
pid=$!
wait_for 20 has_files "$work/twice" 4 || fail "no new file when 02:00 comes again: $(ls "$work/twice")"
stop $pid
export TZ=UTC
offsets=$(for f in "$work"/twice/*-0200*.raw.gz; do zcat "$f" | sed -n 's/^# Date:.*TZ: //p'; done | tr '\n' ' ')
[ "$offsets" = "+0200 +0100 " ] || fail "files of the hour that comes twice have the offsets $offsets"

# Behind a torn file nothing is appended.
mkdir "$work/torn"
at "2024-06-15 12:00:00" "$ours" -sc -i0.1 -f "$work/torn"
wait_for 20 has_marks "$work/torn" 5
stop $pid
set -- "$work"/torn/*.raw.gz
head -c 700 "$1" >"$work/cut"
cp "$work/cut" "$1"
name=$(basename "$1" | sed 's/.*-\([0-9][0-9]\)\([0-9][0-9]\)\([0-9][0-9]\)\.raw\.gz/\1:\2:\3/')
at "2024-06-15 $name" "$ours" -sc -i0.1 -f "$work/torn"
wait_for 20 has_files "$work/torn" 2 || fail "behind a torn file: $(ls "$work/torn")"
stop $pid
cmp -s "$1" "$work/cut" || fail "a torn file is written to"

# Somebody sets the clock: forward over many boundaries, then back.
mkdir "$work/steps"
echo "+0" >"$work/offset"
env LD_PRELOAD="$preload" FAKETIME_TIMESTAMP_FILE="$work/offset" FAKETIME_NO_CACHE=1 \
	"$ours" -m -sc -i0.2 -r00:00,7,1 -f "$work/steps" >/dev/null 2>&1 </dev/null &
pid=$!
stepped() { [ "$(text "$work/steps" | grep -c '^### .* clock stepped by')" -ge "$1" ]; }
wait_for 20 has_marks "$work/steps" 5
n=$(files "$work/steps")
echo "+3d" >"$work/offset"
wait_for 20 stepped 1 || fail "a clock that is set forward leaves no mark"
sleep 1
[ "$(files "$work/steps")" -le $((n + 2)) ] || fail "a clock that is set forward makes $(($(files "$work/steps") - n)) files"
echo "+0" >"$work/offset"
wait_for 20 stepped 2 || fail "a clock that is set back leaves no mark"
sleep 1
[ "$(files "$work/steps")" -le $((n + 4)) ] || fail "a clock that is set back makes $(($(files "$work/steps") - n)) files"
stop $pid || fail "a recorder whose clock was set ends with status $?"
grep -q 'W-clock stepped by +259200' "$work"/steps/*.log || fail "the log does not tell of the step"

# The same in documents, live, and from what was recorded: an element for each step, rates by the clock that runs on.
echo "+0" >"$work/offset"
env LD_PRELOAD="$preload" FAKETIME_TIMESTAMP_FILE="$work/offset" FAKETIME_NO_CACHE=1 \
	"$ours" -sc -i0.2 --oformat jsonl --output "$work/step.jsonl" >/dev/null 2>&1 </dev/null &
pid=$!
lines() { [ -s "$work/step.jsonl" ] && [ "$(grep -c "$1" "$work/step.jsonl")" -ge "$2" ]; }
wait_for 20 lines '"metrics"' 3
echo "+3d" >"$work/offset"
wait_for 20 lines '"step"' 1 || fail "a clock that is set forward leaves no element in a document"
echo "+0" >"$work/offset"
wait_for 20 lines '"step"' 2 || fail "a clock that is set back leaves no element in a document"
stop $pid
grep -q '"step": {"by":259[0-9]*,"msg":"the clock was set forward by 259' "$work/step.jsonl" || fail "a step forward: $(grep '"step"' "$work/step.jsonl" | head -n 1)"
grep -q '"step": {"by":-259[0-9]*,"msg":"the clock was set back by 259' "$work/step.jsonl" || fail "a step back: $(grep '"step"' "$work/step.jsonl" | tail -n 1)"
grep -q '"gap"' "$work/step.jsonl" && fail "a clock that is set makes a gap"
set -- "$work"/steps/*.raw.gz
for f; do "$build/perfolio" -p "$f" -sc --oformat jsonl 2>/dev/null; done >"$work/step.jsonl"
grep -q '"step": {"by":259' "$work/step.jsonl" || fail "in playback a clock that was set leaves no element in a document"
python3 - "$work/step.jsonl" <<'END' || fail "in playback the time that a clock was set by is taken for time that passed"
import json, sys
for line in open(sys.argv[1]):
    assert json.loads(line).get("interval", 0) < 60e9, line
END
for f in "$work"/steps/*.raw.gz; do
	gzip -t "$f" || fail "$f is damaged"
	zcat "$f" | sed -n 's/^>>> \([0-9.]*\) <<<$/\1/p' | sort -n -c 2>/dev/null || fail "time goes back in $(basename "$f")"
	"$peer" -p "$f" -sc >/dev/null 2>"$work/err" || fail "collectl cannot play $(basename "$f")"
	[ ! -s "$work/err" ] || fail "collectl plays $(basename "$f"): $(head -n 1 "$work/err")"
done
exit $bad

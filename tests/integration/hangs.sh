#!/bin/sh
# hangs.sh BUILD - a source that does not answer, fails or goes away costs its own values and nothing else: other sources stay on time, the loss
# is told once and marked in documents, and sampling of it resumes.
set -u
build=$1
perfolio=$build/perfolio
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/hangs.XXXXXX") || exit 1
trap 'exec 8>&-; rm -rf "$work"' EXIT
bad=0
preload=$build/tests/integration/faulty.so
case $(ldd "$perfolio") in *libasan*) preload="$(gcc -print-file-name=libasan.so) $preload" ;; esac

fail()
{
	echo "$*"
	bad=1
}

# until_true COMMAND... - wait until the command succeeds, at most a minute.
until_true()
{
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] || return 1
		sleep 0.05
	done
}

# samples WHAT - how many samples of the document so far (whole lines) have the metric of memory (with) or lack it (without), after sample $since.
samples()
{
	jq -Rn --arg what "$1" --argjson since "$since" '[inputs | fromjson? | select(.metrics)] | .[$since:] |
		map(any(.metrics[]; .name == "mem.util.free")) | map(select(. == ($what == "with"))) | length' "$work/out"
}

at_least()
{
	[ "$(samples "$1")" -ge "$2" ]
}

all_samples()
{
	jq -Rn '[inputs | fromjson? | select(.metrics)] | length' "$work/out"
}

# A folder that stands for the host, with its own copies.
mkdir -p "$work/root/proc/sys/kernel" "$work/root/proc/net"
for f in stat loadavg meminfo vmstat diskstats net/dev sys/kernel/hostname; do
	cat /proc/$f >"$work/root/proc/$f"
done

# each FAULT NOTICE - a recorder to which this fault of /proc/meminfo happens while it runs, and then is over.
each()
{
	fault=$1 notice=$2
	: >"$work/control"
	since=0
	FAULTY=$work/control LD_PRELOAD=$preload "$perfolio" -scm -m -i 0.1 --oformat jsonl >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	until_true at_least with 3 || fail "$fault: no samples"
	echo "read /proc/meminfo $fault" >"$work/control"
	until_true at_least without 8 || fail "$fault: other sources do not go on"
	since=$(all_samples)
	: >"$work/control"
	until_true at_least with 15 || fail "$fault: sampling of the source does not resume"
	kill -INT $pid
	wait $pid || fail "$fault: the recorder ends with status $?"
	[ "$(grep -c "/proc/meminfo: $notice" "$work/err")" -eq 1 ] || fail "$fault: told $(grep -c . "$work/err") times: $(head -n 1 "$work/err")"
	[ "$(grep -c "/proc/meminfo: can be read again" "$work/err")" -eq 1 ] || fail "$fault: that it is back is not told once"
	jq -se '[.[] | select(.drop)] | length >= 8' "$work/out" >/dev/null || fail "$fault: not marked in the document"
	jq -se 'all(.[] | select(.metrics); any(.metrics[]; .name == "kernel.all.cpu.user"))' "$work/out" >/dev/null ||
		fail "$fault: samples lack the other source"
}

each "sleep 30" "no answer in time"
each "errno 5" "Input/output error"
each "errno 19" "No such device"

# A call that a signal reaches now and then, or that gives no more than the kernel's own files do at a time, costs nothing.
for fault in "eintr 3" "short 3000"; do
	echo "read /proc/ $fault" >"$work/control"
	FAULTY=$work/control LD_PRELOAD=$preload "$perfolio" -scm -i 0.01 -c 10 --oformat json >"$work/out" 2>"$work/err"
	[ $? -eq 0 ] && [ ! -s "$work/err" ] || fail "$fault: $(head -n 1 "$work/err")"
	jq -e '.perfolio.samples | map(select(has("gap") | not)) | length == 10 and all(.[]; .metrics and any(.metrics[]; .name == "mem.util.free"))' "$work/out" >/dev/null ||
		fail "$fault: something is missing"
	echo "write $work/out $fault" >"$work/control"
	FAULTY=$work/control LD_PRELOAD=$preload "$perfolio" -scm -i 0.01 -c 10 --oformat json >"$work/out" 2>"$work/err"
	[ $? -eq 0 ] && jq -e . "$work/out" >/dev/null || fail "$fault while writing: $(head -n 1 "$work/err")"
done

# The host is suspended for a minute: a gap, no step of the clock, no rates over it.
: >"$work/control"
since=0
FAULTY=$work/control LD_PRELOAD=$preload "$perfolio" -scm -i 0.1 --oformat jsonl >"$work/out" 2>"$work/err" </dev/null &
pid=$!
until_true at_least with 3 || fail "suspend: no samples"
echo "clock suspend slept 60" >"$work/control"
since=$(all_samples)
until_true at_least with 3 || fail "suspend: sampling does not resume"
kill -INT $pid
wait $pid || fail "suspend: the recorder ends with status $?"
! grep -q stepped "$work/err" || fail "suspend: $(cat "$work/err")"
[ "$(jq -c 'select(.gap and .gap.until - .gap.from > 50000000000)' "$work/out" | wc -l)" -eq 1 ] || fail "suspend: no gap"
[ "$(jq -c 'select(.interval and .interval > 50000000000)' "$work/out" | wc -l)" -eq 0 ] || fail "suspend: an interval is as long as the suspend"

# Where no signal helps, the time is lost once and not again.
echo "read /proc/meminfo stuck 1" >"$work/control"
FAULTY=$work/control LD_PRELOAD=$preload timeout 60 "$perfolio" -scm -i 0.1 -c 12 --oformat jsonl >"$work/out" 2>"$work/err" ||
	fail "a read that cannot be interrupted: status $?"
grep -q "/proc/meminfo: answers late" "$work/err" || fail "a read that cannot be interrupted is not told: $(head -n 1 "$work/err")"
jq -se '[.[] | select(.interval) | select(.interval > 900000000)] | length <= 1' "$work/out" >/dev/null ||
	fail "a read that cannot be interrupted delays more than one sample"

# A pipe in place of a source: nobody writes, then somebody does, then a file is there again.
rm "$work/root/proc/meminfo"
mkfifo "$work/root/proc/meminfo"
since=0
timeout 120 "$perfolio" --root "$work/root" -scm -i 0.1 --oformat jsonl >"$work/out" 2>"$work/err" </dev/null &
pid=$!
until_true at_least without 5 || fail "a pipe stops the other sources"
since=$(all_samples)
until_true sh -c "timeout 5 cat /proc/meminfo >'$work/root/proc/meminfo'" || fail "a pipe is not open for who writes"
until_true at_least with 1 || fail "what is written to a pipe is not sampled"
exec 8<>"$work/root/proc/meminfo" # a writer that says nothing
since=$(all_samples)
until_true at_least without 5 || fail "a pipe with a silent writer stops the other sources"
rm "$work/root/proc/meminfo"
cat /proc/meminfo >"$work/root/proc/meminfo"
since=$(all_samples)
until_true at_least with 5 || fail "a file in place of the pipe is not sampled"

# It is emptied and removed, as what stands for a device that goes; then it is back.
: >"$work/root/proc/meminfo"
rm "$work/root/proc/meminfo"
since=$(all_samples)
until_true at_least without 5 || fail "a file that has gone is still sampled"
cat /proc/meminfo >"$work/root/proc/meminfo"
since=$(all_samples)
until_true at_least with 5 || fail "a file that is back is not sampled"
kill -TERM $pid
wait $pid || fail "the recorder below a folder ends with status $?"

# Processes: a command line that hangs costs only itself.
sleep 987 &
sleeper=$!
echo "read /proc/$sleeper/cmdline sleep 30" >"$work/control"
FAULTY=$work/control LD_PRELOAD=$preload timeout 100 "$perfolio" -sZ -i 0.1:0.1 -c 8 --oformat jsonl >"$work/out" 2>"$work/err" ||
	fail "a command line that hangs: status $?"
grep -q "/proc/$sleeper/cmdline: no answer" "$work/err" || fail "a command line that hangs is not told: $(head -n 1 "$work/err")"
jq -se --arg pid "$sleeper" '[.[] | select(.metrics) | any(.metrics[] | select(.name == "proc.psinfo.pid") | .instances[]; .value == ($pid | tonumber))] | all' \
	"$work/out" >/dev/null || fail "a process whose command line hangs is not shown"
kill $sleeper
exit $bad

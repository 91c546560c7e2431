#!/bin/sh
# manyprocs.sh BUILD - a thousand processes take at most 10 MB in every view, threads cost about what processes do, and neither they nor
# --top allocate in the steady state. In a /proc of its own, where nobody else's processes come and go.
set -u
if [ -z "${ALONE-}" ]; then
	own="unshare --mount --pid --fork --kill-child --mount-proc"
	$own true 2>/dev/null || own="unshare --user --map-root-user --mount --pid --fork --kill-child --mount-proc"
	$own true 2>/dev/null || { echo "no /proc of its own can be had here"; exit 77; }
	ALONE=1 exec $own sh "$0" "$@"
fi
build=$1
here=$(cd "$(dirname "$0")" && pwd)
perfolio=$build/perfolio
work=$(mktemp -d "${TMPDIR:-/tmp}/manyprocs.XXXXXX") || exit 1
sleepers=
trap '[ -z "$sleepers" ] || kill $sleepers 2>/dev/null; rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# start PROCESSES THREADS
start()
{
	rm -f "$work/ready"
	python3 "$here/sleepers.py" "$1" "$2" "$work/ready" &
	sleepers=$!
	tries=0
	until [ -e "$work/ready" ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 600 ] && kill -0 $sleepers 2>/dev/null || { echo "$1 processes of $2 threads cannot be started here"; exit 77; }
		sleep 0.1
	done
}

stop()
{
	kill $sleepers
	wait $sleepers 2>/dev/null
	sleepers=
	tries=0
	until [ "$(ls -d /proc/[0-9]* | wc -l)" -lt 40 ] || [ "$tries" -ge 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}

# cost ARGUMENT... - what perfolio took: KB of memory at most, milliseconds of CPU.
cost()
{
	python3 - "$perfolio" "$@" <<'EOF'
import os, re, resource, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
peak = 0
while p.poll() is None:
    with open("/proc/%d/status" % p.pid) as f:
        text = f.read()
    peak = max([peak] + [int(kb) for kb in re.findall(r"VmHWM:\s*(\d+)", text) if "\tperfolio" in text])
    time.sleep(0.02)
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print(peak if p.returncode == 0 else 1 << 30, int((u.ru_utime + u.ru_stime) * 1000))
EOF
}

# allocations ARGUMENT...
allocations()
{
	rm -f "$work/count"
	ALLOCS_COUNT=$work/count LD_PRELOAD=$build/tests/integration/allocs.so "$perfolio" -i0 "$@" >/dev/null 2>"$work/err" ||
		fail "perfolio $* fails: $(head -n 1 "$work/err")"
	awk '{ sum += $1 } END { print sum + 0 }' "$work/count"
}

# Nothing is allocated once some samples were taken.
start 20 5
for arguments in "--top time,10" "--top time,10 -scm" "--top totsize,10" "-sZ" "-sZ --procopts t" "-sZ --procopts t --oformat json"; do
	few=$(allocations $arguments -c20)
	many=$(allocations $arguments -c320)
	[ "$few" -gt 0 ] || fail "$arguments: nothing was counted, so the counter does not work"
	[ "$many" -le $((few + 5)) ] || fail "$arguments: $((many - few)) allocations in 300 samples of the steady state, expected none"
done
stop

start 1000 1
mkdir "$work/recorded"
for arguments in "-sZ" "-sZ --oformat json" "--top time,10" "-sZ --procopts m" "-sZ -P" "-sZ -f $work/recorded/"; do
	set -- $(cost $arguments -i0.2:0.2 -c4)
	[ "$1" -gt 0 ] || fail "$arguments: its memory was not seen"
	[ "$1" -le 10240 ] || fail "$arguments with 1,000 processes: $1 KB, at most 10,240 expected"
done

# As many instances once as processes, once as threads; what is not linear would be many times as much.
set -- $(cost -sZ --procopts t -i0 -c20)
processes=$2
stop
start 50 20
set -- $(cost -sZ --procopts t -i0 -c20)
threads=$2
stop
start 200 20
set -- $(cost -sZ --procopts t -i0 -c20)
stop
[ "$threads" -le $((processes * 2)) ] || fail "1,000 threads cost $threads ms, as many processes $processes ms"
[ "$2" -le $((threads * 8)) ] || fail "four times as many threads cost $2 ms, not about four times $threads ms"
[ -z "${MEASURE-}" ] || echo "20 samples: 1,000 processes $processes ms, 50 x 20 threads $threads ms, 200 x 20 threads $2 ms"
exit $bad

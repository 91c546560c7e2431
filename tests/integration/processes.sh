#!/bin/sh
# processes.sh BUILD - processes and slabs: hostile names, intervals, --tworaw, filters, and files that go both ways with the real collectl.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
work=$(mktemp -d "${TMPDIR:-/tmp}/processes.XXXXXX") || exit 1
pids=
trap '[ -z "$pids" ] || kill $pids 2>/dev/null; rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
bad=0

fail()
{
	echo "$*"
	bad=1
}

# Processes that write their own names, through /proc/self/comm, and command lines.
hostile=$(printf 'a\033[2J\377"\\)b')
python3 - "$hostile" <<'EOF' &
import os, sys, time
name = os.fsencode(sys.argv[1])
with open("/proc/self/comm", "wb") as f:
    f.write(name[:15])
time.sleep(60)
EOF
pids="$pids $!"
sh -c 'while :; do sleep 1; done' "line
two$(printf '\033]0;x\007')" &
pids="$pids $!"
chosen=$(echo $pids | tr ' ' '\n' | sed 's/^/p/' | paste -sd, -)

tries=0
until grep -q '^a' "/proc/${pids%% *}/comm" 2>/dev/null || [ "$tries" -ge 100 ]; do
	tries=$((tries + 1))
	set -- $pids
	grep -q '^a' "/proc/$1/comm" && break
	sleep 0.05
done

for arguments in "-sZ" "-sZ --procopts w" "-sZ -P" "-sZ --procopts iw"; do
	"$perfolio" $arguments -i0.2 -c2 --procfilt "$chosen" >"$work/out" 2>"$work/err" || fail "$arguments fails: $(head -n 1 "$work/err")"
	[ "$(tr -d '\n' <"$work/out" | LC_ALL=C tr -d '\040-\176\200-\377' | wc -c)" -eq 0 ] || fail "$arguments: bytes that a terminal obeys reach it"
	for pid in $pids; do
		n=$(grep -cw "$pid" "$work/out")
		[ "$n" -ge 2 ] || fail "$arguments: process $pid has $n rows in 2 intervals"
	done
done
"$perfolio" -sZ -i0.2 -c2 --oformat json >"$work/json" 2>/dev/null
python3 - "$work/json" <<'EOF' || fail "json with hostile names is not strict or lacks processes"
import json, sys
with open(sys.argv[1], "rb") as f:
    document = json.loads(f.read().decode("utf-8"))
names = set()
def walk(x):
    if isinstance(x, dict):
        if "semantics" in x:
            names.add(x["name"])
        x = list(x.values())
    if isinstance(x, list):
        for y in x:
            walk(y)
walk(document)
sys.exit(not {"proc.psinfo.utime", "proc.memory.vmrss", "proc.psinfo.cmd"} <= names)
EOF

# The second interval: every third sample has processes.
"$perfolio" -scZ -i0.1:0.3 -c9 -f "$work/" --procfilt "$chosen" || fail "recording fails"
file=$(ls "$work"/*.raw.gz)
[ "$(zcat "$file" | grep -c '^proc:[0-9]* stat ')" -eq 8 ] || fail "not 4 samples of 2 processes in 10 samples, every third"
zcat "$file" | grep -a '^proc:' | grep -qav '^proc:[0-9]* ' && fail "a name or command line broke a line of the raw file"
"$perfolio" replay "$file" -sZ >"$work/out"
[ "$(grep -c '^### RECORD' "$work/out")" -eq 3 ] || fail "not 3 intervals of processes in the replay"

# Who waits for processes is told how long.
told()
{
	want=$1
	shift
	"$perfolio" "$@" --procfilt p1 2>&1 >/dev/null </dev/null | grep -qF "$want" || fail "perfolio $*: does not say '$want'"
}
told "nothing of processes will be shown: the run ends after 2 of the 3 intervals" -sZ -i0.1:0.3 -c2
told "nothing of processes and slabs will be shown" -scyZ -i0.1:6 -c3
told "the first processes and slabs are shown in 60 seconds" -sYZ -i60 -R1s
"$perfolio" -sZ -i0.1 -c1 --procfilt p1 2>&1 >/dev/null | grep -q . && fail "perfolio -sZ -i0.1 -c1 has something to say"
"$perfolio" -sZ -i0.1 -c1 --procfilt p1 2>/dev/null | grep -q '^ *1 ' || fail "perfolio -sZ -c1 shows no process"
"$perfolio" -sZ -i1:3 --procopts q -c1 2>/dev/null && fail "an unknown process option is taken"
"$perfolio" -sc -i1:2 -c1 2>/dev/null && fail "a second interval is taken without processes and slabs"

# --tworaw, and the real collectl beside us, which prints hostile names as they are.
kill $pids
wait $pids 2>/dev/null
sleep 60 &
pids=$!
sh -c 'while :; do i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done; sleep 0.05; done' busy &
pids="$pids $!"
chosen=$(echo $pids | tr ' ' '\n' | sed 's/^/p/' | paste -sd, -)
mkdir "$work/two"
"$ours" -scmyYZ -i0.2:0.4 -c6 --tworaw --procfilt "$chosen" -f "$work/two/" >"$work/err" 2>&1 || fail "--tworaw fails: $(head -n 1 "$work/err")"
[ "$(ls "$work"/two/*.raw.gz "$work"/two/*.rawp.gz | wc -l)" -eq 2 ] || fail "--tworaw did not make two files"
peer=$(command -v collectl) || { echo "collectl is not installed"; [ $bad -eq 0 ] && exit 77; exit 1; }
same()
{
	what=$1 files=$2
	shift 2
	"$peer" -p "$files" "$@" >"$work/peer" 2>/dev/null </dev/null
	"$ours" -p "$files" "$@" >"$work/ours" 2>"$work/err" </dev/null || fail "$what $*: status $?: $(head -n 1 "$work/err")"
	cmp -s "$work/peer" "$work/ours" ||
		fail "$what $*: $(diff "$work/peer" "$work/ours" | sed -n '2p') (collectl's) is not $(diff "$work/peer" "$work/ours" | grep '^>' | head -n 1) (ours)"
}
for arguments in "" "-sZ" "-sZ --procopts x" "-sZ --procopts m" "-sZ --procopts i -oT" "-sZ --procopts wckf" "-sZ -on" "-sY --slabopts S" "-sy"; do
	same "both files" "$work/two/*" $arguments
done
same "processes" "$(ls "$work"/two/*.rawp.gz)" -sZ -P
mkdir "$work/theirs"
"$peer" -scyYZ -i1:1 -c2 --procfilt "$chosen" -f "$work/theirs/" >/dev/null 2>&1 </dev/null
for arguments in "" "-sZ --procopts Sw" "-sZ -P" "-sY"; do
	same "collectl's file" "$(ls "$work"/theirs/*.raw.gz)" $arguments
done

exit $bad

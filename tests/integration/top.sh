#!/bin/sh
# top.sh BUILD - --top in recordings and on terminals, --home, keys, threads, beside the real collectl.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
perfolio=$build/perfolio
ours=$build/compat/collectl
raw=$here/../golden/collectl/raw
work=$(mktemp -d "${TMPDIR:-/tmp}/top.XXXXXX") || exit 1
pid=
trap '[ -z "$pid" ] || kill $pid 2>/dev/null; rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
bad=0

fail()
{
	echo "$*"
	bad=1
}

peer=
[ ! -x /usr/bin/collectl ] || peer=/usr/bin/collectl

same()
{
	[ -n "$peer" ] || return 0
	"$peer" "$@" >"$work/theirs" 2>/dev/null
	"$ours" "$@" >"$work/ours" 2>/dev/null
	cmp -s "$work/theirs" "$work/ours" || fail "collectl $*: other output: $(diff "$work/theirs" "$work/ours" | head -n 3)"
}

procs=$raw/procs-vm-20261130-035633.raw.gz
slabs=$raw/slabs-vm-20261130-035737.raw.gz
for type in vsz accum wkb rkbc iokbc ioall iosys majf flt nctx cpu pid thread; do
	same -p "$procs" --top $type,6
done
for type in actobj objslab totchg totpct name; do
	same -p "$slabs" --top $type,30
done
same -p "$procs" --top
same -p "$procs" --top time,4 -scm -om --procopts xs
same -p "$procs" --top ,2 --procopts m

# What is refused, in whose words.
refused()
{
	text=$1
	shift
	"$ours" "$@" >"$work/out" 2>&1 && fail "collectl $*: not refused"
	grep -qxF "Error: $text" "$work/out" || fail "collectl $*: says '$(head -n 1 "$work/out")', not '$text'"
}
refused "invalid --top type.  see --showtopopts for list" --top foo
refused "you cannot specify -f with --top" --top time,3 -f "$work/x"
refused "not enough lines in window for display" --top time,0
refused "only valid value for 3rd --top parameter is 'v'" --top time,3,q
refused "cannot specify vertical --top output and -s" --top time,3,v -sc
refused "you cannot select process and slab subsystems in --top mode" --top time -sY
refused "you cannot select process and slab subsystems in --top mode" --top totsize -sZ
refused "you cannot mix --slabopts with --top" --top totsize --slabopts s
refused "--procopts z can only be used with --top" --procopts z -scm
refused "pid  not numeric in --procfilt" -sZ --procfilt p
refused "pid 1+ not numeric in --procfilt" -sZ --procfilt p1+
refused "invalid task selection in --procfilt: q1" -sZ --procfilt q1
"$ours" -sc --procfilt q1 -i.1 -c1 >/dev/null 2>&1 || fail "collectl looks at --procfilt without processes"
for letters in sS Ssw; do
	same -p "$procs" -sZ --procopts $letters
done
same -p "$procs" -sZ --procfilt ""
same -p "$slabs" -sY --slabfilt ""
refused "--home does not apply to -p" -p "$procs" --top --home

# Threads, with names that are controls: live, recorded by each, played by both.
python3 - <<'EOF' &
import threading, time
def work(i):
    with open("/proc/thread-self/comm", "wb") as f:
        f.write(b"t\033]0;\377\x9b\"%d\\)" % i)
    while True:
        time.sleep(0.05)
for i in range(3):
    threading.Thread(target=work, args=(i,), daemon=True).start()
time.sleep(120)
EOF
pid=$!
tries=0
until [ "$(cat /proc/$pid/task/*/comm 2>/dev/null | grep -ac '^t')" -ge 3 ] || [ "$tries" -ge 200 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
for arguments in "--procfilt p+$pid" "--procfilt p$pid --procopts t"; do
	"$perfolio" -sZ -i0.2 -c2 $arguments >"$work/out" 2>"$work/err" || fail "$arguments fails: $(head -n 1 "$work/err")"
	[ "$(grep -c "^ *[0-9]*+ .* $pid " "$work/out")" -eq 6 ] || fail "$arguments: $(grep -c '^ *[0-9]*+ ' "$work/out") rows of threads in 2 intervals, not 6"
	[ "$(tr -d '\n' <"$work/out" | tr -d '\040-\176' | wc -c)" -eq 0 ] || fail "$arguments: bytes that a terminal obeys reach it"
done
"$perfolio" -sZ -i0.2 -c2 --procfilt "p$pid" >"$work/out" 2>/dev/null
grep -q '^ *[0-9]*+ ' "$work/out" && fail "threads that nobody asked for"
"$perfolio" -sZ -i0.2 -c2 --procfilt "p+$pid" --oformat json >"$work/json" 2>/dev/null
python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$work/json" 2>"$work/err" || fail "json with threads is not strict: $(tail -n 1 "$work/err")"
"$perfolio" -sZ -i0.2 -c2 --procfilt "p+$pid" --oformat xml >"$work/xml" 2>/dev/null
xmllint --noout "$work/xml" 2>"$work/err" || fail "xml with threads does not parse: $(head -n 1 "$work/err")"
"$perfolio" --top time,9 -i0.2 -c2 --procfilt "p+$pid" >"$work/out" 2>/dev/null
[ "$(grep -c '^ *[0-9]*+ ' "$work/out")" -eq 6 ] || fail "--top into a file: no threads"
grep -q "$(printf '\033')" "$work/out" && fail "--top into a file sends controls of a terminal"

for program in $ours $peer; do
	"$program" -sZ -i1:1 -c2 --procfilt "p+$pid" --procopts t -f "$work/$(basename "$(dirname "$program")")" >/dev/null 2>&1
done
for file in "$work"/*.raw.gz; do
	[ "$(zcat "$file" | grep -ac '^procT:[0-9]* stat ')" -ge 6 ] || fail "$(basename "$file"): threads are missing"
	[ -n "$peer" ] || continue
	# The original prints the controls in names, so those are made alike before.
	for arguments in "-sZ --procopts x" "-sZ --procopts m" "-sZ -P" "--top pid"; do
		"$peer" -p "$file" $arguments 2>/dev/null | sed 's/t\x1b].*//' >"$work/theirs"
		"$ours" -p "$file" $arguments 2>/dev/null | sed 's/t\\x1b].*//' >"$work/ours"
		cmp -s "$work/theirs" "$work/ours" || fail "threads of $(basename "$file"), $arguments: other output: $(diff "$work/theirs" "$work/ours" | head -n 3)"
	done
done

python3 "$here/top.py" "$build" $peer || bad=1
exit $bad

#!/bin/sh
# maketree.sh BUILD - tools/make-tree: a live host as folders without its names, which perfolio reads like the host; play-tree steps through them.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
for tool in python3 jq; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/maketree.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# A process whose name and arguments must not be seen, twice.
cp "$(command -v sleep)" "$work/quagga-beast"
"$work/quagga-beast" 987 &
one=$!
"$work/quagga-beast" 987 &
two=$!
"$top/tools/make-tree" -n 3 -i 0.2 --perfolio "$perfolio" "$work/tree" >"$work/out" 2>&1 || fail "make-tree ends with $?: $(tail -n 1 "$work/out")"
kill $one $two
[ "$(ls "$work/tree" | tr '\n' ' ')" = "0 1 2 " ] || fail "there are not three steps: $(ls "$work/tree")"
host=$(cat /proc/sys/kernel/hostname)
for secret in quagga-beast "$work"; do
	grep -rlaF -e "$secret" "$work/tree" >"$work/found" && fail "'$secret' is in $(head -n 1 "$work/found")"
done
grep -qaF 987 "$work/tree/0/proc/$one/cmdline" && fail "an argument is kept"
grep -qF -- "$host" "$work/tree/0/proc/sys/kernel/hostname" && fail "the name of the host is in it"
[ "$(sed 's/^[0-9]* (\(.*\)) .*/\1/' "$work/tree/0/proc/$one/stat")" = "$(sed 's/^[0-9]* (\(.*\)) .*/\1/' "$work/tree/2/proc/$two/stat")" ] ||
	fail "the same name is not the same in all files"
[ "$(sed 's/^Name:.//;q' "$work/tree/0/proc/$one/status")" = "$(sed 's/^[0-9]* (\(.*\)) .*/\1/' "$work/tree/0/proc/$one/stat")" ] ||
	fail "a process has two names"
[ "$(tr -cd '\0' <"$work/tree/0/proc/$one/cmdline" | wc -c)" -eq 2 ] || fail "a command line has another number of words"
grep -q '^ctxt [0-9]' "$work/tree/0/proc/stat" || fail "numbers are not kept"

# It is read like a host; each step has its numbers.
"$top/tests/tools/play-tree" "$work/tree" 0 "$work/live" || fail "play-tree fails"
mkfifo "$work/pipe"
"$perfolio" --root "$work/live" -scdnmZ -i 0.1:0.1 -c 60 --oformat jsonl >"$work/pipe" 2>"$work/err" </dev/null &
pid=$!
(
	step=0
	while read -r line; do
		value=$(printf '%s' "$line" | jq '.metrics // [] | map(select(.name == "kernel.all.pswitch")) | .[0].value // 0')
		[ "$value" != 0 ] || continue
		echo "$value" >>"$work/values"
		wanted=$(sed -n 's/^ctxt //p' "$work/tree/$step/proc/stat")
		if [ "$value" = "$wanted" ]; then
			step=$((step + 1))
			[ $step -le 2 ] || break
			"$top/tests/tools/play-tree" "$work/tree" $step "$work/live"
		fi
	done
	echo $step >"$work/steps"
) <"$work/pipe"
wait $pid
[ "$(cat "$work/steps")" -eq 3 ] || fail "only $(cat "$work/steps") of 3 steps are seen: $(sort -u "$work/values" | tr '\n' ' ')"
[ ! -s "$work/err" ] || fail "reading the tree says $(head -n 1 "$work/err")"

# Devices, too, and a tree of a tree.
"$top/tools/make-tree" -n 1 --devices --root "$top/tests/fixtures/linux-6.18" --perfolio "$perfolio" "$work/devices" >"$work/out" 2>&1 ||
	fail "make-tree --devices ends with $?: $(tail -n 1 "$work/out")"
[ "$(awk '{ print NF }' "$work/devices/0/proc/diskstats" | sort -u)" = "$(awk '{ print NF }' "$top/tests/fixtures/linux-6.18/proc/diskstats" | sort -u)" ] ||
	fail "lines of disks have another form"
grep -q 'virtio3' "$work/devices/0/proc/interrupts" && fail "names of devices are in the interrupts"
"$perfolio" --root "$work/devices/0" -scdnmbij -i0 -c 2 >"$work/out" 2>"$work/err" || fail "the tree of a tree cannot be read: $(head -n 1 "$work/err")"
"$top/tools/make-tree" --perfolio "$perfolio" "$work/tree" >"$work/out" 2>&1 && fail "a folder that is there is written over"
exit $bad

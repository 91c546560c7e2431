#!/bin/bash
# --from in archives: entered by the index, with the same output as if everything before had been read; a wrong index costs nothing but time.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
raw=$(find "$top/tests/golden/collectl/raw" -name 'all-*.raw.gz' | head -n 1)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# Forty minutes: the same thirteen seconds again and again.
zcat "$raw" | awk '/^#/ { print; next } { line[++n] = $0 } END { for (k = 0; k < 200; k++) for (i = 1; i <= n; i++)
	if (line[i] ~ /^>>> /) { split(line[i], w, " "); printf ">>> %.3f <<<\n", w[2] + 13 * k } else print line[i] }' >"$tmp/long-20261130-035618.raw"
"$perfolio" convert --no-compress --metrics 'kernel.all.cpu,disk.dev,hinv' "$tmp/long-20261130-035618.raw" "$tmp/long" 2>"$tmp/err" || fail "convert: $(cat "$tmp/err")"
"$perfolio" convert --metrics 'kernel.all.cpu,disk.dev,hinv' --volume 700 "$tmp/long-20261130-035618.raw" "$tmp/parts" 2>"$tmp/err" || fail "convert: $(cat "$tmp/err")"
[ "$(stat -c %s "$tmp/long.index")" -gt 1000 ] || fail "the index is too short to be of use"

# reads COMMAND... - what it reads by pread(2), to $tmp/trace
reads() { strace -f --seccomp-bpf -e trace=pread64 -e status=successful -o "$tmp/trace" "$@" >"$tmp/out" 2>/dev/null; }
"$perfolio" replay -scd -P "$tmp/long" >"$tmp/all" 2>/dev/null
for from in 03:56:25 04:05 04:17:31 04:38:00 04:39:20 05:30; do
	for archive in long parts; do
		"$perfolio" replay -scd -P --from $from "$tmp/$archive" >"$tmp/out" 2>"$tmp/err"
		grep '^2026' "$tmp/all" | awk -v from="${from}:00" '{ if ($2 >= substr(from, 1, 8)) print }' >"$tmp/a"
		grep '^2026' "$tmp/out" >"$tmp/b"
		cmp -s "$tmp/a" "$tmp/b" || fail "$archive from $from: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
	done
done
if ! command -v strace >/dev/null; then
	echo "no strace: whether the index is used was not looked at"
else
	reads "$perfolio" replay -sc --from 04:39 "$tmp/long"
	n=$(awk -F'= ' '/pread64\(/ { n += $NF } END { print n + 0 }' "$tmp/trace")
	size=$(stat -c %s "$tmp/long.0")
	[ "$n" -lt $((size / 2)) ] || fail "--from reads $n bytes of a volume of $size"
fi

# An index that lies: entries that point somewhere else.
python3 - "$tmp/long.index" <<'P'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
for at in range(808 + 32, len(b) - 31, 32):
    b[at + 31] ^= 4
open(sys.argv[1], "wb").write(b)
P
"$perfolio" replay -scd -P --from 04:38:00 "$tmp/long" 2>/dev/null | grep '^2026' >"$tmp/b"
grep '^2026' "$tmp/all" | awk '{ if ($2 >= "04:38:00") print }' >"$tmp/a"
cmp -s "$tmp/a" "$tmp/b" || fail "an index that lies changes what is shown: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
exit $failed

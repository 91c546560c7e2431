#!/bin/sh
# damage.sh BUILD - recordings of ours with a cut or a flipped bit: every interval before and behind the damage is shown, and the loss is told.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/damage.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

"$perfolio" -scdnm -i 0 -c 200 -f "$work/x" || fail "recording fails"
file=$(ls "$work"/x-*.raw.gz)
name=$(basename "$file")
"$perfolio" replay "$file" -oTm >"$work/whole" || fail "the whole file fails"
all=$(grep -vc '^#' "$work/whole")
[ "$all" -eq 200 ] || fail "$all intervals instead of 200"

mkdir "$work/d"
for part in 20 50 80; do
	# A bit that matters (not one of the padding between blocks) about there; how many intervals its member holds.
	held=$(python3 - "$file" "$work/d/$name" $part <<'END'
import gzip
import sys
import zlib

data = open(sys.argv[1], "rb").read()
want = len(data) * int(sys.argv[3]) // 100
begin = 0
while True:
    member = zlib.decompressobj(31)
    text = member.decompress(data[begin:])
    end = len(data) - len(member.unused_data)
    if end > want or end == len(data):
        break
    begin = end
for at in list(range(want, end)) + list(range(begin + 20, want)):
    bad = bytearray(data)
    bad[at] ^= 0x10
    try:
        gzip.decompress(bytes(bad[begin:end]))
    except (OSError, EOFError, zlib.error):
        break
open(sys.argv[2], "wb").write(bad)
print(text.count(b">>> "))
END
	)
	"$perfolio" replay "$work/d/$name" -oTm >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq 3 ] || fail "a flipped bit at $part %: status $status instead of 3"
	[ "$(wc -l <"$work/err")" -ge 1 ] && grep -q "$name: bytes" "$work/err" || fail "a flipped bit at $part %: not told by bytes"
	grep -q 'between [0-9:]* and [0-9:]*' "$work/err" || fail "a flipped bit at $part %: not told by times"
	shown=$(grep -vc '^#' "$work/out")
	[ "$shown" -ge $((198 - held)) ] || fail "a flipped bit at $part %: only $shown of 200 intervals are shown, the damaged member held $held: $(cat "$work/err")"
	grep -v '^#' "$work/out" | while read -r line; do
		grep -qF -- "$line" "$work/whole" || echo "$line"
	done >"$work/wrong"
	[ "$(wc -l <"$work/wrong")" -le $((held + 1)) ] || fail "a flipped bit at $part %: $(wc -l <"$work/wrong") lines that the whole file does not have"
	"$ours" -p "$work/d/$name" >/dev/null 2>"$work/err" || fail "collectl and a flipped bit: status $?"
	grep -q 'bytes' "$work/err" || fail "collectl and a flipped bit: nothing told"
done

# Members one after the other, the last one cut: appended recordings.
cat "$file" "$file" >"$work/d/$name"
"$perfolio" replay "$work/d/$name" >"$work/out" 2>"$work/err" || fail "two recordings in one file: status $?: $(head -n 1 "$work/err")"

# Nothing behind the header.
zcat "$file" | grep '^#' | gzip >"$work/d/$name"
"$perfolio" replay "$work/d/$name" >"$work/out" 2>"$work/err"
[ ! -s "$work/out" ] || fail "a file of a header only shows $(head -n 1 "$work/out")"
grep -q 'nothing to show' "$work/err" || fail "a file of a header only: nothing told"

# A marker that is none.
zcat "$file" | sed '0,/^>>> [0-9.]* <<<$/s//>>> x <<</' | gzip >"$work/d/$name"
"$perfolio" replay "$work/d/$name" >"$work/out" 2>"$work/err"
grep -q 'invalid time marker' "$work/err" || fail "a bad marker is not told"
[ "$(grep -vc '^#' "$work/out")" -ge 198 ] || fail "a bad marker costs more than its interval"
exit $bad

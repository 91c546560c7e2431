#!/bin/bash
# Compressed archives: the same values as plain ones, however they were compressed; damage costs what was damaged and is named.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
golden=$top/tests/golden/pcp
name=f-v2-volumes
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
for tool in xz gzip zstd bzip2; do
	command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done

# copy FOLDER: the archive, to be spoiled there
copy() { rm -rf "${tmp:?}/$1"; mkdir "$tmp/$1"; cp "$golden/$name".[0-9] "$golden/$name".meta "$golden/$name".index "$tmp/$1"; }
# play FOLDER: values to $tmp/out, messages to $tmp/err
play() { "$perfolio" replay --oformat jsonl "$tmp/$1/$name" >"$tmp/out" 2>"$tmp/err"; }

copy plain
play plain || fail "plain: status $? $(cat "$tmp/err")"
mv "$tmp/out" "$tmp/expected"
pack() {
	local what=$1
	shift
	copy "$what"
	"$@" "$tmp/$what/$name".[012] "$tmp/$what/$name.meta" || fail "$what: the tool failed"
	[ ! -e "$tmp/$what/$name.0" ] || fail "$what: nothing was compressed"
	play "$what" || fail "$what: status $? $(cat "$tmp/err")"
	cmp -s "$tmp/out" "$tmp/expected" || fail "$what: other values than plain"
}
pack xz xz
pack blocks xz --block-size=600
pack many-streams sh -c 'for f; do head -c 500 "$f" >"$f.a"; tail -c +501 "$f" >"$f.b"; xz "$f.a" "$f.b"; cat "$f.a.xz" "$f.b.xz" >"$f.xz"; rm "$f" "$f".[ab].xz; done' sh
pack lzma sh -c 'for f; do xz --format=lzma "$f"; done' sh
pack gz gzip
pack members sh -c 'for f; do { head -c 500 "$f" | gzip; tail -c +501 "$f" | gzip; } >"$f.gz"; rm "$f"; done' sh
pack zst zstd -q --rm
pack frames sh -c 'for f; do { head -c 500 "$f" | zstd; tail -c +501 "$f" | zstd; } >"$f.zst"; rm "$f"; done' sh
[ -z "$(find "$tmp" -newer "$tmp/out" -name '*.tmp')" ] || fail "a temporary file is left"
"$perfolio" replay --oformat jsonl "$tmp/xz/$name.1.xz" | cmp -s - "$tmp/expected" || fail "BASE.1.xz does not name the archive"

copy bz2
bzip2 "$tmp/bz2/$name.0"
play bz2 && fail "bz2: complete"
grep -q "$name.0.bz2 is compressed in a way that is not read here; unpack it first (bunzip2 " "$tmp/err" || fail "bz2: $(cat "$tmp/err")"

# A volume cut off at many places: what is whole in front is there, the loss is told, and the volumes behind are whole.
records() { grep -c '"metrics"' "$1"; }
whole=$(records "$tmp/expected")
behind=$(tail -n 2 "$tmp/expected" | head -n 1)
for kind in xz gz zst; do
	size=$(stat -c %s "$tmp/$kind/$name.1.$kind")
	mkdir -p "$tmp/cut"
	for at in $((size - 1)) $((size * 3 / 4)) $((size / 2)) 70; do
		rm -f "$tmp/cut"/*
		cp "$tmp/$kind"/* "$tmp/cut"
		truncate -s "$at" "$tmp/cut/$name.1.$kind"
		play cut
		[ $? = 3 ] || fail "$kind cut at $at of $size: status is not 3"
		grep -q "$name.1.$kind: .*\(cut off\|the file ends\)" "$tmp/err" || fail "$kind cut at $at: $(cat "$tmp/err")"
		grep -qxF "$behind" "$tmp/out" || fail "$kind cut at $at: the volume behind is not read"
	done
done

# Where no record is left, no time is known from which on they are lost.
mkdir "$tmp/none"
for file in 0 meta index; do cat "$top/tests/golden/pcp/b-v3-basic.$file" >"$tmp/none/b.$file"; done
zstd -q --rm "$tmp/none/b.0"
truncate -s 100 "$tmp/none/b.0.zst"
"$perfolio" info "$tmp/none/b" >"$tmp/out" 2>&1
grep -q 'what was recorded until 2026-11-30 04:01:21 UTC is lost$' "$tmp/out" || fail "an archive without a record: $(grep lost "$tmp/out")"

# One damaged block of many: the records of all others.
size=$(stat -c %s "$tmp/blocks/$name.1.xz")
for at in $((size / 4)) $((size / 2)); do
	rm -rf "$tmp/flip"
	cp -r "$tmp/blocks" "$tmp/flip"
	printf '\377\377\377' | dd of="$tmp/flip/$name.1.xz" bs=1 seek="$at" conv=notrunc status=none
	play flip
	[ $? = 3 ] || fail "a damaged block: status is not 3"
	grep -q "a compressed block is damaged" "$tmp/err" || fail "a damaged block: $(cat "$tmp/err")"
	n=$(records "$tmp/out")
	[ "$n" -gt $((whole / 2)) ] && [ "$n" -lt "$whole" ] || fail "a damaged block: $n samples of $whole"
	grep -qxF "$behind" "$tmp/out" || fail "a damaged block: the volume behind is not read"
done

# A megabyte that unpacks to a gigabyte is no reason to take its memory.
copy bomb
head -c 1000000000 /dev/zero | gzip -1 >"$tmp/bomb/$name.1.gz"
rm "$tmp/bomb/$name.1"
most=$(python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if status == 3 else "status %d" % status)' "$perfolio" replay --oformat jsonl "$tmp/bomb/$name")
[ "$most" -lt 500000 ] 2>/dev/null || fail "a volume of zeros: $most, of at most 500000 KB"
exit $failed

#!/bin/bash
# perfolio info: archives, raw files, folios and folders, whole and damaged, as text and as documents; what it counts is what replay shows.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
pcp=$top/tests/golden/pcp
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
info() { "$perfolio" info "$@" >"$tmp/out" 2>"$tmp/err"; }
has() { grep -qE -- "$1" "$tmp/out" || fail "$2: no line '$1': $(cat "$tmp/out" "$tmp/err")"; }

for name in a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types; do
	info "$pcp/$name" || fail "$name: status $? $(cat "$tmp/err")"
	has "^Host      golden-a, time zone UTC$" "$name"
	"$perfolio" info --oformat json "$pcp/$name" >"$tmp/doc" 2>"$tmp/err" || fail "$name: document: status $?"
	"$perfolio" replay --oformat jsonl "$pcp/$name" >"$tmp/replay" 2>/dev/null
	samples=$(jq '.info.recordings[0].samples' "$tmp/doc")
	[ "$samples" = "$(grep -c '"metrics"' "$tmp/replay")" ] || fail "$name: $samples samples, replay has $(grep -c '"metrics"' "$tmp/replay")"
	jq -r '.info.recordings[0].metrics[] | "\(.name) \(.values)"' "$tmp/doc" | sort >"$tmp/counted"
	jq -r '.metrics[]? | .name as $n | (.instances // [.])[] | select(has("value") or has("bytes") or has("events")) | $n' "$tmp/replay" | sort | uniq -c | awk '{ print $2, $1 }' >"$tmp/shown"
	diff "$tmp/counted" "$tmp/shown" >"$tmp/diff" || fail "$name: values differ from replay: $(head -3 "$tmp/diff")"
	jq -r '.metrics[]?.name' "$tmp/replay" | sort -u | wc -l >"$tmp/n"
done
info "$pcp/a-v2-basic"
has '^Labels    domainname localdomain, groupid 0, hostname golden-a, machineid 3d1219c7c4c5404aaa1f6d2a48adfda4, userid 0$' labels
[ "$("$perfolio" info --oformat json "$pcp/a-v2-basic" | jq -r '.info.recordings[0].labels[] | select(.name == "hostname").value')" = golden-a ] || fail "labels: not in the document"
info "$pcp/e-v3-mark"
has '^Gaps      1: 2026-11-30 04:01:43.092 until 2026-11-30 04:01:46.093  \(3.001 s\)$' "a mark"
info "$pcp/f-v2-volumes.1"
has '^Format    PCP archive, version 2; 5 files, ' "an archive by the name of a volume"
info "$pcp/broken/cut-v2"
[ $? = 3 ] || fail "damage: status is not 3"
has '^Damage    .*cut-v2.0: record 6 at byte 2036' "damage"

# Times are the recorded host's, whatever the viewer's.
zone() { TZ=Asia/Tokyo "$perfolio" info "$1" >"$tmp/out" 2>"$tmp/err"; }
zone "$pcp/a-v2-basic"
has '^From      2026-11-30 04:01:09.001$' "another zone"
cp "$pcp"/a-v2-basic.{0,meta,index} "$tmp"
chmod u+w "$tmp"/a-v2-basic.*
for file in "$tmp"/a-v2-basic.{0,meta,index}; do
	printf 'AEDT-11\0' | dd of="$file" bs=1 seek=88 conv=notrunc status=none
done
zone "$tmp/a-v2-basic"
has '^From      2026-11-30 15:01:09.001$' "a zone in the label"
TZ=Asia/Tokyo "$perfolio" replay -sc -oTm "$tmp/a-v2-basic" 2>/dev/null | grep -q '^15:01:1' || fail "replay does not show times of the recorded host"

raw=$(find "$top/tests/golden/collectl/raw" -name 'all-*.raw.gz' | head -n 1)
info "$raw" || fail "raw file: status $?"
has '^Format    raw file; 1 file, ' "raw file"
has 'views -s[a-zA-Z]+$' "raw file"
head -c 5000 "$raw" >"$tmp/cut.raw.gz"
info "$tmp/cut.raw.gz"
[ $? = 3 ] || fail "a raw file that is cut off: status is not 3"

"$perfolio" record "$tmp/s.folio" -s c -i .1 -c 3 >/dev/null 2>"$tmp/err" || fail "record: $(cat "$tmp/err")"
info "$tmp/s.folio" || fail "folio: status $? $(cat "$tmp/err")"
has '^Samples   4, every 0.1' "folio"
mkdir "$tmp/folder.meta.d" "$tmp/none"
cp "$pcp"/a-v2-basic.{0,meta,index} "$raw" "$tmp/folder.meta.d"
echo text >"$tmp/folder.meta.d/notes"
info "$tmp/folder.meta.d" || fail "folder: status $? $(cat "$tmp/err")"
[ "$(grep -c '^File ' "$tmp/out")" = 2 ] || fail "folder: not two recordings: $(grep '^File' "$tmp/out")"
info "$tmp/none"
[ $? = 4 ] || fail "an empty folder: status is not 4"
info "$tmp/none/gone" "$pcp/a-v2-basic"
[ $? = 4 ] || fail "a file that is not there: status is not 4"
has '^Host      golden-a' "the other file"
info
[ $? = 2 ] || fail "no file: status is not 2"
info --metrics "$pcp/b-v3-basic"
has '^  kernel.percpu.cpu.user +U64 +counter +millisec +2 instances +12 values$' "--metrics"
"$perfolio" info --oformat xml "$pcp/a-v2-basic" "$raw" | xmllint --noout - || fail "XML"
"$perfolio" info --oformat csv "$pcp/a-v2-basic" | head -n 1 | grep -q '^file,host,' || fail "CSV"
"$perfolio" info "$pcp/a-v2-basic" >/dev/full 2>"$tmp/err"
[ $? = 1 ] || fail "a full device: status is not 1"
exit $failed

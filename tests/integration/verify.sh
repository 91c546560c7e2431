#!/bin/bash
# perfolio verify: raw files, archives, folios, folders and documents, whole and damaged; text, documents and statuses.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
pcp=$top/tests/golden/pcp
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# expect STATUS WHAT ARGUMENTS... - verify ends with STATUS.
expect() {
	local want=$1 what=$2
	shift 2
	"$perfolio" verify "$@" >"$tmp/out" 2>"$tmp/err"
	local got=$?
	[ $got = "$want" ] || fail "$what: status $got, not $want: $(head -3 "$tmp/out" "$tmp/err")"
	[ ! -s "$tmp/err" ] || [ "$want" = 2 ] || fail "$what: says $(cat "$tmp/err")"
}
has() { grep -qE -- "$1" "$tmp/out" || fail "$2: no line '$1': $(cat "$tmp/out")"; }

for name in a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types; do
	expect 0 "$name" "$pcp/$name"
	has "/$name: complete; PCP archive" "$name"
done
cp "$pcp"/f-v2-volumes.{0,1,2,meta,index} "$tmp"
xz "$tmp"/f-v2-volumes.{0,1,meta}
expect 0 "a compressed archive" "$tmp/f-v2-volumes"
has "complete; PCP archive.* 16 samples" "a compressed archive"

# A volume is missing: between others what was in it is lost, for every command; in front it was removed; that one was behind the index tells.
for n in 0 1 2; do
	mkdir "$tmp/less$n"
	cp "$pcp"/f-v2-volumes.{0,1,2,meta,index} "$tmp/less$n"
	rm "$tmp/less$n/f-v2-volumes.$n"
done
# lost COMMAND... - of the archive without the volume in the middle.
lost() {
	"$perfolio" "$@" >"$tmp/out" 2>"$tmp/err"
	local got=$?
	[ $got = 3 ] || fail "$1 without a volume: status $got"
	cat "$tmp/out" "$tmp/err" | grep -q 'volume 1 is missing between others; .* after 2026-11-30 04:01:51 UTC and before 2026-11-30 04:01:55 UTC is lost' ||
		fail "$1 without a volume: $(head -n 3 "$tmp/out" "$tmp/err")"
}
middle=$tmp/less1/f-v2-volumes
expect 3 "a volume is missing" "$middle"
has '^error: .*f-v2-volumes.index: .* 2026-11-30 04:01:51.111 to 04:01:55.113: the volume 1 is not there' "a volume is missing"
lost info "$middle"
lost convert "$middle" "$tmp/less1/copy"
lost replay "$middle" --oformat jsonl
awk '/"gap"/ { gap = NR } gap && NR == gap + 1 { behind = $0 } END { exit !(gap && behind !~ /"rate"/) }' "$tmp/out" || fail "replay without a volume: $(cut -c1-200 "$tmp/out")"
grep -q '"rate"' "$tmp/out" || fail "replay without a volume: no rates at all"
"$perfolio" replay "$tmp/less1/copy" --oformat jsonl 2>/dev/null | grep -q '"gap"' || fail "convert without a volume: no mark"
rm "$middle.index"
expect 3 "a volume is missing, and the index" "$middle"
has '^error: .*f-v2-volumes.2: .* 2026-11-30 04:01:51.111 to 04:01:55.113: the volume 1 in front of this one is not there' "a volume is missing, and the index"
lost info "$middle"
expect 0 "the first volume is missing" "$tmp/less0/f-v2-volumes"
"$perfolio" info "$tmp/less0/f-v2-volumes" >"$tmp/out" 2>"$tmp/err" || fail "info without the first volume: status $?"
expect 3 "the last volume is missing" "$tmp/less2/f-v2-volumes"
has '^error: .*the volume 2 is not there' "the last volume is missing"
"$perfolio" info "$tmp/less2/f-v2-volumes" >"$tmp/out" 2>"$tmp/err"
[ $? = 3 ] || fail "info without the last volume: status is not 3"
has '^Damage .*volume 2' "info without the last volume"
expect 3 "a cut archive" "$pcp/broken/cut-v2"
has '^error: .*cut-v2.0: .*byte 2036' "a cut archive"

# Values that cannot be: an array of event records that says that it has very many, one of another type than its metric. Whoever reads them tells, once.
cp "$pcp"/g-v3-types.{0,meta,index} "$tmp"
python3 "$top/tests/integration/edit_archive.py" events "$tmp/g-v3-types" || fail "no events"
strange() {
	expect 3 "$1" "$tmp/g-v3-types"
	has "^error: .*g-v3-types.0: .*$2" "$1"
	for command in info "replay --oformat jsonl" convert; do
		"$perfolio" $command "$tmp/g-v3-types" $([ "$command" = convert ] && echo "$tmp/strange") >"$tmp/out" 2>"$tmp/err"
		[ $? = 3 ] || fail "$1: $command: status is not 3"
		[ "$(cat "$tmp/out" "$tmp/err" | grep -c "$3; such values are left out")" -ge 1 ] || fail "$1: $command: $(cat "$tmp/err")"
	done
	rm -f "$tmp"/strange*
	"$perfolio" verify --seal "$tmp/g-v3-types" >"$tmp/out" 2>&1
	[ $? = 3 ] || fail "$1: verify --seal: status is not 3"
	has 'values in [0-9]* records are not what their metrics are and were left out' "$1"
	expect 0 "$1, sealed" "$tmp/g-v3-types"
	"$perfolio" replay "$tmp/g-v3-types" --oformat jsonl >/dev/null 2>"$tmp/err" || fail "$1, sealed: replay: $(cat "$tmp/err")"
}
strange "very many events" 'sample.event.records: 2147483647 event records in' 'sample.event.records, .*: 2147483647 event records in 68 bytes'
cp "$pcp"/g-v3-types.{0,meta,index} "$tmp"
python3 "$top/tests/integration/edit_archive.py" type "$tmp/g-v3-types" || fail "no type"
strange "another type" 'sample.double.hundred: the value is of type 5 and' 'sample.double.hundred, .*: values are of another type than the metric'

# Raw files.
raw=$(find "$top/tests/golden/collectl/raw" -name 'all-*.raw.gz' | head -n 1)
expect 0 "a raw file" "$raw"
has 'complete; raw file; [0-9]+ samples, 2026-' "a raw file"
head -c 5000 "$raw" >"$tmp/cut.raw.gz"
expect 3 "a raw file that is cut off" "$tmp/cut.raw.gz"
has '^error: .*cut.raw.gz: byte 5000, 2026-.*the file is cut off at byte 5000' "a raw file that is cut off"
head -c 20000 "$raw" >"$tmp/holed.raw.gz"
dd if=/dev/zero of="$tmp/holed.raw.gz" bs=1 seek=9000 count=300 conv=notrunc status=none
cat "$raw" >>"$tmp/holed.raw.gz"
expect 3 "a raw file with a hole" "$tmp/holed.raw.gz"
has '^error: .*holed.raw.gz: byte [0-9]+: bytes [0-9]+ to [0-9]+.*the checksum does not match; data between' "a raw file with a hole"
has 'damaged; raw file; .*; [0-9]+ bytes lost$' "a raw file with a hole"
gunzip -c "$raw" | awk '/^>>>/ { n++ } n != 2 && n != 3' >"$tmp/gap.raw"
gunzip -c "$raw" | awk 'BEGIN { n = 0 } /^>>>/ { n++ } { part[n] = part[n] $0 "\n" } END { printf "%s%s%s%s%s", part[0], part[1], part[3], part[2], part[4] }' >"$tmp/back.raw"
expect 0 "a raw file whose time goes back" -w "$tmp/back.raw"
has '^warning: .*time goes back by' "a raw file whose time goes back"
gunzip -c "$raw" | grep -v '^disk' >"$tmp/nodisk.raw"
expect 0 "a raw file without a subsystem of its header" -w "$tmp/nodisk.raw"
has '^warning: .*the header says that disk' "a raw file without a subsystem of its header"

# Documents.
for format in json jsonl xml csv; do
	"$perfolio" --oformat $format -sm -i .1 -c 4 >"$tmp/doc.$format" 2>"$tmp/err" || fail "$format: $(cat "$tmp/err")"
	expect 0 "$format" "$tmp/doc.$format"
	has "complete; document; 4 samples, 20" "$format"
	head -c -40 "$tmp/doc.$format" >"$tmp/cut.$format"
	expect 3 "$format that is cut off" "$tmp/cut.$format"
	has '^error: .*(the document ends before its end|the file ends inside a (line|row))' "$format that is cut off"
done
# A document that ends early is never complete, wherever that is; of lines (and HTML is one element a line) those that are there may be all.
mkdir "$tmp/cuts"
"$perfolio" --oformat html -sm -i .1 -c 4 >"$tmp/doc.html" 2>"$tmp/err" || fail "html: $(cat "$tmp/err")"
for format in json xml html jsonl csv; do
	python3 - "$tmp/doc.$format" "$tmp/cuts" $format <<-'END'
		import sys

		data = open(sys.argv[1], "rb").read()
		ends = [i + 1 for i in range(len(data)) if data[i : i + 1] == b"\n"]
		places = set(range(1, len(data), max(1, len(data) // 300))) | set(range(len(data) - 80, len(data)))
		places |= {n + more for n in ends[:-1][:200] for more in (-1, 0, 1)}
		for n in sorted(p for p in places if 40 < p < len(data)):
		    line = "line" if n in ends and sys.argv[3] in ("html", "jsonl", "csv") else "cut"
		    open("%s/%s-%d.%s" % (sys.argv[2], line, n, sys.argv[3]), "wb").write(data[:n])
	END
	"$perfolio" verify "$tmp/cuts"/cut-*.$format >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = 3 ] || [ $got = 4 ] || fail "$format that ends early: status $got: $(head -n 3 "$tmp/err")"
	[ "$(grep -cE '^[^ ]*: (damaged|unusable)[;,]?' "$tmp/out")" = "$(find "$tmp/cuts" -name "cut-*.$format" | wc -l)" ] ||
		fail "$format that ends early: $(grep ': complete;' "$tmp/out" | head -n 3)"
done

sed '3s/"metrics"/"timestamp":1,"metrics"/' "$tmp/doc.json" >"$tmp/twice.json"
expect 3 "a member twice" "$tmp/twice.json"
has 'an object has the member "timestamp" twice; whole up to byte [0-9]+, the end of element 1' "a member twice"

# Folios and folders.
"$perfolio" record "$tmp/s.folio" -s c -i .1 -c 3 >/dev/null 2>"$tmp/err" || fail "record: $(cat "$tmp/err")"
expect 0 "a folio" "$tmp/s.folio"
has '/s.folio: complete; folio; 1 recording$' "a folio"
sed 's/^Archive:.*/&\nArchive: gone nowhere/' "$tmp/s.folio" >"$tmp/t.folio"
expect 3 "a folio without an archive" "$tmp/t.folio"
has '^error: .*t.folio: record [0-9]+: the archive .*/nowhere of host gone is not there' "a folio without an archive"
mkdir "$tmp/folder" "$tmp/none"
cp "$pcp"/a-v2-basic.{0,meta,index} "$raw" "$tmp/doc.json" "$tmp/folder"
echo text >"$tmp/folder/notes"
expect 0 "a folder" "$tmp/folder"
[ "$(wc -l <"$tmp/out")" = 4 ] || fail "a folder: not three recordings: $(cat "$tmp/out")"
has '/folder: complete; folder; 3 recordings$' "a folder"
cp "$tmp/cut.json" "$tmp/folder"
expect 3 "a folder with damage" -q "$tmp/folder"
[ "$(wc -l <"$tmp/out")" = 2 ] || fail "-q: not two lines: $(cat "$tmp/out")"

expect 4 "an empty folder" "$tmp/none"
expect 4 "a file that is not there" "$tmp/gone"
: >"$tmp/empty"
expect 4 "an empty file" "$tmp/empty"
expect 4 "a text" "$tmp/folder/notes"
expect 2 "no file"
expect 2 "a switch that is none" --seel "$tmp/gone"
"$perfolio" verify "$pcp/a-v2-basic" >/dev/full 2>"$tmp/err"
[ $? = 1 ] || fail "a full device: status is not 1"

# On a terminal it shows how far it is, and takes that away again.
"$build/tests/tools/write-samples" 3 1 3000 "$tmp/many" /dev/null || fail "write-samples"
python3 - "$perfolio" verify "$tmp/many" >"$tmp/out" <<-'END' || fail "a terminal: status is not 0"
	import os, pty, sys
	pid, fd = pty.fork()
	if pid == 0:
	    os.execv(sys.argv[1], sys.argv[1:])
	while True:
	    try:
	        piece = os.read(fd, 4096)
	    except OSError:
	        break
	    if not piece:
	        break
	    sys.stdout.buffer.write(piece)
	sys.exit(os.waitpid(pid, 0)[1] != 0)
END
grep -qE $'\r[^\r]*many\.[a-z0-9]+: [0-9]+ %\x1b\\[K\r\x1b\\[K.*many: complete; ' "$tmp/out" || fail "a terminal: $(cat -v "$tmp/out")"
"$perfolio" verify "$tmp/many" >"$tmp/out" 2>"$tmp/err"
[ ! -s "$tmp/err" ] || fail "no terminal: $(cat "$tmp/err")"

# Names between commas: each is verified.
expect 0 "a list" "$pcp/a-v2-basic,$tmp/s.folio"
has '/a-v2-basic: complete; PCP archive' "a list"
has '/s.folio: complete; folio' "a list"
has '/s.folio: complete; list of recordings; 2 recordings$' "a list"
expect 3 "a list with damage" "$pcp/a-v2-basic,$pcp/broken/cut-v2"
has '/cut-v2: damaged; list of recordings; 2 recordings$' "a list with damage"
expect 3 "a list with something that is not there" "$pcp/a-v2-basic,$tmp/gone"
has '^error: .*gone: No such file or directory$' "a list with something that is not there"
expect 3 "a list as a document" --oformat json "$pcp/a-v2-basic,$tmp/gone"
"$top/tests/tools/schema-check" "$top/docs/verify.schema.json" "$tmp/out" || fail "a list as a document: not as the schema says"

# agree FOLIO STATUS SAYS - verify, info and replay say the same of it.
agree() {
	"$perfolio" verify "$1" >"$tmp/out" 2>"$tmp/err"
	[ $? = "$2" ] && grep -qE "$3" "$tmp/out" || fail "verify ${1##*/}: $(cat "$tmp/out" "$tmp/err")"
	"$perfolio" info "$1" >"$tmp/out" 2>"$tmp/err"
	local got=$?
	[ $got = "$2" ] && grep -qE "$3" "$tmp/err" || fail "info ${1##*/}: status $got: $(cat "$tmp/out" "$tmp/err")"
	[ "$2" = 4 ] || grep -q '^Samples *[0-9]' "$tmp/out" || fail "info ${1##*/}: nothing of what is there: $(cat "$tmp/out")"
	"$perfolio" replay "$1" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = "$2" ] && grep -qE "$3" "$tmp/err" || fail "replay ${1##*/}: status $got: $(cat "$tmp/err")"
}
sed 's/^\(Archive: *[^ ]*\).*/&\n\1 nowhere/' "$tmp/s.folio" >"$tmp/less.folio"
agree "$tmp/less.folio" 3 'nowhere'
sed 's/^Archive:.*/&\nArchive: onlyhost/' "$tmp/s.folio" >"$tmp/line.folio"
agree "$tmp/line.folio" 3 'an archive has a host and a base name'
sed 's/^Version:.*/Version: 9/' "$tmp/s.folio" >"$tmp/nine.folio"
agree "$tmp/nine.folio" 4 'nine.folio: .*version 9.*version 1'

# As documents.
expect 3 "json" --oformat json "$tmp/cut.json" "$pcp/a-v2-basic"
"$top/tests/tools/schema-check" "$top/docs/verify.schema.json" "$tmp/out" || fail "json: not as the schema says"
"$top/tests/tools/schema-check" "$top/docs/verify.schema.json" || fail "the schema's examples"
cp "$tmp/out" "$tmp/once.json"
jq -e '.verify.results | map(select(.verdict)) | length == 2 and .[0].verdict == "damaged" and .[1].verdict == "complete"' "$tmp/out" >/dev/null || fail "json: $(cat "$tmp/out")"
jq -e '.verify.results[] | select(.severity) | .rule == "cut" and .severity == "error" and .byte > 0' "$tmp/out" >/dev/null || fail "json: no finding: $(cat "$tmp/out")"
"$perfolio" verify --oformat json "$pcp"/*-basic.0 "$pcp"/broken "$raw" "$tmp"/*.folio "$tmp/folder" >"$tmp/all.json" 2>"$tmp/err"
"$top/tests/tools/schema-check" "$top/docs/verify.schema.json" "$tmp/all.json" || fail "json of all kinds: not as the schema says"
expect 0 "what verify itself says" "$tmp/once.json" "$tmp/all.json"
expect 3 "xml" --oformat xml "$tmp/cut.json"
xmllint --noout "$tmp/out" || fail "xml"
expect 3 "csv" --oformat csv "$tmp/cut.json"
head -n 1 "$tmp/out" | grep -q '^recording,verdict,' || fail "csv"
exit $failed

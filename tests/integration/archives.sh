#!/bin/sh
# archives.sh BUILD - archives of pmlogger 6.0.3, both versions: every value as pmdumplog prints it; damage is named, with status 3, and what
# is whole around it is shown; what is no archive is refused in one sentence.
set -u
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
perfolio=$build/perfolio
golden=$source/tests/golden/pcp
work=$(mktemp -d "${TMPDIR:-/tmp}/archives.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

for name in a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types; do
	"$perfolio" replay "$golden/$name" --oformat json >json 2>err || fail "replay $name: $(head -n 1 err)"
	"$source/tests/tools/pcp-values" "$golden/$name.exp/dump.txt" json >diff 2>&1 || fail "$name: $(head -n 2 diff)"
done
# Every form of a document holds what archives have beside numbers and texts.
for format in json jsonl xml html csv; do
	"$perfolio" replay "$golden/g-v3-types" --oformat $format,texts >doc 2>err || fail "g-v3-types as $format: $(head -n 1 err)"
	for what in 'twelve' '0x0103070f1f3f7fff' 'start,id,parent' 'no values'; do
		grep -q -- "$what" doc || fail "g-v3-types as $format: no $what"
	done
	[ $format = csv ] || grep -q dupnames.four.colour doc || fail "g-v3-types as $format: no other names"
	[ $format != xml ] || ! command -v xmllint >/dev/null || xmllint --noout doc || fail "g-v3-types: xmllint refuses the document"
	case $format in json*)
		"$source/tests/tools/schema-check" $([ $format = json ] || echo --lines perfolio.samples) "$source/docs/samples.schema.json" doc || fail "g-v3-types as $format does not fit the schema"
	esac
done
"$perfolio" replay "$golden/a-v2-basic" --oformat json,texts >doc 2>err
"$source/tests/tools/schema-check" "$source/docs/samples.schema.json" doc || fail "a-v2-basic does not fit the schema"
"$perfolio" replay "$golden/a-v2-basic" --oformat json | grep -q '"text":' && fail "help texts come without being asked for"

# One byte of a name changes, and the metric has the number of another one, which a group of ours knows: it costs that metric, and is told.
"$perfolio" convert "$(find "$golden/../collectl/raw" -name 'all-*.raw.gz' | head -n 1)" renamed --no-compress 2>err || fail "convert: $(cat err)"
"$perfolio" replay renamed --oformat jsonl | grep -o '"name":"[^"]*"' | sort | uniq -c >whole
LC_ALL=C sed -i 's/kernel\.percpu\.cpu\.user/kernel.percpu.cpu.uses/' renamed.meta
"$perfolio" info renamed >doc 2>err || fail "a name that was changed: info gives $? $(cat err)"
grep -q 'kernel.percpu.cpu.uses .*kernel.percpu.cpu.user, ignoring it' err || fail "a name that was changed is not told: $(cat err)"
"$perfolio" replay renamed --oformat jsonl 2>err | grep -o '"name":"[^"]*"' | sort | uniq -c >shown
grep -v 'kernel.percpu.cpu.user"' whole | cmp -s - shown || fail "a name that was changed costs others: $(diff whole shown | head -n 3)"
# More metrics than any host has.
for part in 0 meta index; do cp "$golden/a-v2-basic.$part" "many.$part"; done
python3 - <<'PY'
import struct
with open("many.meta", "ab") as f:
    for i in range(70000):
        name = b"many.m%d" % i
        body = struct.pack(">IIIIIIII", 1, 300 << 22 | i, 1, 0xffffffff, 3, 0, 1, len(name)) + name
        n = len(body) + 8
        f.write(struct.pack(">I", n) + body + struct.pack(">I", n))
PY
"$perfolio" replay "$golden/a-v2-basic" --oformat jsonl 2>err | grep -v '"described"' >whole
"$perfolio" replay many --oformat jsonl >doc 2>err || fail "70000 metrics more: $? $(cat err)"
grep -v '"described"' doc >shown
cmp -s whole shown || fail "70000 metrics more: $(diff whole shown | head -n 2 | cut -c1-200)"
"$perfolio" verify many >doc 2>err || fail "70000 metrics more: verify gives $? $(cat doc err)"
"$perfolio" convert many copied 2>err || fail "70000 metrics more: convert gives $? $(cat err)"

# An index that cannot be read is as good as none, whoever looks, and nobody waits for it.
for part in 0 meta; do cp "$golden/a-v2-basic.$part" "pipe.$part"; done
mkfifo pipe.index
for command in info replay verify 'verify --seal'; do
	# shellcheck disable=SC2086
	timeout 60 "$perfolio" $command pipe >doc 2>&1 || fail "$command with a pipe as index: $? $(tail -n 2 doc)"
done
[ -p pipe.index ] || fail "verify --seal replaced a pipe"
# Archives must have a name.
mkdir -p folder
for name in '' folder/ folder . folder/.. /; do
	"$perfolio" convert "$golden/a-v2-basic" "$name" 2>err && fail "an archive is called '$name'"
	grep -q 'name' err || fail "an archive called '$name': $(cat err)"
	"$perfolio" log -c 1 -s c "$name" 2>err && fail "a recording is called '$name'"
	grep -q 'name' err || fail "a recording called '$name': $(cat err)"
done
[ -z "$(find . -name '.*' -type f)" ] && [ -z "$(ls -A folder)" ] || fail "archives without a name were made: $(find . -name '.*')"
"$perfolio" log -x 99 -c 1 -s c unheard 2>err && fail "a control channel that is not open is taken"
grep -q -- '-x 99: not a pipe or socket' err || fail "a control channel that is not open: $(cat err)"
[ ! -e unheard.meta ] || fail "a control channel that is not open: something was made"
"$perfolio" replay --host '' "$golden/a-v2-basic" 2>err && fail "a host without a name is taken"
grep -q 'names no host' err || fail "a host without a name: $(cat err)"

# A folder with many files is read as often as there are archives, but not as a whole; all volumes are found.
mkdir crowd
for i in 1 2 3 4 5 6 7 8 9; do for part in 0 1 2 meta index; do cp "$golden/f-v2-volumes.$part" crowd/$i.$part; done; done
for part in 1 2 meta index; do cp "$golden/f-v2-volumes.$part" crowd/late.$part; done
(cd crowd && seq -f 'other%06g' 30000 | xargs touch)
"$perfolio" replay "$golden/f-v2-volumes" --oformat jsonl >whole 2>err
"$perfolio" replay crowd/5 --oformat jsonl >shown 2>err
cmp -s whole shown || fail "in a crowded folder: $(diff whole shown | head -n 2 | cut -c1-200) $(cat err)"
"$perfolio" info crowd/late >doc 2>err
grep -q '4 files' doc || fail "in a crowded folder: $(cat doc err)"
if command -v strace >/dev/null; then
	strace -f --seccomp-bpf -e trace=getdents64 -o trace "$perfolio" replay crowd -sc >doc 2>err
	n=$(grep -c getdents64 trace)
	[ "$n" -gt 10 ] && [ "$n" -lt 180 ] || fail "a crowded folder is read with $n calls"
else
	echo "no strace: how often a folder is read was not looked at"
fi

# Error codes: there is one already, and two empty sets become some more.
for file in 0 meta index; do cp "$golden/g-v3-types.$file" "errors.$file"; done
python3 - <<'PY' || fail "g-v3-types has no empty sets"
bytes = bytearray(open("errors.0", "rb").read())
for pmid, code in (b"\7\x40\0\x5c", -12386), (b"\7\x40\0\x09", -13):
    at = bytes.index(pmid + b"\0\0\0\0")
    bytes[at + 4:at + 8] = code.to_bytes(4, "big", signed=True)
open("errors.0", "wb").write(bytes)
PY
"$perfolio" replay errors --oformat jsonl >doc 2>err || fail "error codes: $(head -n 1 err)"
jq -r '.metrics[]? | select(.error) | select(.error < 0) | "\(.name) \(.error) \(.msg)"' doc | sort -u >shown
sort >wanted <<'END'
sample.darkness -12386 no agent runs for the metric
sample.needprofile -12365 instances must be asked for one by one
sample.noinst -13 Permission denied
END
cmp -s shown wanted || fail "error codes: $(cat shown)"
"$perfolio" convert errors errors2 2>err || fail "a copy with error codes: $(cat err)"
if command -v pmdumplog >/dev/null; then
	# What pmdumplog prints of the metrics and of what is in their place.
	for name in errors errors2; do pmdumplog -z $name 2>err | grep -E '\.(noinst|darkness|needprofile)\)' | sort >$name.dump; done
	grep -q 'No PMCD agent' errors.dump && cmp -s errors.dump errors2.dump || fail "the copy has other error codes: $(diff errors.dump errors2.dump | head -n 3)"
fi
rm -f errors*

"$perfolio" replay "$golden/b-v3-basic" --oformat json >json.base 2>err
for file in b-v3-basic.meta b-v3-basic.index b-v3-basic.0; do
	"$perfolio" replay "$golden/$file" --oformat json >json 2>err || fail "replay $file: $(head -n 1 err)"
	cmp -s json json.base || fail "replay $file shows something else than replay of its base name"
done
"$perfolio" replay "$golden/b-v3-basic" >view 2>err || fail "brief view of b-v3-basic: $(head -n 1 err)"
grep -q cpu view || fail "brief view of b-v3-basic shows no processor"

# A span of time, by the day and zone of the recording as it is shown.
TZ=UTC "$perfolio" replay "$golden/b-v3-basic" -sc -oT --from 04:01:17 --thru 04:01:19 >view 2>err || fail "--from --thru: $(head -n 1 err)"
[ "$(grep -v '^#' view | cut -c1-8 | xargs)" = '04:01:17 04:01:18 04:01:19' ] || fail "--from 04:01:17 --thru 04:01:19 shows: $(grep -v '^#' view)"
TZ=Asia/Tokyo "$perfolio" replay "$golden/b-v3-basic" -sc -oT --from 04:01:19 >view 2>err || fail "--from in Tokyo: $(head -n 1 err)"
[ "$(grep -v '^#' view | cut -c1-8 | head -n 1)" = 04:01:19 ] || fail "--from 04:01:19 in Tokyo shows: $(cat view)"

# An archive of ours has the zone of the host that it was recorded on, in both forms, and is shown in it wherever that is done.
TZ=Asia/Kathmandu "$perfolio" record kathmandu.folio --no-compress -c 3 -i 0.1 >/dev/null 2>err || fail "record: $(head -n 1 err)"
meta=$(find . -name "*.meta" -newer json.base | head -n 1)
grep -aq '<+0545>-5:45' "$meta" || fail "the label of an archive recorded in Kathmandu does not have its zone"
grep -aq ':Asia/Kathmandu' "$meta" || fail "the label of an archive recorded in Kathmandu does not name it"
for zone in Asia/Kathmandu UTC Asia/Tokyo; do
	TZ=$zone "$perfolio" replay kathmandu.folio -sc -oD | grep -v '^#' | cut -c1-17 >"shown.${zone#*/}"
done
[ -s shown.UTC ] && cmp -s shown.UTC shown.Kathmandu && cmp -s shown.Tokyo shown.Kathmandu || fail "the times of a recording from Kathmandu depend on who looks: $(cat shown.*)"

# damaged STATUS WORD NAME RECORDS [SENTENCES] - so many sentences (one), one of them with WORD; the samples that are whole.
damaged()
{
	want=$1 word=$2 file=$3 records=$4 sentences=${5:-1}
	"$perfolio" replay "$file" --oformat json >json 2>err
	status=$?
	[ $status -eq "$want" ] || fail "replay $file: status $status instead of $want"
	[ "$(wc -l <err)" -eq "$sentences" ] || fail "replay $file: not so many sentences as $sentences: $(cat err)"
	grep -q -- "$word" err || fail "replay $file: does not say '$word': $(cat err)"
	n=$(jq '[.perfolio.samples[] | select(.metrics)] | length' json)
	[ "$n" -eq "$records" ] || fail "replay $file: $n samples instead of $records"
}
damaged 3 'cut-v2.0: record 6 at byte 2036' "$golden/broken/cut-v2" 5
damaged 3 'badtrailer-v3.0: record 5 at byte 1972' "$golden/broken/badtrailer-v3" 11
damaged 3 'badlabel-v2.meta: label says archive version 6' "$golden/broken/badlabel-v2" 12
"$perfolio" replay "$golden/broken/noindex-v3" --oformat json >json 2>err || fail "replay of an archive without index: $(cat err)"
[ "$(jq '[.perfolio.samples[] | select(.metrics)] | length' json)" -eq 12 ] || fail "an archive without index has lost samples"
for file in meta index 0; do cp "$golden/b-v3-basic.$file" "flip.$file"; done
printf 'XXXX' | dd of=flip.meta bs=1 seek=808 conv=notrunc 2>/dev/null
damaged 3 'flip.meta: record' flip 12 2
grep -q 'flip.meta: 2 values of 1 metric are not described there' err || fail "what a damaged .meta costs is not told: $(cat err)"
for file in meta index 0; do cp "$golden/b-v3-basic.$file" "tail.$file"; done
head -c 300 "$golden/b-v3-basic.meta" >tail.meta
"$perfolio" replay tail >out 2>err
status=$?
[ $status -eq 3 ] || [ $status -eq 4 ] || fail "a .meta cut in its label: status $status"

# refuse WORD FILE - nothing can be made of it.
refuse()
{
	"$perfolio" replay "$2" >out 2>err
	status=$?
	[ $status -eq 4 ] || fail "replay $2: status $status instead of 4"
	[ ! -s out ] || fail "replay $2 prints: $(head -n 1 out)"
	lines=$(wc -l <err)
	[ "$lines" -ge 1 ] && [ "$lines" -le 2 ] || fail "replay $2: $lines lines"
	grep -q -- "$1" err || fail "replay $2: does not say '$1': $(cat err)"
}
for file in meta index 0; do : >"empty.$file"; done
refuse 'never began' empty
for file in meta index 0; do echo "just text, and more of it" >"text.$file"; done
refuse 'not a PCP archive' text
cp "$golden/b-v3-basic.meta" alone.meta
refuse 'alone.0' alone
cp "$golden/b-v3-basic.0" values.0
refuse 'values.meta' values
cp "$golden/b-v3-basic.0" packed.0
printf 'BZh91AY&SY' >packed.meta.bz2
refuse 'packed.meta.bz2 is compressed' packed
printf 'PCPFolio\nno version\n' >bad.folio
refuse 'bad.folio: not a PCP archive folio' bad.folio
printf 'PCPFolio\nVersion: 1\nArchive: h gone\n' >gone.folio
refuse 'gone.meta' gone.folio
printf 'PCPFolio\nVersion: 1\n' >none.folio
refuse 'names no archive' none.folio
printf 'PCPFolio\nVersion: 1\nArchive: h %s\nArchive: h gone\n' "$golden/b-v3-basic" >half.folio
damaged 3 'gone.meta' half.folio 12
exit $bad

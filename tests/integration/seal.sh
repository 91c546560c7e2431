#!/bin/bash
# seal.sh BUILD - perfolio verify --seal: archives, compressed volumes, folios, raw files and documents that were cut or damaged are whole afterwards, also for the
# real tools; a second time nothing is done; what is being written or cannot be written stays as it is.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
golden=$top/tests/golden/pcp
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/seal.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
preload=$build/tests/integration/faulty.so
case $(ldd "$perfolio") in *libasan*) preload="$(gcc -print-file-name=libasan.so) $preload" ;; esac

fail()
{
	echo "$*"
	bad=1
}

# seal STATUS SAYS FILE... - in a pattern of grep.
seal()
{
	local want=$1 says=$2
	shift 2
	"$perfolio" verify --seal "$@" >out 2>err
	local status=$?
	[[ $status = $want ]] || fail "$*: status $status instead of $want: $(cat out err)"
	grep -q -- "$says" out || fail "$*: nothing like '$says': $(cat out)"
	[ ! -s err ] || fail "$*: $(cat err)"
}

# whole FILE - and sealing again does nothing.
whole()
{
	local before after
	before=$(cat "$1"* | cksum)
	seal 0 ": complete;" "$1"
	after=$(cat "$1"* | cksum)
	[ "$before" = "$after" ] || fail "$1: sealing it again changes it"
	"$perfolio" verify "$1" >out 2>&1 || fail "$1: not whole: $(cat out)"
	case $1 in doc.*) return ;; esac
	"$perfolio" replay "$1" --oformat jsonl >/dev/null 2>err || fail "$1: replay: status $?: $(cat err)"
	# Names that are lost, or that an agent never gave, stay so.
	grep -v ' of instances not named there at that time' err >rest
	[ ! -s rest ] || fail "$1: replay: $(head -n 1 rest)"
}

# accepted ARCHIVE [RECORDS] - by PCP's own tools.
accepted()
{
	command -v pmlogcheck >/dev/null && command -v pmdumplog >/dev/null || return 0
	pmlogcheck "$1" >check 2>&1 || fail "$1: pmlogcheck: status $?"
	# Two counters of /proc/vmstat go down, which it takes for a wrap.
	grep -vE '(workingset_nodes|nr_free_cma).*wrap$|^	value ' check >out
	[ ! -s out ] || fail "$1: pmlogcheck: $(head -n 1 out)"
	pmdumplog -a "$1" >dump 2>err || fail "$1: pmdumplog: status $?"
	[ ! -s err ] || fail "$1: pmdumplog: $(head -n 1 err)"
	[ $# -lt 2 ] || [ "$(grep -c '^\[[0-9]* bytes\]' dump)" -eq "$2" ] || fail "$1: pmdumplog: $(grep -c '^\[[0-9]* bytes\]' dump) records instead of $2"
}

flip()
{
	printf "$(printf '\\%03o' $(($(od -An -tu1 -j "$2" -N 1 "$1") ^ $3)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

cp "$golden"/broken/*.{0,meta,index} .
seal 3 'cut-v2.0: record 6 at byte 2036.*cut off there' cut-v2
accepted cut-v2 5
whole cut-v2
[ ! -e cut-v2.0.orig-1 ] || fail "of a tail that was cut off the torn file is kept"
cmp -n 2036 cut-v2.0 "$golden/broken/cut-v2.0" || fail "whole records were changed"
seal 3 'badtrailer-v3.0: record 5 at byte 1972, 2026-.* to .*a mark stands in its place' badtrailer-v3
accepted badtrailer-v3 12
grep -q '<mark>' dump || fail "no mark where a record is missing"
whole badtrailer-v3
cmp -s badtrailer-v3.0.orig-1 "$golden/broken/badtrailer-v3.0" || fail "the damaged file is not kept"
seal 0 'noindex-v3: sealed;' noindex-v3
accepted noindex-v3 12
whole noindex-v3
seal 0 'badlabel-v2.meta: .*label' badlabel-v2
accepted badlabel-v2 12
whole badlabel-v2

# An archive that is whole stays as it is.
for name in a-v2-basic c-v3-indom e-v3-mark f-v2-volumes g-v3-types; do
	cp "$golden/$name".{0,1,2,meta,index} . 2>/dev/null
	whole "$name"
done

# A volume in the middle is cut: a mark stands between what is left of it and the next one. Compressed files become xz.
cp f-v2-volumes.1 whole.1
truncate -s -100 f-v2-volumes.1
seal 3 'f-v2-volumes.1: .*cut off' f-v2-volumes
accepted f-v2-volumes 16
grep -q '<mark>' dump || fail "no mark behind a volume that was cut"
whole f-v2-volumes
cp whole.1 f-v2-volumes.1
for packer in xz gzip zstd; do
	command -v $packer >/dev/null || continue
	rm -f f-v2-volumes.*
	cp "$golden"/f-v2-volumes.{0,1,2,meta,index} .
	$packer -q --rm f-v2-volumes.1 2>/dev/null || $packer -q f-v2-volumes.1
	packed=$(ls f-v2-volumes.1.*)
	truncate -s -40 "$packed"
	seal 3 "f-v2-volumes.1.*" f-v2-volumes
	[ -e f-v2-volumes.1.xz ] && [ -e "$packed.orig-1" ] || fail "$packer: $(ls f-v2-volumes.*)"
	accepted f-v2-volumes
	whole f-v2-volumes
done

# A volume in the middle is missing: a mark stands for it, and that is all that is to be said of it afterwards. Without an index, too.
for index in index noindex; do
	rm -f f-v2-volumes.*
	cp "$golden"/f-v2-volumes.{0,2,meta,index} .
	[ $index = index ] || rm f-v2-volumes.index
	seal 3 'f-v2-volumes.2: .* to .*: the volume 1 in front of it is missing; a mark stands for it' f-v2-volumes
	accepted f-v2-volumes 12
	grep -q '<mark>' dump || fail "no mark for a volume that is missing"
	whole f-v2-volumes
	"$perfolio" replay f-v2-volumes --oformat jsonl 2>err | grep -q '"gap"' || fail "no gap for a volume that is missing"
done

# The last volume is cut within its first record: PCP's tools refuse a volume without any.
rm -f f-v2-volumes.*
cp "$golden"/f-v2-volumes.{0,1,2,meta,index} .
truncate -s 200 f-v2-volumes.2
seal 3 'f-v2-volumes.2: .*cut off' f-v2-volumes
accepted f-v2-volumes
whole f-v2-volumes

# A descriptor is damaged: only what it described is lost.
cp "$golden"/a-v2-basic.{0,meta,index} .
at=$(grep -abo 'mem.util.used' a-v2-basic.meta | head -n 1 | cut -d: -f1)
flip a-v2-basic.meta $((at - 1)) 64
seal 3 'values in [0-9]* records are of metrics that nothing describes' a-v2-basic
accepted a-v2-basic
whole a-v2-basic
"$perfolio" replay a-v2-basic --oformat jsonl >shown 2>err
grep -q mem.util.used shown && fail "what nothing describes is there"
[ "$(grep -c kernel.all.load shown)" -eq "$("$perfolio" replay "$golden/a-v2-basic" --oformat jsonl | grep -c kernel.all.load)" ] || fail "a damaged descriptor costs other metrics"

# Whether an archive is damaged, sealing and verify agree: strange units are none, and two metrics of one name cannot be told apart.
cp "$golden"/a-v2-basic.{0,meta,index} .
at=$(grep -abo 'mem.util.used' a-v2-basic.meta | head -n 1 | cut -d: -f1)
flip a-v2-basic.meta $((at - 12)) 96
"$perfolio" verify -w a-v2-basic >out 2>&1
[ $? -eq 0 ] && grep -q '^warning: .*impossible dimension' out || fail "strange units: verify: $(cat out)"
seal 0 'a-v2-basic: complete;' a-v2-basic
cp "$golden"/a-v2-basic.{0,meta,index} .
printf free | dd of=a-v2-basic.meta bs=1 seek=$((at + 9)) conv=notrunc 2>/dev/null
"$perfolio" verify a-v2-basic >out 2>&1
[ $? -eq 3 ] && grep -q 'two metrics have this name' out || fail "a name twice: verify: $(cat out)"
seal 3 'had names that cannot be or are those of other metrics' a-v2-basic
accepted a-v2-basic 12
whole a-v2-basic
"$perfolio" replay a-v2-basic --oformat jsonl 2>err | grep -q mem.util.free || fail "a name twice: the metric that had it first is lost"

# What each record alone does not show. spoil HOW ARCHIVE CHECK STATUS SAYS - what a check finds, and what sealing does about it.
spoil()
{
	rm -f "$2".*
	cp "$golden/$2".{0,meta,index} .
	python3 "$top/tests/integration/edit_archive.py" "$1" "$2" || fail "$1: cannot be made"
	"$perfolio" verify "$2" >out 2>&1
	[ $? -eq 3 ] && grep -q -- "$3" out || fail "$1: verify: $(cat out)"
	seal "$4" "$5" "$2"
	accepted "$2"
	whole "$2"
}
spoil places a-v2-basic 'a value is at byte [0-9]* of the record, and should be at' 3 'a mark stands in its place'
spoil moved b-v3-basic 'time goes back by' 3 'times go back there; a mark stands in its place'
[ "$(grep -c '^\[[0-9]* bytes\]' dump)" -eq $((12 - 2 + 1)) ] || fail "moved: more is left out than has to be"
spoil entry b-v3-basic 'the index says that a record begins here, and none does' 0 'the index does not agree with the values'
cmp -s b-v3-basic.0 "$golden/b-v3-basic.0" || fail "entry: values were touched"
spoil whole c-v3-indom 'change, and were never told' 0 'not in order; now they are'
spoil early c-v3-indom 'instances of a time before the archive begins' 0 'not in order; now they are'
spoil disorder c-v3-indom 'go back in time' 0 'not in order; now they are'
"$perfolio" replay c-v3-indom --oformat jsonl >shown 2>err
"$perfolio" replay "$golden/c-v3-indom" --oformat jsonl 2>err | cmp -s - shown || fail "disorder: another replay than before"

# A folio: each of its archives.
"$perfolio" record folio --no-compress -sm -i 0.05 -c 5 >/dev/null 2>&1 || fail "record"
base=$(ls ./*.meta | grep -v 'v[23]\.\|v[23]-' | head -n 1)
base=${base%.meta}
truncate -s -70 "$base.0"
seal 3 'folio: sealed with loss; folio; 1 recording' folio
accepted "$base"
whole folio

# Nothing that could be made whole.
printf 'x' >empty.meta
: >empty.0
seal 4 'empty: unusable' empty
[ "$(cat empty.meta)" = x ] || fail "what is unusable was changed"

# As a document.
cp "$golden"/broken/cut-v2.{0,meta,index} .
"$perfolio" verify --seal --oformat jsonl cut-v2 >out
[ $? -eq 3 ] || fail "--oformat: another status"
grep -q '"rule":"sealed-tail".*"byte":2036,"lost":464,"from":' out || fail "--oformat: $(cat out)"
grep -q '"verdict":"sealed with loss"' out || fail "--oformat: no verdict: $(cat out)"

cp "$golden"/broken/cut-v2.{0,meta,index} .
"$perfolio" verify --seal --oformat json cut-v2 >out.json
"$top/tests/tools/schema-check" "$top/docs/verify.schema.json" out.json || fail "--oformat: not as the schema says"

# Being written: by a recorder of ours, by anybody.
"$perfolio" record running --no-compress -sm -i 0.05 >/dev/null 2>&1 &
recorder=$!
for _ in $(seq 200); do
	running=$(sed -n 's/^Archive: *[^ ]* *//p' running 2>/dev/null)
	[ -n "$running" ] && [ -s "$running.0" ] && break
	sleep 0.05
done
seal 1 'is being written now' "$running"
kill -INT $recorder
wait $recorder
whole "$running"
cp "$golden"/broken/cut-v2.{0,meta,index} .
exec 9>>cut-v2.0
seal 1 'cut-v2: not sealed' cut-v2
exec 9>&-

# The disk is full, the folder is not ours: nothing is changed.
before=$(cat cut-v2.* | cksum)
echo "write .sealing errno 28" >control
FAULTY=control LD_PRELOAD=$preload "$perfolio" verify --seal cut-v2 >out 2>err
status=$?
[ $status -eq 1 ] || fail "a full disk: status $status: $(cat out err)"
grep -q 'No space left on device; nothing was changed' out || fail "a full disk: $(cat out)"
[ "$before" = "$(cat cut-v2.* | cksum)" ] || fail "a full disk: something was changed: $(ls cut-v2.*)"
if command -v setpriv >/dev/null && [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$work"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$perfolio" verify --seal cut-v2 >out 2>err
	status=$?
	[ $status -eq 1 ] || fail "a folder of somebody else: status $status: $(cat out err)"
	[ "$before" = "$(cat cut-v2.* | cksum)" ] || fail "a folder of somebody else: something was changed"
fi

# Raw files.
mkdir raw
"$perfolio" -scm -i 0 -c 100 -f raw/x >/dev/null 2>&1 || fail "recording fails"
name=$(basename raw/x-*.raw.gz)
size=$(stat -c %s "raw/$name")

# played - by ours, by gzip and by the real collectl, without a complaint.
played()
{
	whole "$name"
	gzip -t "$name" 2>err || fail "gzip: $(cat err)"
	command -v collectl >/dev/null || return 0
	collectl -p "$name" -scm >theirs 2>err || fail "collectl: status $?"
	[ ! -s err ] || fail "collectl: $(head -n 1 err)"
	grep -iq 'error\|corrupt\|unexpected' theirs && fail "collectl: $(grep -i -m 1 'error\|corrupt\|unexpected' theirs)"
	"$perfolio" replay "$name" >ours 2>/dev/null
	[ "$(grep -vc '^#' theirs)" -eq "$(grep -vc '^#' ours)" ] || fail "collectl shows $(grep -vc '^#' theirs) intervals, ours $(grep -vc '^#' ours)"
}

for part in 30 60 99; do
	head -c $((size * part / 100)) "raw/$name" >"$name"
	seal 3 'the file was cut off in this member' "$name"
	played
	[ ! -e "$name.orig-1" ] || fail "of a tail that was cut off the torn file is kept"
	cp "raw/$name" "$name"
	flip "$name" $((size * part / 100)) 4
	"$perfolio" verify "$name" >/dev/null 2>&1
	if [ $? -ne 0 ]; then
		seal 3 'this part is damaged' "$name"
		[ -e "$name.orig-1" ] || fail "the damaged file is not kept"
		played
	fi
	rm -f "$name.orig-1"
done

# One member, as collectl writes it, and text.
zcat "raw/$name" | gzip >one.raw.gz
truncate -s "$(($(stat -c %s one.raw.gz) / 2))" one.raw.gz
mv one.raw.gz "$name"
seal 3 'the file was cut off in this member' "$name"
played
zcat "raw/$name" >"${name%.gz}"
name=${name%.gz}
truncate -s -7 "$name"
seal 3 'the last interval was cut within a line' "$name"
"$perfolio" replay "$name" >/dev/null 2>err || fail "text: $(cat err)"
dd if=/dev/zero of="$name" bs=1 seek=$(($(stat -c %s "$name") / 2)) count=300 conv=notrunc 2>/dev/null
"$perfolio" verify "$name" >out 2>&1
[ $? -eq 3 ] && grep -q 'has zero bytes' out || fail "zeros: verify: $(cat out)"
for command in info "replay --oformat jsonl" replay convert; do
	"$perfolio" $command "$name" $([ "$command" = convert ] && echo zeros-copy) >out 2>err
	[ $? -eq 3 ] && [ "$(cat out err | grep -c 'zero bytes stand where text was to be; data between .* is left out')" -eq 1 ] ||
		fail "zeros: $command: $(cat err)"
	grep -q '\\0\|u0000' out && fail "zeros: $command shows them"
done
seal 3 'intervals with zero bytes were left out' "$name"
whole "$name"

# Documents.
for format in json jsonl xml html csv; do
	"$perfolio" --oformat $format -sm -i .1 -c 3 >whole.$format 2>err || fail "$format: $(cat err)"
	head -c -1 whole.$format >doc.$format
	"$perfolio" verify doc.$format >out 2>&1 && fail "$format without its last byte: $(cat out)"
	seal '[03]' 'doc' doc.$format
	whole doc.$format
	[ $format = csv ] || cmp whole.$format doc.$format || fail "$format without its last byte is not what it was"
done
mkdir documents
python3 "$top/tests/integration/sealdocs.py" "$build" "$work/documents" || bad=1
exit $bad

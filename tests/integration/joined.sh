#!/bin/bash
# joined.sh BUILD - a folder, a folio, a list between commas and several names are one recording in time each: overlaps are given once, gaps
# have no rates, hosts are kept apart, and what lies before --from is not read.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
golden=$top/tests/golden/pcp
work=$(mktemp -d "${TMPDIR:-/tmp}/joined.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

# values NAME... - every value with its time, metric and instance; no rates.
values()
{
	"$perfolio" replay --oformat jsonl "$@" 2>err | jq -r 'select(.metrics) | .timestamp as $t | .metrics[] | .name as $n |
		(.instances // [.])[] | select(has("value")) | "\($t) \($n) \(.instance // "") \(.value)"' | sort
}

# says STATUS WORD COMMAND...
says()
{
	want=$1 word=$2
	shift 2
	"$perfolio" "$@" >out 2>err
	status=$?
	[ $status -eq "$want" ] || fail "$*: status $status instead of $want: $(head -n 2 err)"
	grep -qF -e "$word" out err || fail "$*: does not say '$word': $(head -n 2 out err)"
}

# Two pieces that overlap, in a folder where the later one has the first name.
mkdir over
whole=$golden/b-v3-basic
"$perfolio" convert --no-compress --thru 04:01:18 "$whole" over/b 2>err || fail "convert: $(cat err)"
"$perfolio" convert --no-compress --from 04:01:17 "$whole" over/a 2>err || fail "convert: $(cat err)"
printf 'PCPFolio\nVersion: 1\nArchive: golden-a a\nArchive: golden-a b\n' >over/both.folio
echo 'no recording' >over/notes.txt
values "$whole" >want
[ "$(wc -l <want)" -gt 200 ] || fail "the whole archive has too few values: $(wc -l <want)"
for names in over over/both.folio over/a,over/b "over/a over/b" "over/b.meta over/a.0" "-p over" "-p over/a,over/b"; do
	# shellcheck disable=SC2086
	values $names >have
	cmp -s want have || fail "$names: $(diff want have | head -n 3) $(cat err)"
	# shellcheck disable=SC2086
	"$perfolio" replay $names -scdm -oTm >have 2>err
	"$perfolio" replay "$whole" -scdm -oTm >view 2>err
	cmp -s view have || fail "$names: another brief view: $(diff view have | head -n 3)"
done
ln -s "$perfolio" collectl
./collectl -p over -scdm -oTm >have 2>err
cmp -s view have || fail "collectl -p over: another brief view: $(diff view have | head -n 3)"
"$perfolio" convert --no-compress over copy 2>err || fail "convert of a folder: $(cat err)"
values copy >have
cmp -s want have || fail "convert of a folder: $(diff want have | head -n 3)"
[ "$("$perfolio" info over | grep -c '^File')" = 2 ] || fail "info of a folder does not tell of both archives"
"$perfolio" replay over -m -sc >out 2>err
grep -q 'over/a.meta begins before the one that is played before it ends' err || fail "the overlap is not told with -m: $(cat err)"

# A gap: the first sample behind it has no rates. Without overlap nothing is lost either.
mkdir gap
"$perfolio" convert --no-compress --thru 04:01:16 "$whole" gap/1 2>err || fail "convert: $(cat err)"
"$perfolio" convert --no-compress --from 04:01:19 "$whole" gap/2 2>err || fail "convert: $(cat err)"
rates='select(.metrics) | select(any(.metrics[]; .name == "kernel.all.cpu.user" and has("rate"))) | .timestamp'
"$perfolio" replay "$whole" -sc --oformat jsonl | jq -r "$rates" >all.rates
"$perfolio" replay gap -sc --oformat jsonl | jq -r "$rates" >gap.rates
[ "$(wc -l <all.rates)" = 5 ] && [ "$(wc -l <gap.rates)" = 2 ] || fail "rates: $(wc -l <all.rates) in the whole, $(wc -l <gap.rates) across a gap"
grep -vxFf all.rates gap.rates && fail "a gap makes rates that the whole has not"

# What ends before --from is not read: damage in it is not even seen. What is wanted is read all the same.
cp -r gap skip
chmod -R u+w skip
python3 - skip/1.0 <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at = 808                                                    # behind the label
at += struct.unpack_from(">I", data, at)[0]
struct.pack_into(">I", data, at - 4, 1)                     # the first record's trailer
open(sys.argv[1], "wb").write(data)
PY
"$perfolio" replay skip -sc >out 2>err
[ $? = 3 ] || fail "a damaged archive in a folder is not told of: $(cat err)"
"$perfolio" replay skip -sc -oT --from 20261130:04:01:20 >out 2>err
[ $? = 0 ] && [ ! -s err ] || fail "--from reads an archive that ends before it: $(cat err)"
grep -q '^04:01:20 ' out || fail "--from shows: $(cat out)"

# Several hosts: the first one in the folder, or the one that is asked for; named one by one, both.
mkdir hosts
for file in 0 meta index; do
	cp "$golden/b-v3-basic.$file" "hosts/one.$file"
	LC_ALL=C sed 's/golden-a/golden-b/g' "$golden/a-v2-basic.$file" >"hosts/two.$file"
done
says 0 'showing host golden-a; --host golden-b shows the other one' replay hosts -sc
values hosts >have
cmp -s want have || fail "a folder of two hosts: $(diff want have | head -n 3)"
values "$golden/a-v2-basic" | sed 's/golden-a/golden-b/g' >two
values hosts --host golden-b >have
cmp -s two have || fail "--host golden-b: $(diff two have | head -n 3)"
says 4 'nothing in it is of host golden-c; it has host golden-a' replay hosts -sc --host golden-c

# A folio of four hosts: those that can be asked for are named in one sentence; one whose archive never came to be is none of them.
{
	printf 'PCPFolio\nVersion: 1\n'
	printf 'Archive: %s %s\n' golden-a hosts/one golden-b hosts/two golden-c hosts/none golden-d hosts/two
} >four.folio
says 0 'showing host golden-a; --host shows another one: golden-b, golden-d' replay four.folio -sc
[ "$(wc -l <err)" = 1 ] || fail "other hosts are told in $(wc -l <err) lines: $(cat err)"
says 4 'it is of host golden-a, not of golden-b' replay "$whole" -sc --host golden-b
values hosts/two hosts/one >have
sort want two | cmp -s - have || fail "two hosts by name are not both shown: $(sort want two | diff - have | head -n 3)"

# A metric that means something else in the later archive is left out there, and told.
mkdir means
cp gap/1.* gap/2.* means
chmod -R u+w means
python3 - means/2.meta sample.dupnames.four.colour 20 1 <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
name = sys.argv[2].encode()
at = data.index(struct.pack(">I", len(name)) + name) - 32   # the descriptor begins 8 words before its first name
struct.pack_into(">I", data, at + int(sys.argv[3]), int(sys.argv[4]))  # semantics
open(sys.argv[1], "wb").write(data)
PY
says 0 'metric sample.colour means something else here, ignoring it' replay means --oformat jsonl
values means >have
values gap/1 >first
[ "$(grep -c ' sample.colour ' first)" -gt 0 ] || fail "no values of sample.colour"
[ "$(grep -c ' sample.colour ' have)" = "$(grep -c ' sample.colour ' first)" ] || fail "values of sample.colour that mean something else are shown"

# The same name in other units is converted: 1 MB is 1024 KB, in place of what a view takes for KB.
mkdir units
cp gap/1.* gap/2.* units
chmod -R u+w units
python3 - units/2.meta mem.util.used 24 0x10020000 <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
name = sys.argv[2].encode()
at = data.index(struct.pack(">I", len(name)) + name) - 32
struct.pack_into(">I", data, at + int(sys.argv[3]), int(sys.argv[4], 16))
open(sys.argv[1], "wb").write(data)
PY
values units >have
[ ! -s err ] || fail "other units: $(cat err)"
values gap/2 | awk '$2 == "mem.util.used" { $3 = sprintf("%.0f", $3 * 1024) } { print $1, $2, $3, $4 }' | grep ' mem.util.used ' >used
grep ' mem.util.used ' have | sed 's/  / /' | awk '{ print $1, $2, $3, $4 }' >used.have
[ -s used ] && grep -qFf <(awk '{ print $1, $2, $3 }' used) used.have || fail "other units: $(head -n 2 used) but $(head -n 2 used.have)"

# Raw files in a folder; together with archives they are refused.
raw=$(find "$top/tests/golden/collectl/raw" -name 'cdnm-vm-*.raw.gz' | head -n 1)
mkdir raws early late
begin=$("$perfolio" replay "$raw" -sc -oT | grep -v '^#' | cut -c1-8)
middle=$(echo "$begin" | sed -n '5p')
"$perfolio" replay "$raw" --extract early --thru "$middle" 2>err || fail "extract: $(cat err)"
"$perfolio" replay "$raw" --extract late --from "$middle" 2>err || fail "extract: $(cat err)"
mv early/*.raw.gz raws/z.raw.gz && mv late/*.raw.gz raws/a.raw.gz || fail "extract left nothing"
values "$raw" >want
values raws >have
[ "$(wc -l <want)" -gt 200 ] && cmp -s want have || fail "a folder of raw files: $(diff want have | head -n 3) $(cat err)"
cp gap/1.* raws
says 4 'name those of one kind' replay raws -sc
says 4 'there is no recording in this folder' replay "$(mkdir none && echo none)"
exit $bad

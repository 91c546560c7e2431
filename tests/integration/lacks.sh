#!/bin/bash
# lacks.sh BUILD - archives whose .meta tells too little, or is that of another one: verify, info, replay and convert say so once, with how much and when, deliver the
# rest and end alike. So do folders of which one recording is unusable, and archives without a sample.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
pcp=$top/tests/golden/pcp
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# all STATUS WHAT PATH TEXT - every command ends with STATUS, and whoever reads says TEXT once; verify says something of it.
all() {
	local want=$1 what=$2 path=$3 text=$4 command
	"$perfolio" verify "$path" >"$tmp/out" 2>"$tmp/err"
	local got=$?
	[ $got = "$want" ] || fail "$what: verify: status $got: $(head -n 3 "$tmp/out")"
	[ "$want" = 0 ] || grep -q '^error: ' "$tmp/out" || fail "$what: verify does not say why: $(cat "$tmp/out")"
	for command in info "replay --oformat jsonl" "replay --oformat jsonl --interpolate 1" convert; do
		rm -f "$tmp"/copy*
		"$perfolio" $command "$path" $([ "$command" = convert ] && echo "$tmp/copy") >"$tmp/$command.out" 2>"$tmp/err"
		got=$?
		[ $got = "$want" ] || fail "$what: $command: status $got: $(cat "$tmp/err")"
		[ "$(cat "$tmp/$command.out" "$tmp/err" | grep -cE "$text")" = 1 ] || fail "$what: $command does not say once '$text': $(cat "$tmp/err")"
	done
}
# values PATH - how many values there are in it.
values() { "$perfolio" info --metrics --oformat json "$1" 2>/dev/null | jq '[.info.recordings[].metrics[].values] | add'; }
fresh() {
	rm -f "$tmp"/x.*
	cp "$pcp/$1".{0,meta,index} "$tmp"
	for end in 0 meta index; do mv "$tmp/$1.$end" "$tmp/x.$end"; done
}
spoil() { python3 "$top/tests/integration/edit_archive.py" "$1" "$tmp/x" || fail "cannot make '$1'"; }

for name in a-v2-basic b-v3-basic; do
	fresh $name
	all 0 "$name, whole" "$tmp/x" '^Gaps|^[{]"perfolio"|[0-9]+ samples, '
	whole=$(values "$tmp/x")
	spoil undescribed
	rm "$tmp/x.index"
	all 3 "$name, two descriptors are missing" "$tmp/x" 'x.meta: [0-9]+ values of 2 metrics are not described there, from 2026-11-30 04:01:.. until 2026-11-30 04:01:.. UTC; left out; .*'
	lost=$(sed -n 's/.*x.meta: \([0-9]*\) values of 2 metrics.*/\1/p' "$tmp/info.out")
	[ "$(values "$tmp/x")" -eq $((whole - lost)) ] || fail "$name: $whole values, of which $lost are lost, and $(values "$tmp/x") are there"
	# As far as it is wanted, and no farther.
	"$perfolio" replay "$tmp/x" --oformat jsonl -c 2 >/dev/null 2>"$tmp/err"
	[ $? = 3 ] && [ "$(grep -c 'not described there' "$tmp/err")" = 1 ] || fail "$name, two intervals: $(cat "$tmp/err")"
	"$perfolio" verify --seal "$tmp/x" >"$tmp/out" 2>&1
	[ $? = 3 ] || fail "$name: sealing: $(cat "$tmp/out")"
	all 0 "$name, sealed" "$tmp/x" '^Gaps|^[{]"perfolio"|[0-9]+ samples, '

	# Nobody can say whether a name was there; the index knows that .meta was longer.
	fresh $name
	spoil unnamed
	all 3 "$name, no names, and the index knows" "$tmp/x" 'x.meta: the file ends at byte [0-9]+, but the index knows of it up to byte [0-9]+; what was told there'
	rm "$tmp/x.index"
	all 0 "$name, no names" "$tmp/x" 'x.meta: [0-9]+ values of [0-9]+ metrics are of instances not named there at that time, from .* UTC; they are shown as [?]NUMBER'
	grep -q '"?1"' "$tmp/replay --oformat jsonl.out" || fail "$name, no names: no instance by its number"
	"$perfolio" verify -w "$tmp/x" >"$tmp/out" 2>&1
	[ "$(grep -c ': [0-9]* values\? \(are\|is\) of instances not named' "$tmp/out")" -gt 1 ] || fail "$name, no names: verify -w: $(head -n 5 "$tmp/out")"
	[ "$(sed -n 's/^warning: [^,]*, [^,]*, \([^:]*\): [0-9]* values* .*not named.*/\1/p' "$tmp/out" | sort | uniq -d | wc -l)" = 0 ] || fail "$name, no names: verify -w names a metric twice"
done

# The .meta of another archive; of another version nothing can be read.
fresh b-v3-basic
cp "$pcp/c-v3-indom.meta" "$tmp/x.meta"
all 3 "another .meta" "$tmp/x" 'x.meta: its label names another process than that of .*x.0: it is of another archive'
cp "$pcp/a-v2-basic.meta" "$tmp/x.meta"
all 4 "a .meta of another version" "$tmp/x" 'x.meta is of version 2 and .*x.0 of version 3: they belong to different archives'
fresh b-v3-basic
cp "$pcp/c-v3-indom.index" "$tmp/x.index"
"$perfolio" replay "$tmp/x" --oformat jsonl >/dev/null 2>"$tmp/err"
[ $? = 0 ] && grep -q 'x.index: its label names another process; reading without the index' "$tmp/err" || fail "another index: $(cat "$tmp/err")"

# No sample at all: as replay and convert have it, nothing can be made of it.
fresh b-v3-basic
rm "$tmp/x.index"
head -c 808 "$pcp/b-v3-basic.0" >"$tmp/x.0"
all 4 "no sample" "$tmp/x" 'no sample in it can be shown|nothing to show|nothing of it is'
fresh b-v3-basic
python3 - "$tmp/x.meta" <<-'END'
	import sys
	data = open(sys.argv[1], "rb").read()
	open(sys.argv[1], "wb").write(data[:808])
END
rm "$tmp/x.index"
all 4 "nothing is described" "$tmp/x" '[0-9]+ values of [0-9]+ metrics are not described'

# What is unusable among others is a loss; if nothing else is there, all is unusable.
mkdir "$tmp/folder"
cp "$pcp"/a-v2-basic.{0,meta,index} "$tmp/folder"
for end in 0 meta index; do head -c 50 "$pcp/d-v2-indom.$end" >"$tmp/folder/d-v2-indom.$end"; done
for command in verify info replay "verify --seal"; do
	"$perfolio" $command "$tmp/folder" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = 3 ] || fail "a folder of which one is unusable: $command: status $got: $(cat "$tmp/out" "$tmp/err")"
done
rm "$tmp"/folder/a-*
for command in verify info replay "verify --seal"; do
	"$perfolio" $command "$tmp/folder" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = 4 ] || fail "a folder of which all are unusable: $command: status $got: $(cat "$tmp/out" "$tmp/err")"
done

# What stands where the index is to be and is none costs nothing, and nobody waits for it.
for how in mkfifo mkdir; do
	fresh b-v3-basic
	rm "$tmp/x.index"
	$how "$tmp/x.index"
	for command in verify info "replay --oformat jsonl" convert "verify --seal"; do
		rm -f "$tmp"/copy*
		timeout 60 "$perfolio" $command "$tmp/x" $([ "$command" = convert ] && echo "$tmp/copy") >"$tmp/out" 2>"$tmp/err"
		got=$?
		[ $got = 0 ] || fail "$how: $command: status $got: $(cat "$tmp/err")"
	done
	rm -rf "$tmp/x.index"
done
exit $failed

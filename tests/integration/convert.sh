#!/bin/bash
# perfolio convert: raw files and archives into archives and documents; what comes out has the values that went in.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
pcp=$top/tests/golden/pcp
raws=$top/tests/golden/collectl/raw
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
check=$(command -v /usr/lib/pcp/bin/pmlogcheck || command -v pmlogcheck)

# values FILE - every value with its time, metric and instance, in an order of its own
values()
{
	"$perfolio" replay --oformat jsonl "$1" 2>/dev/null | jq -r 'select(.metrics) | .timestamp as $t | .metrics[] | .name as $n |
		(.instances // [.])[] | select(has("value")) | "\($t) \($n) \(.instance // "") \(.value)"' | sort
}
# same IN OUT - the two recordings say the same
same()
{
	values "$1" >"$tmp/a"
	values "$2" >"$tmp/b"
	[ -s "$tmp/a" ] || fail "$1: no values"
	cmp -s "$tmp/a" "$tmp/b" || fail "$(basename "$1"): the copy differs: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
}

n=0
for in in "$pcp"/{a-v2-basic,b-v3-basic,c-v3-indom,d-v2-indom,e-v3-mark,f-v2-volumes,g-v3-types} "$raws"/*.raw.gz; do
	n=$((n + 1))
	out=$tmp/copy$n
	"$perfolio" convert "$in" "$out" 2>"$tmp/err"
	status=$?
	case $in in
	*cut* | *damaged* | *bad*) [ $status -le 4 ] || fail "$in: status $status"; [ $status = 0 ] || continue ;;
	*/roll-vm-20261130-035759.raw.gz) [ $status = 4 ] || fail "$in, which has no sample: status $status"; continue ;;
	*) [ $status = 0 ] || { fail "$in: status $status $(cat "$tmp/err")"; continue; } ;;
	esac
	grep -q "^perfolio: [0-9]* samples, [0-9]* bytes in $out$" "$tmp/err" || fail "$in: $(cat "$tmp/err")"
	same "$in" "$out"
	if [ -n "$check" ]; then
		"$check" "$out" >"$tmp/check" 2>&1
		grep -vE 'wrap$|^	value ' "$tmp/check" >"$tmp/left" && fail "$in: pmlogcheck says: $(head -n 3 "$tmp/left")"
	fi
	[ $n -lt 20 ] || break
done

# Instances that come and go: told as changes, and known to pmdumplog at every time as they were.
if command -v pmdumplog >/dev/null; then
	pmdumplog -I "$tmp/copy3" | grep -q ' delta ' || fail "no change of instances is told as such"
	diff <(pmdumplog -i "$pcp/c-v3-indom" | sort) <(pmdumplog -i "$tmp/copy3" | sort) >"$tmp/diff" || fail "instances differ: $(head -n 3 "$tmp/diff")"
fi

# Gaps stay gaps, the zone and the host stay those of the recording.
"$perfolio" info "$tmp/copy5" | grep -q '^Gaps      1: 2026-11-30 04:01:43.092 until 2026-11-30 04:01:46.093 ' || fail "the mark is lost: $("$perfolio" info "$tmp/copy5")"
cp "$pcp"/a-v2-basic.{0,meta,index} "$tmp"
chmod u+w "$tmp"/a-v2-basic.*
for file in "$tmp"/a-v2-basic.{0,meta,index}; do
	printf 'AEDT-11\0' | dd of="$file" bs=1 seek=88 conv=notrunc status=none
done
"$perfolio" convert "$tmp/a-v2-basic" "$tmp/zone" 2>/dev/null
"$perfolio" info "$tmp/zone" | grep -q '^Host      golden-a, time zone AEDT-11$' || fail "the zone is lost"
raw=$(find "$raws" -name 'all-*.raw.gz' | head -n 1)
zcat "$raw" | sed 's/ TZ: +0000/ TZ: +0530/; s/-20261130-035618/-20261130-092618/; s/\(Date: *\)20261130-035618/\120261130-092618/' | gzip >"$tmp/h-20261130-092618.raw.gz"
"$perfolio" convert "$tmp/h-20261130-092618.raw.gz" "$tmp/rawzone" 2>/dev/null
"$perfolio" info "$tmp/rawzone" | grep -q 'time zone <+0530>-5:30$' || fail "the zone of a raw file is lost: $("$perfolio" info "$tmp/rawzone" | sed -n 3p)"

# A part of it.
"$perfolio" convert --metrics 'disk.dev,kernel.all.cpu.*' --from 03:56:21 --thru 03:56:25 "$raw" "$tmp/part" 2>"$tmp/err" || fail "a part: $(cat "$tmp/err")"
values "$raw" | awk '($2 ~ /^disk\.dev\./ || $2 ~ /^kernel\.all\.cpu\./) && $1 >= 1796010981000000000 && $1 < 1796010986000000000' >"$tmp/a"
values "$tmp/part" >"$tmp/b"
[ -s "$tmp/a" ] && cmp -s "$tmp/a" "$tmp/b" || fail "a part: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
"$perfolio" convert --from 05:00 "$raw" "$tmp/later" 2>"$tmp/err"
[ $? = 4 ] || fail "a time behind the end: status is not 4"
[ -z "$(find "$tmp" -name 'later*')" ] || fail "a time behind the end: files are left"

# Documents.
"$perfolio" convert "$raw" "$tmp/d.json" 2>/dev/null && jq -e . "$tmp/d.json" >/dev/null || fail "json"
"$perfolio" convert "$raw" "$tmp/d.xml" 2>/dev/null && xmllint --noout "$tmp/d.xml" || fail "xml"
"$perfolio" convert --oformat jsonl "$raw" - 2>/dev/null | jq -e -n '[inputs] | length > 5' >/dev/null || fail "jsonl to standard output"
"$perfolio" convert "$raw" "$tmp/d.csv" 2>/dev/null && head -n 1 "$tmp/d.csv" | grep -q '^timestamp,' || fail "csv"

# What cannot be done.
status() { expected=$1; shift; "$perfolio" convert "$@" >"$tmp/out" 2>"$tmp/err"; got=$?; [ $got = "$expected" ] || fail "convert $*: status $got instead of $expected: $(cat "$tmp/err")"; [ -s "$tmp/err" ] || fail "convert $*: says nothing"; }
status 1 "$raw" "$tmp/d.json"
status 1 "$raw" "$tmp/part"
status 2 "$raw"
status 2 "$raw" -
status 2 --metrics '' "$raw" "$tmp/no"
status 2 --from noon "$raw" "$tmp/no"
status 2 --oformat word "$raw" "$tmp/no"
status 4 "$tmp/gone" "$tmp/no"
status 3 "$pcp/broken/cut-v2" "$tmp/saved"
same "$pcp/broken/cut-v2" "$tmp/saved"
status 1 --oformat json "$raw" "$tmp/none/there"
"$perfolio" convert --oformat json "$raw" - >/dev/full 2>"$tmp/err"
[ $? = 1 ] || fail "a full device: status is not 1"
[ -z "$(find "$tmp" -name 'no*')" ] || fail "something is left: $(find "$tmp" -name 'no*')"
exit $failed

#!/bin/bash
# interpolate.sh BUILD - recordings at fixed steps: every value that the real pmval, pmrep and pmlogsummary print of the golden archives, and of one that
# the real pmlogger makes now; raw files, views, --from, --thru, --offset and --align.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
golden=$top/tests/golden/pcp
work=$(mktemp -d "${TMPDIR:-/tmp}/interpolate.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

# What the real tools print of the golden archives.
values=0
for name in a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types; do
	"$perfolio" replay "$golden/$name" --oformat json >recorded.json 2>err || fail "$name: $(cat err)"
	"$perfolio" replay "$golden/$name" --interpolate 1 --oformat json >step1.json 2>err || fail "$name: $(cat err)"
	"$perfolio" replay "$golden/$name" --interpolate .7 --oformat json >step07.json 2>err || fail "$name: $(cat err)"
	"$top/tests/tools/pcp-report" $name "$golden/$name.exp" . >out || fail "$name: $(head -n 3 out)"
	values=$((values + $(sed -n 's/^# \([0-9]*\) values.*/\1/p' out)))
done
[ $values -ge 9000 ] || fail "only $values values were compared"

# times ARGUMENTS - times of day of the samples.
times()
{
	"$perfolio" replay --oformat jsonl "$@" 2>err | jq -r 'select(.metrics) | .timestamp' | while read -r ns; do
		date -u -d "@${ns%?????????}" +%T | tr -d '\n'
		echo "${ns: -9}" | sed 's/^\(...\).*/.\1/'
	done | xargs
}
is()
{
	want=$1
	shift
	have=$(times "$@")
	[ "$have" = "$want" ] || fail "$*: '$have' instead of '$want' $(cat err)"
}
a=$golden/a-v2-basic
is '04:01:12.000 04:01:13.000 04:01:14.000 04:01:15.000' "$a" --interpolate 1 --from 04:01:12
is '04:01:12.000 04:01:12.500' "$a" --interpolate .5 --from 04:01:12 --thru 04:01:12 --offset 0 -c 2
is '04:01:12.000 04:01:14.000' "$a" --interpolate 2 --from 04:01:10-04:01:15 --offset 2
is '04:01:12.501 04:01:14.501' "$a" --interpolate 2s --offset 3.5
is '04:01:13.000 04:01:14.000' "$a" --interpolate 1 --thru 04:01:14 --offset -1
is '04:01:10.000 04:01:12.000 04:01:14.000' "$a" --interpolate 2 --align
is '04:01:13.021 04:01:13.021 04:01:14.021 04:01:15.001' "$a" --offset 4
"$perfolio" replay "$a" --interpolate 0 2>err && fail "steps of no length are taken"
grep -q 'at least a millisecond' err || fail "steps of no length: $(cat err)"
"$perfolio" replay "$a" --interpolate x 2>err && fail "steps of x are taken"
grep -q "'x' is no time" err || fail "steps of x: $(cat err)"
is '04:01:13.001 04:01:14.001 04:01:15.001' "$a" --interpolate 1sec --offset -2sec
is '04:01:13.021 04:01:13.021 04:01:14.021 04:01:15.001' "$a" --from -2sec
is '04:01:12.000 04:01:13.500' "$a" --interpolate 1.5sec --from 2026-11-30T04:01:12Z --thru '2026-11-30 04:01:14'
is '' "$a" --from 18:41:05.5
is '' "$a" --from 2026-12-01
is '04:01:14.021 04:01:15.001' "$a" --from 04:01:13.03
is '04:01:11.021 04:01:11.021 04:01:12.021' "$a" --from 04:01:10.5 --thru 04:01:12.03

# Windows in PCP's words are those of pmval.
# window FROM THRU - steps of half a second
window()
{
	want=$(TZ=UTC pmval -a "$a" -S "$1" -T "$2" -t 500msec -f0 -r kernel.all.load 2>&1 | sed -n 's/^ *\([0-9][0-9]:[0-9:]*\)\.\([0-9]*\) .*/\1 \2/p' |
		awk '{ s = substr($1, 7) + 0; if ($2 == "1000") { s++; $2 = "000" } printf "%s%s%02d.%s", (NR > 1 ? " " : ""), substr($1, 1, 6), s, $2 }')
	[ -n "$want" ] || fail "pmval shows nothing from $1 to $2"
	is "$want" "$a" --interpolate 500msec --from "$1" --thru "$2"
}
if command -v pmval >/dev/null; then
	window @04:01:12 @04:01:14
	window '@ 2026-11-30 04:01:12' -1sec
	window 2sec 1.5sec
	window -2sec -500msec
	window 1sec @04:01:12.5
	window '@Mon Nov 30 04:01:11 2026' '0hour 2 sec'
	window '@Nov 30' 5min
else
	echo "no pmval: windows were compared with nothing"
fi
refuses()
{
	"$perfolio" replay "$a" --from "$1" >out 2>err
	[ $? = 2 ] || fail "--from $1 is taken"
	grep -q "$2" err || fail "--from $1: $(cat err)"
}
refuses 99999999:00:00 'the year 9999 is not from 1970'
refuses 2026-13-01 'there is no month 13'
refuses 20260231 'month 2 has 28 days, there is no day 31'
refuses 25:00 'there is no hour 25'
refuses 'next week' 'a time is such as 18:41'
"$perfolio" convert --from 12:00:61 "$a" refused 2>err && fail "second 61 is taken"
grep -q 'there is no second 61' err || fail "second 61: $(cat err)"

# A time that is false and far away is not walked to step by step: one of the last sample, or of the label and so of the beginning.
python3 - "$a" <<'P'
import struct, sys
def make(name, at, second):
    for part in "0", "meta", "index":
        b = bytearray(open(f"{sys.argv[1]}.{part}", "rb").read())
        ends = [0]
        while part == "0" and ends[-1] < len(b):
            ends.append(ends[-1] + struct.unpack_from(">I", b, ends[-1])[0])
        if at == "label":
            struct.pack_into(">I", b, 12, second)
        elif part == "0":
            struct.pack_into(">I", b, ends[-2] + 4, second)
        open(f"{name}.{part}", "wb").write(b)
make("farlast", "last", 2147000000)
make("farlabel", "label", 1000)
P
for name in farlast farlabel; do
	for view in "--oformat jsonl" "-scm"; do
		# shellcheck disable=SC2086
		timeout 60 "$perfolio" replay $name --interpolate .001 $view >out 2>err || fail "$name, $view: exit $? $(cat err)"
		n=$(wc -l <out)
		[ "$n" -gt 3000 ] && [ "$n" -lt 9000 ] || fail "$name, $view: $n lines"
	done
done
timeout 60 "$perfolio" replay farlast --interpolate 1 --oformat jsonl 2>err | tail -n 1 >out
grep -q 'nothing is recorded between 2026-11-30 and 2038-01-13, 4062 days' err || fail "years without samples are not told: $(cat err)"
grep -q '^{"timestamp":1796011274' out || fail "years without samples: the last step is $(cut -c1-100 out)"
timeout 60 "$perfolio" replay "$a" --interpolate .001 --from 1970-01-01 -c 5 >out 2>err || fail "--from 1970: exit $? $(cat err)"

# A raw file has the same values at the same steps as an archive made of it, and every view shows steps.
raw=$(find "$golden/../collectl/raw" -name 'cdnm-vm-*.raw.gz' | head -n 1)
"$perfolio" convert "$raw" copy 2>err || fail "convert: $(cat err)"
# values FILE ARGUMENTS
values()
{
	"$perfolio" replay --oformat jsonl "$@" 2>err | jq -r 'select(.metrics) | .timestamp as $t | .metrics[] | .name as $n |
		(.instances // [.])[] | select(has("value")) | "\($t) \($n) \(.instance // "") \(.value)"' | sort
}
values "$raw" --interpolate .3 --from 3:56:05 >of.raw
values copy --interpolate .3 --from 20261130:03:56:05 >of.copy
[ "$(wc -l <of.raw)" -gt 5000 ] || fail "steps of a raw file: $(wc -l <of.raw) values $(cat err)"
cmp -s of.raw of.copy || fail "steps of a raw file and its archive: $(diff of.raw of.copy | head -n 3)"
for view in "-scdnm" "-scdnm --verbose" "-sCDN" "-P -scdnm" "--export vmstat" "--oformat csv" "--oformat xml"; do
	# shellcheck disable=SC2086
	"$perfolio" replay "$raw" --interpolate 2 $view >out 2>err || fail "$view: $(cat err)"
	[ "$(wc -l <out)" -ge 5 ] || fail "$view shows $(wc -l <out) lines"
done
"$perfolio" replay "$raw" --interpolate 2 -sc -oT | grep -v '^#' | cut -c1-8 | xargs >out
[ "$(cut -d' ' -f1-3 out)" = '03:56:05 03:56:07 03:56:09' ] || fail "steps of a raw file: $(cat out)"

# Parts of a recording in a folder are one here, too.
mkdir parts
"$perfolio" convert --thru 03:56:09 "$raw" parts/1 2>err || fail "convert: $(cat err)"
"$perfolio" convert --from 03:56:08 "$raw" parts/2 2>err || fail "convert: $(cat err)"
values parts --interpolate .3 --from 20261130:03:56:05 >of.parts
cmp -s of.copy of.parts || fail "steps of two parts: $(diff of.copy of.parts | head -n 3)"

# By the name of the peer, --offset is its abbreviation of --offsettime.
ln -s "$perfolio" collectl
./collectl -p "$raw" -sc -oT --offset 3600 >out 2>err
./collectl -p "$raw" -sc -oT --offsettime 3600 >want
cmp -s out want || fail "collectl --offset is not --offsettime: $(head -n 3 out) $(cat err)"
exit $bad

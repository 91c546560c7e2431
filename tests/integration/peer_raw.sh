#!/bin/sh
# peer_raw.sh BUILD - raw files go both ways: the real collectl shows ours as we do, whole and after a kill.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
peer=$(command -v collectl) || { echo "collectl is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/peer-raw.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
bad=0

fail()
{
	echo "$*"
	bad=1
}

# same WHAT FILES ARGUMENT... - both programs print the same.
same()
{
	what=$1 files=$2
	shift 2
	"$peer" -p "$files" "$@" >"$work/peer" 2>/dev/null </dev/null
	"$ours" -p "$files" "$@" >"$work/ours" 2>"$work/err" </dev/null || fail "$what $*: status $?: $(head -n 1 "$work/err")"
	cmp -s "$work/peer" "$work/ours" ||
		fail "$what $*: $(diff "$work/peer" "$work/ours" | sed -n '2p') (collectl's) is not $(diff "$work/peer" "$work/ours" | grep '^>' | head -n 1) (ours)"
}

"$perfolio" -scdnm -i 0.2 -c 25 --comment "a comment" -f "$work/" || fail "recording fails"
file=$(ls "$work"/*.raw.gz)
gzip -t "$file" || fail "the raw file is no whole gzip file"
[ "$(zcat "$file" | grep -c '^>>> ')" -eq 27 ] || fail "not 26 samples and a closing marker in the raw file"
for arguments in "" "-oT" "-oDm" "--verbose" "-sCDN" "-P" "-P -sCDN -o2" "-sm --memopts R" "-sn --netfilt lo" "-on -w"; do
	same "whole file" "$file" $arguments
done
same "header" "$file" --showheader
for arguments in "" "-oT" "-scd" "-sC" "-sCDN -P" "-sn --verbose" "--from 23:59:59"; do
	same "headings" "$file" --showcolheaders $arguments
done
same "raw lines" "$file" -sc -d4
same "nothing but the first sample" "$file" --thru "$(date -u -d @"$(zcat "$file" | sed -n 's/^>>> \([0-9]*\).*/\1/p' | head -n 1)" +%H:%M:%S)" -sm -oTm
same "time behind the end" "$file" --from 23:59:59

# subsys PROGRAM - the line of the header that repeats -s and -o.
subsys()
{
	"$1" --showheader -scd -oTm 2>/dev/null | grep '^# SubSys'
}
[ "$(subsys "$peer")" = "$(subsys "$ours")" ] || fail "in the header stands '$(subsys "$ours")', in collectl's '$(subsys "$peer")'"

# Everything that both know, recorded by each. Letters of our own do not disturb the other.
mkdir "$work/all"
"$perfolio" -sbcdfijmnstBCDFJMNTqp -i 0.2 -c 8 --tcpfilt ituTIc -f "$work/all/" 2>/dev/null || fail "recording all fails"
mkdir "$work/theirs"
"$peer" -sbcdfijmnstCDFJMNT -i 1 -c 3 -f "$work/theirs/all" >/dev/null 2>&1 </dev/null
for file in "$work"/all/*.raw.gz "$work"/theirs/*.raw.gz; do
	for arguments in "" "-sbcdfijmnst" "-sbcdfijmnst -oTm" "--verbose" "-sbt --verbose -oT" "-sJ" "-sj --intfilt LOC" "-sCj" "-sB" "-sM" "-sf --verbose" \
		"-sF" "-st --tcpfilt ituc" "-st --tcpfilt ituTIc --verbose" "-P -sbcdfijmnst" "-P -sBCDFMNT" "-P -sT --tcpfilt ituTIc" "-P -sj" \
		"-sbj -on" "-sj --cpufilt 0"; do
		same "all of $(basename "$(dirname "$file")")" "$file" $arguments
	done
done

# What a killed recorder leaves: all but the interval that was under way.
mkdir "$work/killed"
"$perfolio" -scdnm -i 0.05 -f "$work/killed/" &
pid=$!
tries=0
until [ "$tries" -ge 200 ] || [ "$(zcat "$work"/killed/*.raw.gz 2>/dev/null | grep -c '^>>> ')" -ge 20 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
kill -9 $pid
wait $pid 2>/dev/null
killed=$(ls "$work"/killed/*.raw.gz)
same "file of a killed recorder" "$killed" -oTm
shown=$("$ours" -p "$killed" -oTm 2>/dev/null | grep -vc '^#')
marks=$(zcat "$killed" 2>/dev/null | grep -c '^>>> ')
[ "$shown" -ge $((marks - 2)) ] || fail "$shown intervals are shown of $marks that a killed recorder had begun"

exit $bad

#!/bin/sh
# diskfull.sh BUILD - a disk that is full, or broken, for a while: told in one sentence, other outputs go on, recording resumes when there is room
# again, the gap is marked, and the end says what was lost.
set -u
build=$1
perfolio=$build/perfolio
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/diskfull.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
preload=$build/tests/integration/faulty.so
case $(ldd "$perfolio") in *libasan*) preload="$(gcc -print-file-name=libasan.so) $preload" ;; esac

fail()
{
	echo "$*"
	bad=1
}

until_true()
{
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] || return 1
		sleep 0.05
	done
}

# is_told COUNT - has the recorder said so many sentences?
is_told()
{
	[ "$(grep -c . "$work/err")" -ge "$1" ]
}

# grown FILE - is it larger than $size?
grown()
{
	[ "$(cat $1 | wc -c)" -gt $((size + 2000)) ]
}

start()
{
	: >"$work/control"
	: >"$work/out"
	FAULTY=$work/control LD_PRELOAD=$preload "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
}

# break_disk WHAT FILES ERRNO - wait for data, fail writes until that is told and for a while after, let them work again, wait for more data.
break_disk()
{
	size=0
	until_true grown "$2" || fail "$1: nothing is written"
	echo "write $work/d/ errno $3" >"$work/control"
	until_true is_told 1 || fail "$1: not told"
	sleep 1.2 # a gap that is long enough to be one
	: >"$work/control"
	size=$(cat $2 | wc -c)
	until_true grown "$2" || fail "$1: writing does not resume"
}

finish()
{
	kill -TERM $pid
	wait $pid
	status=$?
	[ $status -eq 1 ] || fail "$1: status $status instead of 1"
	[ "$(grep -c 'trying again' "$work/err")" -eq 1 ] || fail "$1: told $(grep -c 'trying again' "$work/err") times instead of once: $(cat "$work/err")"
	grep -q "$2" "$work/err" || fail "$1: the reason is not told: $(head -n 1 "$work/err")"
}

mkdir "$work/d"
for number in 28 5; do
	[ $number -eq 28 ] && reason="No space left on device" || reason="Input/output error"

	# Documents.
	for format in json jsonl xml csv; do
		rm -f "$work/d/doc"
		start "$perfolio" -scm -i 0.05 --oformat $format --output "$work/d/doc"
		break_disk "$format and error $number" "$work/d/doc" $number
		finish "$format and error $number" "$reason"
		grep -q 'samples are lost' "$work/err" || fail "$format and error $number: the loss is not told at the end"
		case $format in
		json) jq -e '.perfolio.samples | (map(select(.gap)) | length) == 1 and (map(select(.metrics)) | length) > 1' "$work/d/doc" >/dev/null ||
			fail "$format and error $number: no valid document with one gap" ;;
		jsonl) [ "$(jq -c 'select(.gap)' "$work/d/doc" | wc -l)" -eq 1 ] || fail "$format and error $number: no valid lines with one gap" ;;
		xml) ! command -v xmllint >/dev/null || xmllint --noout "$work/d/doc" || fail "$format and error $number: no valid document" ;;
		esac
	done

	# Archives.
	rm -f "$work"/d/*
	start "$perfolio" log -scm -i 0.05 "$work/d/a"
	break_disk "archive and error $number" "$work/d/a.0" $number
	finish "archive and error $number" "$reason"
	for check in /usr/lib/pcp/bin/pmlogcheck /usr/bin/pmlogcheck; do
		[ ! -x $check ] || { $check "$work/d/a" >"$work/check" 2>&1 || fail "archive and error $number: $(head -n 1 "$work/check")"; break; }
	done
	"$perfolio" replay "$work/d/a" --oformat json >"$work/doc" 2>"$work/err" || fail "archive and error $number: replay ends with $?: $(head -n 1 "$work/err")"
	[ "$(jq '[.perfolio.samples[] | select(.gap)] | length' "$work/doc")" -eq 1 ] || fail "archive and error $number: no gap in the replay"

	# Raw files. What has been packed already is kept, so intervals are lost only when much has piled up.
	rm -f "$work"/d/*
	start "$perfolio" -scm -i 0.01 -f "$work/d/x" --flush 0
	break_disk "raw and error $number" "$work/d/x-*.raw.gz" $number
	kill -TERM $pid
	wait $pid
	[ "$(grep -c 'trying again' "$work/err")" -eq 1 ] || fail "raw and error $number: told $(grep -c . "$work/err") times"
	gzip -t "$work"/d/x-*.raw.gz || fail "raw and error $number: the file is damaged"
	"$perfolio" replay "$work"/d/x-*.raw.gz --oformat json 2>"$work/err" | jq -e '.perfolio.samples | length > 100' >/dev/null ||
		fail "raw and error $number: replay fails: $(head -n 1 "$work/err")"
done

# A recorder that was stopped for some intervals: a gap, and no rates over it.
: >"$work/out"
"$perfolio" -scm -i 0.1 --oformat jsonl >"$work/out" 2>"$work/err" </dev/null &
pid=$!
size=0
until_true grown "$work/out" || fail "nothing is written"
kill -STOP $pid
sleep 2.5
kill -CONT $pid
size=$(cat "$work/out" | wc -c)
until_true grown "$work/out" || fail "nothing is written after a stop"
kill -TERM $pid
wait $pid || fail "after a stop: status $?"
[ "$(jq -c 'select(.gap and .gap.until - .gap.from > 2000000000)' "$work/out" | wc -l)" -eq 1 ] || fail "a stop is not marked as a gap"
jq -se '(map(has("gap")) | index(true)) as $i | .[$i + 1] | has("interval") == false and (.metrics | map(has("rate")) | any | not)' "$work/out" >/dev/null ||
	fail "a sample behind a gap has rates"
[ "$(jq -s '[.[] | select(.interval and .interval > 2000000000)] | length' "$work/out")" -eq 0 ] || fail "an interval is as long as the stop"
exit $bad

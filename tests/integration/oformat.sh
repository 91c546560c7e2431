#!/bin/sh
# perfolio --oformat: every format live and in playback, cut after any write, interrupted, refused, on a full disk.
build=$1
here=$(cd "$(dirname "$0")/.." && pwd)
tools=$here/tools
schema=$here/../docs/samples.schema.json
perfolio=$build/perfolio
raw=$(ls "$here"/golden/collectl/raw/cdnm-*.raw.gz 2>/dev/null | head -n 1)
command -v python3 >/dev/null || { echo "python3 is not installed: documents cannot be checked"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# valid FORMAT FILE WHAT
valid() {
	case $1 in
	jsonl*) "$tools/schema-check" --lines perfolio.samples "$schema" "$2" >"$tmp/why" || fail "$3: $(cat "$tmp/why")" ;;
	json*) "$tools/schema-check" "$schema" "$2" >"$tmp/why" || fail "$3: $(cat "$tmp/why")"
		! command -v jq >/dev/null || jq -e . "$2" >/dev/null || fail "$3: jq refuses it" ;;
	xml*) ! command -v xmllint >/dev/null || xmllint --noout "$2" || fail "$3: xmllint refuses it" ;;
	esac
}

for format in json json,pretty json,header jsonl xml xml,pretty html csv; do
	"$tools/cut-check" --min 4 --keep "$tmp/out" "${format%%,*}" perfolio "$perfolio" --oformat $format -c3 -i.05 || fail "live as $format"
	valid $format "$tmp/out" "live as $format"
	for signal in INT TERM; do
		"$tools/cut-check" --min 2 --signal $signal --keep "$tmp/out" "${format%%,*}" perfolio "$perfolio" --oformat $format -i.05 ||
			fail "live as $format with SIG$signal"
		valid $format "$tmp/out" "live as $format with SIG$signal"
	done
	[ -n "$raw" ] || continue
	"$perfolio" replay "$raw" --oformat $format >"$tmp/out" || fail "replay as $format: exit status $?"
	valid $format "$tmp/out" "replay as $format"
done

# What was not selected is not there.
"$perfolio" -sd --oformat jsonl -c1 -i.05 >"$tmp/out" || fail "-sd: exit status $?"
grep -q '"disk\.all\.read"' "$tmp/out" || fail "-sd shows no disks"
grep -q '"kernel\.all\.cpu' "$tmp/out" && fail "-sd shows cpus too"

# refused STATUS SENTENCE ARGUMENTS...
refused() {
	want=$1
	sentence=$2
	shift 2
	"$perfolio" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	[ $status -eq "$want" ] || fail "perfolio $*: exit status $status, not $want"
	[ ! -s "$tmp/out" ] || fail "perfolio $*: writes to standard output"
	grep -qF -e "$sentence" "$tmp/err" || fail "perfolio $*: says '$(cat "$tmp/err")', not '$sentence'"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || fail "perfolio $*: more than one sentence"
}
refused 2 "'yaml' is no output format: use json, xml, html, jsonl, csv or none" --oformat yaml -c1
refused 2 "'xml' is a second output format" --oformat json,xml -c1
refused 2 "names no output format" --oformat pretty -c1
refused 2 "indent=17: want a number from 0 to 16" --oformat json,indent=17 -c1
refused 1 "/nowhere" --oformat json -c1 --output "$tmp/nowhere/x"

# A reader that goes away is no error; a full disk is, and leaves a whole document.
{ "$perfolio" --oformat json -i.02 2>"$tmp/err"; echo $? >"$tmp/status"; } | head -c 100 >/dev/null
[ "$(cat "$tmp/status")" -eq 0 ] || fail "a closed pipe: exit status $(cat "$tmp/status")"
[ ! -s "$tmp/err" ] || fail "a closed pipe: $(cat "$tmp/err")"
if [ -c /dev/full ]; then
	"$perfolio" --oformat json -c1 -i.02 >/dev/full 2>"$tmp/err"
	[ $? -eq 1 ] || fail "a full disk: exit status is not 1"
	grep -q "writing the output failed: No space left on device" "$tmp/err" || fail "a full disk: $(cat "$tmp/err")"
fi
(trap '' XFSZ; ulimit -f 64; exec "$perfolio" --oformat json -i.02 -c1000) >"$tmp/limited" 2>"$tmp/err"
[ $? -eq 1 ] || fail "a file that may not grow: exit status is not 1"
grep -q "writing the output failed: File too large" "$tmp/err" || fail "a file that may not grow: $(cat "$tmp/err")"
valid json "$tmp/limited" "a file that may not grow"
"$perfolio" --oformat json -c1 -i.02 --output "$tmp/file" >"$tmp/out" || fail "--output: exit status $?"
[ ! -s "$tmp/out" ] || fail "--output writes to standard output"
valid json "$tmp/file" "--output"

# The commands of docs/samples.md do what they say.
mkdir "$tmp/examples"
PATH=$(cd "$build" && pwd):$PATH
if command -v jq >/dev/null && command -v xmllint >/dev/null; then
	(cd "$tmp/examples" && perfolio record web1.folio -c2 -i.1 >/dev/null 2>&1) || fail "web1.folio cannot be recorded"
	sed -n '/^## Examples/,$s/^    //p' "$here/../docs/samples.md" >"$tmp/commands"
	[ -s "$tmp/commands" ] || fail "docs/samples.md has no examples"
	while read -r command; do
		(cd "$tmp/examples" && sh -c "$command" >"$tmp/out" 2>&1 </dev/null) || fail "$command: exit status $?: $(head -n 3 "$tmp/out")"
		[ -s "$tmp/out" ] || fail "$command: prints nothing"
	done <"$tmp/commands"
fi
exit $failed

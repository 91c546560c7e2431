#!/bin/sh
# dtrace -x oformat and perfolio trace --oformat: every format, cut after any write, interrupted, refused, on a full disk.
build=$1
here=$(cd "$(dirname "$0")/.." && pwd)
tools=$here/tools
schema=$here/../docs/oformat.schema.json
dtrace=$build/compat/dtrace
command -v python3 >/dev/null || { echo "python3 is not installed: documents cannot be checked"; exit 77; }
[ -x "$dtrace" ] || { echo "this build has no dtrace"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
if ! "$dtrace" -q -n 'BEGIN { exit(0); }' 2>"$tmp/err"; then
	grep -qE 'CAP_|lockdown|BTF|built without' "$tmp/err" && { cat "$tmp/err"; exit 77; }
	fail "BEGIN cannot be traced: $(cat "$tmp/err")"
fi

# valid FORMAT FILE WHAT
valid() {
	case $1 in
	*bigstr*) ;;
	jsonl*) "$tools/schema-check" --lines dtrace.probes "$schema" "$2" >"$tmp/why" || fail "$3: $(cat "$tmp/why")" ;;
	json*) "$tools/schema-check" "$schema" "$2" >"$tmp/why" || fail "$3: $(cat "$tmp/why")"
		! command -v jq >/dev/null || jq -e . "$2" >/dev/null || fail "$3: jq refuses it" ;;
	xml*) ! command -v xmllint >/dev/null || xmllint --noout "$2" || fail "$3: xmllint refuses it" ;;
	esac
}

all='
	BEGIN { trace("a\377<&>\"\001"); trace((int64_t)-1); printf("%s %d\n", execname, pid); }
	syscall::openat:entry { @[execname, probefunc] = count(); @q["x"] = quantize(pid); @l = lquantize(pid, 0, 100, 10); }
	tick-50ms { printf("%d\n", cpu); stack(3); ustack(3); sym(0); }
	tick-50ms / n++ == 5 / { printa(@q); trace(*(int *)16); }
	tick-500ms { exit(0); }'
for format in json json,pretty json,header json,bigstr xml xml,pretty html; do
	"$tools/cut-check" --min 3 --keep "$tmp/out" "${format%%,*}" dtrace "$dtrace" -q -O -x oformat=$format -n "$all" 2>"$tmp/err" ||
		fail "D as $format: $(cat "$tmp/err")"
	valid $format "$tmp/out" "D as $format"
	for signal in INT TERM HUP; do
		"$tools/cut-check" --min 2 --signal $signal --keep "$tmp/out" "${format%%,*}" dtrace \
			"$dtrace" -q -x oformat=$format -n 'tick-20ms { trace(execname); } END { trace("the end"); }' || fail "D as $format with SIG$signal"
		valid $format "$tmp/out" "D as $format with SIG$signal"
		grep -q "the end" "$tmp/out" || fail "D as $format with SIG$signal: END is not there"
	done
done
for format in json jsonl csv; do
	"$tools/cut-check" --min 1 --keep "$tmp/out" $format dtrace "$build/perfolio" trace -q --oformat $format \
		-n 'BEGIN { trace("a,\"b"); trace(2); exit(0); }' || fail "perfolio trace --oformat $format"
	valid $format "$tmp/out" "perfolio trace --oformat $format"
done
grep -q ',output\.1\.value,2$' "$tmp/out" || fail "csv has no row for a value: $(cat "$tmp/out")"

# A document without a single probe is one.
"$dtrace" -q -x oformat=json -n 'BEGIN { @a = count(); } tick-20ms { exit(0); }' >"$tmp/out" || fail "no records: exit status $?"
valid json "$tmp/out" "no records"

for words in yaml json,xml jsonl '' json,indent=17; do
	"$dtrace" -q -x "oformat=$words" -n 'BEGIN { exit(0); }' >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 1 ] || fail "-x oformat=$words: exit status is not 1"
	[ "$(cat "$tmp/err")" = "dtrace: failed to set -x oformat: Invalid value for specified option" ] || fail "-x oformat=$words: $(cat "$tmp/err")"
	[ ! -s "$tmp/out" ] || fail "-x oformat=$words writes to standard output"
done

{ "$dtrace" -q -x oformat=json -n 'tick-20ms { trace(1); }' 2>"$tmp/err"; echo $? >"$tmp/status"; } | head -c 100 >/dev/null
[ "$(cat "$tmp/status")" -eq 0 ] || fail "a closed pipe: exit status $(cat "$tmp/status")"
[ ! -s "$tmp/err" ] || fail "a closed pipe: $(cat "$tmp/err")"
if [ -c /dev/full ]; then
	"$dtrace" -q -x oformat=json -n 'tick-20ms { trace(1); }' >/dev/full 2>"$tmp/err"
	[ $? -eq 1 ] || fail "a full disk: exit status is not 1"
	grep -q "No space left on device" "$tmp/err" || fail "a full disk: $(cat "$tmp/err")"
fi

# -o truncates a document and appends text.
for run in 1 2; do
	"$dtrace" -q -x oformat=json -o "$tmp/file" -n 'BEGIN { trace(1); exit(0); }' >"$tmp/out" || fail "-o: exit status $?"
	[ ! -s "$tmp/out" ] || fail "-o leaves something on standard output"
	valid json "$tmp/file" "-o, run $run"
done
exit $failed

#!/bin/sh
# anyview.sh BUILD - any source, any view: the live host, a raw file and a folio, each in every view and format, with the same metrics.
set -u
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
perfolio=$build/perfolio
for tool in jq xmllint; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/anyview.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

raw=$(find "$source/tests" -name 'cdnm-vm-*.raw.gz' | head -n 1)
"$perfolio" record "$work/run.folio" -c 3 -i 0.2 >"$work/out" 2>"$work/err" || fail "record fails: $(head -n 1 "$work/err")"

# show NAME COMMAND... - the source in every view.
show()
{
	name=$1
	shift
	for view in "" "--verbose" "-P" "-oT"; do
		"$@" $view >"$work/text" 2>"$work/err" || fail "$name $view: $(head -n 1 "$work/err")"
		[ "$(grep -vc '^#' "$work/text")" -ge 2 ] || fail "$name $view: too few lines of data"
	done
	"$@" --oformat json >"$work/$name.json" 2>"$work/err" || fail "$name as JSON: $(head -n 1 "$work/err")"
	jq -e '.perfolio.samples | length >= 2' "$work/$name.json" >/dev/null || fail "$name as JSON: not two samples"
	"$@" --oformat jsonl 2>/dev/null | jq -e . >/dev/null || fail "$name as JSON lines: not valid"
	"$@" --oformat xml 2>/dev/null | xmllint --noout - || fail "$name as XML: not valid"
	"$@" --oformat html >"$work/text" 2>/dev/null || fail "$name as HTML fails"
	grep -q '<' "$work/text" || fail "$name as HTML: no element"
	"$@" --oformat csv >"$work/text" 2>/dev/null || fail "$name as CSV fails"
	[ "$(head -n 1 "$work/text" | tr -cd , | wc -c)" -ge 3 ] || fail "$name as CSV: no heading"
	jq -r '.perfolio.samples[-1].metrics[].name' "$work/$name.json" | sort -u >"$work/$name.names"
	for metric in kernel.all.cpu.user disk.dev.read network.interface.in.bytes mem.util.free; do
		grep -qx "$metric" "$work/$name.names" || fail "$name: no metric $metric"
	done
}

show live "$perfolio" -scdnm -c 3 -i 0.2
show raw "$perfolio" replay "$raw"
show folio "$perfolio" replay "$work/run.folio"
exit $bad

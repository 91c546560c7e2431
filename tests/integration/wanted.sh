#!/bin/bash
# wanted.sh BUILD - what is asked of a recording and is not in it is told, with a status that says so, and no file is left.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/wanted.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for part in 0 meta index; do
	cp "$top/tests/golden/pcp/a-v2-basic.$part" "A.$part"
done
raw=$(find "$top/tests/golden/collectl/raw" -name 'cdnm-vm-*.raw.gz' | head -n 1)
bad=0

fail()
{
	echo "$*"
	bad=1
}

# gives STATUS SENTENCE COMMAND... - the status, and one line on standard error that begins so.
gives()
{
	status=$1 sentence=$2
	shift 2
	"$perfolio" "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$status" ] || fail "$*: status $got in place of $status: $(cat err)"
	grep -qF -e "$sentence" err || fail "$*: says $(cat err)"
}
none()
{
	[ -z "$(find . -name 'new*')" ] || fail "$1: $(find . -name 'new*' | xargs) is left"
}

# Patterns that nothing is called as.
for in in A "$raw"; do
	for out in new new.json new.om new.csv; do
		gives 4 "$in: no metric with a value is called 'nosuch'; " convert --metrics nosuch "$in" $out
		none "$in to $out, no metric"
		gives 4 "no metric with a value is called 'nosuch', 'n*m'; " convert --metrics 'nosuch,n*m' "$in" $out
		gives 4 "$in: no instance with a value is called 'nosuch'; " convert --instances nosuch "$in" $out
		none "$in to $out, no instance"
	done
	gives 0 "$in: no metric with a value is called 'nosuch'" convert --metrics nosuch,kernel.all "$in" new.jsonl
	grep -q '"kernel.all.cpu.user"' new.jsonl || fail "$in: what matches is not there"
	rm new.jsonl
	gives 0 "$in: no instance with a value is called 'x*'" convert --metrics kernel.percpu --instances 'x*,cpu0' "$in" new.jsonl
	rm new.jsonl
	"$perfolio" convert --metrics 'kernel.percpu,kernel.all' --instances 'cpu*' "$in" new.jsonl 2>err || fail "$in: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || fail "$in: what matches is warned about: $(cat err)"
	rm new.jsonl
done

# Formats that there are.
gives 2 "'pdf' is no format; json, jsonl, xml, html, csv, openmetrics and archive are" convert --oformat pdf A new
gives 2 "openmetrics and archive are" convert --oformat text A new
gives 2 "'foo'" convert --oformat json,foo A new
none "no format"
exit $bad

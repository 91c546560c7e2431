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
	[ -z "$sentence" ] || cat out err | grep -qF -e "$sentence" || fail "$*: says $(cat err)"
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

# Help texts of an archive.
for out in 'convert A new.om' "convert --oformat openmetrics A -"; do
	# shellcheck disable=SC2086
	gives 0 '' $out
	[ ! -f new.om ] || mv new.om out
	grep -qx '# HELP kernel_uname_release release level of the running kernel' out || fail "$out: $(grep HELP out | head -n 3)"
done
gives 0 '' replay A --export openmetrics,f=new.om
grep -q '^# HELP kernel_all_load 1, 5 and 15 minute load average' new.om || fail "the exporter: $(grep HELP new.om | head -n 3)"
rm new.om

# Nothing in that time, and steps that are too long.
for in in A "$raw"; do
	for view in -sc '-sc --verbose' '-sc -P' '--oformat json' '--export vmstat'; do
		# shellcheck disable=SC2086
		gives 4 'nothing to show: no interval lies within the recording and the wanted time' replay "$in" --from 12:00 --thru 12:01 $view
	done
	gives 4 'nothing to show: no interval lies' replay "$in" --interpolate 5m -sc
	gives 0 '' replay "$in" --from 3:00 --thru 5:00 -sc
done
ln -s "$perfolio" collectl
./collectl -p "$raw" --from 12:00 --thru 12:01 -sc >out 2>err || fail "by the name collectl: status $? $(cat err)"

# Recordings that are not there: the same status as of the others, before anything is shown.
for command in info verify replay 'replay -p'; do
	# shellcheck disable=SC2086
	gives 4 nosuch $command nosuch.raw
done
gives 4 nosuch convert nosuch new
gives 4 'disk.dev.read: No such file or directory; if it is a metric: --metrics disk.dev.read shows it' replay A disk.dev.read
[ ! -s out ] || fail "something was played: $(head -n 2 out)"
gives 4 './gone: No such file' replay A ./gone
[ ! -s out ] || fail "something was played: $(head -n 2 out)"

# Only some metrics and instances.
gives 0 '' replay A --oformat jsonl --metrics 'kernel.percpu,kernel.all.load' --instances 'cpu1,1 minute'
jq -r 'select(.metrics) | .metrics[] | .name as $n | .instances[] | "\($n) \(.instance)"' out | sort -u | xargs >have
[ "$(cat have)" = 'kernel.all.load 1 minute kernel.percpu.cpu.user cpu1' ] || fail "replay --metrics: $(cat have)"
gives 0 "A: no metric with a value is called 'nosuch'" replay A --oformat jsonl --metrics 'nosuch,hinv'
gives 4 "A: no metric with a value is called 'nosuch'; " replay A --oformat json --metrics nosuch
jq -e . out >/dev/null || fail "the document without a metric is not valid"
gives 4 "A: no instance with a value is called 'nosuch'; " replay A --oformat json --instances nosuch
gives 2 '--metrics takes 1 to 64' replay A --oformat json --metrics ,
for view in '' -sc -P --verbose '--export vmstat'; do
	# shellcheck disable=SC2086
	gives 2 'choose what documents show: add --oformat' replay A --metrics disk $view
done
gives 2 'choose from recordings' watch --oformat json --metrics disk
exit $bad

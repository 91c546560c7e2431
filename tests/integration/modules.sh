#!/bin/sh
# modules.sh BUILD - what cannot be imported is refused in one sentence with status 1, and what fails later does not stop the rest.
set -u
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/modules.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mods=$build/tests/modules
bad=0

say()
{
	echo "$*"
	bad=1
}

# refused WORDS SPEC [COLLECTL-WORDS] - under both names: status 1, nothing on standard output under perfolio, the words in one line.
refused()
{
	words=$1 spec=$2 other=${3:-$1}
	timeout 20 "$build/perfolio" --import "$spec" -c 1 -i .1 >"$work/out" 2>"$work/err" </dev/null
	rc=$?
	[ $rc = 1 ] || say "$spec: exit $rc, not 1"
	[ -s "$work/out" ] && say "$spec: something was shown"
	[ "$(wc -l <"$work/err")" = 1 ] || say "$spec: not one line but: $(cat "$work/err")"
	grep -qF "$words" "$work/err" || say "$spec: '$words' is not in: $(cat "$work/err")"
	timeout 20 "$build/compat/collectl" --import "$spec" -c 1 -i .1 >"$work/out" 2>&1 </dev/null
	rc=$?
	[ $rc = 1 ] || say "collectl $spec: exit $rc, not 1"
	grep -qF "$other" "$work/out" || say "collectl $spec: '$other' is not in: $(cat "$work/out")"
}

cd "$work" || exit 1
echo text >text.so
refused "it is no shared object" ./text.so
refused "there is no ./nosuch.so, ./nosuch.ph, " nosuch "can't find import file 'nosuch.ph' in ./ OR /usr/share/collectl/"
refused "there is no /nosuch/nosuch.so" /nosuch/nosuch.so "can't find import file '/nosuch/nosuch.so'"
refused "there is no ./nosuch.ph" ./nosuch.ph "can't find import file './nosuch.ph'"
refused "built for module API 2.7" "$mods/major.so"
refused "its struct ends after" "$mods/short.so"
refused "it has no symbol perfolio_module" "$mods/nosymbol.so"
refused "a module without a name" hello:
refused "is there twice" hello:hello
cp "$build/modules/hello.so" mine.so
chmod 646 mine.so
refused "others may write the file" ./mine.so
mkdir open
cp "$build/modules/hello.so" open/mine.so
chmod 755 open/mine.so
chmod 777 open
refused "others may write the folder" ./open/mine.so

# error() ends collectl with its text, and switches the module off elsewhere.
timeout 20 "$build/compat/collectl" --import hello,x -c 1 >out 2>/dev/null </dev/null
rc=$?
printf "Error: valid hw options are: s,d and sd\ntype 'collectl -h' for help\n" >want
[ $rc = 1 ] || say "collectl --import hello,x: exit $rc, not 1"
cmp -s out want || say "collectl --import hello,x: $(cat out)"
timeout 20 "$build/perfolio" -s c --import hello,x -c 1 -i .1 >out 2>err </dev/null || say "a module that fails stops perfolio: exit $?"
grep -q 'module hello: valid hw options are: s,d and sd, going on without it' err || say "a module that fails is not named: $(cat err)"
timeout 20 "$build/perfolio" -s c --import "$mods/order.so,$work/log,fail" -c 2 -i .1 >out 2>err </dev/null || say "GetData that fails stops perfolio"
[ "$(grep -c 'module order: get_data: Input/output error, going on without it' err)" = 1 ] || say "GetData that fails: $(cat err)"
[ "$(grep -c GetData log)" = 1 ] || say "a module that failed is still called"
timeout 20 "$build/perfolio" --import hello,x -c 1 -i .1 >out 2>err </dev/null
[ $? = 1 ] || say "perfolio with nothing left to show does not exit with 1"

# Metrics that are declared when their data is there: in every format from that sample on, and in an archive.
timeout 20 "$build/perfolio" --import "$mods/late.so" -c 4 -i .1 --oformat json >out 2>err </dev/null || say "late: exit $?: $(cat err)"
jq -e '[.perfolio.samples[].metrics | length] == [1, 2, 2, 2]' out >jq.out 2>&1 || say "late: not these metrics: $(cat out)"
jq -e '.perfolio.samples[1].metrics[1] == {"name": "late.queue.left", "semantics": "instant", "units": "count",
	"instances": [{"instance": "left", "value": 7}]}' out >jq.out 2>&1 || say "late: not this value: $(cat out)"
timeout 20 "$build/perfolio" --import "$mods/late.so" -c 4 -i .1 -P >out 2>err </dev/null
[ "$(grep -c '^#Date' out)" = 2 ] || say "late: plots have no new heading: $(cat out)"
timeout 60 "$build/perfolio" record "$work/folio" -s c --import "$mods/late.so" -c 4 -i .1 >out 2>&1 </dev/null || say "late: not recorded: $(cat out)"
"$build/perfolio" replay "$work/folio" --oformat json | jq -e '[.perfolio.samples[].metrics[]? | select(.name == "late.queue.left")] | length == 3' \
	>jq.out 2>&1 || say "late: not in the archive"
exit $bad

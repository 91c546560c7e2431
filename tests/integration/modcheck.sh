#!/bin/sh
# modcheck.sh BUILD - `perfolio modules` lists what can be found, and --check names each fault of a module.
set -u
build=$1
mods=$build/tests/modules
work=$(mktemp -d "${TMPDIR:-/tmp}/modcheck.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
# Sanitizers would take the signal for themselves.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:allow_user_segv_handler=1

say()
{
	echo "$*"
	bad=1
}

# check WORD STATUS TEXT - the module that misbehaves like this gets that status and text.
check()
{
	"$build/perfolio" modules --check "$mods/unruly.so${1:+,$1}" >"$work/out" 2>"$work/err"
	rc=$?
	[ $rc -eq "$2" ] || say "--check of '$1' ended with $rc, not $2"
	grep -q -e "$3" "$work/out" || say "--check of '$1' does not say '$3': $(grep -E 'misuse|refused' "$work/out" | head -n 2)"
	[ ! -s "$work/err" ] || say "--check of '$1' wrote to standard error: $(head -n 1 "$work/err")"
}

mkdir "$work/modules"
cp "$build/modules/hello.so" "$work/modules/twin.so"
echo 'no module' >"$work/modules/text.so"
cp "$mods/major.so" "$work/modules/"
cp "$build/modules/hello.so" "$work/modules/open.so"
chmod 666 "$work/modules/open.so"
PERFOLIO_MODULES=$work/modules "$build/perfolio" modules >"$work/list" 2>"$work/err" || say "the list ended with $?"
[ ! -s "$work/err" ] || say "the list wrote to standard error: $(head -n 1 "$work/err")"
grep -qE "^hello +C +1\.0 +s +hw +$build/modules/hello.so\$" "$work/list" || say "the list lacks hello"
grep -qE '^ +misc\.uptime DOUBLE instant sec' "$work/list" || say "the list lacks what misc declares"
grep -qE '^text +refused: .*not a perfolio module' "$work/list" || say "a file that is no module has no reason"
grep -qE '^major +refused: .*built for module API' "$work/list" || say "a module of another version has no reason"
grep -qE '^open +refused: .*others may write' "$work/list" || say "a module that others may write has no reason"
if [ -f /usr/share/collectl/hello.ph ] && [ -f "$build/modules/perl/perl.so" ]; then
	grep -qE '^hello +Perl .*another of this name' "$work/list" || say "the list lacks hello.ph behind hello.so"
fi
"$build/perfolio" modules --oformat json >"$work/json" || say "--oformat json ended with $?"
python3 - "$work/json" <<'P' || say "the document is not what it should be"
import json, sys
rows = json.load(open(sys.argv[1]))["perfolio"]["modules"]
hello = next(r for r in rows if r["name"] == "hello" and r["kind"] == "C")
assert hello["key"] == "hw" and "get_data" in hello["callbacks"]
assert {"name": "hello.total", "type": "DOUBLE", "semantics": "instant", "units": "count", "instances": False} in hello["metrics"]
P

check '' 0 '^fine$'
grep -q 'metric unruly.state = 1 (2 instances)' "$work/out" || say "the values of the metrics are not told"
grep -qE '^  get_data +4 calls' "$work/out" || say "the calls are not counted"
"$build/perfolio" modules --check misc >"$work/out" 2>&1 || say "misc misuses the interface: $(grep misuse "$work/out" | head -n 2)"
check undeclared 1 'misuse: .*there is no such number'
check mixed 1 'misuse: .*text and number are mixed up'
check instance 1 'misuse: .*an instance must be named'
check range 1 'misuse: .*does not fit the type'
check type 1 "misuse: .*'un ruly' cannot be the type of a record"
check control 1 "misuse: a record of type 'unruly' has control bytes"
check brief 1 'misuse: print_brief: the heading has 8 columns, the data 12'
check plot 1 'misuse: print_plot: 2 names and 1 values in the summary'
check open 1 'misuse: leaves descriptors open'
check crash 1 'misuse: analyze ended the process: .*signal 11'
check exit 1 'misuse: get_data ended the process with status 3'
check nap@2 1 'misuse: get_data took more than 1000 ms'
check spin 1 'misuse: get_data did not come back'
check init-hang 1 'misuse: init did not come back'
check error@2 1 'misuse: .*had enough'
if ! grep -q '"b_sanitize", "value": "[^n]' "$build/meson-info/intro-buildoptions.json" 2>/dev/null; then
	check leak 1 'misuse: memory grows'
fi
"$build/perfolio" modules --check "$work/modules/none.so" >"$work/out" 2>&1
[ $? -eq 1 ] || say "a file that is not there is fine"
grep -q 'refused' "$work/out" || say "a file that is not there is not refused: $(cat "$work/out")"
"$build/perfolio" modules --check >/dev/null 2>&1
[ $? -eq 2 ] || say "--check without a file is no usage error"
"$build/perfolio" modules --check "$mods/unruly.so,crash" --oformat json | python3 -c '
import json, sys
phases = json.load(sys.stdin)["perfolio"]["phases"]
assert any("signal 11" in m for p in phases for m in p["misuses"])' || say "the document of a check lacks the crash"
exit $bad

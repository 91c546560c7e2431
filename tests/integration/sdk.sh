#!/bin/sh
# sdk.sh BUILD - the example of perfolio-module(3) builds against the installed header alone, and shows in every view and format.
set -u
build=$1
man=$(cd "$(dirname "$0")/../../man" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sdk.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

say()
{
	echo "$*"
	bad=1
}

command -v pkg-config >/dev/null || { echo "pkg-config is not installed"; exit 77; }
if ! DESTDIR=$work/root meson install -C "$build" --no-rebuild >"$work/log" 2>&1; then
	echo "meson install failed: $(tail -n 1 "$work/log")"
	exit 1
fi
bin=$(find "$work/root" -type f -path '*/bin/perfolio' | head -n 1)
root=${bin%/bin/perfolio}
pc=$(dirname "$(find "$root" -name perfolio.pc)")
pkg()
{
	PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$root" "$@" perfolio
}
flags=$(pkg --cflags) || { say "pkg-config does not know perfolio"; exit 1; }
sanitize=
grep -q '"name": "b_sanitize", "value": "none"' "$build/meson-info/intro-buildoptions.json" 2>/dev/null || sanitize=-fno-sanitize=all

# The header alone, strictly, in both languages.
echo '#include <perfolio/module.h>' >"$work/alone.c"
cc -std=c99 -Wall -Wextra -Werror -pedantic $flags -fsyntax-only "$work/alone.c" || say "the header does not compile alone as C99"
cp "$work/alone.c" "$work/alone.cc"
if command -v c++ >/dev/null; then
	c++ -std=c++11 -Wall -Wextra -Werror -pedantic $flags -fsyntax-only "$work/alone.cc" || say "the header does not compile alone as C++11"
fi

# The example, as the manual page prints it.
sed -n '/begin example/,/end example/p' "$man/perfolio-module.3" | grep -v -e '^\.' | sed -e 's/\\e/\\/g' -e 's/\\-/-/g' >"$work/openfiles.c"
cd "$work" || exit 1
cc -Wall -Wextra -Werror -shared -fPIC $sanitize $flags -o openfiles.so openfiles.c || { say "the example does not build"; exit 1; }
if nm -D --undefined-only openfiles.so | grep -q perfolio; then
	say "the example needs symbols of perfolio"
fi

"$bin" --import ./openfiles.so -c 2 -i .1 >brief 2>err || say "brief: exit $?: $(head -n 1 err)"
[ "$(sed -n '1p' brief)" = '#<-Openfiles-->' ] || say "brief has another title: $(head -n 1 brief)"
[ "$(sed -n '2p' brief)" = '#  Used  Limit ' ] || say "brief has other names: $(sed -n 2p brief)"
[ "$(grep -cE '^ +[0-9]+K? +[0-9]+[A-Z]? $' brief)" = 2 ] || say "brief has not two lines of values: $(tail -n 1 brief)"
"$bin" --import ./openfiles.so -c 1 -i .1 --verbose >verbose 2>err || say "verbose: exit $?: $(head -n 1 err)"
grep -q '^# OPENFILES STATISTICS$' verbose || say "verbose has no title: $(head -n 2 verbose)"
"$bin" --import ./openfiles.so -c 1 -i .1 -P >plot 2>err || say "plot: exit $?: $(head -n 1 err)"
[ "$(head -n 1 plot)" = '#Date Time [OPENFILES]Used [OPENFILES]Limit' ] || say "plot has other names: $(head -n 1 plot)"
"$bin" --import ./openfiles.so -c 2 -i .1 --oformat json >json 2>err || say "json: exit $?: $(head -n 1 err)"
limit=$(cut -f 3 /proc/sys/fs/file-nr)
if command -v jq >/dev/null; then
	jq -e . json >/dev/null || say "json is not valid"
	got=$(jq -r '[.. | objects | select(.name? == "openfiles.limit") | .. | numbers | tostring] | first' json)
	[ "$got" = "$limit" ] || jq -e --arg v "$limit" '[.. | numbers | tostring] | index($v)' json >/dev/null ||
		say "json does not have openfiles.limit $limit: $(head -c 300 json)"
fi
grep -q '"openfiles.used"' json || say "json does not have openfiles.used"

# A recording, and the module again at its playback.
"$bin" --import ./openfiles.so -c 3 -i .1 -f "$work/rec" >out 2>err || say "record: exit $?: $(head -n 1 err)"
raw=$(ls rec* rec/* 2>/dev/null | grep raw | head -n 1)
if [ -n "$raw" ]; then
	"$bin" replay "$raw" --import ./openfiles.so >brief 2>err || say "replay: exit $?: $(head -n 1 err)"
	grep -qE '^ +[0-9]+K? +[0-9]+[A-Z]? $' brief || say "replay shows no values: $(cat err)"
	"$bin" -sc --import ./openfiles.so -c 2 -i .1 -f "$work/both" >out 2>err || say "record with cpu: exit $?: $(head -n 1 err)"
	"$bin" replay "$work"/both* -s-all --import ./openfiles.so --oformat json >json 2>err || say "replay as json: exit $?: $(head -n 1 err)"
	grep -q '"openfiles.used"' json || say "a replay as json does not have openfiles.used"
	grep -q '"kernel' json && say "a replay with -s-all shows more than the module"
else
	say "no raw file was written"
fi

# The archive, where PCP's own tool looks at it.
if "$bin" --help | grep -q '^  record '; then
	"$bin" record run.folio -c 3 -i .1 --import ./openfiles.so >out 2>err || say "record: exit $?: $(head -n 1 err)"
	"$bin" replay run.folio --oformat json >json 2>err || say "replay of the folio: exit $?: $(head -n 1 err)"
	grep -q '"openfiles.limit"' json || say "the archive does not have openfiles.limit"
	archive=$(find . -name '*.meta*' | head -n 1)
	if [ -n "$archive" ] && command -v pminfo >/dev/null; then
		pminfo -f -a "${archive%.meta*}" openfiles.limit 2>&1 | grep -q "value $limit" ||
			say "pminfo does not see openfiles.limit $limit: $(pminfo -f -a "${archive%.meta*}" openfiles.limit 2>&1 | tail -n 1)"
	fi
fi

# Installed modules are found from wherever the installation was put.
"$bin" --import hello -c 1 -i .1 >brief 2>err || say "hello of the installation: exit $?: $(head -n 1 err)"
[ "$(head -n 1 brief)" = '#<-Hello->' ] || say "hello of the installation shows: $(head -n 1 brief)"
PERFOLIO_MODULES=$work "$bin" --import openfiles -c 1 -i .1 >brief 2>err || say "PERFOLIO_MODULES is not searched: $(head -n 1 err)"
exit $bad

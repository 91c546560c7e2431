#!/bin/sh
# manual.sh BUILD - every command has a manual page, every switch that its --help names stands there, and man(1) finds no fault.
set -u
build=$1
man=$(dirname "$0")/../../man
bad=0

# plain PAGE - the page without the marks that split words and hyphens.
plain()
{
	sed -e 's/\\-/-/g' -e 's/\\f[BIRP]//g' -e 's/\\&//g' "$1"
}

# target PAGE - the page that a page of one line ".so man1/OTHER" stands for, else itself.
target()
{
	other=$(sed -n '1s/^\.so man[1-8]\///p' "$1")
	echo "${other:+$man/}${other:-$1}"
}

# compare NAME PAGE HELP-COMMAND... - every switch in the help must stand in the page.
compare()
{
	name=$1 page=$2
	shift 2
	if [ ! -f "$page" ]; then
		echo "$name has no manual page ($page)"
		bad=1
		return
	fi
	"$@" >"$work/help" 2>&1 </dev/null || { echo "$* fails"; bad=1; }
	lines=$(wc -l <"$work/help")
	[ "$lines" -le 24 ] || { echo "$*: $lines lines do not fit a screen of 24"; bad=1; }
	plain "$page" >"$work/page"
	for switch in $(grep -oE '(^|[][ ,|(])--?[A-Za-z][A-Za-z-]*' "$work/help" | sed 's/^[^-]*//' | grep -vxE -e '-[A-Z]{2,}' | sort -u); do
		grep -qE -e "(^|[^A-Za-z-])$switch([^A-Za-z-]|\$)" "$work/page" ||
			{ echo "$name: $switch is in --help but not in $(basename "$page")"; bad=1; }
	done
}

work=$(mktemp -d "${TMPDIR:-/tmp}/manual.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
compare perfolio "$man/perfolio.1" "$build/perfolio" --help
for command in $("$build/perfolio" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'); do
	page=$man/perfolio-$command.1
	[ ! -f "$page" ] || page=$(target "$page")
	[ -f "$page" ] || page=$man/perfolio.1
	compare "perfolio $command" "$page" "$build/perfolio" "$command" --help
	grep -qw "$command" "$man/perfolio.1" || { echo "perfolio(1) does not name the command $command"; bad=1; }
done
if command -v man >/dev/null; then
	for page in "$man"/*.[1-8]; do
		[ -f "$page" ] && [ "$(target "$page")" = "$page" ] || continue
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>"$work/warnings" >/dev/null
		[ ! -s "$work/warnings" ] || { echo "$(basename "$page"): $(head -n 1 "$work/warnings")"; bad=1; }
	done
fi
exit $bad

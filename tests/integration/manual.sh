#!/bin/sh
# manual.sh BUILD - every command has a manual page, which has every switch that its --help names and none that is not known; pages and
# files that are referred to are there, and man(1) finds no fault.
set -u
build=$1
man=$(dirname "$0")/../../man
bad=0

# plain PAGE - the page without the marks that split words and hyphens.
plain()
{
	sed -e 's/\\-/-/g' -e 's/\\f[BIRP]//g' -e 's/\\&//g' "$1"
}

# pages PAGE - the page, and the one that it leaves its switches to.
pages()
{
	echo "$1"
	sed -n '/^The switches are those of$/{n;s,^\.BR \([a-z-]*\) (\([1-8]\)).*,'"$man"'/\1.\2,p;}' "$1"
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
	pages "$page" | while read -r one; do plain "$one"; done >"$work/page"
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
	[ -f "$page" ] || page=$man/perfolio.1
	compare "perfolio $command" "$page" "$build/perfolio" "$command" --help
	grep -qw "$command" "$man/perfolio.1" || { echo "perfolio(1) does not name the command $command"; bad=1; }
done
# Every long switch that a page names is known. The words behind it end the command before it does anything.
known()
{
	for switch in $(plain "$man/perfolio-$1.1" | awk '/^\.TP/ { getline; print }' | grep -oE -e '--[a-z][a-z-]+' | sort -u); do
		"$build/perfolio" "$1" "$switch" --zzzzzz --zzzzzz </dev/null >"$work/out" 2>&1
		! grep -qE "no switch $switch;|$switch: no such switch" "$work/out" ||
			{ echo "perfolio-$1(1) names $switch, and perfolio $1 does not know it"; bad=1; }
	done
}
for command in watch replay record folio info verify log modules doctor; do
	known $command
done

# Pages and files that a page or a document refers to are there.
refers()
{
	for other in $(tr -d ' ' <"$work/text" | grep -oE 'perfolio-[a-z]+\([1-8]\)' | sort -u); do
		section=${other#*(}
		[ -f "$man/${other%(*}.${section%)}" ] || { echo "$1 names $other, and there is no such page"; bad=1; }
	done
}
top=$man/..
for page in "$man"/*.[1-8]; do
	plain "$page" >"$work/text"
	refers "$(basename "$page")"
done
for page in "$top"/*.md "$top"/docs/*.md; do
	name=$(basename "$page")
	cp "$page" "$work/text"
	refers "$name"
	for other in $(grep -oE '\]\([^)#:]+' "$page" | sed 's/^](//'); do
		[ -e "$(dirname "$page")/$other" ] || { echo "$name leads to $other, which is not there"; bad=1; }
	done
	for other in $(grep -oE '`(bench|data|docs|include|man|modules|src|tests|tools)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' |
		grep -vE 'NAME|\.so$'); do
		[ -e "$top/$other" ] || { echo "$name names $other, which is not there"; bad=1; }
	done
done
if command -v man >/dev/null; then
	for page in "$man"/*.[1-8]; do
		[ -f "$page" ] || continue
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>"$work/warnings" >/dev/null
		[ ! -s "$work/warnings" ] || { echo "$(basename "$page"): $(head -n 1 "$work/warnings")"; bad=1; }
	done
fi
exit $bad

#!/bin/bash
# pmlogcheck by name: what the real one prints for the golden archives, byte for byte; beside the real one, if it is there, for archives with one
# damaged field each, and for seeded damage.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/pmlogcheck
here=$(cd "$(dirname "$0")" && pwd)
pcp=$here/../golden/pcp
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
export TZ=UTC

cd "$pcp" || exit 1
for name in a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types; do
	"$ours" -z $name >"$tmp/out" 2>"$tmp/err" || fail "$name: status $?"
	cmp -s "$tmp/out" $name.exp/check.txt || fail "$name: $(diff "$tmp/out" $name.exp/check.txt)"
	[ $name = g-v3-types ] || [ ! -s "$tmp/err" ] || fail "$name: $(cat "$tmp/err")"
done
printf '%s\n\t%s\n\t%s\n' 'g-v3-types.0:[04:01:59.150]: sample.wrap.ulong: unsigned 32-bit wrap' \
	'value 4294967292 at 04:01:58.150' 'value 2147483642 at 04:01:59.150' >"$tmp/want"
cmp -s "$tmp/err" "$tmp/want" || fail "g-v3-types: $(cat "$tmp/err")"
cd broken || exit 1
for name in badlabel-v2 badtrailer-v3 cut-v2 noindex-v3; do
	awk -v name=$name '/^###/ { on = $0 == "### pmlogcheck -z " name; was = was || on } on && !/^### pmlogcheck/; was && /^### exit/ { print; exit }' \
		$name.expected.txt >"$tmp/want"
	{ "$ours" -z $name; echo "### exit $?"; } >"$tmp/out" 2>&1
	sort "$tmp/out" >"$tmp/out.sorted"
	sort "$tmp/want" | cmp -s - "$tmp/out.sorted" || fail "$name: $(diff "$tmp/want" "$tmp/out")"
done
"$ours" --help >"$tmp/out" 2>"$tmp/err"
[ $? = 1 ] && [ ! -s "$tmp/out" ] && grep -q '^Usage: pmlogcheck ' "$tmp/err" || fail "--help"
"$ours" "$tmp/none" 2>"$tmp/err"
[ $? = 1 ] && [ "$(cat "$tmp/err")" = "pmlogcheck: no PCP archive files match \"$tmp/none\"" ] || fail "no archive: $(cat "$tmp/err")"

[ -x /usr/bin/pmlogcheck ] || { echo "no pmlogcheck here to compare with"; [ $failed = 0 ] && exit 77; exit 1; }
python3 "$here/pmlogcheck.py" "$perfolio" "$ours" "$pcp" "$tmp" || failed=1
exit $failed

#!/bin/sh
# damagematrix.sh BUILD - an archive of ours and one of pmlogger, cut at every 64th byte and with one bit flipped at 500 places of each file: what was
# not hit is there, what is lost is told, and a sealed copy is whole (tests/tools/damage-matrix.c). Of the sealed copies a sample is shown to
# pmlogcheck and pmdumplog.
set -u
build=$1
perfolio=$build/perfolio
matrix=$build/tests/tools/damage-matrix
golden=$(dirname "$0")/../golden/pcp
# Thousands of files are made, and each is waited for until it is on disk; in memory that costs nothing.
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/damagematrix.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# judge FOLDER WHOLE - what the real tools say to sealed copies of the archive WHOLE.
judge()
{
	command -v pmlogcheck >/dev/null && command -v pmdumplog >/dev/null || return 0
	pmdumplog -a "$2" >"$work/whole.txt" 2>/dev/null || fail "pmdumplog does not like $2"
	while read -r name file how at bit; do
		case=".$file $how at byte $at bit $bit"
		pmlogcheck "$1/$name" >"$work/check" 2>&1
		pmdumplog -a "$1/$name" >"$work/dump" 2>"$work/err" || fail "$case: pmdumplog: status $?"
		# A flipped bit that passes as a value makes both say something about that value.
		if [ "$file $how" = "0 flip" ]; then
			grep -E '\[(record|entry) [0-9]|EOF|mismatch|index|label|cannot open|no PCP data' "$work/check" "$work/err" >"$work/rest"
		else
			cat "$work/check" "$work/err" >"$work/rest"
		fi
		[ -s "$work/rest" ] && fail "$case: pmlogcheck or pmdumplog: $(head -n 1 "$work/rest")"
		[ "$file" = meta ] || [ "$how" = flip ] || awk -v RS= '
			NR == FNR { whole[$0] = 1; next }
			/^\[[0-9]+ bytes\]/ && !/<mark>/ && !($0 in whole) { print "a record that was not there before: " $0; exit 1 }
		' "$work/whole.txt" "$work/dump" >"$work/new" || fail "$case: $(head -n 3 "$work/new")"
	done
}

try()
{
	mkdir "$work/copies"
	"$matrix" "$2" "$work/copies" 64 500 "$3" >"$work/out" || fail "$1: what is not damaged is not there, or nothing is told: $(grep -m 5 '^#' "$work/out")"
	grep -q '^# [0-9]* cases' "$work/out" || fail "$1: the matrix did not come to its end"
	grep '^kept' "$work/out" >"$work/kept"
	[ -s "$work/kept" ] || fail "$1: no sealed copy was kept"
	judge "$work/copies" "$2" <"$work/kept"
	rm -rf "${work:?}/copies"
}

for end in 0 meta index; do
	cp "$golden/a-v2-basic.$end" "$work/v2.$end"
done
try v2 "$work/v2" 40

"$perfolio" record "$work/folio" -sc -i 0.1 -c 6 >/dev/null 2>"$work/err" || fail "record: $(head -n 1 "$work/err")"
ours=$(ls "$work"/*.vm.meta "$work"/*.*.meta 2>/dev/null | head -n 1)
try v3 "${ours%.meta}" 40
exit $bad

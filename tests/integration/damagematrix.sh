#!/bin/sh
# damagematrix.sh BUILD - an archive of ours, one of pmlogger and a raw file of ours, cut at every 64th byte and with one bit flipped at 500 places of each file: what was
# not hit is there, what is lost is told, and a sealed copy is whole (tests/tools/damage-matrix.c, damage-raw.c). Of the sealed copies a sample is shown
# to pmlogcheck, pmdumplog, gzip and the real collectl. What passes as data, since archives have no checksums, may only change the record it is in.
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
		# A flipped bit that passes as a value, or as units, makes both say something about it.
		if [ "$how" = flip ]; then
			grep -E '\[(record|entry) [0-9]|EOF|mismatch|index|label|cannot open|no PCP data|pmLookupDesc' "$work/check" "$work/err" >"$work/rest"
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

"$perfolio" record "$work/folio" --no-compress -sc -i 0.1 -c 6 >/dev/null 2>"$work/err" || fail "record: $(head -n 1 "$work/err")"
ours=$(ls "$work"/*.vm.meta "$work"/*.*.meta 2>/dev/null | head -n 1)
try v3 "${ours%.meta}" 40

# status WANTED WHAT ARGUMENTS... - of replay, which tells complete, recovered with loss and unusable.
status()
{
	want=$1 what=$2
	shift 2
	"$perfolio" replay "$@" --oformat jsonl >/dev/null 2>"$work/err"
	got=$?
	[ "$got" -eq "$want" ] || fail "$what: status $got instead of $want: $(head -n 1 "$work/err")"
}

# cut FILE BYTES - as FILE of $work/c.
cut_to()
{
	for end in 0 meta index; do
		cp "$work/v2.$end" "$work/c.$end"
	done
	truncate -s "$2" "$work/c.$1"
}

cut_to 0 3000
status 3 "values cut within a record" "$work/c"
cut_to 0 2036
status 3 "values cut between two records" "$work/c"
cut_to 0 100
status 4 "values cut within the label" "$work/c"
cut_to meta 3000
status 3 "descriptions cut" "$work/c"
cut_to meta 100
status 4 "descriptions cut within the label" "$work/c"
cut_to index 100
status 0 "an index that is cut" "$work/c"
rm "$work/c.index"
status 0 "no index" "$work/c"

mkdir "$work/raw" "$work/copies"
"$perfolio" -scm -i 0.01 -c 80 -f "$work/raw/x" >/dev/null 2>"$work/err" || fail "recording: $(head -n 1 "$work/err")"
raw=$(ls "$work"/raw/*.raw.gz)
"$build/tests/tools/damage-raw" "$raw" "$work/copies" 64 500 40 >"$work/out" || fail "raw file: what is not damaged is not there, or nothing is told: $(grep -m 5 '^#' "$work/out")"
grep -q '^# [0-9]* cases' "$work/out" || fail "raw file: the matrix did not come to its end"
name=$(basename "$raw")
# What a header with a flipped bit makes programs say is open; that it is a packed file is not.
for file in "$work"/copies/header-*; do
	[ ! -f "$file" ] || gzip -t "$file" 2>"$work/err" || fail "$file: gzip: $(head -n 1 "$work/err")"
done
kept=0
for file in "$work"/copies/kept-*; do
	kept=$((kept + 1))
	cp "$file" "$work/copies/$name"
	gzip -t "$work/copies/$name" 2>"$work/err" || fail "$file: gzip: $(head -n 1 "$work/err")"
	"$perfolio" replay "$work/copies/$name" >"$work/ours" 2>"$work/err" || fail "$file: status $?: $(head -n 1 "$work/err")"
	command -v collectl >/dev/null || continue
	collectl -p "$work/copies/$name" -scm >"$work/theirs" 2>"$work/err" || fail "$file: collectl: status $?"
	[ ! -s "$work/err" ] || fail "$file: collectl: $(head -n 1 "$work/err")"
	[ "$(grep -vc '^#' "$work/ours")" -eq "$(grep -vc '^#' "$work/theirs")" ] || fail "$file: collectl shows another number of intervals"
done
[ "$kept" -gt 5 ] || fail "raw file: $kept sealed copies were kept"
exit $bad

#!/bin/sh
# damagerandom.sh BUILD [FIRST COUNT] - archives of the real pmlogger and of ours, each with several random edits (tests/tools/damage-random.c): what is whole stays
# as it is, and what was sealed is whole for a check, for a reader, for a second seal, and, of a sample, for pmlogcheck and pmdumplog.
set -u
build=$1
first=${2:-1}
count=${3:-600}
perfolio=$build/perfolio
golden=$(cd "$(dirname "$0")/../golden/pcp" && pwd)
# Thousands of files are made, and each is waited for until it is on disk; in memory that costs nothing.
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/damagerandom.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

"$perfolio" record "$work/folio" --no-compress -scnZ -i 0.1 -c 6 >/dev/null 2>"$work/err" || fail "record: $(head -n 1 "$work/err")"
ours=$(ls "$work"/*.meta | head -n 1)
set -- "${ours%.meta}"
for name in a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types; do
	set -- "$@" "$golden/$name"
done
mkdir "$work/copies"
"$build/tests/tools/damage-random" "$work/copies" "$first" "$count" 12 "$@" >"$work/out" 2>"$work/err" ||
	fail "status $?: $(grep -m 5 '^# seed' "$work/out") $(head -n 5 "$work/err")"
grep -q "^# $count seeds" "$work/out" || fail "not all seeds were tried"

command -v pmlogcheck >/dev/null && command -v pmdumplog >/dev/null || exit $bad
kept=0
while read -r name what; do
	case $name in kept-*) ;; *) continue ;; esac
	kept=$((kept + 1))
	# A changed byte that passes as a value, as a domain or as units makes it say something about these.
	pmlogcheck "$work/copies/$name" >"$work/check" 2>&1 || fail "$name ($what): pmlogcheck: status $?"
	grep -vE 'bit wrap$|^	value |domain of pmid|in pmDesc$' "$work/check" >"$work/rest"
	[ ! -s "$work/rest" ] || fail "$name ($what): pmlogcheck: $(head -n 1 "$work/rest")"
	pmdumplog -a "$work/copies/$name" >/dev/null 2>"$work/err" || fail "$name ($what): pmdumplog: status $?"
	[ ! -s "$work/err" ] || fail "$name ($what): pmdumplog: $(head -n 1 "$work/err")"
done <"$work/out"
[ "$kept" -gt $((count / 50)) ] || fail "only $kept sealed copies were kept"
exit $bad

#!/bin/bash
# 10,000 generated samples of all types, in archives of version 2 and 3 with several volumes: the real pmdumplog prints exactly what was
# written, our own replay shows it, a copy by perfolio convert has it, and PCP's other tools take it.
set -u
build=$1
perfolio=$build/perfolio
tools=$(cd "$(dirname "$0")/../tools" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
for tool in pmdumplog pmlogcheck pmval pmlogsummary pmlogextract; do
	command -v "$tool" >/dev/null || { echo "$tool of PCP is not here"; exit 77; }
done

# dumped LIST ARCHIVE, replayed LIST ARCHIVE - what the tool shows is what the list says
dumped()
{
	pmdumplog -z "$2" >"$tmp/dump" 2>"$tmp/err" || fail "pmdumplog $2: $(head -n 3 "$tmp/err")"
	"$tools/samples-check" dump "$1" "$tmp/dump" 2>"$tmp/count" || fail "pmdumplog of $2 differs from what was written"
	cat "$tmp/count"
}
replayed()
{
	"$perfolio" replay --oformat jsonl "$2" >"$tmp/json" 2>"$tmp/err" || fail "perfolio replay $2: $(head -n 3 "$tmp/err")"
	"$tools/samples-check" replay "$1" "$tmp/json" || fail "perfolio replay of $2 differs from what was written"
}
silent()
{
	pmlogcheck "$1" >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ] || fail "pmlogcheck $1: $(head -n 3 "$tmp/out")"
}

for version in 3 2; do
	list=$tmp/list$version
	a=$tmp/a$version
	"$build/tests/tools/write-samples" $version 88172645463325252 10000 "$a" "$list" || { fail "version $version cannot be written"; continue; }
	[ -f "$a.3" ] && [ ! -f "$a.4" ] || fail "version $version: there are not four volumes"
	pmdumplog -L "$a" | grep -q "^Log Label (Log Format Version $version)$" || fail "version $version: the label says $(pmdumplog -L "$a" | head -n 1)"
	pmdumplog -I "$a" | grep -q ' delta ' && deltas=3 || deltas=2
	[ $deltas = $version ] || fail "version $version: instance domains are told as in version $deltas"
	dumped "$list" "$a"
	replayed "$list" "$a"
	silent "$a"

	# What is no number stays out of documents, which is told.
	"$perfolio" convert "$a" "$tmp/nan.jsonl" 2>"$tmp/err"
	[ $? = 3 ] && grep -q 'values of 6 metrics are no numbers (NaN or infinite), which a document cannot hold; they are left out$' "$tmp/err" || fail "NaN in JSON: $(cat "$tmp/err")"
	rm -f "$tmp/nan.jsonl"

	# The other version and back.
	other=$((5 - version))
	"$perfolio" convert --archive-version $other "$a" "$tmp/b" 2>"$tmp/err" || fail "convert to version $other: $(cat "$tmp/err")"
	"$perfolio" convert --archive-version $version "$tmp/b" "$tmp/c" 2>"$tmp/err" || fail "convert back to version $version: $(cat "$tmp/err")"
	awk '$1 == "s" { print "s", substr($2, 1, 16) "000"; next } { print }' "$list" >"$tmp/short"
	dumped "$tmp/short" "$tmp/c"
	silent "$tmp/c"
	rm -f "$tmp"/[bc].*
done

# What PCP's tools make of it.
"$tools/samples-tools" "$tmp/list3" "$tmp/a3" "$tmp" || fail "tools of PCP do not agree with what was written"
pmlogextract "$tmp/a3" "$tmp/extracted" 2>"$tmp/err" || fail "pmlogextract: $(cat "$tmp/err")"
dumped "$tmp/list3" "$tmp/extracted"
exit $failed

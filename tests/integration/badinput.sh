#!/bin/sh
# badinput.sh BUILD - what cannot work is refused in one clear sentence with the right status; what is intact is shown.
set -u
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
perfolio=$build/perfolio
work=$(mktemp -d "${TMPDIR:-/tmp}/badinput.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# refuse STATUS WORD ARGUMENT... - the program ends with STATUS, prints nothing on standard output and one sentence with WORD in it.
refuse()
{
	want=$1 word=$2
	shift 2
	timeout 30 "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status -eq "$want" ] || fail "$*: status $status instead of $want"
	[ ! -s "$work/out" ] || fail "$*: prints on standard output: $(head -n 1 "$work/out")"
	lines=$(wc -l <"$work/err")
	[ "$lines" -ge 1 ] && [ "$lines" -le 2 ] || fail "$*: $lines lines instead of one sentence"
	grep -q -- "$word" "$work/err" || fail "$*: does not say '$word': $(head -n 1 "$work/err")"
	LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" "$work/err" && fail "$*: control characters in the message"
}

raw=$(find "$source/tests" -name 'cdnm-vm-*.raw.gz' | head -n 1)
[ -n "$raw" ] || { echo "no recorded raw file in the tests"; exit 1; }

# Standard files that are closed are not replaced by the first files that are opened.
"$perfolio" -c 1 -i 0.1 >&- 2>"$work/err" </dev/null && fail "watch with standard output closed: status 0"
grep -q 'Bad file descriptor' "$work/err" || fail "watch with standard output closed: $(head -n 1 "$work/err")"

# Switches and words.
refuse 2 nonsense "$perfolio" nonsense
refuse 2 nonsense "$perfolio" --nonsense
refuse 2 '~' "$perfolio" '-s~'
refuse 2 count "$perfolio" -c xyz
refuse 2 interval "$perfolio" -i xyz
refuse 2 oformat "$perfolio" --oformat yaml -c1
refuse 2 replay "$perfolio" replay
refuse 2 nonsense "$perfolio" replay --nonsense "$raw"
refuse 2 record "$perfolio" record
refuse 2 nonsense "$perfolio" record --nonsense "$work/x.folio"

# What is no settings file.
for file in /bin/true "$raw"; do
	refuse 2 'no settings file' "$perfolio" -C "$file" -c1 -i0.05
	"$build/compat/collectl" -C "$file" -c1 -i0.05 >"$work/out" 2>"$work/err" </dev/null || fail "collectl -C $file: refused"
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "collectl -C $file: $(wc -l <"$work/err") warnings instead of one"
done

# Files that are no recordings: nothing can be made of them.
: >"$work/empty"
printf 'just text\n' >"$work/text"
head -c 100000 /dev/urandom >"$work/noise"
printf '\037\213' >"$work/stub.raw.gz"
: >"$work/empty.raw.gz"
printf 'PCPFolio\nVersion: 1\n' >"$work/empty.folio"
printf 'PCPFolio\nVersion: 1\nCreated: on h at Mon Nov 30 03:59:36 2026\nCreator: x\nArchive: h gone\n' >"$work/gone.folio"
refuse 4 'No such file' "$perfolio" replay "$work/missing"
for name in empty text noise stub.raw.gz empty.raw.gz empty.folio; do
	refuse 4 "$name" "$perfolio" replay "$work/$name"
done
refuse 4 gone "$perfolio" replay "$work/gone.folio"
if [ "$(id -u)" -ne 0 ]; then
	cp "$raw" "$work/secret.raw.gz"
	chmod 0 "$work/secret.raw.gz"
	refuse 1 'ermission' "$perfolio" replay "$work/secret.raw.gz"
fi
refuse 1 run.folio "$perfolio" record -c 1 -i 1 "$work/no/such/folder/run.folio"
echo "of somebody" >"$work/there.folio"
refuse 1 there.folio "$perfolio" record -c 1 -i 1 "$work/there.folio"

# A raw file cut in the middle of the gzip stream: the intervals before the cut are shown, the loss is told, status 3.
size=$(wc -c <"$raw")
"$perfolio" replay "$raw" -oT >"$work/whole" 2>"$work/err" || fail "replay of a whole raw file fails: $(head -n 1 "$work/err")"
head -c $((size / 2)) "$raw" >"$work/cut.raw.gz"
"$perfolio" replay "$work/cut.raw.gz" -oT >"$work/cut" 2>"$work/err"
status=$?
[ $status -eq 3 ] || fail "replay of a cut raw file: status $status instead of 3"
grep -q 'cut.raw.gz' "$work/err" || fail "replay of a cut raw file does not name it: $(head -n 1 "$work/err")"
lines=$(wc -l <"$work/cut")
[ "$lines" -gt 3 ] || fail "replay of a cut raw file shows only $lines lines"
head -n "$lines" "$work/whole" | cmp -s - "$work/cut" || fail "what is before the cut differs from the whole recording's beginning"

# A document that ends early by that is whole all the same.
if command -v jq >/dev/null; then
	"$perfolio" replay "$work/cut.raw.gz" --oformat json >"$work/cut.json" 2>/dev/null
	jq -e . "$work/cut.json" >/dev/null || fail "JSON of a cut recording is not valid"
fi

# A reader that goes away, a full disk.
"$perfolio" replay "$raw" 2>"$work/err" | head -n 1 >/dev/null
[ ! -s "$work/err" ] || fail "a reader that goes away: $(head -n 1 "$work/err")"
if [ -w /dev/full ]; then
	"$perfolio" replay "$raw" >/dev/full 2>"$work/err"
	status=$?
	[ $status -eq 1 ] || fail "output to a full disk: status $status instead of 1"
	grep -q 'space' "$work/err" || fail "output to a full disk is not told: $(head -n 1 "$work/err")"
	"$perfolio" replay "$raw" --oformat json >/dev/full 2>"$work/err"
	status=$?
	[ $status -eq 1 ] || fail "JSON to a full disk: status $status instead of 1"
	for words in --help --version 'watch --help' 'record --help'; do
		# shellcheck disable=SC2086
		"$perfolio" $words >/dev/full 2>"$work/err"
		status=$?
		[ $status -eq 1 ] || fail "$words to a full disk: status $status instead of 1"
		grep -q 'space' "$work/err" || fail "$words to a full disk is not told: $(head -n 1 "$work/err")"
	done
fi
exit $bad

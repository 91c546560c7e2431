#!/bin/sh
# files.sh BUILD - plot files, exceptions and extracted spans: complete or told, never half; the same as collectl's where that is installed.
build=$1
here=$(cd "$(dirname "$0")/../golden/collectl/raw" && pwd)
own=$build/perfolio
peer=$build/compat/collectl
tmp=$(mktemp -d) || exit 1
mounted=
trap 'test -z "$mounted" || umount "$tmp/small"; rm -rf "$tmp"' EXIT
bad=0
TZ=UTC
export TZ
fail() {
	echo "files: $*"
	bad=1
}
raw=$here/cdnm-vm-20261130-035602.raw.gz
name=cdnm-vm-20261130-035602.raw.gz

# A copy of a span is whole, and shows what the recording shows of it.
"$own" replay "$raw" --extract "$tmp/span/" --from 3:56:05-3:56:08 || fail "a span cannot be extracted"
gzip -t "$tmp/span/$name" || fail "the copy is not a whole file"
"$own" replay "$raw" --from 3:56:05-3:56:08 -oT >"$tmp/want"
"$own" replay "$tmp/span/$name" -oT >"$tmp/got"
cmp -s "$tmp/want" "$tmp/got" || fail "the copy shows something else than the recording"
"$own" replay "$raw" --extract "$tmp/span/" --from 3:56:05 2>/dev/null && fail "an existing copy was written over"
"$own" replay "$raw" --extract "$tmp/none/" --from 5:00 2>/dev/null
test -e "$tmp/none/$name" && fail "there is a copy although nothing lies within the span"

# The recording itself is never written over, by neither name.
cp "$raw" "$tmp/$name"
(cd "$tmp" && "$peer" -p $name --extract ./ --from 3:56:05 >/dev/null) && fail "collectl wrote over its own recording"
cmp -s "$raw" "$tmp/$name" || fail "the recording was changed by extracting"

# Files that are there stay as they are unless somebody says otherwise.
"$own" replay "$raw" -P -sc -oz -f "$tmp/p/" || fail "no plot files"
tab=$tmp/p/cdnm-vm-20261130.tab
cp "$tab" "$tmp/before"
"$own" replay "$raw" -P -sc -oz -f "$tmp/p/" 2>/dev/null && fail "an existing plot file was not refused"
cmp -s "$tab" "$tmp/before" || fail "a refused plot file was changed"
"$own" replay "$raw" -P -sc -oza -f "$tmp/p/" || fail "-oa does not append"
test "$(grep -c '^2' "$tab")" = 28 || fail "-oa did not append 14 lines"
"$own" replay "$raw" -P -sc -ozc -f "$tmp/p/" || fail "-oc does not write anew"
test "$(grep -c '^2' "$tab")" = 14 || fail "-oc did not write anew"
"$own" replay "$raw" -P -sc -f /proc/ 2>"$tmp/err" && fail "a folder that takes nothing is no error"
grep -q '/proc/' "$tmp/err" || fail "nobody is told which folder takes nothing"

# What a kill has left is continued on a fresh line; what is damaged is set aside.
printf '20261130 03:5' >>"$tab"
"$own" replay "$raw" -P -sc -oza -f "$tmp/p/" || fail "a file that ends within a row is not continued"
grep -c '^20261130 03:5[0-9]:' "$tab" | grep -qx 28 || fail "a torn row spoils the next one"
"$own" replay "$raw" -P -sc -f "$tmp/torn/" || fail "no packed plot file"
gz=$tmp/torn/cdnm-vm-20261130.tab.gz
truncate -s -20 "$gz"
"$own" replay "$raw" -P -sc -oa -f "$tmp/torn/" 2>"$tmp/err" || fail "a packed file that was cut off is not continued"
grep -q 'was cut off' "$tmp/err" || fail "nobody is told that a plot file was cut off"
gzip -t "$gz" 2>"$tmp/err" || fail "a file that was cut off cannot be unpacked when it is continued: $(cat "$tmp/err")"
echo damage >"$gz"
"$own" replay "$raw" -P -sc -oa -f "$tmp/torn/" 2>"$tmp/err" || fail "damage keeps from writing"
gzip -t "$gz" && zcat "$gz" | grep -c '^2' | grep -qx 14 || fail "a new file does not begin beside a damaged one"
grep -qx damage "$gz.damaged-1" || fail "a damaged file was not kept"

# Exceptions are the rows beyond the limits, all columns below their names.
"$own" replay "$here/synth-vm-20261130-050000.raw.gz" -sD -oxz -P -l IOS:500 -f "$tmp/x/" || fail "no exceptions"
grep -v '^#' "$tmp/x/synth-vm-20261130.dskX" | awk '$4 < 500 && $8 < 500 { exit 1 }' || fail "a row below the limit is an exception"
grep -q '^2' "$tmp/x/synth-vm-20261130.dskX" || fail "nothing is an exception"
test -e "$tmp/x/synth-vm-20261130.dsk" && fail "-ox wrote all disks as well"

# The first interval of processes has rates, not counters since their start.
"$own" replay "$here/procs-vm-20261130-035633.raw.gz" -sZ -P -oz -f "$tmp/z/" || fail "no process file"
awk '$4 == "root" && $3 == 607 && $20 > 100 && $22 > 100000 { exit 1 }' "$tmp/z/procs-vm-20261130.prc" ||
	fail "the first interval of processes has raw counters"

# Live: plots and raw text from the same samples.
"$own" -scdC -i .1 -c 5 -P -oz -f "$tmp/live/" --rawtoo || fail "--rawtoo does not run"
lines=$(cat "$tmp"/live/*.tab | grep -c '^2')
"$own" replay "$tmp"/live/*.raw.gz -P -sc | grep -c '^2' | grep -qx "$lines" || fail "raw text and plots have other intervals"

# A full disk is told, and what is there is whole lines.
mkdir "$tmp/small"
if mount -t tmpfs -o size=16k none "$tmp/small" 2>/dev/null; then
	mounted=1
	"$own" replay "$here/all-vm-20261130-035618.raw.gz" -P -oz -f "$tmp/small/" 2>"$tmp/err" && fail "a full disk is no error"
	grep -q 'No space left' "$tmp/err" || fail "nobody is told that the disk is full"
	"$own" replay "$raw" --extract "$tmp/small/" --from 3:56:05 2>/dev/null && fail "a span on a full disk is no error"
	test -e "$tmp/small/$name" && fail "a part of a copy was left on a full disk"
fi

# A name that is not there is none of collectl's mistakes: it looks for wildcards only.
none='no files found containing -yyyymmdd-hhmmss.raw OR within specified time period'
for words in '-scd' '-P' '--top cpu' '--export lexpr'; do
	# shellcheck disable=SC2086
	"$peer" -p "$tmp/nosuch.raw.gz" $words >"$tmp/out" 2>&1 || fail "collectl $words: status $? for a name that is not there"
	grep -qx "$none" "$tmp/out" || fail "collectl $words does not say that there is no file: $(cat "$tmp/out")"
done
"$peer" -p "$raw" -sc >"$tmp/want"
for list in "$raw,$tmp/nosuch.raw.gz" "$tmp/nosuch*,$raw" "$tmp/nosuch.raw $raw"; do
	"$peer" -p "$list" -sc >"$tmp/got" 2>&1 || fail "collectl -p $list: status $?"
	cmp -s "$tmp/want" "$tmp/got" || fail "collectl -p $list shows something else than the file that is there"
done
"$peer" -p "$tmp/nosuch*" -sc >/dev/null 2>&1 && fail "collectl: wildcards that match nothing are no error"
"$own" replay "$raw" "$tmp/nosuch.raw.gz" >/dev/null 2>&1 && fail "perfolio takes a name that is not there"

# The same files as those of collectl.
same() {
	rm -rf "$tmp/r" "$tmp/o"
	mkdir "$tmp/r" "$tmp/o"
	(cd "$here" && setsid collectl -p "$@" -f "$tmp/r/" >/dev/null 2>&1 </dev/null)
	(cd "$here" && setsid "$peer" -p "$@" -f "$tmp/o/" >/dev/null 2>&1 </dev/null)
	for f in "$tmp"/r/* "$tmp"/o/*; do
		grep -v '^# [A-Z]\|^##' "$f" >"$f.lines"
		rm "$f"
	done
	diff -r "$tmp/r" "$tmp/o" >/dev/null || fail "collectl writes other files: $*"
}
if command -v collectl >/dev/null; then
	same 'all*' -P -oz
	same 'all*' -P -sj -oz
	same 'all*' -P -ozdm2 --sep ,
	same 'synth*' -P -sD -ozU --hr 3
	same 'synth*' -P -sD -oXz -l IOS:400
	same 'roll*' -P -ozu
	same 'procs*,tworaw*' -P -oz
	same 'procs*' -P -oz --sep ,
	same 'slabs*' --slabanalyze -oz
	same 'slabs*' --slabanalyze -sm -oz
fi
exit $bad

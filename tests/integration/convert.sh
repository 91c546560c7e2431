#!/bin/bash
# perfolio convert: raw files and archives into archives and documents; what comes out has the values that went in.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
pcp=$top/tests/golden/pcp
raws=$top/tests/golden/collectl/raw
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
check=$(command -v /usr/lib/pcp/bin/pmlogcheck || command -v pmlogcheck)

# values FILE - every value with its time, metric and instance, in an order of its own
values()
{
	"$perfolio" replay --oformat jsonl "$1" 2>/dev/null | jq -r 'select(.metrics) | .timestamp as $t | .metrics[] | .name as $n |
		(.instances // [.])[] | "\($t) \($n) \(.instance // "") \(.value // .bytes // .events // .error)"' | sort
}
# same IN OUT - the two recordings say the same
same()
{
	values "$1" >"$tmp/a"
	values "$2" >"$tmp/b"
	[ -s "$tmp/a" ] || fail "$1: no values"
	cmp -s "$tmp/a" "$tmp/b" || fail "$(basename "$1"): the copy differs: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
}

n=0
for in in "$pcp"/{a-v2-basic,b-v3-basic,c-v3-indom,d-v2-indom,e-v3-mark,f-v2-volumes,g-v3-types} "$raws"/*.raw.gz; do
	n=$((n + 1))
	out=$tmp/copy$n
	"$perfolio" convert "$in" "$out" 2>"$tmp/err"
	status=$?
	case $in in
	*cut* | *damaged* | *bad*) [ $status -le 4 ] || fail "$in: status $status"; [ $status = 0 ] || continue ;;
	*/roll-vm-20261130-035759.raw.gz) [ $status = 4 ] || fail "$in, which has no sample: status $status"; continue ;;
	*) [ $status = 0 ] || { fail "$in: status $status $(cat "$tmp/err")"; continue; } ;;
	esac
	grep -q "^perfolio: [0-9]* samples, [0-9]* bytes in $out$" "$tmp/err" || fail "$in: $(cat "$tmp/err")"
	same "$in" "$out"
	if [ -n "$check" ]; then
		"$check" "$out" >"$tmp/check" 2>&1
		grep -vE 'wrap$|^	value ' "$tmp/check" >"$tmp/left" && fail "$in: pmlogcheck says: $(head -n 3 "$tmp/left")"
	fi
	[ $n -lt 20 ] || break
done

# Instances that come and go: told as changes, and known to pmdumplog at every time as they were.
if command -v pmdumplog >/dev/null; then
	pmdumplog -I "$tmp/copy3" | grep -q ' delta ' || fail "no change of instances is told as such"
	diff <(pmdumplog -i "$pcp/c-v3-indom" | sort) <(pmdumplog -i "$tmp/copy3" | sort) >"$tmp/diff" || fail "instances differ: $(head -n 3 "$tmp/diff")"
fi

# Records of events and their parameters: pminfo tells the same of the archive and of copies, also where it finds no value.
if command -v pminfo >/dev/null; then
	pminfo -x -f -a "$pcp/g-v3-types" sample.event >"$tmp/events" 2>&1
	grep -q '"bingo!"' "$tmp/events" || fail "pminfo shows no events: $(head -n 3 "$tmp/events")"
	"$perfolio" convert --archive-version 2 "$pcp/g-v3-types" "$tmp/events2" 2>"$tmp/err" || fail "events in version 2: $(cat "$tmp/err")"
	for copy in copy7 events2; do
		pminfo -x -f -a "$tmp/$copy" sample.event 2>&1 | diff "$tmp/events" - >"$tmp/diff" || fail "$copy: events differ: $(head -n 3 "$tmp/diff")"
	done
fi

# Gaps stay gaps, the zone and the host stay those of the recording.
"$perfolio" info "$tmp/copy5" | grep -q '^Gaps      1: 2026-11-30 04:01:43.092 until 2026-11-30 04:01:46.093 ' || fail "the mark is lost: $("$perfolio" info "$tmp/copy5")"
cp "$pcp"/a-v2-basic.{0,meta,index} "$tmp"
chmod u+w "$tmp"/a-v2-basic.*
for file in "$tmp"/a-v2-basic.{0,meta,index}; do
	printf 'AEDT-11\0' | dd of="$file" bs=1 seek=88 conv=notrunc status=none
done
"$perfolio" convert "$tmp/a-v2-basic" "$tmp/zone" 2>/dev/null
"$perfolio" info "$tmp/zone" | grep -q '^Host      golden-a, time zone AEDT-11$' || fail "the zone is lost"
grep -aq ':Etc/UTC' "$tmp/copy2.index" || fail "the label of a copy does not name the place of its zone"
raw=$(find "$raws" -name 'all-*.raw.gz' | head -n 1)
zcat "$raw" | sed 's/ TZ: +0000/ TZ: +0530/; s/-20261130-035618/-20261130-092618/; s/\(Date: *\)20261130-035618/\120261130-092618/' | gzip >"$tmp/h-20261130-092618.raw.gz"
"$perfolio" convert "$tmp/h-20261130-092618.raw.gz" "$tmp/rawzone" 2>/dev/null
"$perfolio" info "$tmp/rawzone" | grep -q 'time zone <+0530>-5:30$' || fail "the zone of a raw file is lost: $("$perfolio" info "$tmp/rawzone" | sed -n 3p)"

# A part of it.
"$perfolio" convert --metrics 'disk.dev,kernel.all.cpu.*' --from 03:56:21 --thru 03:56:25 "$raw" "$tmp/part" 2>"$tmp/err" || fail "a part: $(cat "$tmp/err")"
values "$raw" | awk '($2 ~ /^disk\.dev\./ || $2 ~ /^kernel\.all\.cpu\./) && $1 >= 1796010981000000000 && $1 < 1796010986000000000' >"$tmp/a"
values "$tmp/part" >"$tmp/b"
[ -s "$tmp/a" ] && cmp -s "$tmp/a" "$tmp/b" || fail "a part: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
"$perfolio" convert --from 05:00 "$raw" "$tmp/later" 2>"$tmp/err"
[ $? = 4 ] || fail "a time behind the end: status is not 4"
[ -z "$(find "$tmp" -name 'later*')" ] || fail "a time behind the end: files are left"

# Version 2, 3 and 2 again: pmdumplog shows every value of the real archives as before, to the last digit; so it does with their descriptors.
described() { pmdumplog -d "$1" | sed -n '/^PMID/,$p' | sed -E 's/\(.* or ([^ ]*)\)/(\1)/' | paste - - - | sort; }
if command -v pmdumplog >/dev/null; then
	for in in a-v2-basic d-v2-indom f-v2-volumes; do
		"$perfolio" convert --archive-version 3 "$pcp/$in" "$tmp/$in-3" 2>"$tmp/err" || fail "$in to version 3: $(cat "$tmp/err")"
		"$perfolio" convert --archive-version 2 "$tmp/$in-3" "$tmp/$in-2" 2>"$tmp/err" || fail "$in back to version 2: $(cat "$tmp/err")"
		pmdumplog -z "$pcp/$in" >"$tmp/dump" 2>/dev/null
		# Of discrete metrics only what is new is written.
		discrete=$(pmdumplog -d "$tmp/$in-3" | awk '/^PMID/ { gsub(/[()]/, ""); name = $NF } /Semantics: discrete/ { print "^" name "$" }' | paste -sd '|')
		for v in 3 2; do
			pmdumplog -L "$tmp/$in-$v" | grep -q "^Log Label (Log Format Version $v)$" || fail "$in: not version $v"
			pmdumplog -z "$tmp/$in-$v" >"$tmp/copied" 2>/dev/null
			"$top/tests/tools/pcp-values" "$tmp/dump" "$tmp/copied" "$discrete" 2>/dev/null || fail "$in: version $v has other values"
			same "$pcp/$in" "$tmp/$in-$v"
			diff <(described "$pcp/$in" | sed 's/([^ ]* or /(/') <(described "$tmp/$in-$v") >"$tmp/diff" || fail "$in: version $v has other descriptors: $(head -n 3 "$tmp/diff")"
			[ -z "$check" ] || "$check" "$tmp/$in-$v" >"$tmp/check" 2>&1 || fail "$in: pmlogcheck of version $v says: $(head -n 2 "$tmp/check")"
		done
	done
	# Descriptors with all names, help texts and labels are those of the original; the context's say one thing more.
	for in in a-v2-basic c-v3-indom g-v3-types; do
		"$perfolio" convert --no-compress "$pcp/$in" "$tmp/$in-told" 2>"$tmp/err" || fail "$in: $(cat "$tmp/err")"
		for what in -d -h -e; do
			for archive in "$pcp/$in" "$tmp/$in-told"; do
				pmdumplog -z $what "$archive" | sed -E '/^[0-9]{2}:/d; /^ {8}\[/d; s/,"perfolio_unchanged":"held"//; s/ \([0-9]+ bytes\)//; /\{"hostname":"golden-a"\}$/d' >"$tmp/what.$(basename "$archive")"
			done
			cmp -s "$tmp/what.$in" "$tmp/what.$in-told" || fail "$in: pmdumplog $what differs: $(diff "$tmp/what.$in" "$tmp/what.$in-told" | head -n 3)"
			[ "$(wc -l <"$tmp/what.$in")" -gt 3 ] || fail "$in: pmdumplog $what says nothing"
		done
		# What they say now they say to us as well.
		for archive in "$pcp/$in" "$tmp/$in-told"; do
			"$perfolio" replay "$archive" --oformat jsonl,texts | jq -cS 'select(.described or .text or (.labels and .labels.of != "context")) | del(.timestamp)' | sort >"$tmp/tell.$(basename "$archive")"
		done
		cmp -s "$tmp/tell.$in" "$tmp/tell.$in-told" || fail "$in: the copy tells: $(diff "$tmp/tell.$in" "$tmp/tell.$in-told" | head -n 3)"
	done
	pmdumplog -i "$tmp/d-v2-indom-2" | grep -q 'delta' && fail "version 2 has no changes of instances"
	diff <(pmdumplog -i "$pcp/d-v2-indom" | sed 's/^[0-9:.]* *//' | sort -u) <(pmdumplog -i "$tmp/d-v2-indom-2" | sed 's/^[0-9:.]* *//' | sort -u) >"$tmp/diff" || fail "version 2: instances differ: $(head -n 3 "$tmp/diff")"
fi
"$perfolio" record "$tmp/v2.folio" -i .02 -c 5 -s cdn --archive-version 2 >"$tmp/out" 2>&1 || fail "record in version 2: $(cat "$tmp/out")"
message=$("$perfolio" convert "$tmp/v2.folio" "$tmp/other.folio" 2>&1)
[ $? -eq 2 ] || fail "an archive with the name of a folio: not refused"
case $message in *'folio --make'*) ;; *) fail "an archive with the name of a folio: $message" ;; esac
"$perfolio" info "$tmp/v2.folio" | grep -q 'version 2' || fail "the recording is not of version 2: $("$perfolio" info "$tmp/v2.folio")"

# Some instances: of those alone the domains tell, and what has no instances stays.
"$perfolio" convert --metrics disk,kernel.all.load --instances 'vd*' "$raw" "$tmp/some" 2>"$tmp/err" || fail "some instances: $(cat "$tmp/err")"
values "$raw" | awk '($2 ~ /^disk\./ || $2 ~ /^kernel\.all\.load$/) && (NF == 3 || $3 ~ /^vd/)' >"$tmp/a"
values "$tmp/some" >"$tmp/b"
grep -q ' disk.dev.read vda ' "$tmp/b" && grep -q ' disk.all.read ' "$tmp/b" && cmp -s "$tmp/a" "$tmp/b" || fail "some instances: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
if command -v pmdumplog >/dev/null; then
	pmdumplog -i "$tmp/some" | grep 'or "' | grep -qv 'or "vd' && fail "some instances: others are told of"
fi

# What modules recorded, if they are there to read it.
hello=$raws/hellosd-vm-20261130-035717.raw.gz
"$perfolio" convert "$hello" "$tmp/without.jsonl" 2>/dev/null
"$perfolio" convert --import hello,sd "$hello" "$tmp/hello.jsonl" 2>"$tmp/err" || fail "--import: $(cat "$tmp/err")"
"$perfolio" convert --import hello,sd "$hello" "$tmp/hello" 2>"$tmp/err" || fail "--import to an archive: $(cat "$tmp/err")"
names() { jq -r '.metrics[]?.name' "$1" | sort -u; }
names "$tmp/hello.jsonl" | grep -q '^hello\.' || fail "--import: no metrics of the module"
names "$tmp/without.jsonl" | grep -q '^hello\.' && fail "without --import there are metrics of the module"
same "$tmp/hello" "$tmp/hello"
jq -r 'select(.metrics) | .timestamp as $t | .metrics[] | .name as $n | (.instances // [.])[] | "\($t) \($n) \(.instance // "") \(.value)"' "$tmp/hello.jsonl" | sort >"$tmp/a"
cmp -s "$tmp/a" "$tmp/b" || fail "--import: document and archive differ: $(diff "$tmp/a" "$tmp/b" | head -n 3)"

# OpenMetrics: every series by itself, with times that grow; every value that JSON has.
"$perfolio" convert "$raw" "$tmp/d.om" 2>"$tmp/err" || fail "OpenMetrics: status $? $(cat "$tmp/err")"
"$top/tests/tools/openmetrics_check.py" recording "$tmp/d.om" >"$tmp/out" || fail "OpenMetrics: $(head -n 3 "$tmp/out")"
"$perfolio" convert --oformat openmetrics "$raw" - 2>/dev/null | cmp -s - "$tmp/d.om" || fail "OpenMetrics to standard output is another one"
values "$raw" | wc -l >"$tmp/a"
grep -vc '^#' "$tmp/d.om" >"$tmp/b"
cmp -s "$tmp/a" "$tmp/b" || fail "OpenMetrics: $(cat "$tmp/b") values of $(cat "$tmp/a")"
values "$raw" | awk '$2 == "disk.dev.read" { printf "%s %s %s\n", $3, $4, $1 }' | sort >"$tmp/a"
sed -nE 's/^disk_dev_read_total\{name="([^"]*)"\} ([0-9]+) ([0-9]+)\.([0-9]+)$/\1 \2 \3 \4/p' "$tmp/d.om" | awk '{ while (length($4) < 9) $4 = $4 "0"; print $1, $2, $3 $4 }' | sort >"$tmp/b"
[ -s "$tmp/a" ] && cmp -s "$tmp/a" "$tmp/b" || fail "OpenMetrics: disk.dev.read differs: $(diff "$tmp/a" "$tmp/b" | head -n 3)"
"$perfolio" convert "$pcp/g-v3-types" "$tmp/g.om" 2>"$tmp/err"
[ $? = 3 ] || fail "OpenMetrics of events: status is not 3"
grep -q '^perfolio: 12 values of 3 metrics are bytes without a meaning, which OpenMetrics cannot hold; they are left out$' "$tmp/err" &&
	grep -q '^perfolio: 8 values of 1 metric are records of events, which OpenMetrics cannot hold; they are left out$' "$tmp/err" || fail "OpenMetrics of events: $(cat "$tmp/err")"
"$perfolio" convert --metrics sample.long,sample.string,sample.colour "$pcp/g-v3-types" "$tmp/some.om" 2>"$tmp/err" || fail "OpenMetrics without events: status $? $(cat "$tmp/err")"
"$top/tests/tools/openmetrics_check.py" recording "$tmp/g.om" >"$tmp/out" || fail "OpenMetrics of an archive: $(head -n 3 "$tmp/out")"

# Interrupted: no archive that looks whole; a document is closed.
endless=$tmp/endless-20261130-035618.raw.gz
zcat "$raw" | awk '/^>>>/ { n++; next } !n { print; next } n == 1 { body = body $0 "\n" }
	END { for (i = 0; i < 20000; i++) printf ">>> %d.002 <<<\n%s", 1796010978 + i, body }' | gzip -1 >"$endless"
for signal in INT TERM; do
	for out in cut cut.json; do
		"$perfolio" convert --volume 100 "$endless" "$tmp/$out" 2>"$tmp/err" &
		pid=$!
		while [ ! -s "$tmp/cut.json" ] && [ ! -s "$tmp/cut.1" ] && kill -0 $pid 2>/dev/null; do :; done
		kill -$signal $pid
		wait $pid
		status=$?
		[ $status = $((128 + $(kill -l $signal))) ] || fail "$signal: status $status $(cat "$tmp/err")"
		[ -z "$(find "$tmp" -name 'cut.[0-9im]*')" ] || fail "$signal: $(find "$tmp" -name 'cut.[0-9im]*' | head -n 3) is left"
		[ $out = cut ] || jq -e '.perfolio.samples | length > 0' "$tmp/$out" >/dev/null || fail "$signal: the document is not closed"
		[ $out = cut.json ] || grep -q 'not complete and was removed' "$tmp/err" || fail "$signal: $(cat "$tmp/err")"
		rm -f "$tmp"/cut*
	done
done
(ulimit -f 200; "$perfolio" convert "$endless" "$tmp/cut" 2>"$tmp/err")
[ $? = 1 ] || fail "a full disk: status is not 1"
[ -z "$(find "$tmp" -name 'cut*')" ] || fail "a full disk: $(find "$tmp" -name 'cut*') is left"
(ulimit -f 200; "$perfolio" convert "$endless" "$tmp/cut.json" 2>"$tmp/err")
[ $? = 1 ] && jq -e '.perfolio.samples | length > 0' "$tmp/cut.json" >/dev/null || fail "a full disk: the document is not closed"
(ulimit -f 20; "$perfolio" convert "$endless" "$tmp/cut.om" 2>"$tmp/err")
[ $? = 1 ] || fail "a full disk: status is not 1"
[ ! -e "$tmp/cut.om" ] || fail "a full disk: half of an OpenMetrics file is left"
rm -f "$tmp"/cut* "$endless"

# Times that archives of version 2 do not have.
cp "$pcp"/b-v3-basic.{0,meta,index} "$tmp"
python3 "$top/tests/integration/edit_archive.py" late "$tmp/b-v3-basic" || fail "no archive of another century"
"$perfolio" convert --archive-version 2 "$tmp/b-v3-basic" "$tmp/two" 2>"$tmp/err"
[ $? = 1 ] && grep -q 'two: an archive of version 2 has no times after January 2038' "$tmp/err" || fail "another century in version 2: $(cat "$tmp/err")"
[ -z "$(find "$tmp" -name 'two*')" ] || fail "another century in version 2: $(find "$tmp" -name 'two*') is left"
"$perfolio" convert "$tmp/b-v3-basic" "$tmp/three" 2>"$tmp/err" || fail "another century in version 3: $(cat "$tmp/err")"
same "$tmp/b-v3-basic" "$tmp/three"
if command -v faketime >/dev/null; then
	mkdir "$tmp/later"
	ASAN_OPTIONS=verify_asan_link_order=0 faketime -f '@2040-01-01 00:00:00' "$perfolio" record "$tmp/later/folio" --archive-version 2 -sc -i .1 -c 2 2>"$tmp/err"
	[ $? = 1 ] && grep -q 'version 2 has no times after January 2038' "$tmp/err" || fail "recording in another century: $(cat "$tmp/err")"
	[ -z "$(ls "$tmp/later")" ] || fail "recording in another century: $(ls "$tmp/later") is left"
fi

# Documents.
"$perfolio" convert "$raw" "$tmp/d.json" 2>/dev/null && jq -e . "$tmp/d.json" >/dev/null || fail "json"
"$perfolio" convert "$raw" "$tmp/d.xml" 2>/dev/null && xmllint --noout "$tmp/d.xml" || fail "xml"
"$perfolio" convert --oformat jsonl "$raw" - 2>/dev/null | jq -e -n '[inputs] | length > 5' >/dev/null || fail "jsonl to standard output"
"$perfolio" convert "$raw" "$tmp/d.csv" 2>/dev/null && head -n 1 "$tmp/d.csv" | grep -q '^timestamp,' || fail "csv"

# What cannot be done.
status() { expected=$1; shift; "$perfolio" convert "$@" >"$tmp/out" 2>"$tmp/err"; got=$?; [ $got = "$expected" ] || fail "convert $*: status $got instead of $expected: $(cat "$tmp/err")"; [ -s "$tmp/err" ] || fail "convert $*: says nothing"; }
status 1 "$raw" "$tmp/d.json"
status 1 "$raw" "$tmp/part"
status 2 "$raw"
status 2 "$raw" -
status 2 "$raw" "$tmp/no.raw.gz"
status 2 --archive-version 4 "$raw" "$tmp/no"
status 2 --instances , "$raw" "$tmp/no"
status 1 --import nosuchmodule "$raw" "$tmp/no"
status 1 --oformat openmetrics "$raw" "$tmp/d.json"
status 2 --metrics '' "$raw" "$tmp/no"
status 2 --from noon "$raw" "$tmp/no"
status 2 --oformat word "$raw" "$tmp/no"
status 4 "$tmp/gone" "$tmp/no"
status 3 "$pcp/broken/cut-v2" "$tmp/saved"
same "$pcp/broken/cut-v2" "$tmp/saved"
status 1 --oformat json "$raw" "$tmp/none/there"
"$perfolio" convert --oformat json "$raw" - >/dev/full 2>"$tmp/err"
[ $? = 1 ] || fail "a full device: status is not 1"
[ -z "$(find "$tmp" -name 'no*')" ] || fail "something is left: $(find "$tmp" -name 'no*')"
exit $failed

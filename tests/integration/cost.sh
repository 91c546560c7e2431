#!/bin/bash
# cost.sh BUILD - --cost: the own cost in every view and format, recorded, in archives, played back; unseen by collectl; samples that are late.
set -u
build=$1
perfolio=$build/perfolio
work=$(mktemp -d "${TMPDIR:-/tmp}/cost.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
bad=0

# wants WHAT PATTERN ARGUMENT... - the output of perfolio has a line that matches.
wants()
{
	what=$1 pattern=$2
	shift 2
	"$perfolio" "$@" >"$work/out" 2>"$work/err" </dev/null || { echo "$what: status $?: $(head -n 1 "$work/err")"; bad=1; }
	grep -qE -e "$pattern" "$work/out" || { echo "$what: no line has '$pattern' (perfolio $*)"; bad=1; }
	grep -v 'taking a sample took' "$work/err" && { echo "$what: said so"; bad=1; } # a busy host may well be late
}

now='-i .05 -c 2'
# shellcheck disable=SC2086 # words on purpose
{
	wants 'brief, live' ' CPUus ReadKB  MaxUs ' -sc --cost $now
	wants 'verbose, live' '^ +[0-9]+ +[0-9.]+ +[0-9]+K .* proc/(stat|loadavg)$' -sc --cost --verbose $now
	wants 'verbose, live, by source' '^ +[0-9]+ +[0-9]+ +1 +[0-9]+  proc/stat$' -sc --cost --verbose $now
	wants 'a module' '^ +[0-9]+ +[0-9]+ +1 +[0-9]+  module hello$' -sc --cost --verbose --import hello $now
	wants 'processes' '  proc/\[0-9\]\*$' -sZ --cost $now
	wants 'a process that is slowest' ' proc/[0-9]+/[a-z]+$' -sZ --cost $now
	wants 'plot' '\[COST:proc/stat\]SlowestUs' -sc --cost -P $now
	wants 'lexpr' '^costinfo.readcpu [0-9]+$' -sc --cost --export lexpr $now
	wants 'json' '"perfolio.cost.sample.slowest_name".*"value": ?"proc/' -sc --cost --oformat json $now
	wants 'csv' 'perfolio.cost.source.bytes,counter,byte,proc/stat,' -sc --cost --oformat csv $now
	wants 'xml' 'perfolio.cost.source.cpu' -sc --cost --oformat xml $now
	wants 'html' 'perfolio.cost.source.cpu' -sc --cost --oformat html $now
	wants 'the letter' 'Slowest read' -so --verbose $now
	"$perfolio" -sc $now --verbose 2>&1 | grep -qi cost && { echo "there is cost without --cost"; bad=1; }
	"$build/compat/collectl" -scd --cost $now | grep -q OwnCost || { echo "collectl by name has no --cost"; bad=1; }
	"$build/compat/collectl" -so $now 2>&1 | grep -q invalid || { echo "collectl by name takes the letter o"; bad=1; }

	"$perfolio" -scdm --cost --import hello -f "$work/raw" $now || bad=1
	"$perfolio" record "$work/folio" -s cdo --import hello $now >"$work/out" 2>&1 || { echo "record: $(cat "$work/out")"; bad=1; }
}
raw=$(echo "$work"/raw-*.raw.gz)
wants 'brief, from a raw file' ' CPUus ReadKB  MaxUs ' replay "$raw"
wants 'verbose, from a raw file' '  module hello$' replay "$raw" -sc --cost --verbose
wants 'json, from a raw file' 'perfolio.cost.process.cpu' replay "$raw" -sc --cost --oformat json
wants 'a folio' '  module hello$' replay "$work/folio" -soO
wants 'a folio, json' '"perfolio.cost.sample.end"' replay "$work/folio" --oformat json

# In a document the end of a sample is not before its beginning, and that is the sample's time.
"$perfolio" replay "$raw" --oformat jsonl >"$work/out"
python3 - "$work/out" <<'P' || bad=1
import json, sys
n = 0
for line in open(sys.argv[1]):
    sample = json.loads(line)
    sample = sample.get("perfolio", sample)
    found = {m["name"]: m for m in sample.get("metrics", [])}
    if not found:
        continue
    n += 1
    begin, end = (found["perfolio.cost.sample." + w]["value"] for w in ("begin", "end"))
    if not begin <= end or abs(begin - sample["timestamp"]) > 5e8:
        sys.exit("the sample of %d began at %d and ended at %d" % (sample["timestamp"], begin, end))
    total = sum(i.get("rate", 0) for i in found["perfolio.cost.source.bytes"]["instances"])
    if "rate" in found["perfolio.cost.process.cpu"] and total <= 0:
        sys.exit("nothing was read")
if n < 2:
    sys.exit("no sample tells its cost")
P

# The real one shows the same with and without our lines.
if command -v collectl >/dev/null; then
	mkdir "$work/with" "$work/without"
	cp "$raw" "$work/with"
	zcat "$raw" | grep -v '^cost-' | gzip >"$work/without/$(basename "$raw")"
	for arguments in '-scdm -oTm' '-scdm -P' '-scdmCD --verbose'; do
		# shellcheck disable=SC2086
		for where in with without; do
			collectl -p "$work/$where"/*.gz $arguments >"$work/$where/out" 2>&1
		done
		cmp -s "$work/with/out" "$work/without/out" || { echo "collectl -p $arguments is disturbed by our lines"; bad=1; }
	done
fi

# Of a recording without cost that is said, and the rest is shown.
# shellcheck disable=SC2086
"$perfolio" -scd -f "$work/plain" $now
"$perfolio" replay "$work"/plain-*.gz --cost >"$work/out" 2>"$work/err"
grep -q 'without --cost' "$work/err" && grep -q '^#cpu' "$work/out" || { echo "--cost with a recording that lacks it: $(cat "$work/err")"; bad=1; }

# Samples that are late are told less and less often.
"$perfolio" -sc --costwarn .0001 -i .05 -c 9 >"$work/out" 2>"$work/err"
[ "$(grep -c 'slowest read.*proc/' "$work/err")" -eq 4 ] || { echo "10 late samples are told: $(cat "$work/err")"; bad=1; }
"$perfolio" -sc --costwarn 0 >"$work/out" 2>&1
[ $? -eq 2 ] || { echo "--costwarn 0 is not refused"; bad=1; }
exit $bad

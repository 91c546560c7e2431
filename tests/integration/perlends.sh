#!/bin/bash
# perlends.sh BUILD - modules in Perl that lack a callback or end in one, by either name; subsystems that they disable; misc.ph live. By the name
# collectl side by side with the real one.
set -u
. "$(dirname "$(readlink -f "$0")")/../tools/perl-setup"
raw=$here/../golden/collectl/raw/imp-vm-20261130-035702.raw.gz
install -d "$dir/own/part"
install -m 644 "$here"/../modules/perl/* "$dir/own"
cd "$dir/own" || exit 1

# goes_on SENTENCE SWITCHES... - by our own name: one sentence, and the recorder goes on: CPU lines up to the end. "": none.
goes_on()
{
	local sentence=$1 status
	shift
	timeout 60 "$build/perfolio" "$@" </dev/null >out 2>err
	status=$?
	[ $status = 0 ] || fail "perfolio $*: status $status: $(cat err)"
	[ -z "$sentence" ] || grep -q "^[a-z]*: .*$sentence.*, going on without it" err || fail "perfolio $*: not told: $(cat err)"
	[ "$(grep -c 'going on' err)" = "$([ -n "$sentence" ] && echo 1 || echo 0)" ] || fail "perfolio $*: $(cat err)"
	[ -s out ] || [[ $* = *-f* ]] || fail "perfolio $* shows nothing"
	grep -h "LeakSanitizer\|AddressSanitizer\|runtime error" err && fail "perfolio $*: a sanitizer complains"
}

# Each callback is missing once. collectl dies where it must have it; ours by its own name misses only what every module must have.
while read -r callback must switches; do
	grep -v "^sub lack$callback " lack.ph >part/lack.ph
	[ "$(diff lack.ph part/lack.ph | grep -c '^<')" = 1 ] || fail "lack.ph has no $callback of its own"
	# shellcheck disable=SC2086 # switches are words
	side 'cat' --import ./part/lack.ph ${switches//RAW/$raw}
	[ "$callback" = GetHeader ] && continue
	# shellcheck disable=SC2086
	goes_on "$([ "$must" = must ] && echo "it has no lack$callback, which every module must have")" --import ./part/lack.ph -scm ${switches//RAW/$raw}
done <<'CASES'
Init must -c2 -i.2
GetData must -c2 -i.2
Analyze must -c2 -i.2
InitInterval may -c2 -i.2
IntervalEnd may -c2 -i.2
UpdateHeader may --showheader
PrintBrief may -c2 -i.2
PrintVerbose may --verbose -c2 -i.2
PrintPlot may -P -c2 -i.2
PrintExport may --export lexpr -c2 -i.2
GetHeader may -p RAW -s-all
InitInterval may -p RAW -s-all
Analyze must -p RAW -s-all
CASES
for callback in Init GetData Analyze; do
	grep -v "^sub lack$callback " lack.ph >part/lack.ph
	goes_on "it has no lack$callback" --import ./part/lack.ph,isolate -scm -c2 -i.2
done

# die and exit in each: told and gone on, the program's status.
while read -r callback switches; do
	# shellcheck disable=SC2086
	goes_on "the end in $callback" --import "./ends.ph,die@$callback" ${switches//RAW/$raw}
	# shellcheck disable=SC2086
	timeout 60 "$build/perfolio" --import "./ends.ph,exit@$callback" ${switches//RAW/$raw} </dev/null >out 2>err
	status=$?
	[ $status = 9 ] || fail "exit(9) in $callback, $switches: status $status, $(cat err)"
	# shellcheck disable=SC2086
	goes_on "no more in $callback" --import "./ends.ph,error@$callback" ${switches//RAW/$raw}
done <<'CASES'
Init -scm -c2 -i.2
GetData -scm -c2 -i.2
Analyze -scm -c2 -i.2
InitInterval -scm -c2 -i.2
IntervalEnd -scm -c2 -i.2
PrintBrief -scm -c2 -i.2
PrintVerbose -scm --verbose -c2 -i.2
PrintPlot -scm -P -c2 -i.2
PrintExport -scm --export lexpr -c2 -i.2
UpdateHeader -scm --showheader
GetHeader -p RAW
CASES

# What a module disables is gone in summary and detail; loadPids finds nobody.
disabled() { grep 'before\|gave\|^#' | grep -v '^### RECORD'; }
while read -r arguments switches; do
	# shellcheck disable=SC2086
	side disabled --import "./disables.ph,$arguments" $switches
done <<'CASES'
Init,c,cbash -scm -c1 -i.2
Init,C,p1 -sCm -c1 -i.2
Init,m,u0 -scm -c1 -i.2
Init,x,fnothing -scm -c1 -i.2
Init,d,cbash -scd -c1 -i.2
Init,c,cbash -scC -c1 -i.2
Init,C,cbash -scCm -c1 -i.2 -oT
CASES
said() { grep 'before\|gave'; }
for letter in c C q; do
	side said --import "./disables.ph,GetData,$letter,cbash" -scm -c1 -i.2
done

# misc.ph live. What moves is the clock of the host and of the processor; the rest is compared byte for byte.
misc()
{
	sed -E '/^(#|>>>|[a-z])/!{ s/([0-9]{8}[ \t]|[0-9\/]{5} )?[0-9:]{8}(\.[0-9]{3})?/TIME/; /Name:/!{ s/[0-9]+/UPTIME/; s/[0-9]+/MHZ/; } }
		s/^>>> [0-9.]+/>>> TIME/; s/^sample.time .*/sample.time/; s/^(misc-uptime) .*/\1/; s/^(misc-mhz.*:) .*/\1/
		s/^(misc\.(uptime|cpuMHz)) .*/\1/; s/(Name: misc\.(uptime|cpuMHz) .*Val: *)[0-9]+/\1/; s/<<< \(.*//'
}
while read -r module switches; do
	# shellcheck disable=SC2086
	side misc --import "$module" $switches
done <<'CASES'
/usr/share/collectl/misc.ph -c2 -i.2
/usr/share/collectl/misc.ph,i=.4 -c4 -i.2
/usr/share/collectl/misc.ph,a -c2 -i.2 -oT
/usr/share/collectl/misc.ph,i=.4 -c2 -i.2 -oDm
/usr/share/collectl/misc.ph,s -c2 -i.2 -on
/usr/share/collectl/misc.ph,i=.4 --verbose -c2 -i.2
/usr/share/collectl/misc.ph,i=.4,a --verbose -oD -c2 -i.2
/usr/share/collectl/misc.ph,i=.4 -P -c4 -i.2
/usr/share/collectl/misc.ph,i=.4 -P --sep 9 -c2 -i.2
/usr/share/collectl/misc.ph,i=.4 --export lexpr -c5 -i.2
/usr/share/collectl/misc.ph,i=.4,a --export lexpr -c5 -i.2
/usr/share/collectl/misc.ph,i=.4 --export gexpr,1.2.3.4:5,d=9 -c5 -i.2
/usr/share/collectl/misc.ph,i=.4 -d4 -c4 -i.2
/usr/share/collectl/misc.ph,i=3 -c2 -i.2
/usr/share/collectl/misc.ph,i=.3 -c2 -i.2
/usr/share/collectl/misc.ph,q -c2 -i.2
CASES
exit $failed

#!/bin/sh
# callbacks.sh BUILD - modules are called in the order that collectl calls its own in: live, recording, played back, plotted, for headings.
set -u
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/callbacks.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
collectl=$build/compat/collectl
order=$build/tests/modules/order.so
bad=0
cd "$work" || exit 1

# expect NAME WANT... - the calls so far, each WANT a line; "done" at the end is ours.
expect()
{
	name=$1
	shift
	printf '%s\n' "$@" done >want
	tr ' ' '-' <log >got
	if ! cmp -s want got; then
		echo "$name: calls differ (wanted, got):"
		diff want got | head -n 12
		bad=1
	fi
	rm -f log
}

run()
{
	timeout 30 "$collectl" --import "$order,$work/log$1" $2 </dev/null >out 2>err || { echo "collectl $2: exit $?: $(tail -n 1 err)"; bad=1; }
}

# The sequences are those of collectl 4.3.1 without a terminal.
baseline='GetData Analyze IntervalEnd InitInterval'
brief='IntervalEnd PrintBrief-1 PrintBrief-2 PrintBrief-3 PrintBrief-5 InitInterval'
again='IntervalEnd PrintBrief-3 PrintBrief-5 InitInterval'

run '' '-c2 -i .1'
expect live Init InitInterval $baseline GetData Analyze $brief GetData Analyze $again
run '' '-c1 -i .1 -d4'
expect debug Init InitInterval $baseline GetData Analyze $brief
run '' '-c2 -i .1 --verbose'
expect verbose Init InitInterval $baseline GetData Analyze IntervalEnd PrintVerbose-heading InitInterval \
	GetData Analyze IntervalEnd PrintVerbose InitInterval
run ,s,d '-c1 -i .1 -P'
expect plot Init InitInterval UpdateHeader $baseline GetData Analyze IntervalEnd PrintPlot-1 PrintPlot-2 PrintPlot-3 PrintPlot-4 InitInterval
run '' "-c2 -i .1 -f $work/rec"
expect record Init InitInterval UpdateHeader GetData GetData GetData
raw=$(ls "$work"/rec*.raw* "$work"/rec/*.raw* 2>/dev/null | head -n 1)
run '' "-p $raw"
expect playback Init GetHeader InitInterval PrintBrief-4 Analyze InitInterval Analyze $brief Analyze $again
run ,s,d "-P -p $raw"
expect 'plot in playback' Init GetHeader InitInterval PrintBrief-4 Analyze InitInterval \
	Analyze IntervalEnd PrintPlot-1 PrintPlot-2 PrintPlot-3 PrintPlot-4 InitInterval Analyze IntervalEnd PrintPlot-3 PrintPlot-4 InitInterval
run '' '--showheader'
expect showheader Init InitInterval UpdateHeader
grep -q '^# Order:      yes$' out || { echo "showheader does not show the module's line"; bad=1; }
run '' '--showcolheaders'
expect showcolheaders Init InitInterval $baseline GetData Analyze IntervalEnd PrintBrief-1 PrintBrief-2
run '' '--showcolheaders --verbose'
expect 'showcolheaders verbose' Init InitInterval $baseline GetData Analyze IntervalEnd PrintVerbose-heading
exit $bad

#!/bin/bash
# worlds.sh BUILD - archives that the real pmlogger makes now, from a pmcd of our own: values at steps shorter than, equal to and longer than the
# recorded interval, beside it, equal those of the real pmval; collectl's views of its default configuration and of all metrics that our groups know
# equal what pmval prints; an archive without hinv, or without any other part, still plays in every view.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
tools=$top/tests/tools
for tool in jq pmlogger pmval pmlogconf pmlogextract pminfo; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/worlds.XXXXXX") || exit 1
TMPDIR=$work
PMCD_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export TMPDIR PMCD_PORT
trap '"$tools/pmcd-up" stop >/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

"$tools/pmcd-up" start >out 2>err || { echo "no pmcd: $(head -n 1 err)"; exit 77; }
eval "$("$tools/pmcd-up" env)"

# Ten metrics every half second, all that our groups know every second, and what pmlogconf chooses, all at the same time.
ten='kernel.all.cpu.user kernel.all.load kernel.all.pswitch mem.util.free network.interface.in.bytes disk.all.write sample.milliseconds sample.colour
	sample.drift kernel.percpu.cpu.idle'
echo "log mandatory on 500 msec {" $ten "}" >ten.conf
pmlogconf -q -h 127.0.0.1 default.conf >/dev/null 2>err || fail "pmlogconf: $(head -n 1 err)"
sed -i 's/on default {/on 1 second {/' default.conf
pminfo -h local: 2>/dev/null | sort >there
"$perfolio" -sbcdfgijmnstqpBCDEFJMNZQ --oformat json -c 1 -i .3 2>/dev/null | jq -r '.perfolio.samples[].metrics[]?.name' | sort -u >known
{
	echo "log mandatory on 1 second {"
	comm -12 known there
	echo "}"
} >all.conf
[ "$(wc -l <all.conf)" -gt 300 ] || fail "only $(wc -l <all.conf) metrics of ours are known to pmcd"
timeout 60 pmlogger -h 127.0.0.1 -c ten.conf -s 12 -l ten.log ten &
one=$!
timeout 60 pmlogger -h local: -c all.conf -T 6.5sec -l all.log all &
two=$!
timeout 60 pmlogger -h 127.0.0.1 -c default.conf -T 6.5sec -l default.log default
wait $one $two
for name in ten all default; do
	[ -s $name.meta ] || { echo "pmlogger made no archive $name: $(tail -n 1 $name.log)"; exit 1; }
done

# Steps that begin beside what was recorded.
"$perfolio" replay ten --oformat json >recorded.json 2>err || fail "ten: $(cat err)"
total=0
for step in 0.3 0.5 2; do
	mkdir -p exp.$step
	for metric in $ten; do
		pmval -z -a ten -S 0.237sec -t ${step}sec -w 24 "$metric" >"exp.$step/val-$metric.txt" 2>/dev/null
		pmval -z -a ten -S 0.237sec -t ${step}sec -w 24 -r "$metric" >"exp.$step/val-raw-$metric.txt" 2>/dev/null
	done
	"$perfolio" replay ten --interpolate $step --offset 0.237 --oformat json >step1.json 2>err || fail "steps of $step: $(cat err)"
	cp step1.json step07.json
	"$tools/pcp-report" "ten every $step s" exp.$step . >out || fail "$(head -n 3 out)"
	n=$(sed -n 's/^# \([0-9]*\) values.*/\1/p' out)
	total=$((total + ${n:-0}))
done
[ $total -ge 500 ] || fail "only $total values at steps were compared"

for name in all default; do
	"$tools/pcp-views" "$perfolio" $name >out || fail "$(head -n 5 out)"
done
# Sums and texts that PCP has no metric for are made of what it has.
"$perfolio" replay all -sj >out 2>err || fail "-sj: $(cat err)"
awk '!/^#/ { for (i = 1; i <= NF; i++) sum += $i } END { exit sum == 0 }' out || fail "-sj shows no interrupt: $(cat out)"
if grep -q Normal /proc/buddyinfo; then
	"$perfolio" replay all -sB >out 2>err || fail "-sB: $(cat err)"
	grep -q ' Normal ' out || fail "-sB shows no zone: $(head -n 4 out)"
fi
# The first interval has rates, whatever pmlogger told once before.
"$perfolio" replay default -sc >out 2>err || fail "-sc: $(cat err)"
[ "$(grep -v '^#' out | head -n 1 | xargs)" != '0 0 0 0' ] || fail "the first interval of pmlogger's default configuration shows no processor: $(head -n 4 out)"
"$perfolio" replay all -sZ >out 2>err || fail "-sZ: $(cat err)"
[ "$(grep -c pmcd out)" -ge 4 ] || fail "-sZ does not show pmcd in each interval: $(head -n 6 out)"

# Without this or that, every view plays.
for lacks in hinv 'hinv kernel.percpu' 'mem disk.all' 'kernel.all.cpu kernel.all.load' 'network disk'; do
	pattern=$(echo "$lacks" | sed 's/\./\\./g; s/ /|/g')
	grep -vE "^($pattern)(\.|$)|^log|^}" all.conf >less.conf
	rm -f less.[0m]* less.index
	pmlogextract -c less.conf all less >out 2>&1 || { fail "pmlogextract: $(head -n 1 out)"; continue; }
	for view in -scdmn "-scdmn --verbose" -sCDN "-P -scdmnCDN" -sj -sJ -si -ss -st -sM -sb -sZ -sp "-scdmn --export lexpr" "-scdmn --oformat csv" "--interpolate .5 -scdmn" "--top cpu,3,v"; do
		# shellcheck disable=SC2086
		"$perfolio" replay less $view >out 2>err
		status=$?
		[ $status -eq 0 ] || { [ $status -eq 4 ] && grep -q 'it has no' err; } || fail "without $lacks, $view: status $status $(head -n 2 err)"
	done
	"$perfolio" replay less -scdmnC >out 2>err
	! grep -qiE 'nan|inf ' out || fail "without $lacks: $(grep -iE 'nan|inf ' out | head -n 2)"
done
"$perfolio" replay less -sc >out 2>err && [ "$(grep -vc '^#' out)" -ge 2 ] || fail "without network and disk no processor is shown: $(cat out err)"
exit $bad

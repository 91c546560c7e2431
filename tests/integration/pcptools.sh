#!/bin/bash
# pcptools.sh BUILD - what the programs of PCP show of our recordings is what they show of those that the real pmlogger makes in the same seconds: the
# same lines but for numbers, the same devices, and nothing missing. Instances have the labels that pmcd gives them, and states of processes are counted alike.
set -u
build=$1
perfolio=$build/perfolio
tools=$(cd "$(dirname "$0")/../tools" && pwd)
for tool in jq pmlogger pminfo pmdumplog pcp pmrep pmstat; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/pcptools.XXXXXX") || exit 1
TMPDIR=$work
PMCD_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export TMPDIR PMCD_PORT
trap '"$tools/pmcd-up" stop >/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
compared=0

fail()
{
	echo "$*"
	bad=1
}

# Most of them are scripts for the python3 in the path; PCP's package is for that of the distribution.
mkdir bin
for python in python3 /usr/bin/python3; do
	"$python" -c 'import pcp' 2>/dev/null || continue
	ln -s "$(command -v $python)" bin/python3
	[ $python = python3 ] || PATH=$work/bin:$PATH
	break
done
[ -e bin/python3 ] || { echo "no python3 has the package pcp"; exit 77; }

"$tools/pmcd-up" start >out 2>err || { echo "no pmcd: $(head -n 1 err)"; exit 77; }
eval "$("$tools/pmcd-up" env)"
cat >theirs.conf <<'END'
log mandatory on 1 second {
	kernel hinv mem swap disk network.interface network.tcp network.softnet network.ip network.udp filesys vfs ipc
	proc.nprocs proc.runq
}
END
timeout 120 pmlogger -h local: -c theirs.conf -s 6 -l theirs.log theirs &
theirs=$!
"$perfolio" log -i 1 -c 5 ours 2>err &
ours=$!
"$perfolio" log -s bcCdDfFgGhijJmMnNpqQstTyY -i 1 -c 5 more 2>more.err || fail "more: $(cat more.err)"
wait $ours || fail "ours: $(cat err)"
wait $theirs
[ -s theirs.meta ] || { echo "pmlogger made no archive: $(tail -n 1 theirs.log)"; exit 1; }

# shapes FILE - its lines with every number as 9 and every run of blanks as one, without those that lack a number or have no room for one.
shapes()
{
	sed -E 's/"?(theirs|ours|more)"?/ARCHIVE/g; s/[0-9]+(\.[0-9]+)?(e[0-9]+)?[KMGm]?/9/g; s/-9/9/g; s/(9[,:\/-]?)+/9/g; s/[ \t]+/ /g; s/^ | $//g' "$1" |
		grep -vE '(^| )(\?|N\/A|xxx)( |$)|^$' | sort -u
}

# same ARCHIVE COMMAND... - the command, with an @ for the archive, says of it what it says of theirs.
same()
{
	local archive=$1
	shift
	timeout 60 "${@//@/theirs}" >theirs.out 2>theirs.err
	local status=$?
	timeout 60 "${@//@/$archive}" >ours.out 2>ours.err
	local ours=$?
	if [ $status -ne 0 ]; then
		echo "$*: fails with their own recording, which then says nothing of ours: $(tail -n 1 theirs.err)"
		return
	fi
	[ $ours -eq 0 ] || { fail "$*: status $ours, not $status, of $archive: $(tail -n 1 ours.err)"; return; }
	shapes theirs.out >theirs.shapes
	shapes ours.out >ours.shapes
	compared=$((compared + $(wc -l <theirs.shapes)))
	[ -s theirs.shapes ] || fail "$*: nothing is shown of theirs: $(tail -n 1 theirs.err)"
	comm -23 theirs.shapes ours.shapes >missing
	[ ! -s missing ] || fail "$*: of $archive it does not show: $(head -n 2 missing)"
}

same ours pcp -a @ free
same ours pcp -a @ uptime
same ours pcp -a @ mpstat
same ours pcp -a @ mpstat -P ALL
same ours pcp -a @ iostat
same ours pcp -a @ -t 1 -s 4 vmstat
same ours pmstat -z -t 1 -s 4 -a @
for config in sar sar-B sar-b sar-d-dev sar-n-DEV sar-n-EDEV sar-r-ALL sar-S sar-u-ALL-P-ALL sar-v sar-w vmstat vmstat-d mpstat collectl-sm collectl-sn \
	iostat-dktx; do
	same ours pmrep -z -t 1 -a @ :$config
done
same more pcp -a @ mpstat -I SUM
same more pcp -a @ mpstat -I ALL
same more pcp -a @ numastat
same more pcp -a @ ipcs -l
for config in sar-q sar-F sar-n-TCP-ETCP proc-os-stats numa-per-node-cpu mpstat-I-SUM; do
	same more pmrep -z -t 1 -a @ :$config
done
# The load is shown, too, where states of processes are not recorded.
timeout 60 pmrep -z -t 1 -a ours :sar-q >out 2>err || fail "sar-q of ours: $(cat err)"
[ $compared -ge 70 ] || fail "only $compared lines were compared"

# What cannot differ is the same.
for archive in ours more; do
	for show in mpstat iostat; do
		timeout 60 pcp -a theirs $show >theirs.out 2>/dev/null
		timeout 60 pcp -a $archive $show >ours.out 2>/dev/null
		case $show in
		mpstat) key='NR == 1' ;;
		iostat) key='!/^#/ { print $1 }' ;;
		esac
		awk "$key" theirs.out | sort -u >theirs.key
		awk "$key" ours.out | sort -u >ours.key
		[ -s theirs.key ] && diff theirs.key ours.key >diffs || fail "$show of $archive: $(cat diffs)"
	done
	pcp -a $archive free >out 2>&1
	total=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
	grep -q "^Mem: *$total " out || fail "free of $archive does not show $total KB: $(cat out)"
done

# Labels of instances: those of the archive, of the agent and of the domain are compared elsewhere.
labels()
{
	pminfo -a "$1" -l $labelled 2>/dev/null | sed -nE '/^[a-z]/ { h; b }; s/^ +inst \[[0-9]+ or "([^"]*)"\] labels (.*)$/\1 \2/; t found; b; :found; G; s/^([^\n]*)\n(.*)$/\2 \1/; p' |
		while read -r metric instance json; do
			echo "$metric $instance $(echo "$json" | jq -cS 'del(.groupid, .userid, .hostname, .domainname, .machineid, .perfolio_unchanged, .irqtext, .agent, .device_type, .indom_name)')"
		done | sort
}
labelled='kernel.percpu.cpu.user disk.dev.read network.interface.in.bytes kernel.all.interrupts.total hinv.node.online mem.buddyinfo.pages
	mem.zoneinfo.present mem.zoneinfo.protection kernel.percpu.softirqs'
labels theirs >theirs.labels
labels more >ours.labels
[ "$(wc -l <theirs.labels)" -ge 10 ] || fail "only $(wc -l <theirs.labels) instances of theirs have labels"
# Zones without pages are theirs alone.
cut -d ' ' -f 1,2 ours.labels >ours.instances
grep -Ff ours.instances theirs.labels | sort >both.labels
[ "$(wc -l <both.labels)" -ge 10 ] || fail "only $(wc -l <both.labels) of these instances are ours, too"
comm -23 both.labels ours.labels >missing
[ ! -s missing ] || fail "labels that ours does not have: $(head -n 3 missing) but: $(grep -F "$(head -n 1 missing | cut -d ' ' -f 1,2)" ours.labels)"

# Threads of the kernel are swapped, and every process is in one state.
"$perfolio" replay more --oformat json 2>err | jq -r '.perfolio.samples[] | select(.metrics) | [.metrics[] | select(.name | startswith("proc.runq.")).value] as $states |
	[.metrics[] | select(.name == "proc.nprocs").value] as $all | select(($states | length) > 0) | "\($states | add) \($all[0])"' >sums
[ -s sums ] || fail "no states of processes: $(cat err)"
awk '$1 != $2 { exit 1 }' sums || fail "states of processes and their number: $(cat sums)"
# swapped ARCHIVE - how many it says
swapped()
{
	pmdumplog -z "$1" proc.runq.swapped | sed -n 's/.*value //p' | sort -n | sed -n '$p'
}
mine=$(swapped more)
real=$(swapped theirs)
[ $((mine - real)) -lt 20 ] && [ $((real - mine)) -lt 20 ] && [ "$mine" -gt 0 ] || fail "$mine processes are swapped, $real of theirs"
exit $bad

#!/bin/sh
# record.sh BUILD - recording sessions of this host: the archive satisfies the real PCP and says the same there and here; ends of every kind
# leave a whole archive; what cannot work is refused in a sentence and leaves nothing.
set -u
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
perfolio=$build/perfolio
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/record.XXXXXX") || exit 1
loggers=
trap 'for p in $loggers; do kill -9 "$p" 2>/dev/null; done; umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

# base FOLIO - base name of the folio's archive.
base()
{
	awk '$1 == "Archive:" { print $3; exit }' "$1"
}

# samples FOLIO-OR-ARCHIVE - how many samples ours reads there; nothing of what it reads may be damaged.
samples()
{
	"$perfolio" replay "$1" --oformat json >replay.json 2>replay.err || fail "replay $1: $(head -n 1 replay.err)"
	jq '[.perfolio.samples[] | select(.metrics)] | length' replay.json
}

# whole FOLIO MIN - the archive has at least MIN samples, here and for pmlogcheck, which says nothing.
whole()
{
	n=$(samples "$1")
	[ "${n:-0}" -ge "$2" ] || fail "$1: ${n:-no} samples instead of $2"
	command -v pmlogcheck >/dev/null || return
	pmlogcheck "$(base "$1")" >check.out 2>&1 || fail "$1: pmlogcheck fails"
	# Times of processors may go back a little in some guests; that is a note about the numbers, not about the archive.
	grep -v -e 'wrap' -e '^	value' check.out >check.left && fail "$1: pmlogcheck says: $(head -n 1 check.left)"
}

# wait_for COMMAND... - until it succeeds, for ten seconds at most.
wait_for()
{
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { fail "waited in vain for: $*"; return; }
		sleep 0.05
	done
}

# has FOLIO N - does the archive have N samples by now? It is read while it grows.
has()
{
	"$perfolio" replay "$1" --oformat jsonl 2>/dev/null | grep -c '"metrics"' | grep -qx -e "[$2-9]" -e '[1-9][0-9]\{1,\}'
}

# A session of some intervals.
"$perfolio" record run.folio -c5 -i0.2 >out 2>err || fail "record fails: $(head -n 1 err)"
[ ! -s out ] || fail "record prints on standard output"
grep -q 'perfolio replay run.folio' err || fail "record does not say how to replay: $(cat err)"
whole run.folio 6
[ "$(find . -name '??????' -type f | wc -l)" -eq 0 ] || fail "the unique name's file is left behind"
[ "$(jq '[.perfolio.samples[] | select(.metrics)] | length' replay.json)" -eq 6 ] || fail "5 intervals are not 6 samples"
for view in '' --verbose -P; do
	"$perfolio" replay run.folio $view >view 2>err || fail "replay $view: $(head -n 1 err)"
	[ "$(grep -vc '^#' view)" -ge 5 ] || fail "replay $view shows $(grep -vc '^#' view) lines"
done

# The same values in the eyes of PCP.
if command -v pmdumplog >/dev/null; then
	b=$(base run.folio)
	pmdumplog -z "$b" >dump 2>err || fail "pmdumplog fails: $(head -n 1 err)"
	"$source/tests/tools/pcp-values" --held dump replay.json 2>err || fail "pmdumplog and replay differ: $(tail -n 1 err)"
	pmdumplog -a "$b" >all 2>err || fail "pmdumplog -a fails: $(head -n 1 err)"
	pmdumplog -L "$b" >label 2>&1 || fail "pmdumplog -L fails"
	grep -q 'Log Format Version 3' label || fail "the archive is not of version 3"
	grep -q "metrics from host $(uname -n)\$" label || fail "the label names another host: $(grep host label)"
	grep -q 'ending' label || fail "the label has no end"
	pminfo -a "$b" -t kernel.all.load >help 2>err || fail "pminfo -t fails: $(head -n 1 err)"
	grep -q '^kernel.all.load \[load average of' help || fail "pminfo -t shows: $(cat help)"
	pmdumplog -e "$b" | grep -q '"hostname":"'"$(uname -n)"'","machineid"' || fail "the archive has no labels of the host: $(pmdumplog -e "$b")"
	pminfo -a "$b" -l kernel.all.cpu.user kernel.all.load network.interface.in.bytes 2>err | grep -oE '^[a-z.]+|^    labels .*' | grep -oE '^[a-z.]+|"(agent|device_type|indom_name)":"[a-z ]+"' >labels
	cat >wanted <<-'END'
		kernel.all.cpu.user
		"agent":"linux"
		"device_type":"cpu"
		kernel.all.load
		"agent":"linux"
		network.interface.in.bytes
		"agent":"linux"
		"device_type":"interface"
		"indom_name":"per interface"
	END
	diff wanted labels >diffs || fail "labels of metrics differ: $(cat diffs err)"
	pminfo -a "$b" -l kernel.percpu.cpu.user network.interface.in.bytes 2>err >labels
	grep -q 'inst \[0 or "cpu0"\] labels {.*"cpu":0,' labels || fail "cpu0 has no label of its own: $(head -n 4 labels err)"
	grep -q '"lo"\] labels {.*"interface":"lo",' labels || fail "lo has no label of its own: $(grep lo labels)"
	pmval -a "$b" -z -t 0.2 kernel.all.intr >val 2>err || fail "pmval -a fails: $(head -n 1 err)"
	grep -q 'count / sec' val || fail "pmval -a does not know the units"
	pmval -U "$b" -z -f 6 kernel.all.load >val 2>err || fail "pmval -U fails: $(head -n 1 err)"
	pminfo -dfm -a "$b" >info 2>err || fail "pminfo fails: $(head -n 1 err)"
	grep -q '^kernel.all.cpu.user PMID: 60.0.20' info || fail "pminfo: kernel.all.cpu.user has another PMID"
	# Metrics of domain 511 are computed by PCP's client from its own configuration.
	awk -v RS= '/No value|Error/ && !/PMID: 511\./' info >info.bad
	[ ! -s info.bad ] || fail "pminfo: a metric without value: $(head -n 3 info.bad)"
	command -v pmafm >/dev/null && { pmafm run.folio check 2>&1 | grep -q 'OK' || fail "pmafm does not accept the folio"; }
fi

# While a command runs; its status is ours.
"$perfolio" record cmd.folio -i0.1 -- sh -c 'echo from the command; sleep 0.45; exit 7' >out 2>err
[ $? -eq 7 ] || fail "record -- COMMAND has not the command's status"
[ "$(cat out)" = 'from the command' ] || fail "the command's output is not its own: $(cat out)"
whole cmd.folio 4
grep -q 'until interrupted' err && fail "a recording with an end claims to have none"
"$perfolio" record short.folio -- true 2>err || fail "record -- true fails: $(head -n 1 err)"
whole short.folio 2

# Processes only where they are asked for.
"$perfolio" replay short.folio --oformat json 2>/dev/null | grep -q '"proc\.psinfo\.' && fail "processes are recorded unasked"
"$perfolio" record procs.folio -sZ -c1 -i0.1 2>err || fail "record -sZ fails: $(head -n 1 err)"
"$perfolio" replay procs.folio --oformat json 2>/dev/null | jq -e '[.perfolio.samples[].metrics[]?.name] | index("proc.psinfo.utime")' >/dev/null ||
	fail "record -sZ has no processes"

# Interrupted.
for signal in INT TERM HUP; do
	"$perfolio" record $signal.folio -i0.1 2>err &
	pid=$!
	loggers="$loggers $pid"
	wait_for has $signal.folio 3
	kill -$signal $pid
	wait $pid || fail "SIG$signal: status $?: $(head -n 1 err)"
	grep -qx "recording into $signal.folio until interrupted (Ctrl-C)" err || fail "an endless recording does not say so"
	grep -q "^look at it with: $perfolio replay $signal.folio" err || fail "no working command to look at it: $(tail -n 1 err)"
	whole $signal.folio 3
done

# The logger killed: what it recorded is whole, and the session says so.
"$perfolio" record killed.folio -i0.1 2>err &
pid=$!
loggers="$loggers $pid"
wait_for has killed.folio 3
pkill -9 -P $pid
wait $pid
[ $? -eq 1 ] || fail "a killed logger: status is not 1"
grep -q 'killed by signal 9' err || fail "a killed logger is not told: $(cat err)"
whole killed.folio 3

# The session killed: its logger ends by itself and completes the archive.
"$perfolio" record orphan.folio -i0.1 2>err &
pid=$!
wait_for pgrep -P $pid
logger=$(pgrep -P $pid)
loggers="$loggers $logger"
wait_for has orphan.folio 2
kill -9 $pid
wait $pid 2>/dev/null
wait_for sh -c "! grep -q '^State:[[:space:]]*[RSD]' /proc/$logger/status"
whole orphan.folio 2

# A disk that stays full: the sentence names the file, the archive is whole up to there.
mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=128k none small 2>/dev/null; then
	"$perfolio" record small/full.folio -i0.02 -c200 >out 2>err
	[ $? -eq 1 ] || fail "a full disk: status is not 1"
	grep -q 'No space left' err || fail "a full disk is not told: $(cat err)"
	[ "$(grep -c 'trying again' err)" -eq 1 ] || fail "a full disk takes more than a sentence: $(cat err)"
	grep -q 'samples are lost' err || fail "a full disk: what is lost is not told at the end: $(cat err)"
	cp small/* . && whole full.folio 3
	rm -f small/*
	head -c 1000000 /dev/zero >small/filler 2>/dev/null
	"$perfolio" record small/none.folio -c1 >out 2>err
	[ $? -eq 1 ] || fail "no room at all: status is not 1"
	[ "$(grep -c . err)" -eq 1 ] || fail "no room at all takes more than a sentence: $(cat err)"
	[ "$(ls small)" = filler ] || fail "no room at all leaves files: $(ls small)"
	umount small
fi

# refuse STATUS WORD ARGUMENT... - record ends with STATUS and one sentence with WORD, and no file came or went.
refuse()
{
	want=$1 word=$2
	shift 2
	ls -A >before
	"$perfolio" record "$@" >out 2>err
	status=$?
	[ $status -eq "$want" ] || fail "record $*: status $status instead of $want"
	[ "$(wc -l <err)" -eq 1 ] || fail "record $*: not one sentence: $(cat err)"
	grep -q -- "$word" err || fail "record $*: does not say '$word': $(cat err)"
	ls -A | cmp -s - before || fail "record $*: leaves files"
}
: >out; : >err; : >before
refuse 1 'run.folio is there already' run.folio -c1
refuse 1 'is there already' small -c1
refuse 1 'No such file' no/such/run.folio -c1
refuse 1 'unix:/no/such/socket' new.folio -h unix:/no/such/socket -c1
refuse 1 'is pmcd running there?' new.folio -h unix:/no/such/socket -c1
refuse 1 'is pmcd running on 127.0.0.1, port 1?' new.folio -h 127.0.0.1:1 -c1
refuse 1 'pcps://example.org: encrypted' new.folio -h self: -h pcps://example.org -c1
refuse 1 'no-such-program' new.folio -- no-such-program
refuse 1 'no-such-module' new.folio -c1 --import no-such-module
refuse 2 'letter' new.folio '-s!' -c1
refuse 2 '-c 0' new.folio -c 0
refuse 2 '-i 1x' new.folio -i 1x
refuse 2 'behind --' new.folio --
refuse 2 'more than one folio' one.folio two.folio
refuse 2 'folio' -c 1

# A name that ends as that of a volume does, as the address of a host.
"$perfolio" log -sc -c1 -i0.1 a.10.77.1.2 2>err || fail "log a.10.77.1.2: $(head -n 1 err)"
for name in a.10.77.1.2 a.10.77.1.2.index a.10.77.1.2.0.xz; do
	[ "$(samples $name)" = 2 ] || fail "$name is not read"
	"$perfolio" verify $name >verify.out 2>&1 || fail "verify $name: $(head -n 1 verify.out)"
done

# Modules.
if [ -f "$build/modules/hello.so" ]; then
	"$perfolio" record hello.folio -c2 -i0.1 -sc --import hello 2>err || fail "record --import hello: $(head -n 1 err)"
	whole hello.folio 3
	jq -e '[.perfolio.samples[].metrics[]? | select(.name == "hello.value") | .instances[].instance] | unique == ["hw0", "hw1", "hw2"]' \
		replay.json >/dev/null || fail "the module's values are not in the archive"
fi

# The reason why a host was not recorded stays.
"$perfolio" record reason.folio -h self: -h 127.0.0.1:1 -i0.5 --detach 2>err
"$perfolio" folio reason.folio status >out
# What came with the beginning does not come every day.
tries=0
until "$perfolio" folio reason.folio status --oformat json >status.json 2>/dev/null; jq -e '.status.archives[0].growth > 0' status.json >/dev/null; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || { fail "how fast it grows is never told"; break; }
	sleep 0.1
done
jq -e '.status.archives[0] | .growth < .bytes * 86400e9 / (.until - .from) * 0.7' status.json >/dev/null ||
	fail "what came once is told to come again: $(cat status.json)"
grep -q '^127.0.0.1:1 was not recorded: 127.0.0.1:1: cannot get anything from the pmcd' out || fail "the reason is lost: $(cat out)"
"$perfolio" folio reason.folio stop >out

# Files that are removed under way.
mkdir gone
cd gone || exit 1
"$perfolio" record gone.folio -sc -i0.1 -- sh -c 'rm -f gone.folio *.index' 2>err
[ $? -eq 1 ] || fail "removed: the status tells of success"
grep -q 'perfolio: removed or replaced while it was written: .*\.index$' err || fail "removed: the index is not named: $(cat err)"
grep -q 'perfolio: gone.folio was removed while it was recorded' err || fail "removed: the folio is not named: $(cat err)"
grep -q 'folio --make' err || fail "removed: nothing says what to do with the rest"
! grep -q 'look at it' err || fail "removed: the folio is to be looked at"
rm -f ./*
"$perfolio" record gone.folio -sc -i0.1 -- sh -c 'mv *.0 aside' 2>err
[ $? -eq 1 ] || fail "moved: the status tells of success: $(cat err)"
rm -f ./*
"$perfolio" record gone.folio -sc -i0.1 -- sh -c 'rm -f gone.folio *.index; exit 7' 2>err
[ $? -eq 7 ] || fail "removed: the status of the command is lost"
cd "$work" || exit 1

exit $bad

#!/bin/bash
# foliojobs.sh BUILD - `perfolio folio`: who records into a folio and the end of it, whatever kills whom; programs on its archives; its statuses; folios
# that it makes; and folios of all makers in replay, convert, verify and info.
set -u
build=$(cd "$1" && pwd)
golden=$(cd "$(dirname "$0")/../golden/pcp" && pwd)
docs=$(cd "$(dirname "$0")/../../docs" && pwd)
perfolio=$build/perfolio
tools=$(cd "$(dirname "$0")/../tools" && pwd)
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/foliojobs.XXXXXX") || exit 1
mine=
trap 'for p in $mine; do kill -9 "$p" 2>/dev/null; done; [ -z "${PMCD_PORT:-}" ] || "$tools/pmcd-up" stop >/dev/null 2>&1; rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
export HOME=$work TZ=UTC

fail()
{
	echo "$*"
	bad=1
}

# wait_for COMMAND... - until it succeeds, for some time at most.
wait_for()
{
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 400 ] || { fail "waited in vain for: $*"; return 1; }
		sleep 0.05
	done
}

# states FOLIO - state of each archive, in one line.
states()
{
	"$perfolio" folio "$1" status --oformat json | jq -r '[.status.archives[].state] | join(" ")'
}

are()
{
	[ "$(states "$1")" = "$2" ]
}

# recording FOLIO WORDS... - begin one, and wait until each host has a sample. Its process is $pid.
recording()
{
	"$perfolio" record "$@" -i 0.1 -sc >"$1.out" 2>"$1.err" &
	pid=$!
	mine="$mine $pid"
	wait_for sh -c "'$perfolio' folio $1 status --oformat json | jq '[.status.archives[] | .pid and .until] | all' | grep -q true"
}

# gives STATUS WORD ARGUMENT... - perfolio folio ends so, and says that somewhere.
gives()
{
	want=$1 word=$2
	shift 2
	timeout 60 "$perfolio" folio "$@" >out 2>err </dev/null
	status=$?
	[ $status -eq "$want" ] || fail "folio $*: status $status instead of $want: $(head -n 2 err)"
	{ cat out err; echo; } | grep -qF -e "$word" || fail "folio $*: does not say '$word': $(cat out err | head -n 3)"
}

# Three hosts are recorded; one is stopped, then the rest.
recording run.folio -h self: -h self: -h self:
are run.folio 'recording recording recording' || fail "three hosts: $(states run.folio)"
gives 0 'is being recorded by process' run.folio status
grep -qE 'last sample [0-9.]+ s ago; .* in .*' out || fail "status: $(head -n 1 out)"
pids=$("$perfolio" folio run.folio status --oformat jsonl | jq "select(.archive) | .pid")
for p in $pids; do
	tr '\0' ' ' <"/proc/$p/cmdline" | grep -q '^perfolio log' || fail "the pid $p is no logger"
done
gives 0 'was recorded from' --archives 2 run.folio stop
[ "$(wc -l <out)" -eq 1 ] || fail "stop of one tells of others: $(cat out)"
are run.folio 'recording ended recording' || fail "after stop of one: $(states run.folio)"
gives 2 'does not have it' --hosts nobody run.folio stop
are run.folio 'recording ended recording' || fail "after a stop of nobody: $(states run.folio)"
gives 0 'was recorded from' run.folio stop
are run.folio 'ended ended ended' || fail "after stop: $(states run.folio)"
wait $pid || fail "record ends with $? when it is stopped from outside: $(cat run.folio.err)"
gives 0 'nothing of run.folio is being recorded' run.folio stop
"$perfolio" verify run.folio >out 2>err || fail "what was stopped is not whole: $(head -n 2 out err)"

for format in json xml csv html jsonl; do
	"$perfolio" folio run.folio status --oformat $format >st.$format 2>err || fail "status --oformat $format: $(cat err)"
done
"$tools/schema-check" "$docs/status.schema.json" st.json || fail "status: not as the schema says"
"$tools/schema-check" "$docs/status.schema.json" || fail "the schema's examples"
[ "$(wc -l <st.csv)" -eq 4 ] && grep -q '^host,archive,state,pid,' st.csv || fail "status --oformat csv: $(cat st.csv)"

# A logger that is killed leaves nothing that claims to record.
recording killed.folio
kill -9 "$("$perfolio" folio killed.folio status --oformat json | jq '.status.archives[0].pid')"
wait_for are killed.folio ended
wait $pid

# A file that somebody else has locked is no recording of ours to stop.
cp "$golden"/b-v3-basic.* . 2>/dev/null
"$perfolio" folio --make locked.folio b-v3-basic 2>err || fail "--make: $(cat err)"
python3 -c '
import fcntl, sys, time
f = open("b-v3-basic.index", "r+b")
fcntl.lockf(f, fcntl.LOCK_EX)
open("locked", "w").close()
time.sleep(600)' &
other=$!
mine="$mine $other"
wait_for test -e locked
gives 1 'is no logger of it' locked.folio stop
kill -0 $other || fail "a process that is no logger was ended"
kill -9 $other
wait $other 2>/dev/null

# What PCP's own logger records is known by its number and its files.
if command -v pmlogger >/dev/null; then
	export PMCD_PORT TMPDIR=$work
	PMCD_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	if "$tools/pmcd-up" start >out 2>&1; then
		echo 'log mandatory on 200 msec { kernel.all.load }' >theirs.config
		( eval "$("$tools/pmcd-up" env)"; exec pmlogger -h "127.0.0.1:$PMCD_PORT" -c theirs.config -l theirs.log -y theirs ) &
		theirs=$!
		mine="$mine $theirs"
		printf 'PCPFolio\nVersion: 1\nArchive: h theirs\n' >theirs.folio
		wait_for are theirs.folio recording
		[ "$("$perfolio" folio theirs.folio status --oformat json | jq '.status.archives[0].pid')" = $theirs ] || fail "pmlogger is told to have another number"
		gives 0 'was recorded from' theirs.folio stop
		kill -0 $theirs 2>/dev/null && fail "pmlogger was not ended"
		are theirs.folio ended || fail "pmlogger: $(states theirs.folio)"
		"$tools/pmcd-up" stop >/dev/null 2>&1
	fi
fi

# A pipe is no folio, and nobody waits for what comes through it; what a folio says cannot command a terminal.
mkfifo pipe
gives 1 'pipe' pipe list
"$build/compat/pmafm" pipe list >out 2>err
[ $? -eq 1 ] && grep -q 'cannot open folio "pipe"' err || fail "pmafm of a pipe: $(cat err)"
printf 'PCPFolio\nVersion: 1\nCreator: x\033[2J y\nArchive: h\033[2J b\033]0;t\007\n' >escapes.folio
for words in list check selections status replay 'run perfolio info' remove 'repeat perfolio info' 'run pmval'; do
	for program in "$perfolio folio" "$build/compat/pmafm"; do
		$program escapes.folio $words 2>&1 | grep -q "$(printf '[\033\007]')" && fail "$program $words: gives terminals commands"
	done
done

# Names that rm(1) would take for switches, what libpcp_gui calls this host, too large for a folio.
: >-dash.log
printf 'PCPFolio\nVersion: 1\nArchive: h -dash\n' >dash.folio
[ "$("$perfolio" folio dash.folio remove)" = 'rm -f dash.folio ./-dash.log' ] || fail "remove with a dash: $("$perfolio" folio dash.folio remove)"
printf 'PCPFolio\nVersion: 1\nArchive: self: b-v3-basic\n' >self.folio
"$build/compat/pmafm" self.folio check | grep -q 'OK' || fail "pmafm: self: is another host: $("$build/compat/pmafm" self.folio check)"
{ printf 'PCPFolio\nVersion: 1\n'; head -c 1100000 /dev/zero | tr '\0' '#'; } >large.folio
gives 1 'larger than 1 MB' large.folio list

# Statuses and sentences.
for f in "$golden"/a-v2-basic.*; do
	[ -f "$f" ] && cp "$f" "gone.${f##*.}"
done
"$perfolio" folio --make two.folio b-v3-basic gone
"$perfolio" folio --make one.folio gone
rm gone.*
printf 'PCPFolio\nVersion: 1\n' >empty.folio
printf 'PCPFolio\nVersion: 1\nArchive: golden-a\nArchive: golden-a b-v3-basic\n' >line.folio
echo text >text
: >out
gives 0 'OK' locked.folio check
gives 3 'gone.meta' two.folio check
gives 4 'Errors' one.folio check
gives 4 'names no archive' empty.folio check
gives 3 'line 3' line.folio check
gives 4 'not a PCP archive folio' text list
gives 1 'No such file' nothing list
gives 2 'no folio is named'
gives 2 'was check meant?' locked.folio chekc
gives 2 'or not only one' locked.folio re
gives 2 'list takes the word verbose' locked.folio list all
gives 2 'no switch --frob' --frob locked.folio
gives 2 'yaml' locked.folio status --oformat yaml
gives 2 'status takes' locked.folio status now
gives 2 'archive x: locked.folio does not have it' locked.folio archives x
gives 3 'was not recorded' two.folio status
"$perfolio" folio two.folio status --oformat json >out 2>err
"$tools/schema-check" "$docs/status.schema.json" out || fail "status of what is missing: not as the schema says"
gives 4 'was not recorded' one.folio status
gives 0 'golden-a' locked.folio l
gives 0 'commencing' locked.folio list v
gives 2 '.pcp/pmafm' locked.folio run no-such-program
gives 2 'which program' locked.folio run
gives 0 'perfolio replay' locked.folio run '?'
mkdir -p .pcp/pmafm
echo 'SINGLE="no-such-program false"' >.pcp/pmafm/mine
gives 1 'no such program in the folders' locked.folio run no-such-program
gives 1 'Host: golden-a' locked.folio false
gives 1 'is there already' --make locked.folio b-v3-basic
gives 4 'no archive was found' --make new.folio text
[ ! -e new.folio ] || fail "a folio of nothing is made"
gives 3 'text is no file of an archive' --make new.folio text b-v3-basic.0
grep -qx 'Archive:        golden-a                b-v3-basic' new.folio || fail "--make: $(tail -n 1 new.folio)"
mkdir below
gives 0 '' --make below/new.folio ./b-v3-basic.meta below/../b-v3-basic
[ "$(grep -c '^Archive' below/new.folio)" -eq 1 ] && grep -q " $work/b-v3-basic\$" below/new.folio ||
	fail "--make in another folder: $(cat below/new.folio)"
gives 0 'OK' below/new.folio check
"$perfolio" folio --make - b-v3-basic >out 2>err || fail "--make -: $(cat err)"
grep -q '^Creator: perfolio$' out || fail "--make - writes: $(cat out)"

# As they are typed; our own programs on archives; the rest of the input is theirs to read.
printf 'list\nsel\nfoo\nq\nlist\n' | "$perfolio" folio locked.folio >out 2>err
[ $? -eq 2 ] || fail "commands on standard input: status is not the worst of them"
[ "$(grep -c 'PCP Archive Folio' out)" -eq 1 ] && ! grep -q 'folio>' out || fail "commands on standard input: $(cat out)"
gives 0 'complete' locked.folio verify
gives 0 'Host      golden-a' locked.folio run perfolio info
gives 0 'samples' locked.folio convert --oformat json out.json
[ -s out.json ] || fail "convert of a folio writes nothing"
gives 0 'Archive: ' locked.folio repeat info
gives 0 '"host":"golden-a"' locked.folio replay --oformat json

# Folios of all makers: ours, mkaf's, the library's, pmlogger's own; with paths from the root on; with archives that are gone.
makers()
{
	printf 'PCPFolio\nVersion: 1\n%s\n' "$2" >"$1"
	shift 2
	for base; do
		printf 'Archive:        golden-a                %s\n' "$base" >>"$name"
	done
}
head='# use pmafm(1) to process this PCP archive folio
#
Created: on vm at Mon Nov 30 04:09:06 UTC 2026'
name=mkaf.folio
makers $name "$head
Creator: pmchart
# 		Host			Basename
#" ./b-v3-basic
name=Latest
makers $name "$head
Creator: pmlogger
#               Host                    Basename
#" b-v3-basic
name=root.folio
makers $name "$head
Creator: app XXXXXX" "$work/b-v3-basic"
name=gone.folio
makers $name "$head
Creator: perfolio" none b-v3-basic
samples=$("$perfolio" replay b-v3-basic --oformat json | jq '.perfolio.samples | length')
for f in mkaf.folio Latest root.folio gone.folio; do
	want=0
	[ $f = gone.folio ] && want=3
	for words in 'replay --oformat json' 'convert --oformat json' 'verify' 'info'; do
		last=
		[ "${words%% *}" = convert ] && last=-
		for place in $f "$work/$f"; do
			(cd "$([ "$place" = $f ] && echo . || echo /)" && exec "$perfolio" ${words%% *} "$place" ${words#"${words%% *}"} $last) >out 2>err
			status=$?
			[ $status -eq $want ] || fail "${words%% *} $place: status $status instead of $want: $(head -n 1 err)"
			[ $want -eq 0 ] || cat out err | grep -q none || fail "${words%% *} $place: does not name what is gone: $(head -n 1 err)"
			case $words in *json*) [ "$(jq '.perfolio.samples | length' out)" = "$samples" ] || fail "$words $place: other samples" ;; esac
		done
	done
done
exit $bad

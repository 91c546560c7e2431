#!/bin/sh
# dialogs.sh BUILD - a logger and its dialogs: programs that answer, fail, hang and crash; the recording goes on meanwhile, and the archive is
# whole whatever happens. Under a display of its own: the real programs.
set -u
build=$1
perfolio=$build/perfolio
work=$(mktemp -d "${TMPDIR:-/tmp}/dialogs.XXXXXX") || exit 1
mine=
trap 'for p in $mine; do kill -9 "$p" 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset DISPLAY WAYLAND_DISPLAY PCP_XCONFIRM_PROG PCP_TMPFILE_DIR
mkdir texts
export TMPDIR="$work/texts"
bad=0

fail()
{
	echo "$*"
	bad=1
}

# wait_for COMMAND... - until it succeeds, for thirty seconds at most.
wait_for()
{
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { fail "$name: waited in vain for: $*"; return 1; }
		sleep 0.05
	done
}

# samples - that the archive has by now.
samples()
{
	"$perfolio" replay "$name" --oformat jsonl 2>/dev/null | grep -c '"metrics"'
}

has_more_than()
{
	[ "$(samples)" -gt "$1" ]
}

gone()
{
	! kill -0 "$1" 2>/dev/null || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"
}

# dialog SCRIPT - what shows dialogs; its words are in "words".
dialog()
{
	printf '#!/bin/sh\ncd "%s"\necho "$@" >>words\n%s\n' "$work" "$1" >confirm
	chmod +x confirm
	export PCP_XCONFIRM_PROG="$work/confirm"
	rm -f words release dialog.pid
}

# begin NAME - a logger with a control channel at descriptor 9, and its introduction.
begin()
{
	name=$1
	rm -f channel
	mkfifo channel
	"$perfolio" log -sc -i0.05 --no-compress -x 3 "$name" 3<channel 2>"$name.log" 9>&- &
	logger=$!
	mine="$mine $logger"
	exec 9>channel
	printf 'V0\nF%s.folio\nPdialogs.sh\nR\n' "$name" >&9
	wait_for has_more_than 1
}

# goes_on - more samples come.
goes_on()
{
	wait_for has_more_than $(($(samples) + 2)) || fail "$name: the recording does not go on"
}

# ended STATUS - the logger ends by itself, the archive is whole, no text and no program is left behind.
ended()
{
	wait_for gone "$logger" || return
	wait "$logger"
	status=$?
	[ $status -eq "$1" ] || fail "$name: status $status instead of $1: $(tail -n 1 "$name.log")"
	"$perfolio" verify "$name" >verify.out 2>&1 || fail "$name: the archive is not whole: $(head -n 1 verify.out)"
	if command -v pmlogcheck >/dev/null; then
		pmlogcheck "$name" >check.out 2>&1 || fail "$name: pmlogcheck fails: $(head -n 1 check.out)"
	fi
	[ -z "$(ls texts)" ] || fail "$name: texts are left behind: $(ls texts)"
	[ ! -f dialog.pid ] || gone "$(cat dialog.pid)" || fail "$name: the dialog program lives on"
}

logged()
{
	grep -q -- "$1" "$name.log" || fail "$name: the log does not say '$1': $(cat "$name.log")"
}

not_logged()
{
	! grep -q -- "$1" "$name.log" || fail "$name: the log says '$1'"
}

# The launcher is gone: what is answered decides.
dialog 'echo Yes'
begin yes
exec 9>&-
ended 0
grep -q -- '-c -header PCP Archive Recording Session - dialogs.sh -file .*msg.* -icon question -B Yes -b No' words ||
	fail "yes: the dialog program got other words: $(cat words)"
not_logged Dialog

for answer in 'echo No' 'echo' 'echo Later; exit 1'; do
	dialog "$answer"
	rm -f no.*
	begin no
	exec 9>&-
	wait_for test -s words
	goes_on
	not_logged Dialog
	kill -TERM $logger
	ended 0
done

n=0
for silence in 'exit 0' 'exit 3' 'kill -SEGV $$' 'exec >/dev/null; exec sleep 1000'; do
	n=$((n + 1))
	dialog "$silence"
	begin silent$n
	exec 9>&-
	ended 0
	logged 'Error: pmconfirm(1) failed for recording session dialog'
	logged "the archive folio \"silent$n.folio\" and the host \"$(uname -n)\" has been in progress for [0-9]* seconds"
	logged "  \$ pmafm silent$n.folio replay"
	logged "  \$ pmsignal -s TERM $logger"
	logged 'Terminate this PCP recording session now?'
done

# No display at all, the usual server.
unset PCP_XCONFIRM_PROG
begin server
printf '?\n' >&9
wait_for grep -q 'Warning: pmconfirm(1) failed' server.log
goes_on
printf 'Q\n' >&9
ended 0
logged 'launched pmlogger has terminated this PCP recording session.'
begin flood
yes '?' | head -n 100000 >&9
goes_on
printf 'Q\n' >&9
ended 0
logged 'Warning: [0-9]* requests for the state of the recording came within a second of others and were not answered'
[ "$(grep -c 'Warning: pmconfirm(1) failed' flood.log)" -lt 1600 ] || fail "flood: every request was answered"
begin orphan
exec 9>&-
ended 0
logged 'Terminate this PCP recording session now?'
begin detached
printf 'D\n' >&9
exec 9>&-
wait_for grep -q 'asked pmlogger to continue independently' detached.log
goes_on
kill -TERM $logger
ended 0
begin partial
printf 'Q' >&9
exec 9>&-
ended 0
logged 'Terminate this PCP recording session now?'

# A dialog that hangs: recording goes on, and what ends the logger ends the dialog.
for end in TERM HUP KILL quit; do
	dialog 'echo $$ >dialog.pid; exec sleep 1000'
	begin hang$end
	if [ $end = quit ]; then
		printf '?\n' >&9
	else
		exec 9>&-
	fi
	wait_for test -s dialog.pid
	goes_on
	if [ $end = quit ]; then
		first=$(cat dialog.pid)
		printf 'Q\n' >&9
		wait_for gone "$first"
		wait_for grep -q -e '-icon info -b Close' words
		wait_for sh -c "[ \"\$(cat dialog.pid)\" != $first ]"
		# The archive is complete, the last dialog is still to be read; a signal ends that.
		kill -TERM $logger
		ended 0
	elif [ $end = KILL ]; then
		kill -KILL $logger
		wait $logger 2>/dev/null
		wait_for gone "$(cat dialog.pid)"
		rm -f texts/*
	else
		kill -$end $logger
		ended 0
	fi
done

# One is open, the others wait, with the options that came with them.
dialog 'until [ -e release ]; do sleep 0.02; done; rm -f release; echo Close'
begin queue
printf '?-geometry +1+1\n?-geometry +2+2\nD-geometry +3+3\n' >&9
for i in 1 2 3; do
	wait_for grep -q -e "^-geometry +$i+$i " words
	[ "$(wc -l <words)" -eq $i ] || fail "queue: $(wc -l <words) dialogs instead of $i"
	goes_on
	: >release
	wait_for test ! -e release
done
kill -TERM $logger
ended 0
not_logged Dialog

# A recording of `perfolio record` shows everything itself.
dialog 'echo No'
name=own
"$perfolio" record own.folio -sc -i0.1 -c3 2>own.log || fail "own: $(head -n 1 own.log)"
[ ! -e words ] || fail "own: there was a dialog: $(cat words)"
unset PCP_XCONFIRM_PROG

# The real programs, under a display of its own.
if ! command -v Xvfb >/dev/null || ! command -v xwininfo >/dev/null; then
	echo "Xvfb or xwininfo is not installed: no display"
	exit $bad
fi
Xvfb -displayfd 5 -screen 0 1280x800x24 5>display >xvfb.log 2>&1 &
server=$!
mine="$mine $server"
name=Xvfb
wait_for test -s display
DISPLAY=:$(cat display)
XDG_RUNTIME_DIR=$work
export DISPLAY XDG_RUNTIME_DIR
path=$PATH
title='PCP Archive Recording Session - dialogs.sh'
tried=0
for program in xmessage zenity pmquery; do
	where=$(command -v $program) || continue
	tried=$((tried + 1))
	mkdir only
	for tool in sh dirname basename env "$program"; do
		ln -s "$(command -v $tool)" only/
	done
	# Only this one is to be found.
	name=shown$program
	rm -f channel
	mkfifo channel
	PATH=$work/only "$perfolio" log -sc -i0.05 --no-compress -x 3 "$name" 3<channel 2>"$name.log" 9>&- &
	logger=$!
	mine="$mine $logger"
	exec 9>channel
	printf 'V0\nFa.folio\nPdialogs.sh\nR\n' >&9
	wait_for has_more_than 1
	exec 9>&-
	wait_for sh -c "xwininfo -root -tree | grep -q '$title'" || fail "$program: no window, log: $(cat "$name.log")"
	goes_on
	[ -z "${DIALOGS_SHOT:-}" ] || "$DIALOGS_SHOT" "$program"
	kill -TERM $logger
	ended 0
	rm -r only
done
[ $tried -gt 0 ] || echo "no program for dialogs is installed"
kill $server
exit $bad

#!/bin/sh
# signals.sh BUILD - INT and TERM end a run with everything complete; a reader that goes away ends it quietly.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
for tool in jq xmllint; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/signals.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# interrupted SIGNAL BYTES ARGUMENT... - start, wait until the output has so many bytes, send the signal; the status is left in $status.
interrupted()
{
	signal=$1 bytes=$2
	shift 2
	: >"$work/out"
	"$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	tries=0
	while [ "$(wc -c <"$work/out")" -lt "$bytes" ] && [ $tries -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	kill -"$signal" $pid
	wait $pid
	status=$?
}

for signal in INT TERM; do
	interrupted $signal 3000 env --default-signal=INT "$perfolio" -scdnm -i 0.1 --oformat json
	[ $status -eq 0 ] || fail "JSON and SIG$signal: status $status"
	jq -e '.perfolio.samples | length >= 1' "$work/out" >/dev/null || fail "JSON and SIG$signal: no valid document"
	interrupted $signal 3000 env --default-signal=INT "$perfolio" -scdnm -i 0.1 --oformat xml
	[ $status -eq 0 ] || fail "XML and SIG$signal: status $status"
	xmllint --noout "$work/out" || fail "XML and SIG$signal: no valid document"
	interrupted $signal 400 env --default-signal=INT "$perfolio" -scdnm -i 0.1
	[ $status -eq 0 ] || fail "brief and SIG$signal: status $status"
	[ ! -s "$work/err" ] || fail "brief and SIG$signal: $(head -n 1 "$work/err")"
done

interrupted INT 200 env --default-signal=INT "$ours" -sc -i 0.1
[ $status -eq 0 ] || fail "collectl and SIGINT: status $status"
[ "$(tail -n 1 "$work/out")" = 'Ouch!' ] || fail "collectl and SIGINT: the last line is $(tail -n 1 "$work/out")"

# A logger completes its archive, or goes on: what pmlogger does.
for signal in QUIT USR2 VTALRM PROF XCPU ALRM PWR PIPE USR1; do
	archive=$work/log$signal
	env --default-signal=QUIT "$perfolio" log -sc -i 0.05 --no-compress "$archive" 2>"$work/err" &
	pid=$!
	tries=0
	until [ $tries -ge 200 ] || [ "$(cat "$archive.0" 2>/dev/null | wc -c)" -gt 2000 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	kill -$signal $pid
	case $signal in
	ALRM | PWR | PIPE | USR1)
		size=$(wc -c <"$archive.0")
		until [ $tries -ge 400 ] || [ "$(wc -c <"$archive.0")" -gt $((size + 2000)) ]; do
			tries=$((tries + 1))
			sleep 0.05
		done
		kill -TERM $pid || fail "perfolio log is over after SIG$signal"
		;;
	esac
	wait $pid
	status=$?
	[ $status -eq 0 ] || fail "perfolio log and SIG$signal: status $status: $(tail -n 1 "$work/err")"
	"$perfolio" verify "$archive" >"$work/out" 2>&1 || fail "perfolio log and SIG$signal: $(head -n 1 "$work/out")"
done

# A recorder ends its file.
"$perfolio" -scdnm -i 0.1 -f "$work/" &
pid=$!
tries=0
until [ $tries -ge 200 ] || [ "$(cat "$work"/*.raw.gz 2>/dev/null | wc -c)" -gt 2000 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
kill -TERM $pid
wait $pid || fail "recording and SIGTERM: status $?"
gzip -t "$work"/*.raw.gz || fail "recording and SIGTERM: the file is cut off"
zcat "$work"/*.raw.gz | tail -n 1 | grep -q '^>>> ' || fail "recording and SIGTERM: no closing marker"

# The reader goes away. What the first program of the pipe ends with is written to a file.
for arguments in "-sc -i 0.05" "-sc -i 0.05 --verbose" "-sc -i 0.05 -P" "-sc -i 0.05 --oformat json"; do
	{ "$perfolio" $arguments 2>"$work/err"; echo $? >"$work/status"; } | head -n 2 >/dev/null
	[ "$(cat "$work/status")" -eq 0 ] || fail "$arguments | head: status $(cat "$work/status")"
	[ ! -s "$work/err" ] || fail "$arguments | head: $(head -n 1 "$work/err")"
done
exit $bad

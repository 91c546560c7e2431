#!/bin/sh
# bench.sh BUILD SOURCE - the benches run and print their tables; what the figures are is not judged here.
set -u
build=$1 source=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/bench-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

# bench ARGUMENT... - run one; its table goes to $work/out. What is missing is no failure, but said.
bench()
{
	"$source/bench/run" -b "$build" -r 1 --no-judge "$@" >"$work/out" 2>"$work/err"
	status=$?
	if [ $status -eq 77 ]; then
		echo "bench/run $* left out: $(cat "$work/err")"
	elif [ $status -ne 0 ]; then
		echo "bench/run $* ended with status $status: $(tail -n 1 "$work/err")"
		bad=1
	fi
	return $status
}

# rows WHAT ROW... - each is a row of the table with figures in it.
rows()
{
	what=$1
	shift
	for row in "$@"; do
		grep -q "^$row.* [0-9][0-9.]*\( x\| *$\)" "$work/out" || { echo "bench/run $what prints no row '$row'"; bad=1; }
	done
}

bench -n 50 --sets default sampling &&
	rows sampling 'bare pread loop' 'perfolio, brief' 'perfolio, JSON' 'perfolio, recording' 'perfolio, the same with --cost'
bench -n 20 --sets 100 sampling && rows 'sampling (processes)' 'bare pread loop' 'perfolio, verbose' 'perfolio, recording'
for peer in collectl sadc atop; do
	grep -q "^$peer" "$work/out" || grep -q "$peer.*not found" "$work/err" || [ "$peer" = sadc ] ||
		{ echo "$peer is neither in the table nor said to be missing"; bad=1; }
done
if bench -n 40 import; then
	for row in 'perfolio' 'hello in C' 'hello in C, --import-isolate' 'openmetrics from a file' 'exec of a shell with echo'; do
		grep -q "^$row  *-*[0-9][0-9.]* " "$work/out" || { echo "bench/run import prints no row '$row'"; bad=1; }
	done
fi
bench -n 40 playback && rows playback 'perfolio, brief' 'perfolio, --from'
bench -n 120 archive && rows archive 'perfolio info, plain' 'perfolio replay, brief, packed' 'plain, the start' 'packed, the start'
bench -n 3 size && rows size 'perfolio archive' 'perfolio archive, xz' 'perfolio raw.gz'
bench -n 3 logger && rows logger 'perfolio log' 'pmlogger'
for what in dstart "-n 20000 devents" "-n 100000 dprobe"; do
	bench $what
done
"$source/bench/run" -b "$build" --sets nonsense sampling >/dev/null 2>&1
[ $? -eq 2 ] || { echo "bench/run takes a set that does not exist"; bad=1; }
exit $bad

#!/bin/sh
# bench.sh BUILD SOURCE - the benches run and print their tables; what the figures are is not judged here.
set -u
build=$1 source=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/bench-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

"$source/bench/run" -b "$build" -r 1 -n 50 --no-judge sampling >"$work/out" 2>"$work/err"
status=$?
if [ $status -ne 0 ]; then
	echo "bench/run sampling ended with status $status: $(tail -n 1 "$work/err")"
	bad=1
fi
for row in 'bare pread loop' 'perfolio, brief' 'perfolio, JSON' 'perfolio, recording'; do
	if ! grep -q "^$row.* [0-9][0-9.]* x" "$work/out"; then
		echo "bench/run sampling prints no row '$row'"
		bad=1
	fi
done

"$source/bench/run" -b "$build" -r 1 --no-judge dstart >"$work/out" 2>"$work/err"
status=$?
if [ $status -eq 77 ]; then
	echo "bench/run dstart left out: $(cat "$work/err")"
elif [ $status -ne 0 ]; then
	echo "bench/run dstart ended with status $status: $(tail -n 1 "$work/err")"
	bad=1
fi
exit $bad

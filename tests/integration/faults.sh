#!/bin/sh
# faults.sh BUILD - whichever allocation fails, no command crashes: it ends with a status of its own and, if that is not 0, a sentence.
set -u
build=$1
source=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/faults.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
most=400 # runs per command; the steps between them grow with the number of allocations

# fail_each ARGUMENT... - run the program once for every allocation, which then fails.
fail_each()
{
	rm -f "$work/count"
	if ! ALLOCS_COUNT=$work/count LD_PRELOAD=$build/tests/integration/allocs.so timeout 60 "$@" >/dev/null 2>"$work/err" </dev/null; then
		echo "$* fails without any fault: $(head -n 1 "$work/err")"
		bad=1
		return
	fi
	total=$(head -n 1 "$work/count")
	step=$((total / most + 1))
	n=1
	while [ "$n" -le "$total" ]; do
		ALLOCS_FAIL=$n LD_PRELOAD=$build/tests/integration/allocs.so timeout 60 "$@" >/dev/null 2>"$work/err" </dev/null
		status=$?
		if [ $status -ge 124 ]; then
			echo "allocation $n of $total failing: $* ends with status $status"
			bad=1
		elif [ $status -ne 0 ] && [ ! -s "$work/err" ]; then
			echo "allocation $n of $total failing: $* ends with status $status and says nothing"
			bad=1
		fi
		n=$((n + step))
	done
}

raw=$(find "$source/tests" -name 'cdnm-*.raw.gz' | head -n 1)
fail_each "$build/perfolio" -scdnm -i0 -c 2
fail_each "$build/perfolio" -scdnm -i0 -c 2 --verbose
fail_each "$build/perfolio" -scdnm -i0 -c 2 --oformat json
fail_each "$build/perfolio" replay "$raw"
fail_each "$build/perfolio" replay "$raw" --oformat xml
exit $bad

#!/bin/sh
# allocations.sh BUILD - a recorder in its steady state allocates nothing: as many allocations in 1,100 samples as in 100,
# but for a buffer or two that grow because a number did.
set -u
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/allocations.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

# allocations SAMPLES ARGUMENT... - how often perfolio allocates for so many samples taken back to back.
allocations()
{
	samples=$1
	shift
	rm -f "$work/count" "$work"/archive.*
	if ! ALLOCS_COUNT=$work/count LD_PRELOAD=$build/tests/integration/allocs.so \
		"$build/perfolio" -scdnm -i0 -c "$samples" "$@" >/dev/null 2>"$work/err"; then
		echo "perfolio -c $samples $* failed: $(head -n 1 "$work/err")" >&2
		return 1
	fi
	awk '{ sum += $1 } END { print sum + 0 }' "$work/count"
}

# same WHAT ARGUMENT... - the number of allocations must not depend on the number of samples.
most=10
same()
{
	what=$1
	shift
	few=$(allocations 100 "$@") && many=$(allocations 1100 "$@") || { bad=1; return; }
	if [ "$few" -eq 0 ]; then
		echo "$what: nothing was counted, so the counter does not work"
		bad=1
	elif [ "$many" -gt $((few + most)) ]; then
		echo "$what: $((many - few)) allocations in 1,000 samples of the steady state, expected none"
		bad=1
	fi
}

# archives SAMPLES - the same for the logger, a millisecond apart.
archives()
{
	rm -f "$work/count" "$work"/archive.*
	ALLOCS_COUNT=$work/count LD_PRELOAD=$build/tests/integration/allocs.so \
		"$build/perfolio" log -scdnm -i0.001 -c "$1" "$work/archive" 2>"$work/err" ||
		{ echo "perfolio log -c $1 failed: $(head -n 1 "$work/err")" >&2; return 1; }
	awk '{ sum += $1 } END { print sum + 0 }' "$work/count"
}

few=$(archives 100) && many=$(archives 1100) || bad=1
if [ "${many:-0}" -gt "${few:-0}" ]; then
	# Instances that come while it runs (another test's disk, a network device) are told to the archive, and cost a few.
	[ $((many - few)) -lt 200 ] || { echo "archive: $((many - few)) allocations in 1,000 samples of the steady state"; bad=1; }
fi
same "brief view"
same "verbose view" --verbose
same "own cost" --cost --verbose
same "plot format" -P
same "JSON" --oformat json
same "gexpr" --export gexpr,127.0.0.1:9
same "graphite, nobody listens" --export graphite,127.0.0.1:9
for view in "" --verbose -P "--oformat json" "--export lexpr" "--export lexpr,co"; do
	same "a module that draws for itself $view" --import hello,sd $view
	same "a module with declared metrics $view" --import "$build/tests/modules/declared.so,sd" $view
done
exit $bad

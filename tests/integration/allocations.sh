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
		"$build/perfolio" -i0 -c "$samples" "$@" >/dev/null 2>"$work/err" </dev/null; then
		echo "perfolio -c $samples $* failed: $(head -n 1 "$work/err")" >&2
		return 1
	fi
	awk '{ sum += $1 } END { print sum + 0 }' "$work/count"
}

# same WHAT ARGUMENT... - the number of allocations must not depend on the number of samples.
most=10
begin=100
end=1100
same()
{
	what=$1
	shift
	few=$(allocations $begin "$@") && many=$(allocations $end "$@") || { bad=1; return; }
	if [ "$few" -eq 0 ]; then
		echo "$what: nothing was counted, so the counter does not work"
		bad=1
	elif [ "$many" -gt $((few + most)) ]; then
		echo "$what: $((many - few)) allocations in $((end - begin)) samples of the steady state, expected none"
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
same "brief view" -scdnm
same "verbose view" -scdnm --verbose
same "own cost" -scdnm --cost --verbose
same "plot format" -scdnm -P
same "JSON" -scdnm --oformat json
same "gexpr" -scdnm --export gexpr,127.0.0.1:9
same "graphite, nobody listens" -scdnm --export graphite,127.0.0.1:9
# Every letter and every view, on a host that stands still; letters of what only the real one has are on that.
"$(dirname "$0")/../tools/big-tree" "$work/tree" 0 processes=30 ports=4 nfs=1 nodes=2 >/dev/null || exit 1
# Output of samples back to back is gathered for 20 ms; its buffer grows until it holds that, which takes some hundred samples.
most=2
begin=400
end=700
tree="--root $work/tree"
for letters in -sbcdfijmnstxpq -sBCDFJMNXQ -sZ "-sy " "-sY " -soO "-sgG " "-sE "; do
	case $letters in *" "*) where= ;; *) where=$tree ;; esac
	for view in "" --verbose "--cost --verbose" "--oformat json" "--oformat jsonl" "--oformat xml" "--oformat html" "--oformat csv" "--export lexpr" \
		"--export sexpr" "--export openmetrics"; do
		# shellcheck disable=SC2086
		same "$letters $view" $where ${letters%% *} $view
	done
	case $letters in *[YZ]*) ;; *) # shellcheck disable=SC2086
		same "$letters -P" $where ${letters%% *} -P ;;
	esac
done
for other in --top "--export vmstat" "--export gexpr,127.0.0.1:9" "--export graphite,127.0.0.1:9"; do
	# shellcheck disable=SC2086
	same "$other" $tree $other
done
most=10
begin=100
end=1100
for view in "" --verbose -P "--oformat json" "--export lexpr" "--export lexpr,co"; do
	same "a module that draws for itself $view" -scdnm --import hello,sd $view
	same "a module with declared metrics $view" -scdnm --import "$build/tests/modules/declared.so,sd" $view
	same "an isolated module $view" -scdnm --import "$build/tests/modules/declared.so,sd,isolate" $view
done
# A server with a client that reads all.
served()
{
	rm -f "$work/count"
	ALLOCS_COUNT=$work/count LD_PRELOAD=$build/tests/integration/allocs.so "$build/perfolio" $tree -scdnm -i 0.002 -c "$1" -A "server:$2" >/dev/null 2>"$work/err" </dev/null &
	pid=$!
	python3 -c '
import socket, sys, time
end = time.monotonic() + 30
while time.monotonic() < end:
    try:
        s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        break
    except OSError:
        time.sleep(0.01)
while s.recv(65536):
    pass' "$2" >/dev/null 2>&1
	wait $pid || { echo "perfolio -A server:$2 failed: $(head -n 1 "$work/err")" >&2; return 1; }
	awk '{ sum += $1 } END { print sum + 0 }' "$work/count"
}
if command -v python3 >/dev/null; then
	port=$((20000 + $$ % 10000))
	few=$(served 500 $port) && many=$(served 1500 $((port + 1))) || bad=1
	[ "${many:-0}" -le $((${few:-0} + most)) ] || { echo "a server with a client: $((many - few)) allocations in 1,000 samples"; bad=1; }
fi
exit $bad

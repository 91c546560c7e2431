#!/bin/bash
# pmlogger's default configuration, recorded live by the real pmlogger and by us side by side: the same metrics with the same descriptors.
set -u
build=$1
tools=$(cd "$(dirname "$0")/../tools" && pwd)
tmp=$(mktemp -d) || exit 1
failed=0
fail() { echo "$*"; failed=1; }
for tool in pmlogger pmlogconf pmdumplog pmlogcheck; do
	command -v "$tool" >/dev/null || { echo "$tool of PCP is not here"; rm -rf "$tmp"; exit 77; }
done
export TMPDIR=$tmp PMCD_PORT
PMCD_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
trap '"$tools/pmcd-up" stop >/dev/null 2>&1; rm -rf "$tmp"' EXIT
"$tools/pmcd-up" start >"$tmp/out" 2>&1 || { echo "no pmcd can be run here: $(tail -n 1 "$tmp/out")"; exit 77; }
eval "$("$tools/pmcd-up" env)"

pmlogconf -c -q -h 127.0.0.1 "$tmp/config" >"$tmp/out" 2>&1
grep -q '^log advisory on' "$tmp/config" || fail "pmlogconf: $(cat "$tmp/out")"
pmlogger -h 127.0.0.1 -c "$tmp/config" -t 500msec -s 4 -V 3 -l "$tmp/log" "$tmp/theirs" &
pid=$!
"$build/perfolio" log -s bBcCdDfFgGhijJmMnNpqQstTxyZ -i .5 -c 3 "$tmp/ours" 2>"$tmp/err" || fail "perfolio log: $(cat "$tmp/err")"
wait $pid || fail "pmlogger: status $? $(tail -n 3 "$tmp/log")"
"$tools/pmlogger-compare" "$tmp/theirs" "$tmp/ours" || fail "what pmlogger records by default is not the same with us"
pmlogcheck "$tmp/ours" >"$tmp/check" 2>&1 || fail "pmlogcheck: status $? $(head -n 3 "$tmp/check")"
# Two counters of /proc/vmstat go down, which it takes for a wrap.
grep -vE '(workingset_nodes|nr_free_cma).*wrap$|^	value ' "$tmp/check" >"$tmp/out"
[ ! -s "$tmp/out" ] || fail "pmlogcheck: $(head -n 3 "$tmp/out")"
exit $failed

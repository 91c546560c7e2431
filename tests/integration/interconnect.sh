#!/bin/bash
# InfiniBand on made-up trees: adapters down, active, RoCE, Omni-Path, 64-bit counters of old kernels; recordings played by both programs.
set -u
build=$1
perfolio=$build/perfolio
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# adapter ROOT NAME PORT STATE DATA LAYER
adapter() {
	p=$1/sys/class/infiniband/$2/ports/$3
	mkdir -p "$p/counters" "$1/proc/sys/kernel"
	echo "$4" >"$p/state"
	echo "$6" >"$p/link_layer"
	for c in port_rcv_data port_xmit_data port_rcv_packets port_xmit_packets; do echo "$5" >"$p/counters/$c"; done
	for c in symbol_error link_downed port_rcv_errors VL15_dropped; do echo 0 >"$p/counters/$c"; done
}
# advance ROOT WORDS: every counter of data by WORDS, of packets by a tenth; in place, so that no reader finds a file empty
advance() {
	for f in "$1"/sys/class/infiniband/*/ports/*/counters*/port_*_data*; do echo $(($(cat "$f") + $2)) 1<>"$f"; done
	for f in "$1"/sys/class/infiniband/*/ports/*/counters*/port_*_packets*; do echo $(($(cat "$f") + $2 / 10)) 1<>"$f"; done
}

down=$tmp/down
adapter "$down" mlx5_0 1 "1: DOWN" 1000 InfiniBand
"$perfolio" --root "$down" -sx -i.1 -c2 >"$tmp/out" 2>"$tmp/err" || fail "an adapter that is down: status $?"
[ -s "$tmp/out" ] && fail "an adapter that is down has rows"
[ "$(wc -l <"$tmp/err")" = 1 ] && grep -q 'Found 1 HCA(s) but none had any active ports' "$tmp/err" || fail "an adapter that is down is not told in one line"

mkdir -p "$tmp/none/proc/sys/kernel"
echo "cpu 1 2 3 4 5 6 7 8 9 10" >"$tmp/none/proc/stat"
"$perfolio" --root "$tmp/none" -scx -i.1 -c1 >"$tmp/out" 2>"$tmp/err" || fail "a host without adapters: status $?"
grep -q InfiniBand "$tmp/out" && fail "a host without adapters shows columns"
"$build/compat/collectl" -sx -c1 >"$tmp/out" 2>&1 && [ ! -d /sys/class/infiniband ] && fail "collectl -sx without adapters does not fail"

up=$tmp/up
adapter "$up" ibp65s0 1 "4: ACTIVE" 1000 InfiniBand
"$perfolio" --root "$up" -sx -i1 -c2 -f "$tmp/one" >/dev/null 2>"$tmp/err" &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do sleep 0.1; advance "$up" 25600; done
wait $pid || fail "recording: status $? $(cat "$tmp/err")"
raw=$(echo "$tmp"/one*.raw.gz)
zcat "$raw" | grep -q '^# IConnect:   NumHCAs: 1 PortStates: 1 ' || fail "the header lacks the line of adapters"
zcat "$raw" | grep -q '^# SubSys:.* Flags: iX$' || fail "the header lacks the flag X"
for kind in rcvd xmtd rcvp xmtp; do zcat "$raw" | grep -q "^ib0-1:$kind [0-9]" || fail "there is no record of $kind"; done
# A sample may fall between the two files of an advance, which is 100 Kbytes or 2560 packets.
"$perfolio" -p "$raw" -sx -P | tail -1 >"$tmp/last"
awk 'function near(a, b, most) { return a - b <= most && b - a <= most } { exit !($5 > 100 && near($5, $6, 100) && $3 > 0 && near($3, $4, 2560)) }' "$tmp/last" ||
	fail "the Kbytes of one port are wrong: $(cat "$tmp/last")"
if command -v collectl >/dev/null; then
	for switches in "-sx" "-sx --iosize" "-sx --verbose" "-sX" "-sx -P" "-sx -P -o2" "-sx -on" "-sx --export lexpr" "-sX -oTm" "-sx -w" "-sx --xopts i"; do
		# shellcheck disable=SC2086
		collectl -p "$raw" $switches >"$tmp/peer" 2>/dev/null
		# shellcheck disable=SC2086
		"$build/compat/collectl" -p "$raw" $switches >"$tmp/ours" 2>"$tmp/err"
		sed -i '/^sample.time/d' "$tmp/peer" "$tmp/ours" # collectl cuts zeros at its end
		cmp -s "$tmp/peer" "$tmp/ours" || { fail "collectl and we differ over $switches:"; diff "$tmp/peer" "$tmp/ours" | head -5; }
	done
fi

many=$tmp/many
adapter "$many" mlx5_0 1 "4: ACTIVE" 1000 InfiniBand
adapter "$many" mlx5_0 2 "4: ACTIVE" 5000000000 Ethernet
adapter "$many" mlx5_1 1 "1: DOWN" 7 InfiniBand
adapter "$many" hfi1_0 1 "4: ACTIVE" 3000 InfiniBand
adapter "$many" mthca0 1 "4: ACTIVE" 4294967290 InfiniBand
mkdir "$many/sys/class/infiniband/mthca0/ports/1/counters_ext"
for c in port_rcv_data_64 port_xmit_data_64 port_rcv_packets_64 port_xmit_packets_64; do echo 99000000000 >"$many/sys/class/infiniband/mthca0/ports/1/counters_ext/$c"; done
"$perfolio" --root "$many" -sX -i.1 -c2 --oformat json >"$tmp/json" 2>"$tmp/err" || fail "many adapters: status $?"
python3 - "$tmp/json" <<'PY' || fail "the ports of many adapters are wrong"
import json, sys
doc = json.load(open(sys.argv[1]))
m = {x["name"]: {i["instance"]: i["value"] for i in x["instances"]} for x in doc["perfolio"]["samples"][-1]["metrics"]}
assert m["perfolio.infiniband.port.rcv_data"] == {"mlx5_0:1": 1000, "mlx5_0:2": 5000000000, "hfi1_0:1": 3000, "mthca0:1": 99000000000}, m
assert m["perfolio.infiniband.port.errors"]["mlx5_0:1"] == 0
PY
"$perfolio" --root "$many" -sxX -i.1 -c2 -f "$tmp/m" >/dev/null 2>&1
zcat "$tmp"/m-*.raw.gz | grep -q '^# IConnect:   NumHCAs: 4 PortStates: 1:11:0:1 ' || fail "the states of many ports are wrong"
zcat "$tmp"/m-*.raw.gz | grep -q '^ib2-1:' && fail "a port that is down is recorded"
zcat "$tmp"/m-*.raw.gz | grep -q '^ib3-1:rcvd 99000000000' || fail "counters of 64 bits are not preferred"
"$perfolio" -p "$tmp"/m-*.raw.gz -sX | grep -q '^ hca1:2 ' || fail "ports are not rows in playback"
"$perfolio" --root "$many" -sX -i.1 -c2 | grep -q '^ mthca0:1 ' || fail "ports are not rows by their names"
"$perfolio" --root "$many" -sxX -i.1 -c2 --export lexpr | grep -q '^iconnect.hfi1_0:1.kbin 0$' || fail "lexpr lacks the ports"
"$perfolio" --root "$many" -sx --iosize -i.1 -c1 | grep -q 'KBIn  PktIn Size' || fail "--iosize has no sizes"
"$perfolio" --root "$many" -sx --xopts i -i.1 -c1 | grep -q 'KBIn  PktIn Size' || fail "--xopts i has no sizes"
exit $failed

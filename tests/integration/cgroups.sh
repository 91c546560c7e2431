#!/bin/bash
# Control groups on a made-up tree: every view, raw text both ways, hostile names, many groups, a host without version 2.
set -u
build=$1
perfolio=$build/perfolio
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
root=$tmp/root
cg=$root/sys/fs/cgroup
mkdir -p "$root/proc/sys/kernel" "$cg"
echo box >"$root/proc/sys/kernel/hostname"

# one group of the tree: PATH FACTOR
group() {
	mkdir -p "$cg/$1"
	printf 'usage_usec %d\nuser_usec %d\nsystem_usec 0\nnr_periods 10\nnr_throttled 5\nthrottled_usec 5000\n' $(($2 * 1000)) $(($2 * 1000)) >"$cg/$1/cpu.stat"
	[ "$1" = . ] && return
	echo $(($2 * 1048576)) >"$cg/$1/memory.current"
	printf 'anon %d\nfile 4096\npgmajfault 0\n' $(($2 * 524288)) >"$cg/$1/memory.stat"
	echo "$2" >"$cg/$1/pids.current"
	printf '8:0 rbytes=%d wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n' $(($2 * 1024)) >"$cg/$1/io.stat"
	echo max >"$cg/$1/memory.max"
}

"$perfolio" --root "$root" -sg -i.1 -c2 >"$tmp/none.out" 2>"$tmp/none.err" || fail "a host without cgroups of version 2: status $?"
[ "$(grep -c cgroup.controllers "$tmp/none.err")" = 1 ] || fail "a host without cgroups of version 2 is not told in one line"

echo "cpu memory io pids" >"$cg/cgroup.controllers"
group . 100
group system.slice 3
group system.slice/ssh.service 1
group user.slice 5
evil=$(printf 'system.slice/a b\033[31m\n\\x2d"\377')
group "$evil" 2

"$perfolio" --root "$root" -sgG -i.1 -c3 -f "$tmp/r" >/dev/null 2>"$tmp/err" || fail "recording: status $? $(cat "$tmp/err")"
raw=$(echo "$tmp"/r*.raw.gz)
"$perfolio" -p "$raw" -sG >"$tmp/played" || fail "playback: status $?"
[ "$(grep -c 'ssh.service$' "$tmp/played")" = 3 ] || fail "playback does not show ssh.service three times"
LC_ALL=C grep -q 'a b\\x1b\[31m\\x0a\\x2d"\\xff$' "$tmp/played" || fail "the hostile name is not shown in its safe form"
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" "$tmp/played" && fail "something below 0x20 reaches the terminal"
"$perfolio" -p "$raw" -sg | tail -1 | grep -q '^ *5 .* 8 *$' || fail "the brief line does not sum up the groups below the top"
"$perfolio" -p "$raw" -sG --cgroupfilt '/system' >"$tmp/filtered" && grep -q user.slice "$tmp/filtered" && fail "--cgroupfilt does not filter"
"$perfolio" -p "$raw" -sG --cgroupdepth 1 >"$tmp/flat" && grep -q ssh "$tmp/flat" && fail "--cgroupdepth does not hold in playback"
"$perfolio" --root "$root" -sG -i.1 -c1 --cgroupdepth 1 | grep -q ssh && fail "--cgroupdepth does not hold live"

"$perfolio" --root "$root" -sG -i.1 -c2 --oformat json >"$tmp/live.json" || fail "JSON: status $?"
"$perfolio" replay "$raw" -sG --oformat json >"$tmp/played.json" || fail "JSON from raw: status $?"
python3 - "$tmp/live.json" "$tmp/played.json" <<'PY' || fail "documents are not as they should be"
import json, sys
for path in sys.argv[1:]:
    doc = json.loads(open(path, encoding="utf-8").read())
    last = {m["name"]: m for m in doc["perfolio"]["samples"][-1]["metrics"]}
    names = {i.get("raw", i["instance"]): i for i in last["cgroup.memory.current"]["instances"]}
    raw = "0x" + b'/system.slice/a b\x1b[31m\n\\x2d"\xff'.hex()
    assert names["/user.slice"]["value"] == 5 * 1048576, path
    assert names[raw]["value"] == 2 * 1048576, path
    assert len(names) == 4, path
    assert "perfolio.cgroup.memory.max" not in last, path
PY
LC_ALL=C "$perfolio" -p "$raw" -sG -P >"$tmp/plot" || fail "plot: status $?"
python3 - "$tmp/plot" <<'PY' || fail "a blank in a name shifts the columns of plot"
import sys
lines = open(sys.argv[1], "rb").read().splitlines()
head = [l for l in lines if l.startswith(b"#Date")][0]
assert all(len(l.split(b" ")) == len(head.split(b" ")) for l in lines if not l.startswith(b"#"))
PY
for e in lexpr; do
	"$perfolio" -p "$raw" -sgG --export $e | grep -q '^cgroupinfo.mem./user.slice 5120$' || fail "$e lacks the memory of user.slice"
done

if "$perfolio" record --help >/dev/null 2>&1; then
	"$perfolio" record "$tmp/x.folio" -s gG --root "$root" -i.1 -T1 >/dev/null 2>&1
fi
if command -v collectl >/dev/null; then
	"$perfolio" --root / -scgG -i.1 -c3 -f "$tmp/both" >/dev/null 2>&1
	collectl -p "$tmp"/both*.raw.gz -sc >"$tmp/peer" 2>&1 || fail "collectl cannot play a recording with cgroups: $(tail -1 "$tmp/peer")"
fi
"$build/compat/collectl" -sg -c1 >"$tmp/as.peer" 2>&1 && fail "the letter g is taken by the name collectl"

# Coming and going, 10,000 of them, more than there are descriptors.
python3 - "$cg" <<'PY'
import os, sys
for i in range(10000):
    d = os.path.join(sys.argv[1], "many.slice", "d%d" % (i % 100), "g%d" % i)
    os.makedirs(d)
    with open(os.path.join(d, "cpu.stat"), "w") as f:
        f.write("usage_usec %d\n" % i)
for d in ["many.slice"] + ["many.slice/d%d" % i for i in range(100)]:
    with open(os.path.join(sys.argv[1], d, "cpu.stat"), "w") as f:
        f.write("usage_usec 1\n")
PY
for limit in 256 8192; do
	(
		ulimit -n $limit
		"$perfolio" --root "$root" -sg -i.1 -c3 --oformat jsonl >"$tmp/many" 2>"$tmp/err"
	) || fail "10,000 groups with $limit descriptors: status $? $(head -1 "$tmp/err")"
	python3 - "$tmp/many" <<'PY' || fail "not all of 10,000 groups are told with $limit descriptors"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
samples = [l["perfolio"]["sample"] if "sample" in l.get("perfolio", {}) else l for l in lines if "metrics" in json.dumps(l)]
text = json.dumps(samples[-1])
assert '"/many.slice/d99/g9999"' in text and text.count('/many.slice/d') >= 10000
PY
done
"$perfolio" --root "$root" -sG -i.1 -c20 --oformat jsonl >"$tmp/moving" 2>"$tmp/err" &
pid=$!
for i in $(seq 0 99); do rm -rf "$cg/many.slice/d$i"; done
wait $pid || fail "groups that vanish while they are read: status $? $(head -1 "$tmp/err")"
[ -s "$tmp/err" ] && fail "groups that vanish are told as errors: $(head -1 "$tmp/err")"
tail -1 "$tmp/moving" | grep -q 'd99/g9999' && fail "a group that is gone is still told"

# Very deep.
deep=$cg/deep
mkdir -p "$deep"
(cd "$deep" && for _ in $(seq 300); do echo 'usage_usec 1' >cpu.stat; mkdir d && cd d || exit 1; done)
"$perfolio" --root "$root" -sg -i.1 -c2 >/dev/null 2>"$tmp/err" || fail "a very deep tree: status $?"
[ "$(grep -c levels "$tmp/err")" = 1 ] || fail "that a tree is too deep is not told in one line"
exit $failed

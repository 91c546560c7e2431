#!/bin/sh
# nvidia.sh BUILD - the module nvidia reads what a (fake) nvidia-smi prints: all values, [N/A], errors, nothing, too slow.
set -u
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/nvidia.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

say()
{
	echo "$*"
	bad=1
}

cat >"$work/smi" <<'S'
#!/bin/sh
[ "$2" = --format=csv,noheader,nounits ] || { echo "unknown option"; exit 2; }
case $1 in
--query-gpu=index,uuid,utilization.gpu,utilization.memory,memory.used,memory.total,temperature.gpu,power.draw,clocks.sm,clocks.mem,fan.speed,name) ;;
*) echo "Field is not a valid field to query."; exit 2 ;;
esac
case $(cat "$(dirname "$0")/mode") in
good)
	echo "0, GPU-5d1f0e1c-0000-1111-2222-333344445555, 37, 12, 1024, 24576, 61, 118.42, 1740, 9501, 45, NVIDIA GeForce RTX 3090"
	echo "1, GPU-6e2f0e1c-0000-1111-2222-333344445555, 100, 80, 80000, 81920, 70, 398.07, 1410, 1593, [N/A], NVIDIA A100-SXM4-80GB, special"
	;;
partial) echo "0, [Unknown Error], [N/A], [Not Supported], 11, 24576, , x, 1740, 9501, [N/A], NVIDIA T4" ;;
none) echo "No devices were found"; exit 6 ;;
error) echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."; exit 9 ;;
slow) sleep 100 ;;
esac
S
chmod 755 "$work/smi"

# run MODE ARGS - two intervals as JSON lines
run()
{
	echo "$1" >"$work/mode"
	"$build/perfolio" --import "nvidia,cmd=$work/smi$2" -sc -i 0.2 -c 2 --oformat jsonl >"$work/out" 2>"$work/err" ||
		say "$1: ended with $?: $(head -n 1 "$work/err")"
}

# has NAME INSTANCE VALUE - the last sample has it
has()
{
	python3 - "$work/out" "$@" <<'P' || say "$1 of $2 is not $3"
import json, sys
path, name, instance, want = sys.argv[1:5]
last = [json.loads(l) for l in open(path)][-1]
for m in last["metrics"]:
    if m["name"] == name:
        for v in m.get("instances", m.get("values", [])):
            if v.get("instance", v.get("name")) == instance:
                have = v.get("value", v.get("raw"))
                sys.exit(0 if str(have) == want else print("is", have) or 1)
sys.exit(0 if want == "none" else 1)
P
}

run good ""
has nvidia.gpu.busy gpu0 37
has nvidia.gpu.busy gpu1 100
has nvidia.gpu.memory_used gpu1 80000
has nvidia.gpu.memory_total gpu0 24576
has nvidia.gpu.temperature gpu1 70
has nvidia.gpu.power gpu0 118.42
has nvidia.gpu.clock gpu0 1740
has nvidia.gpu.memory_clock gpu1 1593
has nvidia.gpu.fan gpu0 45
has nvidia.gpu.fan gpu1 none
has nvidia.gpu.uuid gpu0 GPU-5d1f0e1c-0000-1111-2222-333344445555
has nvidia.gpu.name gpu1 "NVIDIA A100-SXM4-80GB, special"
run partial ""
has nvidia.gpu.busy gpu0 none
has nvidia.gpu.memory_busy gpu0 none
has nvidia.gpu.memory_used gpu0 11
has nvidia.gpu.temperature gpu0 none
has nvidia.gpu.uuid gpu0 none
has nvidia.gpu.name gpu0 "NVIDIA T4"
run none ""
has nvidia.gpu.busy gpu0 none
run error ""
has nvidia.gpu.busy gpu0 none

# Too slow: isolated, it costs its own values only.
echo slow >"$work/mode"
timeout 60 "$build/perfolio" --import "nvidia,cmd=$work/smi,isolate=0.3" -sc -i 0.3 -c 3 --oformat jsonl >"$work/out" 2>"$work/err" ||
	say "a slow nvidia-smi stops the recorder"
grep -q 'took more than 0.27 seconds' "$work/err" || say "a slow nvidia-smi is not told: $(head -n 1 "$work/err")"
[ "$(grep -c kernel.all.cpu.user "$work/out")" -eq 3 ] || say "a slow nvidia-smi costs samples"

# Views, recording and playback.
echo good >"$work/mode"
"$build/perfolio" --import "nvidia,d,cmd=$work/smi" -c1 -i 0.2 >"$work/out" 2>&1
grep -qE '^gpu1 +100 +80 ' "$work/out" || say "the detail view lacks gpu1: $(tail -n 2 "$work/out")"
mkdir "$work/rec"
"$build/perfolio" --import "nvidia,cmd=$work/smi" -i 0.2 -c 3 -f "$work/rec/" >/dev/null 2>&1 || say "recording failed"
echo none >"$work/mode"
"$build/perfolio" -p "$work/rec/*" --import nvidia --oformat jsonl >"$work/out" 2>"$work/err" || say "playback failed: $(head -n 1 "$work/err")"
has nvidia.gpu.power gpu1 398.07
"$build/perfolio" --import nvidia,bogus -c1 >/dev/null 2>"$work/err"
grep -q 'arguments are s, d, i=N' "$work/err" || say "an unknown argument is not refused"
exit $bad

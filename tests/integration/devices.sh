#!/bin/sh
# devices.sh BUILD - filters, names and classes of devices, live and from recordings, as perfolio and beside collectl.
set -u
build=$1
perfolio=$build/perfolio
ours=$build/compat/collectl
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# A host with a disk, its partition, a mapped disk, a bond of two ports, a VLAN, a container end; one of two CPUs is offline.
host()
{
	root=$work/root
	mkdir -p "$root/proc/net" "$root/proc/sys/kernel" "$root/sys/devices/system/cpu" "$root/sys/class/block" "$root/sys/class/net"
	echo box >"$root/proc/sys/kernel/hostname"
	echo 0-1 >"$root/sys/devices/system/cpu/present"
	printf 'cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 10 0 10 80 0 0 0 0 0 0\nintr 5\nctxt 5\nprocesses 5\nprocs_running 1\nprocs_blocked 0\n' \
		>"$root/proc/stat"
	echo '0.1 0.2 0.3 1/100 5' >"$root/proc/loadavg"
	for disk in sda sda1 dm-0 sdb nvme0c0n1 nvme0n1; do
		echo " 8 0 $disk 10 0 100 1 10 0 100 1 0 5 5"
		mkdir -p "$root/sys/class/block/$disk/slaves"
	done >"$root/proc/diskstats"
	touch "$root/sys/class/block/sda1/partition" "$root/sys/class/block/dm-0/slaves/sda"
	printf 'Inter-|\n face |\n' >"$root/proc/net/dev"
	for port in lo eth0 lan1 bond0 eth0.5 veth9 vlan7; do
		echo "  $port: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0" >>"$root/proc/net/dev"
		mkdir -p "$root/sys/class/net/$port"
		echo 1 >"$root/sys/class/net/$port/type"
	done
	echo 772 >"$root/sys/class/net/lo/type"
	mkdir "$root/sys/class/net/eth0/device" "$root/sys/class/net/lan1/device" "$root/sys/class/net/bond0/bonding" \
		"$root/sys/class/net/eth0.5/lower_eth0" "$root/sys/class/net/vlan7/lower_eth0"
}

# value NAME FILE... - the value of a single metric in jsonl, of the last sample.
value()
{
	grep -o "\"name\":\"$1\"[^{]*\"value\":[0-9]*" "$2" | tail -1 | sed 's/.*://'
}

host
"$perfolio" --root "$root" -scdn -c1 -i0.1 --oformat jsonl >"$work/all" || fail "a live run on a folder fails"
[ "$(value hinv.ndisk "$work/all")" = 3 ] || fail "sda, sdb and nvme0n1 are the disks, not $(value hinv.ndisk "$work/all")"
[ "$(value disk.all.read "$work/all")" = 30 ] || fail "reads of a partition, a mapped disk or a path count twice"
[ "$(value network.all.in.bytes "$work/all")" = 2000 ] || fail "eth0 and lan1 are the ports: $(value network.all.in.bytes "$work/all")"

"$perfolio" --root "$root" -scdn -c1 -i0.1 -m --dskfilt dm- --netfilt '^eth' --cpufilt 0 --oformat jsonl >"$work/some" 2>"$work/told" ||
	fail "a live run with filters fails"
grep -q '"instance":"sda"' "$work/some" && fail "a document tells of a disk that the filter does not want"
grep -q '"instance":"eth0"' "$work/some" && fail "a document tells of an interface that the filter does not want"
[ "$(value disk.all.read "$work/some")" = 10 ] || fail "the sum of disks does not follow the filter"
[ "$(value network.all.in.bytes "$work/some")" = 1000 ] || fail "the sum of interfaces does not follow the filter"
grep -q "dskfilt 'dm-' keeps 1 of 6 disks" "$work/told" || fail "-m does not tell what --dskfilt keeps"
"$perfolio" --root "$root" -sd -c1 -i0.1 --dskfilt nix >"$work/none" 2>"$work/told"
[ "$(grep -c 'keeps none of 6 disks' "$work/told")" = 1 ] || fail "a filter that keeps nothing is not told once"

"$perfolio" --root "$root" -sD -c1 -i0.1 --dskremap 'sda:root' >"$work/names" 2>&1
grep -q '^root ' "$work/names" || fail "--dskremap does not rename sda"
"$perfolio" --root "$root" -sD -c1 -i0.1 --rawdskfilt 'sdb,dm-' >"$work/names" 2>&1
grep -q '^dm-0 ' "$work/names" && ! grep -q '^sda ' "$work/names" || fail "--rawdskfilt does not choose what is read"

"$ours" --root "$root" -scC --verbose -c1 >"$work/cpu" 2>&1
grep -q 'SINGLE CPU STATISTICS: \*\*\* One or more CPUs disabled' "$work/cpu" || fail "collectl by name does not tell of a CPU that is offline"
[ "$(grep -c '^ *1  *0  *0  *0  *0  *0  *0  *0  *0  *0  *0$' "$work/cpu")" = 1 ] || fail "collectl by name has no row for a CPU that is offline"
"$ours" --root "$root" --showheader 2>/dev/null | grep -q 'NumCPUs: 2  CPUsDis: 1 NumBud: 0 Flags: iD' || fail "the header does not tell of a CPU that is offline"

# A recording with a jump of steal, a disk time that goes back, a disk that vanishes, more traffic than 1 Mbit/s carries.
recording()
{
	line=$(printf '%080d' 0 | tr 0 '#')
	cat <<END
$line
# Collectl:   V4.3.1-1  HiRes: 1  Options: -scdn 
# Host:       vm  DaemonOpts: 
# Booted:     1796010153.77 [20261130-03:42:33]
# Distro:     debian 12.11  Platform: Unknown
# Date:       20261130-$2  Secs: 1796014800 TZ: $1
# SubSys:     cdnCDN Options:  Interval: 1 NumCPUs: 2  NumBud: 0 Flags: i
# Filters:    NfsFilt:  EnvFilt:  TcpFilt: ituc
# HZ:         100  Arch: x86_64-linux-gnu-thread-multi PageSize: 4096
# Cpu:        X Speed(MHz): 1 Cores: 2  Siblings: 2 Nodes: 1
# Kernel:     6.1  Memory: 1000 kB  Swap: 0 kB
# NumDisks:   2 DiskNames: sda sdb
# NumNets:    2 NetNames: lo:?? eth0:1
$line
END
	i=0
	for words in "5 100 1000" "35312117399 50 5000" "6 60 900000000" "7 70 900001000"; do
		# shellcheck disable=SC2086
		set -- $words
		echo ">>> $((1796014801 + i)).000 <<<"
		echo "cpu  $((100 + i * 50)) 0 $((50 + i * 10)) $((1000 + i * 140)) 0 0 0 $1 0 0"
		echo "cpu0 $((100 + i * 50)) 0 $((50 + i * 10)) $((1000 + i * 140)) 0 0 0 $1 0 0"
		printf 'intr 1\nctxt 1\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n'
		echo "disk    8       0 sda $((100 + i)) 0 $((1000 + i * 10)) 10 20 0 100 8 0 $2 200"
		[ "$i" = 2 ] || echo "disk    8      16 sdb $((1000 - i * 100)) 0 9000 10 20 0 100 8 0 60 200"
		echo "Net   eth0: $3 1 0 0 0 0 0 0 1000 1 0 0 0 0 0 0"
		i=$((i + 1))
	done
	echo ">>> 1796014805.000 <<<"
}

raw=$work/vm-20261130-050000.raw
recording +0000 050000 >"$raw"
"$perfolio" replay "$raw" -scdn --oformat jsonl >"$work/marks" || fail "the recording with resets does not play"
grep -q '"name":"kernel.all.cpu.steal"[^{]*"msg":"reset"' "$work/marks" || fail "steal that jumps is not marked"
grep -o '"name":"kernel.all.cpu.user"[^}]*' "$work/marks" | grep -q '"msg"' && fail "a jump of steal marks user time as well"
grep -q '"instance":"eth0","value":900000000,"rate":[0-9.]*,"msg":"suspect"' "$work/marks" || fail "impossible traffic is not marked, or was changed"
grep -o '"rate":-[0-9.]*' "$work/marks" | grep -q . && fail "a counter that went back has a negative rate"
"$perfolio" replay "$raw" -sC --verbose --hr 0 | awk '/^ / { for (i = 2; i <= NF; i++) if ($i != "-" && ($i < 0 || $i > 100)) exit 1 }' ||
	fail "a percentage is below 0 or above 100"

# The epoch is that of the mark whatever the zones; text shows the recorder's clock.
zones()
{
	recording "$1" "$2" >"$raw"
	for tz in UTC Asia/Kolkata America/St_Johns Pacific/Apia; do
		first=$(TZ=$tz "$perfolio" replay "$raw" -sc --oformat jsonl | grep -o '"timestamp":[0-9]*' | head -1)
		[ "$first" = '"timestamp":1796014801000000000' ] || fail "a document played in $tz, recorded at $1, has $first"
		first=$(TZ=$tz "$perfolio" replay "$raw" -sc --export lexpr | head -1)
		[ "$first" = 'sample.time 1796014802.000' ] || fail "lexpr played in $tz, recorded at $1, has $first"
		first=$(TZ=$tz "$perfolio" replay "$raw" -sc -P --utc | sed -n 2p | cut -d' ' -f1)
		[ "$first" = 1796014802 ] || fail "-P --utc played in $tz, recorded at $1, has $first"
		first=$(TZ=$tz "$perfolio" replay "$raw" -sc -oD --hr 0 | tail -3 | head -1 | cut -c1-17)
		[ "$first" = "$3" ] || fail "text played in $tz, recorded at $1, has $first, not $3"
	done
}
zones +0000 050000 '20261130 05:00:02'
zones +0530 103000 '20261130 10:30:02'
zones -0330 013000 '20261130 01:30:02'
zones +1300 180000 '20261130 18:00:02'

# What other kernels write: more and fewer orders, new and missing fields, names glued to the colon, protocols nobody knows.
odd=$work/odd
mkdir -p "$odd/proc/net" "$odd/proc/sys/kernel"
echo x >"$odd/proc/sys/kernel/hostname"
printf 'Node 0, zone DMA 1 2 3\nNode 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n' >"$odd/proc/buddyinfo"
printf 'MemTotal: 1000 kB\nMemFree: 100 kB\nShmem: 77 kB\nNewField: 3 kB\n' >"$odd/proc/meminfo"
printf 'nr_shmem 5\nnr_shmem_hugepages 1\n' >"$odd/proc/vmstat"
printf 'Inter-|\n face |\neth0:4096 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\nbr-1:5 0 0\n' >"$odd/proc/net/dev"
printf 'Ip: Forwarding InReceives\nIp: 1 5\nWeird: A B\nWeird: 1 2\nTcp: InErrs New\nTcp: 2 3\nUdp: InDatagrams\nUdp: x\n' >"$odd/proc/net/snmp"
"$perfolio" --root "$odd" -sbmnt -c1 -i0.1 --oformat jsonl >"$work/odd.json" 2>/dev/null || fail "odd files of /proc end the run"
grep -q '"instance":"Normal::order13::node0","value":14' "$work/odd.json" || fail "orders beyond 10 are lost"
grep -q '"instance":"eth0","value":4096' "$work/odd.json" || fail "a number glued to the colon is lost"
[ "$(value network.icmp.inmsgs "$work/odd.json")" = "" ] || fail "a protocol that is missing has values"
"$perfolio" --root "$odd" -sm -P -c1 -i0.1 --hr 0 2>/dev/null | tail -1 | cut -d' ' -f6 | grep -qx 77 || fail "Shared is not Shmem"

# 1,024 CPUs: short headings, one line for each.
big=$work/big
mkdir -p "$big/proc" "$big/sys/devices/system/cpu"
awk 'BEGIN { printf "cpu  1 0 1 1 0 0 0 0 0 0\n"; for (i = 0; i < 1024; i++) printf "cpu%d 1 0 1 1 0 0 0 0 0 0\n", i
	printf "intr 1\nctxt 1\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n" }' >"$big/proc/stat"
awk 'BEGIN { printf "    "; for (i = 0; i < 1024; i++) printf " CPU%d", i; printf "\nLOC:"; for (i = 0; i < 1024; i++) printf " %d", i
	printf " Local timer interrupts\n" }' >"$big/proc/interrupts"
"$perfolio" --root "$big" -scj -c1 -i0.1 2>/dev/null | grep -q 'Cpu9 Cp10 .*Cp99 C100 .*C999 ' || fail "headings of many CPUs are not Cpu9, Cp10, C100"
[ "$("$perfolio" --root "$big" -sC -c1 -i0.1 2>/dev/null | grep -c '^ ')" = 1024 ] || fail "1,024 CPUs do not have 1,024 rows"

# Interrupts of 24 CPUs by line, over 2 seconds: summary and detail are per second and filtered alike.
head -15 "$raw" | sed 's/SubSys:     cdnCDN/SubSys:     jJ/; s/Interval: 1 NumCPUs: 2/Interval: 2 NumCPUs: 24/' | head -14 >"$work/vm-20261130-060000.raw"
for second in 0 2; do
	echo ">>> $((1796014801 + second)).000 <<<"
	for line in LOC RES; do
		awk -v line=$line -v n=$((second * 1000)) 'BEGIN { printf "int  %s:", line; for (i = 0; i < 24; i++) printf " %d", 7 + n; print " Some interrupts" }'
	done
done >>"$work/vm-20261130-060000.raw"
echo ">>> 1796014805.000 <<<" >>"$work/vm-20261130-060000.raw"
for letter in j J; do
	"$perfolio" replay "$work/vm-20261130-060000.raw" -s$letter --verbose --intfilt LOC >"$work/int"
	[ "$(grep -v '^#' "$work/int" | grep -o '\b1000\b' | wc -l)" = 24 ] || fail "-s$letter --intfilt LOC does not show 24 CPUs with 1000 a second"
done

# In documents and archives the sums of CPUs are those of the lines that stay.
for filter in LOC ^RES; do
	"$perfolio" replay "$work/vm-20261130-060000.raw" -sj --intfilt $filter --oformat json >"$work/int"
	python3 - "$work/int" <<-'END' || fail "--intfilt $filter does not narrow kernel.percpu.intr in a document"
		import json, sys
		last = {m["name"]: m for m in json.load(open(sys.argv[1]))["perfolio"]["samples"][-1]["metrics"]}
		for name in "kernel.percpu.intr", "perfolio.interrupts.percpu":
		    rates = [i["rate"] for i in last[name]["instances"]]
		    assert rates == [1000] * 24, (name, rates)
		assert [i["instance"] for i in last["kernel.all.interrupts.total"]["instances"]] == ["LOC"]
	END
done
"$perfolio" replay "$work/vm-20261130-060000.raw" -sj --oformat json | tail -c 8000 | grep -q '"rate":2000' ||
	fail "without --intfilt kernel.percpu.intr is not the sum of both lines"

# The columns that docs/devices.md explains are there.
doc=$(dirname "$0")/../../docs/devices.md
{
	for letters in d D n N c C; do
		"$perfolio" --root "$root" -s$letters -c1 -i0.1 --netopts e 2>/dev/null
		"$perfolio" --root "$root" -s$letters -c1 -i0.1 2>/dev/null
		"$perfolio" --root "$root" -s$letters -c1 -i0.1 --iosize 2>/dev/null
		"$perfolio" --root "$root" -s$letters -c1 -i0.1 --verbose 2>/dev/null
		"$perfolio" --root "$root" -s$letters -c1 -i0.1 -P 2>/dev/null
	done
} | grep '^#' | sed 's/\[[^]]*\]/ /g' | tr -s ' #<>|-' '\n' | sort -u >"$work/columns"
sed -n '/^## Columns/,$p' "$doc" | sed -n 's/^| \([A-Z][^|]*\) |.*/\1/p' | sed 's/(plot:/,/; s/)//' | tr ',;' '\n\n' | tr -d ' ' | grep . | sort -u |
	while read -r column; do
		grep -qxF "$column" "$work/columns" || echo "$column"
	done >"$work/unknown"
[ -s "$work/unknown" ] && fail "docs/devices.md explains columns that no view has: $(tr '\n' ' ' <"$work/unknown")"

# Beside collectl, where that is installed.
synth=$(dirname "$0")/../golden/collectl/raw/synth-vm-20261130-050000.raw.gz
if command -v collectl >/dev/null; then
	while read -r words; do
		# shellcheck disable=SC2086
		collectl -p "$synth" $words >"$work/theirs" 2>/dev/null
		# shellcheck disable=SC2086
		"$ours" -p "$synth" $words >"$work/ours" 2>/dev/null
		cmp -s "$work/theirs" "$work/ours" || fail "collectl $words prints something else"
	done <<END
-sn --netopts E
-sN --netopts E
-scn --netopts E
-scN --netopts E
-snN --netopts E -oT
-sn --verbose --netopts E
-sN -P --netopts E
-sn --netopts q
-sc --netopts e
-sn --netopts w9
-sN --netopts w4
-sN --netopts w
-sD --netopts i
-sd --dskopts f
-sd --dskopts q
-sc --cpuopts q
-sD --dskopts o
-sN --netopts o
-sD --dskremap sd:disk
-sd --dskremap sda:x --dskfilt x
END
fi
exit "$bad"

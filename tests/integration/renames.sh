#!/bin/bash
# Processes that get other names, as kworkers do: PCP's tools read the archive without a crash, and every name and value is as in the raw file.
# Whole sets of instances behind changes, which an archive had for them once, crash libpcp 6.0.3.
set -u
perfolio=$1/perfolio
command -v pmval pmlogextract pmlogsummary pmlogcheck >/dev/null || { echo "no pmval"; exit 77; }
reduce=/usr/lib/pcp/bin/pmlogreduce
[ -x $reduce ] || { echo "no pmlogreduce"; exit 77; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/renames.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
fail() { echo "$*"; failed=1; }

# Forty processes, twelve samples. Some end and begin in the first ones, in four some get other names, once all are replaced. One loses its command for a while.
cat >generate.py <<'PY'
START = 1796010994
print("#" * 80)
print("# Collectl:   V4.3.1-1  HiRes: 1  Options: -sZ -i1:1 -f x ")
print("# Host:       vm  DaemonOpts: ")
print(f"# Date:       20261130-035633  Secs: {START - 1} TZ: +0000")
print("# SubSys:     Z Options:  Interval: 1:1 NumCPUs: 2  NumBud: 0 Flags: i")
print("# HZ:         100  Arch: x86_64-linux-gnu-thread-multi PageSize: 4096")
print("# Kernel:     6.18.44  Memory: 24684100 kB  Swap: 0 kB")
print("#" * 80)
for n in range(12):
    print(f">>> {START + n}.000 <<<")
    for i in range(40):
        if i in (1, 2, 6, 9) and n >= i or n == 7 and i % 2:
            continue
        pid = 100 + i + (1000 if n == 10 else 0)
        name = f"work/{i}-{max(k for k in (0, 4, 5, 8, 11) if k <= n) if i % 9 == 3 else 'idle'}"
        tail = " ".join(["0"] * 20)
        print(f"proc:{pid} stat {pid} ({name}) S 1 0 0 0 -1 4194560 {n} 0 0 0 {i * n} {n} 0 0 20 0 1 0 80807 4993024 929 {tail}")
        print(f"proc:{pid} cmd {'' if n in (4, 5) and i == 20 else 'work'}")
print(f">>> {START + 12}.000 <<<")
PY
python3 generate.py >x.raw

# values FILE - every value with its time, metric and instance, in an order of its own
values()
{
	"$perfolio" replay --oformat jsonl "$1" | jq -r 'select(.metrics) | .timestamp as $t | .metrics[] | .name as $n |
		(.instances // [.])[] | "\($t) \($n) \(.instance // "") \(.value)"' | sort
}
for version in 3 2; do
	"$perfolio" convert --archive-version $version x.raw v$version 2>err || fail "version $version: status $? $(cat err)"
	[ "$(values x.raw | md5sum)" = "$(values v$version | md5sum)" ] || fail "version $version: the archive has other values than the raw file"
	"$perfolio" verify v$version >err 2>&1 || fail "version $version: verify says $(head -n 2 err)"
	grep -q ' 12 samples, ' err || fail "version $version: verify does not count 12 samples: $(cat err)"
done
[ "$(values x.raw | grep -c 'psinfo.utime 000112 work/12-8')" = 2 ] || fail "the raw file does not have what it should: $(values x.raw | grep -m 4 work/12)"
pmdumplog -I v3 | grep -q ' delta ' || fail "no change of instances is told as such"
diff <(pmdumplog -i v3) <(pmdumplog -i v2 | sed 's/^\(..:..:..\.......\) /\1000 /') >diff.out || fail "instances differ by version: $(head -n 3 diff.out)"

# runs COMMAND... - it ends by itself with 0.
runs()
{
	"$@" >out 2>err
	status=$?
	[ $status -eq 0 ] || fail "$*: status $status $(head -n 2 err)"
}
runs pmval -t 0.7sec -a v3 proc.psinfo.utime
runs pmval -r -U v3 proc.psinfo.utime
runs $reduce -t 2 v3 reduced
runs pmlogextract v3 extracted
runs pmlogsummary v3
grep -q 'work/12-8' out || fail "pmlogsummary does not know a name"
runs pmval -t 0.7sec -a reduced proc.psinfo.utime
# What pmlogextract makes has whole sets behind changes again and crashes pmval, as do archives of pmlogger that have them.
for archive in v3 reduced extracted; do
	runs pmlogcheck $archive
	runs pmdumplog -a $archive
done
[ "$(values extracted | md5sum)" = "$(values v3 | md5sum)" ] || fail "pmlogextract makes other values of it"
exit $failed

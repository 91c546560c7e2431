#!/bin/sh
# Every script in examples/d does its job: it is run with a load of which it has to tell something that is known.
build=$1
dtrace=$build/compat/dtrace
[ -x "$dtrace" ] || { echo "this build has no dtrace"; exit 77; }
here=$(cd "$(dirname "$0")/../../examples/d" && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
if ! "$dtrace" -q -n 'sdt:sched::sched_switch { exit(0); }' 2>"$tmp/err" >"$tmp/out"; then
	grep -qE 'CAP_|bpf\(2\)|built without|tracefs' "$tmp/err" && { cat "$tmp/err"; exit 77; }
	fail "a tracepoint cannot be traced: $(cat "$tmp/err")"
fi
cp "$(command -v sleep)" "$tmp/pfsleep" && cp "$(command -v dd)" "$tmp/pfdd" && cp "$(command -v cat)" "$tmp/pfcat" || fail "programs cannot be copied"
cat >"$tmp/load" <<END
exec 2>/dev/null
"$tmp/pfcat" /nonexistent-perfolio
"$tmp/pfsleep" 0.1
"$tmp/pfdd" if=/dev/zero of=$tmp/file bs=4096 count=64 oflag=sync
"$tmp/pfsleep" 60 & kill \$!; wait \$!
bash -c 'exec 3<>/dev/tcp/127.0.0.1/9'
END
: >"$tmp/ran"

# tells SCRIPT PATTERN COMMAND [ARGUMENT...] - some line of what the script prints matches
tells() {
	script=$1 want=$2 command=$3
	shift 3
	echo "$script" >>"$tmp/ran"
	"$dtrace" -s "$here/$script" -c "$command" "$@" >"$tmp/out" 2>"$tmp/err" || fail "$script: exit status $?: $(cat "$tmp/err")"
	grep -qE -e "$want" "$tmp/out" || fail "$script: no line '$want' in: $(head -n 20 "$tmp/out") $(cat "$tmp/err")"
}

tells biolatency.d '^DEVICE +REQUESTS$' "sh $tmp/load"
[ -b /dev/vda ] && ! grep -qE '^[0-9]+,[0-9]+ +[1-9]' "$tmp/out" && fail "biolatency.d: no request of a disk: $(cat "$tmp/out")"
tells calltime.d '^clock_nanosleep \(ns\)$' "$tmp/pfsleep 0.05"
grep -qE '^ +33554432 \|@+ +1 +$' "$tmp/out" || fail "calltime.d: no sleep of 33 to 67 ms: $(grep -A 8 nanosleep "$tmp/out")"
tells command.d '=> clock_nanosleep' "$tmp/pfsleep 0.01"
grep -qE '<= clock_nanosleep +[0-9]+ us  = 0, took [0-9]+ us' "$tmp/out" || fail "command.d: no end of the sleep: $(tail -n 20 "$tmp/out")"
tells exectree.d " exec +[0-9]+ +[0-9]+ $tmp/pfcat\$" "sh $tmp/load"
grep -qE ' exit .* pfcat after [0-9]+ us$' "$tmp/out" || fail "exectree.d: no end of pfcat: $(cat "$tmp/out")"
tells hotkernel.d '^[a-z].* +[1-9][0-9]*$' 'dd if=/dev/zero of=/dev/null bs=1M count=3000 status=none'
grep -qE '`' "$tmp/out" || fail "hotkernel.d: no function of the kernel: $(cat "$tmp/out")"
tells offcpu.d '^pfsleep +[1-9][0-9]{4,}$' "$tmp/pfsleep 0.1"
grep -qE 'nanosleep' "$tmp/out" || fail "offcpu.d: no stack of a sleep: $(cat "$tmp/out")"
tells openfail.d '^pfcat +[0-9]+ +2 /nonexistent-perfolio$' "sh $tmp/load"
tells pagefaults.d '^pfcat +[1-9]' "sh $tmp/load"
tells runqlat.d '^ +[0-9]+ \|@' "sh $tmp/load"
tells rwbytes.d "^pfdd +[1-9][0-9]+ +262[0-9]{3}\$" "sh $tmp/load"
tells signals.d '^sh +[0-9]+ +15 (pfsleep|sh) ' "sh $tmp/load"
tells syscount.d '^pfcat +openat +[1-9]|^pfcat +[1-9]' "sh $tmp/load"
tells tcpstate.d '^bash .* 127.0.0.1:9 +.*CLOSE -> SYN_SENT$' "bash $tmp/load"
tells wakeups.d '^[^ ].* +[1-9][0-9]*$' "sh $tmp/load"
tells whyfail.d '^openat\(' "$tmp/pfcat /nonexistent-perfolio" 2
grep -q '^close(' "$tmp/out" && fail "whyfail.d: tells of what did not fail: $(cat "$tmp/out")"

for script in "$here"/*.d; do
	grep -qxF "$(basename "$script")" "$tmp/ran" || fail "$(basename "$script") is not tested here"
	[ -x "$script" ] || fail "$(basename "$script") cannot be executed"
done
exit $failed

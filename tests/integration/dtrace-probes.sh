#!/bin/sh
# Probes and their arguments: tracepoints with records and without, raw ones, system calls, clocks; many at once; lists.
build=$1
dtrace=$build/compat/dtrace
[ -x "$dtrace" ] || { echo "this build has no dtrace"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
if ! "$dtrace" -q -n 'BEGIN { exit(0); }' 2>"$tmp/err" >"$tmp/out"; then
	grep -qE 'CAP_|bpf\(2\)|built without' "$tmp/err" && { cat "$tmp/err"; exit 77; }
	fail "BEGIN cannot be traced: $(cat "$tmp/err")"
fi
"$dtrace" -l -n 'sdt:sched::sched_switch' >"$tmp/out" 2>"$tmp/err" || { grep -E 'tracefs' "$tmp/err" && exit 77; fail "-l of sdt: $(cat "$tmp/err")"; }

# traces WHAT PROGRAM PATTERN [OPTION...] - some line of the output matches the whole regular expression, and nothing is told on standard error
traces() {
	what=$1 program=$2 want=$3
	shift 3
	"$dtrace" -q "$@" -n "$program" >"$tmp/out" 2>"$tmp/err" || fail "$what: exit status $?: $(cat "$tmp/err")"
	grep -qxE -e "$want" "$tmp/out" || fail "$what: no line '$want' in '$(head -n 5 "$tmp/out")' '$(cat "$tmp/err")'"
	# Text of a process that is not in memory yet cannot be read from a probe.
	grep -v 'invalid address' "$tmp/err" && fail "$what: says that"
}

cp /bin/true "$tmp/pftrue" || fail "true cannot be copied"
printf "exec 2>/dev/null; cat /nonexistent-perfolio" >"$tmp/fails"
# A text that lies behind the record; a number; the same process by other ways.
traces dynamic 'sdt:sched::sched_process_exec / pid == $target / { printf("%s %d %d %d\n", args[0], args[1] == pid, args[1] == args[2], arg1 == pid); }' \
	"$tmp/pftrue 1 1 1" -c "$tmp/pftrue"
traces compare "sdt:sched::sched_process_exec / args[0] == \"$tmp/pftrue\" / { @[args[0]] = count(); } END { printa(\"%s %@d\\n\", @); }" \
	"$tmp/pftrue 1" -c "$tmp/pftrue"
# An array of characters in the record, compared, joined, as a key.
traces chars 'sdt:sched::sched_process_exit / args[0] == "pftrue" && pid == $target / { printf("%s %s %d %d\n", args[0], strjoin(args[0], "!"), strlen(args[0]), args[1] == pid); }' \
	'pftrue pftrue! 6 1' -c "$tmp/pftrue"
# An array of numbers: elements and bytes.
traces array 'sdt:raw_syscalls::sys_enter / pid == $target && args[0] == 231 / { printf("%d %d %d\n", args[1][0], *args[1], args[0] == arg0); }' \
	'0 0 1' -c "$tmp/pftrue"
# Signed fields keep their sign: a call that fails.
traces signed 'sdt:raw_syscalls::sys_exit / pid == $target && args[1] == -2 / { printf("%d\n", args[1]); }' '-2' -c "sh $tmp/fails"
# Without arguments the same probe is attached in another way; both in one program.
traces both 'sdt:sched::sched_process_exec { @a = count(); } sdt:sched::sched_process_exit / pid == $target / { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }' \
	'sdt:sched::sched_process_exit' -c "$tmp/pftrue"
traces rawtp 'rawtp:sched::sched_process_exec / pid == $target / { printf("%s %d %s\n", args[0]->comm, args[1] == pid, stringof(args[2]->filename)); }' \
	"pftrue 1 $tmp/pftrue" -c "$tmp/pftrue"
traces nameless 'sched_process_exec / pid == $target / { printf("%s\n", execname); }' 'pftrue' -c "$tmp/pftrue"

# System calls: types of the arguments and of the result.
printf 'abcdefgh' >"$tmp/data"
traces entry "syscall::openat:entry / pid == \$target && basename(copyinstr(args[1])) == \"data\" / { printf(\"%d %s %d %d\\n\", args[0], basename(copyinstr(args[1])), sizeof(args[0]), args[2] & 3); }" \
	'-100 data 4 0' -c "dd if=$tmp/data bs=8 count=1 status=none of=/dev/null"
traces return 'syscall::read:return / pid == $target && args[0] == 8 / { printf("%d %d %d\n", args[0], sizeof(args[0]), arg0 == arg1); }' '8 8 1' \
	-c "dd if=$tmp/data bs=8 count=1 status=none of=/dev/null"

# Clocks: whichever was interrupted, the other counter is 0.
traces profile 'profile-997 / (arg0 != 0) != (arg1 != 0) / { printf("%d %d\n", args[0] == arg0, arg0 ? arg0 > 0xffff000000000000 : arg1 < 0xffff000000000000); exit(0); }' '1 1'
traces tick 'tick-500us / (arg0 != 0) != (arg1 != 0) / { printf("one\n"); exit(0); }' 'one'
for unit in 2000000ns 2000000nsec 2000us 2000usec 2ms 2msec 500hz 500 1s 1sec; do
	traces "tick-$unit" "tick-$unit { printf(\"%s\\n\", probename); exit(0); }" "tick-$unit"
done
for unit in 1m 1min 1h 1hour 1d 1day; do
	"$dtrace" -e -n "profile-$unit, tick-$unit { exit(0); }" >"$tmp/out" 2>&1 || fail "profile-$unit: $(cat "$tmp/out")"
done

# A thousand probes and more at once: no verifier refuses, some fire.
"$dtrace" -n 'sdt::: { @[probemod] = count(); } tick-200ms { exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "all tracepoints: exit status $?: $(cat "$tmp/err")"
n=$(sed -n 's/.*matched \([0-9]*\) probes.*/\1/p' "$tmp/err")
[ "${n:-0}" -ge 500 ] || fail "all tracepoints: only ${n:-0} matched: $(cat "$tmp/err")"
grep -q '^  sched  *[1-9]' "$tmp/out" || fail "all tracepoints: none of sched fired: $(cat "$tmp/out")"
grep -vE 'matched|aggregation drop' "$tmp/err" && fail "all tracepoints: says that"

# Lists: numbers are those that -i takes; types and names of arguments are told.
id=$("$dtrace" -l -n 'sdt:sched::sched_switch' | awk 'NR == 2 { print $1 }')
"$dtrace" -l >"$tmp/all" || fail "-l: exit status $?"
[ "$(awk -v id="$id" '$1 == id { print $2 ":" $3 ":" $4 }' "$tmp/all")" = sdt:sched:sched_switch ] || fail "-l numbers probe $id otherwise"
[ "$("$dtrace" -l -i "$id" | awk 'NR == 2 { print $2 ":" $3 ":" $4 }')" = sdt:sched:sched_switch ] || fail "-i $id is another probe"
[ "$("$dtrace" -l -P syscall | grep -c .)" -ge 600 ] || fail "there are less than 600 probes of system calls"
"$dtrace" -lv -n 'sdt:sched::sched_switch' >"$tmp/out" || fail "-lv: exit status $?"
printf '\n\tProbe Description Attributes\n\t\tIdentifier Names: Evolving\n\t\tData Semantics:   Evolving\n\t\tDependency Class: ISA\n' >"$tmp/want"
printf '\n\tArgument Attributes\n\t\tIdentifier Names: Private\n\t\tData Semantics:   Private\n\t\tDependency Class: ISA\n\n\tArgument Types\n' >>"$tmp/want"
sed -n '3,14p' "$tmp/out" | cmp -s - "$tmp/want" || fail "-lv: got '$(cat "$tmp/out")'"
grep -qE '^		args\[0\]: char \[16\] +prev_comm$' "$tmp/out" || fail "-lv: no prev_comm: $(cat "$tmp/out")"
"$dtrace" -lv -n syscall::openat:entry | grep -qE '^		args\[1\]: (const )?char \* +filename$' || fail "-lv: openat has no filename"
"$dtrace" -lv -n BEGIN | tail -n 2 | head -n 1 | grep -qx '		None' || fail "-lv: BEGIN has arguments"
exit $failed

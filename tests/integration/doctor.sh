#!/bin/sh
# perfolio doctor tells what works; on a host that refuses something it names that, as does dtrace, in one sentence.
build=$1
perfolio=$build/perfolio
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
preload=$build/tests/integration/refuse.so
case $(ldd "$perfolio") in *libasan*) preload="$(gcc -print-file-name=libasan.so) $preload" ;; esac
echo 'none integrity [confidentiality]' >"$tmp/lockdown"

# refused WORDS COMMAND... - run on a host that refuses what the words say
refused() {
	words=$1
	shift
	REFUSE=$words REFUSE_LOCKDOWN=$tmp/lockdown LD_PRELOAD=$preload "$@"
}

"$perfolio" doctor >"$tmp/table" 2>"$tmp/err"
status=$?
[ $status -le 1 ] && [ ! -s "$tmp/err" ] || fail "doctor: exit status $status: $(cat "$tmp/err")"
[ "$(grep -c ' missing ' "$tmp/table")" -eq 0 ] || [ $status -eq 1 ] || fail "doctor: something is missing and the status is 0"
[ "$(grep -c ' missing ' "$tmp/table")" -gt 0 ] || [ $status -eq 0 ] || fail "doctor: nothing is missing and the status is $status"
grep -qE '^sampling processors +works ' "$tmp/table" || fail "doctor: no processors: $(cat "$tmp/table")"
[ "$(grep -cE '^[a-z]+ +.* (works|missing) ' "$tmp/table")" -ge 8 ] || fail "doctor: too few lines: $(cat "$tmp/table")"
[ "$(grep -c -- '-> ' "$tmp/table")" -eq "$(grep -c ' missing ' "$tmp/table")" ] || fail "doctor: not every missing thing has advice: $(cat "$tmp/table")"
"$perfolio" doctor --oformat jsonl >"$tmp/lines"
[ "$(jq -r '.area + " " + .name + " " + (.works | tostring)' "$tmp/lines" | tr -s ' ')" = \
	"$(grep -E '^(sampling|tracing) ' "$tmp/table" | sed -E 's/^([a-z]+) +(.*[^ ]) +(works|missing) .*/\1 \2 \3/; s/ works$/ true/; s/ missing$/ false/')" ] ||
	fail "doctor: the document differs from the table"
"$perfolio" doctor x >"$tmp/out" 2>&1
[ $? -eq 2 ] || fail "doctor x: exit status is not 2"

[ -x "$build/compat/dtrace" ] || exit $failed
"$build/compat/dtrace" -q -n 'sdt:sched::sched_switch { exit(0); }' >"$tmp/out" 2>&1 || { echo "tracing does not work here: $(cat "$tmp/out")"; exit $failed; }

# sentence WORDS LINE SENTENCE PROGRAM - what doctor has in its line, and what dtrace says
sentence() {
	refused "$1" "$perfolio" doctor >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 1 ] || fail "$1: doctor's exit status is not 1: $(cat "$tmp/err")"
	grep -qE "$2" "$tmp/out" || fail "$1: no '$2' in $(cat "$tmp/out")"
	grep -qE '^sampling processors +works ' "$tmp/out" || fail "$1: sampling does not work any more"
	refused "$1" "$build/compat/dtrace" -q -n "$4" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 1 ] || fail "$1: dtrace's exit status is not 1"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qE "$3" "$tmp/err" || fail "$1: dtrace says '$(cat "$tmp/err")'"
	[ ! -s "$tmp/out" ] || fail "$1: dtrace prints '$(cat "$tmp/out")'"
}
sentence bpf-enosys '^tracing +BPF +missing .*no bpf\(2\)' 'this kernel has no bpf\(2\) system call, or a filter hides it$' 'BEGIN { exit(0); }'
sentence bpf-eperm '^tracing +BPF +missing .*in spite of all capabilities' 'a security policy or container forbids it$' 'BEGIN { exit(0); }'
sentence 'bpf-eperm lockdown' '^tracing +lockdown +missing ' 'locked down \(confidentiality\).*boot with lockdown=integrity' 'BEGIN { exit(0); }'
sentence btf '^tracing +BTF +missing ' 'no type information \(/sys/kernel/btf/vmlinux\)$' 'rawtp:::sched_switch { exit(0); }'
sentence tracefs '^tracing +tracefs +missing ' 'tracefs is not mounted and cannot be mounted: .*mount -t tracefs tracefs /sys/kernel/tracing$' 'sdt:sched::sched_switch { exit(0); }'

# What does not need the missing thing works without it.
for words in btf tracefs; do
	refused $words "$build/compat/dtrace" -q -n 'syscall::getppid:entry { @ = count(); } tick-10ms { exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "$words: system calls: $(cat "$tmp/err")"
done
refused btf "$build/compat/dtrace" -q -n 'sdt:sched::sched_switch { trace(args[0]); exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "btf: tracepoints: $(cat "$tmp/err")"
exit $failed

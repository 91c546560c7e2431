#!/bin/sh
# Names for addresses: of the kernel, of programs however they are built and wherever they lie, also when they have ended.
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
for tool in cc objcopy strip nm xz; do
	command -v $tool >"$tmp/out" || { echo "$tool is not installed"; exit 77; }
done

cat >"$tmp/prog.c" <<'END'
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) int pf_inner(void) { int rc = (int)syscall(SYS_getppid); __asm__ volatile("" : "+r"(rc)); return rc; }
static __attribute__((noinline)) int pf_outer(void) { int rc = pf_inner(); __asm__ volatile("" : "+r"(rc)); return rc; }
int main(int argc, char **argv) { (void)argv; int rc = pf_outer(); if (argc > 1) usleep(300000); return rc < 0; }
END
flags="-O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id"
cc $flags -fPIE -pie -o "$tmp/pfpie" "$tmp/prog.c" || { echo "cc cannot build a program"; exit 77; }
cc $flags -no-pie -o "$tmp/pfnopie" "$tmp/prog.c" || fail "cc -no-pie"
# Without symbols of its own: beside it in .debug; packed inside.
cp "$tmp/pfpie" "$tmp/pflink" && mkdir "$tmp/.debug" && objcopy --only-keep-debug "$tmp/pflink" "$tmp/.debug/pflink.debug" &&
	strip -s "$tmp/pflink" && objcopy --add-gnu-debuglink="$tmp/.debug/pflink.debug" "$tmp/pflink" || fail "no debug link"
cp "$tmp/pfpie" "$tmp/pfmini" && objcopy --only-keep-debug "$tmp/pfpie" "$tmp/mini" && xz -k "$tmp/mini" && strip -s "$tmp/pfmini" &&
	objcopy --add-section .gnu_debugdata="$tmp/mini.xz" "$tmp/pfmini" || fail "no packed symbols"
nm "$tmp/pflink" "$tmp/pfmini" 2>&1 | grep -q pf_outer && fail "strip left symbols"
cp "$tmp/pfpie" "$tmp/pfbare" && strip -s "$tmp/pfbare" || fail "strip"

# stack PROGRAM COMMAND - does a stack of system call getppid, taken while it ran and shown afterwards, name the functions?
stack() {
	"$dtrace" -qn "syscall::getppid:entry / execname == \"$1\" / { ustack(); @[ustack(3)] = count(); @u[usym(arg0)] = count(); }" -c "$2" >"$tmp/out" 2>"$tmp/err" ||
		fail "$1: exit status $?: $(cat "$tmp/err")"
	# The function that calls syscall(2) may be missing: a library without frame pointers hides it.
	[ "$(grep -c "^ *$1\`pf_outer+0x[0-9a-f]*\$" "$tmp/out")" -eq 2 ] || fail "$1: pf_outer is not in both stacks: $(cat "$tmp/out")"
	grep -qE "^ *$1\`main\+0x[0-9a-f]+\$" "$tmp/out" || fail "$1: no main: $(cat "$tmp/out")"
}
stack pfpie "$tmp/pfpie"
stack pfnopie "$tmp/pfnopie"
stack pflink "$tmp/pflink"
stack pfmini "$tmp/pfmini"
"$dtrace" -qn 'syscall::getppid:entry / execname == "pfbare" / { ustack(); }' -c "$tmp/pfbare" >"$tmp/out" 2>"$tmp/err" || fail "pfbare: $(cat "$tmp/err")"
grep -qE '^ *pfbare`0x[0-9a-f]+$' "$tmp/out" || fail "pfbare: its module is not named: $(cat "$tmp/out")"
"$dtrace" -qx noresolve -n 'syscall::getppid:entry / execname == "pfpie" / { ustack(); stack(1); }' -c "$tmp/pfpie" >"$tmp/out" 2>"$tmp/err" || fail "noresolve: $(cat "$tmp/err")"
grep -q '`' "$tmp/out" && fail "noresolve: resolves: $(cat "$tmp/out")"

# In a mount namespace of its own, with a debug file by build-id; the file has the same name as another one here.
if unshare -m true 2>"$tmp/err"; then
	mkdir -p "$tmp/root" "$tmp/debug"
	id=$(readelf -n "$tmp/pfpie" | sed -n 's/.*Build ID: //p')
	mkdir -p "$tmp/debug/.build-id/$(echo "$id" | cut -c1-2)"
	objcopy --only-keep-debug "$tmp/pfpie" "$tmp/debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug" || fail "no file by build-id"
	printf 'mount -t tmpfs tmpfs "%s/root" && cp "%s/pfbare" "%s/root/pfns" && mkdir -p /usr/lib/debug && mount --bind "%s/debug" /usr/lib/debug && exec "%s/root/pfns" wait\n' \
		"$tmp" "$tmp" "$tmp" "$tmp" "$tmp" >"$tmp/inside"
	stack pfns "unshare -m sh $tmp/inside"
fi

# The kernel: functions as keys are one row whatever the address in them; %a and %A.
"$dtrace" -qn 'BEGIN { @[sym((uintptr_t)&`schedule)] = count(); @[sym((uintptr_t)&`schedule + 2)] = count(); @m[mod((uintptr_t)&`schedule)] = count(); @m[mod((uintptr_t)&`do_exit)] = count();
	printf("%a %a\n", (uintptr_t)&`schedule, (uintptr_t)&`schedule + 3); exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "kernel: $(cat "$tmp/err")"
grep -qx 'vmlinux`schedule vmlinux`schedule+0x3' "$tmp/out" || fail "kernel: %a: $(cat "$tmp/out")"
grep -qE '^  vmlinux`schedule +2$' "$tmp/out" || fail "kernel: sym is not one row of two: $(cat "$tmp/out")"
grep -qE '^  vmlinux +2$' "$tmp/out" || fail "kernel: mod is not one row of two: $(cat "$tmp/out")"
"$dtrace" -qn 'syscall::getppid:entry / execname == "pfpie" / { stack(); }' -c "$tmp/pfpie" >"$tmp/out" 2>"$tmp/err" || fail "stack: $(cat "$tmp/err")"
grep -qE '^ +vmlinux`do_syscall_64\+0x[0-9a-f]+$' "$tmp/out" || [ "$(uname -m)" != x86_64 ] || fail "stack: no do_syscall_64: $(cat "$tmp/out")"

# Keys of user addresses: one row for each function, one for each module of a process.
"$dtrace" -qn 'profile-997 / arg1 && pid == $target / { @s[usym(arg1)] = count(); @m[umod(arg1)] = count(); @a[uaddr(arg1)] = count(); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1 count=400000 status=none' >"$tmp/out" 2>"$tmp/err" || fail "keys: $(cat "$tmp/err")"
grep -qE '^  dd +[1-9]' "$tmp/out" || fail "keys: no module dd: $(cat "$tmp/out")"
[ "$(grep -cE '^  libc[^`]*`write +[1-9]' "$tmp/out")" -le 1 ] || fail "keys: write has several rows: $(cat "$tmp/out")"
grep -qE '^  [^ ]+`[a-z_]+\+0x[0-9a-f]+ +[1-9]' "$tmp/out" || fail "keys: uaddr has no distance: $(cat "$tmp/out")"
exit $failed

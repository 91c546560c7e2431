#!/bin/sh
# D programs whose text is known: expressions, variables, strings, aggregations, faults, END, exit status.
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

# prints WHAT PROGRAM EXPECTED [OPTION...] - quiet text of a program that ends by itself; the empty line at the end is dropped
prints() {
	what=$1 program=$2 want=$3
	shift 3
	"$dtrace" -q "$@" -n "$program" >"$tmp/out" 2>"$tmp/err" || fail "$what: exit status $?: $(cat "$tmp/err")"
	[ "$(cat "$tmp/out")" = "$want" ] || fail "$what: wanted '$want', got '$(cat "$tmp/out")'"
}

prints arithmetic 'BEGIN { x = 5; x += 3; x++; --x; printf("%d %d %d %d", x, x * 7 % 5, -x / 3, -x % 3); exit(0); }' '8 1 -2 -2'
prints widths 'BEGIN { a = (uint8_t)255; a++; b = (int)2147483647; b++; c = 1; c <<= 33; printf("%d %d %d", a, b, c); exit(0); }' '0 -2147483648 0'
prints unsigned 'BEGIN { x = (uint64_t)-1; printf("%d %d %d", x > 5, x / 2 == 9223372036854775807, (int64_t)-1 > 5); exit(0); }' '1 1 0'
prints bits 'BEGIN { x = 12; printf("%d %d %d %d %d %d", x & 10, x | 3, x ^ 5, ~x, x << 2, -x >> 1); exit(0); }' '8 15 9 -13 48 -6'
prints logic 'BEGIN { x = 0; y = 3; printf("%d %d %d %d", x && 1 / x, y || 1 / x, x ^^ y, !y); exit(0); }' '0 1 1 0'
prints steps 'BEGIN { x = 1; y = x++ + ++x; z = x-- - --x; printf("%d %d %d", x, y, z); exit(0); }' '1 4 2'
prints if 'BEGIN { x = 2; if (x == 1) { printf("one"); } else { if (x == 2) printf("two"); else printf("more"); } exit(0); }' 'two'
prints predicate 'BEGIN / pid == 0 / { printf("no"); } BEGIN / pid != 0 && probename == "BEGIN" / { printf("yes"); exit(0); }' 'yes'
prints scopes 'BEGIN { this->x = 7; self->y = 8; z = 9; } BEGIN { printf("%d %d %d", this->x, self->y, z); exit(0); }' '7 8 9'
prints arrays 'BEGIN { a["x", 1] = 3; a["y", 2]++; a["x", 1] += 4; a["z", 3] = 1; a["z", 3] = 0; printf("%d %d %d", a["x", 1], a["y", 2], a["z", 3]); exit(0); }' '7 1 0'
prints threads 'BEGIN { self->a["k"] = 4; self->a["k"] *= 2; printf("%d %d", self->a["k"], self->a["l"]); exit(0); }' '8 0'
prints strings 'BEGIN { s = strjoin("a", strjoin("b", "c")); t[1] = s; printf("%s %d %s %s", s, strlen(s), t[1], t[2]); exit(0); }' 'abc 3 abc '
prints comparison 'BEGIN { a = "abc"; b = "abd"; printf("%d%d%d%d%d%d %d%d", a < b, a <= b, a > b, a >= b, a == b, a != b, a == "abc", execname != "abc"); exit(0); }' '110001 11'
prints cut 'BEGIN { s = "abcdefghij"; printf("%s", s); exit(0); }' 'abcdefg' -x strsize=7
prints substr 'BEGIN { printf("%s %s %s [%s]", substr("hello", 1, 3), substr("hello", -3), substr("hello", -3, 2), substr("hello", 9)); exit(0); }' 'ell llo ll []'
prints numbers 'BEGIN { printf("%s %s %s", lltostr(0), lltostr(-9223372036854775807), lltostr(12345)); exit(0); }' '0 -9223372036854775807 12345'
prints case 'BEGIN { printf("%s %s", toupper("aB-z"), tolower("Ab-Z")); exit(0); }' 'AB-Z ab-z'
prints index 'BEGIN { s = "hello world"; printf("%d %d %d %d %d %d", index(s, "o"), index(s, "o", 5), index(s, "xyz"), rindex(s, "o"), rindex(s, "o", 6), index(s, "")); exit(0); }' '4 7 -1 7 4 0'
prints search 'BEGIN { s = "hello world"; printf("%s|%s|%s|%s", strchr(s, 111), strrchr(s, 111), strstr(s, "wor"), strstr(s, "zz")); exit(0); }' 'o world|orld|world|'
prints basename 'BEGIN { printf("%s %s %s %s %s", basename("/a/b/"), basename("/"), basename(""), basename("x"), basename("//usr//lib")); exit(0); }' 'b / . x lib'
prints dirname 'BEGIN { printf("%s %s %s %s %s %s", dirname("/a/b/"), dirname("a"), dirname("/"), dirname("/a"), dirname("a//b//"), dirname("")); exit(0); }' '/a . / / a .'
prints order 'BEGIN { printf("%x %x", htons(0x1234), ntohl(0x12345678)); exit(0); }' '3412 78563412'
prints macros 'BEGIN { printf("%d %s", $1, $$2); exit(0); }' '42 xyz' 42 xyz
prints formats 'BEGIN { printf("%5d|%-5d|%05d|%+d|%#x|%c|%8s|%-4s|%.2s|%%", 42, 42, 42, 3, 255, 65, "ab", "ab", "abc"); exit(0); }' '   42|42   |00042|+3|0xff|A|      ab|ab  |ab|%'
prints begin-end 'BEGIN { printf("b"); exit(0); } END { printf("e"); } tick-1s { printf("t"); }' 'be'
prints memory 'BEGIN { printf("%d %s", curthread->tgid == pid, curthread->comm); exit(0); }' "1 dtrace"
prints progenyof 'BEGIN { printf("%d %d %d %d", progenyof(pid), progenyof(ppid), progenyof(1), progenyof(0x7ffffff)); exit(0); }' '1 1 1 0'
prints system 'BEGIN { printf("a\n"); } BEGIN { system("echo b%d", 1); } BEGIN { printf("c"); exit(0); }' 'a
b1
c' -w
prints speculation 'BEGIN { this->s = speculation(); speculate(this->s); printf("kept "); } BEGIN { commit(this->s); } BEGIN { this->d = speculation(); speculate(this->d); printf("lost"); } BEGIN { discard(this->d); printf("done"); exit(0); }' 'kept done' -x nspec=2

prints scalars 'BEGIN { @c["a"] = count(); @c["b"] = count(); @c["b"] = count(); @s = sum(-5); @a = avg(3); @a = avg(4); @n = min(3); @n = min(-3); @m = max(-7); @d = stddev(2); @d = stddev(4); @d = stddev(4); @d = stddev(5); exit(0); } END { printa("%s %@d;", @c); printa("%@d ", @s, @a); printa("%@d %@d %@d %@d", @a, @n, @m, @d); }' \
	'a 1;b 2;-5 3 -3 -7 2'
prints quantize 'BEGIN { @ = quantize(-5); @ = quantize(0); @ = quantize(1); exit(0); }' '

           value  ------------- Distribution ------------- count    
              -8 |                                         0        
              -4 |@@@@@@@@@@@@@                            1        
              -2 |                                         0        
              -1 |                                         0        
               0 |@@@@@@@@@@@@@                            1        
               1 |@@@@@@@@@@@@@                            1        
               2 |                                         0        '
prints lquantize 'BEGIN { @ = lquantize(-1, 0, 10, 5); @ = lquantize(4, 0, 10, 5); @ = lquantize(10, 0, 10, 5, 2); exit(0); }' '

           value  ------------- Distribution ------------- count    
             < 0 |@@@@@@@@@@                               1        
               0 |@@@@@@@@@@                               1        
               5 |                                         0        
           >= 10 |@@@@@@@@@@@@@@@@@@@@                     2        '
prints joined 'BEGIN { @a["x"] = count(); @b["longer key"] = sum(4); @b["x"] = sum(3); exit(0); } END { printa("%s %@d %@d;", @a, @b); }' 'longer key 0 4;x 1 3;'
prints symbols 'BEGIN { @f[func((uintptr_t)&`schedule)] = count(); @f[func((uintptr_t)&`schedule + 1)] = count(); exit(0); } END { printa("%a %@d", @f); }' 'vmlinux`schedule 2'
prints trunc 'BEGIN { @["a"] = sum(1); @["b"] = sum(2); @["c"] = sum(3); exit(0); } END { trunc(@, 2); printa("%s", @); clear(@); printa("%@d", @); }' 'bc00'

# Rows with CPU, ID and FUNCTION:NAME unless quiet.
"$dtrace" -n 'BEGIN { trace(42); trace("x"); exit(0); }' 2>"$tmp/err" | sed 's/^ *[0-9]* /C /' >"$tmp/out"
printf '%s\n' 'CPU     ID                    FUNCTION:NAME' \
	'C      1                           :BEGIN          42  x                                ' '' >"$tmp/want"
cmp -s "$tmp/out" "$tmp/want" || fail "rows: got '$(cat "$tmp/out")'"
grep -qx "dtrace: description 'BEGIN ' matched 1 probe" "$tmp/err" || fail "matched: got '$(cat "$tmp/err")'"

# On a terminal, text that was traced cannot command it; the escapes of a format are the program's own. Elsewhere bytes stay as they are.
hostile='BEGIN { printf("\033[1mA"); printf("%s", "b\033c"); trace("d\033e"); @["f\033g"] = count(); exit(0); }'
script -qec "\"$dtrace\" -q -n '$hostile'" /dev/null </dev/null 2>/dev/null | tr -d '\r' >"$tmp/out"
[ "$(head -n 1 "$tmp/out" | cat -v)" = '^[[1mAb\x1bcd\x1be' ] || fail "terminal: got '$(head -n 1 "$tmp/out" | cat -v)'"
grep -q '^  f.x1bg  *1$' "$tmp/out" || fail "terminal: key: got '$(cat -v "$tmp/out")'"
"$dtrace" -q -n "$hostile" 2>/dev/null | head -n 1 | cat -v >"$tmp/out"
[ "$(cat "$tmp/out")" = '^[[1mAb^[cd^[e' ] || fail "pipe: got '$(cat "$tmp/out")'"

# Faults end their clause, run ERROR, are told on standard error, and do not end tracing.
"$dtrace" -q -n 'BEGIN { x = 0; printf("never"); y = 1 / x; } ERROR { printf("E%d", arg4); } BEGIN { printf(" on"); exit(5); }' >"$tmp/out" 2>"$tmp/err"
[ $? -eq 5 ] || fail "exit(5): exit status is not 5"
grep -qx 'E4 on' "$tmp/out" || fail "fault: got '$(cat "$tmp/out")'"
grep -q 'dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): divide-by-zero' "$tmp/err" || fail "fault: got '$(cat "$tmp/err")'"

# System calls of this test alone: a load that copies itself to a name of its own and opens what it is told to.
cp "$(command -v cat)" "$tmp/pfcat$$" || fail "cat cannot be copied"
printf 'for i in 1 2 3 4 5 6 7 8 9 10; do "%s" /dev/null; done\n' "$tmp/pfcat$$" >"$tmp/load"
"$dtrace" -n 'syscall::openat:entry { @[execname] = count(); } tick-20s { exit(0); }' -c "sh $tmp/load" >"$tmp/out" 2>"$tmp/err" ||
	fail "openat: exit status $?: $(cat "$tmp/err")"
grep -qE "^  pfcat$$ +[1-9][0-9]+\$" "$tmp/out" || fail "openat: pfcat$$ is not there at least 10 times: $(cat "$tmp/out")"
"$dtrace" -q -c 'cat /nonexistent-perfolio' -n 'syscall::openat:return / pid == $target && errno / { @[errno] = count(); }' >"$tmp/out" 2>"$tmp/err" ||
	fail "errno: exit status $?: $(cat "$tmp/err")"
grep -qE '^ +2 +[1-9]' "$tmp/out" || fail "errno: no ENOENT: $(cat "$tmp/out")"
# Memory of a process: dd writes what it has just read, so the page is there.
printf 'abcdefgh' >"$tmp/data"
"$dtrace" -q -c "dd if=$tmp/data bs=8 count=1 status=none" -n 'syscall::write:entry / pid == $target && arg0 == 1 / { printf("%s %d %c\n", copyinstr(arg1, 3), *(char *)copyin(arg1 + 1, 1), ((char *)copyin(arg1, arg2))[2]); }' \
	>"$tmp/out" 2>"$tmp/err" || fail "copyin: exit status $?: $(cat "$tmp/err")"
grep -q 'abc 98 c$' "$tmp/out" || fail "copyin: got '$(cat "$tmp/out")' '$(cat "$tmp/err")'"
exit $failed

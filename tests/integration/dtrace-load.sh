#!/bin/sh
# Under load nothing is lost without being told: counts are exact however often they are looked at, each record is printed once or
# counted as dropped, exit() and clear() hold in a flood, speculations come whole and in order.
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
cp "$(command -v dd)" "$tmp/pfdd$$" || fail "dd cannot be copied"
dd="$tmp/pfdd$$ if=/dev/zero of=/dev/null bs=1 status=none count"
mine="execname == \"pfdd$$\" && arg2 == 1"

# Four processes, each a million system calls of one byte.
printf 'for i in 1 2 3 4; do %s=500000 & done; wait\n' "$dd" >"$tmp/four"
"$dtrace" -qn "syscall::read:entry, syscall::write:entry / $mine / { @[pid] = count(); } tick-10ms { printa(@); ticks++; } END { printf(\"ticks %d\\n\", ticks); printa(\"total %d %@d\\n\", @); }" \
	-c "sh $tmp/four" >"$tmp/out" 2>"$tmp/err" || fail "counts: exit status $?: $(cat "$tmp/err")"
[ "$(grep -cE '^total [0-9]+ 1000000$' "$tmp/out")" -eq 4 ] || fail "counts: got $(grep total "$tmp/out" | tr '\n' ' ')$(cat "$tmp/err")"
[ "$(sed -n 's/^ticks //p' "$tmp/out")" -ge 50 ] || fail "counts: too few snapshots for a test: $(grep ticks "$tmp/out")"
# What a snapshot shows never becomes less.
awk 'NF == 2 && $1 ~ /^[0-9]+$/ { if ($2 < last[$1]) { print "counts: " $1 " went from " last[$1] " to " $2; bad = 1 } last[$1] = $2 } END { exit bad }' \
	"$tmp/out" || failed=1

# A flood: a million records through a small buffer.
"$dtrace" -qb 64k -n "syscall::write:entry / $mine / { printf(\"r\\n\"); @n = count(); } END { printa(\"n %@d\\n\", @n); }" -c "$dd=1000000" \
	>"$tmp/out" 2>"$tmp/err" || fail "flood: exit status $?: $(cat "$tmp/err")"
printed=$(grep -cx r "$tmp/out")
dropped=$(awk '/drops? on CPU/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ $((printed + dropped)) -eq 1000000 ] || fail "flood: $printed printed, $dropped dropped: $((1000000 - printed - dropped)) are missing"
grep -qx 'n 1000000' "$tmp/out" || fail "flood: not a million: $(tail -n 1 "$tmp/out")"
[ "$printed" -gt 1000 ] || fail "flood: only $printed printed"

# exit() in a flood: its clause is the last one, and its status that of the command.
"$dtrace" -qn "syscall::write:entry / $mine / { printf(\"%d\\n\", ++n); } syscall::write:entry / $mine && n == 5000 / { exit(7); } END { printf(\"end\\n\"); }" \
	-c "$dd=100000" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 7 ] || fail "exit: exit status is not 7: $(cat "$tmp/err")"
[ "$(grep . "$tmp/out" | tail -n 2 | tr '\n' ' ')" = '5000 end ' ] || fail "exit: the last lines are $(grep . "$tmp/out" | tail -n 2 | tr '\n' ' ')"

# clear() in a flood: what comes behind it is counted from nothing, so the parts between are the whole.
"$dtrace" -qn "syscall::write:entry / $mine / { @n = count(); @all = count(); } tick-20ms { printa(\"part %@d\\n\", @n); clear(@n); } END { printa(\"part %@d\\n\", @n); printa(\"all %@d\\n\", @all); }" \
	-c "$dd=1000000" >"$tmp/out" 2>"$tmp/err" || fail "clear: exit status $?: $(cat "$tmp/err")"
grep -qx 'all 1000000' "$tmp/out" || fail "clear: not all: $(tail -n 1 "$tmp/out")"
awk '/^part/ { n++; if ($2 == 1000000) whole = 1 } END { exit whole || n < 5 }' "$tmp/out" || fail "clear: cleared nothing: $(tail -n 3 "$tmp/out")"

# Speculations: one buffer, used again and again; every second one is kept, with all of its records, in order.
"$dtrace" -qn "syscall::write:entry / $mine / { self->s = speculation(); self->n = ++n; speculate(self->s); printf(\"a %d\\n\", self->n); }
	syscall::write:return / self->s / { speculate(self->s); printf(\"b %d\\n\", self->n); }
	syscall::write:return / self->s && self->n % 2 == 0 / { commit(self->s); self->s = 0; }
	syscall::write:return / self->s / { discard(self->s); self->s = 0; }" -c "$dd=20000" >"$tmp/out" 2>"$tmp/err" || fail "speculation: exit status $?: $(cat "$tmp/err")"
[ ! -s "$tmp/err" ] || fail "speculation: says $(cat "$tmp/err")"
awk 'NF { want = 2 * int((n++ + 2) / 2); letter = n % 2 ? "a" : "b"; if ($1 != letter || $2 != want) { print "speculation: line " n " is " $0; exit 1 } }
	END { if (n != 20000) { print "speculation: " n " lines, not 20000"; exit 1 } }' "$tmp/out" || failed=1
exit $failed

#!/bin/bash
# Volumes of archives: they end where they should, closed ones are compressed, and nothing is lost by either; PCP's tools agree.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
raw=$(find "$top/tests/golden/collectl/raw" -name 'all-*.raw.gz' | head -n 1)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
check=$(command -v /usr/lib/pcp/bin/pmlogcheck || command -v pmlogcheck)
command -v xz >/dev/null || { echo "no xz"; exit 77; }

sound()
{
	# Two counters of /proc/vmstat go down, which it takes for a wrap.
	[ -z "$check" ] || ! "$check" "$1" 2>&1 | grep -vE '(workingset_nodes|nr_free_cma).*wrap$|^	value ' >"$tmp/check" ||
		fail "$1: pmlogcheck says $(head -n 2 "$tmp/check")"
	[ -z "$(find "$tmp" -name '*.part')" ] || fail "$1: a .part is left"
}
convert() { "$perfolio" convert "$@" 2>"$tmp/err" || fail "convert $*: status $? $(cat "$tmp/err")"; }
play() { "$perfolio" replay --oformat jsonl "$1" >"$tmp/out" 2>"$tmp/err" || fail "replay $1: status $? $(cat "$tmp/err")"; }

convert "$raw" "$tmp/one"
play "$tmp/one"
mv "$tmp/out" "$tmp/expected"
volumes() { ls "$tmp/$1".[0-9]* | wc -l; }
n=0
for limit in 5 45kb '45 KB' 5sec '5 seconds' 1mb 1hour; do
	for pack in '' --no-compress; do
		n=$((n + 1))
		# shellcheck disable=SC2086
		convert --volume "$limit" $pack "$raw" "$tmp/v$n"
		play "$tmp/v$n"
		cmp -s "$tmp/out" "$tmp/expected" || fail "$limit $pack: other values"
		sound "$tmp/v$n"
		case $limit in
		5 | 5*s*) expected=3 ;;
		45*) expected=4 ;;
		*) expected=1 ;;
		esac
		[ "$(volumes v$n)" = $expected ] || fail "$limit: $(volumes v$n) volumes instead of $expected"
		plain=$(find "$tmp" -name "v$n.*" ! -name '*.index' ! -name '*.xz' | wc -l)
		if [ -n "$pack" ]; then
			[ "$plain" -gt $expected ] || fail "$limit: files are compressed, though nobody asked"
		else
			[ "$plain" = 0 ] || fail "$limit: $plain files are not compressed"
			for file in "$tmp/v$n".*.xz; do
				xz -t "$file" || fail "$limit: xz finds fault with $file"
			done
		fi
	done
done
if command -v pmdumplog >/dev/null; then
	for archive in one v1 v2; do
		pmdumplog "$tmp/$archive" kernel.all.cpu disk.dev network.interface 2>&1 | sed 1,6d | md5sum
	done | sort -u | wc -l | grep -qx 1 || fail "pmdumplog shows other values of volumes"
fi

for bad in 0 -1 '' 5parsecs 1.5mb 99999999999; do
	"$perfolio" convert --volume "$bad" "$raw" "$tmp/no" 2>"$tmp/err"
	[ $? = 2 ] || fail "--volume '$bad' is taken"
done

# Live: while it records, and at the end.
"$perfolio" record "$tmp/s.folio" -i .02 -c 100 --volume 30 -s cd >"$tmp/out" 2>&1 || fail "record: status $? $(cat "$tmp/out")"
archive=$tmp/$(awk '/^Archive/ { print $3 }' "$tmp/s.folio")
[ -f "$archive.3.xz" ] && [ -f "$archive.meta.xz" ] && [ ! -e "$archive.0" ] || fail "record: $(ls "$archive".*)"
sound "$archive"
"$perfolio" info "$tmp/s.folio" | grep -q '^Samples   101, ' || fail "record: $("$perfolio" info "$tmp/s.folio")"

# A logger that is killed leaves an archive that can be read, with whatever was compressed by then.
"$perfolio" log -i .01 --volume 20 -s cdnm "$tmp/killed" &
pid=$!
for _ in $(seq 200); do
	[ -e "$tmp/killed.2" ] && break
	sleep .05
done
{ kill -9 $pid; wait $pid; } 2>/dev/null
for _ in $(seq 100); do
	[ -z "$(find "$tmp" -name 'killed.*.part')" ] && break
	sleep .1
done
"$perfolio" info "$tmp/killed" >"$tmp/out" 2>"$tmp/err"
[ $? -le 3 ] || fail "killed: $(cat "$tmp/err")"
samples=$(sed -n 's/^Samples   \([0-9]*\).*/\1/p' "$tmp/out")
[ "${samples:-0}" -ge 40 ] || fail "killed: ${samples:-no} samples of at least 40"

# A budget: the oldest volumes go, which is told once; what stays is a recording, here and for PCP.

"$perfolio" log -i .01 -c 400 -s cdnm --keep 400kb --no-compress "$tmp/kept" 2>"$tmp/err" || fail "--keep: status $? $(cat "$tmp/err")"
[ "$(grep -c 'kept.0: the archive has become larger than --keep says, so the oldest volumes are removed from now on' "$tmp/err")" = 1 ] || fail "--keep is not told once: $(cat "$tmp/err")"
[ ! -e "$tmp/kept.0" ] || fail "--keep: the first volume is still there"
bytes=$(cat "$tmp"/kept.* | wc -c)
[ "$bytes" -lt 1000000 ] || fail "--keep 400kb keeps $bytes bytes"
"$perfolio" replay -scd "$tmp/kept" >"$tmp/out" 2>"$tmp/err" || fail "what --keep leaves cannot be played: $(cat "$tmp/err")"
[ "$(grep -vc '^#' "$tmp/out")" -gt 10 ] || fail "--keep leaves $(grep -vc '^#' "$tmp/out") lines"
if command -v pmval >/dev/null; then
	pmval -z -t 0.1 -a "$tmp/kept" hinv.ncpu 2>/dev/null | tail -n 1 | grep -Eq ' +[0-9]+ *$' || fail "pmval does not know the processors of what --keep leaves"
fi
"$perfolio" log -i .01 -c 5 -s c --min-free 99999gb "$tmp/noroom" 2>"$tmp/err"
[ $? = 1 ] || fail "--min-free: records on a disk that has less"
grep -q 'noroom: less than [0-9]* MB are free, which --min-free keeps free' "$tmp/err" || fail "--min-free says $(cat "$tmp/err")"
for bad in '--keep 5' '--keep 0mb' '--min-free 5days' '--min-free x'; do
	# shellcheck disable=SC2086
	"$perfolio" log $bad "$tmp/no" 2>"$tmp/err"
	[ $? = 2 ] || fail "$bad is taken"
done

# No room for a next volume: the old one goes on.
mkdir "$tmp/dir"
mkdir "$tmp/dir/a.1"
"$perfolio" convert --volume 5 "$raw" "$tmp/dir/a" 2>"$tmp/err" || fail "no next volume: status $? $(cat "$tmp/err")"
[ "$(grep -c 'a.1 is there already and is not overwritten; choose another name; the volume before goes on' "$tmp/err")" = 1 ] || fail "no next volume: not told once: $(cat "$tmp/err")"
rmdir "$tmp/dir/a.1"
play "$tmp/dir/a"
cmp -s "$tmp/out" "$tmp/expected" || fail "no next volume: other values"
exit $failed

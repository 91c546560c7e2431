#!/bin/bash
# recordjobs.sh BUILD - recordings for a time, recordings that are left alone, the line on a terminal, a host that is broken beside others, the default host.
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
perfolio=$build/perfolio
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/recordjobs.XXXXXX") || exit 1
mine=
trap 'for p in $mine; do kill -9 "$p" 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

wait_for()
{
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 400 ] || { fail "waited in vain for: $*"; return 1; }
		sleep 0.05
	done
}

# of FOLIO FIELD - that member of status for each archive, in one line.
of()
{
	"$perfolio" folio "$1" status --oformat json 2>/dev/null | jq -r "[.status.archives[].$2] | join(\" \")"
}

is()
{
	[ "$(of "$1" state)" = "$2" ]
}

samples()
{
	"$perfolio" replay "$1" --oformat json 2>/dev/null | jq '[.perfolio.samples[] | select(.metrics)] | length'
}

# For a time: as many samples as fit, or one fewer on a slow host; whatever comes first ends it.
"$perfolio" record time.folio -R 1s -i 0.25 -sc 2>err || fail "record -R: $(head -n 1 err)"
n=$(samples time.folio)
[ "$n" -ge 2 ] && [ "$n" -le 6 ] || fail "record -R 1s -i 0.25 has $n samples"
grep -q 'until interrupted' err && fail "a recording for a time claims to have no end"
"$perfolio" record count.folio -R 1hour -c 2 -i 0.1 -sc 2>err || fail "record -R -c: $(head -n 1 err)"
[ "$(samples count.folio)" -eq 3 ] || fail "record -R 1hour -c 2 has $(samples count.folio) samples"
"$perfolio" log -R 300msec -i 0.1 -sc alone 2>err || fail "log -R: $(head -n 1 err)"
for words in '-R 0' '-R -5' '-R x' '-R 5fortnights' '--default no:thing:at:all' '--detach -- true' '--default self: --default self:'; do
	"$perfolio" record never.folio $words -c1 >out 2>err
	[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -e never.folio ] || fail "record $words: status, sentence or folio: $(cat err)"
done

# Left alone, with hosts of which one cannot be recorded: named, the others go on; then they end by command, by time, and after a kill of everything else.
"$perfolio" record left.folio --detach -i 0.1 -sc -h self: -h unix:/no/such -h self: >out 2>err </dev/null
[ $? -eq 1 ] || fail "--detach with a broken host: status is not 1"
[ ! -s out ] || fail "--detach prints on standard output"
grep -q '^perfolio: unix:/no/such was not recorded' err || fail "--detach: the broken host is not named: $(cat err)"
grep -q 'No such file' err || fail "--detach: it is not told what is wrong with the host: $(cat err)"
grep -q "of 2 hosts into left.folio goes on; see it with: $perfolio folio left.folio status" err || fail "--detach does not say how to see it: $(cat err)"
is left.folio 'recording missing recording' || fail "--detach: $(of left.folio state)"
[ "$(ls ./*no_such* | grep -v '\.log$')" = "" ] || fail "--detach: files of the host that is broken are left: $(ls ./*no_such*)"
"$perfolio" folio left.folio status | grep -q 'was not recorded: unix:/no/such: cannot get anything' || fail "--detach: the reason is not kept"
[ "$(find . -name '??????' -type f | wc -l)" -eq 0 ] || fail "--detach: the unique name's file is left behind"
for pid in $(of left.folio pid); do
	mine="$mine $pid"
	[ "$(ps -o sid= -p "$pid" | tr -d ' ')" = "$pid" ] || fail "a logger that is left alone is in the session of a terminal"
	for fd in 0 1 2; do
		case $(readlink "/proc/$pid/fd/$fd") in /dev/null | "$work"/*.log) ;; *) fail "its descriptor $fd is $(readlink "/proc/$pid/fd/$fd")" ;; esac
	done
done
before=$(of left.folio until)
wait_for sh -c "[ \"\$('$perfolio' folio left.folio status --oformat json | jq -c '[.status.archives[].until]')\" != '[${before// /,null,}]' ]"
"$perfolio" folio left.folio stop >out 2>err || [ $? -eq 0 ] || fail "stop: $(cat err)"
is left.folio 'ended missing ended' || fail "after stop: $(of left.folio state)"
"$perfolio" folio --make whole.folio $(awk '$1 == "Archive:" && $2 !~ /such/ { print $3 }' left.folio) && "$perfolio" verify whole.folio >out 2>err ||
	fail "what was left alone is not whole: $(head -n 2 out err)"
"$perfolio" record short.folio --detach -i 0.1 -R 500msec -sc 2>err || fail "--detach -R: $(cat err)"
wait_for is short.folio ended
"$perfolio" verify short.folio >out 2>err || fail "--detach -R leaves: $(head -n 2 out err)"
rm -f ./*no_such*
"$perfolio" record none.folio --detach -h unix:/no/such >out 2>err
[ $? -eq 1 ] && [ ! -e none.folio ] && ! ls ./*no_such* >/dev/null 2>&1 || fail "--detach without any host leaves: $(ls)"
[ "$(grep -c . err)" -eq 1 ] || fail "--detach without any host takes more than a sentence: $(cat err)"

# One broken host beside others, in the foreground; a command's status comes first.
"$perfolio" record broken.folio -c 3 -i 0.1 -sc -h unix:/no/such -h self: --default self: 2>err
[ $? -eq 1 ] || fail "a broken host: status is not 1"
[ "$(awk '$1 == "Archive:" { print $2; exit }' broken.folio)" = "$(uname -n)" ] || fail "--default is not first: $(cat broken.folio)"
[ "$(grep -c 'was not recorded, as told above' err)" -eq 1 ] || fail "a broken host is not named at the end: $(cat err)"
"$perfolio" verify "$(awk '$1 == "Archive:" { print $3; exit }' broken.folio)" >out 2>&1 || fail "a broken host: the other one is not whole: $(cat out)"
"$perfolio" record broken2.folio -i 0.1 -sc -h unix:/no/such -h self: -- sh -c 'exit 7' 2>err
[ $? -eq 7 ] || fail "a broken host hides the status of the command"
"$perfolio" record broken3.folio -i 0.1 -sc -h unix:/no/such -h self: -- true 2>err
[ $? -eq 1 ] || fail "a broken host does not tell, after a command that ended well"

command -v python3 >/dev/null && { python3 "$here/recordjobs.py" "$perfolio" || bad=1; }
exit $bad

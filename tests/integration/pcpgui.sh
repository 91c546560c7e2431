#!/bin/sh
# pcpgui.sh BUILD - libpcp_gui by us and the real one say the same of every edge of record mode; programs built for the real one run with ours, and
# record from a real pmcd; nothing but the three calls is exported, and nothing but the C library needed.
set -u
unset LD_LIBRARY_PATH
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
lib=$build/compat/lib
work=$(mktemp -d "${TMPDIR:-/tmp}/pcpgui.XXXXXX") || exit 1
loggers=
export PMCD_PORT=44931
cleanup()
{
	for p in $loggers; do kill -9 "$p" 2>/dev/null; done
	TMPDIR=$work "$source/tests/tools/pmcd-up" stop >/dev/null 2>&1
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

# What the library is made of.
[ "$(nm -D --defined-only "$lib/libpcp_gui.so.2" | awk '$2 == "T" { print $3 }' | sort | tr '\n' ' ')" = \
	"pmRecordAddHost@@PCP_GUI_2.0 pmRecordControl@@PCP_GUI_2.0 pmRecordSetup@@PCP_GUI_2.0 " ] ||
	fail "libpcp_gui exports: $(nm -D --defined-only "$lib/libpcp_gui.so.2" | tr '\n' ' ')"
needed=$(readelf -d "$lib/libpcp_gui.so.2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.so' -e '^libasan' -e '^libubsan' -e '^ld-linux')
[ -z "$needed" ] || fail "libpcp_gui needs more than the C library: $needed"
readelf -d "$lib/libpcp_gui.so" | grep -q 'SONAME.*\[libpcp_gui.so.2\]' || fail "libpcp_gui.so leads to another soname"

# Programs see our library with the sanitizers of its build, or as they are.
flags=
grep -q '"name": "b_sanitize", "value": "none"' "$build/meson-info/intro-buildoptions.json" 2>/dev/null || flags=-fsanitize=address,undefined
api=$source/tests/api
edges="$api/edges.c $api/edges_ours.c $api/transcript.c"
{
	cc -D_GNU_SOURCE -O1 -Wall $flags -I"$source/include/compat" -o edges $edges -L"$lib" -lpcp_gui &&
		cc -O1 -Wall $flags -I"$source/include/compat" -o hosts "$api/hosts.c" -L"$lib" -lpcp_gui
} 2>err || { fail "the programs do not build: $(head -n 1 err)"; exit 1; }
mkdir -p libexec/compat
ln -s "$source/tests/api/pmlogger" libexec/compat/pmlogger

# edges PROGRAM MODE FILE - its transcript with our library.
edges()
{
	mkdir "run-$3"
	(cd "run-$3" && LD_LIBRARY_PATH=$lib PERFOLIO_LIBEXEC=$work/libexec "../$1" "$2" >"../$3" 2>&1) || fail "$1 $2: exit $?"
}

edges edges same same
diff "$source/tests/api/edges-same.expected" same >diff || fail "edges are not as expected: $(head -n 4 diff | tr '\n' ' ')"
edges edges ours ours
diff "$source/tests/api/edges-ours.expected" ours >diff || fail "edges of ours are not as expected: $(head -n 4 diff | tr '\n' ' ')"

# The folder of loggers by a relative name, and a folio in another folder.
mkdir other
LD_LIBRARY_PATH=$lib PERFOLIO_LIBEXEC=libexec timeout 60 ./hosts other/relative.folio exit3 empty >out 2>err
grep -q '^host 0: status 768$' out || fail "a relative PERFOLIO_LIBEXEC finds no logger: $(head -n 1 err)"

# A logger that is not there, a folio right below /.
mkdir alone
cp -L "$lib/libpcp_gui.so.2" alone
if [ ! -e "$(sed -n 's/.*"value": "\(\/[^"]*\)".*/\1/p' "$build/meson-info/intro-buildoptions.json" | head -n 1)/libexec/perfolio/compat/pmlogger" ]; then
	LD_LIBRARY_PATH=$work/alone PERFOLIO_LIBEXEC=$work/no timeout 60 ./hosts none.folio self empty >out 2>err
	grep -q 'pmlogger: cannot run .*compat/pmlogger: No such file' err || fail "a missing logger is not told: $(head -n 1 err)"
	grep -q '^host 0: status 256$' out || fail "a missing logger ends otherwise: $(cat out)"
fi
if [ "$(id -u)" = 0 ] && [ ! -e /pcpgui.folio ]; then
	LD_LIBRARY_PATH=$lib PERFOLIO_LIBEXEC=$work/libexec timeout 60 ./hosts /pcpgui.folio exit3 empty >out 2>err
	unique=$(awk '$1 == "Archive:" { sub(/\..*/, "", $3); print $3 }' /pcpgui.folio)
	[ -n "$unique" ] && rm -f /pcpgui.folio "/$unique" "/$unique".exit3.*
	grep -q '^host 0: status 768$' out || fail "a folio in / does not record: $(cat out err)"
fi

# The real library with the same script, and the very same program with ours.
real=$(find /usr/lib* -name libpcp_gui.so.2 2>/dev/null | head -n 1)
if [ -n "$real" ] && [ -e /usr/include/pcp/pmafm.h ]; then
	cc -D_GNU_SOURCE -O1 -o edges-real $edges -lpcp_gui 2>err && cc -O1 -o hosts-real "$api/hosts.c" -lpcp_gui 2>err ||
		fail "programs do not build with the real library: $(head -n 1 err)"
	mkdir run-real
	(cd run-real && PCP_BINADM_DIR=$source/tests/api ../edges-real same >../real 2>&1) || fail "the real library: exit $?"
	diff real same >diff || fail "the real library says otherwise: $(head -n 4 diff | tr '\n' ' ')"
	if [ -z "$flags" ]; then
		edges edges-real same unchanged
		diff real unchanged >diff || fail "a program of the real library sees another one: $(head -n 4 diff | tr '\n' ' ')"
	fi
else
	echo "the real libpcp_gui is not installed: only compared with what it once said"
fi

# wait_gone PID - until it has ended, half a minute at most.
wait_gone()
{
	tries=0
	while kill -0 "$1" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { fail "process $1 does not end"; return; }
		sleep 0.05
	done
}

# check_archive BASE - pmlogcheck has nothing to say.
check_archive()
{
	pmlogcheck "$1" >check.out 2>&1 || fail "pmlogcheck fails for $1"
	grep -v -e 'wrap' -e '^	value' check.out >check.left && fail "pmlogcheck says of $1: $(head -n 1 check.left)"
}

# record LIBEXEC NAME PROGRAM [PATH-OF-LIBRARY] - four hosts of a real pmcd, a launcher that goes away, and one that has nothing to record.
record()
{
	mkdir "$2" || { fail "$2 is there already"; return; }
	cd "$2" || return
	run="timeout 120 env PERFOLIO_LIBEXEC=$1 LD_LIBRARY_PATH=${4:-} $3"
	$run four.folio localhost 127.0.0.1 localhost 127.0.0.1 >out 2>err || fail "$2: exit $?: $(head -n 1 err)"
	detached=$(sed -n 's/^detached //p' out)
	loggers="$loggers $detached"
	grep -v '^detached ' out | diff "$source/tests/api/hosts.expected" - >diff || fail "$2: $(head -n 4 diff | tr '\n' ' ')"
	kill -0 "$detached" 2>/dev/null || fail "$2: the detached logger did not outlive its launcher"
	kill -TERM "$detached"
	wait_gone "$detached"
	first=$(ls ./*.localhost.0 | grep -v a.localhost | sed 's/\.0$//')
	for base in "$first" "${first%.*}.127.0.0.1" "${first%.*}a.localhost"; do
		check_archive "$base"
	done
	pmdumplog -l "${first%.*}a.127.0.0.1" >label 2>&1 || fail "$2: the archive of a killed logger has no label"
	for how in gone killed; do
		$run $how.folio localhost $how >out 2>err
		status=$?
		[ $status = "$([ $how = gone ] && echo 0 || echo 137)" ] || fail "$2: $how: exit $status: $(head -n 1 err)"
		wait_gone "$(awk '$1 == "logger" { print $2 }' out)"
		base=$(awk '$1 == "logger" { sub(/\.log$/, "", $3); print $3 }' out)
		check_archive "$base"
		grep -q 'The application that launched pmlogger has exited' "$base.log" ||
			fail "$2: the log does not tell that the launcher is $how"
	done
	$run empty.folio localhost empty >out 2>err || fail "$2: empty: exit $?: $(head -n 1 err)"
	[ "$(head -n 2 out)" = "status -12366
host 0: status 256" ] || fail "$2: a logger without anything to record: $(tr '\n' ' ' <out)"
	base=$(awk '$1 == "logger" { sub(/\.log$/, "", $3); print $3 }' out)
	grep -q 'Nothing to log' "$base.log" || fail "$2: the log does not say that there was nothing to record"
	[ ! -e "$base.0" ] || fail "$2: an archive of nothing"
	cd ..
}

pmlogger=/usr/lib/pcp/bin/pmlogger
if [ ! -x "$pmlogger" ] || ! TMPDIR=$work "$source/tests/tools/pmcd-up" start >/dev/null 2>err; then
	echo "without a real pmcd and pmlogger nothing is recorded"
	exit $bad
fi
eval "$(TMPDIR=$work "$source/tests/tools/pmcd-up" env)"
unset DISPLAY
mkdir -p pcp/compat
ln -s "$pmlogger" pcp/compat/pmlogger
record "$work/pcp" with-theirs "$work/hosts" "$lib"
[ ! -x "$work/hosts-real" ] || record "$work/pcp" all-theirs "$work/hosts-real"
if [ -x "$work/hosts-real" ] && [ -z "$flags" ]; then
	record "$work/pcp" unchanged-pcp "$work/hosts-real" "$lib"
fi
[ ! -x "$build/compat/pmlogger" ] || record "" with-ours "$work/hosts" "$lib"
exit $bad

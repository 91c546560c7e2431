#!/bin/sh
# What dtrace refuses: wrong programs, options, privileges, outputs. One sentence, the right status, nothing half done.
build=$1
dtrace=$build/compat/dtrace
[ -x "$dtrace" ] || { echo "this build has no dtrace"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# refuses STATUS SENTENCE ARGUMENT... - SENTENCE is a regular expression for one line of standard error; nothing on standard output
refuses() {
	status=$1 sentence=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	have=$?
	[ $have -eq "$status" ] || fail "$*: exit status $have, not $status: $(cat "$tmp/err")"
	grep -qE "$sentence" "$tmp/err" || fail "$*: no '$sentence' in '$(cat "$tmp/err")'"
	[ ! -s "$tmp/out" ] || fail "$*: prints on standard output: $(cat "$tmp/out")"
}

# Programs. Nothing of this needs the kernel.
printf 'BEGIN\n{\n\ttrace(1)\n}\nEND\n{\n\ttrace(;\n}\n' >"$tmp/bad.d"
refuses 1 "^dtrace: failed to compile script $tmp/bad.d: line 7: .*;" "$dtrace" -e -s "$tmp/bad.d"
refuses 1 '^dtrace: invalid probe specifier BEGIN \{ foo\(1\); \}: undefined function name: foo$' "$dtrace" -e -n 'BEGIN { foo(1); }'
refuses 1 'does not match any probes$' "$dtrace" -e -n 'nothere:::x'
refuses 1 'does not match any probes$' "$dtrace" -e -n 'syscall::nosuchcall:entry'
refuses 1 'no probes specified' "$dtrace" -e -q
refuses 1 'failed to open /nonexistent: No such file' "$dtrace" -s /nonexistent
"$dtrace" -e -n 'BEGIN { trace(1); }' >"$tmp/out" 2>&1 || fail "-e refuses a good program"
[ ! -s "$tmp/out" ] || fail "-e prints: $(cat "$tmp/out")"
"$dtrace" -e -Z -n 'nothere:::x' >"$tmp/out" 2>&1 || fail "-Z does not keep a clause without probes"

# Options.
refuses 2 '^usage: dtrace ' "$dtrace"
refuses 2 'illegal option -- z' "$dtrace" -z
refuses 1 '^dtrace: failed to set -x nosuch: Invalid option name$' "$dtrace" -x nosuch -n BEGIN
refuses 1 '^dtrace: failed to set -x strsize: Invalid value for specified option$' "$dtrace" -x strsize=x -n BEGIN
refuses 1 '^dtrace: failed to set -b 1z: Invalid value for specified option$' "$dtrace" -b 1z -n BEGIN
refuses 1 '^dtrace: invalid pid: 12x$' "$dtrace" -p 12x -n BEGIN
refuses 1 '^dtrace: failed to execute /nonexistent: No such file or directory$' "$dtrace" -c '/nonexistent x' -n BEGIN
refuses 1 '^dtrace: failed to execute nosuchcommand: No such file or directory$' "$dtrace" -c nosuchcommand -n BEGIN
refuses 2 'only one of the' "$dtrace" -l -e -n BEGIN
refuses 1 '^dtrace: could not enable tracing: Destructive actions not allowed$' "$dtrace" -q -n 'BEGIN { system("true"); }'
"$dtrace" -V | grep -q '^dtrace: ' || fail "-V prints no version"

# Lists need nothing but the table of probes.
"$dtrace" -l -n 'syscall::openat:*' >"$tmp/out" || fail "-l: exit status $?"
[ "$(awk '{ print $2 ":" $3 ":" $4 ":" $5 }' "$tmp/out" | tr '\n' ' ')" = \
	'PROVIDER:MODULE:FUNCTION:NAME syscall:vmlinux:openat:entry syscall:vmlinux:openat:return ' ] || fail "-l: $(cat "$tmp/out")"
[ "$("$dtrace" -l | sed -n 2p | tr -s ' ')" = ' 1 dtrace BEGIN' ] || fail "-l does not begin with BEGIN"

# Privileges: the sentence names what is missing.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && "$dtrace" -q -n 'BEGIN { exit(0); }' >/dev/null 2>&1; then
	# A program below a folder that others may not enter cannot be started by others.
	mkdir "$tmp/bin" && cp "$build/perfolio" "$tmp/bin/dtrace" && chmod 755 "$tmp" "$tmp/bin" "$tmp/bin/dtrace" || fail "cannot copy the program"
	refuses 1 'lacks the capabilities CAP_BPF and CAP_PERFMON' setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$tmp/bin/dtrace" -n 'BEGIN { exit(0); }'
	refuses 1 'lacks the capability CAP_BPF;' setpriv --inh-caps=-all --bounding-set=-bpf,-sys_admin "$tmp/bin/dtrace" -n 'BEGIN { exit(0); }'
	refuses 1 'lacks the capability CAP_PERFMON;' setpriv --inh-caps=-all --bounding-set=-perfmon,-sys_admin "$tmp/bin/dtrace" \
		-n 'BEGIN { exit(0); }'
	refuses 1 "failed to open output file '/nonexistent/x'" "$dtrace" -q -o /nonexistent/x -n 'BEGIN { exit(0); }'
	refuses 1 'No space left on device' "$dtrace" -q -o /dev/full -n 'BEGIN { trace(1); exit(0); }'
	"$dtrace" -q -n 'tick-1ms { printf("%d\n", timestamp); }' 2>"$tmp/err" | sed 1q >"$tmp/out"
	[ ! -s "$tmp/err" ] || fail "a reader that goes away: $(cat "$tmp/err")"
fi
exit $failed

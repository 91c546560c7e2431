#!/bin/sh
# The command itself: where programs, options and values come from, what is printed where, how it ends.
build=$1
dtrace=$build/compat/dtrace
[ -x "$dtrace" ] || { echo "this build has no dtrace"; exit 77; }
case $dtrace in /*) ;; *) dtrace=$PWD/$dtrace ;; esac
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
if ! "$dtrace" -q -n 'BEGIN { exit(0); }' 2>"$tmp/err" >"$tmp/out"; then
	grep -qE 'CAP_|bpf\(2\)|built without' "$tmp/err" && { cat "$tmp/err"; exit 77; }
	fail "BEGIN cannot be traced: $(cat "$tmp/err")"
fi
cd "$tmp" || exit 1

# does WHAT STATUS OUTPUT ERROR ARGUMENT... - the whole output without blank lines, and a regular expression for one line of the errors ('': there are none)
does() {
	what=$1 status=$2 out=$3 err=$4
	shift 4
	"$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	[ $rc -eq "$status" ] || fail "$what: exit status $rc, not $status: $(cat "$tmp/err")"
	[ "$(grep . "$tmp/out")" = "$out" ] || fail "$what: wanted '$out', got '$(cat "$tmp/out")'"
	if [ -z "$err" ]; then
		[ ! -s "$tmp/err" ] || fail "$what: says '$(cat "$tmp/err")'"
	else
		grep -qxE -e "$err" "$tmp/err" || fail "$what: no '$err' in '$(cat "$tmp/err")'"
	fi
}

# Programs from files, pipes, scripts that name their interpreter; values for $0, $1 ...
# shellcheck disable=SC2016 # D's macros
printf '#!%s -qs\nBEGIN { printf("%%s %%d %%s\\n", $$1, $2, $0); exit(0); }\n' "$dtrace" >script.d
chmod +x script.d
does script 0 'abc 5 ./script.d' '' ./script.d abc 5
# shellcheck disable=SC2016
(sleep 0.1; echo 'BEGIN { trace($1);'; sleep 0.1; echo 'exit(0); }') | does pipe 0 7 '' "$dtrace" -qs /dev/stdin 7
does operands 0 '1 2' '' "$dtrace" 1 -q -n 'BEGIN { printf("%d %d\n", $1, $2); exit(0); }' 2
does several 0 '12' '' "$dtrace" -q -n 'BEGIN { printf("1"); }' -P 'dtrace /probename == "BEGIN"/ { printf("2"); exit(0); }'
does number 0 '3' '' "$dtrace" -q -i '1 { trace(3); exit(0); }'

# The preprocessor: macros, files, places in errors.
printf '#define N 3\n#include "inc.h"\nBEGIN { trace(N + M); exit(0); }\n' >c.d
echo '#define M 4' >inc.h
printf 'BEGIN\n{\n\ttrace(X);\n\texit(0);\n}\n' >x.d
printf '#define N 3\n\nBEGIN\n{\n\ttrace(N +);\n}\n' >bad.d
does -C 0 7 '' "$dtrace" -qC -I . -s c.d
does -D 0 9 '' "$dtrace" -qC -DX=9 -s x.d
does define 0 10 '' "$dtrace" -qx cpp -x define=X=10 -s x.d
does -U 1 '' 'dtrace: failed to compile script x.d: .*X.*' "$dtrace" -qC -DX=9 -UX -s x.d
does -H 0 7 '\. .*inc\.h' "$dtrace" -qCH -I . -s c.d
does markers 1 '' 'dtrace: failed to compile script bad.d: "bad.d", line 5: .*' "$dtrace" -C -s bad.d
does cpppath 1 '' 'dtrace: .*/nonexistent/cpp cannot be run.*' "$dtrace" -C -x cpppath=/nonexistent/cpp -s c.d

# Options from the environment, which the command line overrides, which a pragma overrides.
does environment 0 'abcd' '' env DTRACE_OPT_QUIET= DTRACE_OPT_QUIET=1 DTRACE_OPT_STRSIZE=4 "$dtrace" -n 'BEGIN { printf("%s\n", "abcdefgh"); exit(0); }'
does precedence 0 'abcdef' '' env DTRACE_OPT_STRSIZE=4 "$dtrace" -q -x strsize=6 -n 'BEGIN { printf("%s\n", "abcdefgh"); exit(0); }'
does nosuch 1 '' 'dtrace: failed to set -x nosuch: Invalid option name' env DTRACE_OPT_NOSUCH=1 "$dtrace" -n BEGIN
does -X 1 '' 'dtrace: failed to set -X q: Invalid value for specified option' "$dtrace" -X q -n BEGIN
does -Xa 0 1 '' "$dtrace" -q -Xa -64 -B -n 'BEGIN { trace(1); exit(0); }'
does -32 1 '' 'dtrace: -32: .*64 bits' "$dtrace" -32 -n BEGIN
does -3 2 '' 'dtrace: illegal option -- 3' "$dtrace" -34 -n BEGIN
does -G 1 '' 'dtrace: -G: static probes .*' "$dtrace" -G -s x.d
does -A 1 '' 'dtrace: -A: anonymous tracing does not exist on Linux' "$dtrace" -A -n BEGIN
does long 2 '' 'dtrace: illegal option --bad' "$dtrace" --bad

# Libraries.
mkdir lib && echo 'inline int seven = 7; typedef struct pt { int x, y; } pt_t;' >lib/a.d && echo 'inline int eight = seven + 1;' >lib/b.d && echo 'no D at all' >lib/c.txt
does -L 0 '7 8 8' '' "$dtrace" -q -L lib -n 'BEGIN { printf("%d %d %d\n", seven, eight, sizeof(pt_t)); exit(0); }'
echo 'BEGIN { }' >lib/c.d
does clause 1 '' 'dtrace: failed to set -L lib: .*lib/c\.d: line 1: .*' "$dtrace" -L lib -n BEGIN
does nolib 1 '' 'dtrace: failed to set -L nolib: No such file or directory' "$dtrace" -L nolib -n BEGIN

# Layouts: rows, indentation also when quiet, notices, output to a file behind what it has.
"$dtrace" -F -n 'syscall::write:entry, syscall::write:return /pid == $target/ { trace((int64_t)1); }' -c 'echo hi' 2>err | grep -v '^hi$' | sed 's/^ *[0-9]* /C /' >out
printf '%s\n' 'CPU FUNCTION                                 ' 'C  => write                                                    1' \
	'C  <= write                                                    1' '' >want
cmp -s out want || fail "-F: got '$(cat out)'"
"$dtrace" -qF -n 'BEGIN { trace(1); exit(0); }' 2>err | grep -q '| :BEGIN' || fail "-qF: no row"
does -w 0 '' 'dtrace: allowing destructive actions' "$dtrace" -w -x oformat=json -o doc -n 'BEGIN { exit(0); }'
rm -f file
"$dtrace" -qo file -n 'BEGIN { trace(1); exit(0); }' && "$dtrace" -qo file -n 'BEGIN { trace(2); exit(0); }' || fail "-o: exit status $?"
[ "$(tr -d '\n' <file)" = 12 ] || fail "-o: the file has '$(cat file)'"

# Code: shown with lines of D, names of helpers and maps, nothing loaded without privileges.
"$dtrace" -Se -n 'BEGIN { trace(pid); }' >out 2>err || fail "-S: exit status $?"
[ ! -s out ] || fail "-S: prints on standard output"
for want in '^; program for dtrace:::BEGIN, [0-9]+ instructions$' '^; line 1$' 'call get_current_pid_tgid#14$' '= map 3 \(ring\)$' '^ +[0-9]+: 95 00 0000 00000000  exit$'; do
	grep -qE "$want" err || fail "-S: no '$want' in: $(cat err)"
done
does stability 0 "Stability data for description syscall::read:entry :
	Minimum Probe Description Attributes
		Identifier Names: Evolving
		Data Semantics:   Evolving
		Dependency Class: Common
	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Private
		Dependency Class: Common" '' "$dtrace" -ev -n 'syscall::read:entry { trace(curthread->pid); }'
[ "$("$dtrace" -Vv | wc -l)" -eq 2 ] || fail "-Vv: not two lines"

# Processes: the command is let run when tracing has begun, with its own signals; how it ends is told.
does -c 0 'go' 'dtrace: pid [0-9]+ has exited' "$dtrace" -x quiet=0 -o file -c 'echo go' -n 'syscall::execve:entry /pid == $target/ { }'
echo 'exit 3' >three
does status 0 '' 'dtrace: pid [0-9]+ exited with status 3' "$dtrace" -o file -c 'sh three' -n 'BEGIN { }'
# shellcheck disable=SC2016
echo 'kill -9 $$' >nine
does signal 0 '' 'dtrace: pid [0-9]+ terminated by SIGKILL' "$dtrace" -o file -c 'sh nine' -n 'BEGIN { }'
# shellcheck disable=SC2016
echo 'yes | head -n 1' >pipe
does sigpipe 0 y 'dtrace: pid [0-9]+ has exited' "$dtrace" -o file -c 'sh pipe' -n 'BEGIN { }'
does quiet 0 '' '' "$dtrace" -q -c 'sh three' -n 'BEGIN { }'
sleep 0.3 &
does -p 0 "$!" "dtrace: pid $! has exited" "$dtrace" -x quiet=0 -o file -p $! -n 'BEGIN { system("echo %d", $target); }' -w
# One that nobody waits for has ended all the same.
sh -c 'sleep 0.2 & echo $! >pid; exec sleep 3' &
while [ ! -s pid ]; do :; done
does zombie 0 '' '' timeout 2 "$dtrace" -q -p "$(cat pid)" -n 'BEGIN { }'
kill %% 2>err
does gone 1 '' 'dtrace: failed to grab pid 99999999: no such process' "$dtrace" -p 99999999 -n BEGIN
exit $failed

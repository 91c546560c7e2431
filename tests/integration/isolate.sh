#!/bin/sh
# isolate.sh BUILD - isolated modules do the same as others, and whatever they do to themselves, the recorder goes on in time.
set -u
build=$1
p=$build/perfolio
unruly=$build/tests/modules/unruly.so
work=$(mktemp -d "${TMPDIR:-/tmp}/isolate.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
# Sanitizers would take the signal for themselves.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:allow_user_segv_handler=1

say()
{
	echo "$*"
	bad=1
}

# run ARGS INTERVAL COUNT - unruly beside the CPUs, as JSON lines; standard error apart
run()
{
	timeout 60 "$p" --import "$unruly,$1" -sc -i "$2" -c "$3" --oformat jsonl >"$work/out" 2>"$work/err"
	rc=$?
	[ $rc -eq 0 ] || say "$1: ended with $rc: $(head -n 1 "$work/err")"
	n=$(grep -c '"kernel.all.cpu.user"' "$work/out")
	[ "$n" -eq "$3" ] || say "$1: $n samples of the CPUs, not $3"
}

# heard TEXT - standard error has it
heard()
{
	grep -q -e "$1" "$work/err" || say "no notice says '$1': $(head -n 2 "$work/err")"
}

# values - how many samples have a value of the module
values()
{
	grep -c '"unruly.calls"' "$work/out"
}

# The same bytes, isolated or not: what is declared, what draws for itself, recordings.
for module in "$unruly" "$build/tests/modules/declared.so" "$build/tests/modules/order.so,$work/x" hello; do
	for view in "" --verbose -P "--export lexpr" "--export gexpr,127.0.0.1:9999,d=9"; do
		"$p" --import "$module" -i 0.1 -c 2 $view >"$work/a" 2>&1
		"$p" --import "$module" --import-isolate -i 0.1 -c 2 $view >"$work/b" 2>&1
		# Times and random numbers differ; words and shape do not.
		sed 's/[0-9][0-9.]*/N/g; s/  */ /g' "$work/a" >"$work/a.n"
		sed 's/[0-9][0-9.]*/N/g; s/  */ /g' "$work/b" >"$work/b.n"
		cmp -s "$work/a.n" "$work/b.n" || say "$module $view: isolated, it shows something else: $(diff "$work/a.n" "$work/b.n" | head -n 3)"
	done
done
mkdir "$work/rec"
"$p" --import "$unruly,isolate" -i 0.1 -c 3 -f "$work/rec/" >"$work/err" 2>&1 || say "recording with an isolated module failed: $(head -n 1 "$work/err")"
"$p" -p "$work/rec/*" --import "$unruly,isolate" --oformat jsonl >"$work/out" 2>"$work/err" || say "playback with an isolated module failed: $(head -n 1 "$work/err")"
[ "$(values)" -ge 2 ] || say "playback of an isolated module has no values"

run isolate 0.1 5
[ "$(values)" -eq 5 ] || say "an isolated module has $(values) values, not 5"
run exit@3,isolate 0.1 5
heard 'get_data ended its process with status 3; it is started again in 1 second'
[ "$(values)" -ge 1 ] || say "before it ended there were no values"
run crash@3,isolate 0.2 12
heard 'analyze ended its process: .*signal 11'
[ "$(values)" -ge 2 ] || say "a module that crashed has not come back"
run sleep@3,isolate 0.2 10
heard 'get_data did not come back in 1 s'
[ "$(values)" -eq 1 ] || say "a module that sleeps has $(values) values"
run sleep@3,isolate=0.1 0.2 5
heard 'get_data did not come back in 0.1 s'
run nap@3,isolate 0.2 12
[ "$(values)" -ge 2 ] || say "a module that was late has not come back"
run error@3,isolate 0.1 5
heard 'module unruly: had enough'
run logs,isolate 0.1 3
heard 'more than 100 messages in one interval'
[ "$(wc -l <"$work/err")" -lt 900 ] || say "$(wc -l <"$work/err") messages of a module are let through"
run flood,isolate 1 2
run flood 1 2
heard 'too many records in one interval'
run hog,isolate=20 0.3 8
heard 'MB of memory'
timeout 60 "$p" --import "$unruly,init-hang,isolate" -c1 >"$work/out" 2>"$work/err"
[ $? -ne 0 ] || say "a module whose Init does not come back is no error"

# The child of a module that forks ends; what is recorded stays whole, and every interval is there once.
whole()
{
	mkdir "$work/$1"
	timeout 60 "$p" --import "$2" -sc -i 0.1 -c 6 --flush 0 -f "$work/$1/" >"$work/out" 2>"$work/err" || say "$2: recording ends with $?: $(head -n 1 "$work/err")"
	zcat "$work/$1"/*.gz >"$work/raw" 2>"$work/err" || say "$2: the file is damaged: $(head -n 1 "$work/err")"
	[ "$(grep -c "^>>> " "$work/raw")" -le $(($(grep "^>>> " "$work/raw" | sort -u | wc -l) + 1)) ] || say "$2: intervals are there twice"
	[ "$(grep -c '^>>> ' "$work/raw")" -ge 6 ] || say "$2: $(grep -c '^>>> ' "$work/raw") intervals, not 6"
}
whole fork "$unruly,fork"
whole fork-isolated "$unruly,fork,isolate"
run fork,isolate 0.1 5
[ "$(values)" -eq 5 ] || say "an isolated module that forks has $(values) values, not 5"
if [ -f "$build/modules/perl/perl.so" ]; then
	for how in 'exit 3' 'die "lost"' 'record(2, "child 1\n"); return'; do
		name=$(echo "$how" | tr -cd a-z)
		cat >"$work/child.ph" <<P
sub childInit { my (\$o, \$k) = @_; \$\$o = 's'; \$\$k = 'child'; }
sub childGetData { my \$p = fork(); if (defined \$p && \$p == 0) { $how; } record(2, "child 0\n"); }
sub childAnalyze { }
sub childInitInterval { }
1;
P
		whole "$name" "$work/child.ph"
		whole "$name-isolated" "$work/child.ph,isolate"
	done
fi

# A script that loops for ever.
if [ -f "$build/modules/perl/perl.so" ]; then
	cat >"$work/loop.ph" <<'P'
sub loopInit { my ($o, $k) = @_; $$o = 's'; $$k = 'loop'; }
sub loopGetData { if (++$n == 3) { 1 while 1; } record(2, "loop $n\n"); }
sub loopAnalyze { }
sub loopInitInterval { }
sub loopPrintBrief { my ($t, $l) = @_; $$l .= sprintf('%4d', $n) if $t == 3; }
sub loopPrintVerbose { }
sub loopPrintPlot { }
sub loopPrintExport { }
sub loopIntervalEnd { }
1;
P
	timeout 60 "$p" --import "$work/loop.ph,isolate" -sc -i 0.2 -c 8 --oformat jsonl >"$work/out" 2>"$work/err" || say "a script that loops stops the recorder"
	heard 'module loop: get_data did not come back'
	[ "$(grep -c '"kernel.all.cpu.user"' "$work/out")" -eq 8 ] || say "a script that loops costs samples"
fi

# INT ends it at once although the module does not come back; without isolation the second one does.
"$p" --import "$unruly,sleep@3,isolate=20" -sc -i 0.1 >"$work/out" 2>"$work/err" &
pid=$!
sleep 1
kill -INT $pid
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	kill -0 $pid 2>/dev/null || break
	sleep 0.1
done
kill -0 $pid 2>/dev/null && say "TERM does not end the recorder while an isolated module sleeps"
kill -KILL $pid 2>/dev/null
"$p" --import "$unruly,spin@3" -sc -i 0.1 >"$work/out" 2>"$work/err" &
pid=$!
sleep 1
kill -TERM $pid
sleep 1.5
kill -TERM $pid
for i in 1 2 3 4 5 6 7 8 9 10; do
	kill -0 $pid 2>/dev/null || break
	sleep 0.1
done
kill -0 $pid 2>/dev/null && say "TERM twice does not end a recorder that is stuck in a module"
kill -KILL $pid 2>/dev/null
exit $bad

#!/bin/bash
# perl.sh BUILD - import modules in Perl: those of Debian's collectl and our own, played back and live, beside the real collectl.
set -u
. "$(dirname "$(readlink -f "$0")")/../tools/perl-setup"
golden=$here/../golden/collectl
install -d "$dir/own"
install -m 644 "$here"/../modules/perl/*.ph "$dir/own"
cd "$dir/own" || exit 1
raw=$golden/raw/imp-vm-20261130-035702.raw.gz

# Files of Debian's package by their path, since the bare name finds our own hello.
ph()
{
	sed -E 's#(^|:)(hello|misc)#\1/usr/share/collectl/\2.ph#g' <<<"$1"
}

# play WHO MODULES SWITCHES... - what it prints; the clock in front of values of gexpr is not compared.
play()
{
	local who=$1 modules=$2
	shift 2
	timeout 60 "$who" -p "$raw" "$@" --import "$modules" </dev/null 2>/dev/null | sed -E 's/^[0-9:]{8}\.[0-9]{3} (Name)/\1/'
}

while IFS='|' read -r modules switches; do
	# shellcheck disable=SC2086 # switches are words
	play /usr/bin/collectl "$modules" $switches >"$dir/real"
	# shellcheck disable=SC2086
	play "$collectl" "$(ph "$modules")" $switches >"$dir/ours"
	cmp -s "$dir/real" "$dir/ours" || {
		fail "playback with --import $modules $switches differs from collectl's:"
		diff "$dir/real" "$dir/ours" | head -n 6
	}
	[ -s "$dir/real" ] || fail "collectl printed nothing with --import $modules $switches"
done <<'CASES'
hello:misc,i=2|
hello,sd:misc,i=2,a|--verbose
misc,i=2:hello,sd|-sc --verbose -oT
hello,sd|-P
misc,i=2|-s-all -P -o1
hello:misc,i=2|-s-all -on
hello:misc,i=2|--export lexpr
hello,sd:misc,i=2,a|-s-all --export lexpr,i=2,avg
misc,i=2:hello,sd|-s-all --export lexpr,i=4,tot
misc,i=2:hello,sd|--export gexpr,1.2.3.4:5,d=9
hello:misc,i=2|-s-all --stats --statopts ai
hello,d|-d4 -s-all
hello:misc,i=2|-P --sep 9
hello,sd|-s-all --hr 3
hello,sd:misc,i=2|--from 03:57:06 --thru 03:57:09 -s-all
./deep.ph:hello|-s-all
CASES

# Live, what does not depend on the clock. Statuses of a script's death are Perl's own business there.
while IFS='|' read -r switches; do
	# shellcheck disable=SC2086
	timeout 60 /usr/bin/collectl $switches </dev/null >"$dir/real" 2>/dev/null
	real=$?
	# shellcheck disable=SC2086
	timeout 60 "$collectl" $switches </dev/null >"$dir/ours" 2>"$dir/err"
	ours=$?
	cmp -s "$dir/real" "$dir/ours" || {
		fail "$switches differs from collectl's:"
		diff "$dir/real" "$dir/ours" | head -n 6
	}
	[ $real = $ours ] || fail "$switches: status $ours, collectl's is $real"
done <<'CASES'
--import ./probe.ph,leave -c1
--import ./probe.ph,error
--import ./nosuch
--import ./deep.ph -c2 -i.3
--import ./deep.ph:./deep2.ph
CASES

# What must hold by our own name: a module that fails is left out and the recorder goes on.
out=$("$build/perfolio" -sc --import ./dying.ph -c4 -i.1 2>"$dir/err")
[ $? = 0 ] || fail "a module that died ended the program"
[ "$(grep -c '[0-9]' <<<"$out")" = 4 ] || fail "a module that died took intervals with it: $out"
grep -q "dying: had enough" "$dir/err" || fail "a module's last words are not told: $(cat "$dir/err")"
"$collectl" -sc --import ./dying.ph -c4 -i.1 >/dev/null 2>"$dir/err"
[ $? = 255 ] || fail "collectl by name goes on when a module died"
grep -q "^had enough" "$dir/err" || fail "collectl by name does not print a module's last words: $(cat "$dir/err")"
"$build/perfolio" -sc --import ./bare.ph -c1 -i.1 >/dev/null 2>"$dir/err" || fail "a module without Print functions: $(cat "$dir/err")"
"$build/perfolio" --import ./probe.ph,leave >"$dir/out" 2>"$dir/err"
[ $? = 7 ] || fail "exit(7) of a module is not the status of the program"
grep -q "^init opts=leave" "$dir/out" || fail "what a module printed before it left is lost"
"$build/perfolio" --import ./probe.ph -c1 -i.1 >"$dir/out" 2>"$dir/err" || fail "probe: $(cat "$dir/err")"
grep -Eq '^ +1000  2   3 $' "$dir/out" || fail "getProc, getExec, cvt or keys as expressions do not work: $(cat "$dir/out")"
"$build/perfolio" --import ./probe.ph,verbose -c1 -i.1 >"$dir/out" 2>&1
grep -q "^# PROBE (/sec)" "$dir/out" || fail "a module cannot ask for verbose: $(cat "$dir/out")"

# Recorded and played back.
"$build/perfolio" -sc --import ./probe.ph -c2 -i.1 -f "$dir/rec" >/dev/null 2>&1 || fail "recording with a Perl module failed"
zcat "$dir"/rec-*.raw.gz | grep -q "^other-count: 3" || fail "records of getExec are not in the raw file"
zcat "$dir"/rec-*.raw.gz | grep -q "^# Probe: yes" || fail "UpdateHeader is not in the raw file's header"
"$build/perfolio" -p "$dir/rec-*" -s-all --import ./probe.ph 2>&1 | grep -Eq '^ +1000  2   3 $' || fail "a recorded module is not played back"

# Files that must not run, and files that cannot.
chmod 666 bare.ph
"$build/perfolio" --import ./bare.ph -c1 2>"$dir/err" && fail "a module that everybody may write was run"
grep -q "others may write" "$dir/err" || fail "a module that everybody may write: $(cat "$dir/err")"
echo 'sub brokenInit { return 1' >broken.ph
chmod 644 broken.ph
"$build/perfolio" --import ./broken.ph -c1 >/dev/null 2>"$dir/err"
[ $? = 1 ] || [ $? = 2 ] || fail "a module that does not compile was taken"
grep -q "broken.ph" "$dir/err" || fail "a module that does not compile: $(cat "$dir/err")"

# Packages are loaded when a file has a word of theirs, or brings in text that was not seen; in any order, without a warning.
wants()
{
	printf 'use strict;\nsub %sInit { my ($o, $k) = @_; $$o = "s"; $$k = "%s"; %s\n}\nsub %sGetData {}\n# floor($x), IO::Socket\n' "$1" "$1" "$2" "$1"
	printf 'print join(" ", grep { $INC{s{::}{/}gr . ".pm"} } "POSI" . "X", map { $$_[0] . "::" . $$_[1] } ["Time", "HiR" . "es"], ["I" . "O", "Sock" . "et"]), "\\n";\n1;\n'
}
wants none '' >none.ph
wants posix 'floor(2.5) == 2 or die; WNOHANG == 1 or die;' >posix.ph
wants hires 'Time::HiRes::usleep(1);' >hires.ph
wants io 'inet_aton("127.0.0.1") and AF_INET == 2 or die;' >io.ph
wants any 'require "./other.pl"; other() == 3 or die;' >any.ph
wants own 'ceil() == 9 or die; } sub ceil { return 9;' >own.ph
printf 'sub other { return ceil(2.5); }\n1;\n' >other.pl
while IFS='|' read -r modules expected; do
	out=$(timeout 20 "$build/perfolio" --import "$modules" -c1 -i.1 2>&1 >"$dir/out" | grep -v "ceil redefined")
	[ -z "$out" ] || fail "$modules: $out"
	out=$(head -n "$(grep -o '\.ph' <<<"$modules" | wc -l)" "$dir/out" | paste -sd,)
	[ "$out" = "$expected" ] || fail "$modules: loaded are '$out', expected '$expected'"
done <<'CASES'
./none.ph|
./posix.ph|POSIX
./hires.ph|Time::HiRes
./io.ph|IO::Socket
./any.ph|POSIX Time::HiRes IO::Socket
./io.ph:./posix.ph|IO::Socket,POSIX IO::Socket
./posix.ph:./io.ph:./none.ph|POSIX,POSIX IO::Socket,POSIX IO::Socket
./own.ph:./posix.ph|POSIX,POSIX
CASES
grep -h "LeakSanitizer\|AddressSanitizer\|runtime error" "$dir/err" && fail "a sanitizer complains"
exit $failed

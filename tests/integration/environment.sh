#!/bin/bash
# Fans, power and temperatures: a made-up ipmitool live, recordings played by both programs, an ipmitool that hangs or is not there.
set -u
build=$1
perfolio=$build/perfolio
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

cat >"$tmp/sdr" <<'X'
FAN 1,3500,RPM,ok
System Fan 2,3600,RPM,ok
Fan 5A,1000,RPM,ok
Fan Block 1,35.28,unspecified,nc
Fan1 Tach,1300,RPM,ok
Fan 3,,,ns
Fan 4,na,RPM,na
Virtual Fan,0x01,percent,ok
CPU1 Temp,31,degrees C,ok
CPU 2 Temp,32,degrees C,ok
P1-DIMM1A Temp,34,degrees C,ok
Temp 30 (Sys),35,degrees C,ok
Temp Front Panel,22.5,degrees C,ok
Power Meter,210,Watts,ok
Planar 3.3V,3.3,Volts,ok
X
mkdir "$tmp/bin" "$tmp/slow"
printf '#!/bin/sh\necho "$*" >>"%s/args"\ncat "%s/sdr"\n' "$tmp" "$tmp" >"$tmp/bin/ipmitool"
printf '#!/bin/sh\nsleep 60\n' >"$tmp/slow/ipmitool"
chmod +x "$tmp/bin/ipmitool" "$tmp/slow/ipmitool"

PATH=$tmp/bin:$PATH "$perfolio" -sE -i.1::.2 -c6 --envopts 3 >"$tmp/out" 2>"$tmp/err" || fail "live: status $? $(cat "$tmp/err")"
grep -q '^#    FAN1   SFan2   Fan5A    BFan    Fan1    Fan3    Fan4    VFan   Power  CTemp1   CTemp  PTemp1 STemp30   FTemp$' "$tmp/out" || fail "names are not as they should be: $(head -3 "$tmp/out")"
grep -q '^     3500    3600    1000   35.28    1300      -1      na    0x01     210      31      32      34      35    22.5$' "$tmp/out" || fail "readings are not as they should be"
[ "$(sort -u "$tmp/args")" = "-c sdr -d 3" ] || fail "ipmitool was asked '$(cat "$tmp/args")'"
PATH=$tmp/bin:$PATH "$perfolio" -scE -i.1::.3 -c9 -f "$tmp/r" >/dev/null 2>"$tmp/err" || fail "recording: status $? $(cat "$tmp/err")"
raw=$(echo "$tmp"/r*.raw.gz)
zcat "$raw" | grep -q '^ipmi: FAN 1,3500,RPM,ok$' || fail "there is no record of a fan"
PATH=$tmp/bin:$PATH "$perfolio" -sE -i.1::.1 -c3 --envfilt Temp -f "$tmp/f" >/dev/null 2>&1
zcat "$tmp"/f*.raw.gz | grep -q '^ipmi: FAN' && fail "--envfilt does not filter what is recorded"
"$perfolio" -p "$raw" -sE --oformat json | grep -q '"instance":"CTemp1","value":31' || fail "JSON lacks a temperature"
grep -v ",n[sa]$\|0x" "$tmp/sdr" >"$tmp/numbers"
if command -v collectl >/dev/null; then
	for switches in "" "--envopts f" "--envopts pt" "--envopts F" "--envopts T" "--envremap /Temp/X/" "-P"; do
		from=$tmp/sdr
		[ "$switches" = -P ] && from=$tmp/numbers
		# shellcheck disable=SC2086
		collectl -sE --envtest "$from" -c1 $switches 2>/dev/null | sed 's/^2[0-9]* [0-9:]*//' >"$tmp/peer"
		# shellcheck disable=SC2086
		"$build/compat/collectl" -sE --envtest "$from" -c1 $switches 2>/dev/null | sed 's/^2[0-9]* [0-9:]*//' >"$tmp/ours"
		grep -v '^waiting' "$tmp/peer" >"$tmp/peer.lines"
		grep -v '^waiting' "$tmp/ours" >"$tmp/ours.lines"
		cmp -s "$tmp/peer.lines" "$tmp/ours.lines" || { fail "collectl and we differ over --envtest $switches:"; diff "$tmp/peer.lines" "$tmp/ours.lines" | head -5; }
	done
fi
start=$(date +%s)
PATH=$tmp/slow:$PATH "$perfolio" -scE -i.1::.1 -c5 >"$tmp/out" 2>"$tmp/err" || fail "an ipmitool that hangs: status $?"
[ $(($(date +%s) - start)) -lt 20 ] || fail "an ipmitool that hangs holds up the others"
if ! command -v ipmitool >/dev/null; then
	"$perfolio" -sE -c1 >"$tmp/out" 2>"$tmp/err" || fail "without ipmitool: status $?"
	[ "$(wc -l <"$tmp/err")" = 1 ] || fail "without ipmitool: not one line"
	"$build/compat/collectl" -sE -c1 >"$tmp/out" 2>&1 && fail "collectl -sE without ipmitool does not fail"
fi
"$perfolio" -sE --envtest "$tmp/sdr" --envopts Q >/dev/null 2>"$tmp/err" && fail "--envopts Q is taken"
grep -q 'envopts are only fptCFMT' "$tmp/err" || fail "--envopts Q is refused without saying why"
exit $failed

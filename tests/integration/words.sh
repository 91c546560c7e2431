#!/bin/sh
# words.sh BUILD - what is mistyped, or asked of a recording that does not have it, is answered with what to do.
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/words.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
cd "$work" || exit 1

say()
{
	echo "$*"
	bad=1
}

# answers STATUS TEXT ARGUMENT... - perfolio ends so and says so, nothing else goes wrong.
answers()
{
	status=$1 text=$2
	shift 2
	timeout 60 "$build/perfolio" "$@" </dev/null >out 2>err
	rc=$?
	[ $rc -eq "$status" ] || say "perfolio $*: status $rc, not $status: $(head -n 1 err)"
	grep -qF -e "$text" err || say "perfolio $*: does not say '$text': $(head -n 2 err)"
}

answers 2 'was record meant?' recrod
answers 2 'was replay meant?' reply run.folio
answers 2 'see perfolio --help' frobnicate
answers 2 'was --oformat meant?' --ofromat json
answers 2 'was --verbose meant?' --vebrose
answers 2 'see perfolio watch --help' --frobnicate
answers 2 '--showsubsys lists them' -s xyz
answers 2 '-i needs a value behind it' -i
answers 2 'as 5, 0.5 or 5:60' -i 0,5
answers 2 'perfolio replay FILE' --from 3:00
answers 2 '--export graphite: ' --export graphite
answers 2 'was record meant?' help recrod
"$build/perfolio" help record >out 2>err || say "help record: status $?"
grep -q '^usage: perfolio record ' out || say "help record prints something else"
if "$build/perfolio" --help | grep -q '^  trace '; then
	answers 2 '-n needs a value behind it' trace -n
	answers 1 'or -s FILE' trace x
fi

# Recordings.
"$build/perfolio" -scm -f rec -c 2 -i .1 2>err || say "recording: $(head -n 1 err)"
raw=$(ls rec*.raw.gz)
"$build/perfolio" record run.folio -scm -c 2 -i .1 2>err || say "recording into a folio: $(head -n 1 err)"
mkdir folder
answers 2 "was replay meant?" reply "$raw"
answers 2 'a recording is shown by `perfolio replay FILE`' "$raw"
answers 4 'there is no recording in this folder' replay folder
for recording in "$raw" run.folio; do
	answers 4 "$recording: it has no interrupts (-s j), only -s cm" replay "$recording" -sj
	[ ! -s out ] || say "replay $recording -sj shows something: $(head -n 1 out)"
	answers 0 "$recording: it has no inodes (-s i), only -s cm" replay "$recording" -sci
	head -n 1 out | grep -q '^#<-*CPU-*>$' || say "replay $recording -sci has another heading: $(head -n 1 out)"
	"$build/perfolio" replay "$recording" -sCm >out 2>err || say "replay $recording -sCm: status $?"
	[ ! -s err ] || say "replay $recording -sCm, which is all there, says: $(head -n 1 err)"
	answers 4 'nothing in that time; what follows begins at 2' replay "$recording" --thru 20000101:00:00
done
answers 4 'nothing in that time; it ends at 2' replay "$raw" --from 20990101:00:00
exit $bad

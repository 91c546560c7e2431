#!/bin/bash
# nofile.sh BUILD - what is no regular file is written to or refused, never replaced, renamed or removed: pipes, links to them, and devices where
# they can be made.
set -u
build=$1
perfolio=$build/perfolio
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/nofile.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
raw=$(find "$top/tests/golden/collectl/raw" -name 'cdnm-vm-*.raw.gz' | head -n 1)
bad=0

fail()
{
	echo "$*"
	bad=1
}

# still WHAT - all three stand where they were.
still()
{
	[ -p pipe ] || fail "$1: the pipe is gone"
	[ "$(readlink link)" = pipe ] || fail "$1: the link is gone"
	[ -z "$device" ] || [ -c "$device" ] || fail "$1: the device is gone"
	[ -z "$(find . -name '*.new' -o -name '*.sealing' -o -name '*.orig-*' -o -name '*.part')" ] || fail "$1: something is left: $(ls)"
}

mkfifo pipe
ln -s pipe link
device=
mknod null c 1 3 2>mknod.err && device=null
for kind in pipe link ${device:+null}; do
	cat pipe >got & # until the last one who writes has closed it
	reader=$!
	exec 3>pipe
	for export in lexpr sexpr openmetrics; do
		"$perfolio" -sc -c 2 -i .05 --export "$export,f=$kind" >out 2>err </dev/null || fail "$export into $kind: $(cat err)"
		still "$export into $kind"
	done
	for out in $kind $kind.json; do
		[ $out = $kind ] || ln -s $kind $out
		for format in json openmetrics; do
			"$perfolio" convert --oformat $format "$raw" $out 2>err
			[ $? = 1 ] || fail "convert into $out: $(cat err)"
			still "convert into $out"
		done
	done
	rm $kind.json
	"$perfolio" verify --seal $kind >out 2>&1
	still "sealing $kind"
	"$perfolio" record $kind -c 1 -i .05 >out 2>&1 && fail "recorded into $kind"
	still "recording into $kind"
	"$perfolio" replay "$raw" -scd --oformat json --output $kind >out 2>err || fail "a document into $kind: $(cat err)"
	still "a document into $kind"
	exec 3>&-
	wait $reader
	[ $kind = null ] || for word in cputotals '(cputotals' '^# EOF' '"perfolio"'; do
		grep -q -e "$word" got || fail "no $word came through $kind"
	done
done

# A link to a regular file: that file has the values, and the link stays.
echo old >values
ln -s values to-values
"$perfolio" -sc -c 2 -i .05 --export lexpr,f=to-values >out 2>err </dev/null || fail "lexpr into a link: $(cat err)"
[ "$(readlink to-values)" = values ] || fail "the link to a file was replaced"
grep -q cputotals values || fail "the file behind a link has $(head -n 1 values)"

# What is called like a draft of ours, like a part of one, or like an old recording.
mkfifo draft.new
"$perfolio" -sc -c 2 -i .05 --export lexpr,f=draft >out 2>err </dev/null && fail "a pipe called draft.new is written to"
[ -p draft.new ] || fail "draft.new is gone"
mkdir run
mkfifo run/perfolio.pid
PERFOLIO_RUNDIR=$work/run "$perfolio" -D -f "$work" -sc >out 2>&1 </dev/null && fail "a pipe is the pid file"
[ -p run/perfolio.pid ] || fail "the pid file that is none was removed"
exit $bad

#!/bin/bash
# backtoback.sh BUILD - -i0: samples without a pause, B a number of samples; lines, headers and playback as the real collectl has them.
set -u
build=$1
command -v collectl >/dev/null || { echo "the real collectl is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/backtoback.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
bad=0

# shape PROGRAM ARGUMENT... - R for each record, P for each list of processes, the headings, and how many lines of numbers.
shape()
{
	"$@" 2>&1 </dev/null |
		awk '/^waiting|^Error/ { print } /RECORD/ { r = r "R" } /# PROCESS SUM/ { r = r "P" } /^#/ { h[$0] = 1 }
			/^ *[0-9]/ { if (!/:/) n++ } END { print r; m = 0; for (i in h) m++; print m }'
}

for arguments in '-c2' '-sc -c3 --align' '-scdnm -P -c3' '-i0 -sy -c8' '-sZ -c14' '-scZ -c8' '-i0:3 -sZ -c7' '-i0:3 -scZ -c7' '-i0:1 -scZ -c3' \
	'-i0:0 -scZ -c3' '-i0:2.5 -scZ -c6' '-i0:3 -sc -c2' '-i0:2:4 -scZ -c5' '-i:.1 -sZ -c1' '-i2:1 -sZ -c1'; do
	case $arguments in *-i*) set -- ;; *) set -- -i0 ;; esac
	# shellcheck disable=SC2086 # words on purpose
	theirs=$(shape collectl "$@" $arguments)
	# shellcheck disable=SC2086
	ours=$(shape "$build/compat/collectl" "$@" $arguments)
	[ "$theirs" = "$ours" ] || { echo "collectl -i0 or $arguments is of another shape: '$ours', the real one '$theirs'"; bad=1; }
done

# recorded PROGRAM ARGUMENT... - the interval in the header, M for each marker, P behind those with processes.
recorded()
{
	rm -rf "$work/raw"
	mkdir "$work/raw"
	"$@" -f "$work/raw/x" 2>&1 </dev/null
	[ -z "$(ls "$work/raw")" ] || zcat "$work"/raw/*.gz | awk '/^# SubSys/ { sub(/ NumCPUs.*/, ""); print } /^>>>/ { r = r "M" } /^proc:1 stat/ { r = r "P" } END { print r }'
}

for arguments in '-i0 -sc -c4' '-i0 -scZ -c13' '-i0:2 -scZ -c5' '-i0:2.5 -scZ -c6' '-i0:0 -scZ -c3' '-i0:2:5 -scZ -c5' '-i.1:.2 -scZ -c1' '-i.1:0.20 -scZ -c1' '-i:.1 -sZ -c1'; do
	# shellcheck disable=SC2086
	theirs=$(recorded collectl $arguments)
	# shellcheck disable=SC2086
	ours=$(recorded "$build/compat/collectl" $arguments)
	[ "$theirs" = "$ours" ] || { echo "collectl $arguments records '$ours', the real one '$theirs'"; bad=1; }
done

# Recorded by the real one, which is slow enough that its times differ: it cannot divide by nothing.
mkdir "$work/play"
collectl -i0:2 -scdmYZ -c6 -f "$work/play/x" </dev/null
# A process that was read while another program began in it has no command line in that sample: the real one shows the last one, ours the short name.
between=$(zcat "$work"/play/x*.gz | awk '/^proc:[0-9]+ (stat|cmd) / { n[$2, $1]++; pids[$1] }
	END { for (p in pids) if (n["cmd", p] > 0 && n["cmd", p] < n["stat", p]) printf "|%s", substr(p, 6) }')
# More objects than six digits tell.
raw=$(ls "$work"/play/*.gz)
zcat "$raw" | sed -E 's/^(Slab dentry) +[0-9]+ +[0-9]+/\1 1682333 1687000/' | gzip >"$work/more" && mv "$work/more" "$raw"
for arguments in '-sc' '-scdm -P' '-scdm --verbose' '-sc -oTm' '-sY' '-sZ --procopts i'; do
	# shellcheck disable=SC2086
	collectl -p "$work"/play/*.gz $arguments >"$work/theirs" 2>&1
	# shellcheck disable=SC2086
	"$build/compat/collectl" -p "$work"/play/*.gz $arguments >"$work/ours" 2>&1
	# A process that has just ended is known to differ.
	cmp -s <(grep -vE " Z |^ *(none$between) " "$work/theirs") <(grep -vE " Z |^ *(none$between) " "$work/ours") ||
		{ echo "a recording of -i0 played with $arguments differs: $(diff "$work/theirs" "$work/ours" | sed -n 2,4p)"; bad=1; }
done

"$build/compat/collectl" -i0 -scm -c50 -f "$work/play/fast" && "$build/compat/collectl" -p "$work"/play/fast* -sc >"$work/out" 2>&1
[ "$(grep -c '^ *[0-9]' "$work/out")" -eq 50 ] || { echo "fifty samples within milliseconds are not fifty lines"; bad=1; }

"$build/perfolio" -i0:0.5 -sZ -c1 >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q 'number of samples' "$work/out" || { echo "-i0:0.5 is not refused: $(head -n 1 "$work/out")"; bad=1; }
exit $bad

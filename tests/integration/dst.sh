#!/bin/sh
# dst.sh BUILD - recordings across both changes of the clock: the hour that comes twice and the one that does not exist, by time, by --from and
# --thru, in plots and documents, wherever they are looked at; beside collectl.
set -u
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
perfolio=$build/perfolio
work=$(mktemp -d "${TMPDIR:-/tmp}/dst.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail()
{
	echo "$*"
	bad=1
}

raw=$(find "$source/tests/golden/collectl/raw" -name 'cdnm-vm-*.raw.gz' | head -n 1)

# recording NAME SECONDS ZONE OFFSET - what a host in Berlin records in two and a half hours from SECONDS, a sample each ten minutes.
recording()
{
	gzip -dc "$raw" | sed -n '/^>>>/q;p' | sed "s/Interval: *[0-9.]*/Interval: 600/; s/SubSys: *[a-zA-Z]*/SubSys: c/
		s,^# Date:.*,# Date:       $(TZ=Europe/Berlin date -d "@$2" '+%Y%m%d-%H%M%S')  Secs: $2 TZ: $3," >"$1.raw"
	for i in $(seq 0 15); do
		echo ">>> $(($2 + i * 600)).000 <<<"
		echo "cpu  $((10000 + i * 6000)) 0 0 $((20000 + i * 54000)) 0 0 0 0 0 0"
		echo "cpu0 $((10000 + i * 6000)) 0 0 $((20000 + i * 54000)) 0 0 0 0 0 0"
	done >>"$1.raw"
	gzip -f "$1.raw"
}

# 27 October 2024: at 01:00 UTC the clock goes from 03:00 back to 02:00. 31 March 2024: at 01:00 UTC from 02:00 to 03:00.
autumn=$(date -u -d '2024-10-27 00:00' +%s)
spring=$(date -u -d '2024-03-31 00:00' +%s)
recording vm-20241027-020000 "$autumn" +0200
recording vm-20240331-010000 "$spring" +0100

# shown FILE ARGUMENT... - the first column that is shown.
shown()
{
	"$perfolio" replay "$@" 2>err | grep -v '^#' | awk '{ print $1 }' | xargs
}

# The clock of the recorder runs on as it stood when the file was begun, so every moment has a time of its own.
for zone in Europe/Berlin UTC America/New_York; do
	export TZ=$zone
	[ "$(shown vm-20241027-020000.raw.gz -sc -oT)" = "02:10:00 02:20:00 02:30:00 02:40:00 02:50:00 03:00:00 03:10:00 03:20:00 03:30:00 03:40:00 03:50:00 04:00:00 04:10:00 04:20:00" ] ||
		fail "$zone: the hour that comes twice is shown as $(shown vm-20241027-020000.raw.gz -sc -oT)"
	[ "$(shown vm-20240331-010000.raw.gz -sc -oT)" = "01:10:00 01:20:00 01:30:00 01:40:00 01:50:00 02:00:00 02:10:00 02:20:00 02:30:00 02:40:00 02:50:00 03:00:00 03:10:00 03:20:00" ] ||
		fail "$zone: the hour that does not exist is shown as $(shown vm-20240331-010000.raw.gz -sc -oT)"
	[ "$(shown vm-20241027-020000.raw.gz -sc -oT --from 02:50 --thru 03:10)" = "02:50:00 03:00:00 03:10:00" ] ||
		fail "$zone: --from 02:50 --thru 03:10 shows $(shown vm-20241027-020000.raw.gz -sc -oT --from 02:50 --thru 03:10)"
	[ "$(shown vm-20240331-010000.raw.gz -sc -oT --from 01:50 --thru 02:10)" = "01:50:00 02:00:00 02:10:00" ] ||
		fail "$zone: --from 01:50 --thru 02:10 shows $(shown vm-20240331-010000.raw.gz -sc -oT --from 01:50 --thru 02:10)"
	for name in vm-20241027-020000 vm-20240331-010000; do
		"$perfolio" replay $name.raw.gz -sc --oformat jsonl 2>/dev/null | grep '"interval":6000' | grep -vq '"interval":600000000000,' && fail "$zone: $name: an interval is not 600 seconds"
		[ "$("$perfolio" replay $name.raw.gz -sc --utc -P 2>/dev/null | grep -v '^#' | awk 'NR > 1 && $1 - last != 600 { print } { last = $1 }')" = "" ] || fail "$zone: $name: --utc jumps"
	done
done

# Beside collectl, in zones where the clock is not changed then: elsewhere it follows the viewer's clock (docs/compat.md).
if command -v collectl >/dev/null; then
	for zone in UTC America/New_York; do
		export TZ=$zone
		for name in vm-20241027-020000 vm-20240331-010000; do
			while read -r arguments; do
				collectl -p $name.raw.gz $arguments >theirs 2>&1
				"$build/compat/collectl" -p $name.raw.gz $arguments >ours 2>&1
				cmp -s theirs ours || fail "$zone, collectl -p $name $arguments: $(diff theirs ours | head -n 4)"
			done <<-'END'
				-sc -oT
				-sc -oD
				-sc -od
				-sc -oTm
				-sc -P
				-sc -P --utc
				-sc --verbose
				-sC --verbose -oT
				-sc -oT --from 02:30 --thru 03:30
				-sc -oD --from 02:00 --thru 02:30
				-sc -oT --from 03:00
				-sc -oT --thru 02:40
			END
		done
	done
fi
exit $bad

#!/bin/sh
# hostile.sh BUILD - names and arguments with controls, names that change, processes that end while they are read, numbers used again,
# zombies, what nobody may read: one row for each in every view, nothing that a terminal obeys, strict documents. In a /proc of its own.
set -u
if [ -z "${ALONE-}" ]; then
	own="unshare --mount --pid --fork --kill-child --mount-proc"
	$own true 2>/dev/null || { echo "no /proc of its own can be had here (it takes root)"; exit 77; }
	ALONE=1 exec $own sh "$0" "$@"
fi
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/hostile.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
TZ=UTC LC_ALL=C python3 "$(dirname "$0")/hostile.py" "$build/perfolio" "$build/compat/collectl" "$work"

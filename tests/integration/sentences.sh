#!/bin/sh
# sentences.sh BUILD - whatever a value holds, what is wrong with it is told in one line that ends with the reason: every switch of every
# command, names of files, what stands in settings files, names in folios, D programs.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/sentences.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
TZ=UTC LC_ALL=C python3 "$(dirname "$0")/sentences.py" "$1" "$work" "$(dirname "$0")/../../src/cmd/options.c"

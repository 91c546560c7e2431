#!/bin/sh
# pmcd.sh BUILD - a pmcd as a source: the real one, and one that refuses, lies, stalls and comes back as another; pmcd.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/pmcd.py" "$1"

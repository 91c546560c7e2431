#!/bin/sh
# hostilepmcd.sh BUILD - recordings of a pmcd that lies, floods, stalls and breaks off: the connection is made again, what is recorded is true and whole,
# memory stays bounded; hostilepmcd.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/hostilepmcd.py" "$1"

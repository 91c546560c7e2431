#!/bin/sh
# kills.sh BUILD - a recorder that is killed at any moment loses at most the interval in flight: raw files, --tworaw, archives, plot files, documents;
# read back by ours and, where it copes, by collectl.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/kills.py" "$1"

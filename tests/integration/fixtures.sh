#!/bin/sh
# fixtures.sh BUILD - large and odd hosts as folders, in every view: see fixtures.py.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/fixtures.py" "$1"

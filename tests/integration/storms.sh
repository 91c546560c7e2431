#!/bin/sh
# storms.sh BUILD - signals in any number at any moment, and terminals that are left: see storms.py.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/storms.py" "$1"

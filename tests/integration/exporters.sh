#!/bin/sh
# exporters.sh BUILD - exporters against receivers on this host; exporters.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/exporters.py" "$1"

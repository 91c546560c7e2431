#!/bin/sh
# feeds.sh BUILD - import modules openmetrics and exec: exporters and programs, good and hostile; feeds.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/feeds.py" "$1"

#!/bin/sh
# wild.sh BUILD - isolated modules that do harm in each callback: everything else goes on, and what happened is told; wild.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/wild.py" "$1"

#!/bin/sh
# sockets.sh BUILD - -A beside collectl's, and what ours does better; sockets.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/sockets.py" "$1"

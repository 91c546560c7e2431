#!/bin/sh
# logconfig.sh BUILD - pmlogger's configuration and switches: by us and by the real pmlogger side by side; logconfig.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/logconfig.py" "$1"

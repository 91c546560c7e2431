#!/bin/sh
# openmetrics.sh BUILD - --export openmetrics: printed, as a file, served; openmetrics.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
# The second opinion comes from Debian's python3-prometheus-client, which only its own python finds.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
exec $python "$(dirname "$0")/openmetrics.py" "$1"

#!/bin/sh
# logkills.sh BUILD - loggers and launchers that are killed: what was recorded is whole up to the last complete record, for PCP's tools, too; loggers
# end as they should; logkills.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/logkills.py" "$1"

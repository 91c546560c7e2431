#!/bin/sh
# lustre.sh BUILD - import module lustre: clients, object and metadata servers from trees of files, while they change; lustre.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 "$(dirname "$0")/lustre.py" "$1"

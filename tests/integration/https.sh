#!/bin/sh
# https.sh BUILD - exporters by https, and what servers can answer; https.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
command -v openssl >/dev/null || { echo "openssl is not installed"; exit 77; }
[ -f "$1/modules/feed/curl.so" ] || { echo "perfolio was built without libcurl"; exit 77; }
exec python3 "$(dirname "$0")/https.py" "$1"

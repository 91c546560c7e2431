#!/bin/sh
# nodeexporter.sh BUILD - a live node_exporter, imported each second: shown, recorded, read by PCP's own tools; nodeexporter.py has the cases.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
command -v prometheus-node-exporter >/dev/null || { echo "prometheus-node-exporter is not installed"; exit 77; }
[ -f "$1/modules/feed/curl.so" ] || { echo "perfolio was built without libcurl"; exit 77; }
exec python3 "$(dirname "$0")/nodeexporter.py" "$1"

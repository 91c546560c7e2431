#!/bin/sh
# peer_jobs.sh BUILD - combinations of switches, played back by the name collectl, print what collectl 4.3.1 printed
exec python3 "$(dirname "$0")/../tools/peer-jobs" "$1"

#!/bin/sh
# netns.sh BUILD - hosts that are network namespaces of this test's own: a link that goes down and comes back, a host that never answers; netns.py has
# the cases. All of it is in a namespace that ends with the test.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
command -v ip >/dev/null || { echo "ip (iproute2) is not installed"; exit 77; }
unshare -nm true 2>/dev/null || { echo "network namespaces cannot be made here (needs root)"; exit 77; }
unshare -n ip link add pf0 type veth peer name pf1 2>/dev/null || { echo "the kernel has no veth"; exit 77; }
exec unshare -nm python3 "$(dirname "$0")/netns.py" "$1"

#!/bin/sh
# apart.sh BUILD - archives whose metrics come at different times, or not at all: see apart.py.
exec python3 "$(dirname "$0")/apart.py" "$1"

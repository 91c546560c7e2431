#!/usr/bin/env python3
"""apart.py BUILD - archives of pmlogger: text views show "-" for what was not recorded."""
import os
import subprocess
import sys

build = sys.argv[1]
golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "pcp")
bad = 0


def fail(text):
    global bad
    print(text)
    bad = 1


def replay(name, *arguments):
    done = subprocess.run([build + "/perfolio", "replay", os.path.join(golden, name), *arguments], capture_output=True, text=True,
                          env=dict(os.environ, TZ="UTC"))
    if done.returncode != 0:
        fail(f"replay {name} {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def columns(text):
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


# mem.util.used and mem.util.free were recorded, mem.physmem and the others were not.
for row in columns(replay("a-v2-basic", "-sm", "--verbose", "-c", "1")):
    if row[:4] != ["-", "892768K", "23233M", "-"] or set(row[3:]) != {"-"}:
        fail(f"-sm --verbose: {row}")
plot = replay("a-v2-basic", "-sm", "-P", "-c", "1").splitlines()
cells = dict(zip(plot[0].split(), plot[1].split()))
if (cells["[MEM]Tot"], cells["[MEM]Used"], cells["[MEM]Free"]) != ("0", "892768", "23791332"):
    fail(f"-sm -P: {cells}")
for row in columns(replay("e-v3-mark", "-sc", "--verbose")):
    if row[14] != "-":
        fail(f"-sc --verbose: RunQ {row[14]} though kernel.all.nprocs is not recorded")
sys.exit(bad)

#!/usr/bin/env python3
"""apart.py BUILD - archives of pmlogger, whose fetch groups have intervals of their own: text views show "-" for what was not recorded and the rate where it is known."""
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


# pmval -U has 897.9 and 427.6 of kernel.all.pswitch, 437.0 and 239.0 of kernel.all.intr.
want = [["04:01:10.021", "1", "-", "-", "-"], ["04:01:11.021", "0", "-", "436", "897"], ["04:01:12.021", "0", "-", "-", "-"],
        ["04:01:13.021", "0", "-", "239", "428"], ["04:01:14.021", "0", "-", "-", "-"]]
have = columns(replay("a-v2-basic", "-sc", "-oTm"))
if have != want:
    fail(f"-sc: {have}")
have = columns(replay("a-v2-basic", "-sc", "-oTm", "--interpolate", "1"))
if [row[3:] for row in have[:3]] != [["437", "898"], ["243", "437"], ["239", "427"]]:
    fail(f"-sc at steps of a second: {have}")

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

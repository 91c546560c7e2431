#!/usr/bin/env python3
"""apart.py BUILD - archives of pmlogger, whose fetch groups have intervals of their own: documents tell a rate over the time since the value before,
none behind a mark or for a new instance; text views show "-" for what was not recorded and the rate where it is known."""
import csv
import io
import os
import subprocess
import sys

build = sys.argv[1]
golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "pcp")
NAMES = "a-v2-basic b-v3-basic c-v3-indom d-v2-indom e-v3-mark f-v2-volumes g-v3-types".split()
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


# The rows of a document among themselves: what stands there for each counter, and what follows from its value before.
def check_rates(name):
    tables, now = {}, None
    told = apart = 0
    for row in csv.DictReader(io.StringIO(replay(name, "--oformat", "csv"))):
        if row["semantics"] != "counter" or not row["value"] or row["raw"]:
            continue
        time, metric, value = int(row["timestamp"]), row["name"], row["value"]
        if not row["interval"] and time != now:
            tables = {}  # the first sample, or one behind a mark
        now = time
        mine = tables.setdefault(metric, {"time": None, "values": {}, "before": {}, "before_time": None})
        if mine["time"] != time:
            mine["before"], mine["before_time"] = mine["values"], mine["time"]
            mine["values"], mine["time"] = {}, time
        number = float(value) if "." in value or "e" in value else int(value)
        mine["values"][row["instance"]] = number
        then = mine["before"].get(row["instance"])
        where = f"{name}: {metric} {row['instance']} at {time}"
        if then is None or not row["interval"]:
            if row["rate"]:
                fail(f"{where}: a rate of {row['rate']} without a value before")
        elif number < then or row["msg"]:
            if row["rate"] and not row["msg"]:
                fail(f"{where}: a rate of {row['rate']} though it went back")
        else:
            took = time - mine["before_time"]
            want = (number - then) * 1e9 / took
            if not row["rate"] or abs(float(row["rate"]) - want) > max(1e-6, want * 1e-9):
                fail(f"{where}: rate '{row['rate']}', not {want:.6f}")
            elif int(row["interval"]) != took:
                fail(f"{where}: over {row['interval']} ns, not {took}")
            told += 1
    return told


rates = sum(check_rates(name) for name in NAMES)
if rates < 300:
    fail(f"only {rates} rates were compared")

# What pmval -U prints of kernel.all.pswitch and kernel.all.intr in a-v2-basic: 897.9 and 427.6, 437.0 and 239.0.
document = list(csv.DictReader(io.StringIO(replay("a-v2-basic", "--oformat", "csv"))))
for metric, want in (("kernel.all.pswitch", ["897.9", "427.6"]), ("kernel.all.intr", ["437.0", "239.0"])):
    have = [f"{float(row['rate']):.1f}" for row in document if row["name"] == metric and row["rate"]]
    if have != want:
        fail(f"{metric}: {have}, not {want}")

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

#!/usr/bin/env python3
"""nodeexporter.py BUILD - what a live node_exporter serves is what perfolio shows as text and JSON, and what pminfo and pmdumplog read in the
archive that perfolio records. Values are compared where the exporter gave the same before and after.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import glob
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def run(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    if done.returncode != 0:
        fail("%s: status %d: %s" % (" ".join(words), done.returncode, done.stderr[:300]))
    return done.stdout, done.stderr


def metric_of(series):
    """Our name of a series of the module called node."""
    return "node." + (series[5:] if series.startswith("node_") else series)


SAMPLE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)",?')


def instance_of(labels):
    """Our name of an instance, from the text between the braces."""
    def value(v):
        plain = v.replace("\\\\", "\0").replace('\\"', '"').replace("\\n", "\n").replace("\0", "\\")
        return plain.replace("\\", "\\\\").replace(",", "\\,").replace("\n", "\\n")
    return ",".join("%s=%s" % (k, value(v)) for k, v in LABEL.findall(labels))


def scrape(url):
    """{(metric, instance or None): value} of what is served now."""
    with urllib.request.urlopen(url, timeout=30) as answer:
        text = answer.read().decode()
    found = {}
    for line in text.split("\n"):
        m = SAMPLE.match(line)
        if m and math.isfinite(float(m.group(3))):
            found[metric_of(m.group(1)), instance_of(m.group(2)) if m.group(2) else None] = float(m.group(3))
    return found


def same(before, after):
    """What cannot have been anything else in between: equal, and no clock, counter of activity or load."""
    return {k: v for k, v in before.items() if after.get(k) == v}


def test_shown(url, target):
    out, err = run(OURS, "--import", target, "-c", "3", "-i", "1")
    lines = out.split("\n")
    if not lines[0].startswith("#<") or lines[1].split() != ["#", "Up", "Series", "Errors"]:
        fail("brief has other headings: " + out)
    up = [line.split() for line in lines[2:] if line]
    if len(up) != 3 or up[-1][0] != "1" or not int(up[-1][1]) > 100 or up[-1][2] != "0":
        fail("brief shows neither 3 samples nor an exporter that answers: %s %s" % (out, err))
    out, _ = run(OURS, "--import", target.replace("openmetrics=node,", "openmetrics=node,show=^boot_time,"), "-c", "2", "-i", "1", "--verbose")
    if not re.search(r"^boot_time_seconds +\d+$", out, re.M):
        fail("verbose has no line for boot_time_seconds")

    before = scrape(url)
    out, err = run(OURS, "--import", target, "-c", "3", "-i", "1", "--oformat", "json")
    stable = same(before, scrape(url))
    got = {}
    samples = json.loads(out)["perfolio"]["samples"]
    if len(samples) != 3:
        fail("JSON has %d samples, not 3" % len(samples))
    for m in samples[-1]["metrics"]:
        for i in m.get("instances", [m]):
            got[m["name"], i.get("instance")] = i.get("value")
    compared = [k for k in stable if got.get(k) == stable[k]]
    # One that went away and came back looks stable and is not; those are few.
    other = {k: (got.get(k), stable[k]) for k in stable if got.get(k) != stable[k]}
    if len(compared) < 100 or len(other) > len(stable) // 50:
        fail("JSON: %d values are as served, these are not: %r" % (len(compared), dict(list(other.items())[:5])))
    if ("node.boot_time_seconds", None) not in compared:
        fail("JSON: node.boot_time_seconds is %r" % other.get(("node.boot_time_seconds", None)))
    sizes = [k for k in stable if k[0] == "node.filesystem_size_bytes"]
    if not sizes or any(k in other for k in sizes):
        fail("JSON: sizes of file systems are not as served: %r of %r" % (other, sizes))


def values_in(text):
    """{(metric, instance or None): value} of pminfo -f."""
    found, metric = {}, None
    for line in text.split("\n"):
        value = re.match(r'^ +(?:inst \[\d+ or "(.*)"\] )?value (\S+)$', line)
        if value and not value.group(2).startswith('"'):
            found[metric, value.group(1)] = float(value.group(2))
        elif line and not line.startswith(" "):
            metric = line.strip()
    return found


def test_recorded(work, url, target):
    folio = os.path.join(work, "run.folio")
    before = scrape(url)
    run(OURS, "record", folio, "-s", "c", "--import", target, "-c", "5", "-i", "1")
    stable = same(before, scrape(url))
    meta = glob.glob(os.path.join(work, "*.index"))
    if len(meta) != 1:
        fail("%d archives are recorded, not 1" % len(meta))
        return
    archive = meta[0][:-len(".index")]
    if shutil.which("pminfo"):
        out, _ = run("pminfo", "-f", "-a", archive)
        got = values_in(out)
        missing = [k for k in stable if k not in got]
        other = {k: (got[k], stable[k]) for k in stable if k in got and not math.isclose(got[k], stable[k], rel_tol=1e-6)}
        if len(missing) + len(other) > len(stable) // 50 or len(stable) < 100:
            fail("pminfo: of %d values %d are missing, %d are others: %r %r" % (len(stable), len(missing), len(other), missing[:3],
                                                                                dict(list(other.items())[:3])))
        for k in stable:
            if k[0] in ("node.boot_time_seconds", "node.filesystem_size_bytes") and (k in missing or k in other):
                fail("pminfo: %r is %r, not %r" % (k, got.get(k), stable[k]))
    else:
        print("pminfo is not installed: that part is left out")
    if shutil.which("pmdumplog"):
        out, _ = run("pmdumplog", archive, "node.boot_time_seconds", "node.filesystem_size_bytes")
        boot = re.findall(r"\(node\.boot_time_seconds\): value (\S+)", out)
        want = stable.get(("node.boot_time_seconds", None))
        if len(boot) < 3 or any(float(v) != want for v in boot):
            fail("pmdumplog: boot times %r, not %r each second" % (boot, want))
        for k in (k for k in stable if k[0] == "node.filesystem_size_bytes"):
            if len(re.findall('or "%s"\\] value %d\n' % (re.escape(k[1]), stable[k]), out + "\n")) < 3:
                fail("pmdumplog: %s is not %d each second" % (k[1], stable[k]))
        out, err = run("pmdumplog", "-a", archive)
        if err:
            fail("pmdumplog -a complains: " + err[:300])
    else:
        print("pmdumplog is not installed: that part is left out")
    out, _ = run(OURS, "replay", folio, "--oformat", "json")
    got = {m["name"]: m.get("value") for s in json.loads(out)["perfolio"]["samples"] for m in s.get("metrics", [])}
    if got.get("node.boot_time_seconds") != stable.get(("node.boot_time_seconds", None)):
        fail("replay: node.boot_time_seconds is %r" % got.get("node.boot_time_seconds"))


def start(port):
    return subprocess.Popen(["prometheus-node-exporter", "--web.listen-address=127.0.0.1:%d" % port], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def answers(url, exporter):
    end = time.monotonic() + 60
    while time.monotonic() < end and exporter.poll() is None:
        try:
            if scrape(url):
                return True
        except OSError:
            time.sleep(0.05)
    return False


def main():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    url = "http://127.0.0.1:%d/metrics" % port
    exporter = start(port)
    try:
        if not answers(url, exporter):
            fail("node_exporter does not answer")
            return
        target = "openmetrics=node," + url
        test_shown(url, target)
        with tempfile.TemporaryDirectory(prefix="nodeexporter.") as work:
            test_recorded(work, url, target)
    finally:
        exporter.kill()
        exporter.wait()


main()
sys.exit(1 if BAD else 0)

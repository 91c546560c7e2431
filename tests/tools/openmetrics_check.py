#!/usr/bin/env python3
"""openmetrics_check.py open|plain|recording [FILE] - a strict reader of Prometheus text: OpenMetrics 1.0.0, or text 0.0.4. A recording is
OpenMetrics, too: each series has many values, which stand together and have times that grow.

As a module: check(text, form) gives a list of faults and the number of series. What readers let pass is a fault here: a family that comes
twice, series of a family apart from it, the same series twice, a counter without _total, a unit that is not in the name, HELP or TYPE
behind values, escapes that the form does not know, a missing or second # EOF, numbers that are none.
"""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$")
TYPES = {"open": {"counter", "gauge", "info"}, "recording": {"counter", "gauge", "info"}, "plain": {"counter", "gauge"}}
ENDINGS = {"counter": "_total", "info": "_info"}


def labels(text, faults, line):
    """Label pairs of '{...}' in order; None if it is broken."""
    pairs = []
    at = 0
    while at < len(text):
        m = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)').match(text, at)
        if not m:
            faults.append("broken labels: %s" % line)
            return None
        pairs.append((m.group(1), m.group(2)))
        at = m.end()
    if len({k for k, _ in pairs}) != len(pairs):
        faults.append("a label twice: %s" % line)
    if any(ord(c) < 0x20 or ord(c) == 0x7f for _, v in pairs for c in v):
        faults.append("a control in a label: %r" % line)
    return tuple(pairs)


class Reader:
    def __init__(self, form):
        self.form = form
        self.faults = []
        self.families = {}
        self.current = None
        self.series = set()
        self.last = None
        self.time = None

    def meta(self, line):
        m = re.match(r"# (TYPE|UNIT|HELP) (%s) (.+)$" % NAME, line)
        if not m:
            self.faults.append("no comment that is known: %s" % line)
            return
        what, name, rest = m.groups()
        if what == "TYPE":
            if name in self.families:
                self.faults.append("family twice: %s" % name)
            if rest not in TYPES[self.form]:
                self.faults.append("no type: %s" % line)
            self.families[name] = {"type": rest, "values": 0, "seen": {"TYPE"}}
            self.current = name
            return
        family = self.families.get(name)
        if self.current != name or family["values"] or what in family["seen"]:
            self.faults.append("out of place: %s" % line)
            return
        family["seen"].add(what)
        if what == "UNIT" and (self.form == "plain" or not name.endswith("_" + rest)):
            self.faults.append("unit is not in the name: %s" % line)
        if what == "HELP" and re.search(r'\\(?![\\n"])', rest):
            self.faults.append("escape that is none: %s" % line)

    def value(self, line):
        m = re.match(r"(%s)(?:\{(.*)\})? ([^ ]+)(?: ([^ ]+))?$" % NAME, line)
        if not m:
            self.faults.append("neither comment nor value: %r" % line)
            return
        name, inner, number, stamp = m.groups()
        pairs = labels(inner or "", self.faults, line)
        if not NUMBER.match(number) or (stamp and not NUMBER.match(stamp)):
            self.faults.append("no number: %s" % line)
        family = self.families.get(self.current)
        kind = family["type"] if family else None
        ending = ENDINGS.get(kind, "") if self.form != "plain" else ""
        if not family or name != self.current + ending:
            self.faults.append("not of the family that it stands in: %s" % line)
            return
        if kind == "counter" and (number.startswith("-") or not name.endswith("_total")):
            self.faults.append("no counter: %s" % line)
        family["values"] += 1
        if self.form == "recording" and (name, pairs) == self.last:
            if not stamp or float(stamp) <= self.time:
                self.faults.append("time does not grow: %s" % line)
        elif (name, pairs) in self.series:
            self.faults.append("the same series twice: %s" % line)
        elif self.form == "recording" and not stamp:
            self.faults.append("no time: %s" % line)
        self.last, self.time = (name, pairs), float(stamp or 0)
        self.series.add((name, pairs))


def check(text, form):
    r = Reader(form)
    if not text.endswith("\n"):
        r.faults.append("the last line has no end")
    lines = text.split("\n")[:-1]
    if form != "plain":
        if not lines or lines[-1] != "# EOF":
            r.faults.append("no # EOF at the end")
        if lines.count("# EOF") != 1:
            r.faults.append("%d times # EOF" % lines.count("# EOF"))
        lines = [line for line in lines if line != "# EOF"]
    for line in lines:
        if line.startswith("#"):
            r.meta(line)
        else:
            r.value(line)
    for name, family in r.families.items():
        if not family["values"]:
            r.faults.append("family without values: %s" % name)
        for ending in ("_total", "_info"):
            if family["type"] in ENDINGS and name + ending in r.families:
                r.faults.append("names clash: %s" % name)
    return r.faults, len(r.series)


if __name__ == "__main__":
    data = open(sys.argv[2], "rb").read() if len(sys.argv) > 2 else sys.stdin.buffer.read()
    found, count = check(data.decode("utf-8"), sys.argv[1])
    for fault in found[:20]:
        print(fault)
    print("%d series, %d faults" % (count, len(found)))
    sys.exit(1 if found or not count else 0)

"""What pmdumplog prints, and what `perfolio replay --oformat json` has of the same archive, in one form.

A value is a pair: ("number", text or number), ("text", string), ("bytes", hex), ("events", list), ("none", ""), ("error", sentence). An event is
(microseconds of the day, flags, missed, [(name, value)...]). Times are texts HH:MM:SS.ffffff[fff] as pmdumplog writes them."""
import json
import re
import struct
from datetime import datetime, timezone

TIME = re.compile(r"^(\d\d:\d\d:\d\d\.\d+) +(\d+ metrics?|<mark>)")
METRIC = re.compile(r"^    ([0-9.]+) \(([^)\[]*)\): ?(.*)$")
EVENTS = re.compile(r'^    ([0-9.]+) \(([^)\[]*)(?:\[(-?\d+) or (?:"(.*)"|\?\?\?)\])?\): (No|\d+)(?: \(and (\d+) missed\))? event records?$')
RECORD = re.compile(r"^        --- event record \[(\d+)\] timestamp (\S+) flags 0x([0-9a-f]+)")
MISSED = re.compile(r"^        ==> (\d+) missed event records?$")
PARAM = re.compile(r"^        ([0-9.]+) \(([^)]*)\): value (.*)$")
INSTANCE = re.compile(r'^ *inst \[(-?\d+) or (?:"(.*)"|\?\?\?)\] value (.*)$')
FLAGS = ["point", "start", "end", "id", "parent"]


def shortest(names):
    """Of an alias list "a or b" the name that perfolio calls the metric by."""
    return min(names.split(" or "), key=lambda n: (len(n), n))


def value_of(text):
    text = text.strip()
    found = re.search(r'\[([0-9a-f]*)\]$', text)
    if found and not (text.startswith('"') and text.endswith('"') and len(text) > 1):
        return ("bytes", found.group(1))
    if text.startswith('"'):
        return ("text", text[1:-1])
    return ("number", text)


def clock(text):
    """HH:MM:SS.fraction in microseconds."""
    h, m, s = text.split(":")
    sec, fraction = s.split(".")
    return ((int(h) * 60 + int(m)) * 60 + int(sec)) * 10**6 + int(fraction[:6].ljust(6, "0"))


def values(lines):
    """{(time, metric, instance): value} and the times of marks."""
    found, marks, time, metric, events = {}, [], None, None, None
    for line in lines:
        line = line.rstrip("\n")
        at = TIME.match(line)
        if at:
            time, metric, events = at.group(1), None, None
            if at.group(2) == "<mark>":
                marks.append(time)
            continue
        if time is None or not line.strip():
            continue
        event = EVENTS.match(line)
        record, missed, param = RECORD.match(line), MISSED.match(line), PARAM.match(line)
        if event:
            metric, events = shortest(event.group(2)), []
            inst = None if event.group(3) is None else event.group(4) or "?" + event.group(3)
            found[time, metric, inst] = ("events", events)
        elif events is not None and record:
            events.append((clock(record.group(2)), int(record.group(3), 16), 0, []))
        elif events is not None and missed:
            events[-1] = events[-1][:2] + (int(missed.group(1)), [])
        elif events is not None and param:
            events[-1][3].append((shortest(param.group(2)), value_of(param.group(3))))
        else:
            head = METRIC.match(line)
            if head:
                metric, events, line = shortest(head.group(2)), None, head.group(3)
            inst = INSTANCE.match(line)
            if metric is None or not line.strip():
                continue
            if inst:
                found[time, metric, inst.group(2) or "?" + inst.group(1)] = value_of(inst.group(3))
            elif line.strip().startswith("value "):
                found[time, metric, None] = value_of(line.strip()[6:])
            elif head and line.startswith("No values returned"):
                found[time, metric, None] = ("none", "")
            elif head:
                found[time, metric, None] = ("error", line.strip())
    return found, marks


def dump(path):
    return values(open(path, encoding="utf-8", errors="replace"))[0]


def time_of(ns, digits):
    ns = int(ns)
    return datetime.fromtimestamp(ns // 10**9, timezone.utc).strftime("%H:%M:%S") + (".%09d" % (ns % 10**9))[:digits + 1]


def flags_of(words):
    bits = 0
    for word in words.split(","):
        bits |= 1 << 31 if word == "missed" else int(word, 16) if word.startswith("0x") else 1 << FLAGS.index(word) if word else 0
    return bits


def json_value(o):
    if "error" in o:
        return ("none", "") if o["error"] == 0 else ("error", o["msg"])
    if "events" in o:
        return ("events", [(clock(time_of(e["timestamp"], 6)), flags_of(e["flags"]), e.get("missed", 0),
                            [(p["name"], json_value(p)) for p in e.get("parameters", [])]) for e in o["events"]])
    if "value" not in o:
        return ("bytes", o["bytes"][2:])
    return ("text", o["value"]) if isinstance(o["value"], str) else ("number", o["value"])


def document(path, digits=6):
    """The same of a document; times with so many digits."""
    found = {}
    for sample in json.load(open(path, encoding="utf-8"))["perfolio"]["samples"]:
        for metric in sample.get("metrics", []):
            time = time_of(sample["timestamp"], digits)
            for o in metric.get("instances", [metric]):
                found[time, metric["name"], o.get("instance")] = json_value(o)
    return found


def discrete(path):
    """Names of the document's discrete metrics."""
    samples = json.load(open(path, encoding="utf-8"))["perfolio"]["samples"]
    return {m["name"] for s in samples for m in s.get("metrics", []) if m["semantics"] == "discrete"}


def same_number(text, number, single):
    """A number of pmdumplog, which has 8 digits of a float and 15 or more of a double, against one of a document."""
    if isinstance(number, str):
        return text == number
    if "." not in text and "e" not in text:
        return int(text) == number
    if single:
        number = struct.unpack("f", struct.pack("f", number))[0]
    digits = len(re.sub(r"e.*|^-?[0.]*|\.", "", text))
    return float("%.*g" % (max(digits, 6), number)) == float(text)


def same(theirs, ours, single=False):
    if theirs[0] == "number" and ours[0] == "number":
        return same_number(theirs[1], ours[1], single) or (not single and same_number(theirs[1], ours[1], True))
    if theirs[0] == "events" and ours[0] == "events":
        return len(theirs[1]) == len(ours[1]) and all(
            a[:3] == b[:3] and len(a[3]) == len(b[3]) and all(x[0] == y[0] and same(x[1], y[1]) for x, y in zip(a[3], b[3]))
            for a, b in zip(theirs[1], ours[1]))
    if theirs[0] == "error" and ours[0] == "error":
        return True  # in other words
    return theirs == ours

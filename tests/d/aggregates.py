#!/usr/bin/env python3
"""Random streams through every aggregating function, against sums made here: aggregates.py BUILD [SEED].

Each program adds values of one stream to aggregations with keys of one kind, some of it in several clauses and before and after
a clear, and prints them with printa() and by default. What must come is computed from the definitions. The seed is printed.
"""

import math
import os
import random
import re
import subprocess
import sys
import tempfile

MIN, MAX = -(1 << 63), (1 << 63) - 1
STREAMS = 24
LENGTH = 40


def wrap(v):
    v &= (1 << 64) - 1
    return v - (1 << 64) if v >> 63 else v


def toward_zero(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def stddev(values):
    n = len(values)
    mean = toward_zero(wrap(sum(values)), n)
    return math.isqrt(max(0, sum(v * v for v in values) // n - mean * mean))


SCALARS = {
    "count": (lambda v: "count()", len),
    "sum": (lambda v: "sum(%s)" % v, lambda vs: wrap(sum(vs))),
    "avg": (lambda v: "avg(%s)" % v, lambda vs: toward_zero(wrap(sum(vs)), len(vs))),
    "min": (lambda v: "min(%s)" % v, min),
    "max": (lambda v: "max(%s)" % v, max),
    "stddev": (lambda v: "stddev(%s)" % v, stddev),
}


def quantize_label(v):
    """The label of the power-of-two bucket of @v: the bound nearest to zero."""
    if v == 0:
        return 0
    k = 1 << (abs(v).bit_length() - 1)
    return k if v > 0 else -k


def lquantize_label(base, limit, step):
    def of(v):
        levels = (limit - base) // step
        if v < base:
            return "< %d" % base
        if v >= base + levels * step:
            return ">= %d" % (base + levels * step)
        return base + (v - base) // step * step

    return of


def llquantize_label(factor, low, high, steps):
    """Bounds from factor^low to factor^(high + 1), with steps linear buckets up to each power, none narrower than 1."""
    bounds = []
    for m in range(low, high + 1):
        start, end = factor**m, factor ** (m + 1)
        width = max(end // steps, 1)
        at = start
        while at < end:
            bounds.append(at)
            at += width
    bounds.append(factor ** (high + 1))
    first, last = bounds[0], bounds[-1]

    def of(v):
        a = abs(v)
        if a < first:
            return 0
        if a >= last:
            return ">= %d" % last if v > 0 else "<= -%d" % last
        label = max(b for b in bounds if b <= a)
        return label if v > 0 else -label

    return of


def charts(text):
    """[key line, {label: count}] of each distribution in the text."""
    found = []
    for part in text.split("------------- Distribution -------------")[1:]:
        rows = re.findall(r"^ *((?:(?:abs\(\) )?[<>]=? )?-?\d+) \|[@ |]{0,41} (-?\d+) *$", part, re.M)
        found.append({label: int(n) for label, n in rows if int(n)})
    return found


def stream(r):
    kind = r.random()
    if kind < 0.4:
        return [r.randint(-100, 100) for _ in range(LENGTH)]
    if kind < 0.7:
        return [r.randint(-(10**9), 10**9) for _ in range(LENGTH)]
    return [r.choice((1, -1)) * r.getrandbits(r.randint(1, 40)) for _ in range(LENGTH)]


KEYS = {
    "none": ("", lambda r: ()),
    "integer": ("%d", lambda r: (r.randint(-3, 3),)),
    "character": ("%d", lambda r: (("(char)%d", r.randint(-3, 3)),)),
    "long": ("%d", lambda r: (("%dl", r.choice((0, 1 << 40, -(1 << 40)))),)),
    "string": ("%s", lambda r: (r.choice(("", "a", "abc", "a longer one")),)),
    "pair": ("%s:%d", lambda r: (r.choice(("x", "y")), r.randint(0, 2))),
    "three": ("%d:%s:%d", lambda r: (r.randint(0, 1), r.choice(("p", "q")), r.randint(0, 1))),
}


def key_text(key):
    words = []
    for k in key:
        words.append('"%s"' % k if isinstance(k, str) else k[0] % k[1] if isinstance(k, tuple) else str(k))
    return "[%s]" % ", ".join(words) if words else ""


def key_value(key):
    return tuple(k[1] if isinstance(k, tuple) else k for k in key)


def sort_key(key):
    return tuple(k.encode() if isinstance(k, str) else k for k in key)


def run(dtrace, text, folder):
    path = os.path.join(folder, "p.d")
    with open(path, "w", encoding="ascii") as f:
        f.write("#pragma D option quiet\n" + text)
    done = subprocess.run([dtrace, "-s", path], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode or done.stderr:
        return "exit status %d: %s" % (done.returncode, done.stderr)
    return done.stdout


def scalars(dtrace, r, folder):
    """One stream through the functions that give a number, with one kind of key."""
    kind = r.choice(list(KEYS))
    fmt, make = KEYS[kind]
    text, sums = "", {}
    for v in stream(r):
        key = make(r)
        sums.setdefault(key_value(key), []).append(v)
        text += "BEGIN { %s }\n" % " ".join("@%s%s = %s;" % (n, key_text(key), f("%dl" % v)) for n, (f, _) in SCALARS.items())
    text += "BEGIN { exit(0); }\nEND { "
    wanted = ""
    by = r.choice(("value", "key", "reverse"))
    for name, (_, result) in SCALARS.items():
        text += 'printa("%s %s %%@d\\n", @%s); ' % (name, fmt, name)
        rows = [(result(vs), key) for key, vs in sums.items()]
        rows.sort(key=lambda row: sort_key(row[1]) if by == "key" else (row[0], sort_key(row[1])), reverse=by == "reverse")
        for value, key in rows:
            wanted += "%s %s %d\n" % (name, fmt % key, value)
    option = {"value": "", "key": "#pragma D option aggsortkey\n", "reverse": "#pragma D option aggsortrev\n"}[by]
    got = run(dtrace, option + text + "}\n", folder)
    if got.rstrip("\n") != wanted.rstrip("\n"):
        return "%s keys, by %s:\nwanted:\n%s\ngot:\n%s\nprogram:\n%s" % (kind, by, wanted, got, text)
    return ""


def distributions(dtrace, r, folder):
    """One stream through the quantize family, one row each."""
    base = r.randint(-50, 50)
    step = r.randint(1, 20)
    limit = base + r.randint(step, 400)
    factor, steps = r.choice(((10, 10), (10, 20), (10, 5), (2, 2), (2, 4), (4, 8), (5, 25)))
    low = r.randint(0, 1)
    high = low + r.randint(0, 4)
    labels = {
        "q": ("quantize(%s, %d)", quantize_label),
        "l": ("lquantize(%%s, %d, %d, %d, %%d)" % (base, limit, step), lquantize_label(base, limit, step)),
    }
    if all(factor ** (m + 1) % steps == 0 or steps < factor for m in range(low, high + 1)):
        labels["x"] = ("llquantize(%%s, %d, %d, %d, %d, %%d)" % (factor, low, high, steps), llquantize_label(factor, low, high, steps))
    text, wanted = "", {n: {} for n in labels}
    for v in stream(r):
        inc = r.choice((1, 1, 1, 2, 7))
        text += "BEGIN { %s }\n" % " ".join("@%s = %s;" % (n, f % ("%dl" % v, inc)) for n, (f, _) in labels.items())
        for n, (_, label) in labels.items():
            wanted[n][str(label(v))] = wanted[n].get(str(label(v)), 0) + inc
    text += "BEGIN { exit(0); }\nEND { %s }\n" % " ".join('printa("%%@d", @%s);' % n for n in labels)
    got = run(dtrace, text, folder)
    have = charts(got)
    for i, n in enumerate(labels):
        mine = {k: v for k, v in wanted[n].items() if v}
        theirs = have[i] if i < len(have) else {}
        if n == "x":
            # What is nearer to zero than the lowest bound is one bucket; its label says so.
            theirs = {("0" if k.startswith("abs") else k): v for k, v in theirs.items()}
        if mine != theirs:
            return "%s:\nwanted: %s\ngot: %s\ntext:\n%s\nprogram:\n%s" % (labels[n][0], mine, theirs, got, text)
    return ""


def main():
    build = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20260802
    dtrace = os.path.join(os.path.abspath(build), "compat", "dtrace")
    if not os.access(dtrace, os.X_OK):
        print("this build has no dtrace")
        return 77
    able = subprocess.run([dtrace, "-qn", "BEGIN { exit(0); }"], capture_output=True, text=True, check=False)
    if able.returncode != 0 and re.search(r"CAP_|bpf\(2\)|built without", able.stderr):
        print(able.stderr, end="")
        return 77
    print("seed %d" % seed)
    r = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(STREAMS):
            wrong = (scalars if i % 2 == 0 else distributions)(dtrace, r, folder)
            if wrong:
                failed += 1
                print("stream %d (seed %d): %s" % (i, seed, wrong))
    print("%d streams of %d values, %d wrong" % (STREAMS, LENGTH, failed))
    return 1 if failed else 0


sys.exit(main())

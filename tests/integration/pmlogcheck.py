"""pmlogcheck.py PERFOLIO PMLOGCHECK GOLDEN WORK - pmlogcheck by name beside the real one, and `perfolio verify` beside both: archives with one damaged
field each, and seeded damage anywhere. Where the real one says something, ours by name says the same and verify says something, too.
Says one sentence for each failure."""
import os
import random
import struct
import subprocess
import sys

perfolio, ours, golden, work = sys.argv[1:5]
REAL = "/usr/bin/pmlogcheck"
SEEDS = 300
ENV = dict(os.environ, TZ="UTC", LC_ALL="C")
os.chdir(work)
bad = []
count = [0, 0]

# Archives for which the texts differ, and why.
KNOWN = {
    "times of records": "the real one takes microseconds and nanoseconds that a second does not have for what they are",
    "names of aliases": "it names several names of a metric in the order of its hash table",
    "kinds of the other version": "whether the real one can open it depends on what the record's bytes happen to mean",
    "the index of another version": "it goes on with entries of another size than those that are there",
    "the window": "it begins with a record before the start that was asked for, and tells that time goes back",
    "crash": "the real one ends by a signal",
    "address": "the real one takes what lies in memory behind the record for an error of its own, now and then",
    "another type": "the real one does not open an archive in which a metric has two types; ours tells it as a metric that is not known",
    "instances": "the real one crashes on a count that is too large",
}


def get(b, o):
    return struct.unpack(">I", b[o:o + 4])[0]


def put(b, o, v):
    b[o:o + 4] = struct.pack(">I", v & 0xFFFFFFFF)


def load(name):
    files = {}
    for entry in os.listdir(golden):
        suffix = entry[len(name) + 1:]
        if entry.startswith(name + ".") and (suffix in ("meta", "index") or suffix.isdigit()):
            files[suffix] = bytearray(open(os.path.join(golden, entry), "rb").read())
    return files


def records(b):
    found, o = [], 0
    while o + 4 <= len(b):
        n = get(b, o)
        if n < 8 or o + n > len(b):
            break
        found.append((o, n))
        o += n
    return found


def run(*command):
    p = subprocess.run(command, capture_output=True, text=True, errors="replace", env=ENV, timeout=120)
    return p.returncode, p.stdout, sorted(p.stderr.splitlines())


def compare(what, files, *switches, known=None):
    for entry in os.listdir("."):
        if entry.startswith("X."):
            os.unlink(entry)
    for suffix, content in files.items():
        open("X." + suffix, "wb").write(content)
    count[0] += 1
    real = run(REAL, "-z", *switches, "X")
    mine = run(ours, "-z", *switches, "X")
    assert known is None or known in KNOWN
    if real[0] < 0:
        known = "crash"
    if any("Bad address" in line for line in real[2]):
        known = "address"
    if any("type of a metric has changed" in line for line in real[2]):
        known = "another type"
    if mine[0] not in (0, 1) or any("runtime error" in line or "Sanitizer" in line for line in mine[2]):
        bad.append(f"{what}: ours: status {mine[0]}: {mine[2][:3]}")
    if real != mine and not known:
        bad.append(f"{what} {switches}: real {real[0]} {[x for x in real[2] if x not in mine[2]][:3]}, "
                   f"ours {mine[0]} {[x for x in mine[2] if x not in real[2]][:3]}")
    if real != mine:
        count[1] += 1
    if switches:
        return
    # What the real one says only of the missing index is a note for us.
    says = real[0] != 0 or any("temporal index is missing" not in line for line in real[2])
    verify = run(perfolio, "verify", "-w", "X")
    if verify[0] not in (0, 3, 4) or verify[2]:
        bad.append(f"{what}: verify: status {verify[0]}: {verify[2][:3]}")
    if says and verify[0] == 0 and "warning: " not in verify[1]:
        bad.append(f"{what}: the real one says {real[2][:1]}, verify nothing")


class Archive:
    """Places in an archive of either version."""

    def __init__(self, name):
        self.name = name
        self.v3 = load(name)["meta"][7] == 3
        self.label = 808 if self.v3 else 132
        self.head = 16 if self.v3 else 12

    def changed(self, what, change, *switches, known=None):
        files = load(self.name)
        change(files)
        compare(f"{self.name}: {what}", files, *switches, known=known)

    def entry(self, i):
        return self.label + i * (32 if self.v3 else 20)

    def desc(self, files, pmid):
        for o, _ in records(files["meta"]):
            if get(files["meta"], o + 4) == 1 and get(files["meta"], o + 8) == pmid:
                return o
        raise KeyError(pmid)

    def change_of(self, files, number):
        found = [o for o, _ in records(files["meta"]) if get(files["meta"], o + 4) in (2, 5, 6)]
        return found[number]

    def values(self, files, pmid):
        """Places of the words, or blocks, of all values of a metric."""
        data = files["0"]
        for o, _ in records(data)[1:]:
            p = o + self.head + 4
            for _ in range(get(data, o + self.head)):
                n = struct.unpack(">i", data[p + 4:p + 8])[0]
                if n <= 0:
                    p += 8
                    continue
                for i in range(n if get(data, p) == pmid else 0):
                    word = p + 16 + 8 * i
                    yield o + (get(data, word) - 2) * 4 if get(data, p + 8) else word
                p += 12 + 8 * n


def frames(a):
    L = a.label
    for v in (0, 7, 8, 9, -1, -4, 0x7FFFFFFF, -0x80000000, 100000):
        a.changed(f"length {v}", lambda f: put(f["0"], records(f["0"])[3][0], v))
        a.changed(f"length {v} in meta", lambda f: put(f["meta"], records(f["meta"])[3][0], v))
    for v in (0, 7, 8, -1):
        a.changed(f"trailer {v}", lambda f: put(f["0"], sum(records(f["0"])[3]) - 4, v))
    for v in (0, 4, 8, L - 1, L + 1, 200, -5, 0x7FFFFFFF):
        a.changed(f"label length {v}", lambda f: put(f["0"], 0, v))
    for n in (2, 50, L - 4, L - 3, L):
        for suffix in ("0", "meta", "index"):
            a.changed(f"{suffix} cut at {n}", lambda f: f.__setitem__(suffix, f[suffix][:n]))
    for suffix in ("0", "meta", "index"):
        for n in (1, 4, 7, 30):
            a.changed(f"{n} bytes off {suffix}", lambda f: f.__setitem__(suffix, f[suffix][:-n]))
        a.changed(f"{suffix} empty", lambda f: f.__setitem__(suffix, b""))
        a.changed(f"no {suffix}", lambda f: f.pop(suffix))
        known = "the index of another version" if suffix == "index" and a.v3 else None
        a.changed(f"{suffix} of version 9", lambda f: f[suffix].__setitem__(7, 9), known=known)
        a.changed(f"{suffix} of the other version", lambda f: f[suffix].__setitem__(7, 2 if a.v3 else 3), known=known)
        a.changed(f"{suffix} of another process", lambda f: put(f[suffix], 8, 77))
        a.changed(f"{suffix} of another volume", lambda f: put(f[suffix], 24 if a.v3 else 20, 3))
        a.changed(f"{suffix} without magic", lambda f: f[suffix].__setitem__(4, 0))
    a.changed("two bytes behind", lambda f: f["0"].extend(b"\0\0"))
    a.changed("kind 9", lambda f: put(f["meta"], records(f["meta"])[3][0] + 4, 9))
    for kind in (2, 3, 5, 6, 7):
        a.changed(f"kind {kind}", lambda f: put(f["meta"], records(f["meta"])[3][0] + 4, kind), known="kinds of the other version")
    if a.v3:
        a.changed("features", lambda f: put(f["0"], 28, 1))


def index(a):
    volume = 12 if a.v3 else 8
    meta = volume + (8 if a.v3 else 4)
    data = meta + (8 if a.v3 else 4)
    seconds = a.entry(1)
    for v in (-1, 5):
        a.changed(f"entry of volume {v}", lambda f: put(f["index"], a.entry(1) + volume, v))
    for v in (-100, 3):
        a.changed(f"entry {v} s off", lambda f: put(f["index"], seconds, get(f["index"], seconds) + v))
    for v in (-5, 1000000001):
        a.changed(f"entry of {v}", lambda f: put(f["index"], seconds + (8 if a.v3 else 4), v))
    for v in (20, a.label, 99999999):
        a.changed(f"entry of metadata at {v}", lambda f: put(f["index"], a.entry(2) + meta, v))
        a.changed(f"entry of values at {v}", lambda f: put(f["index"], a.entry(2) + data, v))
    a.changed("entry inside a record", lambda f: put(f["index"], a.entry(1) + data, get(f["index"], a.entry(1) + data) + 4))


def metadata(a):
    pmid = 60 << 22 | 20
    for at, values in ((12, (77, -1, -2, 8, 11)), (16, (0x12345,)), (20, (2, 5)),
                       (24, (0x77700000, 0x000FFF00, 0x111FFF00, 0x11177700, 0x11168800, 0x88800000, 0x22200000, 0xDDD00000, 0x777FFF00)),
                       (28, (0, 9)), (32, (0, 9999)), (8, (61 << 22 | 23,))):
        for v in values:
            a.changed(f"descriptor: {v:#x} at {at}", lambda f: put(f["meta"], a.desc(f, pmid) + at, v))
    ids = 28 if a.v3 else 24
    a.changed("the time of instances goes back", lambda f: put(f["meta"], a.change_of(f, 1) + 8, 5))
    a.changed("too many instances", lambda f: put(f["meta"], a.change_of(f, 1) + ids - 4, 2000000), known="instances")
    a.changed("a name outside", lambda f: put(f["meta"], a.change_of(f, 1) + ids + 4 * get(f["meta"], a.change_of(f, 1) + ids - 4), 99999))
    a.changed("a negative instance", lambda f: put(f["meta"], a.change_of(f, 1) + ids, -3))


def derived(a, domain):
    """A metric of another domain than its instances, described again and again as pmlogger does it with derived ones: named once."""
    old = 29 << 22 | 37
    new = domain << 22 | 2048 << 10 | 16

    def change(f):
        at = a.desc(f, old)
        record = f["meta"][at:at + get(f["meta"], at)]
        for suffix in ("meta", "0"):
            f[suffix] = bytearray(f[suffix].replace(struct.pack(">I", old), struct.pack(">I", new)))
        put(record, 8, new)
        f["meta"] += record * 3

    a.changed(f"a metric of domain {domain}", change)
    said = run(ours, "X")
    if said[0] != 0 or sum("domain of pmid" in line for line in said[2]) != 1:
        bad.append(f"{a.name}: a metric of domain {domain}: ours {said}")
    verify = run(perfolio, "verify", "-w", "X")
    grade = "note" if domain == 511 else "warning"
    told = [line for line in verify[1].splitlines() if "is of domain" in line or "second time" in line]
    if verify[0] != 0 or len(told) != 2 or not told[0].startswith(grade + ": "):
        bad.append(f"{a.name}: a metric of domain {domain}: verify {verify[0]} {told}")
    sealed = run(perfolio, "verify", "--seal", "X")
    if sealed[0] != 0 or ": complete;" not in sealed[1]:
        bad.append(f"{a.name}: a metric of domain {domain}: verify --seal {sealed}")


def values(a):
    at = lambda f: records(f["0"])[5][0]
    for v in (-1, -1000, 1000):
        a.changed(f"a record {v} s off", lambda f: put(f["0"], at(f) + 4, get(f["0"], at(f) + 4) + v), "-v")
    for v in (-2, 2000000000):
        a.changed(f"a record of {v}", lambda f: put(f["0"], at(f) + a.head - 4, v), known="times of records")
    for v in (0, 14, 16, 99999, -3):
        a.changed(f"{v} metrics", lambda f: put(f["0"], at(f) + a.head, v))
    for word, v in ((4, 0x12345678), (8, 0), (8, -12345), (8, 99999), (12, 5), (12, 0), (16, 7), (20, 70000)):
        a.changed(f"word {word} is {v}", lambda f: put(f["0"], at(f) + a.head + word, v))
    pmid = 60 << 22 | 20
    for number in (0, 3):
        block = lambda f: list(a.values(f, pmid))[number]
        a.changed(f"block {number} of another type", lambda f: f["0"].__setitem__(block(f), 1))
        a.changed(f"block {number} is longer", lambda f: f["0"].__setitem__(block(f) + 3, 20))
        a.changed(f"block {number} has no length", lambda f: f["0"].__setitem__(block(f) + 3, 0))
    a.changed("a counter goes back", lambda f: put(f["0"], list(a.values(f, pmid))[3] + 8, 5))
    a.changed("a counter goes back, not told", lambda f: put(f["0"], list(a.values(f, pmid))[3] + 8, 5), "-w")
    hundred = 29 << 22 | 12

    def counter(f, kind, value):
        put(f["meta"], a.desc(f, hundred) + 12, kind)
        put(f["meta"], a.desc(f, hundred) + 20, 1)
        put(f["0"], list(a.values(f, hundred))[2], value)

    def large(f, kind, first, then):
        put(f["meta"], a.desc(f, pmid) + 12, kind)
        for at, value in zip(a.values(f, pmid), (first, then)):
            f["0"][at] = kind
            f["0"][at + 4:at + 12] = struct.pack(">Q", value)

    for kind, first in ((3, 2 ** 64 - 28), (3, 2 ** 63 + 1), (2, 2 ** 63 - 28), (2, 2 ** 62), (3, 3), (2, 2 ** 64 - 5)):
        a.changed(f"type {kind} goes back from {first}", lambda f: large(f, kind, first, 2 ** 64 - 90 if first == 2 ** 64 - 5 else 2))
    for kind in (0, 1, 3, 4, 6):
        a.changed(f"type {kind} in place", lambda f: counter(f, kind, 200))
        a.changed(f"type {kind} in place, negative", lambda f: counter(f, kind, -50))

    def days(f):
        for o, _ in records(f["0"])[8:]:
            put(f["0"], o + 4, get(f["0"], o + 4) + 2 * 86400)
        put(f["0"], records(f["0"])[10][0] + 4, get(f["0"], records(f["0"])[10][0] + 4) - 10)

    a.changed("two days", days, "-l")
    bins = 29 << 22 | 6
    a.changed("semantics of aliases", lambda f: put(f["meta"], a.desc(f, bins) + 20, 2), known="names of aliases")


def switches():
    for name in ("g-v3-types", "e-v3-mark"):
        for given in (["-v"], ["-w"], ["-m"], ["-l"], ["-lv"], ["-T", "2sec", "-v"], ["-T", "-2 sec", "-v"]):
            Archive(name).changed("switches", lambda f: None, *given)
        Archive(name).changed("switches", lambda f: None, "-S", "+1", "-v", known="the window")


def seeded():
    names = ["a-v2-basic", "b-v3-basic", "c-v3-indom", "d-v2-indom", "e-v3-mark", "f-v2-volumes", "g-v3-types"]
    for seed in range(SEEDS):
        r = random.Random(seed)
        name = r.choice(names)
        files = load(name)
        suffix = r.choice(sorted(files))
        b = files[suffix]
        how = r.choice(["bit", "byte", "word", "cut", "drop", "swap", "zero"])
        o = r.randrange(len(b))
        all_records = records(b)
        if how == "bit":
            b[o] ^= 1 << r.randrange(8)
        elif how == "byte":
            b[o] = r.randrange(256)
        elif how == "word":
            put(b, min(o & ~3, len(b) - 4), r.choice([0, 1, -1, 0x7FFFFFFF, r.getrandbits(32), 8]))
        elif how == "cut":
            files[suffix] = b[:o]
        elif how == "drop":
            at, n = r.choice(all_records)
            del b[at:at + n]
        elif how == "swap" and len(all_records) > 3:
            i = r.randrange(1, len(all_records) - 1)
            (x, n), (y, m) = all_records[i], all_records[i + 1]
            b[x:y + m] = b[y:y + m] + b[x:x + n]
        elif how == "zero":
            b[o:o + 16] = bytes(len(b[o:o + 16]))
        compare(f"seed {seed}: {name}.{suffix} {how} at {o}", files)


for name in ("a-v2-basic", "b-v3-basic"):
    archive = Archive(name)
    frames(archive)
    index(archive)
    metadata(archive)
    values(archive)
for domain in (511, 77):
    derived(Archive("g-v3-types"), domain)
switches()
seeded()
for line in bad:
    print(line)
print(f"{count[0]} archives, {count[1]} where the texts differ for a reason that is known")
sys.exit(1 if bad else 0)

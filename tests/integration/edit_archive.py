#!/usr/bin/env python3
"""edit_archive.py HOW BASE - spoil an archive of PCP in one way that each record alone does not show: records in another order, of other times, or
with names and places that contradict others. Tests only."""
import struct
import sys

how, base = sys.argv[1:]


def word(data, at):
    return struct.unpack_from(">I", data, at)[0]


def load(end):
    return bytearray(open(base + "." + end, "rb").read())


def store(end, data):
    open(base + "." + end, "wb").write(data)


meta = load("meta")
version = meta[7]
label = 808 if version == 3 else 132


def records(data):
    """[from, to) of every record behind the label."""
    at, found = label, []
    while at < len(data):
        found.append((at, at + word(data, at)))
        at += word(data, at)
    return found


def changes(kind):
    """Records of .meta of that kind: 5 whole instance domains, 6 changes, 1 descriptors."""
    return [(a, b) for a, b in records(meta) if word(meta, a + 4) == kind]


def put(data, pieces):
    return data[:label] + b"".join(bytes(data[a:b]) for a, b in pieces)


volume = load("0")
if how == "places":  # the second value of a record lies where the first one does
    for a, b in records(volume):
        at = a + (20 if version == 3 else 16)
        sets = word(volume, at - 4)
        places = []
        for _ in range(sets):
            n = struct.unpack_from(">i", volume, at + 4)[0]
            if n > 0 and word(volume, at + 8) == 1:
                places += [at + 12 + 8 * i + 4 for i in range(n)]
            at += 8 if n <= 0 else 12 + 8 * n
        if len(places) > 1:
            volume[places[1] : places[1] + 4] = volume[places[0] : places[0] + 4]
            break
    store("0", volume)
elif how == "moved":  # two records stand in front of two older ones
    all_ = records(volume)
    all_[3:7] = all_[5:7] + all_[3:5]
    store("0", put(volume, all_))
elif how == "entry":  # an entry leads into the middle of .meta
    index = load("index")
    at = label + (32 if version == 3 else 20) + (16 if version == 3 else 12)
    size = 8 if version == 3 else 4
    place = int.from_bytes(index[at : at + size], "big")
    index[at : at + size] = (place - 4 if place > label else label + 4).to_bytes(size, "big")
    store("index", index)
elif how == "whole":  # the whole record of an instance domain that changes later is not there
    indom = word(meta, changes(6)[0][0] + 20)
    gone = next((a, b) for a, b in changes(5) if word(meta, a + 20) == indom)
    store("meta", put(meta, [r for r in records(meta) if r != gone]))
elif how == "early":  # instances of a time long before the archive begins
    a = changes(5)[0][0]
    meta[a + 8 : a + 12] = struct.pack(">I", word(meta, a + 8) - 100000)
    store("meta", meta)
elif how == "disorder":  # instance domains change in another order
    all_ = records(meta)
    indom = word(meta, changes(6)[0][0] + 20)
    one, other = [r for r in changes(6) if word(meta, r[0] + 20) == indom][:2]
    i, j = all_.index(one), all_.index(other)
    all_[i], all_[j] = all_[j], all_[i]
    store("meta", put(meta, all_))
elif how == "late":  # everything a hundred years later; version 3 only
    more = 100 * 365 * 86400
    for end in ("0", "meta", "index"):
        data = load(end)
        places = [12] + ([a + 4 for a, _ in records(data)] if end == "0" else [])
        if end == "meta":
            places += [a + 8 for a, _ in records(data) if word(data, a + 4) in (5, 6, 7)]
        if end == "index":
            places += range(label, len(data), 32)
        for at in places:
            low, high = struct.unpack_from(">II", data, at)
            seconds = (high << 32 | low) + more
            struct.pack_into(">II", data, at, seconds & 0xFFFFFFFF, seconds >> 32)
        store(end, data)
elif how == "events":  # the first array of event records says that it has very many
    for a, b in records(volume):
        at = a + 20
        for _ in range(word(volume, a + 16)):
            n = struct.unpack_from(">i", volume, at + 4)[0]
            for i in range(max(n, 0)):
                if word(volume, at + 8) == 0:
                    break
                block = a + 4 * (word(volume, at + 16 + 8 * i) - 2)
                if volume[block] in (9, 10) and word(volume, block) & 0xFFFFFF > 8:
                    volume[block + 4 : block + 8] = b"\x7f\xff\xff\xff"
                    store("0", volume)
                    sys.exit(0)
            at += 8 if n <= 0 else 12 + 8 * n
    raise SystemExit("there are no events")
elif how == "type":  # a metric of doubles is described as one of 64-bit integers
    a = next(a for a, b in changes(1) if b"sample.double.hundred" in meta[a:b])
    meta[a + 12 : a + 16] = struct.pack(">I", 2)
    store("meta", meta)
elif how == "undescribed":  # the last two descriptors are not there
    gone = changes(1)[-2:]
    store("meta", put(meta, [r for r in records(meta) if r not in gone]))
elif how == "unnamed":  # nothing tells of instances
    gone = changes(2) + changes(5) + changes(6)
    store("meta", put(meta, [r for r in records(meta) if r not in gone]))
else:
    raise SystemExit("no such way")

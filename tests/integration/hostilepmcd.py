#!/usr/bin/env python3
"""hostilepmcd.py BUILD [SEED] - recordings of a pmcd (fakepmcd.py) that breaks off after every byte, lies in every word, answers out of order,
comes back as another, floods and never ends to tell.

Each case is one logger that goes on through hundreds of connections, of which the last is an honest one. At its end the archive is whole for PCP's
tools and for ours, holds nothing that was not said, and the logger took no more memory than it may. Prints one sentence per failure.
"""
import functools
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

import fakepmcd
from fakepmcd import BYTE, COUNT, Metric, Pmcd, error, padded, pdu

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
SEED = sys.argv[2] if len(sys.argv) > 2 else "1"
BAD = []
TMP = tempfile.mkdtemp()
KBYTE = 0x10010000

# Memory that a logger may take; what is freed is used again at once under a sanitizer, too.
MOST_KB = 400 << 10
ENV = {**{k: v for k, v in os.environ.items() if not k.startswith(("PMCD_", "PCP_"))}, "TMPDIR": TMP, "PMCD_CONNECT_TIMEOUT": "5", "PMCD_REQUEST_TIMEOUT": "5",
       "PMCD_RECONNECT_TIMEOUT": "0.001", "ASAN_OPTIONS": "quarantine_size_mb=1:" + os.environ.get("ASAN_OPTIONS", "")}


def fail(text):
    print(text)
    BAD.append(text)


def metrics():
    return {"a.count": Metric(0x1E000001, 1, 1, COUNT, 5), "a.wide": Metric(0x1E000002, 3, 1, COUNT, 1 << 40), "a.text": Metric(0x1E000004, 6, value="hullo"),
            "a.set": Metric(0x1E000003, 1, 3, 0, {1: 10, 2: 20}, 0x1E000001, {1: "one", 2: "two two"}), "a.real": Metric(0x1E000005, 5, 3, 0, 2.5)}


def tool(*words):
    if not shutil.which(words[0]):
        return 0, ""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=ENV, cwd=TMP, timeout=300)
    return done.returncode, done.stdout


class Logger:
    def __init__(self, name, server, *words, env=None):
        self.name, self.server = name, server
        self.log = open(os.path.join(TMP, name + ".log"), "w+")
        self.process = subprocess.Popen((OURS, "log", "-h", "127.0.0.1:%d" % server.port, "-i", ".002", "--no-compress", "--metrics", "a", *words, name),
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env={**ENV, **(env or {})}, cwd=TMP)

    def said(self):
        with open(self.log.name, errors="replace") as f:
            return f.read()

    def alive(self):
        return self.process.poll() is None

    def memory(self):
        try:
            with open("/proc/%d/status" % self.process.pid) as f:
                return int(re.search(r"VmHWM:\s*(\d+)", f.read()).group(1))
        except (OSError, AttributeError):
            return 0

    def wait(self, done, what, timeout=240):
        """Until @done() is true."""
        end = time.monotonic() + timeout
        while not done():
            if not self.alive() or time.monotonic() > end:
                fail("%s: %s while waiting for %s: %s" % (self.name, "still there" if self.alive() else "ended", what, self.said()[-600:]))
                return False
            time.sleep(0.01)
        return True

    def wait_fetches(self, n):
        goal = self.server.fetches + n
        return self.wait(lambda: self.server.fetches >= goal, "%d more samples" % n)

    def end(self, true=None, quiet=True, rc=0):
        """@true: the last value by metric."""
        memory = self.memory()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail("%s: does not end" % self.name)
            return
        self.server.stop()
        said = self.said()
        if status != rc or "ERROR: " in said or "runtime error" in said:
            fail("%s: status %d: %s" % (self.name, status, said[-1200:]))
        if memory > MOST_KB:
            fail("%s: took %d MB" % (self.name, memory >> 10))
        status, out = tool("pmlogcheck", self.name)
        if status != 0 or (quiet and out):
            fail("%s: pmlogcheck: %s" % (self.name, out[:600]))
        done = subprocess.run((OURS, "verify", self.name), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=ENV, cwd=TMP, timeout=300)
        if done.returncode != 0:
            fail("%s: verify: %s" % (self.name, done.stdout[:600]))
        status, dump = tool("pmdumplog", self.name)
        if status != 0:
            fail("%s: pmdumplog: %s" % (self.name, dump[-600:]))
        for metric, value in (true or {}).items():
            values = re.findall(r"\(%s\): value (.*)" % re.escape(metric), dump)
            if dump and values[-1:] != [value]:
                fail("%s: the last value of %s is %s, not %s" % (self.name, metric, values[-1:], value))
        return dump


TRUE = {"a.count": "5", "a.wide": "1099511627776", "a.text": '"hullo"', "a.real": "2.5"}


class Planned(Pmcd):
    """Connection number n has plan(n), a function of (kind, answer) that gives what is sent, or None to end. It ends after two samples, but not the last."""

    def __init__(self, plan, last, **more):
        self.plan, self.last = plan, last
        self.lock = threading.Lock()
        self.plans = {}
        self.served = 0
        self.fetched = {}
        super().__init__(metrics(), notes=True, **more)

    def send(self, conn, kind, body, answer):
        with self.lock:
            if conn not in self.plans:
                self.served += 1
                self.plans[conn] = [self.served, 0, self.plan(self.served) if self.served < self.last else None]
            mine = self.plans[conn]
        if mine[2] is None:
            conn.sendall(answer)
            return
        answer = mine[2](kind, answer)
        if answer is not None:
            conn.sendall(answer)
        if answer is None:
            raise OSError("ended")
        if kind in (fakepmcd.FETCH, fakepmcd.HIGHRES_FETCH):
            mine[1] += 1
            self.fetched[mine[0]] = mine[1]
            if mine[1] == 3:  # the first asks for the host's name
                raise OSError("ended")


@functools.cache
def conversation(features):
    """The answers of one honest connection, (kind, bytes) in order."""
    seen = []

    def plan(n):
        def note(kind, answer):
            if n == 1:
                seen.append((kind, answer))
            return answer
        return note

    server = Planned(plan, 2, features=features)
    job = Logger("honest%x" % features, server)
    job.wait(lambda: server.served >= 2, "two connections")
    job.wait_fetches(4)
    job.end(TRUE)
    return seen


def every_byte(features, step=1):
    """The connection ends after each byte of the conversation, or each @step of them. The first one must be whole, else there is no recording."""
    total = sum(len(a) for _, a in conversation(features)) // step

    def plan(n):
        left = [(n - 1) * step if n > 1 else total * step]

        def cut(kind, answer):
            part = answer[:left[0]]
            left[0] -= len(part)
            if left[0] == 0 and n > 1:
                server.open[-1].sendall(part)
                return None
            return part
        return cut

    server = Planned(plan, total, features=features)
    job = Logger("bytes%x" % features, server)
    if job.wait(lambda: server.served >= total, "%d connections" % total):
        job.wait_fetches(4)
    dump = job.end(TRUE)
    for found in set(re.findall(r'\(a\.\w+\): value (.*)|value (\d+)', dump or "")):
        if not set(found) & {"5", "1099511627776", '"hullo"', "2.5", "10", "20"}:
            fail("%s: a value that was not said: %s" % (job.name, found))


def lies(features, how_many):
    """One word, or some bytes, of one answer say something else."""
    chance = random.Random("%s-%x" % (SEED, features))
    seen = conversation(features)
    words = [0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x00FFFFFF, 0x06FFFFFF, 0x10000]

    def plan(n):
        which = chance.randrange(len(seen))
        at = chance.randrange(max(1, len(seen[which][1]) // 4)) * 4
        kind_of_lie = chance.randrange(6)
        count = [0]

        def lie(kind, answer):
            count[0] += 1
            if n == 1 or count[0] - 1 != which or len(answer) < at + 4:
                return answer
            if kind_of_lie == 0:
                spoilt = bytearray(answer)
                for _ in range(chance.randrange(1, 8)):
                    spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
                return bytes(spoilt)
            if kind_of_lie == 1:
                return chance.choice(seen)[1]
            old = struct.unpack(">I", answer[at:at + 4])[0]
            new = chance.choice(words + [old + 1, old - 1, old ^ 0x01000000, old << 8, old >> 8])
            return answer[:at] + struct.pack(">I", new & 0xFFFFFFFF) + answer[at + 4:]
        return lie

    server = Planned(plan, how_many, features=features)
    job = Logger("lies%x" % features, server, env={"PMCD_REQUEST_TIMEOUT": ".2"})
    if job.wait(lambda: server.served >= how_many, "%d connections" % how_many):
        job.wait_fetches(6)
    job.end(quiet=False)


def out_of_order():
    """Two answers of a kind change places: never taken for each other. The second connection has them, and must be ended by the logger."""
    for kind in (fakepmcd.DESC_REQ, fakepmcd.TEXT_REQ, fakepmcd.LABEL_REQ, fakepmcd.INSTANCE_REQ):
        def plan(n, kind=kind):
            held = []
            skip = [kind == fakepmcd.TEXT_REQ]  # two texts of one metric look alike

            def swap(k, answer):
                if n == 1 or k != kind or len(held) == 2:
                    return answer
                if skip[0]:
                    skip[0] = False
                    return answer
                held.append(answer)
                return b"" if len(held) == 1 else held[1] + held[0]

            if n == 2:
                for i in range(2):
                    server.metrics["a.new%d" % i] = Metric(0x1E000011 + i)
            return swap

        server = Planned(plan, 3, features=0x600)
        server.metrics["a.other"] = Metric(0x1E000006, 1, 3, 0, {1: 30}, 0x1E000002, {1: "eins"})
        job = Logger("order%x" % kind, server)
        if job.wait(lambda: server.served >= 3, "three connections"):
            job.wait_fetches(4)
        dump = job.end(TRUE)
        if dump and ('inst [1 or "one"] value 10' not in dump or '"one"] value 30' in dump or '"eins"] value 10' in dump):
            fail("%s: instances of one domain were taken for those of another" % job.name)
        if server.fetched.get(2, 0) > 2 - (kind == fakepmcd.DESC_REQ):
            fail("%s: answers in another order were believed: %s" % (job.name, job.said()[-300:]))


def another_each_time():
    """Each connection describes the metrics otherwise. What is recorded is what was said, in the units of the row, or nothing."""
    chance = random.Random(SEED)

    def plan(n):
        if n > 1:
            for i, name in enumerate(("a.count", "a.wide", "a.real", "a.set", "a.text")):
                kind = chance.choice((0, 1, 2, 3, 4, 5, 6))
                value = "5" if kind == 6 else 5.0 if kind in (4, 5) else 5 if kind in (0, 1) else chance.choice((5, 1 << 40 | 5))
                indom = chance.choice((fakepmcd.NONE, 0x1E000001, 0x1E000007))
                instances = None if indom == fakepmcd.NONE else {1: chance.choice(("one", "uno")), 2: "two two"}
                server.metrics[name] = Metric(0x1E000001 + i, kind, chance.choice((1, 3, 4)), chance.choice((0, COUNT, BYTE, KBYTE)), value, indom, instances)
        return lambda kind, answer: answer

    def restore(kind, answer):
        return answer

    server = Planned(plan, 300)
    server.metrics = {"a.count": Metric(0x1E000001, 1, 1, COUNT, 5), "a.wide": Metric(0x1E000002, 3, 3, BYTE, 5), "a.real": Metric(0x1E000003, 5, 3, 0, 5.0),
                      "a.set": Metric(0x1E000004, 1, 3, 0, 5, 0x1E000001, {1: "one", 2: "two two"}), "a.text": Metric(0x1E000005, 6, value="5")}
    job = Logger("another", server)
    if job.wait(lambda: server.served >= 300, "300 connections"):
        job.wait_fetches(4)
    dump = job.end(quiet=False)
    wide = ("5", '"5"', str(1 << 40 | 5))
    allowed = {"a.count": wide, "a.wide": wide + ("5120", str((1 << 40 | 5) * 1024)), "a.real": wide, "a.set": wide, "a.text": ('"5"',)}
    metric = None
    for line in (dump or "").splitlines():
        found = re.search(r"\((a\.\w+)\):?", line)
        metric = found.group(1) if found else metric
        value = re.search(r"value (\S+)$", line)
        if value and metric and value.group(1) not in allowed[metric]:
            if metric == "a.real" and value.group(1).startswith("1.0995"):
                continue  # a float has fewer digits
            if metric == "a.count" and value.group(1) == str((1 << 40 | 5) & 0xFFFFFFFF):
                continue  # a counter goes round
            fail("another: %s has the value %s, which nobody said" % (metric, value.group(1)))
            break


def clocks_go_anywhere():
    """The host's clock jumps back and forth by years. Version 2 ends in 2038, and says so."""
    chance = random.Random(SEED)
    now = int(time.time())
    sane = [0, 1, now - 86400, now + 86400, now - 10**9, (1 << 31) - 5]

    def jump(times, every):
        def hook(s, kind, body, answer):
            if kind != fakepmcd.HIGHRES_FETCH or s.fetches % every:
                return answer
            return answer[:16] + struct.pack(">Q", chance.choice(times)) + answer[24:]
        return hook

    for version, times in (("2", sane), ("3", sane + [1 << 31, 4 * 10**9, (1 << 32) + 5, 1 << 33, 253402300800, (1 << 64) - 1])):
        server = Pmcd(metrics(), jump(times, 3))
        job = Logger("clock" + version, server, "--archive-version", version)
        job.wait_fetches(200)
        job.end(quiet=False)
    server = Pmcd(metrics(), jump([1 << 31], 20))
    job = Logger("clock2038", server, "--archive-version", "2")
    job.process.wait(120)
    job.end(quiet=False, rc=1)
    if "has no times after January 2038" not in job.said():
        fail("clock2038: %s" % job.said())


def floods():
    """More than a host can have to tell. It is refused, or taken within bounds, and then there are values."""
    def second(kind, what, told):
        """What is sent in place of each answer of that kind on the second connection."""
        def hook(s, k, body, answer):
            if k == fakepmcd.HIGHRES_FETCH and s.connections == 1 and s.fetches == 4:
                s.metrics = {**s.metrics, **(told or {})}
                return None
            return what(s, body, answer) if k == kind and s.connections == 2 else answer
        return hook

    big = 64 << 20
    names = lambda s, b, a: pdu(fakepmcd.NAMES, struct.pack(">III", 0, 0, big // 20 - 9) + b"".join(struct.pack(">I", 14) + b"a.x%011d~~" % i for i in range(big // 20 - 9)))
    deep = lambda s, b, a: pdu(fakepmcd.NAMES, struct.pack(">III", 0, 0, 40000) + b"".join(padded(b"a." + b".".join(b"x%06d" % i for _ in range(200))) for i in range(40000)))
    people = lambda s, b, a: pdu(fakepmcd.INSTANCE, b[:4] + struct.pack(">I", 240000) + b"".join(struct.pack(">i", i) + padded(b"%0200d" % i) for i in range(240000)))
    many = lambda s, b, a: pdu(fakepmcd.INSTANCE, b[:4] + struct.pack(">I", 600000) + b"".join(struct.pack(">i", i) + padded(b"%04x" % (i & 0xFFFF)) for i in range(600000)))
    text = lambda s, b, a: pdu(fakepmcd.TEXT, b[:4] + padded(b"x" * 65000))
    long_text = lambda s, b, a: pdu(fakepmcd.TEXT, b[:4] + padded(b"x" * (big - 100)))
    json = b'{"a":"' + b"x" * 60000 + b'"}'
    label = lambda s, b, a: pdu(fakepmcd.LABEL, b + struct.pack(">II", 0, 1) + struct.pack(">iIIIHBBHH", -1, 1, 52, len(json), 2, 1, 0, 5, 60002) + json)
    crowd = {"a.n%04d" % i: Metric(0x1E000100 + i) for i in range(3000)}
    houses = {"a.n%03d" % i: Metric(0x1E000100 + i, 1, 3, 0, {1: 1}, 0x1E000100 + i, {1: "one"}) for i in range(300)}

    def same_bytes(s, body, answer):
        n, at = 500000, 12 + 20 + 12 + 500000 * 8
        sets = struct.pack(">Iii", 0x1E000003, n, 1) + b"".join(struct.pack(">II", i, at // 4) for i in range(n))
        return pdu(fakepmcd.HIGHRES_RESULT, struct.pack(">IQQ", 1, int(time.time()), 0) + sets + struct.pack(">I", 6 << 24 | 0xFFFF4) + b"y" * 0xFFFF0)

    def values(s, body, answer):
        n, at = 3 << 20, 0
        sets = struct.pack(">Iii", 0x1E000003, n, 0) + b"".join(struct.pack(">II", i, 1) for i in range(n))
        return pdu(fakepmcd.HIGHRES_RESULT, struct.pack(">IQQ", 1, int(time.time()), 0) + sets)

    cases = [("names", None, fakepmcd.TRAVERSE, names), ("long names", None, fakepmcd.TRAVERSE, deep), ("long instances", None, fakepmcd.INSTANCE_REQ, people),
             ("instances", None, fakepmcd.INSTANCE_REQ, many), ("texts", crowd, fakepmcd.TEXT_REQ, text), ("a text", None, fakepmcd.TEXT_REQ, long_text),
             ("labels", crowd, fakepmcd.LABEL_REQ, label), ("instances of all", houses, fakepmcd.INSTANCE_REQ, people)]
    for name, told, kind, what in cases:
        server = Pmcd(metrics(), second(kind, what, told), notes=True)
        job = Logger("flood-" + name.replace(" ", ""), server, env={"PMCD_REQUEST_TIMEOUT": "60"})
        job.wait(lambda: server.fetches > 12, "more samples")
        if os.environ.get("SHOW"):
            print("%s: %d MB, %d connections: %s" % (job.name, job.memory() >> 10, server.connections, job.said().splitlines()[1:]))
        job.end(TRUE, quiet=False)
    one = {"a.set": Metric(0x1E000003, 6, 3, 0, {1: "x"}, 0x1E000001, {1: "one"})}
    number = {"a.set": Metric(0x1E000003, 1, 3, 0, {1: 10}, 0x1E000001, {1: "one"})}
    for name, told, what in (("same bytes", one, same_bytes), ("values", number, values)):
        server = Pmcd(told, lambda s, k, b, a, what=what: what(s, b, a) if k == fakepmcd.HIGHRES_FETCH and s.fetches == 4 else a)
        job = Logger("flood-" + name.replace(" ", ""), server, env={"PMCD_REQUEST_TIMEOUT": "60"})
        job.wait(lambda: server.fetches > 8, "more samples")
        job.end(quiet=False)


def never_the_same():
    """Names and instances that come and go with each sample: what is gone takes no memory."""
    def others(s, kind, body, answer):
        if kind == fakepmcd.HIGHRES_FETCH:
            first = s.fetches * 200
            s.metrics["a.set"] = Metric(0x1E000003, 1, 3, 0, 1, 0x1E000001, {i: "instance %d of %s" % (i, "x" * 100) for i in range(first, first + 200)})
            s.metrics["a.new%d" % s.fetches] = Metric(0x1E000100 + s.fetches % 800, 1, 3, 0, 7)
            return error(16) + answer
        return answer

    server = Pmcd(metrics(), others)
    job = Logger("new", server)
    job.wait_fetches(20)
    before = job.memory()
    job.wait_fetches(150)
    after = job.memory()
    if after - before > 100 << 10:
        fail("new: memory grew from %d to %d MB" % (before >> 10, after >> 10))
    job.end(quiet=False)


CASES = {"bytes": lambda: (every_byte(0xE00), every_byte(0, 5)), "lies": lambda: (lies(0xE00, 300), lies(0x600, 150), lies(0, 100)), "order": out_of_order,
         "another": another_each_time, "clocks": clocks_go_anywhere, "floods": floods, "new": never_the_same}


def run(cases):
    for case in cases:
        try:
            CASES[case]()
        except Exception as e:  # a thread's would be lost
            fail("%s: %r" % (case, e))


if __name__ == "__main__":
    wanted = sys.argv[3:] or list(CASES)
    try:
        # Floods take the memory's time and the others wait for connections: one beside the other.
        parts = [[case for case in wanted if (case == "floods") == floods_only] for floods_only in (True, False)]
        threads = [threading.Thread(target=run, args=(part,)) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        if not BAD or not os.environ.get("KEEP"):
            shutil.rmtree(TMP, ignore_errors=True)
        else:
            print(TMP)
    sys.exit(1 if BAD else 0)

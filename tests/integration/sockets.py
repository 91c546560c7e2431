#!/usr/bin/env python3
"""sockets.py BUILD - text over connections: the forms of collectl 4.3.1 (run beside ours where it is installed), documents, slow readers.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BUILD = os.path.abspath(sys.argv[1])
PEER = os.path.join(BUILD, "compat", "collectl")
OURS = os.path.join(BUILD, "perfolio")
REFERENCE = shutil.which("collectl")
HOST = os.uname().nodename.split(".")[0]
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(*words):
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, TZ="UTC", LC_ALL="C", HOME="/nonexistent"))


def finish(p, what, status=0):
    out, err = p.communicate(timeout=60)
    if p.returncode != status:
        fail("%s: status %d, not %d: %s %s" % (what, p.returncode, status, out[:200], err[:200]))
    return out, err


class Reader(threading.Thread):
    """All that comes over one connection."""

    def __init__(self, s):
        super().__init__(daemon=True)
        self.s = s
        self.data = bytearray()
        self.start()

    def run(self):
        try:
            while True:
                more = self.s.recv(65536)
                if not more:
                    return
                self.data += more
        except OSError:
            pass

    def text(self):
        self.join(60)
        return self.data.decode()

    def wait_for(self, lines):
        until = time.time() + 40
        while self.data.count(b"\n") < lines and time.time() < until and self.is_alive():
            time.sleep(0.02)


def to_one(program, *words, family=socket.AF_INET, address="127.0.0.1", status=0):
    """What a program sends to the one that it connects to, and what it prints."""
    with socket.socket(family) as listener:
        listener.bind((address, 0))
        listener.listen()
        listener.settimeout(60)
        at = ("[%s]:%d" if family == socket.AF_INET6 else "%s:%d") % (address, listener.getsockname()[1])
        p = start(program, *words, "-A", at)
        s, _ = listener.accept()
        with s:
            text = Reader(s).text()
        out, _ = finish(p, "%s %s" % (os.path.basename(program), words), status)
        return text, out


def connect(port):
    until = time.time() + 40
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except OSError:
            if time.time() > until:
                raise
            time.sleep(0.02)


def shape(text):
    """Numbers and their blanks are the host's; the rest is the program's."""
    return re.sub(r" +", " ", re.sub(r"[0-9.]+[KMG]?", "9", text))


def beside_collectl():
    cases = (("-scd",), ("-scd", "--verbose"), ("-sc", "-P"), ("-sm", "--export", "lexpr"), ("--vmstat",), ("-sc", "-oT"))
    for words in cases:
        ours, out = to_one(PEER, *words, "-i1", "-c2", "--nohup")
        if out != "waiting for 1 second sample...\n":
            fail("%s: the terminal shows %r" % (words, out))
        for line in ours.splitlines():
            if not line.startswith(HOST + " ") and line != ">>><<<":
                fail("%s: no prefix: %r" % (words, line))
        if REFERENCE:
            theirs, out2 = to_one(REFERENCE, *words, "-i1", "-c2", "--nohup")
            days = "Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
            a, b = (re.sub(days, "x", shape(t)) for t in (ours, theirs))
            if a != b or out != out2:
                fail("%s: collectl sends %r, ours %r" % (words, b, a))


def refusals():
    for words, text in ((("-sq",), "invalid subsystem 'q'"), (("-sc", "--verbose", "-P"), "can't use -P with --verbose"),
                        (("-sc", "--home"), "--home cannot be used with -A"), (("-p", "x.raw.gz"), "-p not allowed with -A")):
        for program in filter(None, (PEER, REFERENCE)):
            got, out = to_one(program, *words, status=1)
            want = "".join("%s %s\n" % (HOST, t) for t in ("Error: " + text, "type 'collectl -h' for help"))
            if got != want or out:
                fail("%s %s: %r and %r" % (program, words, got, out))
    port = free_port()
    for program in filter(None, (PEER, REFERENCE)):
        for words, text in ((("-A", "127.0.0.1:%d" % port), "Could not create socket to 127.0.0.1:%d.  Reason: Connection refused" % port),
                            (("-A", "server:%d" % port, "-p", "x.raw.gz"), "-p not allowed with -A"),
                            (("-A", "server:abc"), "Could not create local socket on port abc  Reason: ")):
            out, _ = finish(start(program, "-sc", "-c1", *words), "%s %s" % (program, words), 1)
            if out != "Error: %s\ntype 'collectl -h' for help\n" % text:
                fail("%s %s: %r" % (program, words, out))
    for words, status in ((("-A", "127.0.0.1:%d" % port), 1), (("-A", "server:99999"), 1), (("-A", "server:%d" % port, "--home"), 2),
                          (("-A", "server:%d" % port, "--output", "x"), 2), (("-A", "no-such-host.invalid:1"), 1), (("-A", ":1"), 1)):
        out, err = finish(start(OURS, "-sc", "-c1", *words), "perfolio %s" % (words,), status)
        if out or err.count("\n") != 1:
            fail("perfolio %s: %r %r" % (words, out, err))


def peer_goes():
    """The other end hangs up: a clean end, soon."""
    for program in (PEER, OURS):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            p = start(program, "-sc", "-i0.1", "-A", "127.0.0.1:%d" % listener.getsockname()[1], "--nohup")
            s, _ = listener.accept()
            s.recv(10)
            s.close()
            _, err = finish(p, "%s whose reader is gone" % program)
            if "Shutting down due to a broken pipe" not in err:
                fail("%s: says %r" % (program, err))


def clients():
    """Several, who come and go; each sees whole lines."""
    port = free_port()
    p = start(PEER, "-scd", "-i0.2", "-c40", "-A", "server:%d" % port, "--nohup")
    readers = [Reader(connect(port)) for _ in range(5)]
    readers[0].wait_for(3)
    readers[1].s.close()
    late = Reader(connect(port))
    finish(p, "the server")
    for r in [readers[0]] + readers[2:] + [late]:
        text = r.text()
        if not text.endswith("\n") or not re.fullmatch(r"(#.*\n| [ 0-9KMG]+\n)+", text):
            fail("a client got %r" % text[:300])
    if late.text().startswith("#") and len(late.text()) < 1000:
        fail("collectl gives no heading to those who come later")
    port = free_port()
    p = start(OURS, "-scd", "-oT", "-i0.2", "-c20", "-A", "server:%d" % port)
    first = Reader(connect(port))
    first.wait_for(5)
    late = Reader(connect(port))
    six = Reader(socket.create_connection(("::1", port))) if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6") else late
    finish(p, "the server")
    for r in (late, six):
        if not r.text().startswith("#         <--") or r.text().count("#Time") != 1:
            fail("who comes later gets no heading, or two: %r" % r.text()[:200])


def documents():
    """Each client gets a document from its first byte."""
    for words in (("json",), ("json,pretty",), ("jsonl",), ("xml",), ("csv",)):
        port = free_port()
        p = start(OURS, "-scm", "-i0.2", "-c20", "--oformat", *words, "-A", "server:%d" % port)
        first = Reader(connect(port))
        first.wait_for(500 if "pretty" in words[0] else 3)
        late = Reader(connect(port))
        late.wait_for(2)
        finish(p, "the server")
        counts = []
        for r in (first, late):
            text = r.text()
            try:
                if words[0].startswith("json") and words[0] != "jsonl":
                    counts.append(len(json.loads(text)["perfolio"]["samples"]))
                elif words[0] == "jsonl":
                    counts.append(len([json.loads(line) for line in text.splitlines()]))
                elif words[0] == "xml" and shutil.which("xmllint"):
                    subprocess.run(("xmllint", "--noout", "-"), input=text, text=True, check=True)
                elif words[0] == "csv" and not text.startswith("timestamp,"):
                    fail("csv without its heading: %r" % text[:80])
            except (ValueError, KeyError, subprocess.CalledProcessError) as e:
                fail("%s: %s: %r" % (words, e, text[:200]))
        if counts and counts[1] >= counts[0]:
            fail("%s: the late client has %s" % (words, counts))
    text, _ = to_one(OURS, "-sc", "-i0.2", "-c3", "--oformat", "json")
    if len(json.loads(text)["perfolio"]["samples"]) != 3:
        fail("a document to one: %r" % text[:200])


def records():
    """lexpr: records end with their mark, for all; with -f raw text goes on beside."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        p = start(PEER, "-scm", "-i1", "-c3", "--export", "lexpr", "-f", folder, "-A", "server:%d" % port, "--nohup")
        text = Reader(connect(port)).text()
        out, _ = finish(p, "lexpr")
        if text.count(">>><<<\n") != 3 or not text.endswith(">>><<<\n") or text.count("sample.time") != 3 or out:
            fail("lexpr to a client: %r, printed %r" % (text[:200], out))
        files = os.listdir(folder)
        if len(files) != 1 or not files[0].endswith(".raw.gz"):
            fail("lexpr with -A and -f leaves %s" % files)
    for program, expected in ((PEER, 0), (OURS, 3)):
        with tempfile.TemporaryDirectory() as folder:
            text, _ = to_one(program, "-sc", "-i1", "-c3", "-oT", "-f", folder, "--nohup")
            n = len([line for line in text.splitlines() if re.search(r"\d\d:\d\d:\d\d ", line)])
            if n != expected or not any(f.endswith(".raw.gz") for f in os.listdir(folder)):
                fail("%s with -A and -f: %d lines, files %s" % (program, n, os.listdir(folder)))


def files_beside():
    """collectl sends the header of the plot files first when it writes such files, too; we send headings and lines."""
    for program, headed in ((PEER, True), (OURS, False)):
        with tempfile.TemporaryDirectory() as folder:
            text, _ = to_one(program, "-sc", "-i0.2", "-c3", "-P", "-oz", "-f", folder + "/", "--nohup")
            lines = [line.split(" ", 1)[1] for line in text.splitlines()]
            names = [n for n in os.listdir(folder) if n.endswith(".tab")]
            if len(names) != 1:
                fail("%s -P -f with -A leaves %s" % (program, os.listdir(folder)))
                continue
            with open(os.path.join(folder, names[0])) as f:
                written = [line for line in f.read().splitlines() if headed or not re.match("##|# [A-Z]", line)]
            clock = re.compile("# (Booted|Date):") # each header asks the clock anew
            if [line for line in lines if not clock.match(line)] != [line for line in written if not clock.match(line)]:
                fail("%s -P -f with -A sends\n%s\nand writes\n%s" % (program, "\n".join(lines), "\n".join(written)))


def slow_readers():
    """Who does not read is dropped or misses records; samples stay on time, others get all."""
    port = free_port()
    p = start(OURS, "-scdnmCDNyY", "-i0.05", "-c300", "--oformat", "json", "-A", "server:%d" % port)
    good = connect(port)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.connect(("127.0.0.1", port))
    good = Reader(good)
    _, err = finish(p, "the server with a slow client")
    if err.count("reads too slowly") != 1:
        fail("a slow client is told of as %r" % err)
    samples = json.loads(good.text())["perfolio"]["samples"]
    if len([s for s in samples if "metrics" in s]) < 300 - 20:
        fail("the other client has only %d samples" % len(samples))
    slow.close()
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        p = start(OURS, "-scdnmCDNyY", "-i0.05", "-c300", "--oformat", "jsonl", "-A", "127.0.0.1:%d" % listener.getsockname()[1])
        s, _ = listener.accept()
        _, err = finish(p, "the client of a slow reader")
        if "reads too slowly, records are left out" not in err or not re.search(r"missed \d+ records", err):
            fail("a slow reader is told of as %r" % err)
        s.close()


def ends():
    """A signal completes every client's document."""
    port = free_port()
    p = start(OURS, "-sc", "-i0.1", "--oformat", "json", "-A", "server:%d" % port)
    readers = [Reader(connect(port)) for _ in range(3)]
    for r in readers:
        r.wait_for(3)
    p.send_signal(signal.SIGTERM)
    finish(p, "the server")
    for r in readers:
        json.loads(r.text())


def six():
    try:
        text, _ = to_one(OURS, "-sc", "-i0.2", "-c2", family=socket.AF_INET6, address="::1")
    except OSError:
        return
    if text.count("\n") != 4:
        fail("over IPv6: %r" % text)


for case in (beside_collectl, refusals, peer_goes, clients, documents, records, files_beside, slow_readers, ends, six):
    case()
sys.exit(1 if BAD else 0)

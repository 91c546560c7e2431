#!/usr/bin/env python3
"""openmetrics.py BUILD - metrics for Prometheus, read strictly: by our reader and, if it is installed, by prometheus_client."""
import gzip
import os
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
import openmetrics_check  # noqa: E402  pylint: disable=wrong-import-position

try:
    from prometheus_client.openmetrics import parser as open_parser
    from prometheus_client import parser as plain_parser
except ImportError:
    open_parser = plain_parser = None

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
RAW = os.path.join(HERE, "..", "golden", "collectl", "raw", "cdnm-vm-20261130-035602.raw.gz")
OPEN = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PLAIN = "text/plain; version=0.0.4; charset=utf-8"
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def run(*words):
    return subprocess.run([OURS, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)


def strict(what, data, form, least=50):
    """Our reader, then the other one; both must find the same number of series."""
    text = data.decode("utf-8")
    faults, n = openmetrics_check.check(text, form)
    for fault in faults[:5]:
        fail("%s: %s" % (what, fault))
    if n < least:
        fail("%s: only %d series" % (what, n))
    if not open_parser:
        return
    try:
        parse = open_parser if form == "open" else plain_parser
        m = sum(len(f.samples) for f in parse.text_string_to_metric_families(text))
        if m != n:
            fail("%s: prometheus_client finds %d series of %d" % (what, m, n))
    except ValueError as e:
        fail("%s: prometheus_client says: %s" % (what, e))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """perfolio that serves, ready when it answers."""

    def __init__(self, *words, interval="0.5"):
        self.port = free_port()
        self.p = subprocess.Popen([OURS, *words, "-i", interval, "--export", "openmetrics,127.0.0.1:%d" % self.port],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until = time.time() + 30
        while time.time() < until:
            try:
                if self.ask(b"GET /metrics HTTP/1.1\r\n\r\n")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        fail("the server does not answer: %s" % self.p.stderr)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def ask(self, request):
        with self.connect() as s:
            s.sendall(request)
            data = b""
            while True:
                more = s.recv(65536)
                if not more:
                    break
                data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:])}
        return int(lines[0].split()[1]), fields, body

    def get(self, path="/metrics", method="GET", **fields):
        head = "".join("%s: %s\r\n" % (k.replace("_", "-"), v) for k, v in fields.items())
        return self.ask(("%s %s HTTP/1.1\r\nHost: x\r\n%s\r\n" % (method, path, head)).encode())

    def end(self):
        self.p.terminate()
        out, err = self.p.communicate(timeout=30)
        if self.p.returncode != 0 or out or err:
            fail("the server ends with %d, says %r %r" % (self.p.returncode, out[:200], err[:200]))


def printed():
    r = run("-scdnmCDN", "-i", "0.2", "-c2", "--export", "openmetrics")
    parts = r.stdout.split(b"# EOF\n")
    if r.returncode or len(parts) != 3 or parts[2]:
        fail("printed: %d expositions, status %d" % (len(parts) - 1, r.returncode))
    for part in parts[:-1]:
        strict("printed", part + b"# EOF\n", "open")
    r = run("replay", RAW, "-c3", "--export", "openmetrics")
    parts = r.stdout.split(b"# EOF\n")
    if r.returncode or len(parts) != 4:
        fail("replayed: %d expositions, status %d" % (len(parts) - 1, r.returncode))
    strict("replayed", parts[0] + b"# EOF\n", "open")


def files():
    with tempfile.TemporaryDirectory() as folder:
        for name, form in (("a.prom", "plain"), ("b.om", "open")):
            path = os.path.join(folder, name)
            p = subprocess.Popen([OURS, "-scdn", "-i", "0.02", "-c60", "--export", "openmetrics,f=" + path], stdin=subprocess.DEVNULL)
            seen = set()
            while p.poll() is None:
                if os.path.exists(path):
                    seen.add(open(path, "rb").read())
            if p.returncode:
                fail("%s: status %d" % (name, p.returncode))
            for data in list(seen)[:10]:
                strict(name, data, form)
            if os.listdir(folder).count(name) != 1 or name + ".new" in os.listdir(folder):
                fail("%s: something is left over: %s" % (name, os.listdir(folder)))
            os.remove(path)
        if run("-scd", "-i", "0.1", "-c1", "-f", folder, "--export", "openmetrics").returncode or os.listdir(folder) != ["perfolio.prom"]:
            fail("-f FOLDER: %s" % os.listdir(folder))


def negotiation(s):
    cases = (
        ({}, PLAIN, "plain"),
        ({"Accept": "text/plain"}, PLAIN, "plain"),
        ({"Accept": "*/*"}, PLAIN, "plain"),
        ({"Accept": "application/openmetrics-text"}, OPEN, "open"),
        ({"Accept": "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1"}, OPEN, "open"),
        ({"Accept": "application/openmetrics-text;q=0.2, text/plain;q=0.9"}, PLAIN, "plain"),
        ({"Accept": "application/openmetrics-text;q=0"}, PLAIN, "plain"),
    )
    for fields, kind, form in cases:
        for packed in (None, "gzip", "gzip;q=0", "deflate, gzip;q=0.5"):
            more = dict(fields, Accept_Encoding=packed) if packed else fields
            status, head, body = s.get(**more)
            what = "%s %s" % (fields, packed)
            if status != 200 or head.get("content-type") != kind or int(head.get("content-length", -1)) != len(body):
                fail("%s: %d %s" % (what, status, head))
            wanted = packed and not packed.endswith("q=0")
            if (head.get("content-encoding") == "gzip") != bool(wanted):
                fail("%s: encoding is %s" % (what, head.get("content-encoding")))
            strict(what, gzip.decompress(body) if wanted else body, form)


def manners(s):
    for path, method, status in (("/", "GET", 200), ("/metrics?x=1", "GET", 200), ("/other", "GET", 404), ("/metrics/", "GET", 404),
                                 ("/metrics", "POST", 405), ("/metrics", "DELETE", 405), ("http://h/metrics", "GET", 200)):
        got = s.get(path, method)
        if got[0] != status:
            fail("%s %s: %d, not %d" % (method, path, got[0], status))
        if status == 405 and got[1].get("allow") != "GET, HEAD":
            fail("405 without Allow")
    status, head, body = s.get(method="HEAD")
    if status != 200 or body or int(head["content-length"]) < 1000:
        fail("HEAD: %d, %d bytes, %s" % (status, len(body), head))
    for request in (b"garbage\r\n\r\n", b"GET\r\n\r\n", b"GET /metrics FTP/1\r\n\r\n", b"\r\n\r\n", b"GET metrics HTTP/1.1\r\n\r\n",
                    b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", bytes(range(256)) + b"\n\n"):
        if s.ask(request)[0] != 400:
            fail("%r is not refused" % request[:30])


def bad_clients(s):
    """Half requests, readers that do not read, clients that go away: the others are served."""
    idle = [s.connect() for _ in range(150)]
    for c in idle[::2]:
        c.send(b"GET /metr")
    for c in idle[::5]:
        c.close()
    slow = [socket.socket() for _ in range(20)]
    for c in slow:
        c.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        c.connect(("127.0.0.1", s.port))
        c.send(b"GET /metrics HTTP/1.1\r\n\r\n")
    for _ in range(20):
        c = s.connect()
        c.send(b"GET /metrics HTTP/1.1\r\n\r\n")
        c.close()
    begin = time.time()
    for _ in range(10):
        status, _, body = s.get(Accept="application/openmetrics-text")
        if status != 200:
            fail("beside bad clients: %d" % status)
        strict("beside bad clients", body, "open")
    if time.time() - begin > 20:
        fail("bad clients hold up good ones: %.1f s" % (time.time() - begin))
    half = s.connect()
    half.send(b"GET /metrics HTTP/1.1\r\n")
    half.send(b"Accept: application/openmetrics-text\r\n\r\n")
    half.shutdown(socket.SHUT_WR)
    data = b""
    while True:
        more = half.recv(65536)
        if not more:
            break
        data += more
    if not data.endswith(b"# EOF\n") or data.count(b"# EOF") != 1:
        fail("who has said all gets no answer")
    for c in idle + slow:
        c.close()


def fresh(s):
    """Values change, and counters only grow."""
    def ctx():
        body = s.get()[2].decode()
        return float([line for line in body.split("\n") if line.startswith("kernel_all_pswitch_total ")][0].split()[1])
    first, until = ctx(), time.time() + 20
    while time.time() < until:
        now = ctx()
        if now < first:
            fail("a counter goes back")
        if now > first:
            return
        time.sleep(0.1)
    fail("values do not change")


def hostile():
    """Names that try to break the text: of interfaces below a root of our own."""
    names = ['a"b', "c\\d", "e\\\"f", "g{h}", "i,j=k", "\x1b[31m", "l\xff", "l\\xff", "m=\"n\"} 1", "#o", "\u00e9\u4e2d"]
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "proc"))
        lines = ["Inter-|   Receive |  Transmit", " face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls "
                 "carrier compressed"]
        lines += ["%s: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16" % n for n in names if " " not in n]
        os.mkdir(os.path.join(root, "proc", "net"))
        with open(os.path.join(root, "proc", "net", "dev"), "wb") as f:
            f.write("\n".join(lines).encode("utf-8", "surrogateescape").replace("l\u00ff".encode(), b"l\xff") + b"\n")
        r = run("--root", root, "-sN", "-i", "0.1", "-c1", "--quiet", "--export", "openmetrics")
        strict("hostile names", r.stdout, "open", least=10)
        if b"\x1b" in r.stdout:
            fail("an escape of a terminal comes through")
        r = run("--root", root, "-sN", "-i", "0.1", "-c1", "--quiet", "--export", "openmetrics,f=" + os.path.join(root, "x.prom"))
        strict("hostile names", open(os.path.join(root, "x.prom"), "rb").read(), "plain", least=10)


def refused():
    port = free_port()
    with socket.socket() as s:
        s.bind(("127.0.0.1", port))
        s.listen()
        r = run("-sc", "-c1", "--export", "openmetrics,127.0.0.1:%d" % port)
        if r.returncode != 1 or b"in use" not in r.stderr:
            fail("a port in use: %d %r" % (r.returncode, r.stderr))
    for words in (("--export", "openmetrics,x:0"), ("--export", "openmetrics,bogus"), ("--export", "openmetrics,i=3")):
        if run("-sc", "-c1", *words).returncode != 2:
            fail("%s is not refused" % (words,))
    if run("replay", RAW, "--export", "openmetrics,:%d" % port).returncode == 0:
        fail("a recording is served")


def main():
    printed()
    files()
    hostile()
    refused()
    s = Server("-scdnmCDN")
    negotiation(s)
    manners(s)
    fresh(s)
    bad_clients(s)
    s.end()
    s = Server("-scZY")
    strict("processes", s.get(Accept="application/openmetrics-text")[2], "open", least=500)
    s.end()
    sys.exit(1 if BAD else 0)


main()

#!/usr/bin/env python3
"""exporters.py BUILD - exporters against receivers on this host: datagrams byte for byte, listeners that are slow, absent, closing.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

BUILD = os.path.abspath(sys.argv[1])
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "collectl", "raw")
RAW = os.path.join(GOLDEN, "cdnm-vm-20261130-035602.raw.gz")
PEER = os.path.join(BUILD, "compat", "collectl")
OURS = os.path.join(BUILD, "perfolio")
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def run(*words, timeout=60):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, text=True,
                          env=dict(os.environ, TZ="UTC", LC_ALL="C"), check=False)


def text(s):
    b = s.encode()
    return struct.pack(">I", len(b)) + b + b"\0" * (-len(b) % 4)


def packets(name, units, group, value, ttl):
    head = text("vm") + text(name) + struct.pack(">I", 0)
    pairs = struct.pack(">I", 1) + text("GROUP") + text(group)
    yield struct.pack(">I", 0x80) + head + text("double") + text(name) + text(units) + struct.pack(">III", 3, 2 * ttl, 4 * ttl) + pairs
    yield struct.pack(">I", 0x85) + head + text("%s") + text(value)


def ganglia():
    """What --export gexpr,d=9 prints is what it sends without."""
    rows = re.findall(r"Name: (\S+) +Units: (\S+) +Val: +(\d+) Group: (\S+) +TTL: +(\d+)",
                      run(PEER, "-p", RAW, "-scm", "--export", "gexpr,127.0.0.1:9,d=9").stdout)
    want = [p for name, units, value, group, ttl in rows for p in packets(name, units, group, value, int(ttl))]
    if len(want) < 600:
        fail("gexpr: only %d packets are announced" % len(want))
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    s.bind(("127.0.0.1", 0))
    s.settimeout(10)
    got = []

    def receive():
        try:
            while len(got) < len(want):
                got.append(s.recv(65536))
        except socket.timeout:
            pass

    thread = threading.Thread(target=receive)
    thread.start()
    run(PEER, "-p", RAW, "-scm", "--export", "gexpr,127.0.0.1:%d" % s.getsockname()[1])
    thread.join()
    s.close()
    for i, (w, g) in enumerate(zip(want, got)):
        if w != g:
            fail("gexpr: packet %d is %s, not %s" % (i, g.hex(), w.hex()))
            return
    if len(got) != len(want):
        fail("gexpr: %d packets of %d came" % (len(got), len(want)))


class Listener:
    """Takes connections one after the other; @manner does something with each."""

    def __init__(self, manner, small=False):
        self.lines = []
        self.connections = 0
        self.manner = manner
        self.s = socket.socket()
        if small:
            self.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.s.bind(("127.0.0.1", 0))
        self.s.listen(16)
        self.s.settimeout(0.2)
        self.port = self.s.getsockname()[1]
        self.over = False
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        while True:  # what stands in the queue is read even when it is over
            try:
                c, _ = self.s.accept()
            except socket.timeout:
                if self.over:
                    return
                continue
            self.connections += 1
            c.settimeout(5)
            self.manner(self, c)
            c.close()

    def read(self, c):
        data = b""
        try:
            while True:
                piece = c.recv(65536)
                if not piece:
                    break
                data += piece
        except OSError:
            pass
        self.lines += data.decode().splitlines()

    def close(self):
        self.over = True
        self.thread.join()
        self.s.close()


def graphite_lines():
    """Every value of every sample comes, once, with the host, prefix, postfix and time."""
    listener = Listener(Listener.read)
    out = run(OURS, "replay", RAW, "-sdn", "--export", "graphite,127.0.0.1:%d,b=site.,p=.eu" % listener.port)
    listener.close()
    if out.returncode != 0 or out.stderr:
        fail("graphite: status %d, %s" % (out.returncode, out.stderr))
    want = re.compile(r"site\.vm\.eu\.(disktotals\.(reads|readkbs|writes|writekbs)|nettotals\.(kb|pkt)(in|out)) \d+ 17960109\d\d")
    wrong = [line for line in listener.lines if not want.fullmatch(line)]
    if wrong:
        fail("graphite: a line is %r" % wrong[0])
    if len(listener.lines) != 14 * 8 or len(set(listener.lines)) != 14 * 8:
        fail("graphite: %d lines came, not %d" % (len(listener.lines), 14 * 8))


def times_of(*words):
    """Sample times of a live run, from its debug lines."""
    out = run(OURS, "-sc", "-i", "0.25", "-c", "8", "--export", *words, timeout=60)
    if out.returncode != 0:
        fail("%s: status %d, %s" % (words[0], out.returncode, out.stderr))
    return re.findall(r"^(\S+) Name: cputotals\.user ", out.stdout, re.M), out.stderr


def on_time(what, stamps):
    """Samples come every quarter of a second whatever the listener does; that is judged by their number in the time that the run took."""
    if len(stamps) != 8:
        fail("graphite, %s: %d samples of 8" % (what, len(stamps)))
        return
    s = [int(h) * 3600 + int(m) * 60 + float(r) for h, m, r in (t.split(":") for t in stamps)]
    if not 0 < (s[-1] - s[0]) % 86400 < 10:
        fail("graphite, %s: 8 samples took %.1f seconds" % (what, s[-1] - s[0]))


def graphite_absent():
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]
    s.close()
    stamps, err = times_of("graphite,127.0.0.1:%d,d=1" % port)
    on_time("absent", stamps)
    if "refused" not in err or err.count("refused") > 3:
        fail("graphite, absent: told %d times" % err.count("refused"))


def graphite_slow():
    """A listener that accepts and never reads, with a queue that fills."""
    gone = threading.Event()
    listener = Listener(lambda self, c: gone.wait(60), small=True)
    stamps, _ = times_of("graphite,127.0.0.1:%d,d=1,b=%s" % (listener.port, "x" * 200))
    on_time("slow", stamps)
    gone.set()
    listener.close()


def graphite_closing():
    """A listener that closes at once: the run goes on and later reports come."""
    def manner(self, c):
        if self.connections > 2:
            self.read(c)
    listener = Listener(manner)
    stamps, _ = times_of("graphite,127.0.0.1:%d,d=1" % listener.port)
    listener.close()
    on_time("closing", stamps)
    if listener.connections < 3 or not listener.lines:
        fail("graphite, closing: %d connections, %d lines" % (listener.connections, len(listener.lines)))


def graphite_delay():
    """With r= reports are sent at some time before the next sample; none is lost, also not the last one."""
    listener = Listener(Listener.read)
    stamps, err = times_of("graphite,127.0.0.1:%d,d=1,s=c,r=5" % listener.port)
    listener.close()
    on_time("delay", stamps)
    n = sum(" " in line and ".cputotals.user " in line for line in listener.lines)
    if n != 8 or err:
        fail("graphite, delay: %d reports of 8 came, %s" % (n, err))


def graphite_late():
    """A listener that comes late gets what was kept."""
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]
    child = subprocess.Popen([OURS, "-sc", "-i", "0.2", "-c", "20", "--export", "graphite,127.0.0.1:%d,s=c" % port],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in child.stderr:
        if "refused" in line:
            break
    s.listen(16)
    s.settimeout(30)
    lines = []
    deadline = time.monotonic() + 60
    while child.poll() is None and time.monotonic() < deadline:
        s.settimeout(1)
        try:
            c, _ = s.accept()
        except socket.timeout:
            continue
        c.settimeout(10)
        while True:
            piece = c.recv(65536)
            if not piece:
                break
            lines.append(piece)
        c.close()
    child.stderr.read()
    child.wait()
    s.setblocking(False)
    try:
        while True:
            c, _ = s.accept()
            c.setblocking(True)
            while True:
                piece = c.recv(65536)
                if not piece:
                    break
                lines.append(piece)
    except OSError:
        pass
    s.close()
    n = b"".join(lines).count(b".cputotals.user ")
    if n != 20:
        fail("graphite, late: %d reports of 20 came" % n)


def snapshot(folder):
    """-f FOLDER: the file L, whole at any time, and no text on the terminal."""
    out = run(PEER, "--quiet", "-sc", "-i", "0.1", "-c", "3", "-f", folder + "/", "--export", "lexpr")
    if out.stdout:
        fail("lexpr -f: printed %r" % out.stdout[:80])
    with open(os.path.join(folder, "L"), encoding="utf-8") as f:
        lines = f.read().splitlines()
    if not lines[0].startswith("sample.time ") or len(lines) != 21:
        fail("lexpr -f: the file has %d lines, the first is %r" % (len(lines), lines[:1]))
    if os.listdir(folder) != ["L"]:
        fail("lexpr -f: the folder has %s" % os.listdir(folder))
    named = os.path.join(folder, "named")
    run(PEER, "--quiet", "-sc", "-i", "0.1", "-c", "2", "--export", "lexpr,f=" + named)
    if not os.path.exists(named):
        fail("lexpr f=: no file")
    out = run(OURS, "-sc", "-c", "1", "-i", "0.1", "-f", named, "--export", "lexpr")
    if out.returncode == 0 or "is no folder" not in out.stderr:
        fail("lexpr -f FILE: status %d, %s" % (out.returncode, out.stderr))


def modules():
    """A module that declares its metrics has them in every exporter; hello gives its own."""
    out = run(OURS, "--import", "hello,sd", "-c", "2", "-i", "0.1", "--export", "lexpr").stdout
    if out.count("hwtotals.val ") != 2 or out.count("hwinfo.hw2.val ") != 2:
        fail("lexpr with hello: %r" % out[:200])
    declared = os.path.join(BUILD, "tests", "modules", "declared.so")
    out = run(OURS, "--import", declared + ",sd", "-c", "2", "-i", "0.1", "--export", "lexpr")
    if out.returncode != 0 or "declared." not in out.stdout:
        fail("lexpr with a module that declares: status %d, %s%s" % (out.returncode, out.stdout[:200], out.stderr))
    out = run(OURS, "--import", declared + ",sd", "-c", "2", "-i", "0.1", "--export", "gexpr,127.0.0.1:9,d=9").stdout
    if "Name: declared.gpu.bytes." not in out or "Units: byte" not in out or "Group: declared" not in out:
        fail("gexpr with a module that declares: %r" % out[:300])


def extension():
    """x= tells what one module gives behind all others; its arguments are the rest; only lexpr's way of asking is used."""
    declared = os.path.join(BUILD, "tests", "modules", "declared.so")
    for program in (OURS, PEER):
        out = run(program, "-sc", "-c", "2", "-i", "0.1", "--export", "lexpr,x=hello,sd")
        names = [line.split()[0] for line in out.stdout.splitlines()]
        if out.returncode != 0 or names[-4:] != ["hwtotals.val", "hwinfo.hw0.val", "hwinfo.hw1.val", "hwinfo.hw2.val"] or "sample.time" not in names:
            fail("lexpr x=hello: status %d, %s %s" % (out.returncode, out.stderr, names))
        if "cputotals.user" not in names:
            fail("lexpr x=hello shows no processors: %s" % names)
    out = run(OURS, "--import", "hello,s", "-c", "2", "-i", "0.1", "--export", "lexpr,x=%s,s" % declared)
    names = [line.split()[0] for line in out.stdout.splitlines()]
    if out.returncode != 0 or "hwtotals.val" not in names or not names[-1].startswith("declared.") or names.index("hwtotals.val") > 1:
        fail("lexpr x= with --import: status %d, %s %s" % (out.returncode, out.stderr, names))
    for words, status, say in (("lexpr,x=none", 1, "there is no module none.so"), ("lexpr,x=none.ph", 1, "there is no module none.ph"),
                               ("lexpr,x=", 2, "must be followed by the name of a module")):
        out = run(OURS, "-sc", "-c", "1", "-i", "0.1", "--export", words)
        if out.returncode != status or say not in out.stderr:
            fail("%s: status %d, %s" % (words, out.returncode, out.stderr))
    out = run(PEER, "-sc", "-c", "1", "-i", "1", "--export", "lexpr,x=none")
    if out.returncode != 1 or "can't find lexpr extension file 'none.ph' in ./ OR /usr/share/collectl/" not in out.stdout + out.stderr:
        fail("collectl lexpr,x=none: status %d, %s%s" % (out.returncode, out.stdout, out.stderr))
    with tempfile.TemporaryDirectory(prefix="exporters.") as folder:
        script = os.path.join(folder, "mine.ph")
        with open(script, "w", encoding="ascii") as f:
            f.write("1;\n")
        out = run(OURS, "-sc", "-c", "1", "-i", "0.1", "--export", "lexpr,x=" + script[:-3])
        if out.returncode != 1 or "is a script" not in out.stderr:
            fail("lexpr x= with a script: status %d, %s" % (out.returncode, out.stderr))


def multicast():
    """gexpr to a group: in a network of its own, where lo carries it. Not where that cannot be had."""
    inside = "ip link set lo up multicast on && ip route add 239.0.0.0/8 dev lo && exec python3 %s %s multicast" % (sys.argv[0], BUILD)
    out = run("unshare", "-rn", "sh", "-c", inside)
    if "received" not in out.stdout and "multicast" in out.stdout:
        fail(out.stdout.strip())


def multicast_inside():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("239.2.11.71", 0))
    s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("239.2.11.71") + socket.inet_aton("127.0.0.1"))
    s.settimeout(20)
    port = s.getsockname()[1]
    child = subprocess.Popen((OURS, "-sc", "-c", "3", "-i", "0.1", "--export", "gexpr,239.2.11.71:%d" % port), stdin=subprocess.DEVNULL)
    try:
        first = s.recv(65536)
        if first[:4] != struct.pack(">I", 0x80):
            fail("gexpr multicast: the first packet describes nothing: %s" % first.hex())
        else:
            print("received")
    except socket.timeout:
        fail("gexpr multicast: nothing came")
    child.wait(30)


def main():
    if sys.argv[2:] == ["multicast"]:
        multicast_inside()
        return
    with tempfile.TemporaryDirectory(prefix="exporters.") as folder:
        snapshot(folder)
    modules()
    extension()
    multicast()
    ganglia()
    graphite_lines()
    graphite_absent()
    graphite_slow()
    graphite_closing()
    graphite_delay()
    graphite_late()
    sys.exit(1 if BAD else 0)


main()

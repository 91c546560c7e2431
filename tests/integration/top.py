"""top.py BUILD [collectl] - --top, --home and keys on a pseudo terminal: what is drawn, by which controls, and how the terminal is left."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

build = sys.argv[1]
peer = sys.argv[2] if len(sys.argv) > 2 else None
perfolio = build + "/perfolio"
ours = build + "/compat/collectl"
bad = 0
DEADLINE = 60


def fail(text):
    global bad
    print(text)
    bad = 1


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, command, rows=24, columns=80):
        self.master, self.slave = pty.openpty()
        self.size(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.out = b""
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in (0, 1, 2):
                os.dup2(self.slave, fd)
            os.closerange(3, 64)
            os.environ.update(TERM="vt100", TZ="UTC", LC_ALL="C")
            os.execv(command[0], command)

    def size(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, until):
        """Take in what is drawn until @until says that it is enough. Return: did it?"""
        end = time.monotonic() + DEADLINE
        while not until(self.out):
            if time.monotonic() > end:
                return False
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                self.out += os.read(self.master, 65536)
        return True

    def type(self, keys):
        os.write(self.master, keys)

    def end(self, number=None):
        """Wait for the end, by signal @number if one is given. Return: wait status."""
        if number:
            os.kill(self.pid, number)
        end = time.monotonic() + DEADLINE
        status = None
        while status is None:
            ready, _, _ = select.select([self.master], [], [], 0.05)
            if ready:
                self.out += os.read(self.master, 65536)
            pid, code = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                status = code
            elif time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
        while select.select([self.master], [], [], 0.05)[0]:
            self.out += os.read(self.master, 65536)
        same = termios.tcgetattr(self.slave)[:4] == self.before[:4]
        os.close(self.master)
        os.close(self.slave)
        return status, same


def controls(text, intervals):
    """Controls and headings in their order, up to the heading of interval number @intervals; what differs from run to run left out."""
    found = []
    n = 0
    for m in re.finditer(rb"\x1b\[[0-9;]*[A-Za-z]|# TOP [A-Z]+|### RECORD|#<|# [A-Z]+ [A-Z]+|\n", text):
        word = m.group(0)
        if word == b"\n":
            continue
        if word.startswith(b"# TOP") or (word in (b"### RECORD",) and b"# TOP" not in text):
            n += 1
            if n > intervals:
                break
        found.append(word)
    return found


def compare(arguments, heading):
    """The controls of both programs over two intervals, and those at the end."""
    seen = []
    for program in (peer, ours):
        t = Terminal([program] + arguments)
        if not t.read(lambda out: out.count(heading) >= 3):
            fail("%s %s: three intervals never came" % (program, " ".join(arguments)))
        t.end(signal.SIGTERM)
        last = re.findall(rb"\x1b\[[0-9;]*[rH]", t.out)[-2:]
        seen.append((controls(t.out, 2), last))
    if seen[0] != seen[1]:
        fail("collectl %s: other controls of the terminal:\n  %r\nours:\n  %r" % (" ".join(arguments), seen[0], seen[1]))


def left_alone(name, t, number=None, status=0):
    got, same = t.end(number)
    if got != status:
        fail("%s: status %d, not %d" % (name, got, status))
    if not same:
        fail("%s: the terminal is not as it was" % name)
    if b"\x1b[?7l" in t.out and not t.out.rstrip().endswith(b"\x1b[K"):
        fail("%s: no controls that undo those at the start: %r" % (name, t.out[-60:]))


if peer:
    compare(["--top", "time,4", "-i0.3"], b"# TOP")
    compare(["--top", "time,3", "-scd", "-i0.3"], b"# TOP")
    compare(["--top", "totsize,3", "-sc", "-i0.3"], b"# TOP")
    compare(["--top", "time,3", "-sCD", "-i0.3"], b"# TOP")
    compare(["--home", "-sC", "-i0.3"], b"### RECORD")

# Keys.
t = Terminal([perfolio, "--top", "-i0.2"])
if not t.read(lambda out: b"sorted by time" in out):
    fail("--top shows nothing")
t.type(b"m")
if not t.read(lambda out: b"sorted by rss" in out):
    fail("m does not order by memory")
t.type(b"s")
if not t.read(lambda out: b"sorted by syst" in out):
    fail("s does not go to the next order")
t.type(b"\x1b[A")
t.type(b"p")
if not t.read(lambda out: b"paused" in out):
    fail("p does not pause")
t.type(b"q")
left_alone("q", t)

t = Terminal([perfolio, "--top", "-i0.2"], 24, 100)
t.read(lambda out: out.count(b"# TOP") >= 2)
rows = t.out.split(b"# TOP")[1].count(b"\n") - 2
if rows < 10 or rows > 21:
    fail("%d rows on a terminal of 24 lines" % rows)
t.size(10, 60)
os.kill(t.pid, signal.SIGWINCH)
before = len(t.out)
t.read(lambda out: out[before:].count(b"# TOP") >= 2)
last = t.out[before:].split(b"# TOP")[-2] if t.out[before:].count(b"# TOP") > 1 else b""
if not 0 < last.count(b"\n") - 2 <= 7:
    fail("%d rows on a terminal of 10 lines" % (last.count(b"\n") - 2))
for line in last.split(b"\n")[2:]:
    if len(re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\r", b"", line)) > 60:
        fail("a row that is wider than the terminal: %r" % line)
left_alone("a terminal of another size", t, signal.SIGTERM)

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    for arguments in (["--top"], ["--top", "time,5", "-scd"], ["--home"], []):
        t = Terminal([perfolio, "-i0.2"] + arguments)
        t.read(lambda out: len(out) > 200)
        left_alone("%s %s" % (number.name, " ".join(arguments)), t, number)

t = Terminal([perfolio, "-scd", "-i0.2"])
t.read(lambda out: out.count(b"\n") >= 4)
t.type(b"\r")
if not t.read(lambda out: b"\nT" in out):
    fail("RETURN shows no totals")
t.type(b"q")
left_alone("q in brief", t)

# Without a switch, on terminals of any width: no line is longer.
for columns in (40, 60, 80, 100, 132):
    t = Terminal([perfolio], 24, columns)
    t.read(lambda out: out.count(b"\n") >= 3)
    t.type(b"q")
    left_alone("no switch", t)
    widest = max(len(line.rstrip()) for line in t.out.split(b"\n"))
    if widest > columns:
        fail("perfolio alone: %d columns on a terminal of %d" % (widest, columns))

sys.exit(bad)

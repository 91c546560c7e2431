"""storms.py BUILD - signals at moments that chance chooses (STORMS_SEED=N repeats them), many at once and the last one twice: every kind of run ends
with status 0 and all it wrote is whole. A terminal is as it was, whatever ends the program. A limit on the size of files is a full disk."""
import fcntl
import glob
import json
import os
import pty
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

build = sys.argv[1]
perfolio = os.path.join(build, "perfolio")
seed = int(os.environ.get("STORMS_SEED", random.randrange(1 << 30)))
chance = random.Random(seed)
work = tempfile.mkdtemp(prefix="storms.")
failures = []
PATIENCE = 60
HARMLESS = (signal.SIGWINCH, signal.SIGCHLD, signal.SIGPIPE, signal.SIGURG, signal.SIGUSR1, signal.SIGSTOP, signal.SIGCONT)
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def fail(text):
    print("%s (STORMS_SEED=%d)" % (text, seed))
    failures.append(text)


def usual_signals():
    for number in ENDING + (signal.SIGQUIT,):
        signal.signal(number, signal.SIG_DFL)  # a shell's background has others


def blocks(pid, number):
    """Does the process take that signal through its descriptor by now?"""
    try:
        with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as f:
            return int(f.read().split("SigBlk:")[1].split()[0], 16) >> (number - 1) & 1
    except (OSError, IndexError):
        return False


def until(condition):
    begin = time.monotonic()
    while not condition() and time.monotonic() - begin < PATIENCE:
        time.sleep(0.005)


def storm(kind, arguments, folder):
    out = open(os.path.join(folder, "out"), "wb")
    p = subprocess.Popen([perfolio] + arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, preexec_fn=usual_signals)
    harmless = [s for s in HARMLESS if s != signal.SIGUSR1 or kind != "record"]  # which means nothing to a session
    until(lambda: blocks(p.pid, signal.SIGHUP) or p.poll() is not None)
    time.sleep(0.1 + chance.random() * 0.2)
    for _ in range(chance.randrange(30)):
        p.send_signal(chance.choice(harmless))
        time.sleep(chance.random() * 0.002)
    p.send_signal(signal.SIGCONT)
    end = chance.choice(ENDING)
    for _ in range(chance.choice((1, 2, 5))):
        p.send_signal(end)
    try:
        _, err = p.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        fail("%s: %s does not end it" % (kind, end.name))
        p.kill()
        p.communicate()
        return
    out.close()
    if p.returncode != 0:
        fail("%s: %s: status %d: %r" % (kind, end.name, p.returncode, err[-200:]))


def replayed(kind, path):
    shown = subprocess.run([perfolio, "replay", path, "-sc"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if shown.returncode != 0 and b"nothing to show" not in shown.stderr:
        fail("%s: replay ends with %d: %r" % (kind, shown.returncode, shown.stderr[:200]))


def storms():
    kinds = {
        "live": ["-scdnm", "-i0.01"], "json": ["-scdnm", "-i0.01", "--oformat", "json"], "raw": ["-scdnmZ", "-i0.01:0.02", "--flush", "0", "-f"],
        "plot": ["-scdnm", "-i0.01", "-P", "-f"], "log": ["log", "-scdnm", "-i0.01"], "record": ["record", "-i0.05"],
    }
    for n in range(4 * len(kinds)):
        kind = list(kinds)[n % len(kinds)]
        folder = os.path.join(work, "%s%d" % (kind, n))
        os.mkdir(folder)
        target = {"raw": folder + "/", "plot": folder + "/", "log": folder + "/a", "record": folder + "/f.folio"}.get(kind)
        storm(kind, kinds[kind] + ([target] if target else []), folder)
        if kind == "json":
            try:
                json.load(open(folder + "/out", encoding="utf-8"))
            except ValueError as e:
                fail("json: %s" % e)
        for path in glob.glob(folder + "/*.gz"):
            if subprocess.run(["gzip", "-t", path], stderr=subprocess.DEVNULL, check=False).returncode != 0:
                fail("%s: %s is cut off" % (kind, os.path.basename(path)))
        if kind in ("log", "record") and glob.glob(folder + "/*.meta"):
            replayed(kind, target)


def terminal(arguments, number):
    """A run on a terminal of its own, which the signal ends."""
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)

    def child():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        usual_signals()

    def drain():
        got = b""
        while select.select([master], [], [], 0)[0]:
            got += os.read(master, 65536)
        return got

    p = subprocess.Popen([perfolio] + arguments, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, preexec_fn=child)
    drawn = [b""]

    def changed():
        drawn[0] += drain()
        return len(drawn[0]) > 300 and termios.tcgetattr(slave) != before
    until(changed)
    if not changed():
        fail("%s: the terminal is not taken" % " ".join(arguments))
    p.send_signal(number)
    begin = time.monotonic()
    while p.poll() is None and time.monotonic() - begin < PATIENCE:
        drawn[0] += drain()
        time.sleep(0.005)
    p.kill()
    p.wait()
    drawn[0] += drain()
    what = "%s and %s" % (" ".join(arguments), number.name)
    if p.returncode not in (0, -number):
        fail("%s: status %d" % (what, p.returncode))
    if termios.tcgetattr(slave) != before:
        fail("%s: the terminal is not as it was" % what)
    if drawn[0].rfind(b"\033[?7l") > drawn[0].rfind(b"\033[?7h"):
        fail("%s: lines do not wrap any more" % what)
    os.close(master)
    os.close(slave)


def terminals():
    for arguments in (["--top", "time", "-i0.1:0.1"], ["--home", "-scdnm", "-i0.1"], ["-scdnm", "-i0.1"]):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM):
            terminal(arguments, number)


def limited():
    """A file that may not grow on: told, status 1, and the program goes on to its end."""
    for arguments in (["-scdnm", "--flush", "0", "-f"], ["-scdnm", "-P", "-f"], ["-scdnm", "--oformat", "jsonl", "--output"]):
        target = os.path.join(work, "limited-")
        p = subprocess.run([perfolio, "-i0.01", "-c30"] + arguments + [target], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500)), check=False)
        if p.returncode < 0 or b"File too large" not in p.stderr:
            fail("%s with a limit on files: status %d: %r" % (" ".join(arguments), p.returncode, p.stderr[:200]))
        for path in glob.glob(target + "*"):
            os.unlink(path)


try:
    storms()
    terminals()
    limited()
finally:
    shutil.rmtree(work, ignore_errors=True)
sys.exit(bool(failures))

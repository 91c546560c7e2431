#!/usr/bin/env python3
"""logkills.py BUILD - kill -9 of a logger at 50 moments that chance chooses (KILLS_SEED=N repeats them), while another one records beside it; and of a
launcher with loggers that it detached, stopped and left alone. Prints one sentence per failure.

logkills.py launch BUILD FOLDER is such a launcher: one logger for each word of WORDS, steered as PCP's record mode does it.
"""
import concurrent.futures
import glob
import lzma
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from fakepmcd import COUNT, Metric, Pmcd

WORDS = ("left", "detached", "stopped", "asked")
BAD = []


def launch(ours, folder):
    """The pipes stay open until we are killed."""
    ends = []
    for word in WORDS:
        theirs, mine = os.pipe()
        os.set_inheritable(theirs, True)
        log = open(os.path.join(folder, word + ".log"), "w")
        child = subprocess.Popen((ours, "log", "-sc", "-i", ".05", "--no-compress", "-x", str(theirs), os.path.join(folder, word)), stdin=subprocess.DEVNULL, stdout=log,
                                 stderr=log, pass_fds=(theirs,))
        os.close(theirs)
        ends.append(mine)
        for line in ("V0\n", "F%s\n" % os.path.join(folder, "folio"), "Plogkills.py\n"):
            os.write(mine, line.encode())
        print(child.pid, flush=True)
    for line in sys.stdin:
        word, what = line.split()
        os.write(ends[WORDS.index(word)], what.encode() + b"\n")
        print("done", flush=True)


def fail(text):
    print("%s (KILLS_SEED=%d)" % (text, SEED))
    BAD.append(text)


def run(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=ENV, timeout=120)
    return done.returncode, done.stdout


def contents(path):
    if os.path.exists(path):
        with open(path, "rb") as f:
            return f.read()
    with lzma.open(path + ".xz") as f:
        return f.read()


def volumes(base):
    """Numbers of the volumes, packed or not."""
    found = (re.fullmatch(re.escape(base) + r"\.(\d+)(\.xz)?", path) for path in glob.glob(glob.escape(base) + ".*"))
    return sorted({int(m.group(1)) for m in found if m})


def records(base):
    """Complete records of all volumes but their labels."""
    n = 0
    for volume in volumes(base):
        data, at, here = contents("%s.%d" % (base, volume)), 0, 0
        while at + 4 <= len(data):
            length = int.from_bytes(data[at:at + 4], "big")
            if length < 8 or at + length > len(data):
                break
            at, here = at + length, here + 1
        n += max(0, here - 1)
    return n


def check_whole(base, least=1):
    """A complete archive that nobody finds fault with."""
    status, out = run(OURS, "verify", base)
    if status != 0:
        fail("%s: verify: %s" % (base, out[:300]))
    if shutil.which("pmlogcheck"):
        status, out = run("pmlogcheck", base)
        if status != 0:
            fail("%s: pmlogcheck: %s" % (base, out[:300]))
    if records(base) < least:
        fail("%s: %d records instead of %d" % (base, records(base), least))


def check_killed(base):
    """Every complete record is read, by PCP's program and by ours."""
    n = records(base)
    if n == 0:
        return
    status, out = run(OURS, "replay", base, "--oformat", "jsonl")
    ours = sum('"metrics"' in line for line in out.splitlines())
    if status not in (0, 3) or ours == 0:
        fail("%s: replay reads %d samples of %d records, status %d: %s" % (base, ours, n, status, out[-300:]))
    if shutil.which("pmdumplog"):
        status, out = run("pmdumplog", base)
        theirs = len(re.findall(r"^\d\d:\d\d:\d\d\.\d+ ", out, re.M))
        if theirs != n:
            fail("%s: pmdumplog reads %d of %d records, status %d: %s" % (base, theirs, n, status, out[-300:]))


def bytes_of(base):
    return sum(os.path.getsize(f) for f in glob.glob(glob.escape(base) + ".[0-9]*") if os.path.exists(f))


def killed_beside_another(folder, server):
    chance = random.Random("%d-%s" % (SEED, folder))
    host = chance.choice(("self:", "127.0.0.1:%d" % server.port))
    what = ("-sc",) if host == "self:" else ("--metrics", "a")
    pack = chance.choice(((), ("--no-compress",)))
    version = ("--archive-version", chance.choice(("2", "3")))
    volume = chance.choice(((), ("--volume", "7"), ("--volume", "4kb")))
    one, two = os.path.join(TMP, folder, "one"), os.path.join(TMP, folder, "two")
    os.mkdir(os.path.dirname(one))
    common = ("log", "-h", host, *what, "-i", ".02", *pack, *version, *volume)
    beside = subprocess.Popen((OURS, *common, two), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENV)
    victim = subprocess.Popen((OURS, *common, one), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENV)
    least, begin = chance.choice((0, 1, 3000, 12000)), time.monotonic()
    while bytes_of(one) < least and victim.poll() is None and time.monotonic() - begin < 60:
        time.sleep(0.002)
    time.sleep(chance.random() * 0.1)
    victim.kill()
    victim.communicate()
    if victim.returncode != -signal.SIGKILL:
        fail("%s: it ended by itself" % folder)
    before = bytes_of(two)
    while bytes_of(two) <= before and beside.poll() is None and time.monotonic() - begin < 90:
        time.sleep(0.005)
    beside.terminate()
    said = beside.communicate(timeout=60)[1]
    if beside.returncode != 0:
        fail("%s: the other logger: status %d: %s" % (folder, beside.returncode, said[-300:]))
    check_killed(one)
    check_whole(two)
    shutil.rmtree(os.path.dirname(one))


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait(what, done):
    end = time.monotonic() + 60
    while not done():
        if time.monotonic() > end:
            fail("waited in vain: %s" % what)
            return
        time.sleep(0.01)


def killed_launcher():
    """One logger was let go, one stopped; the others find nobody to ask, end, and their archives are whole."""
    folder = os.path.join(TMP, "launched")
    os.mkdir(folder)
    job = subprocess.Popen((sys.executable, os.path.abspath(__file__), "launch", OURS, folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENV)
    pids = dict(zip(WORDS, (int(job.stdout.readline()) for _ in WORDS)))
    base = {word: os.path.join(folder, word) for word in WORDS}
    log = lambda word: open(base[word] + ".log").read()
    for word in WORDS:
        wait("%s records" % word, lambda: records(base[word]) > 2)
    for words in ("detached D", "stopped Q", "asked ?"):
        job.stdin.write(words + "\n")
        job.stdin.flush()
        job.stdout.readline()
    wait("the stopped logger ends", lambda: not alive(pids["stopped"]))
    wait("the logger that was asked answers", lambda: "has been in progress" in log("asked"))
    wait("the detached logger says so", lambda: "continue independently" in log("detached"))
    job.kill()
    job.wait()
    for word in ("left", "asked"):
        wait("%s ends" % word, lambda: not alive(pids[word]))
        if "Terminate this PCP recording session now?" not in log(word):
            fail("%s: the log does not have the question: %s" % (word, log(word)))
    n = records(base["detached"])
    wait("the detached logger goes on", lambda: records(base["detached"]) > n + 3)
    os.kill(pids["detached"], signal.SIGTERM)
    wait("the detached logger ends", lambda: not alive(pids["detached"]))
    for word in WORDS:
        check_whole(base[word], 3)


if __name__ == "__main__":
    if sys.argv[1] == "launch":
        launch(*sys.argv[2:4])
        sys.exit(0)
    OURS = os.path.join(os.path.abspath(sys.argv[1]), "perfolio")
    SEED = int(os.environ.get("KILLS_SEED", random.randrange(1 << 30)))
    TMP = tempfile.mkdtemp()
    ENV = {k: v for k, v in os.environ.items() if not k.startswith(("PMCD_", "PCP_")) and k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    try:
        killed_launcher()
        some = Pmcd({"a.n%03d" % i: Metric(0x1E000001 + i, 3, 1, COUNT, 1 << 33) for i in range(40)})
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(killed_beside_another, "%d" % i, some) for i in range(50)]:
                done.result()
    finally:
        shutil.rmtree(TMP, ignore_errors=True)
    sys.exit(1 if BAD else 0)

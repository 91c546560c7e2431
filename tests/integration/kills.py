"""kills.py BUILD - kill -9 at 100 moments that chance chooses (KILLS_SEED=N repeats them), spread over the kinds of recordings."""
import concurrent.futures
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

build = sys.argv[1]
perfolio = os.path.join(build, "perfolio")
seed = int(os.environ.get("KILLS_SEED", random.randrange(1 << 30)))
mine = threading.local()  # chance: of the moment that is at hand
work = tempfile.mkdtemp(prefix="kills.")
failures = []


def fail(text):
    print("%s (KILLS_SEED=%d)" % (text, seed))
    failures.append(text)


def size_of(pattern):
    return sum(os.path.getsize(f) for f in glob.glob(pattern) if os.path.isfile(f))


def killed(arguments, pattern, least):
    """Start it, wait until there are so many bytes, wait for a moment that chance chooses, kill it."""
    p = subprocess.Popen([perfolio] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ, TZ="UTC"))
    begin = time.monotonic()
    while size_of(pattern) < least and time.monotonic() - begin < 60:
        if p.poll() is not None:
            fail("%s ends by itself: %s" % (" ".join(arguments), p.stderr.read().decode()[:200]))
            return
        time.sleep(0.005)
    time.sleep(mine.chance.random() * 0.15)
    p.send_signal(signal.SIGKILL)
    p.communicate()


def unpacked(path):
    """What of a cut gzip file can be unpacked."""
    with open(path, "rb") as f:
        data, text = f.read(), b""
    while data:
        member = zlib.decompressobj(31)
        try:
            text += member.decompress(data)
        except zlib.error:
            break
        if not member.eof:
            break
        data = member.unused_data
    return text


def read(arguments, name="perfolio"):
    program = [perfolio] if name == "perfolio" else [name]
    return subprocess.run(program + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False,
                          env=dict(os.environ, TZ="UTC"))


def check_raw(path, letters):
    """All markers that are followed by another one are whole intervals: as many samples come back."""
    text = unpacked(path)
    whole = text.count(b"\n>>> ") - 1  # what stands behind the last marker may be cut
    shown = read(["replay", path, letters, "--oformat", "json"])
    if shown.returncode == 4 and whole <= 1:
        return  # cut before anything could be shown
    if shown.returncode not in (0, 3):
        fail("%s: replay ends with %d: %s" % (path, shown.returncode, shown.stderr.decode()[:200]))
        return
    samples = [s for s in json.loads(shown.stdout)["perfolio"]["samples"] if "metrics" in s] if whole > 1 else []
    if len(samples) < whole - 1:
        fail("%s: %d samples of %d whole intervals are read" % (path, len(samples), whole))
    if any(not s["metrics"] for s in samples[:-1]):
        fail("%s: an empty sample" % path)
    if os.access("/usr/bin/collectl", os.X_OK) and whole > 3 and letters == "-scdnm":
        theirs = read(["-p", path, letters, "-oT"], "/usr/bin/collectl")
        lines = [line for line in theirs.stdout.splitlines() if line and not line.startswith(b"#")]
        if theirs.returncode != 0 or len(lines) < whole - 2:
            fail("%s: collectl shows %d of %d intervals, status %d" % (path, len(lines), whole, theirs.returncode))


def raw(folder):
    killed(["-scdnm", "-i", "0.02", "-f", folder + "/"], folder + "/*.raw.gz", mine.chance.randrange(1500, 8000))
    for path in glob.glob(folder + "/*.raw.gz"):
        check_raw(path, "-scdnm")


def two_raw(folder):
    killed(["-scmZ", "-i", "0.03:0.06", "--tworaw", "-f", folder + "/"], folder + "/*.gz", mine.chance.randrange(5000, 30000))
    for path in glob.glob(folder + "/*.raw.gz"):
        check_raw(path, "-scm")
    for path in glob.glob(folder + "/*.rawp.gz"):
        check_raw(path, "-sZ")


def archive(folder):
    killed(["log", "-scdnm", "-i", "0.02", folder + "/a"], folder + "/a.0", mine.chance.randrange(2000, 60000))
    shown = read(["replay", folder + "/a", "--oformat", "json"])
    if shown.returncode not in (0, 3):
        fail("archive: replay ends with %d: %s" % (shown.returncode, shown.stderr.decode()[:200]))
        return
    # Records, counted by their lengths, without knowing more of the format.
    with open(folder + "/a.0", "rb") as f:
        data = f.read()
    at, records = 0, 0
    while at + 4 <= len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if length < 8 or at + length > len(data):
            break
        at, records = at + length, records + 1
    samples = [s for s in json.loads(shown.stdout)["perfolio"]["samples"] if "metrics" in s]
    if len(samples) != records - 1:  # one is the label
        fail("archive: %d samples of %d records are read: %s" % (len(samples), records - 1, shown.stderr.decode()[:200]))


def document(folder):
    form = mine.chance.choice(["json", "jsonl", "xml"])
    path = folder + "/doc"
    killed(["-scdnm", "-i", "0.02", "--oformat", form, "--output", path], path, mine.chance.randrange(3000, 60000))
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if form == "jsonl":
        lines = [json.loads(line) for line in text.splitlines()]
        if len(lines) < 2:
            fail("jsonl: %d lines" % len(lines))
    elif form == "json":
        json.loads(text + "]}}")
    else:
        import xml.dom.minidom
        xml.dom.minidom.parseString(text + "</perfolio>")


def plot(folder):
    killed(["-scdnm", "-i", "0.02", "-P", "-f", folder + "/"], folder + "/*.tab*", mine.chance.randrange(2500, 9000))
    for path in glob.glob(folder + "/*.tab*"):
        text = unpacked(path) if path.endswith(".gz") else open(path, "rb").read()
        lines = [line for line in text.split(b"\n")[:-1] if not line.startswith(b"#")]
        if not lines or len({len(line.split()) for line in lines}) != 1:
            fail("%s: %d lines of %s columns" % (path, len(lines), {len(line.split()) for line in lines}))


def session(folder):
    """perfolio record, or its logger, is killed: what is recorded can be read, and nothing stands in the way of the next recording."""
    folio = folder + "/f"
    p = subprocess.Popen([perfolio, "record", folio, "-i", "0.02"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begin = time.monotonic()
    least, whom = mine.chance.choice((0, 0, 3000, 60000)), mine.chance.choice(("recorder", "logger"))
    while size_of(folder + "/*.0") < least and time.monotonic() - begin < 60:
        time.sleep(0.005)
    time.sleep(mine.chance.random() * (0.03 if least == 0 else 0.15))
    with open("/proc/%d/task/%d/children" % (p.pid, p.pid), encoding="ascii") as f:
        loggers = [int(pid) for pid in f.read().split()]
    for pid in (loggers if whom == "logger" else [p.pid]):
        os.kill(pid, signal.SIGKILL)
    if whom == "logger" and not loggers:
        p.kill()
    p.wait(timeout=60)
    for pid in loggers:  # ends by itself when the channel does
        while os.path.exists("/proc/%d" % pid) and time.monotonic() - begin < 90:
            time.sleep(0.01)
    left = [f for f in glob.glob(folder + "/*") if f != folio and "." not in os.path.basename(f)]
    if left and loggers and whom == "recorder" and size_of(folder + "/*.meta") > 0:
        fail("record: %s is left of a %s that was killed" % (left, whom))
    if least > 0:
        shown = read(["replay", folio, "--oformat", "json"])
        if shown.returncode not in (0, 3) or not [s for s in json.loads(shown.stdout)["perfolio"]["samples"] if "metrics" in s]:
            fail("record, %s killed: replay ends with %d: %s" % (whom, shown.returncode, shown.stderr.decode()[:200]))
    elif os.path.exists(folio) and os.path.getsize(folio) > 0:
        return
    if least == 0:
        again = read(["record", folio, "-i", "0.02", "-c", "2"])
        if again.returncode != 0:
            fail("record: nothing was recorded, but the next one ends with %d: %s" % (again.returncode, again.stderr.decode()[:200]))


def moment(i):
    if failures and os.environ.get("KILLS_KEEP"):
        return
    mine.chance = random.Random("%d-%d" % (seed, i))
    kind = (raw, two_raw, archive, document, plot, session)[i % 6]
    folder = os.path.join(work, "%d" % i)
    os.mkdir(folder)
    try:
        kind(folder)
    except (ValueError, OSError) as e:
        fail("%s: %s" % (kind.__name__, e))
    if not (failures and os.environ.get("KILLS_KEEP")):
        shutil.rmtree(folder)


try:
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(moment, i) for i in range(100)]:
            done.result()
finally:
    if not (failures and os.environ.get("KILLS_KEEP")):
        shutil.rmtree(work, ignore_errors=True)
sys.exit(1 if failures else 0)

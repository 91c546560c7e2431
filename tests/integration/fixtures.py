"""fixtures.py BUILD - large hosts (tests/tools/big-tree) and odd ones as folders for --root: right sums, added up by the generator, in every view;
exit status 0; one notice for each thing that is missing; no time or memory that grows faster than the host."""
import ctypes
import fcntl
import importlib.machinery
import importlib.util
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
build = sys.argv[1]
perfolio = os.path.join(build, "perfolio")
here = os.path.dirname(os.path.abspath(__file__))
big_tree = importlib.machinery.SourceFileLoader("big_tree", os.path.join(here, "..", "tools", "big-tree"))
big_tree = importlib.util.module_from_spec(importlib.util.spec_from_loader("big_tree", big_tree))
big_tree.__loader__.exec_module(big_tree)
work = tempfile.mkdtemp(prefix="fixtures.")
sanitized = b"libasan" in subprocess.run(["ldd", perfolio], stdout=subprocess.PIPE, check=False).stdout
failures = []


def fail(text):
    print(text)
    failures.append(text)


def tree(name, step, **kinds):
    """Write the tree; its sums."""
    return big_tree.write(os.path.join(work, name), step, kinds)


def run(what, arguments, status=0, quiet=True, **more):
    """Run perfolio; its output."""
    p = subprocess.run([perfolio] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False, **more)
    err = p.stderr.decode(errors="replace")
    if p.returncode != status:
        fail("%s: %s: status %d instead of %d: %s" % (what, " ".join(arguments), p.returncode, status, err[:300]))
    if quiet and err:
        fail("%s: %s: says %s" % (what, " ".join(arguments), err[:300]))
    if re.search(rb"[\x00-\x08\x0b-\x1f]", p.stdout):
        fail("%s: %s: control characters in the output" % (what, " ".join(arguments)))
    return p.stdout.decode(errors="replace"), err


def value(sample, name, wanted=lambda instance: True):
    for m in sample["metrics"]:
        if m["name"] == name:
            if "instances" in m:
                return sum(i["value"] for i in m["instances"] if wanted(i["instance"]))
            return m["value"]
    return None


# What a sum of big-tree is called in a sample, and what it is multiplied by.
NAMES = {
    "cpu.user": ("kernel.all.cpu.user", 10), "cpu.sys": ("kernel.all.cpu.sys", 10), "cpu.idle": ("kernel.all.cpu.idle", 10),
    "cpu.steal": ("kernel.all.cpu.steal", 10), "disk.reads": ("disk.all.read", 1), "disk.sectors_read": ("disk.all.blkread", 1),
    "disk.writes": ("disk.all.write", 1), "disk.sectors_written": ("disk.all.blkwrite", 1), "net.in.bytes": ("network.interface.in.bytes", 1),
    "net.in.packets": ("network.interface.in.packets", 1), "net.out.bytes": ("network.interface.out.bytes", 1),
    "net.out.packets": ("network.interface.out.packets", 1), "mem.free": ("mem.util.free", 1), "node.free": ("mem.numa.util.free", 1),
    "proc.minflt": ("proc.psinfo.minflt", 1), "ib.in.packets": ("perfolio.infiniband.port.rcv_packets", 1),
    "ib.out.packets": ("perfolio.infiniband.port.xmit_packets", 1), "ib.in.words": ("perfolio.infiniband.port.rcv_data", 1),
    "ib.out.words": ("perfolio.infiniband.port.xmit_data", 1),
}


def check_sums(what, sample, steps):
    """The sums of the sample are those of one of the steps."""
    checked = 0
    for key, (name, factor) in NAMES.items():
        if key not in steps[-1]:
            continue
        got = value(sample, name, lambda instance: instance != "lo")
        if got is None:
            continue
        checked += 1
        if got not in [step[key] * factor for step in steps]:
            fail("%s: %s is %s, not %s" % (what, name, got, steps[-1][key] * factor))
    return checked


class Player:
    """perfolio on a tree that goes on by steps."""

    def __init__(self, name, kinds, arguments, **more):
        self.name, self.kinds, self.steps = name, kinds, [tree(name, 0, **kinds)]
        self.p = subprocess.Popen([perfolio, "--root", os.path.join(work, name)] + arguments, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)

    def step(self):
        self.steps.append(tree(self.name, len(self.steps), **self.kinds))

    def end(self, what):
        if self.p.stdout:
            self.p.stdout.close()  # which ends it, too
        else:
            self.p.send_signal(signal.SIGINT)
        _, err = self.p.communicate(timeout=300)
        if self.p.returncode != 0:
            fail("%s: status %d: %s" % (what, self.p.returncode, err.decode()[:300]))


class Gate(Player):
    """A player with the output as the clock: as long as most of a sample has not been read, the program waits in its write, however fast or slow
    either of us is, and the tree can be changed. Samples must be larger than a pipe. What is handed on together (samples within 20 ms) is only what
    comes first: so the first two are of step 0, and each one after them is of a step of its own."""

    SMALL, LARGE, HELD = 4096, 65536, 2

    def __init__(self, name, kinds, letters, interval="0.05"):
        second = interval + ":" + interval if "Z" in letters else interval
        super().__init__(name, kinds, [letters, "-i", second, "--oformat", "jsonl"], stdout=subprocess.PIPE)
        self.resize(self.SMALL)

    def resize(self, size):
        self.pipe = size
        fcntl.fcntl(self.p.stdout, fcntl.F_SETPIPE_SZ, size)

    def samples(self, count):
        """That many samples, each as an object with the sums of its step."""
        fd, seen, data = self.p.stdout.fileno(), 0, b""
        while seen < count:
            while b'"metrics"' not in data and b"\n" not in data:
                got = os.read(fd, 64)
                if not got:
                    return
                data += got
            is_sample = b'"metrics"' in data.split(b"\n")[0]
            sums = self.steps[-1]
            if is_sample:
                seen += 1
                if seen >= self.HELD and seen < count:
                    self.step()
                time.sleep(0.03)
            pieces, got = [], data
            while b"\n" not in got:
                pieces.append(got)
                got = os.read(fd, self.pipe)
                if not got:
                    return
            end, _, data = got.partition(b"\n")
            line = b"".join(pieces) + end
            if is_sample:
                if len(line) > 4 * self.LARGE and self.pipe < self.LARGE:
                    self.resize(self.LARGE)
                if len(line) < 3 * self.pipe:
                    fail("%s: a sample of %d bytes does not fill a pipe" % (self.name, len(line)))
                yield json.loads(line), sums


def live_sums(name, letters, kinds, least):
    """Each sample has the sums of its step."""
    player = Gate(name, kinds, letters)
    seen = 0
    for sample, sums in player.samples(5):
        seen += 1
        if check_sums("%s, sample %d" % (name, seen), sample, [sums]) < least:
            fail("%s: sums are missing" % name)
    if seen < 5:
        fail("%s: ends after %d samples" % (name, seen))
    player.end(name)


def record(name, letters, kinds, steps):
    """A raw file of so many steps. Returns its path and the steps. Which samples have which step depends on how busy we are."""
    folder = os.path.join(work, name + ".raw/")
    os.mkdir(folder)
    player = Player(name, kinds, [letters, "-i", "0.1", "-f", folder, "--flush", "0"], stdout=subprocess.DEVNULL)

    def written():
        return sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder))

    begin = time.monotonic()
    size, more = 0, 3000
    for _ in range(steps):
        while written() < size + more and time.monotonic() - begin < 120 and player.p.poll() is None:
            time.sleep(0.01)
        player.step()
        size, more = written(), 6000
    while written() < size + more and time.monotonic() - begin < 120 and player.p.poll() is None:
        time.sleep(0.01)
    player.end(name)
    return os.path.join(folder, os.listdir(folder)[0]), player.steps


VIEWS = [[], ["--verbose"], ["-P"], ["-P", "-oz", "--sep", ","], ["--oformat", "json"], ["--oformat", "jsonl"], ["--oformat", "xml"],
         ["--oformat", "html"], ["--oformat", "csv"], ["--export", "lexpr"], ["-on"], ["--verbose", "-oTm"], ["--stats"]]


def all_views(what, source, letters):
    """Every view of it ends with 0 and says nothing on stderr; documents are valid."""
    for view in VIEWS:
        if "--stats" in view and not (letters.islower() and source[0] == "-p"):
            continue
        out, _ = run(what, source + ["-s" + letters] + view)
        if "lexpr" not in view and len(out) < 50:
            fail("%s: %s %s: almost no output" % (what, letters, " ".join(view)))
        if view == ["--oformat", "json"]:
            json.loads(out)


def instruction_counter():
    """A descriptor that counts the instructions of our children, None where the machine or the system does not let us."""
    # struct perf_event_attr: hardware, instructions, inherited, without the kernel's
    attr = struct.pack("<IIQQQQQ", 0, 112, 1, 0, 0, 0, 1 << 1 | 1 << 5 | 1 << 6).ljust(112, b"\0")
    number = {"x86_64": 298, "aarch64": 241}.get(os.uname().machine)
    fd = ctypes.CDLL(None).syscall(number, ctypes.create_string_buffer(attr, len(attr)), 0, -1, -1, 8) if number else -1
    return fd if fd >= 0 else None


COUNTER = instruction_counter()


def cost(what, arguments):
    """What a child costs: millions of instructions, else seconds of CPU."""
    if COUNTER is not None:
        before = struct.unpack("Q", os.read(COUNTER, 8))[0]
        run(what, arguments)
        return (struct.unpack("Q", os.read(COUNTER, 8))[0] - before) / 1e6
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(what, arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def linear(what, letters, kind, n):
    """Four times as many of a kind cost at most eight times as much; a quadratic way costs sixteen times."""
    seconds = []
    for i, count in enumerate((n, 4 * n)):
        name = "linear-%s-%d" % (kind, i)
        tree(name, 0, **{kind: count})
        for view in (["--oformat", "json"], ["-P"], ["--verbose"]):
            arguments = ["--root", os.path.join(work, name), "-s" + letters, "-i0", "-c", "8"] + view
            seconds.append(cost(what, arguments))
        shutil.rmtree(os.path.join(work, name))
    for k in range(3):
        if seconds[3 + k] > 8 * seconds[k] + (0.1 if COUNTER is None else 100):
            unit = "s" if COUNTER is None else "million instructions"
            fail("%s: %d cost %.3f %s, %d cost %.3f" % (what, n, seconds[k], unit, 4 * n, seconds[3 + k]))


def peak_kb(arguments, lines):
    """Largest resident size of a run that has given so many lines."""
    p = subprocess.Popen([perfolio] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    for _ in range(lines):
        p.stdout.readline()
    with open("/proc/%d/status" % p.pid, encoding="ascii") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    p.kill()
    p.communicate()
    return peak


# name, kinds, letters that are shown together, how many sums they must have at least
LARGE = (("cpus", dict(cpus=1024), ("-scCjJqQ", 4), ("cjq", "C", "J", "Q")), ("disks", dict(disks=2000), ("-sdD", 4), ("d", "D")),
         ("nets", dict(nets=10000), ("-snN", 4), ("n", "N")), ("nodes", dict(nodes=8, zones=64, nfs=1), ("-smMbBf", 2), ("bfm", "B", "F", "M")),
         ("ports", dict(ports=400), ("-sxX", 4), ("x", "X")), ("processes", dict(processes=1000), ("-sZ", 1), ("Z",)))


def large():
    """As many as there may be: the sums, and what people look at."""
    for name, kinds, (letters, least), _ in LARGE:
        live_sums(name, letters, kinds, least)
        for view in ([], ["--verbose"], ["-P"]):
            out, _ = run(name, ["--root", os.path.join(work, name), "-i0", "-c", "1", letters] + view)
            if len(out) < 50:
                fail("%s %s: almost no output" % (name, " ".join(view)))
    out, _ = run("offline", ["--root", os.path.join(work, "cpus"), "-sC", "-i0", "-c", "1", "--oformat", "json"])
    names = [i["instance"] for i in [m for m in json.loads(out)["perfolio"]["samples"][-1]["metrics"] if m["name"] == "kernel.percpu.cpu.user"][0]["instances"]]
    if "cpu3" in names or "cpu4" not in names or len(names) != len([i for i in range(1024) if i % 7 != 3]):
        fail("offline CPUs: %d are shown, among them %s" % (len(names), names[:5]))


def views():
    """Hosts that are only large, in all views."""
    for name, kinds, _, sets in LARGE:
        tree("some-" + name, 0, **{kind: max(n // 20, 4) if n > 100 else n for kind, n in kinds.items()})
        for letters in sets:
            all_views(name, ["--root", os.path.join(work, "some-" + name), "-i0", "-c", "2"], letters)


def beside_collectl(what, raw, views):
    """The recording looks the same in collectl."""
    collectl = "/usr/bin/collectl"
    for view in views if os.access(collectl, os.X_OK) else ():
        theirs = subprocess.run([collectl, "-p", raw] + view, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False).stdout
        ours = subprocess.run([os.path.join(build, "compat", "collectl"), "-p", raw] + view, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False).stdout
        if theirs != ours:
            a, b = theirs.decode(errors="replace").splitlines(), ours.decode(errors="replace").splitlines()
            first = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            fail("%s: collectl %s shows another line %d: %r, ours %r" % (what, " ".join(view), first, a[first:first + 1], b[first:first + 1]))


def recorded():
    kinds = dict(cpus=64, disks=100, nets=150, nodes=4, zones=16, nfs=1)
    raw, steps = record("mixed", "-sbcdfijmnst", kinds, 4)
    kinds["cpus"] = 6  # all online
    for letters in ("bcdfijmnst", "D", "J", "F"):
        all_views("playback", ["-p", raw], letters)
    out, _ = run("playback", ["-p", raw, "-sdn", "-P", "-on"])
    heads = next(line for line in out.splitlines() if line.startswith("#Date")).split()
    rows = [dict(zip(heads, line.split())) for line in out.splitlines() if not line.startswith("#")]
    # How many samples each step had depends on how busy we are; a row is the difference of two steps, mostly neighbours or the same.
    for row, column, key, divide in ((r, c, k, d) for r in rows for c, k, d in (
            ("[DSK]ReadTot", "disk.reads", 1), ("[DSK]WriteTot", "disk.writes", 1), ("[NET]RxPktTot", "net.in.packets", 1), ("[NET]TxPktTot", "net.out.packets", 1))):
        deltas = {b[key] - a[key] for i, a in enumerate(steps) for b in steps[i:]}
        if int(row[column]) // divide not in deltas:
            fail("playback: %s is %s, which no two steps differ by" % (column, row[column]))
    json_out, _ = run("playback", ["-p", raw, "-sdn", "--oformat", "json"])
    last = [s for s in json.loads(json_out)["perfolio"]["samples"] if "metrics" in s][-1]
    check_sums("playback, last sample", last, steps)  # of whichever step
    raw, _ = record("online", "-sbcdfijmnst", kinds, 3)
    beside_collectl("online", raw, (["-scdnbmfi"], ["-sCDN", "--verbose"], ["-sD", "-P"]))


def comes_and_goes():
    """Devices that vanish and are back: each sample has those that are there, and never a rate that their counters do not explain."""
    player = Gate("gone", dict(disks=64, gone=4), "-sdD")
    seen = 0
    for sample, sums in player.samples(7):
        read = next(m for m in sample["metrics"] if m["name"] == "disk.dev.read")
        seen += 1
        if len(read["instances"]) != sums["disk.lines"]:
            fail("vanishing disks: sample %d has %d, %d are there" % (seen, len(read["instances"]), sums["disk.lines"]))
        if check_sums("vanishing disks, sample %d" % seen, sample, [sums]) < 4:
            fail("vanishing disks: sums are missing")
        # What is back has no predecessor; no disk did more than its pace for one step.
        wrong = [i for i in read["instances"] if i.get("rate", 0) * sample.get("interval", 0) / 1e9 > 3 * 64 + 12 + 0.01]
        if wrong:
            fail("vanishing disks: %s has a rate of %s" % (wrong[0]["instance"], wrong[0]["rate"]))
    if seen != 7:
        fail("vanishing disks: ends after %d samples" % seen)
    player.end("vanishing disks")


def hotplug():
    """CPUs and disks that go and are back, an interface that is renamed: the sums of each sample, every live text, a recording in both programs."""
    kinds = dict(cpus=6, disks=64, nets=40, gone=4, hot=1)
    player = Gate("hot", kinds, "-scCdDnN")
    seen = 0
    for sample, sums in player.samples(7):
        seen += 1
        if check_sums("hotplug, sample %d" % seen, sample, [sums]) < 10:
            fail("hotplug: sums are missing")
        names = [i["instance"] for m in sample["metrics"] if m["name"] == "network.interface.in.bytes" for i in m["instances"]]
        if len(names) != 40 or ("wan1" in names) == ("eth1" in names):
            fail("hotplug, sample %d: interfaces %s" % (seen, names[:4]))
        wrong = [(m["name"], i) for m in sample["metrics"] for i in m.get("instances", []) if i.get("rate", 0) < 0 or i.get("rate", 0) > 1e7]
        if wrong:
            fail("hotplug, sample %d: a rate of %s" % (seen, wrong[0]))
    if seen != 7:
        fail("hotplug: ends after %d samples" % seen)
    player.end("hotplug")
    for view in ([], ["--verbose"], ["-P"], ["--oformat", "xml"]):
        for letters in ("-scdn", "-sCDN") if "--verbose" in view or "xml" in view else ("-scdn",):
            player = Player("hot", kinds, [letters, "-i", "0.05"] + view, stdout=subprocess.PIPE)
            for _ in range(3):
                if not os.read(player.p.stdout.fileno(), 65536):
                    fail("hotplug: %s %s ends" % (letters, " ".join(view)))
                player.step()
            player.end("hotplug: %s %s" % (letters, " ".join(view)))
    raw, _ = record("hot", "-scdn", kinds, 4)
    for letters in ("cdn", "C", "N"):
        all_views("hotplug, playback", ["-p", raw], letters)
    beside_collectl("hotplug", raw, (["-sc"], ["-sm", "--verbose"]))  # what is back is measured from its last value there: docs/compat.md


def many_processes():
    """More processes than descriptors; the same output with few descriptors as with many."""
    tree("many", 0, processes=4000)
    top = ["--root", os.path.join(work, "many"), "-sZ", "-i0", "-c", "1"]
    out, _ = run("4,000 processes", top, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024)))
    rows = len([line for line in out.splitlines() if "worker-" in line])
    if rows != 4000:
        fail("4,000 processes and 1,024 descriptors: %d rows" % rows)
    tree("few", 0, processes=1000)
    top = ["--root", os.path.join(work, "few"), "-scdnmZ", "-i0", "-c", "2", "--oformat", "csv"]
    usual, _ = run("1,000 processes", top)
    tight, _ = run("1,000 processes and 100 descriptors", top, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100)))
    bare = [[line.split(",")[i] for i in (2, 5, 6) if i < len(line.split(","))] for line in usual.splitlines()]
    if bare != [[line.split(",")[i] for i in (2, 5, 6) if i < len(line.split(","))] for line in tight.splitlines()]:
        fail("1,000 processes: other output with 100 descriptors")
    if not sanitized:
        kb = peak_kb(["--root", os.path.join(work, "few"), "-sZ", "-i0"], 10000)
        if kb > 10 * 1024:
            fail("1,000 processes: %d KB" % kb)
        few, many = (peak_kb(["--root", os.path.join(work, "few"), "-sZ", "-i0", "--oformat", "jsonl"], n) for n in (10, 60))
        if many > few + 1024:
            fail("1,000 processes: %d KB after 10 samples, %d KB after 60" % (few, many))


def lacking():
    """A kernel, container or mount that lacks files: one notice each, everything else goes on, exit status 0."""
    base = os.path.join(work, "lack")
    tree("lack", 0, processes=20, nfs=1)
    letters = "-sbcdfijmnstpqM"
    files = []
    for top, _, names in os.walk(base):
        files += [os.path.join(top, n) for n in names]
    for path in sorted(files):
        short = path[len(base):]
        if re.match(r"/proc/[0-9]+/|/sys/devices/system/node/", short):
            continue
        os.rename(path, path + ".away")
        _, err = run("without " + short, ["--root", base, letters, "-i0", "-c", "3"], quiet=False)
        told = [line for line in err.splitlines() if short in line]
        others = [line for line in err.splitlines() if short not in line]
        if len(told) > 1 or others:
            fail("without %s: says %s" % (short, err[:300]))
        run("without " + short, ["--root", base, letters, "-i0", "-c", "2", "--oformat", "json"], quiet=False)
        os.rename(path + ".away", path)
    for pid in ("1003", "1005"):  # another user's process with hidepid=1; one without io
        os.rename(os.path.join(base, "proc", pid, "io"), os.path.join(base, "proc", pid, "io.away"))
    os.rename(os.path.join(base, "proc", "1005", "status"), os.path.join(base, "proc", "1005", "status.away"))
    for view in ([], ["--oformat", "json"], ["-P"]):
        run("processes without all files", ["--root", base, "-sZ", "-i0", "-c", "2"] + view)
    empty = os.path.join(work, "empty")
    os.makedirs(os.path.join(empty, "proc"))
    for view in ([], ["--verbose"], ["--oformat", "json"], ["-P"]):
        _, err = run("an empty /proc", ["--root", empty, letters, "-i0", "-c", "2"] + view, quiet=False)
        if len(err.splitlines()) != len(set(err.splitlines())):
            fail("an empty /proc: told twice: %s" % err[:300])


def parts():
    yield large
    yield views
    yield recorded
    yield comes_and_goes
    yield hotplug
    yield many_processes
    yield lacking
    if not sanitized:
        yield lambda: linear("CPUs", "cCJQ", "cpus", 128)
        yield lambda: linear("disks", "dD", "disks", 400)
        yield lambda: linear("interfaces", "nN", "nets", 2500)
        yield lambda: linear("lines of interrupts", "jJ", "lines", 5000)
        yield lambda: linear("processes", "Z", "processes", 200)


try:
    for part in parts():
        if os.environ.get("FIXTURES_ONLY", part.__name__) != part.__name__:
            continue
        began, cpu = time.monotonic(), os.times()
        part()
        if os.environ.get("FIXTURES_TIMES"):
            ours, theirs = (sum(os.times()[i:i + 2]) - sum(cpu[i:i + 2]) for i in (0, 2))
            print("%s: %.1f s, of the CPU %.1f here, %.1f in perfolio" % (part.__name__, time.monotonic() - began, ours, theirs), flush=True)
finally:
    shutil.rmtree(work, ignore_errors=True)
sys.exit(1 if failures else 0)

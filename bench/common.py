"""bench/common.py - running, measuring and printing: what the benches of bench/run share."""
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def die(status, text):
    print("bench: " + text, file=sys.stderr)
    sys.exit(status)


def resident(argv, env=None):
    """The largest resident set of a program in KB, read while it runs: what wait4() says begins with that of its parent."""
    pid = os.posix_spawn(argv[0], argv, env or os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
    most = 0
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        try:
            with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as status:
                found = [line.split()[1] for line in status if line.startswith("VmHWM:")]
            with open("/proc/%d/cmdline" % pid, "rb") as words:
                if words.read().split(b"\0")[-2:-1] == [argv[-1].encode()]:
                    most = max([most] + [int(size) for size in found])
        except OSError:
            pass
        time.sleep(0.005)
    return most


def run(argv, env=None, output=os.devnull):
    """Run a program to its end; its CPU seconds and wall seconds."""
    complaints = os.memfd_create("stderr")
    actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
               (os.POSIX_SPAWN_DUP2, complaints, 2)]
    begin = time.monotonic()
    pid = os.posix_spawn(argv[0], argv, env or os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - begin
    said = os.pread(complaints, 500, 0).decode(errors="replace").strip()
    os.close(complaints)
    if status != 0:
        die(1, "%s ended with status %d: %s" % (" ".join(argv), os.waitstatus_to_exitcode(status), said))
    return usage.ru_utime + usage.ru_stime, wall


def files_of(perfolio, switches):
    """The files that perfolio holds open while it samples, so that the bare loop reads the very same."""
    pid = os.posix_spawn(perfolio, [perfolio, *switches, "-i", "60", "--oformat", "json"], os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDONLY if fd == 0 else os.O_WRONLY, 0) for fd in range(3)])
    seen, same = [], 0
    for _ in range(200):
        time.sleep(0.02)
        try:
            # The kernel forgets the names below /proc/PID/net now and then and calls open files there deleted.
            now = sorted(os.readlink("/proc/%d/fd/%s" % (pid, fd)).removesuffix(" (deleted)")
                         for fd in os.listdir("/proc/%d/fd" % pid))
        except OSError:
            continue
        now = [path for path in now if path.startswith(("/proc/", "/sys/")) and os.path.isfile(path)]
        same = same + 1 if len(now) == len(seen) and now else 0
        seen = now
        if same == 10:
            break
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(pid, 0)
    own = "/proc/%d/" % pid
    found = {path.replace(own + "net/", "/proc/net/") for path in seen}
    return sorted(path for path in found if not path.startswith(own)) or None


def build_folder(given):
    if given:
        return os.path.abspath(given)
    found = [os.path.join(TOP, name) for name in ("build-check/release", "build")]
    found = [folder for folder in found if os.path.exists(folder + "/perfolio")]
    if not found:
        die(77, "nothing is built; meson setup build && ninja -C build")
    return max(found, key=lambda folder: os.path.getmtime(folder + "/perfolio"))


# Programs to compare with: name, Debian package, where its file lies in the package.
PEERS = {"sadc": ("sysstat", "usr/lib/sysstat/sadc"), "atop": ("atop", "usr/bin/atop"), "collectl": ("collectl", None)}


def peer(name, build):
    """Where a peer is: installed, or unpacked by --install; None if it is not there."""
    _, below = PEERS[name]
    unpacked = os.path.join(build, "bench-peers", below) if below else ""
    if below and os.access(unpacked, os.X_OK):
        return unpacked
    if below and os.access("/" + below, os.X_OK):
        return "/" + below
    return shutil.which(name)


def install(build):
    """Unpack the peers' packages below the build folder: nothing of them is installed, configured or started."""
    folder = os.path.join(build, "bench-peers")
    os.makedirs(folder, exist_ok=True)
    for name, (package, below) in PEERS.items():
        if peer(name, build):
            continue
        if not below:
            die(77, "collectl is not installed: apt-get install --no-install-recommends collectl")
        got = subprocess.run(["apt-get", "-q", "download", package], cwd=folder, capture_output=True, text=True)
        archives = [f for f in os.listdir(folder) if f.startswith(package + "_")]
        if not archives:
            die(77, "the Debian package %s cannot be had: %s" % (package, (got.stderr.strip() or "?").splitlines()[-1]))
        subprocess.run(["dpkg-deb", "-x", os.path.join(folder, archives[0]), folder], check=True)


def missing(build):
    """A sentence on the peers that are not there, or None."""
    names = [name for name in PEERS if not peer(name, build)]
    if not names:
        return None
    return "%s not found, left out; bench/run --install unpacks sadc and atop below the build folder" % ", ".join(names)


def machine():
    """One line that describes this host."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
        text = info.read()
    model = re.search(r"^model name\s*:\s*(.*)$", text, re.M)
    with open("/proc/meminfo", encoding="ascii") as info:
        memory = int(info.readline().split()[1]) // 1024
    load = " ".join("%.1f" % v for v in os.getloadavg())
    kind = "virtual machine, " if " hypervisor" in text else ""
    return "%s%d processors (%s), %d MB, Linux %s, %d processes, load %s" % (
        kind, os.cpu_count(), model.group(1) if model else os.uname().machine, memory, os.uname().release,
        sum(name.isdigit() for name in os.listdir("/proc")), load)


def table(head, rows, markdown):
    if markdown:
        print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
        for row in rows:
            print("| " + " | ".join(row) + " |")
        print()
        return
    widths = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    for row in [head] + rows:
        print("  ".join(cell.ljust(widths[i]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)))
    print()


class Judge:
    """Says ok or MISS for each bar, and remembers."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.missed = []

    def bar(self, name, held, text):
        if not self.wanted:
            return
        print("%-4s %s: %s" % ("ok" if held else "MISS", name, text))
        if not held:
            self.missed.append(name)


def alternate(programs, rounds, once):
    """Every program once per round, in turns; the list of results of each."""
    results = {name: [] for name in programs}
    for number in range(rounds):
        for name in programs:
            if sys.stderr.isatty():
                print("round %d of %d: %-40s" % (number + 1, rounds, name), end="\r", file=sys.stderr, flush=True)
            results[name].append(once(name))
    if sys.stderr.isatty():
        print(" " * 70, end="\r", file=sys.stderr)
    return results


def middle(values):
    return statistics.median(values)

"""bench/loggers.py - a real pmcd that is logged at 1 s: perfolio log beside pmlogger, each with a pmcd of its own, at the same time."""
import glob
import os
import shutil
import socket
import subprocess
import tempfile
import time

import common

TREES = ("kernel", "mem", "network", "swap")
HALF = 0.5  # of pmlogger's CPU
SHARE = 1.0  # of what pmcd spends on pmlogger
NOISE = 0.03  # two pmcds that do the same differ by so much
UP = os.path.join(common.TOP, "tests", "tools", "pmcd-up")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


class Pmcd:
    """A private pmcd with its agents. @env: for programs that ask it."""

    def __init__(self, work):
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("PMCD_", "PCP_"))}
        self.env.update(TMPDIR=work, PMCD_PORT=free_port())
        up = subprocess.run((UP, "start"), env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if up.returncode != 0:
            common.die(77, "no pmcd can be run here: %s" % (up.stdout.strip() or "?").splitlines()[-1])
        for line in subprocess.run((UP, "env"), env=self.env, stdout=subprocess.PIPE, text=True).stdout.splitlines():
            name, _, value = line.split(";")[0].partition("=")
            self.env[name] = value.strip("'")
        self.host = "127.0.0.1:" + self.env["PMCD_PORT"]
        with open(glob.glob(work + "/pmcd-up-*-%s/pid" % self.env["PMCD_PORT"])[0], encoding="ascii") as f:
            self.pid = int(f.read())

    def cpu(self):
        """Seconds, with those of its agents."""
        with open("/proc/%d/task/%d/children" % (self.pid, self.pid), encoding="ascii") as f:
            return sum(cpu_of(int(pid)) for pid in [self.pid, *f.read().split()])

    def stop(self):
        subprocess.run((UP, "stop"), env=self.env, stdout=subprocess.DEVNULL)


def cpu_of(pid):
    """Seconds that all threads of a process have run."""
    ns = 0
    for path in glob.glob("/proc/%d/task/*/schedstat" % pid):
        with open(path, encoding="ascii") as f:
            ns += int(f.read().split()[0])
    return ns / 1e9


def data_bytes(base):
    return sum(os.path.getsize(path) for path in glob.glob(base + ".[0-9]*"))


class Logger:
    def __init__(self, argv, base, pmcd, cwd):
        self.base, self.pmcd = base, pmcd
        with open(base + ".out", "wb") as out:
            self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=pmcd.env, cwd=cwd)

    def wait_steady(self):
        """Until it has added to the archive three times with nothing in between: the first record takes what is asked once."""
        begin, size, grown, bursts = time.monotonic(), 0, time.monotonic(), 0
        while bursts < 3:
            now = time.monotonic()
            if self.process.poll() is not None or now - begin > 120:
                with open(self.base + ".out", encoding="utf-8", errors="replace") as f:
                    common.die(1, "%s records nothing: %s" % (" ".join(self.process.args), f.read()[-300:]))
            if data_bytes(self.base) > size:
                bursts += size > 0 and now - grown > 0.3
                size, grown = data_bytes(self.base), now
            time.sleep(0.02)

    def look(self):
        return cpu_of(self.process.pid), self.pmcd.cpu(), data_bytes(self.base)


def once(perfolio, pmlogger, seconds, pmcds, work, number):
    """CPU of both loggers, of both pmcds, and bytes, by name."""
    config = work + "/config"
    with open(config, "w", encoding="ascii") as f:
        f.write("log mandatory on 1sec { %s }\n" % " ".join(TREES))
    ours, theirs = "%s/ours%d" % (work, number), "%s/theirs%d" % (work, number)
    metrics = [word for tree in TREES for word in ("--metrics", tree)]
    loggers = {"perfolio log": Logger([perfolio, "log", "-h", pmcds[0].host, "-i", "1", "--no-compress", *metrics, ours], ours, pmcds[0], work),
               "pmlogger": Logger([pmlogger, "-h", pmcds[1].host, "-c", config, "-l", theirs + ".log", theirs], theirs, pmcds[1], work)}
    for logger in loggers.values():
        logger.wait_steady()
    before = {name: logger.look() for name, logger in loggers.items()}
    time.sleep(seconds)
    after = {name: logger.look() for name, logger in loggers.items()}
    for logger in loggers.values():
        logger.process.terminate()
        logger.process.wait()
    return {name: [(b - a) / seconds for a, b in zip(before[name], after[name])] for name in loggers}


def metrics_of(base):
    dump = subprocess.run(("pmdumplog", "-d", base), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return dump.count("PMID:")


def bench(arg, build):
    perfolio, pmlogger = build + "/perfolio", "/usr/lib/pcp/bin/pmlogger"
    if not os.access(pmlogger, os.X_OK) or not shutil.which("pmdumplog"):
        common.die(77, "pmlogger or pmdumplog is not installed")
    work = tempfile.mkdtemp(prefix="bench.")
    pmcds, rounds = [], []
    try:
        for _ in range(2):
            pmcds.append(Pmcd(work))
        for number in range(arg.rounds):
            # Each has each pmcd in turns, so that it does not matter which is which.
            rounds.append(once(perfolio, pmlogger, arg.samples, pmcds if number % 2 == 0 else pmcds[::-1], work, number))
        n = {"perfolio log": metrics_of(work + "/ours0"), "pmlogger": metrics_of(work + "/theirs0")}
    finally:
        for pmcd in pmcds:
            pmcd.stop()
        shutil.rmtree(work, ignore_errors=True)
    choose = min if arg.best else common.middle
    cost = {name: [choose([r[name][i] for r in rounds]) for i in range(3)] for name in rounds[0]}
    print("Logging %s of a pmcd at 1 s, both at once, %s of %d rounds of %d s; %s\n" % (
        ", ".join(TREES), "best" if arg.best else "median", arg.rounds, arg.samples, common.machine()))
    rows = []
    for name, (cpu, share, size) in cost.items():
        rows.append([name, "%d" % n[name], "%.2f" % (cpu * 1e3), "%.2f x" % (cpu / cost["pmlogger"][0]), "%.2f" % (share * 1e3),
                     "%.2f x" % (share / cost["pmlogger"][1]), "%.0f" % size])
    common.table(["program", "metrics", "CPU ms/sample", "of pmlogger's", "pmcd's ms/sample", "of its for pmlogger", "bytes/sample"], rows, arg.markdown)
    verdict = common.Judge(arg.judge)
    ours = cost["perfolio log"]
    verdict.bar("CPU", ours[0] <= HALF * cost["pmlogger"][0], "%.2f x pmlogger's (bar %.1f)" % (ours[0] / cost["pmlogger"][0], HALF))
    share = ours[1] / cost["pmlogger"][1]
    verdict.bar("pmcd's share", share <= SHARE + NOISE, "%.2f x what pmlogger costs it (bar %.1f, and %.2f of noise)" % (share, SHARE, NOISE))
    return 1 if verdict.missed else 0

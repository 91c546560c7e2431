#!/usr/bin/env python3
"""netns.py BUILD - `perfolio record` of hosts with addresses of their own, each a network namespace with a pmcd (fakepmcd.py) in it. It is itself run in a
namespace that nobody else sees. One host's link goes down in the middle; one host takes what it gets and never answers; the others must not notice.
And a name server is mute.

netns.py host NAME is such a host: it listens once a line came on standard input, and prints how many fetches there were when the next one comes.

Prints one sentence per failure; the exit status tells whether there was one.
"""
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

from fakepmcd import COUNT, Metric, Pmcd

BAD = []
PORT = 44321
QUICK = {"PMCD_CONNECT_TIMEOUT": "2", "PMCD_REQUEST_TIMEOUT": "1", "PMCD_RECONNECT_TIMEOUT": "0.2"}


def be_host(name):
    sys.stdin.readline()
    count = [0]

    def value():
        count[0] += 1
        return count[0]

    server = Pmcd({"a.count": Metric(0x1E000001, 1, 1, COUNT, 5), "a.wide": Metric(0x1E000002, 3, 1, COUNT, value)}, host="0.0.0.0", port=PORT, name=name)
    print("listening", flush=True)
    while sys.stdin.readline():
        print(server.fetches, flush=True)


def fail(text):
    print(text)
    BAD.append(text)


def ip(*words):
    subprocess.run(("ip",) + words, check=True)


class Host:
    """A namespace, its pmcd, and the link to it."""

    def __init__(self, number, name):
        self.address = "10.77.%d.2" % number
        self.link = "pf%d" % number
        self.process = subprocess.Popen(("unshare", "-n", sys.executable, os.path.abspath(__file__), "host", name), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        inside = ("nsenter", "-t", str(self.process.pid), "-n")
        while os.readlink("/proc/%d/ns/net" % self.process.pid) == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)  # it is not there yet
        self.inside = inside
        ip("link", "add", self.link, "type", "veth", "peer", "name", "host", "netns", str(self.process.pid))
        ip("addr", "add", "10.77.%d.1/24" % number, "dev", self.link)
        ip("link", "set", self.link, "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "addr", "add", self.address + "/24", "dev", "host")
        self.run("ip", "link", "set", "host", "up")
        self.fetches()

    def run(self, *words):
        subprocess.run(self.inside + words, check=True)

    def fetches(self):
        """How many there were; the first time, it begins to listen."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().strip()
        return int(line) if line.isdigit() else 0

    def wait_fetches(self, n):
        goal = self.fetches() + n
        while self.fetches() < goal:
            time.sleep(0.02)

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


class Job:
    def __init__(self, *words):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("PMCD_", "PCP_"))}
        self.process = subprocess.Popen((OURS,) + words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**env, **QUICK}, cwd=TMP)
        self.said = []
        self.news = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            with self.news:
                self.said.append(line)
                self.news.notify_all()

    def wait_for(self, text):
        with self.news:
            if not self.news.wait_for(lambda: text in "".join(self.said), 60):
                fail("'%s' was not said, but: %s" % (text, "".join(self.said)))

    def end(self, rc):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        time.sleep(0.1)
        if status != rc:
            fail("status %d, not %d: %s" % (status, rc, "".join(self.said)))
        return "".join(self.said)


def values(archive):
    """The counted values of an archive, in order; '<mark>' among them."""
    for check in (("pmlogcheck", archive), (OURS, "verify", archive)):
        if shutil.which(check[0]):
            done = subprocess.run(check, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=TMP)
            if done.returncode != 0 or (check[0] == "pmlogcheck" and done.stdout):
                fail("%s: %s" % (" ".join(check), done.stdout[:400]))
    if not shutil.which("pmdumplog"):
        return None
    dump = subprocess.run(("pmdumplog", archive), stdout=subprocess.PIPE, text=True, cwd=TMP).stdout
    return [m.group(1) or int(m.group(2)) for m in re.finditer(r"(<mark>)|\(a\.wide\): value (\d+)", dump)]


def one_link_goes_down():
    good, cut, mute = Host(1, "good.example"), Host(2, "cut.example"), Host(3, "mute.example")
    mute.run("ip", "route", "flush", "table", "main")
    mute.run("ip", "route", "add", "blackhole", "0.0.0.0/0")
    job = Job("record", "net.folio", "-h", good.address, "-h", cut.address, "-h", mute.address, "-i", ".1", "--metrics", "a")
    good.wait_fetches(5)
    cut.wait_fetches(5)
    job.wait_for("%s: cannot get anything from the pmcd: it does not take connections" % mute.address)
    ip("link", "set", cut.link, "down")
    job.wait_for("%s: connection to the pmcd lost" % cut.address)
    good.wait_fetches(20)
    ip("link", "set", cut.link, "up")
    job.wait_for("%s: connected to the pmcd again" % cut.address)
    cut.wait_fetches(5)
    good.wait_fetches(2)
    said = job.end(1)
    for host, text in ((mute, "%s was not recorded" % mute.address), (good, "%s: " % good.address), (cut, "%s: " % cut.address)):
        if text not in said:
            fail("the end does not tell of %s: %s" % (host.address, said))
    archives = dict(line.split()[1:3] for line in open(os.path.join(TMP, "net.folio")) if line.startswith("Archive:"))
    all_good = values(archives[good.address])
    if all_good is not None:
        if "<mark>" in all_good or all_good != list(range(all_good[0], all_good[0] + len(all_good))):
            fail("the host whose link stayed has lost samples: %s" % all_good)
        some = values(archives[cut.address])
        at = some.index("<mark>") if some.count("<mark>") == 1 else 0
        if not 0 < at < len(some) - 1:
            fail("not one mark between values of the host whose link was down: %s" % some)
    if os.path.exists(os.path.join(TMP, archives[mute.address] + ".index")):
        fail("there is an archive of the host that never answered")
    for host in (good, cut, mute):
        host.end()


def a_name_server_is_mute():
    """Looking up a name ends in time, and with a sentence."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s, open(os.path.join(TMP, "resolv.conf"), "w") as conf:
        s.bind(("127.0.0.1", 53))
        conf.write("nameserver 127.0.0.1\n")
        conf.flush()
        subprocess.run(("mount", "--bind", conf.name, "/etc/resolv.conf"), check=True)
        done = subprocess.run((OURS, "log", "-h", "host.example", "-c", "1", "never"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=TMP, timeout=60,
                              env={**os.environ, **QUICK})
        subprocess.run(("umount", "/etc/resolv.conf"), check=True)
    if done.returncode != 1 or "host.example: cannot get anything from the pmcd: its name was not found within 2 seconds" not in done.stdout:
        fail("a name server that is mute: status %d: %s" % (done.returncode, done.stdout[:300]))


if __name__ == "__main__":
    if sys.argv[1] == "host":
        be_host(sys.argv[2])
        sys.exit(0)
    OURS = os.path.join(os.path.abspath(sys.argv[1]), "perfolio")
    TMP = tempfile.mkdtemp()
    try:
        ip("link", "set", "lo", "up")
        one_link_goes_down()
        a_name_server_is_mute()
    finally:
        shutil.rmtree(TMP, ignore_errors=True)
    sys.exit(1 if BAD else 0)

#!/usr/bin/env python3
"""pmcd.py BUILD - a pmcd as a source of samples. The real one: same values, descriptors, labels and help as PCP's tools tell, in views and in
archives, over TCP and its socket, stopped, started again, hanging. A fake one (fakepmcd.py): refusing, lying, stalling, back with other metadata.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

import fakepmcd
from fakepmcd import BYTE, COUNT, Metric, Pmcd, pdu

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
UP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "pmcd-up")
BAD = []
TMP = tempfile.mkdtemp()
QUICK = {"PMCD_CONNECT_TIMEOUT": "2", "PMCD_REQUEST_TIMEOUT": "2", "PMCD_RECONNECT_TIMEOUT": "0.1"}


def fail(text):
    print(text)
    BAD.append(text)


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PMCD_", "PCP_"))}
    env.update(TMPDIR=TMP, **more)
    return env


def run(*words, rc=0, timeout=90, env=None):
    """Output and messages of one run of ours."""
    done = subprocess.run((OURS,) + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout,
                          env=environment(**(env or QUICK)), cwd=TMP)
    if done.returncode != rc:
        fail("%s: status %d, not %d: %s" % (" ".join(words), done.returncode, rc, done.stderr[:400]))
    return done.stdout, done.stderr


def tool(*words, env=None):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(**(env or {})),
                          cwd=TMP, timeout=90).stdout


def samples(*words, **more):
    """Samples as JSON, each as {metric: value or {instance: value}}."""
    out, _ = run(*words, "--oformat", "json", **more)
    try:
        doc = json.loads(out)
    except ValueError as e:
        fail("%s: no JSON: %s" % (" ".join(words), e))
        return []
    return [{m["name"]: {i["instance"]: i.get("value") for i in m["instances"]} if "instances" in m else m.get("value") for m in s["metrics"]}
            for s in doc["perfolio"]["samples"] if "metrics" in s]


class Run:
    """One of ours that goes on while the test does something."""

    def __init__(self, *words, env=None):
        self.words = words
        self.said = ""
        self.control, theirs = socket.socketpair()
        tells = ("-x", str(theirs.fileno()), "--tell") if words[0] == "log" else ()
        self.process = subprocess.Popen((OURS,) + words + tells, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment(**(env or QUICK)), cwd=TMP, pass_fds=(theirs.fileno(),))
        theirs.close()

    def wait_sample(self):
        """Until the first one is in the archive."""
        if self.control.recv(16)[:1] != b"R":
            fail("%s: no sample: %s" % (" ".join(self.words), self.process.stderr.read()))

    def wait_for(self, text):
        while text not in self.said:
            line = self.process.stderr.readline()
            if not line:
                fail("%s: ended without saying '%s', but: %s" % (" ".join(self.words), text, self.said))
                return False
            self.said += line
        return True

    def end(self, rc=0):
        self.process.send_signal(signal.SIGTERM)
        self.said += self.process.communicate(timeout=90)[1]
        self.control.close()
        if self.process.returncode != rc:
            fail("%s: status %d, not %d: %s" % (" ".join(self.words), self.process.returncode, rc, self.said[:400]))
        return self.said


def check_archive(name, quiet=True):
    said = tool("pmlogcheck", name) if shutil.which("pmlogcheck") else ""
    if quiet and said:
        fail("pmlogcheck of %s: %s" % (name, said[:300]))


def blocks(text):
    """What pminfo tells, by metric."""
    result = {}
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if lines[0]:
            result[lines[0].split()[0].rstrip(":")] = "\n".join(line.rstrip() for line in lines)
    return result


# Values of PCP's sample agent that do not change; of each type, single and with instances.
STEADY = ["sample.string.hullo", "sample.string.null", "sample.aggregate.hullo", "sample.aggregate.null", "sample.bin", "sample.long.ten", "sample.ulong.million",
          "sample.longlong.hundred", "sample.ulonglong.ten", "sample.float.million", "sample.double.bin", "sample.float.hundred", "sample.noinst",
          "sample.bigid", "sample.secret.foo.bar.max.redirect", "hinv.ncpu", "hinv.physmem", "hinv.map.cpu_num", "hinv.cpu.model_name", "kernel.uname.release"]


def same_as_pminfo(env, host):
    """An archive of ours has what pminfo tells of the pmcd."""
    words = [w for m in STEADY for w in ("--metrics", m)]
    archive = "steady-" + host.replace("/", "_").replace(":", "_")
    run("log", "-h", host, "-i", ".1", "-c", "2", *words[:32], archive, env={**QUICK, **env})
    check_archive(archive)
    steady = STEADY[:16]
    for switch in ("-f", "-d"):
        theirs, ours = blocks(tool("pminfo", switch, *steady, env=env)), blocks(tool("pminfo", switch, "-a", archive, *steady))
        for m in steady:
            if theirs.get(m) != ours.get(m):
                fail("%s %s: pminfo tells\n%s\nof the pmcd and\n%s\nof the archive" % (host, m, theirs.get(m), ours.get(m)))
    label = tool("pmdumplog", "-l", archive)
    if "from host remote.example" not in label:
        fail("%s: label: %s" % (host, label))


def notes_are_kept(env, host):
    m = "kernel.all.load"
    run("log", "-h", host, "-i", ".1", "-c", "1", "--metrics", m, "notes", env={**QUICK, **env})
    for switch in ("-t", "-T", "-l"):  # over TCP: a socket tells who is asking
        theirs, ours = tool("pminfo", "-h", "127.0.0.1", switch, m, env=env), tool("pminfo", switch, "-a", "notes", m)
        if len(theirs) < 40 or theirs.strip() != ours.replace(',"perfolio_unchanged":"held"', "").strip():
            fail("%s: pminfo %s tells '%s' of the pmcd and '%s' of the archive" % (m, switch, theirs, ours))


def labels_are_the_agents(env):
    """What is recorded here has the labels that PCP's agents give to the same metrics; what only we have says so."""
    _, err = run("log", "-s", "bcdfghijmMnpqsty", "-i", ".1", "-c", "1", "own")
    if "lost" in err:
        fail("own: %s" % err)
    check_archive("own", quiet=False)
    told = {"agent", "device_type", "indom_name"}

    def labels(*words):
        rows = {}
        for name, block in blocks(tool("pminfo", *words, env=env)).items():
            line = [w.strip()[len("labels "):] for w in block.split("\n") if w.strip().startswith("labels ")]
            if line:
                rows[name] = {k: v for k, v in json.loads(line[0]).items() if k in told}
        return rows
    ours = {m: l for m, l in labels("-a", "own", "-l").items() if "agent" in l}
    mine = {m: l for m, l in ours.items() if m.startswith("perfolio.")}
    rest = sorted(set(ours) - set(mine))
    theirs = {}
    for i in range(0, len(rest), 50):
        theirs.update(labels("-h", "127.0.0.1", "-l", *rest[i:i + 50]))
    if len(rest) < 300 or len(set(rest) & set(theirs)) < len(rest) * 9 // 10 or not mine:
        fail("labels: %d metrics of ours, %d of them PCP's, %d only ours" % (len(rest), len(theirs), len(mine)))
    for m in rest:
        if ours[m] != theirs.get(m, ours[m]):
            fail("%s: labels %s, PCP's agent has %s" % (m, ours[m], theirs[m]))
    for m, l in mine.items():
        if l["agent"] != "perfolio":
            fail("%s: labels %s" % (m, l))


def events_are_kept(env, host):
    run("log", "-h", host, "-i", ".1", "-c", "3", "--metrics", "sample.event", "events", env={**QUICK, **env})
    check_archive("events")
    dump = tool("pmdumplog", "events", "sample.event.records")
    for word in ("event record", "sample.event.type", "sample.event.param_"):
        if word not in dump:
            fail("events: no '%s' in %s" % (word, dump[:600]))


def views_are_live(env, host):
    got = samples("watch", "--host", host, "-scm", "-i", ".2", "-c", "2", env={**QUICK, **env})
    if len(got) != 2 or not all(s.get("mem.physmem", 0) > 0 and s.get("kernel.percpu.cpu.sys") for s in got):
        fail("a document of %s has %s" % (host, got[:1]))
    out, _ = run("watch", "--host", host, "-scdn", "-i", ".2", "-c", "2", env={**QUICK, **env})
    if len(out.splitlines()) != 4 or "PktOut" not in out:
        fail("a brief view of %s: %s" % (host, out))
    out, _ = run("watch", "--host", host, "-sc", "-i", ".2", "-c", "1", "--export", "openmetrics", env={**QUICK, **env})
    if "cpu" not in out:
        fail("an exporter of %s: %s" % (host, out[:200]))


def recordings_are_shown(env, host):
    """What is recorded of another host by letters is shown as if it were recorded there."""
    run("log", "-h", host, "-i", ".2", "-c", "3", "-s", "cdmn", "letters", env={**QUICK, **env})
    check_archive("letters", quiet=False)
    out, err = run("replay", "letters", "-scdmn")
    if len(out.splitlines()) != 5 or err:
        fail("replay of what was recorded: %s %s" % (out, err))
    got = samples("replay", "letters", "-scdmn")
    if not got or not all(s.get("mem.physmem", 0) > 0 and s.get("kernel.percpu.cpu.sys") and s.get("network.interface.in.bytes") for s in got):
        fail("replay of what was recorded: %s" % got[:1])
    run("log", "-h", host, "-i", ".1", "-c", "1", "-s", "d", "--metrics", "sample.colour", "--metrics", "hinv.ncpu", "more", env={**QUICK, **env})
    have = set(samples("replay", "more")[0])
    if not {"sample.colour", "hinv.ncpu", "disk.dev.read", "disk.all.total"} <= have:
        fail("--metrics beside -s of another host: %s" % sorted(have))
    run("log", "-h", "self:", "-i", ".05", "-c", "2", "--metrics", "mem.freemem", "--metrics", "kernel.all.cpu.[us]*", "narrow")
    names = set(tool("pmdumplog", "-d", "narrow").replace("PMID: ", "").split())
    if "(mem.freemem)" not in names or "(kernel.all.cpu.user)" not in names or "(kernel.all.cpu.idle)" in names or "(mem.physmem)" in names:
        fail("--metrics of this host: %s" % sorted(n for n in names if n.startswith("(")))


def denied_values_are_told(env, host):
    run("log", "-h", host, "-i", ".1", "-c", "1", "--metrics", "proc.io.rchar", "--metrics", "hinv.ncpu", "denied", env={**QUICK, **env})
    dump = tool("pmdumplog", "denied")
    if "(proc.io.rchar): No permission to perform requested operation" not in dump.replace("Error: ", "").replace("proc.io.rchar): Error", "proc.io.rchar):"):
        fail("no permission, and the archive says: %s" % dump[-400:])


def restart(env, host):
    """Stopped and started again: one line each, a mark, and whole."""
    job = Run("log", "-h", host, "-i", ".1", "--metrics", "hinv.ncpu", "--metrics", "kernel.all.load", "restart", env={**QUICK, **env})
    job.wait_sample()
    subprocess.run((UP, "stop"), env=environment(**env), stdout=subprocess.DEVNULL)
    job.wait_for("connection to the pmcd lost")
    subprocess.run((UP, "start"), env=environment(PMCD_HOST="remote.example", **env), stdout=subprocess.DEVNULL)
    job.wait_for("connected to the pmcd again")
    said = job.end()
    if said.count("\n") != 2:
        fail("restart: not one line each: %s" % said)
    check_archive("restart")
    if "<mark>" not in tool("pmdumplog", "restart"):
        fail("restart: the archive has no mark")


def hang(env, host, pid):
    job = Run("log", "-h", host, "-i", ".1", "--metrics", "kernel.all.load", "hang", env={**QUICK, **env})
    job.wait_sample()
    os.kill(pid, signal.SIGSTOP)
    try:
        job.wait_for("does not answer within 2 seconds")
    finally:
        os.kill(pid, signal.SIGCONT)
    job.wait_for("connected to the pmcd again")
    job.end()
    check_archive("hang")


def dumped(archive, metric):
    """Values of a single metric in the order of an archive; a mark is '<mark>'."""
    values = []
    for line in tool("pmdumplog", archive).splitlines():
        if "<mark>" in line:
            values.append("<mark>")
        elif "(%s)" % metric in line:
            values.append(line.split("): ", 1)[1].replace("value ", ""))
    return values


def first_attempts_fail():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        closed = "127.0.0.1:%d" % s.getsockname()[1]
    cases = [(closed, "Connection refused"), ("pcps://127.0.0.1", "encrypted connections"), ("unix:/no/such/socket", "No such file"),
             ("127.0.0.1:x", "'x' is no port"), ("host@proxy", "a proxy")]
    for host, text in cases:
        usage = "'" in text or "proxy" in text or "encrypted" in text
        _, err = run("log", "-h", host, "-c", "1", "never", rc=2 if usage else 1)
        if text not in err or host not in err:
            fail("%s: '%s' is not told: %s" % (host, text, err))
    for command in ("replay", "info", "verify", "convert"):
        more = ("x.raw.gz",) if command == "convert" else ()
        done = subprocess.run((OURS, command, "pcp://127.0.0.1") + more, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=environment(), cwd=TMP, timeout=90)
        if done.returncode not in (2, 4) or done.stdout.count("\n") > 3:
            fail("%s pcp://127.0.0.1: status %d: %s" % (command, done.returncode, done.stdout[:300]))
    if any(n.startswith("never") for n in os.listdir(TMP)):
        fail("an archive of nothing was left behind")


ONE = {"a.count": Metric(0x1E000001, 1, 1, COUNT, 5), "a.wide": Metric(0x1E000002, 3, 1, COUNT, 1 << 40),
       "a.set": Metric(0x1E000003, 1, 3, 0, {1: 10, 2: 20}, 0x1E000001, {1: "one", 2: "two two"})}


def broken_answers():
    """What is wrong with an answer ends the connection with a sentence; it never ends us, and leaves no archive."""
    def stall(kind):
        return lambda s, k, body, answer: b"" if k == kind else answer

    def cut(kind):
        def hook(s, k, body, answer):
            if k != kind:
                return answer
            threads.append(answer)
            raise_half(s, answer)
        return hook

    def raise_half(s, answer):
        s.open[-1].sendall(answer[:len(answer) // 2])
        raise OSError("ended in the middle")

    threads = []
    flood = fakepmcd.error(1) * 1000
    kinds = [(None, "greeting"), (fakepmcd.NAMES, "names"), (fakepmcd.DESC_IDS, "descriptors"), (fakepmcd.TRAVERSE, "a traversal")]
    cases = [("garbage", lambda s, k, b, a: b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9, "claims to have 1213486160 bytes"),
             ("a refusal", lambda s, k, b, a: pdu(fakepmcd.ERROR, struct.pack(">iI", -1043, 0x02010E00)), "it refuses: too many connections"),
             ("another version", lambda s, k, b, a: pdu(fakepmcd.ERROR, struct.pack(">iI", 0, 0x03010E00)), "version 3 of the protocol"),
             ("a login", lambda s, k, b, a: pdu(fakepmcd.ERROR, struct.pack(">iI", 0, 0x02010E08)), "wants a login"),
             ("a flood", lambda s, k, b, a: a if k is None else flood, "talks without being asked")]
    cases += [("silence instead of " + n, stall(k), "does not answer within 2 seconds") for k, n in kinds]
    cases += [("half of " + n, cut(k), "ended") for k, n in kinds]
    cases += [("no connection after " + n, lambda s, k, b, a, kind=kind: None if k == kind else a, "ended") for kind, n in kinds]
    cases += [("a lie in word %d of %s" % (w, n), lambda s, k, b, a, kind=kind, w=w: a[:w * 4] + b"\x7f\xff\xff\xff" + a[w * 4 + 4:] if k == kind else a, None)
              for kind, n in kinds[1:] for w in range(0, 6) if w != 2]
    for name, hook, text in cases:
        server = Pmcd(ONE, hook)
        done = subprocess.run((OURS, "log", "-h", "127.0.0.1:%d" % server.port, "-i", ".1", "-c", "1", "--metrics", "a", "--metrics", "hinv.ncpu", "broken"),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(**QUICK), cwd=TMP, timeout=90)
        server.stop()
        said = done.stderr
        if done.returncode not in ((1,) if text else (0, 1)) or (text and text not in said) or "ERROR" in said:
            fail("%s: status %d: %s" % (name, done.returncode, said[:600]))
        left = [n for n in os.listdir(TMP) if n.startswith("broken")]
        if left and done.returncode == 1:
            fail("%s: an archive is left behind: %s" % (name, left))
        for n in left:
            os.unlink(os.path.join(TMP, n))


def values_of_both_protocols():
    for features in (0xE00, 0x400, 0):
        server = Pmcd(ONE, features=features)
        name = "proto%x" % features
        run("log", "-h", "127.0.0.1:%d" % server.port, "-i", ".05", "-c", "2", "--metrics", "a", name)
        server.stop()
        check_archive(name)
        dump = tool("pmdumplog", name)
        for text in ("(a.count): value 5", "(a.wide): value 1099511627776", 'inst [1 or "one"] value 10', 'inst [2 or "two two"] value 20'):
            if text not in dump:
                fail("features %x: no '%s' in %s" % (features, text, dump[-800:]))
        if "fake.example" not in tool("pmdumplog", "-L", name) or "XYZ-3" not in tool("pmdumplog", "-L", name):
            fail("label: %s" % tool("pmdumplog", "-L", name))


def names_are_names():
    """What no name can be is not recorded under it."""
    server = Pmcd({**ONE, "a.\x1b[2Jcls": Metric(0x1E000010), "a.two words": Metric(0x1E000011), "a.1st": Metric(0x1E000013),
                   "a..b": Metric(0x1E000014), "a.": Metric(0x1E000015), "a." + "x" * 2000: Metric(0x1E000012)})
    run("log", "-h", "127.0.0.1:%d" % server.port, "-i", ".05", "-c", "1", "--metrics", "a", "names")
    server.stop()
    names = [line for line in tool("pmdumplog", "-d", "names").splitlines() if line.startswith("PMID")]
    if len(names) != 3:
        fail("strange names: %s" % names)


def lost_in_the_middle():
    """Whatever is wrong with values: the connection is made again, and a mark stands between."""
    def at(n, what):
        return lambda s, k, body, answer: what(answer) if k == fakepmcd.HIGHRES_FETCH and s.fetches == n else answer

    lies = [("an end", lambda a: None), ("silence", lambda a: b""), ("a length", lambda a: b"\x7f\xff\xff\xff" + a[4:]), ("a count", lambda a: a[:12] + b"\0\0\1\0" + a[16:]),
            ("another type", lambda a: a[:4] + b"\0\0\x70\x05" + a[8:]), ("another metric", lambda a: a[:32] + b"\1\2\3\4" + a[36:]),
            ("an error", lambda a: fakepmcd.error(-12366)), ("a flood", lambda a: fakepmcd.error(1) * 1000 + a), ("a place", lambda a: a.replace(b"\x03\0\0\x0c", b"\x03\xff\xff\xff"))]
    for name, what in lies:
        server = Pmcd(ONE, at(4, what))
        archive = "middle-" + name.replace(" ", "")
        job = Run("log", "-h", "127.0.0.1:%d" % server.port, "-i", ".05", "--metrics", "a", archive)
        job.wait_for("connected to the pmcd again")
        said = job.end()
        server.stop()
        if said.count("connection to the pmcd lost") != 1 or said.count("\n") != 2:
            fail("%s: %s" % (name, said))
        check_archive(archive)
        values = dumped(archive, "a.wide")
        if "<mark>" not in values or values[-1] != "1099511627776":
            fail("%s: values are %s" % (name, values))


def another_after_restart():
    """Another type is converted, other units are left out, both are told once; an instance of the same number is another one."""
    server = Pmcd(dict(ONE))
    job = Run("log", "-h", "127.0.0.1:%d" % server.port, "-i", ".05", "--metrics", "a", "other")
    server.wait_fetches(4)
    server.metrics = {"a.count": Metric(0x1E000009, 3, 1, COUNT, 6), "a.wide": Metric(0x1E000002, 3, 1, BYTE, 7),
                      "a.set": Metric(0x1E000003, 1, 3, 0, {1: 11, 2: 21}, 0x1E000001, {1: "eins", 2: "two two"})}
    server.drop()
    job.wait_for("connected to the pmcd again")
    server.wait_fetches(server.fetches + 3)
    said = job.end()
    server.stop()
    check_archive("other")
    if "a.count is not described as it was before; its values are converted" not in said or "a.wide is not described as it was before; its values are left out" not in said \
            or said.count("\n") != 4:
        fail("other metadata: %s" % said)
    if dumped("other", "a.count")[-1] != "6" or "7" in dumped("other", "a.wide"):
        fail("other metadata: %s %s" % (dumped("other", "a.count"), dumped("other", "a.wide")))
    dump = tool("pmdumplog", "other", "a.set")
    if 'inst [1 or "one"] value 10' not in dump or '"eins"] value 11' not in dump:
        fail("another instance: %s" % dump[-600:])


def another_domain_and_back():
    """What has another domain than before is left out, alone; described as at first again, it is recorded again."""
    server = Pmcd(dict(ONE))
    job = Run("log", "-h", "127.0.0.1:%d" % server.port, "-i", ".05", "--metrics", "a", "domain")
    server.wait_fetches(4)
    server.metrics = {**ONE, "a.set": Metric(0x1E000003, 1, 3, 0, {1: 11, 2: 21}, 0x1E000002, {1: "one", 2: "two two"}),
                      "a.count": Metric(0x1E000001, 1, 1, COUNT, 6)}
    server.drop()
    job.wait_for("connected to the pmcd again")
    server.wait_fetches(server.fetches + 3)
    server.metrics = {**ONE, "a.set": Metric(0x1E000003, 1, 3, 0, {1: 12, 2: 22}, 0x1E000001, {1: "one", 2: "two two"})}
    server.drop()
    job.wait_for("is as it was at first again")
    server.wait_fetches(server.fetches + 3)
    said = job.end()
    server.stop()
    check_archive("domain")
    if said.count("a.set is not described as it was before; its values are left out from now on; a new recording has them") != 1:
        fail("another domain: %s" % said)
    dump = tool("pmdumplog", "domain", "a.set")
    if '"one"] value 10' not in dump or "value 11" in dump or '"one"] value 12' not in dump or "6" not in dumped("domain", "a.count"):
        fail("another domain: %s" % dump[-900:])


def state_changes():
    """Names that come while one records, and instances; nobody asks for instances that are known."""
    asked = []

    def hook(s, kind, body, answer):
        if kind == fakepmcd.INSTANCE_REQ:
            asked.append(s.fetches)
        news = kind == fakepmcd.HIGHRES_FETCH and s.fetches == 5
        if news:
            s.metrics = {**ONE, "a.new": Metric(0x1E000007, 1, 3, 0, 77)}
        return fakepmcd.error(16) + answer if news else answer

    server = Pmcd(ONE, hook)
    job = Run("log", "-h", "127.0.0.1:%d" % server.port, "-i", ".05", "--metrics", "a", "news")
    server.wait_fetches(8)
    server.metrics = {**server.metrics, "a.set": Metric(0x1E000003, 1, 3, 0, {1: 10, 3: 30}, 0x1E000001, {1: "one", 3: "three"})}
    server.wait_fetches(server.fetches + 4)
    said = job.end()
    server.stop()
    check_archive("news")
    if said or dumped("news", "a.new")[-1:] != ["77"] or 'inst [3 or "three"] value 30' not in tool("pmdumplog", "news", "a.set"):
        fail("changes of state: '%s', %s" % (said, tool("pmdumplog", "news")[-500:]))
    if len(asked) > 3:
        fail("instances were asked for %d times: %s" % (len(asked), asked))


def one_of_two():
    """One host is lost for good: the other goes on, and both are told of by name."""
    good, bad = Pmcd(ONE, host="127.0.0.2"), Pmcd(ONE, host="127.0.0.3")
    hosts = ["127.0.0.2:%d" % good.port, "127.0.0.3:%d" % bad.port]
    job = Run("record", "two.folio", "-h", hosts[0], "-h", "pcp://" + hosts[1], "-i", ".05", "--metrics", "a")
    bad.wait_fetches(4)
    good.wait_fetches(4)
    bad.stop()
    job.wait_for("pcp://%s: connection to the pmcd lost" % hosts[1])
    good.wait_fetches(good.fetches + 4)
    said = job.end()
    good.stop()
    for host in hosts:
        if "%s: " % host not in said or " samples" not in said:
            fail("two hosts: %s" % said)
    archives = [line.split()[2] for line in open(os.path.join(TMP, "two.folio")) if line.startswith("Archive:")]
    for a in archives:
        check_archive(a)
    with socket.socket() as s:
        s.bind(("127.0.0.4", 0))
        _, err = run("record", "half.folio", "-h", "127.0.0.4:%d" % s.getsockname()[1], "-h", "self:", "-s", "m", "-i", ".1", "-c", "2", rc=1)
        if " was not recorded, as told above" not in err or "3 samples" not in err:
            fail("a host that never answers: %s" % err)


def fake_pmcd():
    first_attempts_fail()
    broken_answers()
    values_of_both_protocols()
    names_are_names()
    lost_in_the_middle()
    another_after_restart()
    another_domain_and_back()
    state_changes()
    one_of_two()


def real_pmcd():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    env = {"PMCD_PORT": str(port)}
    up = subprocess.run((UP, "start"), env=environment(PMCD_HOST="remote.example", **env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if up.returncode != 0 or not shutil.which("pminfo"):
        print("no pmcd can be run here, left out: %s" % up.stdout.strip().splitlines()[-1:])
        return
    for line in subprocess.run((UP, "env"), env=environment(**env), stdout=subprocess.PIPE, text=True).stdout.splitlines():
        name, _, value = line.split(";")[0].partition("=")
        env[name] = value.strip("'")
    try:
        tcp = "127.0.0.1:%d" % port
        tools_env = {**env, "PMCD_SOCKET": env["PMCD_SOCKET"]}
        same_as_pminfo(tools_env, tcp)
        same_as_pminfo(tools_env, "unix:" + env["PMCD_SOCKET"])
        same_as_pminfo(tools_env, "local:")
        notes_are_kept(tools_env, tcp)
        events_are_kept(tools_env, tcp)
        labels_are_the_agents(tools_env)
        views_are_live(tools_env, "pcp://" + tcp)
        recordings_are_shown(tools_env, tcp)
        denied_values_are_told(tools_env, tcp)
        hang(tools_env, tcp, int(open(os.path.join(TMP, "pmcd-up-%d-%d" % (os.getuid(), port), "pid")).read()))
        restart(tools_env, tcp)
    finally:
        subprocess.run((UP, "stop"), env=environment(PMCD_PORT=str(port)), stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    try:
        fake_pmcd()
        real_pmcd()
    finally:
        shutil.rmtree(TMP, ignore_errors=True)
    sys.exit(1 if BAD else 0)

#!/usr/bin/env python3
"""logconfig.py BUILD - `pmlogger` by name and `perfolio log --config`. A table of configurations, most of them broken, is given to the real
pmlogger -C and to ours: same texts, same statuses. Then both record the same: same metrics, descriptors, instances and records; same
endings, volumes and logs. Of this host without a pmcd: only the files that the tasks need are read.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import fakepmcd
from fakepmcd import Metric, Pmcd

BUILD = os.path.abspath(sys.argv[1])
PERFOLIO = os.path.join(BUILD, "perfolio")
OURS = os.path.join(BUILD, "compat", "pmlogger")
THEIRS = "pmlogger"
UP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "pmcd-up")
BAD = []
TMP = tempfile.mkdtemp()
ONE = "sample.long.one"


def fail(text):
    print(text)
    BAD.append(text)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


ENV = {k: v for k, v in os.environ.items() if not k.startswith(("PMCD_", "PCP_", "PMLOGGER_"))}
ENV.update(TMPDIR=TMP, PMCD_PORT=str(free_port()), TZ="UTC", LC_ALL="C")


def tool(*words, rc=None, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=ENV,
                          cwd=TMP, timeout=90, **more)
    if rc is not None and done.returncode != rc:
        fail("%s: status %d, not %d: %s" % (" ".join(words), done.returncode, rc, done.stdout[-300:]))
    return done.stdout


def write(name, text):
    with open(os.path.join(TMP, name), "w") as f:
        f.write(text)
    return name


# What differs for good reason: numbers of instances stand in place of "(null)"; what our connection says of types that no archive holds.
NOISE = re.compile(r"^cache_bind\(\)|has a type or semantics that are not known here")


def normal(text):
    lines = []
    for line in text.split("\n"):
        if NOISE.search(line):
            continue
        line = re.sub(r"^\[... ... .. ..:..:..\] pmlogger\(\d+\)", "[TIME] pmlogger(PID)", line)
        line = re.sub(r"(started|finished|at) ... ... .. ..:..:.. \d{4}$", r"\1 TIME", line)
        line = re.sub(r'and instance "[^"]*"', "and instance ANY", line)
        lines.append(line)
    return lines


CONFIGS = [
    "on once { %s }" % ONE, "log mandatory on every 5 { %s }" % ONE, "log mandatory on every 5 parsecs { %s }" % ONE, "log mandatory on 0.5 sec { %s }" % ONE,
    "log mandatory on 0 sec { %s }" % ONE, "log mandatory on 268435456 msec { %s }" % ONE, "log mandatory on 100 hours { %s }" % ONE,
    "log mandatory on 99999999999999999999 sec { %s }" % ONE, "log mandatory on -1 sec { %s }" % ONE, "log advisory maybe { %s }" % ONE,
    "log mandatory maybe { %s }" % ONE, "log mandatory off { %s }" % ONE, "log mandatory off once { %s }" % ONE, "log { %s }" % ONE, "log on { %s }" % ONE,
    "mandatory on once %s" % ONE, "on once %s sample.long.ten" % ONE, "on once %s\n[access]\nallow * : all;" % ONE, "on once { %s } }" % ONE, "on once { }",
    "on once { %s,, sample.long.ten }" % ONE, "on once { %s, }" % ONE, "on once { ,%s }" % ONE, "on once { sample.bin[] }", 'on once { sample.bin[""] }',
    'on once { sample.bin["x\n] }', "on once { sample.bin[100 200 , 300] }", "on once { sample.bin[100,,200] }", "on once { sample.bin[100,] }",
    "on once { sample.long.one[1] }", "on once { sample.long.one[foo] }", "on once { sample.bin[nope 400 12345 \"bin-100\" \"bin-1\"] }",
    "on once { sample.bin[bin-100] }", "on once { sample.bin[1.5] }", "on once { sample.bin[a:b] }", "on once { sample.bin[a/b] }", "on once { sample.bin['a'] }",
    "on once { sample.bin[0x10] }", "on once { sample.bin[once access a.b] }", "on once sample.bin[once]", "on once { once mandatory log on off }",
    "on once { sample.bin.foo sample.9foo sample..foo foo. }", "on once { .foo }", "on once { 9foo }", "on once { foo_bar foo-bar }", "on once { foo@bar }",
    "on once { no.a\n no.b @ }", "on once\n# comment\n{ \n\n no.a \n no.b }\non 5 sec { \n no.c }", "on once no.a\n\n\non once no.b",
    "on once no.a\n[\n1\n]\n\non once no.b", "on once { sample.bin\n[\nfoo\n\nbar\n\n]\n\n no.b\n,\nno.c\n}", "on once { %s" % ONE, "ON once { %s }" % ONE,
    "#", "", "\n\n", "log mandatory on default { %s }" % ONE, "log mandatory on every default { %s }" % ONE, "on every once { %s }" % ONE, "on once once",
    "on once { log } mandatory off on", "on 5 milliseconds { %s }" % ONE, "on 5 hr { %s }" % ONE, "on 5sec { %s }" % ONE, "on 1 sec 2 sec foo",
    "on 5 sec %s on 3 sec sample.long.ten" % ONE, "on 5 sec sample.bin [ 100 ] on 3 sec sample.long.ten", "on 00001 sec no.x",
    "mandatory on once { %s } advisory on 5 sec { %s }" % (ONE, ONE), "advisory on once { %s } mandatory on 5 sec { %s }" % (ONE, ONE),
    "mandatory off { %s } advisory on 1 sec { %s sample.long.ten }" % (ONE, ONE), "mandatory on 1 sec { %s } advisory off { %s }" % (ONE, ONE),
    "mandatory off { sample.bin[100] } on 1 sec { sample.bin }", "mandatory off { sample.bin } on 1 sec { sample.bin[100] sample.long }",
    "mandatory off { sample.bin[100] } on 1 sec { sample.bin[100 200] }", "mandatory on 1 sec { sample.bin[100] } on 500 msec { sample.bin[100 200] }",
    "mandatory maybe { %s } advisory on 1 sec { %s }" % (ONE, ONE), "mandatory on 1 sec { sample.bin } advisory on 1 sec { sample.bin[100] }",
    "on 1 sec { sample.bad.unknown %s sample.long.nosuch }" % ONE,
    "on once { %s }\n[access]\nallow * : all;\ndisallow localhost: advisory;" % ONE, "on once { %s }\n[access]\nallow * : all;\ndisallow foo: advisory" % ONE,
    "on once { %s }\n[access]" % ONE, "on once { %s }\n[access]\nallow * : nothing;" % ONE, "[access]\nallow * : all;", "[access]\nallow \"foo\": advisory;",
    "[access]\nallow * : all except advisory, mandatory, enquire;", "[access]\nallow 155.23.4.* : enquire; disallow ::1 : advisory;",
    "[access]\nallow fe80::* : enquire;", "[access]\nallow unix: : all;", "[access]\nallow * : all except all;", "[access]\nallow * : ;",
    "[access]\nallow , : all;", "[access]\nallow * all;", "[access]\nallow 1.2.3 : all;", "[access]\nallow 1.2.3.4.5 : all;", "[access]\nallow 1.* : all;",
    "[access]\nallow *.* : all;", "[access]\nallow local*:all;", "[ access ]\nallow *:all;", "[access]\nfoo *:all;", "[access]\nallow *:all,mandatory;",
    "[access]\nallow *:maybe;", "[access]\nALLOW *:all;", "[access] # c\nallow * : all; on once %s" % ONE, "[foo]",
    "%%include \"nosuch\"\non once %s" % ONE, "%define X 5\nlog on %X sec { no.such }", "%define X 5\nlog on %{X}00 msec { no.a }\n%ifdef X\non once { no.b }\n%else\non once { no.c }\n%endif\nfoo",
    "%ifdef X\non once { no.b }\n%else\non once { no.c }\n%endif\nfoo", "%ifdef X", "%endif", "%else", "%define", "%undef", "%undef Y\nfoo", "%foo\nfoo",
    "%include x", "%include", "%include \"x", "%include \"inc\" x", "  %define X 5", "%define X 'a.b c.d'\non once { %X }", "%define X a\n%define X b", "%define X a b",
    "%define 9X 5", "%define X 'abc", "%ifdef X\n%ifdef Y", "%ifdef X\n%endif foo", "\n%include \"inc\"\non once { out.one }\nfoo",
    "\n%include <inc>\non once { out.one %{NO} }\nfoo", "on once { no.a\n%include \"nosuch\"\n}", "%include \"self\"",
]


def compare_configs():
    write("inc", "on once { in.one\n in.two }\n")
    write("self", '%include "self"\n')

    def both(i):
        name = write("c%d" % i, CONFIGS[i] + "\n")
        result = []
        for program in (THEIRS, OURS):
            done = subprocess.run([program, "-C", "-h", "localhost:" + ENV["PMCD_PORT"], "-c", name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=ENV, cwd=TMP, timeout=90)
            result.append((done.returncode, done.stdout, normal(done.stderr)))
        return result

    with ThreadPoolExecutor(4) as pool:
        for config, (theirs, ours) in zip(CONFIGS, pool.map(both, range(len(CONFIGS)))):
            if theirs != ours:
                fail("configuration %r: theirs %s, ours %s" % (config, theirs, ours))


def descriptors(archive):
    found = {}
    for m in re.finditer(r"^PMID: (\S+) \(([^)]*)\)\n +Data Type: (.*?)  InDom: (\S+).*\n +Semantics: (\w+)  Units: (.*)$", tool("pmdumplog", "-d", archive), re.M):
        for name in m.group(2).split(" or "):
            found[name] = (m.group(1),) + m.groups()[2:]
    return found


def records(archive):
    """[(time, {PMID: set of instances or None})], without prologue and epilogue."""
    found = []
    for line in tool("pmdumplog", archive).splitlines():
        if re.match(r"\d\d:\d\d:\d\d\.\d+", line):
            found.append((line.split()[0], {}))
        head = re.match(r" +(\d+\.\d+\.\d+) \([^)]*\): ?(.*)$", line)
        if head:
            pmid = head.group(1)
            found[-1][1][pmid] = set()
        inst = re.search(r'inst \[(-?\d+) or', line)
        if inst:
            found[-1][1][pmid].add(int(inst.group(1)))
    return [r for r in found if "2.3.3" not in r[1]]


def groups(archive):
    """Which records there are, without times; how often each comes."""
    counts = {}
    for _, values in records(archive):
        key = tuple(sorted((p, tuple(sorted(i))) for p, i in values.items()))
        counts[key] = counts.get(key, 0) + 1
    return counts


def clean(archive):
    said = tool("pmlogcheck", archive)
    if said:
        fail("pmlogcheck %s: %s" % (archive, said[:300]))


class Log:
    """A recording by one of both, which goes on."""

    def __init__(self, program, name, *words, env=None):
        self.name, self.log = name, name + ".log"
        self.process = subprocess.Popen([program, *words, "-l", self.log, name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=dict(ENV, **(env or {})), cwd=TMP)

    def text(self):
        try:
            return open(os.path.join(TMP, self.log), errors="replace").read()
        except FileNotFoundError:
            return ""

    def records(self):
        return len(records(self.name)) if os.path.exists(os.path.join(TMP, self.name + ".0")) else 0

    def wait(self, condition, what):
        end = time.monotonic() + 60
        while not condition():
            if time.monotonic() > end or self.process.poll() is not None:
                fail("%s: %s did not come: %s" % (self.name, what, self.text()[-300:]))
                return False
            time.sleep(0.1)
        return True

    def end(self, rc=0):
        if self.process.wait(timeout=60) != rc:
            fail("%s: status %d, not %d: %s" % (self.name, self.process.returncode, rc, self.text()[-300:]))
        return [line.replace(self.name, "NAME") for line in normal(self.text())]


CONFIG = """log mandatory on once { hinv.ncpu sample.colour kernel.uname }
log mandatory on 500 msec { sample.bin["bin-100", 200] sample.long.one kernel.all.load["1 minute" 15] }
log advisory on 1 sec { sample.string.hullo sample.double proc.nprocs network.interface.in.bytes sample.aggregate sample.bad.novalues no.such }
log advisory on default { pmcd.agent kernel.percpu.cpu.user }
log mandatory on 1 sec { sample.hordes.one[0 1] sample.float.bin sample.dupnames.two.long }
"""


def both(*words, **more):
    """The same by both; their logs, theirs first."""
    pair = [Log(THEIRS, "theirs", *words, **more), Log(OURS, "ours", *words, **more)]
    logs = [log.end() for log in pair]
    return logs


def forget():
    for name in os.listdir(TMP):
        if name.startswith(("theirs", "ours")):
            os.remove(os.path.join(TMP, name))


def compare_logs(what, theirs, ours):
    if theirs != ours:
        fail("%s: log of theirs %s, of ours %s" % (what, theirs, ours))


def compare_recordings():
    write("config", CONFIG)
    theirs, ours = both("-h", "localhost:" + ENV["PMCD_PORT"], "-c", "config", "-t", "2sec", "-T", "4.2sec")
    compare_logs("recording", theirs, ours)
    clean("ours")
    a, b = ({desc[0]: (name, desc) for name, desc in descriptors(archive).items()} for archive in ("theirs", "ours"))
    if set(a) != set(b) or any(b[pmid][1] != a[pmid][1] or b[pmid][0] not in descriptors("theirs") for pmid in a):
        fail("descriptors: %s" % [(pmid, a.get(pmid), b.get(pmid)) for pmid in set(a) | set(b) if a.get(pmid, (0, 0))[1] != b.get(pmid, (0, 1))[1]])
    a, b = groups("theirs"), groups("ours")
    if set(a) != set(b):
        fail("records: only theirs %s, only ours %s" % (set(a) - set(b), set(b) - set(a)))
    for key in set(a) & set(b):
        if abs(a[key] - b[key]) > 1 + max(a[key], b[key]) // 2:
            fail("records of %s: %d, ours %d" % (key[0], a[key], b[key]))
    for flag in ("-l", "-i"):
        said = [re.sub(r"\d\d:\d\d:\d\d\.\d+|(commencing|ending) .*|theirs|ours", "", tool("pmdumplog", flag, name)) for name in ("theirs", "ours")]
        said = [sorted(line for line in text.split("\n") if not re.search(r"^ +\d+ or \"\d+\"$", line)) for text in said]
        if said[0] != said[1]:
            fail("pmdumplog %s: %s, ours %s" % (flag, said[0][:9], said[1][:9]))
    first, last = tool("pmdumplog", "ours").split("metric"), tool("pmdumplog", "ours").splitlines()[-6:]
    if "pmcd.pmlogger.archive" not in first[1] + first[2] or not any("pmcd.pmlogger.host" in line for line in last):
        fail("no prologue or epilogue: %s" % last)
    forget()


def compare_ends():
    write("one", "on 200 msec { %s }\n" % ONE)
    write("late", "on 1 sec { no.such }\n")
    write("nothing", "# nothing\n")
    for words, volumes in ((("-s", "4"), 1), (("-s", "700b"), 1), (("-T", "1.1sec"), 1), (("-s", "1 sec"), 1), (("-v", "2", "-s", "5"), 3), (("-v", "450b", "-s", "5"), 2),
                           (("-V", "3", "-s", "2"), 1), (("-H", "elsewhere", "-s", "2"), 1), (("-r", "-s", "2"), 1), (("-L", "-c", "late", "-T", "1sec"), 0)):
        theirs, ours = both("-c", "one", *words)
        compare_logs(" ".join(words), theirs, ours)
        there = len([n for n in os.listdir(TMP) if re.match(r"ours\.\d+$", n)])
        if there != volumes:
            fail("%s: %d volumes, not %d" % (" ".join(words), there, volumes))
        if volumes:
            clean("ours")
            theirs, ours = [tool("pmdumplog", "-L", n).splitlines() for n in ("theirs", "ours")]
            if theirs[:2] != ours[:2]:
                fail("%s: labels %s, ours %s" % (" ".join(words), theirs[:2], ours[:2]))
        forget()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        logs = []
        for program, name in ((THEIRS, "theirs"), (OURS, "ours")):
            log = Log(program, name, "-c", "one")
            if log.wait(lambda: log.records() >= 2, "two records"):
                log.process.send_signal(number)
            if number == signal.SIGHUP:
                log.wait(lambda: "New log volume" in log.text(), "a new volume")
                log.process.terminate()
            logs.append(log.end())
        compare_logs(number.name, *logs)
        clean("ours")
        forget()
    log = Log(OURS, "ours", "-c", "one")
    if log.wait(lambda: log.records() >= 2, "two records"):
        log.process.send_signal(signal.SIGUSR2)
    if not any("Caught signal %d, exiting" % signal.SIGUSR2 in line for line in log.end()):
        fail("USR2: %s" % log.text())
    clean("ours")
    forget()
    other = subprocess.Popen(["sleep", "60"])
    pair = [Log(THEIRS, "theirs", "-c", "one", "-p", str(other.pid)), Log(OURS, "ours", "-c", "one", "-p", str(other.pid))]
    for log in pair:
        log.wait(lambda: log.records() >= 1, "a record")
    other.kill()
    other.wait()
    compare_logs("-p", *[log.end() for log in pair])
    forget()
    for words in (("-c", "nothing"), ("-c", "one", "-h", "localhost:1"), ("-c", "one", "-T", "foo"), ("-c", "nosuchfile")):
        logs = [Log(program, name, *words).end(1) for program, name in ((THEIRS, "theirs"), (OURS, "ours"))]
        compare_logs(" ".join(words), *logs)
        if any(re.match(r"ours\.(\d|meta|index)", n) for n in os.listdir(TMP)):
            fail("%s: files of an archive are left" % " ".join(words))
        forget()
    for suffix in ("index", "meta", "0"):
        logs = []
        for program, name in ((THEIRS, "theirs"), (OURS, "ours")):
            write(name + "." + suffix, "mine")
            logs.append(Log(program, name, "-c", "one").end(1))
        compare_logs("existing ." + suffix, *logs)
        if open(os.path.join(TMP, "ours." + suffix)).read() != "mine":
            fail("a file that was there is not what it was")
        forget()


def compare_usage():
    for words in ((), ("a", "b"), ("-P", "-h", "x", "a"), ("-Z", "a"), ("-s", "foo", "a"), ("-v", "foo", "a"), ("-t", "foo", "a"), ("-V", "9", "a"), ("-p", "x", "a"),
                  ("-p", "999999", "a"), ("-x", "foo", "a"), ("-I", "9", "a"), ("-K", "foo", "a"), ("-U", "nosuch", "a"), ("-C", "extra"), ("--help",)):
        said = []
        for program in (THEIRS, OURS):
            done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENV, cwd=TMP, timeout=60)
            said.append((done.returncode, normal(done.stdout.split("\nOptions:")[0])))
        if said[0] != said[1]:
            fail("%s: theirs %s, ours %s" % (" ".join(words), said[0], said[1]))
    said = tool(OURS, "-o", "a", rc=1)
    if not said.startswith("pmlogger: -o: agents are not loaded here"):
        fail("-o: %s" % said[:80])


def check_lost():
    """The pmcd goes and comes again: a mark, and both lines in the log."""
    log = Log(OURS, "ours", "-c", "one", env={"PMCD_RECONNECT_TIMEOUT": "0.2"})
    log.wait(lambda: log.records() >= 2, "two records")
    tool(UP, "stop")
    log.wait(lambda: "Lost connection to PMCD" in log.text(), "the loss")
    tool(UP, "start")
    log.wait(lambda: "re-established connection to PMCD" in log.text(), "the pmcd")
    before = log.records()
    log.wait(lambda: log.records() > before, "a record behind it")
    log.process.terminate()
    said = log.end()
    for what in ("Lost", "re-established"):
        if 'pmlogger: %s connection to PMCD on "%s" at TIME' % (what, socket.gethostname()) not in said:
            fail("%s: not told of the host as the pmcd calls it: %s" % (what, said))
    clean("ours")
    if "<mark>" not in tool("pmdumplog", "ours"):
        fail("a pmcd that was away leaves no mark")
    forget()


def check_self():
    """Without a pmcd: two tasks, their metrics alone, and their files alone."""
    write("mine", "log mandatory on once { hinv.pagesize kernel.uname.release }\nlog mandatory on 200 msec { kernel.all.load }\n"
          "log advisory on 500 msec { network.interface.in.bytes[\"lo\"] nosuch }\n")
    trace = ["env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-f", "-e", "trace=openat,open", "-o", "trace"] if shutil.which("strace") else []
    said = tool(PERFOLIO, "log", "--config", "mine", "--until", "1.3sec", "--no-compress", "self", rc=0)
    if "mine, line 3: nothing is called nosuch, ignoring it" not in said:
        fail("self: %s" % said)
    clean("self")
    names = {pmid: name for name, (pmid, *_) in descriptors("self").items()}
    found = [(frozenset(names[p] for p in values), values) for _, values in records("self")]
    want = {frozenset(["kernel.all.load"]), frozenset(["network.interface.in.bytes"])}
    kinds = {f[0] for f in found}
    if not want <= kinds or any(k not in want and not k <= {"hinv.pagesize", "kernel.uname.release"} for k in kinds):
        fail("self: records of %s" % [sorted(k) for k in kinds])
    if not found or "kernel.uname.release" not in found[0][0]:
        fail("self: the first record is of %s" % (sorted(found[0][0]) if found else "nothing"))
    write("inst", "log mandatory on once { network.interface.in.bytes[\"lo\", \"none0\"] }\n"
          "log on 100 msec { network.interface.out.bytes[\"none1\", 77] kernel.all.load[\"1 minute\", 5, \"3 minute\"] }\n"
          "log advisory on 100 msec { network.interface.out.packets }\nlog mandatory off { network.interface.in.packets[\"none2\"] }\n")
    told = tool(PERFOLIO, "log", "--config", "inst", "--until", "700msec", "--no-compress", "some", rc=0)
    want_told = ["inst, line %d: metric %s has no instance %s, ignoring that" % t for t in (
        (1, "network.interface.in.bytes", "none0"), (2, "network.interface.out.bytes", "none1"), (2, "network.interface.out.bytes", "77"),
        (2, "kernel.all.load", "3 minute"))]
    if any(told.count(w + "\n") != 1 for w in want_told) or told.count("has no instance") != len(want_told):
        fail("self: instances that are not there: %s" % told)
    inst = [len(v[p]) for _, v in found for p in v if names[p] == "network.interface.in.bytes"]
    if any(n != 1 for n in inst):
        fail("self: %s instances of lo" % inst)
    if trace:
        tool(*trace, PERFOLIO, "log", "--config", write("loads", "on 100 msec { kernel.all.load }\n"), "--until", "300msec", "loads", rc=0)
        opened = set(re.findall(r'"(?:/)?(proc/[a-z/]+)"', open(os.path.join(TMP, "trace")).read()))
        read = {p for p in opened if not p.startswith(("proc/self", "proc/sys"))}
        if "proc/loadavg" not in read or "proc/meminfo" in read or "proc/diskstats" in read:
            fail("self: for the load the files %s are opened" % sorted(read))
    log = Log(OURS, "ours", "-h", "self:", "-r", "-c", write("sized", "on 100 msec kernel.all.load\n"), "-s", "3")
    log.end()
    told = re.search(r"logged every 0\.100 sec: (\d+) bytes", log.text())
    data = os.path.getsize(os.path.join(TMP, "ours.0")) - 132
    if not told or 3 * int(told.group(1)) != data:
        fail("self: -r tells %s, three records have %d bytes" % (told and told.group(1), data))
    forget()
    for text, want in (("on once { kernel.all.load", "bad, line 2: syntax error"), ("%endif\n", "bad, line 1: %endif: No matching"),
                       ("%ifdef X\n", "bad, line 1: no %endif"), ("on once { nosuch }\n", "nothing of what the configuration names")):
        said = tool(PERFOLIO, "log", "--config", write("bad", text), "broken", rc=1)
        if want not in said or os.path.exists(os.path.join(TMP, "broken.meta")):
            fail("%r: %s" % (text, said))
    said = tool(PERFOLIO, "log", "--config", "mine", "-s", "c", "broken", rc=2)
    if "leave out -s" not in said:
        fail("--config -s: %s" % said)
    write("count", "on once { hinv.pagesize }\non 100 msec { kernel.all.load }\non default { mem.util.free }\n")
    tool(PERFOLIO, "log", "--config", "count", "-i", "0.4", "-c", "2", "--no-compress", "counted", rc=0)
    names = {pmid: name for name, (pmid, *_) in descriptors("counted").items()}
    found = [names[p] for _, values in records("counted") for p in values]
    if found.count("mem.util.free") not in (2, 3) or not 2 <= found.count("kernel.all.load") <= 9:
        fail("-c with a configuration: %s" % found)
    write("two", "on 100 msec { kernel.all.load }\non 500 msec { kernel.all.intr kernel.all.pswitch }\n")
    tool(PERFOLIO, "log", "--config", "two", "--until", "2.3sec", "--no-compress", "twice", rc=0)
    names = {pmid: name for name, (pmid, *_) in descriptors("twice").items()}
    found = [names[p] for _, values in records("twice") for p in values]
    rows = [line for line in tool(PERFOLIO, "replay", "twice.meta", "-sc", rc=0).splitlines() if not line.startswith("#")]
    if len(rows) != found.count("kernel.all.intr") - 1 or len(rows) >= found.count("kernel.all.load") - 1 or any(not re.search(r"\d", r) for r in rows):
        fail("rows of two tasks, %d records of one and %d of the other: %s" % (found.count("kernel.all.intr"), found.count("kernel.all.load"), rows))
    rows = [line for line in tool(PERFOLIO, "replay", "twice.meta", "-sc", "-c", "1", rc=0).splitlines() if not line.startswith("#")]
    if len(rows) != 1 or not re.search(r"\d", rows[0]):
        fail("-c 1 of two tasks: %s" % rows)
    there = write("there.log", "kept\n")
    said = tool(PERFOLIO, "log", "-l", there, "-c", "1", "broken", rc=1)
    if "choose another name" not in said or open(os.path.join(TMP, there)).read() != "kept\n":
        fail("-l of a file that is there: %s" % said)


def check_questions():
    """What a pmcd is asked: one question for each task and time, with the metrics and instances of that task alone; names that come later, and
    instances that come and go."""
    fetched, profiles, instance_questions = [], [], []
    domain = 0x1E000001
    there = {1: "one", 2: "two words", 3: "three"}

    def metrics(instances, *more):
        found = {"a.one": Metric(0x1E000001), "a.set": Metric(0x1E000002, 1, 3, 0, {i: i * 10 for i in instances}, domain, instances),
                 "a.other": Metric(0x1E000003, 1, 3, 0, {i: i for i in instances}, domain, instances), "a.rest": Metric(0x1E000004)}
        return {**found, **{name: Metric(pmid) for name, pmid in more}}

    def hook(s, kind, body, answer):
        if kind == fakepmcd.HIGHRES_FETCH:
            n = struct.unpack(">I", body[12:16])[0]
            fetched.append(struct.unpack(">%dI" % n, body[16:]))
        if kind == fakepmcd.INSTANCE_REQ:
            instance_questions.append(s.fetches)
        news = kind == fakepmcd.HIGHRES_FETCH and s.fetches == 12
        if news:
            s.metrics = metrics({**there, 7: "seven"}, ("later.often", 0x1E000008), ("later.once", 0x1E000009))
        return fakepmcd.error(16) + answer if news else answer

    class Watched(Pmcd):
        def answer(self, kind, body):
            if kind == fakepmcd.PROFILE:
                profiles.append(struct.unpack(">%dI" % (len(body) // 4), body))
            return super().answer(kind, body)

    server = Watched(metrics(there), hook)
    write("asks", "log mandatory on once { a.rest later.once }\nlog mandatory on 100 msec { a.one a.set[2, \"three\"] later.often }\n"
          "log mandatory on 150 msec { a.other later }\n")
    log = Log(OURS, "ours", "-c", "asks", "-h", "127.0.0.1:%d" % server.port, "-V", "3")
    server.wait_fetches(30)
    server.metrics = metrics({1: "one"}, ("later.often", 0x1E000008), ("later.once", 0x1E000009))
    server.wait_fetches(server.fetches + 12)
    log.process.terminate()
    log.end()
    server.stop()
    clean("ours")
    kinds = set(fetched[1:])
    want = {(0x1E000004,), (0x1E000001, 0x1E000002), (0x1E000003,), (0x1E000009,), (0x1E000001, 0x1E000002, 0x1E000008), (0x1E000003, 0x1E000008, 0x1E000009)}
    if {tuple(sorted(k)) for k in kinds} != want:
        fail("a pmcd is asked for %s" % [["%x" % p for p in k] for k in kinds])
    if (0, 0, 1, 0, domain, 1, 2, 0, 2, 3) not in {p[:8] + tuple(sorted(p[8:])) for p in profiles} or len(profiles) < 3:
        fail("profiles: %s" % profiles[:4])
    if len(instance_questions) > 6:
        fail("instances were asked for %d times" % len(instance_questions))
    names = {pmid: name for name, (pmid, *_) in descriptors("ours").items()}
    found = [{names[p]: i for p, i in values.items()} for _, values in records("ours")]
    if sum("later.once" in f and "a.other" not in f for f in found) != 1 or sum("a.rest" in f for f in found) != 1:
        fail("what is logged once: %s" % [f for f in found if "later.once" in f or "a.rest" in f][:4])
    sets = {tuple(sorted(f["a.set"])) for f in found if "a.set" in f}
    if sets - {(), (2, 3)} or (2, 3) not in sets:
        fail("instances of a.set: %s" % sets)
    domains = re.findall(r"^\d\S+ (?:full |delta )?(\d+) instances", tool("pmdumplog", "-i", "ours"), re.M)
    if len(domains) > 4:
        fail("the domain is written %d times" % len(domains))
    forget()


def main():
    check_self()
    check_questions()
    if not shutil.which(THEIRS) or not shutil.which("pmdumplog"):
        print("no pmlogger here to compare with")
        return 77
    out = tool(UP, "start")
    env = tool(UP, "env")
    ENV.update(re.findall(r"^(\w+)='([^']*)'", env, re.M))
    if "PCP_RUN_DIR" not in ENV or not os.path.exists(ENV["PCP_RUN_DIR"]):
        print("no pmcd can be run here: %s" % out[-200:])
        return 77
    ENV["PMCD_SOCKET"] = ENV.get("PMCD_SOCKET", "")
    try:
        compare_usage()
        compare_configs()
        compare_recordings()
        compare_ends()
        check_lost()
    finally:
        tool(UP, "stop")
    return 0


try:
    status = main()
finally:
    shutil.rmtree(TMP, ignore_errors=True)
sys.exit(1 if BAD else status)

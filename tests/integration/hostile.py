"""hostile.py PERFOLIO COLLECTL WORK - processes and threads that want to harm whoever looks at them, in every view, format and recording.
Run in a /proc of its own, as root. Says one sentence for each failure."""
import ctypes
import glob
import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

perfolio, collectl, work = sys.argv[1:4]
bad = []
libc = ctypes.CDLL(None)

NAMES = [
    b"e\033[31;1mx",
    b"t\033]0;gotcha\007",
    b"new\n99 (x) R 1",
    b"q\"uo'te",
    b"back\\slash\\",
    b"ff\xff\xfe\xfd",
    b"c1\x9b31m\x90\x9d",
    b"u1\xc2\x9b31m",
    b"over\xc0\xaf\xe0\x80\x8a",
    b"sur\xed\xa0\x80\xf4\x90\x80\x80",
    b") R 1 1 (",
    b"<a&b>]]>",
    b"=1+1,;|\t",
    b"\r\x0b\x0c\x7f\x08\x08",
    b" ",
    b"\xe2\x80\xae\xf0\x9f\x98\x80",
]


def fail(text):
    bad.append(text)
    print(text[:400])


def start():
    """A process for each name; the file's name is the process's."""
    pids = {}
    for i, name in enumerate(NAMES):
        folder = os.path.join(os.fsencode(work), b"bin%d" % i)
        os.mkdir(folder)
        path = os.path.join(folder, name)
        shutil.copy("/bin/sleep", path)
        arguments = [name + b"\033[2J" + name * 20] + ([b"600"] if i else [b"600"] + [b"0\0"[:1]] * 30000)
        p = subprocess.Popen(arguments, executable=path)
        pids[p.pid] = name
    return pids


def zombie():
    pid = os.fork()
    if pid == 0:
        os.execv("/bin/true", ["true"])
    while b"Z" not in open("/proc/%d/stat" % pid, "rb").read().rsplit(b")", 1)[1][:3]:
        time.sleep(0.01)
    return pid


def restless():
    """Its name changes all the time, and it has threads with bad names."""
    pid = os.fork()
    if pid:
        return pid
    libc.prctl(1, signal.SIGKILL)

    def thread(name):
        with open("/proc/thread-self/comm", "wb") as f:
            f.write(name[:15])
        time.sleep(600)
    for name in NAMES[:6]:
        threading.Thread(target=thread, args=(name,), daemon=True).start()
    i = 0
    while True:
        libc.prctl(15, NAMES[i % len(NAMES)][:15], 0, 0, 0)
        i += 1
        time.sleep(0.003)


def mayflies():
    """Processes that end as soon as they are there, so that many do between two reads of the same one; and the same number again."""
    pid = os.fork()
    if pid:
        return pid
    libc.prctl(1, signal.SIGKILL)
    while True:
        try:
            with open("/proc/sys/kernel/ns_last_pid", "w") as f:
                f.write("5000")
        except OSError:
            pass
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0)
            time.sleep(0.002)
            os.waitpid(child, 0)


def run(*arguments, program=None, user=None):
    command = [program or perfolio, *arguments]
    if user:
        command = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] + command
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        fail("perfolio %s: status %d: %r" % (" ".join(arguments), p.returncode, p.stderr[:200]))
    return p.stdout, p.stderr


SCREEN = re.compile(rb"\033\[(?:\d*;?\d*[HJKr]|\?7[lh])")


def harmless(what, text, screen=False):
    if what.rsplit(" ", 1)[-1] in ("xml", "html", "csv"):
        text = text.replace(b"\t", b" ")
    if screen:
        text = SCREEN.sub(b"", text)
    try:
        points = text.decode("utf-8")
    except UnicodeDecodeError as e:
        return fail("%s: no UTF-8: %r" % (what, text[max(0, e.start - 20):e.start + 20]))
    for m in re.finditer("[\0-\x09\x0b-\x1f\x80-\x9f]", points):
        return fail("%s: a control reaches the terminal: %r" % (what, points[max(0, m.start() - 30):m.start() + 30]))


def visible(what):
    """Those that can be told from others there: collectl's files lose a name with a line's end, and one with threads has more rows."""
    return [p for p in chosen if "file" not in what or (b"\n" not in chosen[p] and chosen[p] != b"restless")]


def rows(what, text, count, pids=None):
    """Each process has one row in each of @count intervals."""
    for pid in pids or visible(what):
        before = rb"\d{8} [\d:.]+ " if "-P" in what else rb" *(?:[\d:.]+ +)?"
        n = len(re.findall(rb"(?m)^%s%d " % (before, pid), text))
        if n != count:
            fail("%s: process %d (%r) has %d rows in %d intervals" % (what, pid, chosen.get(pid), n, count))


def unique(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("duplicate member among %r" % keys)
    return dict(pairs)


def strict(text):
    def constant(name):
        raise ValueError(name + " is no JSON")
    return json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)


def instances(tree, name):
    """Of a document: the instances of the metric."""
    found = []
    if isinstance(tree, dict):
        if tree.get("name") == name and "instances" in tree:
            found.append(tree["instances"])
        tree = list(tree.values())
    if isinstance(tree, list):
        for x in tree:
            found += instances(x, name)
    return found


def documents(what, *arguments):
    text, _ = run(*arguments, "--oformat", "json")
    harmless(what + " json", text)
    try:
        tree = strict(text)
    except ValueError as e:
        return fail("%s: not strict JSON: %s" % (what, e))
    samples = instances(tree, "proc.psinfo.pid")
    for s in samples:
        have = json.dumps(s)
        for pid in visible(what):
            if len(re.findall(r'"%06d ' % pid, have)) != 1:
                fail("%s: json: process %d (%r) is not one instance" % (what, pid, chosen[pid]))
    if not samples:
        fail(what + ": json: no processes")
    text, _ = run(*arguments, "--oformat", "jsonl")
    harmless(what + " jsonl", text)
    try:
        for line in text.splitlines():
            strict(line)
    except ValueError as e:
        fail("%s: not strict JSON lines: %s" % (what, e))
    for form in "xml", "html":
        text, _ = run(*arguments, "--oformat", form)
        harmless("%s %s" % (what, form), text)
        p = subprocess.run(["xmllint", "--noout"] + (["--html"] if form == "html" else []) + ["-"], input=text,
                           stderr=subprocess.PIPE) if shutil.which("xmllint") else None
        if p and form == "xml" and p.returncode != 0:
            fail("%s: xmllint: %r" % (what, p.stderr[:200]))
        html.parser.HTMLParser().feed(text.decode("utf-8", "replace"))
    text, _ = run(*arguments, "--oformat", "csv")
    harmless(what + " csv", text)
    lexpr, _ = run(*arguments, "--export", "lexpr")
    harmless(what + " lexpr", lexpr)


def every_view(what, count, *arguments):
    for more in [], ["--procopts", "w"], ["--procopts", "m"], ["--procopts", "i"], ["-P"]:
        text, _ = run(*arguments, "-sZ", *more)
        name = " ".join([what, "-sZ", *more])
        harmless(name, text)
        rows(name, text, count)
    text, _ = run(*arguments, "--top", "time,100")
    harmless(what + " --top", text, screen=True)
    rows(what + " --top", SCREEN.sub(b"", text), count)
    documents(what, *arguments, "-sZ")


def recorded():
    """Recorded by each program, played by both; only ours makes them harmless."""
    for program, name in (perfolio, "perfolio"), ("/usr/bin/collectl", "collectl"):
        if not os.path.exists(program):
            continue
        folder = "%s/by-%s/" % (work, name)
        os.mkdir(folder)
        run("-sZ", "-i1:1", "-c2", "--procopts", "t", "-f", folder, program=program)
        files = glob.glob(folder + "*.raw.gz")
        if len(files) != 1:
            fail("%s recorded %d files" % (name, len(files)))
            continue
        if name == "perfolio":
            lines = subprocess.run(["zcat", files[0]], stdout=subprocess.PIPE).stdout.split(b"\n")
            odd = [x for x in lines if x and not re.match(rb"#|>>> |procT?:\d+ ", x)]
            if odd:
                fail("a name broke a line of the raw file: %r" % odd[0])
        plays = run("-p", files[0], "-sZ")[0]
        harmless("%s's file" % name, plays)
        every_view("%s's file" % name, 2, "-p", files[0])
        if program != perfolio or os.path.exists("/usr/bin/collectl"):
            theirs = subprocess.run(["/usr/bin/collectl", "-p", files[0], "-sZ"], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).stdout
            ours = run("-p", files[0], "-sZ", program=collectl)[0]
            if theirs != ours and b"\033[31" not in theirs:
                fail("%s's file: the real collectl shows %d bytes, ours %d" % (name, len(theirs), len(ours)))


def archive():
    base = work + "/archive"
    run("log", "-sZ", "-i0.2", "-c3", base)
    meta = glob.glob(base + "*")
    if not meta:
        return fail("no archive was made")
    text, _ = run("replay", base, "-sZ")
    harmless("archive", text)
    documents("archive", "replay", base, "-sZ")


def unreadable():
    """Everything of others is hidden (hidepid=2), or only what needs rights (hidepid=0)."""
    for hidepid in 0, 2:
        subprocess.run(["mount", "-t", "proc", "-o", "remount,hidepid=%d" % hidepid, "proc", "/proc"], check=True)
        text, told = run("-sZ", "-i0.2:0.2", "-c3", user="65534")
        harmless("hidepid=%d" % hidepid, text)
        if len(told.splitlines()) > 1:
            fail("hidepid=%d: %d notices, expected one at most: %r" % (hidepid, len(told.splitlines()), told[:300]))
        if not re.search(rb"\d+ +(nobody|65534) ", text):
            fail("hidepid=%d: an unprivileged user does not see even itself: %r" % (hidepid, text[:200]))
        if hidepid == 0:
            rows("as nobody", text, 3)
        elif re.search(rb"(?m)^ *1 +root ", text):
            fail("hidepid=2 is not in force, so this test shows nothing")
        text, told = run("-sZ", "-i0.2:0.2", "-c2", "--oformat", "json", user="65534")
        strict(text)
    subprocess.run(["mount", "-t", "proc", "-o", "remount,hidepid=0", "proc", "/proc"], check=True)


chosen = start()
chosen[zombie()] = b"true"
chosen[restless()] = b"restless"
others = [mayflies()]
try:
    time.sleep(0.3)
    every_view("live", 3, "-i0.2:0.2", "-c3")
    text, told = run("-sZ", "-i0.2:0.2", "-c3", "--procopts", "t")
    harmless("threads", text)
    for name in "e", "t", "new", "q", "back", "ff":
        if not re.search(rb"(?m) %s[^\n]*$" % name.encode(), text):
            fail("threads: no row of the thread named %s..." % name)
    documents("threads", "-sZ", "-i0.2:0.2", "-c3", "--procopts", "t")
    text, told = run("-sZ", "-i0.02:0.02", "-c100")
    if told:
        fail("processes that end while they are read are told: %r" % told[:200])
    recorded()
    archive()
    unreadable()
finally:
    for pid in others + [p for p in chosen if chosen[p] != b"true"]:
        os.kill(pid, signal.SIGKILL)
sys.exit(bool(bad))

#!/usr/bin/env python3
"""wild.py BUILD - native modules that crash, leak, flood, hang, exit or write over their stack, in each callback: isolated, they cost their own
values only, live, in a recording of raw text, in archives, and in playback; not isolated, INT twice ends what hangs.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import concurrent.futures
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
WILD = os.path.join(BUILD, "tests", "modules", "wild.so")
DEEDS = ("crash", "abort", "leak", "flood", "hang", "stack", "recurse", "exit", "close", "files")
N = 6
BAD = []
HEAVY = threading.Lock()  # one that takes half a gigabyte is enough at a time
# Sanitizers would take the signal, and report, for themselves.
ENV = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_abort=0:allow_user_segv_handler=1")


def fail(text):
    print(text)
    BAD.append(text)


def run(what, *words, rc=0, env=None):
    try:
        done = subprocess.run((OURS,) + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              env=env or ENV)
    except subprocess.TimeoutExpired:
        fail("%s: it hangs" % what)
        return "", ""
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if (done.returncode != 0) != (rc != 0) or done.returncode < 0:
        fail("%s: status %d: %s" % (what, done.returncode, err[:300]))
    return out, err


def samples(text):
    return sum(1 for line in text.split("\n") if '"metrics":' in line and '"kernel.all.cpu.user"' in line)


def check(what, deed, got, want, err):
    if got != want:
        fail("%s: %d samples, not %d: %s" % (what, got, want, err[:300]))
    # Who only takes all files or talks too much need not be ended.
    if deed not in ("files", "flood") and not re.search("module wild: ", err):
        fail("%s: nothing is told: %s" % (what, err[:300]))
    if len(err.split("\n")) > 150:
        fail("%s: it is told %d times" % (what, len(err.split("\n"))))


BASE = ("--import-isolate", "--import-deadline", "0.3", "-sc", "-i", "0.1", "-c", str(N))
LINES = re.compile(r"^ +\d", re.M)
# How each callback comes to be called, and how many samples the output has then.
LIVE = {
    "get_data": (("--oformat", "jsonl"), samples),
    "analyze": (("--oformat", "jsonl"), samples),
    "init_interval": (("--oformat", "jsonl"), samples),
    "interval_end": (("--oformat", "jsonl"), samples),
    "print_brief": ((), lambda text: len(LINES.findall(text))),
    "print_verbose": (("--verbose",), lambda text: len(LINES.findall(text))),
    "print_plot": (("-P",), lambda text: len(re.findall(r"^2\d{7} ", text, re.M))),
    "print_export": (("--export", "lexpr"), lambda text: text.count("cputotals.user ")),
}


def live(callback, deed):
    words, count = LIVE[callback]
    out, err = run("%s=%s" % (callback, deed), "--import", "%s,%s=%s!2" % (WILD, callback, deed), *BASE, *words)
    check("%s=%s" % (callback, deed), deed, count(out), N, err)


def done(deed):
    # Nobody is left to go on with; the end must come, and all be there.
    out, err = run("done=" + deed, "--import", "%s,done=%s@1" % (WILD, deed), *BASE, "--oformat", "jsonl")
    if samples(out) != N:
        fail("done=%s: %d samples, not %d: %s" % (deed, samples(out), N, err[:200]))


def init(deed):
    out, err = run("init=" + deed, "--import", "%s,init=%s@1" % (WILD, deed), *BASE, "--oformat", "jsonl")
    check("init=" + deed, deed, samples(out), N, err)
    if deed not in ("files", "flood") and len(re.findall("module wild: .*, going on without it", err)) != 1:
        fail("init=%s: it is not told once that it goes on without: %s" % (deed, err[:300]))


def raw(work, deed):
    """update_header while recording; get_header and analyze in playback of a good one."""
    folder = tempfile.mkdtemp(dir=work)
    good = tempfile.mkdtemp(dir=work)
    run("recording", "--import", WILD, "-sc", "-i", "0.1", "-c", str(N), "-f", good + "/")
    _, err = run("update_header=" + deed, "--import", "%s,update_header=%s@1" % (WILD, deed), *BASE, "-f", folder + "/")
    check("update_header=" + deed, deed, 1, 1, err)
    for callback in ("get_header", "analyze"):
        out, err = run("%s=%s" % (callback, deed), "replay", *glob.glob(good + "/*"), "--import", "%s,%s=%s@1,isolate" % (WILD, callback, deed),
                       "--import-deadline", "0.3", "--oformat", "jsonl", "-sc")
        check("playback, %s=%s" % (callback, deed), deed, samples(out), N + 1, err)


def archive(work, deed):
    """perfolio record, and the logger by itself."""
    folder = tempfile.mkdtemp(dir=work)
    folio = folder + "/a.folio"
    words = ("-s", "c", "--import", "%s,get_data=%s!3" % (WILD, deed), "--import-isolate", "--import-deadline", "0.3", "-i", "0.1", "-c", str(N))
    _, err = run("record, " + deed, "record", folio, *words)
    out, _ = run("replay", "replay", folio, "--oformat", "jsonl")
    check("record, " + deed, deed, samples(out), N + 1, err)
    _, err = run("log, " + deed, "log", *words, folder + "/log")
    out, _ = run("replay", "replay", folder + "/log", "--oformat", "jsonl")
    check("log, " + deed, deed, samples(out), N + 1, err)


def one(work, callback, deed):
    if deed == "leak":
        with HEAVY:
            dispatch(work, callback, deed)
    else:
        dispatch(work, callback, deed)


def dispatch(work, callback, deed):
    if callback in LIVE:
        live(callback, deed)
    elif callback in ("done", "init"):
        {"done": done, "init": init}[callback](deed)
    else:
        {"raw": raw, "archive": archive}[callback](work, deed)


def test_matrix(work):
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for done_one in [pool.submit(one, work, c, d) for c in list(LIVE) + ["done", "init", "raw", "archive"] for d in DEEDS]:
            done_one.result()


def test_comes_back(work):
    """Once started again it has values; one whose Init hangs then keeps nobody waiting."""
    out, err = run("a second life", "--import", "%s,get_data=crash!2,isolate" % WILD, "-sc", "-i", "0.25", "-c", "16", "--oformat", "jsonl")
    if out.count('"wild.calls"') < 2 or "wild: get_data ended its process" not in err:
        fail("a module that crashed has not come back: %s" % err)
    flag = os.path.join(work, "flag")
    out, err = run("Init hangs", "--import", "%s,get_data=exit!2,isolate" % WILD, "-sc", "-i", "0.25", "-c", "16", "--oformat", "jsonl",
                   env=dict(ENV, WILD_FLAG=flag))
    times = [json.loads(line).get("timestamp") for line in out.split("\n") if '"kernel.all.cpu.user"' in line]
    if len(times) != 16 or max(b - a for a, b in zip(times, times[1:])) > 6e9:
        fail("an Init that hangs keeps the others waiting: %r" % times)


def test_limits():
    out, err = run("a cap", "--import", "%s,get_data=flood!2" % WILD, "--import-records", "50", "-sc", "-i", "0.1", "-c", "4", "--oformat", "jsonl")
    told = re.findall(r"too many records in one interval, (\d+) were ignored", err)
    if told != ["299951"]:
        fail("--import-records 50: %r are told to be ignored: %s" % (told, err[-300:]))
    out, err = run("answers", "--import", "%s,get_data=flood!2" % WILD, "--import-isolate", "--import-deadline", "30", "--import-answers", "50", "-sc",
                   "-i", "0.1", "-c", "4", "--oformat", "jsonl")
    told = re.findall(r"too many records in one interval, (\d+) were ignored", err)
    if told != ["299951"]:
        fail("--import-answers 50: %r are told to be ignored: %s" % (told, err[-300:]))
    out, err = run("memory", "--import", "%s,get_data=leak!2" % WILD, "--import-isolate", "--import-deadline", "30", "--import-memory", "700", "-sc",
                   "-i", "0.1", "-c", "6", "--oformat", "jsonl")
    if not re.search(r"held (\d+) MB of memory, more than 700, and was ended", err):
        fail("--import-memory 700: nothing is told: " + err[-300:])
    out, err = run("much memory", "--import", "%s,get_data=leak!2" % WILD, "--import-isolate", "--import-deadline", "30", "--import-memory", "4000", "-sc",
                   "-i", "0.1", "-c", "6", "--oformat", "jsonl")
    if "memory" in err:
        fail("--import-memory 4000: " + err[-300:])
    out, err = run("slow", "--import", os.path.join(BUILD, "tests", "modules", "unruly.so") + ",nap@2", "--import-deadline", "0.5", "-sc", "-i", "0.2",
                   "-c", "4", "--oformat", "jsonl")
    if len(re.findall(r"get_data took [\d.]+ s, more than 0.5 s", err)) != 1:
        fail("a module that is slow in our process is not told once: " + err)
    for words, told in ((("--import-deadline", "0"), "from 0.001 to 86400 seconds"), (("--import-records", "x"), "from 1 to 100000000 lines"),
                        (("--import-answers", "0"), "from 1 to 100000000 lines"), (("--import-memory", "9999999"), "from 1 to 1048576 MB")):
        for command in ((), ("record", "x.folio"), ("log", "x")):
            _, err = run(" ".join(command + words), *command, *words, rc=2)
            if told not in err:
                fail("%s: %s" % (" ".join(command + words), err))


def wait_until(what, seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    fail(what)
    return False


def test_int_twice(work):
    """What hangs in our own process ends by the second INT; what was recorded is there. Isolated, the first one does."""
    for command in ("log", "record"):
        for isolate in ("", ",isolate"):
            what = "%s%s" % (command, isolate)
            base = os.path.join(work, "int" + what)
            target = base + ".folio" if command == "record" else base
            words = [OURS, command] + ([target] if command == "record" else []) + ["-s", "c", "--import",
                    "%s,get_data=hang@5%s" % (WILD, isolate), "-i", "0.1"] + ([] if command == "record" else [target])
            with open(base + ".err", "w") as err:
                p = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=err, stderr=err, env=ENV)
            pattern = work + "/*.0" if command == "record" else base + ".0"
            before = {f for f in glob.glob(pattern)} if command == "record" else set()
            size = lambda: max([os.path.getsize(f) for f in glob.glob(pattern) if f not in before] or [0])
            still = [0, 0]

            def stuck():
                now = size()
                still[1] = still[1] + 1 if now > 0 and now == still[0] else 0
                still[0] = now
                return still[1] >= 20
            if isolate:
                wait_until(what + ": nothing is told", 30, lambda: "did not come back" in open(base + ".err").read())
            else:
                wait_until(what + ": it does not hang", 30, stuck)
            p.send_signal(signal.SIGINT)
            if not isolate:
                time.sleep(0.3)
                if p.poll() is not None:
                    fail(what + ": the first INT ends what hangs")
                time.sleep(1.2)
                p.send_signal(signal.SIGINT)
            try:
                p.wait(timeout=30)
            except subprocess.TimeoutExpired:
                fail(what + ": INT does not end it")
                p.kill()
                p.wait()
                continue
            text = open(base + ".err").read()
            if isolate and p.returncode != 0:
                fail("%s: INT: status %d: %s" % (what, p.returncode, text[:300]))
            if not isolate and p.returncode == 0:
                fail("%s: INT twice: status 0: %s" % (what, text[:300]))
            archive_of = target
            if command == "record" and not isolate:
                new = [f for f in glob.glob(pattern) if f not in before]
                archive_of = new[0][:-2] if new else target
            out, err = run(what + ": replay", "replay", archive_of, "--oformat", "jsonl")
            if samples(out) < 4:
                fail("%s: %d samples are left: %s" % (what, samples(out), err[:200]))


def main():
    with tempfile.TemporaryDirectory(prefix="wild.") as work:
        os.chdir(work)
        test_limits()
        test_int_twice(work)
        test_comes_back(work)
        test_matrix(work)


main()
sys.exit(1 if BAD else 0)

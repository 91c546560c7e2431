#!/usr/bin/env python3
"""feeds.py BUILD - other programs' numbers: exporters by URL, file and command, and what programs print. Good ones are shown, recorded and
replayed; bad ones cost only themselves.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import glob
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
HAVE_CURL = os.path.exists(os.path.join(BUILD, "modules", "feed", "curl.so"))
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def run(*words, timeout=60, rc=0):
    """Output and messages of one run of ours."""
    done = subprocess.run((OURS,) + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode != rc:
        fail("%s: status %d, not %d: %s" % (" ".join(words), done.returncode, rc, err[:300]))
    return out, err


def samples(*words, **more):
    """Samples of a run as JSON, each as (time, {metric: value or {instance: value}}), and its messages."""
    out, err = run(*words, "--oformat", "json", **more)
    try:
        doc = json.loads(out)
    except ValueError as e:
        fail("%s: no JSON: %s" % (" ".join(words), e))
        return [], err
    result = []
    for s in doc["perfolio"]["samples"]:
        values = {}
        for m in s["metrics"]:
            values[m["name"]] = {i["instance"]: i.get("value") for i in m["instances"]} if "instances" in m else m.get("value")
        result.append((s["timestamp"], values))
    return result, err


def last(*words, **more):
    got, err = samples(*words, **more)
    return (got[-1][1] if got else {}), err


def expect(what, got, want):
    if got != want:
        fail("%s: %r, not %r" % (what, got, want))


def wait_until(what, seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    fail(what)
    return False


TEXT = """# HELP app_requests_total Requests.
# TYPE app_requests_total counter
app_requests_total{method="get",code="200"} 10
app_requests_total{method="post",code="500"} 2.5
# TYPE app_load gauge
app_load 0.25
app_load{where="there"} 3
# TYPE app_up gauge
app_up NaN
# TYPE app_seconds histogram
app_seconds_bucket{le="0.5"} 1
app_seconds_bucket{le="+Inf"} 2
app_seconds_sum 1.5
app_seconds_count 2
bad line here
app_load 0.25
app:sum 7
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """One path for each way to misbehave."""
    def log_message(self, *_):
        pass

    def text(self, body, status=200, kind="text/plain; version=0.0.4"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        try:
            self.answer()
        except OSError:
            pass  # the other end has gone, as it should

    def answer(self):
        if self.path == "/good":
            self.text(TEXT.encode())
        elif self.path == "/cut":
            self.text(b"a 1\n", kind="application/openmetrics-text; version=1.0.0; charset=utf-8")
        elif self.path == "/slow":
            self.server.stop.wait(1)
            self.text(b"a 1\n")
        elif self.path == "/500":
            self.text(b"no\n", status=500)
        elif self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "/good")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/hang":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            self.wfile.write(b"a 1\nb ")
            self.wfile.flush()
            self.server.stop.wait(60)
        elif self.path == "/big":
            self.send_response(200)
            self.end_headers()
            block = b"a{x=\"1\"} 1\n" * 6000
            for _ in range(1600):
                self.wfile.write(block)
        elif self.path == "/garbage":
            self.text(bytes(range(256)) * 64 + b"\na 1\n" + os.urandom(5000) + b"\nb 2\n")


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.stop = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def check_text(what, v, name):
    """What everybody must have made of TEXT."""
    expect(what + ": counter", v.get(name + ".requests_total"), {"method=get,code=200": 10, "method=post,code=500": 2.5})
    expect(what + ": gauge", v.get(name + ".load"), 0.25)
    expect(what + ": gauge with labels", v.get(name + ".load_labels"), {"where=there": 3})
    expect(what + ": bucket", v.get(name + ".seconds_bucket"), {"le=0.5": 1, "le=+Inf": 2})
    expect(what + ": sum", v.get(name + ".seconds_sum"), 1.5)
    expect(what + ": a colon", v.get(name + "." + ("app_sum" if name != "app" else "sum")), None if name == "app" else 7)
    expect(what + ": NaN", v.get(name + ".up"), None)
    expect(what + ": up", v.get(name + ".scrape.up"), 1)
    expect(what + ": series", v.get(name + ".scrape.series"), 10)


def test_file(work):
    path = os.path.join(work, "app.prom")
    with open(path, "w") as f:
        f.write(TEXT)
    target = "openmetrics=app," + path
    v, err = last("--import", target, "-c", "2", "-i", ".1")
    check_text("file", v, "app")
    expect("file: a colon", v.get("app.app_sum"), 7)
    expect("file: bad lines", v.get("app.scrape.errors"), 6)
    if err.count("left out and counted") != 1 or "line 14: no blank behind the name 'bad'" not in err and "line" not in err:
        fail("file: bad lines are not told once: " + err)
    out, _ = run("--import", target, "-c", "1", "-i", ".1")
    if not out.startswith("#<--------App-------->\n#    Up Series Errors \n"):
        fail("brief is not up, series, errors: " + out)
    out, _ = run("--import", "openmetrics=app,show=^load|sum$," + path, "-c", "1", "-i", ".1")
    if out.split("\n")[1].split() != ["#", "load", "there"] and "load" not in out.split("\n")[1]:
        fail("brief does not have what show= chooses: " + out)
    out, _ = run("--import", target, "-c", "1", "-i", ".1", "--verbose")
    if not re.search(r"^requests_total +method=get,code=200 +0/sec$", out, re.M) or not re.search(r"^load +0\.25$", out, re.M):
        fail("verbose is not one line per value: " + out)
    out, _ = run("--import", "openmetrics=app,detail,show=bucket," + path, "-c", "1", "-i", ".1", "-P")
    if "[APP:le=0.5]bucket" not in out:
        fail("plot has no column for each instance: " + out)
    out, _ = run("--import", target, "-c", "1", "-i", ".1", "--export", "lexpr")
    if not re.search(r"^app\.load 0\.250$", out, re.M):
        fail("lexpr does not have app.load: " + out)
    out, _ = run("--import", "openmetrics=app,detail," + path, "-c", "1", "-i", ".1", "--export", "lexpr")
    if not re.search(r"^app\.seconds_bucket\.le=0\.5 0\.000$", out, re.M):
        fail("lexpr with detail does not have instances: " + out)

    # Recorded, and played back without the file.
    run("-sc", "--import", target, "-c", "3", "-i", ".1", "-f", os.path.join(work, "rec"))
    raw = glob.glob(os.path.join(work, "rec*raw*"))[0]
    os.rename(path, path + ".gone")
    v, err = last("replay", raw, "--import", "openmetrics=app", "-s-all")
    check_text("replay", v, "app")
    out, _ = run("replay", raw, "--import", "openmetrics=app", "-s-all")
    expect("replay: lines of brief", len(out.split("\n")), 6)

    # A file that is not there, then is.
    p = subprocess.Popen([OURS, "--import", target, "-i", ".1", "-c", "100"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    for line in p.stdout:
        if line.split()[:1] == ["0"] and os.path.exists(path + ".gone"):
            os.rename(path + ".gone", path)
        elif line.split()[:1] == ["1"]:
            break
    p.kill()
    _, err = p.communicate()
    if err.count("No such file") != 1 or err.count("it answers again") > 1:
        fail("a missing file is not told once: " + err)

    # Metrics that come later get a heading of their own.
    late = os.path.join(work, "late")
    out, _ = run("--import", "exec=l,echo a 1; test -e %s && echo b 2; touch %s" % (late, late), "-c", "5", "-i", ".3")
    heads = [line.split() for line in out.split("\n") if line.startswith("# ")]
    if heads != [["#", "a"], ["#", "a", "b"]] and heads != [["#", "a", "b"]]:
        fail("brief has no heading for what comes later: " + out)

    # Not a file.
    fifo = os.path.join(work, "fifo")
    os.mkfifo(fifo)
    _, err = run("--import", "openmetrics," + fifo, "-c", "1", "-i", ".1")
    if "no regular file" not in err:
        fail("a pipe in place of a file: " + err)


def test_list(work):
    path = os.path.join(work, "two.prom")
    with open(path, "w") as f:
        f.write("x 1\n")
    v, _ = last("--import", "openmetrics=a,%s:hello:openmetrics=b,exec:cat %s; echo '# a, b'" % (path, path), "-c", "2", "-i", ".3")
    expect("two targets", (v.get("a.x"), v.get("b.x"), "hello.total" in v), (1, 1, True))
    _, err = run("--import", "openmetrics,%s:openmetrics,%s" % (path, path), "-c", "1", rc=1)
    if "give one another name, openmetrics=NAME" not in err:
        fail("the same module twice: " + err)
    for args, words in (("", "where to read"), ("ftp://x/", "http:// and https:// only"), ("timeout=x,f", "timeout=x is no length of time"),
                        ("series=0,f", "series=0 is no number"), ("show=(,f", "no regular expression")):
        out, err = run("-sc", "--import", "openmetrics," + args, "-c", "1", "-i", ".1")
        if words not in err:
            fail("openmetrics,%s: %s" % (args, err))


def test_limits(work):
    path = os.path.join(work, "many.prom")
    with open(path, "w") as f:
        f.write("".join("m%d 1\n" % i for i in range(50)) + "".join('s{x="%d"} 1\n' % i for i in range(50)) + "long_" + "x" * 40000 + " 1\n")
    v, err = last("--import", "openmetrics=a,metrics=20,series=40,%s" % path, "-c", "1", "-i", ".1")
    if len(v) > 20 + 6 or v.get("a.scrape.series", 99) > 40:
        fail("limits: %d metrics, %r series" % (len(v), v.get("a.scrape.series")))
    v, err = last("--import", "openmetrics=a,bytes=100,%s" % path, "-c", "1", "-i", ".1")
    expect("a file that is too big", v.get("a.scrape.up"), 0)
    if "it has more than 100 bytes" not in err:
        fail("a file that is too big: " + err)


def test_servers():
    server = serve()
    port = server.server_address[1]
    url = "http://127.0.0.1:%d" % port
    try:
        v, err = last("--import", "openmetrics=app,%s/good" % url, "-c", "2", "-i", ".5")
        check_text("URL", v, "app")
        if not v.get("app.scrape.age", -1) >= 0 or not v.get("app.scrape.duration", -1) >= 0:
            fail("URL: no age or duration: %r" % v)
        v, _ = last("--import", "openmetrics=app,%s/redirect" % url, "-c", "2", "-i", ".5")
        check_text("redirect", v, "app")
        v, err = last("--import", "openmetrics=a,%s/cut" % url, "-c", "2", "-i", ".5")
        if v.get("a.a") != 1 or "cut off" not in err:
            fail("OpenMetrics without # EOF: %r %s" % (v, err))
        v, err = last("--import", "openmetrics=a,%s/garbage" % url, "-c", "2", "-i", ".5")
        if v.get("a.b") != 2 or not v.get("a.scrape.errors", 0) > 0:
            fail("garbage: %r %s" % (v, err))

        # All who misbehave at once, beside a source that must not notice.
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            absent = s.getsockname()[1]
        bad = {"slow": url + "/slow", "big": url + "/big", "hang": url + "/hang", "e500": url + "/500", "loop": url + "/loop",
               "away": url + "/away", "absent": "http://127.0.0.1:%d/" % absent, "nohost": "http://nosuch.invalid/"}
        spec = ":".join("openmetrics=%s,timeout=30,%s" % item for item in bad.items())
        got, err = samples("-sc", "--import", spec, "-c", "15", "-i", ".2", timeout=50)
        expect("beside bad servers: samples", len(got), 15)
        gaps = [(b[0] - a[0]) / 1e9 for a, b in zip(got, got[1:])]
        if gaps and max(gaps) > 10:
            fail("bad servers keep the others waiting: %r" % gaps)
        for what, words in (("e500", "it answers with status 500"), ("loop", "redirects"), ("big", "it sends more than"),
                            ("absent", "127.0.0.1")):
            if len(re.findall("module %s: .*%s" % (what, words), err)) != 1:
                fail("%s is not told once: %s" % (what, err))
        if got:
            expect("up of those that fail", [got[-1][1].get(n + ".scrape.up") for n in ("e500", "loop", "away", "absent")], [0, 0, 0, 0])
            if not any(v.get("slow.a") == 1 for _, v in got):
                fail("a slow server never has a value")
        for secret in ("root:", "away.root"):
            if secret in json.dumps(got):
                fail("a redirect reads files")
        v, err = last("--import", "openmetrics=h,timeout=300ms,%s/hang" % url, "-c", "8", "-i", ".2")
        if v.get("h.scrape.up") != 0 or "imed" not in err:
            fail("a server that hangs is not given up: %r %s" % (v, err))
    finally:
        server.stop.set()
        server.shutdown()


def children_with(mark):
    """Processes that have @mark in their arguments."""
    found = []
    for d in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(d, "rb") as f:
                if mark.encode() in f.read() and int(d.split("/")[2]) != os.getpid():
                    found.append(int(d.split("/")[2]))
        except OSError:
            pass
    return found


def test_exec(work):
    lines = os.path.join(work, "lines")
    with open(lines, "w") as f:
        f.write('a 1\nq.len 2.5\na 3\n{"name":"j","value":4,"instance":"x y","type":"counter","units":"bytes"}\nbad\n')
    v, err = last("--import", "exec=app,cat " + lines, "-c", "2", "-i", ".4")
    expect("exec", (v.get("app.a"), v.get("app.q.len"), v.get("app.j")), (1, 2.5, {"x y": 4}))
    if not v.get("app.scrape.errors", 0) >= 2 or err.count("left out and counted") != 1:
        fail("exec: bad lines and duplicates: %r %s" % (v, err))
    v, err = last("--import", "exec=e,printf 'a 1\\na.b 2\\n'", "-c", "2", "-i", ".4")
    expect("exec: a name below another", (v.get("e.a"), v.get("e.a.b")), (1, None))
    out, _ = run("--import", "exec=app,printf 'a 1\\nb 2\\n'", "-c", "1", "-i", ".4")
    expect("exec: brief", out.split("\n")[1].split(), ["#", "a", "b"])
    _, err = run("-sc", "--import", "exec", "-c", "1", "-i", ".1")
    if "it needs a command" not in err:
        fail("exec without a command: " + err)
    v, err = last("--import", "exec=e,exit 3", "-c", "3", "-i", ".3")
    if v.get("e.scrape.up") != 0 or err.count("ended with status 3") != 1:
        fail("a command that fails: %r %s" % (v, err))

    # Streams: the last value of an interval counts; the end is told, and it is started again.
    v, err = last("--import", "exec=s,stream,i=0; while true; do i=$((i+1)); echo n $i; sleep .02; done", "-c", "6", "-i", ".3")
    if not v.get("s.n", 0) > 3 or v.get("s.scrape.errors") != 0:
        fail("stream: %r %s" % (v, err))
    count = os.path.join(work, "starts")
    v, err = last("--import", "exec=s,stream,echo x >>%s; echo n 1" % count, "-c", "16", "-i", ".2")
    with open(count) as f:
        if len(f.readlines()) < 2:
            fail("a stream that ends is not started again")
    if err.count("will be started again") != 1:
        fail("a stream that ends is not told once: " + err)

    # Hostile.
    for what, command in (("endless line", "yes aaaaaaaa | tr -d '\\n'"), ("flood", "yes 'flood 1'"), ("binary", "cat /dev/urandom"),
                          ("zeros", "cat /dev/zero")):
        for options in ("", "stream,"):
            got, err = samples("-sc", "--import", "exec=h,timeout=1,bytes=200000,%s%s" % (options, command), "-c", "6", "-i", ".2")
            expect("%s %s: samples" % (options, what), len(got), 6)
            if got and "h.scrape.up" not in got[-1][1]:
                fail("%s %s: no state: %r" % (options, what, err))

    # Nothing is left behind, whichever way we end: the command, and what it has started.
    for how in ("end", "term", "kill"):
        for options in ("", "stream,"):
            mark = "7%d.%d" % (os.getpid(), len(BAD) + len(how) * 10 + len(options))
            p = subprocess.Popen([OURS, "--import", "exec=k,%ssleep %s & sleep %s; true" % (options, mark, mark), "-i", ".1", "-c",
                                  "5" if how == "end" else "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
            if how != "end":
                wait_until("the command was not started", 20, lambda: len(children_with("sleep\0" + mark)) >= 2)
                p.send_signal(signal.SIGTERM if how == "term" else signal.SIGKILL)
            p.wait(timeout=30)
            wait_until("after %s, %s: the command still runs" % (how, options or "once"), 10, lambda: not children_with(mark))


with tempfile.TemporaryDirectory(prefix="feeds.") as folder:
    os.chdir(folder)
    test_file(folder)
    test_list(folder)
    test_limits(folder)
    test_exec(folder)
    if HAVE_CURL:
        test_servers()
    else:
        print("libcurl is not installed: URLs are left out")
sys.exit(1 if BAD else 0)

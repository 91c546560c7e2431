#!/usr/bin/env python3
"""Run D programs whose output is known: run.py BUILD DIRECTORY [NAME ...].

NAME.d is a script. Its first lines may be comments that say how to run it:
    /* options: -w -x strsize=7 */   further options
    /* args: 42 abc */               arguments, $1 and on
    /* env: DTRACE_OPT_STRSIZE=7 */  environment
    /* loud */                       without -q; the number of the CPU is turned into 0 before comparing
    /* status: 3 */                  exit status, 0 (1 for an error) otherwise
NAME.out is what it prints on standard output, byte for byte. NAME.err is one of
    D_TAG LINE:COLUMN                the program must not compile; the column may be left out, and the line be *: no place;
                                     lines that follow are the message behind the place
    text                             each line is a whole line of standard error, in that order; * stands for anything
A program with neither must not exist, and one that prints on standard error without NAME.err fails.
"""

import concurrent.futures
import difflib
import fnmatch
import os
import re
import shlex
import subprocess
import sys

JOBS = 2
ROW = re.compile(r"^[ \d]{2}\d( [ \d]{5}\d .{32} )", re.M)


def directives(text):
    """The words of the comments at the start of a script."""
    found = {}
    while True:
        m = re.match(r"/\* ?(options|args|env|status|loud):? ?(.*?) ?\*/\n", text)
        if not m:
            return found
        found[m.group(1)] = m.group(2)
        text = text[m.end() :]


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
        return f.read()


def differences(what, want, got):
    return "".join(
        line if line.endswith("\n") else line + "\n\\ no newline\n"
        for line in difflib.unified_diff(want.splitlines(True), got.splitlines(True), "wanted " + what, "got " + what)
    )


def refusal(want, got, path):
    """What is wrong with the error @got where @want holds the tag, the place and maybe the message; "" if nothing."""
    first, _, message = want.partition("\n")
    tag, _, place = first.partition(" ")
    line, _, column = place.partition(":")
    start = "dtrace: failed to compile script %s: [%s] " % (path, tag) + ("" if line == "*" else "line %s: " % line)
    if not got.startswith(start):
        return "wanted: %s...\ngot: %s" % (start, got)
    lines = got[len(start) :].split("\n")
    if message and not fnmatch.fnmatchcase("\n".join(lines[: message.rstrip("\n").count("\n") + 1]), message.rstrip("\n").replace("[", "[[]")):
        return differences("message", message, "\n".join(lines))
    if column:
        caret = [i for i, text in enumerate(lines) if re.fullmatch(r"\s*\^", text)]
        if not caret or len(lines[caret[0]]) != int(column):
            return "wanted a caret below column %s\ngot:\n%s" % (column, got)
    return ""


def wild(want, got):
    wanted = want.splitlines()
    have = got.splitlines()
    same = len(wanted) == len(have) and all(fnmatch.fnmatchcase(h, w.replace("[", "[[]")) for w, h in zip(wanted, have))
    return "" if same else differences("standard error", want, got)


def run(dtrace, path):
    """What is wrong with one program; "" if nothing."""
    base = path[:-2]
    out = read(base + ".out") if os.path.exists(base + ".out") else None
    err = read(base + ".err") if os.path.exists(base + ".err") else None
    if out is None and err is None:
        return "neither .out nor .err"
    say = directives(read(path))
    refused = err is not None and err.startswith("D_")
    status = int(say.get("status", 1 if refused else 0))
    command = [dtrace, "-x", "errtags"] + ([] if "loud" in say else ["-q"])
    command += shlex.split(say.get("options", "")) + ["-s", path] + shlex.split(say.get("args", ""))
    env = dict(os.environ, TZ="UTC", LC_ALL="C", **dict(p.split("=", 1) for p in shlex.split(say.get("env", ""))))
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=env, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "does not end within 60 s"
    got = done.stdout.decode("utf-8", "surrogateescape")
    said = done.stderr.decode("utf-8", "surrogateescape")
    if "loud" in say:
        got = ROW.sub(r"  0\1", got)
        said = re.sub(r"^dtrace: script '.*' matched \d+ probes?\n", "", said)
    wrong = []
    if done.returncode != status:
        wrong.append("exit status %d, not %d" % (done.returncode, status))
    # The empty line that ends the text of a quiet run is not part of the program's.
    if out is not None and got != out and got != out + "\n":
        wrong.append(differences("standard output", out, got))
    if refused:
        wrong.append(refusal(err, said, path))
    elif err is not None:
        wrong.append(wild(err, said))
    elif said:
        wrong.append("standard error: " + said)
    wrong = [w for w in wrong if w]
    if wrong and said and not refused and said not in "".join(wrong):
        wrong.append("standard error: " + said)
    return "\n".join(wrong)


def main():
    build, directory, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    dtrace = os.path.join(os.path.abspath(build), "compat", "dtrace")
    if not os.access(dtrace, os.X_OK):
        print("this build has no dtrace")
        return 77
    able = subprocess.run([dtrace, "-qn", "BEGIN { exit(0); }"], capture_output=True, text=True, check=False)
    if able.returncode != 0 and re.search(r"CAP_|bpf\(2\)|built without", able.stderr):
        print(able.stderr, end="")
        return 77
    os.chdir(directory)
    programs = sorted(n for n in os.listdir(".") if n.endswith(".d") and (not names or n[:-2] in names))
    strays = [n for n in os.listdir(".") if n.endswith((".out", ".err")) and n[:-4] + ".d" not in programs and not names]
    failed = len(strays)
    for name in strays:
        print("%s belongs to no program" % name)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for name, wrong in zip(programs, pool.map(lambda p: run(dtrace, p), programs)):
            if wrong:
                failed += 1
                print("--- %s\n%s\n" % (name, wrong))
    print("%d programs, %d failed" % (len(programs), failed))
    return 1 if failed or not programs else 0


sys.exit(main())

"""sentences.py BUILD WORK OPTIONS_C - see sentences.sh. The switches are read from the table in OPTIONS_C."""
import os
import re
import subprocess
import sys

build, work, table = sys.argv[1:]
perfolio = os.path.join(build, "perfolio")
LONG = "x" * 65536
HOSTILE = "a\nbroken\r\033]0;title\007\033[2J\x7f"
bad = 0


def fail(text):
    global bad
    bad += 1
    print(text)


def check(words, cwd=work):
    name = " ".join(w if len(w) < 40 else w[:8] + "..." for w in words).encode("unicode_escape").decode()
    with open(os.path.join(work, "out"), "wb") as out:
        try:
            run = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, timeout=60)
        except subprocess.TimeoutExpired:
            fail(name + ": does not end")
            return
    said = run.stderr + (open(os.path.join(work, "out"), "rb").read() if os.path.basename(words[0]) == "collectl" else b"")
    for line in said.split(b"\n"):
        if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", line):
            fail("%s: control bytes: %r" % (name, line[:200]))
        if line.startswith(b"broken"):
            fail("%s: a value ends the line" % name)
        if len(line) > 1200:
            fail("%s: %d bytes in one line" % (name, len(line)))
        if line.endswith(b"xxxxxxxx") and b"..." not in line:
            fail("%s: the reason is missing: ...%r" % (name, line[-60:]))


rows = re.findall(r'^\t(TEXT|NUMBER|OURS|OURS_NUMBER)\("([^"|]+)', open(table).read(), re.M)
if len(rows) < 40:
    fail("only %d switches with values found in %s" % (len(rows), table))

# What a switch needs beside it to be looked at.
beside = {"from": ["-p", "none"], "thru": ["-p", "none"], "grep": ["-p", "none"], "extract": ["-p", "none"], "offsettime": ["-p", "none"],
          "rolllogs": ["-f", "logs"], "filename": ["-m", "-F0"], "limits": ["-sD", "--verbose", "-oxX"], "runas": ["-D", "-f", "logs"],
          "envfilt": ["-sE", "--envtest", "none"], "envremap": ["-sE", "--envtest", "none"], "envrules": ["-sE", "--envtest", "none"],
          "sep": ["-P"], "top": ["-sZ"], "procopts": ["-sZ"], "procstate": ["-sZ"], "procfilt": ["-sZ"], "slabfilt": ["-sY"], "slabopts": ["-sY"]}
os.makedirs(os.path.join(work, "logs"))
values = (LONG, HOSTILE)
for kind, option in rows:
    for value in values:
        extra = beside.get(option, [])
        live = [] if extra[:1] == ["-p"] or option == "playback" else ["-c1", "-i0.05:0.05"]
        check([perfolio, "--%s=%s" % (option, value)] + extra + live)
        if option not in ("cgroupdepth", "cgroupfilt", "costwarn", "oformat", "output", "root", "filename", "runas", "umask"):
            check([os.path.join(build, "compat", "collectl"), "--%s=%s" % (option, value)] + extra + live)

# Letters, switches that are none, words that are no commands.
for value in values:
    for words in (["-s"], ["-i"], ["-c"], ["-f"], ["-p"], ["-o"], ["-A"]):
        check([perfolio] + words + [value] + (["-c1", "-i0.05"] if words[0] not in ("-c", "-i", "-p") else []))
    for words in (["--" + value], ["-" + value], [value], ["replay", value], ["replay", "--oformat", value, "none"],
                  ["replay", "--from", value, "none"], ["record", "-c1", "-i0.05", value], ["record", "-h", value, "-c1", "-i0.05", "x.folio"],
                  ["record", "-c1", "-i0.05", "-s", value, "x.folio"], ["record", "-i", value, "x.folio"], ["record", "-c", value, "x.folio"],
                  ["record", "--import", value, "-c1", "x.folio"], ["record", "-c1", "-i0.05", "-Z" + value, "x.folio"],
                  ["record", "-c1", "none/" + value], ["record", "-i0.05", "x2.folio", "--", value],
                  ["log", value + "/x"], ["log", "-h", value, "x"], ["log", "-x", value, "x"], ["log", "-" + value, "x"], ["log", "-c", value, "x"],
                  ["modules", value], ["modules", "--" + value], ["modules", "--check", value], ["modules", "--oformat", value]):
        check([perfolio] + words)

# Settings files, by name and by what they hold.
for i, text in enumerate(("Port = %s\n" % LONG, "Port = \033]0;x\007\n", LONG + "\n", "DaemonCommands = -s %s\n" % LONG, "Interval = %s\n" % LONG,
                          "DiskFilter = (%s\n" % LONG, "Passwd = %s\n" % LONG)):
    path = os.path.join(work, "settings%d" % i)
    open(path, "w").write(text)
    check([perfolio, "-C", path, "-c1", "-i0.05", "-sD"])
    check([perfolio, "-C", path, "-d128", "-c1", "-i0.05"])

# Recordings with such names, and what stands in them.
odd = os.path.join(work, "a\nbroken\033[2J")
os.makedirs(odd)
for name in ("x.raw.gz", "x.meta", "x.folio", "x-20261130-000000.raw"):
    open(os.path.join(odd, name), "wb").write(b"nothing of the kind\n")
    check([perfolio, "replay", os.path.join(odd, name)])
    check([perfolio, "-p", os.path.join(odd, name)])
    check([os.path.join(build, "compat", "collectl"), "-p", os.path.join(odd, name)])
check([perfolio, "-p", os.path.join(odd, "*")])
open(os.path.join(work, "y.folio"), "w").write(
    "PCPFolio\nVersion: 1\nCreated: on h at Mon Nov 30 03:59:36 2026\nCreator: x\nArchive: h\033[2J %s\nArchive: %s z\n" % (LONG, LONG))
check([perfolio, "replay", os.path.join(work, "y.folio")])
check([perfolio, "-c1", "-i0.05", "-f", os.path.join(odd, "none", "x")])
check([perfolio, "-c1", "-i0.05", "--oformat", "json", "--output", os.path.join(odd, "none", "x")])

# D programs.
dtrace = os.path.join(build, "compat", "dtrace")
if os.path.exists(dtrace):
    for value in values:
        for words in (["-n", value], ["-n", "BEGIN { x = \"%s\" + 1; }" % value], ["-n", "BEGIN { %s; }" % value], ["-s", value], ["-P", value], ["-x", value],
                      ["-x", "bufsize=" + value], ["-b", value], ["-p", value], ["-o", "none/" + value, "-n", "BEGIN{exit(0)}"],
                      ["-c", value, "-n", "BEGIN{exit(0)}"], ["-i", value], ["-m", value], ["-f", value]):
            check([dtrace] + words)
            check([perfolio, "trace"] + words)
        path = os.path.join(odd, "p.d")
        open(path, "w").write("BEGIN { %s }\n" % value)
        check([dtrace, "-s", path])
sys.exit(1 if bad else 0)

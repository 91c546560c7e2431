#!/usr/bin/env python3
"""lustre.py BUILD - what Lustre counts, from tests/fixtures/lustre: exact values, views, playback; counters that move, vanish and are cleared,
targets that come and go, damaged lines, odd names.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
TREES = os.path.join(HERE, "..", "fixtures", "lustre")
PLAY = os.path.join(HERE, "..", "tools", "play-tree")
OST = "proc/fs/lustre/obdfilter/"
LLITE = "sys/kernel/debug/lustre/llite/"
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def same(what, have, want):
    if have != want:
        fail("%s is %r, not %r" % (what, have, want))


def run(*words, rc=0):
    done = subprocess.run((OURS,) + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode != rc:
        fail("%s: status %d, not %d: %s" % (" ".join(words), done.returncode, rc, err[:300]))
    return out, err


def sample(line):
    """{metric: {instance: (value, rate)}} of one sample, those of the module."""
    return {m["name"][7:]: {i["instance"]: (i["value"], i.get("rate")) for i in m["instances"]}
            for m in json.loads(line)["metrics"] if m["name"].startswith("lustre.")}


def samples(*words):
    out, err = run(*words, "--oformat", "jsonl")
    return [sample(line) for line in out.splitlines() if '"metrics"' in line], err


def live(tree, import_words="lustre", count="1"):
    got, err = samples("--root", tree, "--import", import_words, "-i", "0.1", "-c", count)
    same("messages of %s" % tree, err, "")
    return got[-1] if got else {}


def values(have, metric):
    return {name: pair[0] for name, pair in have.get(metric, {}).items()}


def write(tree, path, text):
    path = os.path.join(os.fsencode(tree), os.fsencode(path))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(text.encode() if isinstance(text, str) else text)


class Watch:
    """A run that goes on while its tree is changed."""

    def __init__(self, work, step):
        self.tree, self.out = os.path.join(work, "live"), os.path.join(work, "live.jsonl")
        shutil.rmtree(self.tree, ignore_errors=True)
        self.play(step)
        with open(self.out, "wb") as out:
            self.run = subprocess.Popen((OURS, "--root", self.tree, "--import", "lustre", "-i", "0.1", "--oformat", "jsonl"), stdin=subprocess.DEVNULL,
                                        stdout=out, stderr=subprocess.STDOUT)

    def play(self, step):
        subprocess.run((sys.executable, PLAY, os.path.dirname(os.path.join(TREES, step)), os.path.basename(step), self.tree), check=True)

    def all(self):
        with open(self.out, encoding="utf-8") as f:
            return [sample(line) for line in f.read().split("\n")[:-1] if '"metrics"' in line]

    def until(self, what, condition):
        """Samples, when the last of them is so."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            got = self.all()
            if got and condition(got[-1]):
                return got
            if self.run.poll() is not None:
                break
            time.sleep(0.05)
        fail("%s is never seen: %s" % (what, open(self.out, "rb").read()[-300:]))
        return self.all()

    def end(self):
        self.run.terminate()
        same("status at the end", self.run.wait(60), 0)
        for one in self.all():
            for metric, instances in one.items():
                for name, pair in instances.items():
                    if pair[1] is not None and not 0 <= pair[1] < 1e15:
                        fail("%s of %s has the rate %r" % (metric, name, pair[1]))


def exact():
    """Each kind by itself, from the folders of newer and of older versions."""
    have = live(os.path.join(TREES, "client"))
    for metric, want in (("read_bytes", 3145728), ("reads", 2048), ("write_bytes", 104857600), ("writes", 100), ("open", 40), ("close", 38),
                         ("readdir", 7), ("getattr", 500), ("seek", 0), ("getxattr", 0)):
        same("client." + metric, values(have, "client." + metric), {"testfs": want})
    same("kinds of a client", {name.split(".")[0] for name in have}, {"client"})

    have = live(os.path.join(TREES, "oss"))
    for metric, want in (("read_bytes", (14421705314304, 0)), ("reads", (27846475, 0)), ("write_bytes", (14761109479164, 2**64 - 1)),
                         ("writes", (16230483, 5)), ("get_info", (3735777, 0)), ("punch", (1199, 0)), ("sync", (0, 0)),
                         ("kbytesfree", (183122396, 183098000))):
        same("oss." + metric, values(have, "oss." + metric), {"testfs-OST0000": want[0], "testfs-OST0001": want[1]})
    same("oss.kbytestotal", values(have, "oss.kbytestotal"), {"testfs-OST0000": 3759898504})
    same("oss.filesfree", values(have, "oss.filesfree"), {"testfs-OST0000": 33811264})

    have = live(os.path.join(TREES, "mds"))
    for metric, want in (("open", 27110498653), ("close", 5181068572), ("getattr", 3502169172), ("rename", 11919203), ("setxattr", 0)):
        same("mds." + metric, values(have, "mds." + metric), {"testfs-MDT0000": want})


def choice(work):
    """Words choose; without Lustre there is one notice and nothing else."""
    tree = os.path.join(work, "all")
    for name in ("client", "oss", "mds"):
        shutil.copytree(os.path.join(TREES, name), tree, dirs_exist_ok=True)
    for words, want in (("lustre", {"client", "oss", "mds"}), ("lustre,c", {"client"}), ("lustre,o,m", {"oss", "mds"}), ("lustre,isolate", {"client", "oss", "mds"})):
        same("kinds of " + words, {name.split(".")[0] for name in live(tree, words, "2")}, want)
    empty = os.path.join(work, "empty")
    os.mkdir(empty)
    out, err = run("--root", empty, "--import", "lustre", "-i", "0.1", "-c", "3")
    same("messages without Lustre", len(err.splitlines()), 1)
    if "nothing of Lustre is here yet" not in err or "ustre" in out:
        fail("a host without Lustre shows %r and says %r" % (out, err))
    _, err = run("--root", empty, "--import", "lustre,x", "-c", "1", rc=1)
    if "arguments are c, o, m" not in err:
        fail("an unknown argument is told as %r" % err)
    out, _ = run("modules", "--check", "lustre")
    same("the check of the module", out.splitlines()[-1:], ["fine"])


def views():
    tree = os.path.join(TREES, "oss")
    out, _ = run("--root", tree, "--import", "lustre", "-i", "0.1", "-c", "2")
    lines = out.splitlines()
    same("headings of brief", lines[1].split()[:7] if len(lines) > 1 else lines, "#OstRead OstReads OstWrite OstWrits SizeKB FreeKB FreeObj".split())
    same("lines of brief", len(lines), 4)
    out, _ = run("--root", tree, "--import", "lustre,sd", "--verbose", "-i", "0.1", "-c", "1")
    for words in ("# LUSTRE STATISTICS (/sec)", "# LUSTRE OST DETAIL (/sec)", "\ntestfs-OST0000  ", "\ntestfs-OST0001  "):
        if words not in out:
            fail("verbose and detail lack %r: %r" % (words, out))
    out, _ = run("--root", tree, "--import", "lustre,d", "-i", "0.1", "-c", "1")
    if "# LUSTRE OST DETAIL" not in out or "STATISTICS" in out:
        fail("detail alone is %r" % out)
    out, _ = run("--root", tree, "--import", "lustre", "-P", "-i", "0.1", "-c", "1")
    if "[LUSTRE]FreeKB" not in out or " 366220396" not in out:
        fail("plot is %r" % out)


def playback(work):
    """What was recorded is what was seen, also where nothing of Lustre is."""
    tree, into = os.path.join(work, "all"), os.path.join(work, "raw") + "/"
    os.mkdir(into)
    write(tree, LLITE + "odd \n%\x1b[2J-0123456789abcdef/stats", "open 7 samples [reqs]\n")
    write(tree, (OST + "raw").encode() + b"\xff/stats", "create 9 samples [reqs]\n")
    shown = live(tree, count="3")
    run("--root", tree, "--import", "lustre", "-i", "0.1", "-c", "3", "-f", into)
    files = glob.glob(into + "*.raw.gz")
    same("files recorded", len(files), 1)
    replayed, err = samples("-p", files[0], "--import", "lustre")
    same("messages of playback", err, "")
    same("samples of playback, with the one that only begins", len(replayed), 4)
    same("the last sample, played back", replayed[-1] if replayed else None, shown)
    same("counters of an odd name", [n for n, v in values(shown, "client.open").items() if v == 7], ["odd \n%\x1b[2J"])
    same("counters of a name that is no UTF-8", len([v for v in values(shown, "oss.create").values() if v == 9]), 1)
    out, _ = run("-p", files[0], "--import", "lustre,c", "--verbose")
    if "\x1b" in out or "LUSTRE" not in out:
        fail("a name with controls is shown as they are")
    same("kinds of a choice in playback", {n.split(".")[0] for n in samples("-p", files[0], "--import", "lustre,m")[0][-1]}, {"mds"})


def damaged(work):
    """A bad line costs its own value; what is no number of Lustre is none."""
    tree = os.path.join(work, "damaged")
    good = "open 5 samples [usec] 1 2 3\nclose 6 samples [reqs]\n"
    for line, metric in (("read_bytes 5 samples [bytes] 1 2", "read_bytes"), ("read_bytes x samples [bytes] 1 2 3", "reads"),
                         ("read_bytes 5 samples [bytes] 1 2 99999999999999999999999", "read_bytes"), ("read_bytes 5 samples [pages] 1 2 3", "read_bytes"),
                         ("read_bytes -5 samples [bytes] 1 2 3", "reads"), ("read_bytes", "reads"), ("getattr 5 samples", "getattr"),
                         ("getattr 5\0 samples [reqs]", "getattr"), ("getattr 5 apples [reqs]", "getattr"), ("mmap 18446744073709551616 samples [reqs]", "mmap")):
        write(tree, LLITE + "fs-00000000/stats", "\0\xff\n\n" + line + "\n" + "z" * 3000 + "\n" + good)
        have = live(tree)
        same("value of %r" % line, values(have, "client." + metric), {})
        same("what stands below %r" % line, (values(have, "client.open"), values(have, "client.close")), ({"fs": 5}, {"fs": 6}))
    for text in ("12x", "", "x", "1 2", "99999999999999999999999"):
        write(tree, OST + "a/kbytesfree", text + "\n")
        write(tree, OST + "a/filesfree", "3\n")
        have = live(tree, "lustre,o")
        same("free space of %r" % text, (values(have, "oss.kbytesfree"), values(have, "oss.filesfree")), ({}, {"a": 3}))
    write(tree, LLITE + "fs-11111111/stats", good)
    same("one file system mounted twice", sorted(values(live(tree, "lustre,c"), "client.open")), ["fs-00000000", "fs-11111111"])


def moving(work):
    """Differences; a damaged line; counters that are cleared."""
    watch = Watch(work, "client")
    watch.until("the first state", lambda s: values(s, "client.open") == {"testfs": 40})
    watch.play("after")
    got = watch.until("the second state", lambda s: values(s, "client.open") == {"testfs": 45} and "client.getattr" not in s)
    for metric, want in (("read_bytes", 108003328), ("reads", 2148), ("close", 44), ("seek", 6), ("write_bytes", 104857600)):
        same("client.%s later" % metric, values(got[-1], "client." + metric), {"testfs": want})
    if not any(s["client.seek"]["testfs"][1] > 0 for s in got if "testfs" in s.get("client.seek", {})):
        fail("what is counted for the first time has no rate")
    watch.play("cleared")
    got = watch.until("cleared counters", lambda s: values(s, "client.close") == {"testfs": 0})
    for metric, want in (("read_bytes", 3072), ("reads", 3), ("open", 2), ("write_bytes", 0), ("getattr", 0)):
        same("client.%s when cleared" % metric, values(got[-1], "client." + metric), {"testfs": want})
    watch.play("after")
    watch.until("counting again", lambda s: values(s, "client.open") == {"testfs": 45})
    watch.end()


def text_of(folder):
    """What is in the raw file of a folder so far."""
    text = b""
    for path in glob.glob(folder + "*.gz"):
        with open(path, "rb") as f:
            rest = f.read()
        while rest:
            part = zlib.decompressobj(31)
            text += part.decompress(rest)
            rest = part.unused_data
    return text.decode(errors="replace")


def recorded(work):
    """A recording that goes on while counters move has the same differences."""
    tree, into = os.path.join(work, "recorded"), os.path.join(work, "moving") + "/"
    os.mkdir(into)
    subprocess.run((sys.executable, PLAY, TREES, "client", tree), check=True)
    with subprocess.Popen((OURS, "--root", tree, "--import", "lustre", "-i", "0.1", "-f", into), stdin=subprocess.DEVNULL) as run_:
        for step, words in (("client", "open                      40 "), ("after", "open                      45 ")):
            subprocess.run((sys.executable, PLAY, TREES, step, tree), check=True)
            end = time.monotonic() + 60
            while time.monotonic() < end and words not in text_of(into):
                time.sleep(0.05)
        run_.terminate()
    got, _ = samples("-p", glob.glob(into + "*.gz")[0], "--import", "lustre")
    opens = [s["client.open"]["testfs"] for s in got if s.get("client.open")]
    same("values of a moving counter, played back", sorted({v for v, _ in opens}), [40, 45])
    same("intervals in which it moved", len([r for _, r in opens if r]), 1)


def coming(work):
    """Targets that appear and vanish, and a whole server that is started later."""
    watch = Watch(work, "oss")
    watch.until("two targets", lambda s: len(s.get("oss.writes", ())) == 2)
    write(watch.tree, OST + "testfs-OST0002/stats", "write_bytes 9 samples [bytes] 1 9 81\n")
    watch.until("a third target", lambda s: values(s, "oss.write_bytes").get("testfs-OST0002") == 81)
    path = os.path.join(watch.tree, OST, "testfs-OST0001")
    shutil.rmtree(path)
    watch.until("a target that vanished", lambda s: sorted(s.get("oss.writes", ())) == ["testfs-OST0000", "testfs-OST0002"])
    write(watch.tree, OST + "testfs-OST0001/stats", "write_bytes 1 samples [bytes] 1 9 9\n")
    watch.until("a target that is back", lambda s: values(s, "oss.write_bytes").get("testfs-OST0001") == 9)
    with open(os.path.join(watch.tree, OST, "testfs-OST0002/stats"), "wb"):
        pass  # as a file of the kernel that has gone
    write(watch.tree, OST + "testfs-OST0002/new", "")
    watch.until("an ended file", lambda s: "testfs-OST0002" not in s.get("oss.writes", ()))
    write(watch.tree, OST + "testfs-OST0002/stats", "write_bytes 3 samples [bytes] 1 9 10\n")
    watch.until("the file again", lambda s: values(s, "oss.write_bytes").get("testfs-OST0002") == 10)
    write(watch.tree, "sys/kernel/debug/lustre/mdt/testfs-MDT0001/md_stats", "open 4 samples [reqs]\n")
    watch.until("a metadata server", lambda s: values(s, "mds.open") == {"testfs-MDT0001": 4})
    watch.play("client")
    watch.until("another host", lambda s: set(n.split(".")[0] for n in s) == {"client"})
    watch.end()


def archive(work):
    """The logger has no --root, so it gets a debugfs of its own, where user namespaces can be had."""
    into = os.path.join(work, "archive")
    words = 'mount -t tmpfs none /sys/kernel/debug && cp -r "$1" /sys/kernel/debug/lustre && exec "$2" log -sc --import lustre -i 0.1 -c 2 "$3"'
    if not shutil.which("unshare") or subprocess.run(("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/sys/kernel/debug"), stderr=subprocess.DEVNULL,
                                                     check=False).returncode != 0:
        return
    subprocess.run(("unshare", "-rm", "sh", "-c", words, "sh", os.path.join(TREES, "mds/proc/fs/lustre"), OURS, into), check=True)
    out, _ = run("replay", into, "--oformat", "jsonl")
    got = [sample(line) for line in out.splitlines() if '"metrics"' in line]
    same("renames in an archive", values(got[-1] if got else {}, "mds.rename"), {"testfs-MDT0000": 11919203})
    same("what was never counted in an archive", values(got[-1] if got else {}, "mds.setxattr"), {"testfs-MDT0000": 0})


def main():
    with tempfile.TemporaryDirectory(prefix="lustre.") as work:
        exact()
        choice(work)
        views()
        playback(work)
        damaged(work)
        moving(work)
        recorded(work)
        coming(work)
        archive(work)
    return 1 if BAD else 0


if __name__ == "__main__":
    sys.exit(main())

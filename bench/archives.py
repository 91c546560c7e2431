"""bench/archives.py - reading a PCP archive of a day at 1 s: perfolio beside pmdumplog and pmlogsummary, and how long it takes to get to a time."""
import glob
import os
import shutil
import subprocess
import tempfile
import time

import common
import playback

TIMES = 5  # faster than pmdumplog and pmlogsummary
JUMP_MS = 5


def make(perfolio, work, seconds):
    """A day of this host, its counters moved along by chance, as archives: plain and compressed."""
    raw = playback.synthesize(perfolio, work, seconds)
    for name, switch in (("plain", "--no-compress"), ("packed", "--compress")):
        subprocess.run([perfolio, "convert", switch, raw, work + "/" + name], check=True, stderr=subprocess.DEVNULL)
    os.remove(raw)


def size_of(base):
    return sum(os.path.getsize(path) for path in glob.glob(base + ".*")) / 1e6


def reading(arg, perfolio, work, verdict):
    """What reads every value and shows next to nothing is compared with pmlogsummary, which does that, too; what shows each sample with pmdumplog."""
    programs = {}
    for name in ("plain", "packed"):
        base = work + "/" + name
        programs["perfolio info, " + name] = [perfolio, "info", base]
        programs["perfolio replay, brief, " + name] = [perfolio, "replay", base]
        for peer in ("pmdumplog", "pmlogsummary"):
            path = shutil.which(peer)
            if path:
                programs[peer + ", " + name] = [path, base]
            elif name == "plain":
                print("%s is not installed, left out\n" % peer)
    programs["perfolio replay, JSON lines of everything, plain"] = [perfolio, "replay", "--oformat", "jsonl", work + "/plain"]
    results = common.alternate(programs, min(arg.rounds, 3), lambda n: common.run(programs[n]))
    cpu = {n: min(r[0] for r in runs) for n, runs in results.items()}
    peers = [p for p in ("pmdumplog", "pmlogsummary") if p + ", plain" in cpu]

    def ratios(name):
        form = name.split(", ")[-1]
        return ["%.1f x" % (cpu["%s, %s" % (p, form)] / cpu[name]) for p in peers]
    rows = [[n, "%.2f" % cpu[n], "%.1f" % (cpu[n] / arg.samples * 1e6)] + ratios(n) for n in programs]
    common.table(["program", "CPU s", "us/sample"] + ["faster than " + p for p in peers], rows, arg.markdown)
    for n, against in (("perfolio info, plain", peers), ("perfolio replay, brief, plain", [p for p in peers if p == "pmdumplog"])):
        for p in against:
            ratio = cpu[p + ", plain"] / cpu[n]
            verdict.bar("%s against %s" % (n, p), ratio >= TIMES, "%.1f x faster (bar %d)" % (ratio, TIMES))


def jumping(arg, perfolio, work, verdict):
    """From exec to exit with the first sample at a time; CPU time, since nothing waits. A run that begins at the start and shows as much is taken off."""
    rows = []
    for name in ("plain", "packed"):
        base = work + "/" + name
        programs = {"the start": [perfolio, "replay", base, "-c", "1"]}
        for part in (0.25, 0.5, 0.9, 0.999):
            clock = time.strftime("%H:%M:%S", time.gmtime(int(arg.samples * part)))
            programs[clock] = [perfolio, "replay", base, "-c", "1", "--from", clock]
        results = common.alternate(programs, max(arg.rounds, 5), lambda n, programs=programs: common.run(programs[n]))
        cpu = {n: min(r[0] for r in runs) * 1e3 for n, runs in results.items()}
        for clock, value in cpu.items():
            wall = min(r[1] for r in results[clock]) * 1e3
            rows.append([name + ", " + clock, "%.1f" % wall, "%.1f" % value, "%.1f" % (value - cpu["the start"])])
        worst = max(cpu.values()) - cpu["the start"]
        verdict.bar("jump, " + name, worst <= JUMP_MS, "%.1f ms more than from the start, %.1f ms from exec to exit (bar %d)" % (
            worst, max(cpu.values()), JUMP_MS))
    print("Exec to exit until the first sample is out\n")
    common.table(["archive, from", "wall ms", "CPU ms", "more than from the start"], rows, arg.markdown)


def bench(arg, build):
    perfolio = build + "/perfolio"
    work = tempfile.mkdtemp(prefix="bench.")
    verdict = common.Judge(arg.judge)
    try:
        make(perfolio, work, arg.samples)
        print("An archive of %d samples at 1 s of -scdnm, %.1f MB plain, %.1f MB compressed, %d rounds; %s\n" % (
            arg.samples, size_of(work + "/plain"), size_of(work + "/packed"), arg.rounds, common.machine()))
        reading(arg, perfolio, work, verdict)
        jumping(arg, perfolio, work, verdict)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if verdict.missed else 0

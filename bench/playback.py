"""bench/playback.py - playing recordings back: a made-up hour at 1 s by perfolio and collectl, a whole day and its end by perfolio."""
import gzip
import os
import random
import shutil
import subprocess
import tempfile
import time

import common

HOUR, DAY = 3600, 86400
MEMBER = 16  # intervals that perfolio packs together
VIEWS = [("brief", []), ("plot", ["-P"]), ("verbose", ["-scdnmCDN", "--verbose"])]


def template(perfolio, work):
    """Header and lines of one sample, as perfolio records them here."""
    subprocess.run([perfolio, "-scdnm", "-i0", "-c", "1", "-f", work + "/one"], check=True)
    name = next(f for f in os.listdir(work) if f.startswith("one-"))
    with gzip.open(os.path.join(work, name), "rt", encoding="utf-8", errors="replace") as raw:
        text = raw.read()
    os.remove(os.path.join(work, name))
    begin = text.index(">>>")
    body = text[begin:].split("\n")[1:]
    body = body[:next(i for i, line in enumerate(body) if line.startswith(">>>"))]
    return text[:begin], body, name[len("one-"):].rsplit("-", 2)[0]


def synthesize(perfolio, work, seconds):
    """A recording of so many seconds: the counters of processors, disks and interfaces move by the same chance each time. Its name."""
    header, body, host = template(perfolio, work)
    chance = random.Random(1)
    start = 1700000000 // DAY * DAY
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(start))
    moving = {"cpu", "disk", "Net"}
    lines = []
    for line in body:
        words = line.split(" ")
        moves = words[0].rstrip("0123456789") in moving
        lines.append([(int(w) if moves and i > 2 and w.isdigit() else w) for i, w in enumerate(words)])
    steps = [[(i, chance.randrange(1, 50)) for i, w in enumerate(words) if isinstance(w, int)] for words in lines]
    parts = []  # lines that move, and between them the text that does not
    for words, moves in zip(lines, steps):
        if moves or not parts or parts[-1][1]:
            parts.append((words if moves else " ".join(words), moves))
        else:
            parts[-1] = (parts[-1][0] + "\n" + " ".join(words), moves)
    kept = []
    for line in header.split("\n"):
        if line.startswith("# Date:"):
            line = "# Date:       %s  Secs: %d TZ: +0000" % (stamp, start)
        kept.append(line.replace("Interval: 0 ", "Interval: 1 "))
    name = os.path.join(work, "day-%s-%s.raw.gz" % (host, stamp))
    with open(name, "wb") as out:
        out.write(gzip.compress("\n".join(kept).encode(), 1))
        part = []
        for second in range(seconds + 2):
            text = [">>> %d.001 <<<" % (start + second)]
            for words, moves in parts:
                for i, by in moves:
                    words[i] += by
                text.append(" ".join(map(str, words)) if moves else words)
            part.append("\n".join(text if second <= seconds else text[:1]) + "\n")
            if len(part) == MEMBER or second > seconds:
                out.write(gzip.compress("".join(part).encode(), 1))
                part = []
    return name


def bench(arg, build):
    perfolio, ours, collectl = build + "/perfolio", build + "/compat/collectl", common.peer("collectl", build)
    work = tempfile.mkdtemp(prefix="bench.")
    verdict = common.Judge(arg.judge)
    env = {**os.environ, "TZ": "UTC"}
    try:
        name = synthesize(perfolio, work, arg.samples)
        size = os.path.getsize(name)
        print("Playback of %d samples at 1 s of -scdnm, %.1f MB packed, %d rounds; %s\n" % (
            arg.samples, size / 1e6, arg.rounds, common.machine()))
        rows = []
        for view, switches in VIEWS:
            programs = {"perfolio, " + view: ours}
            if collectl:
                programs["collectl, " + view] = collectl
            outputs = {n: os.path.join(work, "out-%d" % i) for i, n in enumerate(programs)}
            results = common.alternate(programs, arg.rounds if not collectl else min(arg.rounds, 3), lambda n: common.run(
                [programs[n], "-p", name, *switches], env, outputs[n]))
            cpu = {n: min(r[0] for r in runs) for n, runs in results.items()}
            for n, value in cpu.items():
                peer = cpu.get("collectl, " + view)
                rows.append([n, "%.3f" % value, "%.1f" % (value / arg.samples * 1e6), "%.0f x" % (peer / value) if peer else "-"])
            if collectl:
                texts = [open(path, "rb").read() for path in outputs.values()]
                if texts[0] != texts[1]:
                    common.die(1, "collectl and perfolio show different bytes for %s" % view)
                ratio = cpu["collectl, " + view] / cpu["perfolio, " + view]
                verdict.bar("playback, " + view, ratio >= 50, "%.0f x faster than collectl, same bytes (bar 50)" % ratio)
        common.table(["program", "CPU s", "us/sample", "faster than collectl"], rows, arg.markdown)
        day(arg, perfolio, work, env)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if verdict.missed else 0


def day(arg, perfolio, work, env):
    """A day of ours alone: all of it, and its last minutes by --from."""
    seconds = arg.samples * DAY // HOUR
    for old in os.listdir(work):
        os.remove(os.path.join(work, old))
    name = synthesize(perfolio, work, seconds)
    clock = time.strftime("%H:%M:%S", time.gmtime(seconds - max(seconds // 288, 5)))
    asked = {
        "perfolio, a day, brief": ["replay", name],
        "perfolio, a day, JSON": ["replay", name, "--oformat", "json"],
        "perfolio, --from %s to the end" % clock: ["replay", name, "--from", clock],
        "perfolio, one hour from the start": ["replay", name, "--thru", time.strftime("%H:%M:%S", time.gmtime(arg.samples))],
    }
    results = common.alternate(asked, min(arg.rounds, 3), lambda n: common.run([perfolio, *asked[n]], env))
    rows = [[n, "%.3f" % min(r[0] for r in runs), "%.3f" % min(r[1] for r in runs)] for n, runs in results.items()]
    print("A day: %d samples, %.1f MB packed\n" % (seconds, os.path.getsize(name) / 1e6))
    common.table(["program", "CPU s", "wall s"], rows, arg.markdown)

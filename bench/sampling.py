"""bench/sampling.py - CPU time, memory and bytes on disk per sample: perfolio, the bare loop, collectl, sadc and atop in turns."""
import os
import shutil
import subprocess
import tempfile
import time

import common

# name, switches of perfolio and collectl, sleeping children, interval in seconds (0: back to back). Samples: see scale().
SETS = [
    ("default", "-scdnm", 0, 0),
    ("full", "-sbcdfijmnstxy", 0, 0),
    ("100", "-sZ", 100, 0),
    ("1000", "-sZ", 1000, 0),
    ("tenth", "-scdnm", 0, 0.1),
]
JUDGED = ("default", "1000")  # the others are told
CHEAP = 4  # so many rounds more of what is short and therefore wanders
TITLES = {
    "default": "Processors, disks, networks, memory (`-scdnm`), samples back to back",
    "full": "All sums (`-sbcdfijmnstxy`, as far as this host has them), samples back to back",
    "100": "Processes (`-sZ`), 100 sleeping children more, samples back to back",
    "1000": "Processes (`-sZ`), 1,000 sleeping children more, samples back to back",
    "tenth": "Processors, disks, networks, memory (`-scdnm`), every 0.1 s",
}


class Program:
    """One line of a table. @argv(n, folder): the command for n samples that may leave files in folder."""

    def __init__(self, name, samples, argv, env=None, records=False):
        self.name, self.samples, self.argv, self.env, self.records = name, samples, argv, env, records


def sleepers(n):
    """n children that sleep; their group ends with the pipe."""
    if n == 0:
        return None
    script = "import os,signal,sys\nfor _ in range(%d):\n    if os.fork() == 0:\n        os.close(1)\n        os.read(0, 1)\n" \
             "        os._exit(0)\nos.write(1, b'x')\nos.read(0, 1)\n" % n
    child = subprocess.Popen(["python3", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    if child.stdout.read(1) != b"x":
        common.die(1, "%d children cannot be started" % n)
    time.sleep(0.2)
    return child


def scale(arg, name, children):
    """Samples of the long run of ours, of collectl, of those that take one a second."""
    slow = max(arg.samples // 400, 3)
    if name == "tenth":
        return max(arg.samples // 40, 20), max(arg.samples // 40, 20), slow
    if children:
        return max(arg.samples // (1 + children // 20), 20), max(arg.samples // (30 + children), 6), slow
    return arg.samples, max(arg.samples // 10, 10), slow


def programs_of(arg, build, what, files, work):
    name, switches, children, interval = what
    perfolio, bare = build + "/perfolio", build + "/bench/bareloop"
    ours, theirs, slow = scale(arg, name, children)
    listed = os.path.join(work, "files")
    lists = any(letter in switches for letter in "yYZ")
    pace = ["-i", "0:1" if lists and not interval else "%g" % interval]
    with open(listed, "w", encoding="utf-8") as out:
        out.write("".join(path + "\n" for path in files))
    scan = ["-d", "/proc"] if children else []
    live = [perfolio, switches, *pace, "-c"]
    rows = []
    if interval:
        scan += ["-p", "%d" % (interval * 1000)]
    rows.append(Program("bare pread loop", ours, lambda n, d: [bare, *scan, "-l", listed, str(n)]))
    if not interval:
        rows.append(Program("bare open, read, close", ours, lambda n, d: [bare, "-o", *scan, "-l", listed, str(n)]))
    rows += [
        Program("perfolio, brief" if not children else "perfolio, verbose", ours, lambda n, d: [*live, str(n)]),
        Program("perfolio, the same with --cost", ours, lambda n, d: [*live, str(n), "--cost"]),
        Program("perfolio, JSON", ours, lambda n, d: [*live, str(n), "--oformat", "json"]),
        Program("perfolio, recording (raw.gz)", ours, lambda n, d: [*live, str(n), "-f", d + "/"], None, True),
    ]
    collectl = common.peer("collectl", build)
    if collectl:
        real = [collectl, switches, *pace, "-c"]
        rows.append(Program("collectl, brief" if not children else "collectl, verbose", theirs, lambda n, d: [*real, str(n)]))
        rows.append(Program("collectl, recording (raw.gz)", theirs, lambda n, d: [*real, str(n), "-f", d + "/"], None, True))
    sadc, atop = common.peer("sadc", build), common.peer("atop", build)
    if sadc and name != "tenth" and not children:
        rows.append(Program("sadc -S ALL, recording", slow, lambda n, d: [sadc, "-S", "ALL", "1", str(n + 1), d + "/sa"], None, True))
    if atop and name != "tenth":
        rows.append(Program("atop -w, recording", slow, lambda n, d: [atop, "-w", d + "/atop", "1", str(n + 1)],
                            {**os.environ, "ATOPACCT": ""}, True))
    return rows


def measure(row, work):
    """One short run and one long one: (CPU seconds, bytes written) of each."""
    taken = []
    for n in (short_of(row), row.samples):
        folder = tempfile.mkdtemp(dir=work)
        cpu, _ = common.run(row.argv(n, folder), row.env)
        size = sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder))
        shutil.rmtree(folder)
        taken.append((cpu, size))
    return taken


def short_of(row):
    return max(row.samples // 10, 1)


def slope(row, taken, what, choose):
    """Per sample, of the short runs and of the long runs that @choose picks: CPU seconds (0) or bytes (1)."""
    short, long = (choose([pair[i][what] for pair in taken]) for i in (0, 1))
    return max(long - short, 1e-9) / (row.samples - short_of(row))


def judge(verdict, name, cost, rss):
    base = cost.get("bare pread loop")
    live = next(v for k, v in cost.items() if k.startswith("perfolio, ") and ("brief" in k or "verbose" in k))
    kept = cost["perfolio, recording (raw.gz)"]
    peer = next((v for k, v in cost.items() if k.startswith("collectl, ") and "recording" not in k), None)
    if name not in JUDGED:
        return
    if base:
        verdict.bar(name + ", live", live <= 1.3 * base, "%.2f x the bare loop (bar 1.3)" % (live / base))
        verdict.bar(name + ", recording", kept <= 1.5 * base, "%.2f x the bare loop (bar 1.5)" % (kept / base))
    if base and peer:
        verdict.bar(name + ", against collectl", peer / live >= 0.75 * peer / base,
                    "%.1f x cheaper; the bare loop is %.1f x cheaper, the bar is 75 %% of that: %.1f x"
                    % (peer / live, peer / base, 0.75 * peer / base))
    if name == "1000":
        most = max(v for k, v in rss.items() if k.startswith("perfolio, "))
        verdict.bar(name + ", memory", most <= 10240, "%.1f MB at most (bar 10)" % (most / 1024))


def known(build, switches):
    """The switches without letters that this build has no subsystem for."""
    said = subprocess.run([build + "/perfolio", "--showsubsys"], capture_output=True, text=True, check=True).stdout
    have = "".join(line.split()[0] for line in said.splitlines()[1:] if line.strip())
    return "-s" + "".join(c for c in switches[2:] if c in have)


def one_set(arg, build, what, verdict):
    what = (what[0], known(build, what[1]), *what[2:])
    set_name, switches, children, interval = what
    work = tempfile.mkdtemp(prefix="bench.")
    asleep = sleepers(children)
    try:
        files = common.files_of(build + "/perfolio", [switches])
        if not files:
            common.die(1, "perfolio %s opens no files" % switches)
        rows = programs_of(arg, build, what, files, work)
        by_name = {row.name: row for row in rows}
        results = common.alternate(by_name, arg.rounds, lambda n: measure(by_name[n], work))
        cheap = [row.name for row in rows if not row.name.startswith(tuple(common.PEERS))]
        for name, more in common.alternate(cheap, 0 if interval else arg.rounds * CHEAP, lambda n: measure(by_name[n], work)).items():
            results[name] += more
        rss = {}
        for row in rows:
            folder = tempfile.mkdtemp(dir=work)
            rss[row.name] = common.resident(row.argv(max(row.samples // 4, 2), folder), row.env)
    finally:
        if asleep:
            asleep.stdin.close()
            asleep.wait()
        shutil.rmtree(work, ignore_errors=True)
    choose = min if arg.best else common.middle
    cost = {n: slope(by_name[n], taken, 0, choose) for n, taken in results.items()}
    base = cost.get("bare pread loop")
    peer = next((v for k, v in cost.items() if k.startswith("collectl, ") and "recording" not in k), None)
    print(("### %s\n" if arg.markdown else "%s\n") % TITLES[set_name])
    table = []
    for row in rows:
        value, taken = cost[row.name], results[row.name]
        each = [slope(row, [pair], 0, min) for pair in taken]
        table.append([row.name, "%.1f" % (value * 1e6), "%.1f-%.1f" % (min(each) * 1e6, max(each) * 1e6),
                      "%.2f x" % (value / base) if base else "-", "%.1f x" % (peer / value) if peer else "-",
                      "%.1f MB" % (rss[row.name] / 1024),
                      "%.0f" % slope(row, taken, 1, common.middle) if row.records else "-"])
    common.table(["program", "us/sample", "range", "of bare loop", "cheaper than collectl", "resident", "bytes/sample"],
                 table, arg.markdown)
    judge(verdict, set_name, cost, rss)
    print()


def bench(arg, build):
    wanted = arg.sets.split(",") if arg.sets else [row[0] for row in SETS]
    unknown = [name for name in wanted if name not in TITLES]
    if unknown:
        common.die(2, "no set '%s'; there are %s" % (unknown[0], ", ".join(TITLES)))
    print("CPU per sample, %s of %d rounds, %d samples back to back in the cheapest; %s\n" % (
        "best" if arg.best else "median", arg.rounds, arg.samples, common.machine()))
    verdict = common.Judge(arg.judge)
    for what in SETS:
        if what[0] in wanted:
            one_set(arg, build, what, verdict)
    return 1 if verdict.missed else 0

"""bench/sizes.py - bytes per sample on disk at 1 s: perfolio's archives and raw files, pmlogger, collectl, sadc and atop, all at the same time.

Everything runs in a PID namespace of its own, where there is nothing but the recorders and 100 processes, of which five wake up four times a
second: a mostly idle host, whatever else runs on this one. What a recorder writes at its start is divided among the samples, too."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

CHILDREN, AWAKE = 100, 5
BAR = 12  # bytes per process and sample, compressed
PMCD_UP = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests/tools/pmcd-up")


def inside(spec):
    """What runs in the namespace: the processes, then all recorders until they end."""
    wake = "import time\nwhile True:\n    sum(range(2000))\n    time.sleep(0.25)\n"
    kids = [subprocess.Popen(["sleep", str(100000 + i)]) for i in range(CHILDREN - AWAKE)]
    kids += [subprocess.Popen([sys.executable, "-c", wake]) for _ in range(AWAKE)]
    env = dict(os.environ)
    if spec["pmcd"]:
        env.update(TMPDIR=spec["work"], PMCD_PORT=str(spec["pmcd"]))
        subprocess.run([PMCD_UP, "start"], env=env, stdout=subprocess.DEVNULL, check=False)
        for line in subprocess.run([PMCD_UP, "env"], env=env, capture_output=True, text=True, check=False).stdout.split("\n"):
            name, _, value = line.split(";")[0].partition("=")
            if value:
                env[name] = value.strip("'")
    time.sleep(1)
    running = [subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for argv in spec["programs"]]
    for program in running:
        program.wait()
    if spec["pmcd"]:
        subprocess.run([PMCD_UP, "stop"], env=env, stdout=subprocess.DEVNULL, check=False)
    for kid in kids:
        kid.kill()


def pmlogger_config(perfolio, letters, work):
    """The metrics that an archive of ours has, every second."""
    base = work + "/names"
    subprocess.run([perfolio, "log", "--no-compress", "-s", letters, "-c", "1", "-i", "0.1", base], check=True, stderr=subprocess.DEVNULL)
    recorded = dict(os.environ, PCP_DERIVED_CONFIG="")  # not what PCP's clients compute
    names = subprocess.run(["pminfo", "-a", base], env=recorded, capture_output=True, text=True, check=True).stdout.split()
    names = [name for name in names if not name.startswith(("perfolio.", "event."))]
    with open(work + "/pmlogger.conf", "w", encoding="ascii") as conf:
        conf.write("log mandatory on 1 sec {\n%s\n}\n" % "\n".join(names))
    return work + "/pmlogger.conf"


def rows_of(build, work, letters, processes, n, peer):
    """name: (command or None, pattern of its files)."""
    perfolio = build + "/perfolio"
    switches = "-s" + letters
    rows = {
        "perfolio archive": ([perfolio, "log", "--no-compress", "-s", letters, "-c", str(n), "-i", "1", work + "/plain"], "plain.*"),
        "perfolio archive, xz": ([perfolio, "log", "-s", letters, "-c", str(n), "-i", "1", work + "/packed"], "packed.*"),
        "perfolio raw.gz": ([perfolio, switches, "-i", "1:1" if processes else "1", "-c", str(n), "-f", work + "/ours"], "ours-*"),
    }
    missing = []
    if shutil.which("pmlogger"):
        conf = pmlogger_config(perfolio, letters, work)
        rows["pmlogger"] = ([shutil.which("pmlogger"), "-c", conf, "-h", "local:", "-s", str(n + 1), "-l", work + "/pmlogger.log",
                             work + "/pcp"], "pcp.*")
    else:
        missing.append("pmlogger")
    for name, argv, files in (
            ("collectl raw.gz", ["collectl", switches.replace("p", ""), "-i", "1:1" if processes else "1", "-c", str(n), "-f", work + "/theirs"], "theirs-*"),
            ("sadc -S ALL", ["sadc", "-S", "ALL", "1", str(n + 1), work + "/sa"], "sa"),
            ("atop -w", ["atop", "-w", work + "/atop", "1", str(n + 1)], "atop")):
        path = peer(argv[0])
        if not path:
            missing.append(argv[0])
        elif name[0] != "s" or not processes:
            rows[name] = ([path, *argv[1:]], files)
    return rows, missing


def bytes_of(pattern):
    return sum(os.path.getsize(path) for path in glob.glob(pattern))


def measure(common, build, letters, processes, n):
    work = tempfile.mkdtemp(prefix="bench.")
    try:
        rows, missing = rows_of(build, work, letters, processes, n, lambda name: common.peer(name, build) if name in common.PEERS else shutil.which(name))
        spec = {"work": work, "programs": [argv for argv, _ in rows.values()], "pmcd": 0}
        if "pmlogger" in rows:
            spec["pmcd"] = 40000 + os.getpid() % 20000
        with open(work + "/spec", "w", encoding="utf-8") as out:
            json.dump(spec, out)
        subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", sys.executable, os.path.abspath(__file__), work + "/spec"], check=True)
        sizes = {name: bytes_of(work + "/" + files) for name, (_, files) in rows.items()}
        if sizes.get("pmlogger"):
            for path in glob.glob(work + "/pcp.*"):
                subprocess.run(["xz", "-1", "-q", "--block-size=1MiB", path], check=False)
            sizes["pmlogger, xz -1"] = bytes_of(work + "/pcp.*")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return sizes, missing


def bench(arg, build):
    import common  # pylint: disable=import-outside-toplevel
    if os.geteuid() != 0:
        common.die(77, "a PID namespace needs root")
    if not shutil.which("unshare") or not shutil.which("xz"):
        common.die(77, "unshare(1) or xz(1) is not installed")
    verdict = common.Judge(arg.judge)
    for letters, processes, title in (("cdimnps", 0, "The default set (`-scdimnps`)"), ("Z", CHILDREN, "Processes (`-sZ`), %d of them" % CHILDREN)):
        if arg.sets and title.split()[0].lower() not in arg.sets and letters not in arg.sets:
            continue
        sizes, missing = measure(common, build, letters, processes, arg.samples)
        print("%s, %d samples at 1 s\n" % (title, arg.samples))
        head = ["recorder", "bytes", "bytes/sample"] + (["bytes/process and sample"] if processes else [])
        table = []
        for name, size in sorted(sizes.items(), key=lambda item: item[1]):
            each = size / (arg.samples + 1)
            row = [name, str(size), "%.0f" % each] if size else [name, "-", "nothing recorded"]
            table.append(row + (["%.1f" % (each / processes) if size else "-"] if processes else []))
        common.table(head, table, arg.markdown)
        if missing:
            print("not installed, left out: %s\n" % ", ".join(missing))
        if processes:
            each = sizes["perfolio archive, xz"] / (arg.samples + 1) / processes
            verdict.bar("processes", each <= BAR, "%.1f bytes per process and sample (bar %d)" % (each, BAR))
    return 1 if verdict.missed else 0


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as given:
        inside(json.load(given))

"""bench/importing.py - what an import module adds to a sample: hello in C, in Perl, in a process of its own, and in collectl; other feeds."""
import os
import shutil
import tempfile

import common

HELLO_PH = "/usr/share/collectl/hello.ph"
NATIVE_US, PERL_TIMES = 5, 3
TEXT = "# TYPE load gauge\nload 1\n# TYPE disk counter\n" + "".join('disk{name="d%d"} %d\n' % (i, i) for i in range(8))


def short_of(samples):
    return max(samples // 10, 1)


def programs_of(arg, build, work):
    """Name: (arguments without the number of samples, samples of the long run, name of what it is compared with)."""
    perfolio, collectl = build + "/perfolio", common.peer("collectl", build)
    has_perl = os.path.exists(build + "/modules/perl/perl.so") and os.path.exists(HELLO_PH)
    text = os.path.join(work, "exposition")
    with open(text, "w", encoding="ascii") as out:
        out.write(TEXT)
    ours, fast, paced = [perfolio, "-sc", "--quiet"], ["-i", "0"], ["-i", "0.02"]
    many, few, slow = arg.samples * 10, arg.samples * 2, max(arg.samples // 20, 20)
    rows = {
        "perfolio": ([*ours, *fast], many, None),
        "hello in C": ([*ours, *fast, "--import", "hello"], many, "perfolio"),
        "hello in C, --import-isolate": ([*ours, *fast, "--import", "hello", "--import-isolate"], many, "perfolio"),
    }
    if has_perl:
        rows["hello in Perl"] = ([*ours, *fast, "--import", HELLO_PH], many, "perfolio")
        rows["hello in Perl, --import-isolate"] = ([*ours, *fast, "--import", HELLO_PH, "--import-isolate"], many, "perfolio")
    if collectl and os.path.exists(HELLO_PH):
        rows["collectl"] = ([collectl, "-sc", "--quiet", *fast], few, None)
        rows["collectl, hello"] = ([collectl, "-sc", "--quiet", *fast, "--import", "hello"], few, "collectl")
    rows["perfolio, each 20 ms"] = ([*ours, *paced], slow, None)
    rows["openmetrics from a file"] = ([*ours, *paced, "--import", "openmetrics," + text], slow, "perfolio, each 20 ms")
    rows["exec of a shell with echo"] = ([*ours, *paced, "--import", "exec,echo value 1"], slow, "perfolio, each 20 ms")
    return rows


def measure(row):
    """CPU seconds of a short run and of a long one, children included."""
    argv, samples, _ = row
    return [common.run([*argv, "-c", str(n)])[0] for n in (short_of(samples), samples)]


def slope(row, taken, choose):
    short, long = (choose([pair[i] for pair in taken]) for i in (0, 1))
    return (long - short) / (row[1] - short_of(row[1]))


def judge(verdict, added):
    verdict.bar("hello in C", added["hello in C"] * 1e6 <= NATIVE_US, "%.1f us more than without (bar %d)" % (
        added["hello in C"] * 1e6, NATIVE_US))
    if "hello in Perl" in added and "collectl, hello" in added:
        ratio = added["hello in Perl"] / max(added["collectl, hello"], 1e-9)
        verdict.bar("hello in Perl", ratio <= PERL_TIMES, "%.2f x what it adds to collectl (bar %d)" % (ratio, PERL_TIMES))


def bench(arg, build):
    work = tempfile.mkdtemp(prefix="bench.")
    try:
        rows = programs_of(arg, build, work)
        results = common.alternate(rows, arg.rounds, lambda name: measure(rows[name]))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    choose = min if arg.best else common.middle
    cost = {name: slope(rows[name], taken, choose) for name, taken in results.items()}
    added = {name: cost[name] - cost[row[2]] for name, row in rows.items() if row[2]}
    peer = added.get("collectl, hello")
    print("CPU per interval of -sc and what a module adds, %s of %d rounds; %s\n" % (
        "best" if arg.best else "median", arg.rounds, common.machine()))
    table = []
    for name, taken in results.items():
        each = [slope(rows[name], [pair], min) * 1e6 for pair in taken]
        more = added.get(name)
        compared = more is not None and peer and peer > 0 and "hello" in name
        table.append([name, "%.1f" % (cost[name] * 1e6), "%.1f-%.1f" % (min(each), max(each)),
                      "-" if more is None else "%+.1f" % (more * 1e6), "%.2f x" % (more / peer) if compared else "-"])
    common.table(["program", "us/interval", "range", "added us", "of what it adds to collectl"], table, arg.markdown)
    verdict = common.Judge(arg.judge)
    judge(verdict, added)
    return 1 if verdict.missed else 0

"""bench/tracing.py - what tracing costs, against bpftrace in the same run: start, throughput of events, a probe."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import common

OURS, THEIRS = "dtrace (perfolio)", "bpftrace"


def tools(build):
    """Paths of both programs; both need root."""
    bpftrace = shutil.which("bpftrace")
    if os.geteuid() != 0:
        common.die(77, "loading eBPF programs needs root")
    if not bpftrace:
        common.die(77, "bpftrace is not installed")
    return build + "/compat/dtrace", bpftrace


def with_tracefs(bpftrace):
    """bpftrace wants tracefs to be mounted; it is, for it alone."""
    if os.path.exists("/sys/kernel/debug/tracing/events") or os.path.exists("/sys/kernel/tracing/events"):
        return [bpftrace]
    return [shutil.which("unshare"), "-m", "sh", "-c",
            'mount -t tracefs tracefs /sys/kernel/tracing; mount -t debugfs debugfs /sys/kernel/debug; exec "$0" "$@"', bpftrace]


def dstart(arg, build):
    dtrace, bpftrace = tools(build)
    programs = {
        OURS: [dtrace, "-q", "-n", "BEGIN { exit(0); }"],
        THEIRS: [bpftrace, "-e", "BEGIN { exit(); }"],
    }
    results = common.alternate(programs, arg.rounds, lambda name: common.run(programs[name]))
    wall = {name: common.middle([r[1] for r in runs]) * 1e3 for name, runs in results.items()}
    rows = [[name, "%.1f" % wall[name], "%.1f-%.1f" % (min(r[1] for r in runs) * 1e3, max(r[1] for r in runs) * 1e3),
             "%.1f" % (common.middle([r[0] for r in runs]) * 1e3)] for name, runs in results.items()]
    print("BEGIN one-liner, exec to exit, %d rounds\n" % arg.rounds)
    common.table(["program", "wall ms", "range", "CPU ms"], rows, arg.markdown)
    verdict = common.Judge(arg.judge)
    ratio = wall[THEIRS] / wall[OURS]
    verdict.bar("start", ratio >= 12, "%.1f x faster than bpftrace (bar 12)" % ratio)
    verdict.bar("start in ms", wall[OURS] <= 20, "%.1f ms (bar 20)" % wall[OURS])
    return 1 if verdict.missed else 0


def delivered(argv, env, pattern):
    """Events that a program wrote, and its wall seconds."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        begin = time.monotonic()
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, env=env, check=False)
        wall = time.monotonic() - begin
        if done.returncode != 0:
            common.die(1, "%s ended with status %d" % (argv[0], done.returncode))
        with open(out.name, "rb") as text:
            return len(re.findall(pattern, text.read())), wall


def devents(arg, build):
    """A flood of records of a time, a process, a processor and a name, as JSON."""
    dtrace, bpftrace = tools(build)
    env = dict(os.environ, BPFTRACE_PERF_RB_PAGES="2048")
    load = os.path.realpath(shutil.which("dd")) + " if=/dev/zero of=/dev/null bs=1 status=none count=%d"
    ours = 'syscall::read:entry /pid == $target/ { trace(timestamp); trace(pid); trace(cpu); trace(execname); }'
    theirs = 'tracepoint:syscalls:sys_enter_read /pid == cpid/ { printf("%lu %d %d %s\\n", nsecs, pid, cpu, comm); }'

    def once(name):
        def measure(count):
            if name == OURS:
                return delivered([dtrace, "-x", "bufsize=8m", "-x", "oformat=json", "-n", ours, "-c", load % count], env, rb'"name":"entry"')
            return delivered(with_tracefs(bpftrace) + ["-f", "json", "-e", theirs, "-c", load % count], env, rb'"type": "printf"')
        _, idle = measure(1)
        events, wall = measure(arg.samples)
        return events, wall - idle

    results = common.alternate([OURS, THEIRS], arg.rounds, once)
    rate = {name: common.middle([events / wall for events, wall in runs]) for name, runs in results.items()}
    rows = [[name, "%.0f" % rate[name], "%.1f" % (100 * common.middle([events for events, _ in runs]) / arg.samples),
             "%.2f" % common.middle([wall for _, wall in runs])] for name, runs in results.items()]
    print("%d records to JSON, %d rounds; what it takes to start and end is subtracted\n" % (arg.samples, arg.rounds))
    common.table(["program", "events/s", "delivered %", "wall s"], rows, arg.markdown)
    verdict = common.Judge(arg.judge)
    ratio = rate[OURS] / rate[THEIRS]
    verdict.bar("events", ratio >= 3, "%.1f x the events of bpftrace in a second (bar 3)" % ratio)
    return 1 if verdict.missed else 0


def dprobe(arg, build):
    """What count() costs the traced program for each time it fires."""
    dtrace, bpftrace = tools(build)
    tracers = {
        "none": None,
        OURS: [dtrace, "-q", "-n", 'BEGIN { printf("ready\\n"); } syscall::read:entry { @ = count(); }'],
        THEIRS: with_tracefs(bpftrace) + ["-e", 'tracepoint:syscalls:sys_enter_read { @ = count(); } interval:ms:500 { printf("ready\\n"); }'],
    }
    load = [shutil.which("dd"), "if=/dev/zero", "of=/dev/null", "bs=1", "status=none", "count=%d" % arg.samples]

    def once(name):
        tracer = None
        if tracers[name]:
            tracer = subprocess.Popen(tracers[name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for line in tracer.stdout:
                if line.startswith("ready"):
                    break
            time.sleep(0.5)  # bpftrace attaches one by one
        cpu, _ = common.run(load)
        if tracer:
            tracer.send_signal(signal.SIGINT)
            counted = [int(n) for n in re.findall(r"^(?:@: | +)([0-9]+)$", tracer.stdout.read(), re.M)]
            tracer.wait()
            if not counted or counted[-1] < arg.samples:
                common.die(1, "%s counted %s of %d calls" % (name, counted, arg.samples))
        return cpu

    results = common.alternate(tracers, arg.rounds, once)
    cost = {name: (min(runs) - min(results["none"])) / arg.samples * 1e9 for name, runs in results.items()}
    print("count() on each of %d calls of read(2), the best of %d rounds\n" % (arg.samples, arg.rounds))
    rows = [[name, "%.3f" % min(runs), "%.0f" % cost[name]] for name, runs in results.items()]
    common.table(["tracer", "CPU s of the load", "ns per hit"], rows, arg.markdown)
    verdict = common.Judge(arg.judge)
    verdict.bar("probe", cost[OURS] <= cost[THEIRS], "%.2f x the cost of bpftrace (bar 1)" % (cost[OURS] / cost[THEIRS] if cost[THEIRS] > 0 else 0))
    return 1 if verdict.missed else 0

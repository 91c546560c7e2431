#!/usr/bin/env python3
"""Programs that are large in one way: stress.py BUILD. Each must load, run and be right; a refusal by the verifier is a fault of ours."""

import os
import re
import resource
import subprocess
import sys
import tempfile

MEMORY_KB = 400000  # a program may need that much under sanitizers


def run(dtrace, text, folder, *options):
    path = os.path.join(folder, "p.d")
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    done = subprocess.run([dtrace, "-q", *options, "-s", path], capture_output=True, text=True, check=False, timeout=280)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if done.returncode:
        return done.stdout, "exit status %d: %s" % (done.returncode, done.stderr[:500])
    return done.stdout, "needs %d KB" % most if most > MEMORY_KB else done.stderr[:500]


def quantizes(dtrace, folder):
    """100 clauses of quantize, each with a value of its own."""
    text = "".join("BEGIN { @q%d = quantize(%d); }\n" % (i, i) for i in range(100))
    out, wrong = run(dtrace, text + "BEGIN { exit(0); }\n", folder)
    rows = re.findall(r"^ +(-?\d+) \|@{40} 1 *$", out, re.M)
    want = [str(0 if i == 0 else 1 << (i.bit_length() - 1)) for i in range(100)]
    return wrong or ("" if rows == want else "buckets %s" % rows)


def quantizes_of_one(dtrace, folder):
    """100 clauses of quantize into one aggregation with a key."""
    text = "".join("BEGIN { @q[execname] = quantize(%d); }\n" % (1 << (i % 40)) for i in range(100))
    out, wrong = run(dtrace, text + "BEGIN { exit(0); }\n", folder)
    rows = re.findall(r"^ +(\d+) \|[@ ]{40} ([1-9]\d*) *$", out, re.M)
    want = [(str(1 << i), "3" if i < 20 else "2") for i in range(40)]
    return wrong or ("" if rows == want else "buckets %s" % rows)


def string_keys(dtrace, folder):
    """64 keys of strings: rows with many, and a tuple of many."""
    text = "".join('BEGIN { @k["key number %d"] = count(); a["key number %d"] = %d; }\n' % (i, i, i) for i in range(64))
    text += "BEGIN { exit(0); }\nEND { printa(\"%s %@d\\n\", @k); }\n"
    out, wrong = run(dtrace, text, folder)
    want = sorted("key number %d 1" % i for i in range(64))
    return wrong or ("" if sorted(out.split("\n"))[-64:] == want else out[:300])


def string_tuple(dtrace, folder):
    """One tuple of 64 strings."""
    keys = ", ".join('"k%d"' % i for i in range(64))
    text = "BEGIN { @[%s] = count(); @[%s] = count(); exit(0); }\nEND { printa(\"%s%%@d\", @); }\n" % (keys, keys, "%s" * 63)
    out, wrong = run(dtrace, text, folder, "-x", "strsize=32")
    return wrong or ("" if out.strip() == "".join("k%d" % i for i in range(63)) + "2" else out[:300])


def all_calls(dtrace, folder):
    """Every system call, by program and name."""
    text = "syscall:::entry { @[execname, probefunc] = count(); }\ntick-1s { exit(0); }\n"
    out, wrong = run(dtrace, text, folder, "-c", "/bin/ls /")
    return wrong or ("" if re.search(r"^  ls +[a-z_0-9]+ +[1-9]", out, re.M) else "no call of ls: " + out[:300])


def thousand_probes(dtrace, folder):
    """1,000 probes at once, of several kinds."""
    listed = subprocess.run([dtrace, "-l", "-P", "syscall"], capture_output=True, text=True, check=True).stdout.split("\n")[1:]
    names = [w[1] + ":" + w[2] + ":" + w[3] + ":" + w[4] for w in (line.split() for line in listed) if len(w) == 5]
    names += ["tick-%dms" % n for n in range(500, 500 + max(0, 1000 - len(names)))]
    clauses = "".join("%s { @[probename] = count(); }\n" % n for n in names[:1000])
    out, wrong = run(dtrace, clauses + "BEGIN { start = timestamp; }\ntick-900ms { exit(0); }\n", folder, "-c", "/bin/ls /")
    return wrong or ("" if re.search(r"^  (entry|return) +[1-9]", out, re.M) else "nothing counted: " + out[:300])


def many_clauses(dtrace, folder):
    """2,000 clauses on one probe."""
    text = "int64_t n;\n" + "".join("BEGIN / n == %d / { n++; }\n" % i for i in range(2000))
    out, wrong = run(dtrace, text + 'BEGIN { printf("%d", n); exit(0); }\n', folder)
    return wrong or ("" if out.strip() == "2000" else out[:300])


def many_variables(dtrace, folder):
    """500 global, 200 thread-local and 200 clause-local variables."""
    text = "BEGIN { %s }\n" % " ".join("g%d = %d;" % (i, i) for i in range(500))
    text += "BEGIN { %s }\n" % " ".join("self->s%d = %d;" % (i, i) for i in range(100))
    text += "BEGIN { %s }\n" % " ".join("this->t%d = %d;" % (i, i) for i in range(200))
    text += 'BEGIN { printf("%d %d %d", g499, self->s99, this->t199); exit(0); }\n'
    out, wrong = run(dtrace, text, folder)
    return wrong or ("" if out.strip() == "499 99 199" else out[:300])


def string_functions(dtrace, folder):
    """Many searches in one clause: what the verifier has to follow must add up, not multiply."""
    text = 'BEGIN { s = "the quick brown fox"; }\n'
    text += 'BEGIN { printf("%s %d %s %s %d %s %s", strstr(s, "quick"), index(s, "fox"), toupper(s), strrchr(s, \'o\'), rindex(s, "o"), basename(s), dirname(s)); exit(0); }\n'
    out, wrong = run(dtrace, text, folder)
    want = "quick brown fox 16 THE QUICK BROWN FOX ox 17 the quick brown fox ."
    return wrong or ("" if out.strip() == want else out[:300])


CASES = [quantizes, quantizes_of_one, string_keys, string_tuple, all_calls, thousand_probes, many_clauses, many_variables, string_functions]


def main():
    dtrace = os.path.join(os.path.abspath(sys.argv[1]), "compat", "dtrace")
    if not os.access(dtrace, os.X_OK):
        print("this build has no dtrace")
        return 77
    able = subprocess.run([dtrace, "-qn", "BEGIN { exit(0); }"], capture_output=True, text=True, check=False)
    if able.returncode != 0 and re.search(r"CAP_|bpf\(2\)|built without", able.stderr):
        print(able.stderr, end="")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if len(sys.argv) > 2 and case.__name__ not in sys.argv[2:]:
                continue
            wrong = case(dtrace, folder)
            print("%s: %s" % (case.__name__, wrong or "ok"), flush=True)
            failed += bool(wrong)
    return 1 if failed else 0


sys.exit(main())

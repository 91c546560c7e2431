#!/usr/bin/env python3
"""Random expressions in D and in C: semantics.py BUILD [SEED [COUNT]].

Makes COUNT expressions over variables of every integer type, bit-fields, enumerations and pointers; has gcc compute them (with
wrapping, where C leaves it undefined) and dtrace, with the values in variables and with constants in their places, so that folding
is tested, too. The seed is printed; the same seed makes the same expressions.

What D says otherwise than C is written so that C does the same: shift counts are cut to their low six bits, and a shift is done on
64 bits of the promoted left operand; && || and ?: are lazy in both.
"""

import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

TYPES = {
    "int8_t": (8, True),
    "uint8_t": (8, False),
    "int16_t": (16, True),
    "uint16_t": (16, False),
    "int32_t": (32, True),
    "uint32_t": (32, False),
    "int64_t": (64, True),
    "uint64_t": (64, False),
    "char": (8, True),
    "short": (16, True),
    "unsigned": (32, False),
    "unsigned long": (64, False),
    "enum e": (32, True),
}
FIELDS = [("unsigned", "f0", 3), ("int", "f1", 5), ("unsigned", "f2", 17), ("int64_t", "f3", 33), ("uint64_t", "f4", 40), ("int8_t", "f5", 7), ("int", "f6", 32), ("uint16_t", "f7", 1)]
INTERESTING = [0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
PER_PROGRAM = 400
PER_PRINTF = 20
JOBS = 2

C_HEAD = """
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#define SHL(a, b) ((__typeof__((a) + 0))((uint64_t)(a) << ((uint64_t)(b) & 63)))
#define SHR(a, b) ((__typeof__((a) + 0))(((__typeof__((a) + 0))-1 < 0) ? (uint64_t)((int64_t)(a) >> ((uint64_t)(b) & 63)) : (uint64_t)(a) >> ((uint64_t)(b) & 63)))
enum e { EM = -1, E0, E1, E2 = 77, E3 = 2147483647 };
"""


def wrap(value, bits, signed):
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def literal(value, name):
    """A constant of that type and value, the same in both languages."""
    bits, signed = TYPES[name]
    if value == -(1 << 63):
        return "(int64_t)0x8000000000000000"
    text = "0x%xu" % value if value >= 0 and not signed else str(value)
    if bits == 64:
        text += "l"
    return "((%s)%s)" % (name, text)


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def value(self, name):
        bits, signed = TYPES[name]
        r = self.random
        value = r.choice(INTERESTING) if r.random() < 0.5 else r.getrandbits(r.randint(1, 64))
        if r.random() < 0.3:
            value = -value
        return wrap(value, bits, signed)

    def program_values(self):
        """Values of variables v0.., and of the bit-fields, for one program."""
        names = list(TYPES)
        values = [(n, self.value(n)) for n in names * 2]
        fields = []
        for name, field, bits in FIELDS:
            fields.append((field, wrap(self.value("uint64_t"), bits, TYPES.get(name, (32, True))[1])))
        return values, fields

    def leaf(self):
        r = self.random
        if r.random() < 0.12:
            return ("field", r.randrange(len(FIELDS)))
        if r.random() < 0.15:
            return ("const", r.choice([0, 1, 2, 3, 7, 10, 255, 65536]))
        return ("var", r.randrange(2 * len(TYPES)))

    def tree(self, depth):
        r = self.random
        if depth == 0 or r.random() < 0.1:
            return self.leaf()
        kind = r.random()
        if kind < 0.14:
            return ("un", r.choice(["-", "~", "!", "+"]), self.tree(depth - 1))
        if kind < 0.24:
            return ("cast", r.choice([t for t in TYPES if t != "enum e"] + ["_Bool"]), self.tree(depth - 1))
        if kind < 0.31:
            return ("?:", self.tree(depth - 1), self.tree(depth - 1), self.tree(depth - 1))
        if kind < 0.42:
            return ("shift", r.choice(["<<", ">>"]), self.tree(depth - 1), self.tree(depth - 1))
        if kind < 0.52:
            return ("div", r.choice(["/", "%"]), self.tree(depth - 1), self.tree(depth - 1))
        op = r.choice(["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^"])
        return ("bin", op, self.tree(depth - 1), self.tree(depth - 1))

    def effect(self):
        """An assignment, ++ or --, as the target's type, its start value, the D statement's middle and C's."""
        r = self.random
        op = r.choice(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++x", "x++", "--x", "x--"])
        return (r.choice(list(TYPES)[:-1] + ["field"]), op, self.tree(2))


class Text:
    """An expression as D or C, with variables or with constants."""

    def __init__(self, values, fields, language, constants):
        self.values, self.fields, self.language, self.constants = values, fields, language, constants

    def of(self, t):
        kind = t[0]
        if kind == "const":
            return str(t[1])
        if kind == "var":
            if self.constants:
                return literal(self.values[t[1]][1], self.values[t[1]][0])
            return "v%d" % t[1]
        if kind == "field":
            if self.constants:
                return "(int)%d" % (self.fields[t[1]][1] & 0x7F)
            # gcc computes with the bits of a wide field; C and D with its type.
            wide = FIELDS[t[1]][2] > 32 and self.language == "C"
            return "%sb.%s" % ("(%s)" % FIELDS[t[1]][0] if wide else "", FIELDS[t[1]][1])
        if kind == "un":
            return "(%s %s)" % (t[1], self.of(t[2]))
        if kind == "cast":
            return "((%s)%s)" % (t[1], self.of(t[2]))
        if kind == "?:":
            return "(%s ? %s : %s)" % (self.of(t[1]), self.of(t[2]), self.of(t[3]))
        if kind == "shift":
            left, right = self.of(t[2]), self.of(t[3])
            if self.language == "C":
                return "%s(%s, %s)" % ("SHL" if t[1] == "<<" else "SHR", left, right)
            return "(%s %s %s)" % (left, t[1], right)
        if kind == "div":
            # Never by zero; a quotient that overflows wraps in both: the divisor is made odd and positive.
            return "(%s %s ((%s & 0x3f) | 1))" % (self.of(t[2]), t[1], self.of(t[3]))
        left, right = self.of(t[2]), self.of(t[3])
        if t[1] == "^^" and self.language == "C":
            return "(!(%s) != !(%s))" % (left, right)
        return "(%s %s %s)" % (left, t[1], right)

    def effect(self, i, e):
        """Statements that set x<i>, do it, and leave the value of the whole in r<i>."""
        name, op, tree = e
        target = "x%d" % i if name != "field" else "c.%s" % FIELDS[i % len(FIELDS)][1]
        if op in ("++x", "x++", "--x", "x--"):
            return "r%d = %s;" % (i, op.replace("x", target))
        value = self.of(tree)
        if op in ("/=", "%="):
            value = "((%s & 0x3f) | 1)" % value
        if op in ("<<=", ">>=") and self.language == "C":
            macro = "SHL" if op == "<<=" else "SHR"
            return "r%d = (%s = %s(+%s, %s));" % (i, target, macro, target, value)
        return "r%d = (%s %s %s);" % (i, target, op, value)


def struct(name):
    return "struct bits { %s };\nstruct bits %s;\n" % (" ".join("%s %s : %d;" % f for f in FIELDS), name)


def make(maker, n, constants):
    """C text and D text of @n expressions."""
    values, fields = maker.program_values()
    trees = [maker.tree(maker.random.randint(1, 4)) for _ in range(n)]
    effects = [] if constants else [maker.effect() for _ in range(n // 4)]
    c, d = Text(values, fields, "C", constants), Text(values, fields, "D", constants)
    setup = "".join("v%d = %s;\n" % (i, literal(v, t)) for i, (t, v) in enumerate(values))
    setup += "".join("b.%s = %d%s;\n" % (f, v, "l" if abs(v) > 2147483647 else "") for f, v in fields) if not constants else ""
    start = [("x%d" % i, maker.value(e[0]), e[0]) for i, e in enumerate(effects) if e[0] != "field"]
    declared = "".join("%s v%d;\n" % (t, i) for i, (t, _) in enumerate(values))
    declared += struct("b") + "struct bits c;\n"
    declared += "".join("%s %s;\n" % (t, x) for x, _, t in start) + "".join("int64_t r%d;\n" % i for i in range(len(effects)))
    setup += "".join("%s = %s;\n" % (x, literal(v, t)) for x, v, t in start)
    setup += "c = b;\n" if not constants else ""
    lines = ["(int64_t)%s"] * n
    d_text = "#pragma D option quiet\nenum e { EM = -1, E0, E1, E2 = 77, E3 = 2147483647 };\n" + declared
    d_text += "BEGIN\n{\n" + setup + "}\n"
    c_text = declared + "static void run(void)\n{\n" + setup
    for i in range(0, n, PER_PRINTF):
        part = trees[i : i + PER_PRINTF]
        d_text += "BEGIN\n{\nprintf(\"%s\\n\", %s);\n}\n" % (" ".join(["%d"] * len(part)), ",\n".join(lines[0] % d.of(t) for t in part))
        c_text += "printf(\"%s\\n\", %s);\n" % (" ".join(["%ld"] * len(part)), ",\n".join(lines[0] % c.of(t) for t in part))
    for i, e in enumerate(effects):
        target = "x%d" % i if e[0] != "field" else "c.%s" % FIELDS[i % len(FIELDS)][1]
        show = 'printf("%s %s\\n", r{0}, (int64_t){1});'.format(i, target)
        d_text += "BEGIN\n{\n%s\n%s\n}\n" % (d.effect(i, e), show % ("%d", "%d"))
        c_text += "%s\n%s\n" % (c.effect(i, e), show % ("%ld", "%ld"))
    return c_text + "}\n", d_text + "BEGIN\n{\nexit(0);\n}\n", len(trees) + len(effects), trees, effects


def run_d(dtrace, text, path):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    return subprocess.run([dtrace, "-s", path], capture_output=True, text=True, check=False, timeout=300)


def run_c(text, folder):
    source, program = os.path.join(folder, "all.c"), os.path.join(folder, "all")
    with open(source, "w", encoding="ascii") as f:
        f.write(text)
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", "-fsigned-char", "-o", program, source], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def compare(want, done, text, what, seed):
    got = done.stdout.strip("\n").split("\n")
    if done.returncode != 0 or done.stderr:
        print("%s (seed %d): exit status %d: %s" % (what, seed, done.returncode, done.stderr[:600]))
        return 1
    failed = 0
    clauses = re.findall(r"^printf\(\"%d[^\n]*?\", (.*?)\);\n}", text, re.M | re.S)
    for i, line in enumerate(want):
        have = got[i].split() if i < len(got) else []
        for j, value in enumerate(line.split()):
            if j < len(have) and have[j] == value:
                continue
            failed += 1
            if failed <= 5:
                where = clauses[i].split(",\n")[j] if i < len(clauses) and "\n" in clauses[i] else "statement of line %d" % (i + 1)
                print("%s (seed %d): gcc says %s, dtrace says %s: %s" % (what, seed, value, have[j] if j < len(have) else "nothing", where))
                if where.startswith("statement"):
                    at = text.find("BEGIN\n{\nr")
                    print(text[at:].split("BEGIN\n")[1 + i - len([c for c in clauses if "\n" in c])] if at >= 0 else "")
    return failed


def main():
    build = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20260801
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    dtrace = os.path.join(os.path.abspath(build), "compat", "dtrace")
    if not os.access(dtrace, os.X_OK):
        print("this build has no dtrace")
        return 77
    able = subprocess.run([dtrace, "-qn", "BEGIN { exit(0); }"], capture_output=True, text=True, check=False)
    if able.returncode != 0 and re.search(r"CAP_|bpf\(2\)|built without", able.stderr):
        print(able.stderr, end="")
        return 77
    print("seed %d" % seed)
    maker = Maker(seed)
    programs, done = [], 0
    while done < count:
        constants = len(programs) % 2 == 1
        c, d, n, _, _ = make(maker, PER_PROGRAM, constants)
        programs.append((c, d, "constants" if constants else "variables"))
        done += n
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        text = C_HEAD
        for i, (c, _, _) in enumerate(programs):
            # Names of one program do not meet those of another.
            names = r"\b(v\d+|x\d+|r\d+|b|c|bits|run)\b"
            text += re.sub(names, r"\1_%d" % i, re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: m.group(0), c))
        text += "int main(void)\n{\n%s\nreturn 0;\n}\n" % "\n".join('run_%d(); printf("=\\n");' % i for i in range(len(programs)))
        wanted = run_c(text, folder).split("=\n")
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            results = pool.map(lambda i: run_d(dtrace, programs[i][1], os.path.join(folder, "p%d.d" % i)), range(len(programs)))
        for i, ((_, d, what), result) in enumerate(zip(programs, results)):
            failed += compare(wanted[i].strip("\n").split("\n"), result, d, "%s, program %d" % (what, i), seed)
            if failed > 20:
                break
    print("%d expressions in %d programs, %d differ" % (done, len(programs), failed))
    return 1 if failed else 0


sys.exit(main())

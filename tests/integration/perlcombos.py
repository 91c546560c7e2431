"""perlcombos.py COLLECTL OURS WORK RAW FIRST LAST - combinations of switches made up from a fixed seed, with modules in Perl over a raw file: both
programs must print the same bytes, leave the same files and end with the same status."""
import concurrent.futures
import glob
import gzip
import os
import random
import re
import subprocess
import sys

SHARE = "/usr/share/collectl"
REAL, OURS, WORK, RAW = sys.argv[1:5]
FIRST, LAST = int(sys.argv[5]), int(sys.argv[6])

MODULES = [
    "hello", "hello,d", "hello,sd", "misc,i=2", "misc,i=2,a", "misc,i=1", "hello:misc,i=2", "misc,i=2,a:hello,sd", "./combo.ph", "./combo.ph,d",
    "./combo.ph,sd", "hello:./combo.ph", "./combo.ph,sd:misc,i=2", "misc,i=2:./combo.ph:hello,d", "hello,sd:misc,i=2,a:./combo.ph,sd",
]
LETTERS = [[], ["-s-all"], ["-sc"], ["-scdnm"], ["-sC"], ["-sD"], ["-s+CN"], ["-s-d"], ["-sm"], ["-scD"], ["-sdn"], ["-sfst"]]
TIMES = [[], [], ["-oT"], ["-od"], ["-oD"], ["-oTm"], ["-oDm"]]
SOMETIMES = [
    (["-on"], 4), (["-w"], 8), (["-og"], 8), (["--hr", "2"], 6), (["--hr", "0"], 8), (["--from", "03:57:06"], 6),
    (["--thru", "03:57:09"], 6), (["-d4"], 10), (["--quiet"], 10), (["-m"], 12), (["--utc"], 30), (["--hr", "1"], 10),
    (["--home"], 60), (["--sep", "7"], 60), (["--iosize"], 20),
]
VIEWS = {
    "brief": [[], [], ["--stats"], ["--statopts", "i"], ["--statopts", "ais"], ["--iosize"]],
    "verbose": [["--verbose"], ["--verbose"], ["--verbose", "--hr", "-1"], ["--full"]],
    "plot": [["-P"], ["-P", "-o1"], ["-P", "--sep", "9"], ["-P", "-oi"], ["-P", "-o2", "--utc"], ["-P", "--sep", ";"]],
    "files": [["-P", "-f", "@", "-oz"], ["-P", "-f", "@", "-ozu"], ["-P", "-f", "@"]],
    "lexpr": [["--export", "lexpr" + args] for args in ("", ",i=2,avg", ",i=4,tot", ",i=2,max", ",d=1", ",s=c", ",co", ",i=2,min", ",x=nosuch")],
    "gexpr": [["--export", "gexpr,1.2.3.4:5,d=9" + args] for args in ("", ",i=2,avg", ",g", ",G", ",s=cd", ",i=4,tot")],
    "other": [["--export", "graphite,1.2.3.4:5,d=9"], ["--vmstat"], ["--showcolheaders"], ["--grep", "hw-1"], ["--showheader"]],
}


def combo(number):
    """The switches of one combination; the same for the same number, whatever the others are."""
    chance = random.Random("combo %d" % number)
    words = list(chance.choice(LETTERS)) + list(chance.choice(TIMES))
    for switch, rarely in SOMETIMES:
        if chance.randrange(rarely) == 0:
            words += switch
    view = chance.choice(["brief", "brief", "verbose", "verbose", "plot", "files", "lexpr", "gexpr", "other"])
    words += chance.choice(VIEWS[view])
    if "--grep" in words and "-d4" in words:
        words.remove("-d4")  # then collectl shows all lines
    return words, chance.choice(MODULES)


def is_told(words, modules, theirs, mine):
    """What docs/compat.md says of whole outputs: of several mistakes the two programs tell different ones, and all headings are shown."""
    if theirs[0] == mine[0] == 1 and all(b"Error: " in out and b"type 'collectl -h' for help" in out for out in (theirs[1], mine[1])):
        return True
    if theirs[0] == 255 and mine[0] == 1 and "--stats" in words and b"not allowed in verbose mode" in mine[1]:
        return True  # totals of modules with details: the other one shows what it has and then dies
    letters = "".join(w[2:] for w in words if w.startswith("-s"))
    verbose = any(c.isupper() for c in letters) or re.search(r",s?d\b", modules)
    return "--showcolheaders" in words and (verbose or "-m" in words)


def ours(text):
    """Debian's files by their path, since the bare name finds what perfolio brings in C."""
    return re.sub(r"(^|:)(hello|misc)", r"\1%s/\2.ph" % SHARE, text)


def exporter(words):
    return [re.sub(r"^(lexpr|gexpr|graphite|vmstat)(?=,|$)", r"%s/\1.ph" % SHARE, w) if words[i - 1] == "--export" else w
            for i, w in enumerate(words)]


def mask(text):
    text = re.sub(rb"(?m)^Writing file\(s\): .*\n", b"", text)
    text = re.sub(rb"(?m)^[0-9:]{8}\.[0-9]{3} (Name)", rb"\1", text)
    return re.sub(rb"(?m)^(\S+ \S+) [0-9]{10}$", rb"\1 T", text)


def run(program, words, modules, folder):
    os.makedirs(folder, exist_ok=True)
    words = [folder if w == "@" else w for w in words]
    done = subprocess.run([program, "-p", RAW, *words, "--import", modules], cwd=WORK, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    out = mask(done.stdout).replace(folder.encode(), b"@")
    for name in sorted(glob.glob(folder + "/*")):
        with open(name, "rb") as f:
            content = f.read()
        if name.endswith(".gz"):
            content = gzip.decompress(content)
        content = re.sub(rb"(?m)^# (Collectl|RecordDate|Host|Date|Distro|Kernel|NumDisks|NumNets):.*\n", b"", content)
        out += b"== " + re.sub(r"[^\w.-]", "_", os.path.basename(name)).encode() + b"\n" + content
    return done.returncode, out


def compare(number):
    words, modules = combo(number)
    folder = os.path.join(WORK, "%d" % number)
    theirs = run(REAL, words, modules, folder + ".real")
    mine = run(OURS, exporter(words), ours(modules), folder + ".ours")
    if theirs == mine or is_told(words, modules, theirs, mine):
        return None
    for name, result in (("real", theirs), ("ours", mine)):
        with open(folder + "." + name + ".out", "wb") as f:
            f.write(result[1])
    shown = subprocess.run(["diff", folder + ".real.out", folder + ".ours.out"], stdout=subprocess.PIPE, check=False)
    return "%d: %s --import %s: status %d, collectl's %d\n%s" % (
        number, " ".join(words), modules, mine[0], theirs[0], "\n".join(shown.stdout.decode(errors="replace").split("\n")[:8]))


def main():
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for said in pool.map(compare, range(FIRST, LAST)):
            if said:
                failed += 1
                print(said)
    print("%d of %d differ" % (failed, LAST - FIRST)) if failed else None
    return 1 if failed else 0


sys.exit(main())

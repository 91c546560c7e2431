"""recordjobs.py PERFOLIO - the line that `perfolio record` writes on a terminal: there, redrawn in place, gone before other messages and at the end; and
none where standard error is no terminal, on a dumb one, with a command, or left alone."""
import os
import pty
import re
import subprocess
import sys

perfolio = sys.argv[1]
bad = False


def fail(text):
    global bad
    bad = True
    print(text)


def on_terminal(words, term="xterm"):
    """All that comes out of a terminal on which it runs, and its status."""
    master, slave = pty.openpty()
    env = dict(os.environ, TERM=term)

    def lead():
        os.setsid()
        import fcntl
        import termios
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    p = subprocess.Popen([perfolio, "record"] + words, stdin=slave, stdout=slave, stderr=slave, env=env, preexec_fn=lead)
    os.close(slave)
    out = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(master)
    return out.decode(), p.wait()


def screen(text):
    """Lines that stand there at the end: what is erased is gone."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        lines.append(line.split("\r\x1b[K")[-1])
    return lines


text, status = on_terminal(["line.folio", "-c", "30", "-i", "0.1", "-sc", "-h", "self:", "-h", "unix:/no/such"])
drawn = re.findall(r"\r\x1b\[Kline\.folio: (?:(\d) of )?2 hosts, (\d+) samples?, [0-9.]+ \w+, (\d+) missed", text)
if status != 1 or len(drawn) < 2:
    fail(f"no line on the terminal: {status} {text!r}")
elif drawn[-1][0] != "1" or int(drawn[-1][1]) <= int(drawn[0][1]):
    fail(f"the line does not go on: {drawn}")
left = screen(text)
if any("missed" in line for line in left):
    fail(f"the line is left behind: {left}")
for word in ("cannot get anything", "31 samples", "was not recorded, as told above", "look at it with"):
    if sum(word in line for line in left) != 1:
        fail(f"'{word}' is not a line of its own: {left}")

text, status = on_terminal(["endless.folio", "-c", "12", "-i", "0.1", "-sc"], term="dumb")
if status != 0 or "missed" in text or "\x1b" in text:
    fail(f"a line on a dumb terminal: {text!r}")
text, status = on_terminal(["command.folio", "-i", "0.1", "-sc", "--", "sleep", "1.5"])
if status != 0 or "missed" in text or "\x1b" in text:
    fail(f"a line beside a command: {text!r}")
text, status = on_terminal(["left.tty.folio", "--detach", "-R", "1s", "-i", "0.1", "-sc"])
if status != 0 or "missed" in text or "goes on" not in text:
    fail(f"left alone on a terminal: {status} {text!r}")
p = subprocess.run([perfolio, "record", "pipe.folio", "-c", "12", "-i", "0.1", "-sc"], capture_output=True, text=True)
if p.returncode != 0 or "missed" in p.stderr or "\x1b" in p.stderr:
    fail(f"a line where there is no terminal: {p.stderr!r}")
sys.exit(bad)

"""sleepers.py PROCESSES THREADS FILE - so many processes of so many threads each, which all sleep; FILE is made once they are there. They
end with the one that started them."""
import ctypes
import os
import signal
import sys
import threading
import time

count, threads, ready = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


def sleep():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if threads == 1:
        os.execv("/bin/sleep", ["sleep", "600"])
    threading.stack_size(64 * 1024)
    for _ in range(threads - 1):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    os.write(told, b".")
    time.sleep(600)


told_from, told = os.pipe()
for _ in range(count):
    if os.fork() == 0:
        sleep()
if threads > 1:
    for _ in range(count):
        os.read(told_from, 1)
else:
    time.sleep(0.5)
with open(ready, "w"):
    pass
time.sleep(600)

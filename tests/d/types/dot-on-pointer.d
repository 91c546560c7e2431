BEGIN { x = curthread.tgid; }

BEGIN { printf("%d %d %d", pid == $pid, tid == pid, ppid == $ppid); exit(0); }

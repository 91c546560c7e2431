BEGIN { printf("%d %d %d", progenyof(pid), progenyof(ppid), progenyof(0x7ffffff)); exit(0); }

BEGIN { x = *(int *)8; }
ERROR { printf("%d %s", id, probename); exit(0); }

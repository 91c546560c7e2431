BEGIN { commit(99); }
ERROR { printf("%d", arg4); exit(0); }

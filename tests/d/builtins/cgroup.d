BEGIN { printf("%d", cgroup > 0); exit(0); }

BEGIN { printf("%d %d %d %d %d", sizeof(pid_t), sizeof(uid_t), sizeof(gid_t), sizeof(dev_t), sizeof(time64_t)); exit(0); }

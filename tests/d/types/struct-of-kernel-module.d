BEGIN { printf("%d", sizeof(vmlinux`struct list_head)); exit(0); }

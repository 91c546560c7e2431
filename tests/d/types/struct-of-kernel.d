BEGIN { printf("%d %d", sizeof(struct list_head), offsetof(struct list_head, prev)); exit(0); }

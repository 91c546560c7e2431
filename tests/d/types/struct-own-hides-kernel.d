struct list_head { char c; };
BEGIN { printf("%d", sizeof(struct list_head)); exit(0); }

/* options: -x bufsize=64k -x aggsize=1m -x dynvarsize=2M -x specsize=1k */
BEGIN { printf("x"); exit(0); }

/* Thread-local variables are those of the thread that failed. */
ERROR { printf("%d", self->x); }
self int x;
BEGIN { self->x = 5; y = *(int *)8; }
BEGIN { exit(0); }

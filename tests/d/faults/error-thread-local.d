self int x;
ERROR { printf("%d", self->x); }
BEGIN { self->x = 5; y = *(int *)8; }
BEGIN { exit(0); }

BEGIN { printf("%d ", id); exit(0); }
END { printf("%d", id); }

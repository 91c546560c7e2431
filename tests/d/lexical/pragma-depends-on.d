#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux
BEGIN { printf("x"); exit(0); }

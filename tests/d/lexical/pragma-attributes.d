#pragma D attributes Stable/Stable/Common provider syscall provider
BEGIN { printf("x"); exit(0); }

/* The probe's number in arg1 as epid, the action, the code and the address. */
BEGIN { x = *(int *)0x40; }
ERROR { printf("%d %d %d", arg1 == epid || arg1 > 0, arg4, arg5); exit(0); }

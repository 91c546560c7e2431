#!/usr/bin/env -S dtrace -s
/* syscount.d - which programs make how many system calls, and which calls those are; ends with ^C or with the command of -c. */
#pragma D option quiet

syscall:::entry
{
	@programs[execname] = count();
	@calls[execname, probefunc] = count();
}

END
{
	printf("%-20s %10s\n", "PROGRAM", "CALLS");
	printa("%-20s %@10d\n", @programs);
	trunc(@calls, 20);
	printf("\n%-20s %-24s %10s\n", "PROGRAM", "CALL", "COUNT");
	printa("%-20s %-24s %@10d\n", @calls);
}

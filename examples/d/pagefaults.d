#!/usr/bin/env -S dtrace -s
/* pagefaults.d - page faults by program: how many, and how many of them were writes (bit 1 of the error code). */
#pragma D option quiet

sdt:exceptions::page_fault_user
{
	@faults[execname] = count();
	@writes[execname] = sum((args[2] >> 1) & 1);
}

END
{
	printf("%-20s %10s %10s\n", "PROGRAM", "FAULTS", "WRITES");
	printa("%-20s %@10d %@10d\n", @faults, @writes);
}

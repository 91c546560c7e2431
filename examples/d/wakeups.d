#!/usr/bin/env -S dtrace -s
/* wakeups.d - who wakes whom, every five seconds and at the end. */
#pragma D option quiet

sdt:sched::sched_waking
{
	@wakes[execname, args[0]] = count();
}

tick-5s, END
{
	trunc(@wakes, 15);
	printf("%-18s %-18s %10s\n", "WAKER", "WOKEN", "TIMES");
	printa("%-18s %-18s %@10d\n", @wakes);
	trunc(@wakes);
}

#!/usr/bin/env -S dtrace -s
/* offcpu.d - where threads go to sleep in the kernel, and how long programs sleep in total; of all, or of $target with -c or -p. */
#pragma D option quiet
#pragma D option dynvarsize=8m

/* The record tells who leaves (0 to 3: name, thread, priority, state) and who comes (4 to 6). A state of 0 is a thread that could go on. */
sdt:sched::sched_switch
/(args[3] & 0xff) != 0 && ($target == 0 || pid == $target)/
{
	asleep[args[1]] = timestamp;
	@where[execname, stack(8)] = count();
}

sdt:sched::sched_switch
/asleep[args[5]]/
{
	@time[args[4]] = sum((timestamp - asleep[args[5]]) / 1000);
	asleep[args[5]] = 0;
}

END
{
	trunc(@where, 10);
	printa("%s%k%@d times\n\n", @where);
	printf("%-20s %14s\n", "PROGRAM", "us ASLEEP");
	printa("%-20s %@14d\n", @time);
}

#!/usr/bin/env -S dtrace -s
/* runqlat.d - how long threads wait for a processor once they could run, in microseconds. */
#pragma D option quiet
#pragma D option dynvarsize=8m

sdt:sched::sched_wakeup, sdt:sched::sched_wakeup_new
{
	ready[arg1] = timestamp;
}

/* A thread that is put aside while it could go on waits again. */
sdt:sched::sched_switch
/(args[3] & 0xff) == 0 && args[1]/
{
	ready[args[1]] = timestamp;
}

sdt:sched::sched_switch
/ready[args[5]]/
{
	@wait["us before running"] = quantize((timestamp - ready[args[5]]) / 1000);
	@average[args[4]] = avg((timestamp - ready[args[5]]) / 1000);
	ready[args[5]] = 0;
}

END
{
	trunc(@average, 10);
	printf("%-20s %12s\n", "PROGRAM", "AVERAGE us");
	printa("%-20s %@12d\n", @average);
	printa(@wait);
}

#!/usr/bin/env -S dtrace -s
/* command.d - what a command does from start to end: dtrace -s command.d -c 'ls /'. Times in microseconds since its first call. */
#pragma D option quiet
#pragma D option flowindent

uint64_t start;

syscall:::entry
/pid == $target && start == 0/
{
	start = timestamp;
}

syscall:::entry
/pid == $target/
{
	self->entered = timestamp;
	@calls[probefunc] = count();
	printf("%8d us  0x%x 0x%x 0x%x", (timestamp - start) / 1000, arg0, arg1, arg2);
}

syscall:::return
/pid == $target && self->entered/
{
	printf("%8d us  = %d, took %d us", (timestamp - start) / 1000, arg0, (timestamp - self->entered) / 1000);
	@time[probefunc] = sum(timestamp - self->entered);
	self->entered = 0;
}

END
{
	printf("%-20s %10s %12s\n", "CALL", "COUNT", "TOTAL ns");
	printa("%-20s %@10d %@12d\n", @calls, @time);
}

#!/usr/bin/env -S dtrace -s
/* calltime.d - how long each system call takes, as a distribution in nanoseconds; of all processes, or of $target with -c or -p. */
#pragma D option quiet

syscall:::entry
/$target == 0 || pid == $target/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	@time[probefunc] = quantize(timestamp - self->start);
	self->start = 0;
}

END
{
	printa("%s (ns)%@d\n", @time);
}

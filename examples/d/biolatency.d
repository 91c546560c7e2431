#!/usr/bin/env -S dtrace -s
/* biolatency.d - how long disks take for their requests, by device (major, minor), in microseconds. */
#pragma D option quiet

sdt:block::block_rq_issue
{
	start[args[0], args[1]] = timestamp;
}

sdt:block::block_rq_complete
/start[args[0], args[1]]/
{
	@latency[getmajor(args[0]), getminor(args[0])] = quantize((timestamp - start[args[0], args[1]]) / 1000);
	@requests[getmajor(args[0]), getminor(args[0])] = count();
	start[args[0], args[1]] = 0;
}

END
{
	printf("%-8s %10s\n", "DEVICE", "REQUESTS");
	printa("%d,%-6d %@10d\n", @requests);
	printa("\ndevice %d,%d, us%@d\n", @latency);
}

#!/usr/bin/env -S dtrace -s
/* exectree.d - processes as they are born, become programs and end, with how long they lived. */
#pragma D option quiet

BEGIN
{
	start = timestamp;
	printf("%9s %-5s %7s %7s %s\n", "MS", "WHAT", "PID", "PARENT", "PROGRAM");
}

sdt:sched::sched_process_fork
{
	printf("%9d %-5s %7d %7d %s\n", (timestamp - start) / 1000000, "fork", args[3], args[1], args[0]);
	born[args[3]] = timestamp;
}

sdt:sched::sched_process_exec
{
	printf("%9d %-5s %7d %7d %s\n", (timestamp - start) / 1000000, "exec", pid, ppid, args[0]);
}

sdt:sched::sched_process_exit
/born[args[1]]/
{
	printf("%9d %-5s %7d %7d %s after %d us\n", (timestamp - start) / 1000000, "exit", args[1], ppid, args[0],
	    (timestamp - born[args[1]]) / 1000);
	born[args[1]] = 0;
}

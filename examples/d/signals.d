#!/usr/bin/env -S dtrace -s
/* signals.d - who sends which signal to whom, and what became of it (0: delivered, 1: ignored, 2: already pending). */
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s %6s %-16s %7s %6s\n", "FROM", "PID", "SIGNAL", "TO", "PID", "RESULT");
}

sdt:signal::signal_generate
{
	printf("%-16s %7d %6d %-16s %7d %6d\n", execname, pid, args[0], args[3], args[4], args[6]);
}

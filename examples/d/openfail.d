#!/usr/bin/env -S dtrace -s
/* openfail.d - files that programs try to open and cannot, and why. */
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s %5s %s\n", "PROGRAM", "PID", "ERRNO", "FILE");
}

syscall::open:entry
{
	self->path = args[0];
	self->opening = 1;
}

syscall::openat:entry, syscall::openat2:entry
{
	self->path = args[1];
	self->opening = 1;
}

/* Now that the kernel has read the name it is in memory. */
syscall::open:return, syscall::openat:return, syscall::openat2:return
/self->opening && errno/
{
	printf("%-16s %7d %5d %s\n", execname, pid, errno, copyinstr(self->path));
}

syscall::open:return, syscall::openat:return, syscall::openat2:return
/self->opening/
{
	self->opening = 0;
	self->path = 0;
}

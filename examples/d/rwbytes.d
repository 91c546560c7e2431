#!/usr/bin/env -S dtrace -s
/* rwbytes.d - bytes that programs read and write with read(2), write(2) and their kin, and how big the pieces are. */
#pragma D option quiet

syscall::read:return, syscall::readv:return, syscall::pread64:return, syscall::recvfrom:return
/args[0] > 0/
{
	@read[execname] = sum(args[0]);
	@piece["read"] = quantize(args[0]);
}

syscall::write:return, syscall::writev:return, syscall::pwrite64:return, syscall::sendto:return
/args[0] > 0/
{
	@written[execname] = sum(args[0]);
	@piece["write"] = quantize(args[0]);
}

END
{
	printf("%-20s %14s %14s\n", "PROGRAM", "READ", "WRITTEN");
	printa("%-20s %@14d %@14d\n", @read, @written);
	printa("\nbytes per %s%@d", @piece);
}

#!/usr/bin/env -S dtrace -s
/* whyfail.d - what a process did inside the kernel during system calls that failed: everything is noted down, but only what belongs to
 * an error is kept. The error to wait for is the argument: dtrace -s whyfail.d -c 'cat /nothere' 2 */
#pragma D option quiet
#pragma D option nspec=16

syscall:::entry
/pid == $target/
{
	self->spec = speculation();
	speculate(self->spec);
	printf("%s(0x%x, 0x%x, 0x%x)\n", probefunc, arg0, arg1, arg2);
}

sdt:exceptions::page_fault_user, sdt:kmem::kmem_cache_alloc, sdt:sched::sched_switch
/self->spec/
{
	speculate(self->spec);
	printf("\t%s %s\n", probemod, probename);
}

syscall:::return
/self->spec && errno == $1/
{
	commit(self->spec);
	self->spec = 0;
}

syscall:::return
/self->spec/
{
	discard(self->spec);
	self->spec = 0;
}

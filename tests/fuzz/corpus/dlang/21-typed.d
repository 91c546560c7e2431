typed:::x { self->ts = timestamp; }
typed:::x
/args[1] > 0 && execname == "bash" ^^ arg0/
{
	self->p = args[0];
	this->pid = self->p->pr_pid;
	@lat[args[0]->pr_fname, stack(5), ustack(), sym(caller)] = quantize(timestamp - self->ts);
	@l = lquantize(arg1, 0, 100, 10);
	@ll = llquantize(arg1, 10, 0, 6, 20);
	printf("%-20s %*d %Y\n", args[2], 5, args[1], walltimestamp);
	if (arg1) { trace(1); } else stack();
	tracemem(curthread, 16);
	print(curthread);
	self->ts = 0;
	x = y = substr("hello", 1, 2);
	trace(uregs[R_RIP]);
	trace(fds[0].fi_oflags);
	trace(args[3].b_flags);
	trace(`jiffies);
	trace(x[1]);
}
tick-1s { printa("%s %k %k %a %@d\n", @lat); clear(@lat); trunc(@l, 5); normalize(@l, 10); }
BEGIN { self->id = speculation(); }
END { speculate(self->id); printf("x"); }
END { commit(self->id); }
END { x++ , --x; s = strtok(NULL, ","); setopt("quiet", "yes"); system("echo %d", 1); freopen(""); }

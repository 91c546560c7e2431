#!/usr/bin/env -S dtrace -s
/* hotkernel.d - what the processors are busy with: samples of kernel functions, and of programs. */
#pragma D option quiet

profile-997
/arg0/
{
	@kernel[func(arg0)] = count();
}

profile-997
/arg1/
{
	@user[execname] = count();
}

END
{
	trunc(@kernel, 15);
	trunc(@user, 15);
	printf("%-48s %8s\n", "KERNEL", "SAMPLES");
	printa("%-48a %@8d\n", @kernel);
	printf("\n%-48s %8s\n", "PROGRAM", "SAMPLES");
	printa("%-48s %@8d\n", @user);
}

/* always hex, also when the bytes happen to be printable: the thread's own name */
BEGIN
{
	tracemem(curthread->comm, 7);
	exit(0);
}

/* int, unsigned, long, unsigned long. */
BEGIN {
	printf("%d %d %d ", sizeof(0x7fffffff), sizeof(0xffffffff), sizeof(0x100000000));
	printf("%d %d %d", -1 < 0xffffffff, 0xffffffff > 0, -1 > 0xffffffffffffffff - 1);
	exit(0);
}

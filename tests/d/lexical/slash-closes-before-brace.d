BEGIN
/ 1 /
{
	printf("yes");
	exit(0);
}

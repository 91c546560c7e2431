// the first line
BEGIN // a description
{
	printf("a"); // printf("b");
	exit(0);     // the end
}

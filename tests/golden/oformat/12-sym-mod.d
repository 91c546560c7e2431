BEGIN
{
	sym((uintptr_t)&`vfs_read);
	mod((uintptr_t)&`vfs_read);
	sym(16);
	trace(2);
	exit(0);
}

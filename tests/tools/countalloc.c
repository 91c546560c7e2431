/* tests/tools/countalloc.c - preloaded: counts the allocations of a program and writes their number to $COUNTALLOC at its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The C library's own entries below the ones that are replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static atomic_ulong count;

__attribute__((visibility("default"))) void *malloc(size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_realloc(p, size);
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("COUNTALLOC");
	if (!path)
		return;
	/* Appends, so that children add lines of their own. */
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	(void)dprintf(fd, "%lu\n", atomic_load(&count));
	(void)close(fd);
}

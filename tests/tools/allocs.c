/* tests/tools/allocs.c - preloaded: counts the allocations of a program, or fails one of them.
 *
 * ALLOCS_COUNT=FILE: at the end of each process a line with the number of its allocations is appended to FILE.
 * ALLOCS_FAIL=N: the N-th allocation (from 1) of each process returns NULL with ENOMEM. Both count only what comes after main() began.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

/* The C library's own entries below the ones that are replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static atomic_ulong count;
static unsigned long fail_at; /* set once, before main() */

/* Counts, and says whether this one is to fail. */
static int fails(void)
{
	unsigned long n = atomic_fetch_add(&count, 1) + 1;
	if (n != fail_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

VISIBLE void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

VISIBLE void *realloc(void *p, size_t size)
{
	return fails() ? NULL : __libc_realloc(p, size);
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("ALLOCS_FAIL");
	atomic_store(&count, 0);
	for (; text && *text >= '0' && *text <= '9'; text++)
		fail_at = fail_at * 10 + (unsigned long)(*text - '0');
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("ALLOCS_COUNT");
	if (!path)
		return;
	/* Appended, so that children add lines of their own. */
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	(void)dprintf(fd, "%lu\n", atomic_load(&count));
	(void)close(fd);
}

/* bench/bareloop.c - the least that sampling can cost: read the same files again and again and do nothing with them.
 *
 * bareloop [-o] SAMPLES FILE... - every descriptor is held open and read with one pread() per sample; with -o each file is opened,
 * read and closed every time. Prints nothing; bench/run measures it from outside.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 64, BUF_SIZE = 1 << 20 };

static int read_once(int fd, const char *path, char *buf)
{
	ssize_t n = pread(fd, buf, BUF_SIZE, 0);
	if (n >= 0)
		return 0;
	(void)fprintf(stderr, "bareloop: %s: %s\n", path, strerror(errno));
	return -errno;
}

static int sample_open(const int *fds, char **paths, int n, char *buf)
{
	for (int i = 0; i < n; i++) {
		int rc = read_once(fds[i], paths[i], buf);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int sample_reopen(char **paths, int n, char *buf)
{
	for (int i = 0; i < n; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		int rc = read_once(fd, paths[i], buf);
		(void)close(fd); /* only read from */
		if (rc < 0)
			return rc;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static char buf[BUF_SIZE];
	bool reopen = argc > 1 && strcmp(argv[1], "-o") == 0;
	char **rest = argv + (reopen ? 2 : 1);
	int n = argc - (reopen ? 3 : 2);
	if (n < 1 || n > MAX_FILES) {
		(void)fputs("usage: bareloop [-o] SAMPLES FILE...\n", stderr);
		return 2;
	}

	unsigned long samples = 0;
	for (const char *p = rest[0]; *p >= '0' && *p <= '9'; p++)
		samples = samples * 10 + (unsigned long)(*p - '0');

	int fds[MAX_FILES];
	for (int i = 0; i < n; i++) {
		fds[i] = open(rest[1 + i], O_RDONLY | O_CLOEXEC);
		if (fds[i] < 0) {
			(void)fprintf(stderr, "bareloop: %s: %s\n", rest[1 + i], strerror(errno));
			return 1;
		}
	}

	for (unsigned long s = 0; s < samples; s++) {
		int rc = reopen ? sample_reopen(rest + 1, n, buf) : sample_open(fds, rest + 1, n, buf);
		if (rc < 0)
			return 1;
	}
	return 0;
}

/* base/io.c - whole files in, whole buffers out. */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/patience.h"

enum { READ_CHUNK = 16 * 1024, SEQ_END = 2048, END_TRUST = 15 };

/* FNV-1a of the first word of the last line. Never 0. */
static uint32_t last_word(const struct pf_buf *b)
{
	if (b->n == 0 || b->p[b->n - 1] != '\n')
		return 1;
	const char *nl = memrchr(b->p, '\n', b->n - 1);
	uint32_t h = 2166136261u;
	for (const char *p = nl ? nl + 1 : b->p; *p != ' ' && *p != '\t' && *p != '\n'; p++)
		h = (h ^ (unsigned char)*p) * 16777619u;
	return h ? h : 1;
}

/* Was that read the last one? @end may be NULL. */
static bool is_end(const struct pf_buf *b, size_t got, size_t room, struct pf_io_end *end)
{
	/* A seq_file hands out whole records from a buffer of at least one page, so much less than a page is the end
	 * (fs/seq_file.c). Anything else needs the empty read to be sure, or a line that was the last one before. */
	if (got < SEQ_END && got < room)
		return true;
	return got > 0 && got < room && end && end->word != 0 && end->trusted < END_TRUST && last_word(b) == end->word;
}

/* What stands in for a file can be a pipe: it gives what has been written so far, and nothing written is no text. */
static ssize_t read_some(int fd, char *to, size_t room, size_t at)
{
	ssize_t got = pread(fd, to, room, (off_t)at);
	if (got >= 0 || errno != ESPIPE)
		return got;
	got = read(fd, to, room);
	if (got < 0 && errno == EAGAIN && at > 0)
		return 0;
	if (got == 0 && at == 0) {
		errno = EAGAIN;
		return -1;
	}
	return got;
}

static int pread_all(int fd, size_t limit, struct pf_buf *b, struct pf_io_end *end, const struct pf_patience *patience)
{
	sig_atomic_t before = patience ? patience->fired : 0;
	pf_buf_clear(b);
	for (;;) {
		size_t room = b->cap > b->n + 1 ? b->cap - b->n - 1 : 0;
		if (room < READ_CHUNK / 4)
			room = READ_CHUNK;
		char *to = pf_buf_reserve(b, room);
		if (!to)
			return b->failed;
		ssize_t got = read_some(fd, to, room, b->n);
		if (got < 0 && errno == EINTR) {
			if (pf_patience_is_over(patience, before))
				return -ETIMEDOUT;
			continue;
		}
		if (got < 0)
			return -errno;
		b->n += (size_t)got;
		b->p[b->n] = '\0';
		if (b->n > limit)
			return -EFBIG;
		if (!is_end(b, (size_t)got, room, end))
			continue;
		if (end && got == 0)
			*end = (struct pf_io_end){ .word = last_word(b) };
		else if (end)
			end->trusted++;
		return 0;
	}
}

int pf_io_pread_all(int fd, size_t limit, struct pf_buf *b)
{
	return pread_all(fd, limit, b, NULL, NULL);
}

int pf_io_pread_again(int fd, size_t limit, struct pf_buf *b, struct pf_io_end *end, const struct pf_patience *patience)
{
	return pread_all(fd, limit, b, end, patience);
}

int pf_io_read_file(int root_fd, const char *path, size_t limit, struct pf_buf *b, struct pf_err *err)
{
	/* Below a folder that stands for the host a pipe without a writer must not stop everything; a person's own may. */
	int flags = O_RDONLY | O_CLOEXEC | (root_fd == AT_FDCWD ? 0 : O_NONBLOCK);
	pf_autoclose int fd = openat(root_fd, path, flags);
	if (fd < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	pf_buf_clear(b);
	for (;;) {
		char *to = pf_buf_reserve(b, READ_CHUNK);
		if (!to)
			return pf_err_set(err, b->failed, "%s: no memory", path);
		ssize_t got = read(fd, to, READ_CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
		b->n += (size_t)got;
		b->p[b->n] = '\0';
		if (b->n > limit)
			return pf_err_set(err, -EFBIG, "%s: larger than %zu bytes", path, limit);
		if (got == 0)
			return 0;
	}
}

int pf_io_open_regular(const char *path, struct pf_err *err)
{
	pf_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return pf_err_set(err, -EISDIR, "%s: %s", path, strerror(EISDIR));
	if (!S_ISREG(st.st_mode))
		return pf_err_set(err, -EINVAL, "%s: a device or pipe, where a regular file is needed", path);
	return PF_TAKE_FD(fd);
}

int pf_io_write_all(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;
	while (n > 0) {
		ssize_t put = write(fd, p, n);
		if (put < 0) {
			if (errno == EINTR)
				continue;
			if (errno != EAGAIN)
				return -errno;
			/* Somebody who shares the pipe or terminal made it non-blocking; that must not cost data. */
			struct pollfd wait = { .fd = fd, .events = POLLOUT };
			if (poll(&wait, 1, -1) < 0 && errno != EINTR)
				return -errno;
			continue;
		}
		p += put;
		n -= (size_t)put;
	}
	return 0;
}

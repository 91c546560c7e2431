/* formats/collectl/mend.c - end the last member of a packed file where a kill has left it. RFC 1951: blocks end at any bit; only a block
 * that ends with a byte, as each flush leaves one, can be followed by another that we write. */
#include "formats/collectl/mend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/err.h"

enum { GZIP_WINDOW = 15 + 16, CHUNK = 16 * 1024, BLOCK_END = 128, LAST_BLOCK = 64, UNUSED_BITS = 7, LF = '\n' };

/**
 * struct scan - what has been seen of a packed file.
 * @safe: bytes that can be kept; @in_member: they end within a member, of @size unpacked bytes whose checksum is @crc
 * @last: last unpacked byte of them, LF if there is none
 */
struct scan {
	int fd;
	z_stream z;
	off_t read;
	off_t safe;
	bool in_member;
	uint32_t crc, size;
	char last;
	uint32_t crc_now, size_now;
	char last_now;
	unsigned char in[CHUNK], out[CHUNK];
};

static void keep(struct scan *s, bool in_member)
{
	s->safe = s->read - s->z.avail_in;
	s->in_member = in_member;
	s->crc = s->crc_now;
	s->size = s->size_now;
	s->last = s->last_now;
}

static void count(struct scan *s)
{
	unsigned n = CHUNK - s->z.avail_out;
	s->crc_now = (uint32_t)crc32(s->crc_now, s->out, n);
	s->size_now += n;
	s->last_now = n > 0 ? (char)s->out[n - 1] : s->last_now;
}

/* Unpack up to the end of a block. Return: 0, or -EBADMSG. */
static int unpack(struct scan *s)
{
	s->z.next_out = s->out;
	s->z.avail_out = CHUNK;
	int rc = inflate(&s->z, Z_BLOCK);
	if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
		return rc == Z_MEM_ERROR ? -ENOMEM : -EBADMSG;
	count(s);
	if (rc == Z_STREAM_END) {
		keep(s, false);
		s->crc_now = 0;
		s->size_now = 0;
		return inflateReset(&s->z) == Z_OK ? 0 : -EBADMSG;
	}
	int state = s->z.data_type;
	if ((state & BLOCK_END) && !(state & LAST_BLOCK) && (state & UNUSED_BITS) == 0)
		keep(s, true);
	return 0;
}

static int scan_all(struct scan *s)
{
	for (;;) {
		ssize_t n = pread(s->fd, s->in, CHUNK, s->read);
		if (n <= 0)
			return n < 0 ? -errno : 0;
		s->read += n;
		s->z.next_in = s->in;
		s->z.avail_in = (unsigned)n;
		do {
			int rc = unpack(s);
			if (rc < 0)
				return rc;
		} while (s->z.avail_in > 0 || s->z.avail_out == 0);
	}
}

/* An empty last block, the checksum and the size, behind what can be kept. */
static int seal(const struct scan *s)
{
	unsigned char end[10] = { 3, 0 };
	for (unsigned i = 0; i < 4; i++) {
		end[2 + i] = (unsigned char)(s->crc >> 8 * i);
		end[6 + i] = (unsigned char)(s->size >> 8 * i);
	}
	if (s->safe < s->read && ftruncate(s->fd, s->safe) < 0)
		return -errno;
	if (!s->in_member)
		return 0;
	ssize_t n = pwrite(s->fd, end, sizeof(end), s->safe);
	if (n == (ssize_t)sizeof(end))
		return 0;
	return n < 0 ? -errno : -ENOSPC;
}

static int mend_packed(int fd, bool *ret_mid_line)
{
	pf_autofree struct scan *s = calloc(1, sizeof(*s));
	if (!s || inflateInit2(&s->z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	s->fd = fd;
	s->last = LF;
	s->last_now = LF;
	int rc = scan_all(s);
	(void)inflateEnd(&s->z); /* frees */
	*ret_mid_line = s->last != LF;
	if (rc < 0 || (s->safe == s->read && !s->in_member))
		return rc;
	rc = seal(s);
	return rc < 0 ? rc : 1;
}

static int look_at_text(int fd, bool *ret_mid_line)
{
	struct stat st;
	char last = LF;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size > 0 && pread(fd, &last, 1, st.st_size - 1) < 0)
		return -errno;
	*ret_mid_line = last != LF;
	return 0;
}

int pf_collectl_mend(const char *path, bool plain, bool *ret_mid_line, struct pf_err *err)
{
	struct stat st;
	*ret_mid_line = false;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return 0; /* it is not there, or is a pipe; opening it tells the rest */
	pf_autoclose int fd = open(path, O_RDWR | O_CLOEXEC);
	int rc = fd < 0 ? -errno : plain ? look_at_text(fd, ret_mid_line) : mend_packed(fd, ret_mid_line);
	if (rc < 0 && rc != -EBADMSG)
		return pf_err_set(err, rc, "%s: cannot be continued: %s", path, strerror(-rc));
	return rc;
}

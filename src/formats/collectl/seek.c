/* formats/collectl/seek.c - a place to begin in a long raw file. Bytes that only look like the beginning of a member unpack to something
 * else than a marker. Source: RFC 1952 (gzip). */
#include "formats/collectl/seek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/view.h"
#include "formats/collectl/header.h"

/* CHUNK: looked through for a place; NEAR: what is read rather than looked through; MARKER: of a marker no more is unpacked. */
enum { CHUNK = 256 * 1024, NEAR = 64 * 1024, MARKER = 64, GZIP_WINDOW = 15 + 16, MAGIC = 3 };

/* Bytes of the file at some offset. */
struct chunk {
	unsigned char *p;
	size_t n;
};

static int read_chunk(int fd, uint64_t offset, struct chunk *c)
{
	c->n = 0;
	while (c->n < CHUNK) {
		ssize_t got = pread(fd, c->p + c->n, CHUNK - c->n, (off_t)(offset + c->n));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		c->n += (size_t)got;
	}
	return 0;
}

/* Is it a marker with all that belongs to it? */
static bool is_marker(const char *text, size_t n, int64_t *ret_ns)
{
	const char *end = memchr(text, '\n', n);
	return end && pf_collectl_marker((struct pf_view){ text, (size_t)(end - text) }, ret_ns) == 1;
}

/* Does a member begin there, and a marker in it? */
static bool is_place_packed(const unsigned char *p, size_t n, int64_t *ret_ns)
{
	char text[MARKER];
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)p, .avail_in = (uInt)n };
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return false;
	z.next_out = (Bytef *)text;
	z.avail_out = sizeof(text);
	int rc = inflate(&z, Z_SYNC_FLUSH);
	size_t have = sizeof(text) - z.avail_out;
	(void)inflateEnd(&z); /* its result only tells of unread output */
	return (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) && is_marker(text, have, ret_ns);
}

/* The first place in the chunk. Return: its distance from the beginning, or the chunk's length. */
static size_t find_packed(const struct chunk *c, int64_t *ret_ns)
{
	for (size_t at = 0; at + MAGIC < c->n;) {
		const unsigned char *p = memchr(c->p + at, 0x1f, c->n - at - MAGIC);
		if (!p)
			break;
		at = (size_t)(p - c->p);
		if (p[1] == 0x8b && p[2] == 8 && is_place_packed(p, c->n - at, ret_ns))
			return at;
		at++;
	}
	return c->n;
}

static size_t find_plain(const struct chunk *c, int64_t *ret_ns)
{
	static const char begin[] = "\n>>>";
	for (size_t at = 0; at < c->n;) {
		const unsigned char *p = memmem(c->p + at, c->n - at, begin, sizeof(begin) - 1);
		if (!p)
			break;
		at = (size_t)(p + 1 - c->p);
		if (is_marker((const char *)c->p + at, c->n - at, ret_ns))
			return at;
	}
	return c->n;
}

uint64_t pf_collectl_find(int fd, bool packed, uint64_t from, int64_t before_ns)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < 0)
		return from;
	pf_autofree unsigned char *room = malloc(CHUNK);
	struct chunk c = { .p = room };
	uint64_t low = from;
	uint64_t high = (uint64_t)st.st_size;
	while (room && low < high && high - low > NEAR) {
		uint64_t middle = low + (high - low) / 2;
		int64_t ns = 0;
		if (read_chunk(fd, middle, &c) < 0)
			return from;
		size_t at = packed ? find_packed(&c, &ns) : find_plain(&c, &ns);
		if (at < c.n && ns < before_ns && middle + at < high)
			low = middle + at;
		else
			high = middle;
	}
	return low;
}

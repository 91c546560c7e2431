/* formats/pcp/pack.c - liblzma as an encoder: preset 1, since a higher one takes several times as long for a few percent. */
#include "formats/pcp/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

enum { PRESET = 1, BLOCK = 1 << 20, CHUNK = 64 * 1024 };

/* Everything that @action brings out for what stands in @s. Return: 0 or negative errno. */
static int code(lzma_stream *s, lzma_action action, int to)
{
	uint8_t out[CHUNK];
	lzma_ret rc = LZMA_OK;
	while (rc == LZMA_OK && (s->avail_in > 0 || action != LZMA_RUN)) {
		s->next_out = out;
		s->avail_out = sizeof(out);
		rc = lzma_code(s, action);
		int wrc = pf_io_write_all(to, out, sizeof(out) - s->avail_out);
		if (wrc < 0)
			return wrc;
	}
	return rc == LZMA_OK || rc == LZMA_STREAM_END ? 0 : rc == LZMA_MEM_ERROR ? -ENOMEM : -EIO;
}

/* From @from to @to until the end; a full flush begins a new block. Return: 0 or negative errno. */
static int encode(lzma_stream *s, int from, int to)
{
	uint8_t in[CHUNK];
	size_t in_block = 0;
	for (;;) {
		ssize_t got = read(from, in, sizeof(in));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		s->next_in = in;
		s->avail_in = (size_t)got;
		in_block += (size_t)got;
		bool full = in_block >= BLOCK;
		int rc = code(s, got == 0 ? LZMA_FINISH : full ? LZMA_FULL_FLUSH : LZMA_RUN, to);
		if (rc < 0 || got == 0)
			return rc;
		in_block = full ? 0 : in_block;
	}
}

static int pack(int from, int to)
{
	lzma_stream s = LZMA_STREAM_INIT;
	struct stat st;
	if (lzma_easy_encoder(&s, PRESET, LZMA_CHECK_CRC64) != LZMA_OK)
		return -ENOMEM;
	int rc = encode(&s, from, to);
	lzma_end(&s);
	if (rc == 0 && fstat(from, &st) == 0)
		(void)fchmod(to, st.st_mode & 0777); /* a wish */
	return rc;
}

int pf_pcp_pack(const char *path, struct pf_err *err)
{
	pf_autofree char *packed = NULL;
	pf_autofree char *part = NULL;
	if (asprintf(&packed, "%s.xz", path) < 0 || asprintf(&part, "%s.xz.part", path) < 0)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	pf_autoclose int from = pf_io_open_regular(path, err);
	if (from < 0)
		return from;
	if (access(packed, F_OK) == 0)
		return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten", packed);
	pf_autoclose int to = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (to < 0)
		return pf_err_set(err, -errno, "cannot create %s: %s", part, strerror(errno));
	int rc = pack(from, to);
	if (rc == 0 && rename(part, packed) < 0)
		rc = -errno;
	if (rc < 0) {
		(void)unlink(part); /* nobody misses it */
		return pf_err_set(err, rc, "%s: %s", part, strerror(-rc));
	}
	return unlink(path) < 0 ? pf_err_set(err, -errno, "%s: %s", path, strerror(errno)) : 0;
}

/* formats/pcp/pack.c - liblzma as an encoder: preset 1, since a higher one takes several times as long for a few percent. */
#include "formats/pcp/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

enum { PRESET = 1, BLOCK = 1 << 20, CHUNK = 64 * 1024 };

/* @in_block: bytes since a block began. */
struct pf_pcp_encoder {
	lzma_stream s;
	int to;
	size_t in_block;
};

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

int pf_pcp_encoder_open(struct pf_pcp_encoder **ret_encoder, int to)
{
	struct pf_pcp_encoder *p = malloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	*p = (struct pf_pcp_encoder){ .s = LZMA_STREAM_INIT, .to = to };
	if (lzma_easy_encoder(&p->s, PRESET, LZMA_CHECK_CRC64) != LZMA_OK) {
		free(p);
		return -ENOMEM;
	}
	*ret_encoder = p;
	return 0;
}

/* A full flush begins a new block. */
int pf_pcp_encoder_add(struct pf_pcp_encoder *p, struct pf_view bytes)
{
	p->s.next_in = (const uint8_t *)bytes.p;
	p->s.avail_in = bytes.n;
	p->in_block += bytes.n;
	bool full = p->in_block >= BLOCK;
	p->in_block = full ? 0 : p->in_block;
	return code(&p->s, full ? LZMA_FULL_FLUSH : LZMA_RUN, p->to);
}

int pf_pcp_encoder_close(struct pf_pcp_encoder *p)
{
	p->s.avail_in = 0;
	int rc = code(&p->s, LZMA_FINISH, p->to);
	lzma_end(&p->s);
	free(p);
	return rc;
}

static int pack(int from, int to)
{
	char in[CHUNK];
	struct stat st;
	struct pf_pcp_encoder *p;
	ssize_t got = 1;
	int rc = pf_pcp_encoder_open(&p, to);
	if (rc < 0)
		return rc;
	while (rc == 0 && got > 0) {
		got = read(from, in, sizeof(in));
		if (got > 0)
			rc = pf_pcp_encoder_add(p, (struct pf_view){ in, (size_t)got });
		else if (got < 0 && errno == EINTR)
			got = 1;
		else if (got < 0)
			rc = -errno;
	}
	int crc = pf_pcp_encoder_close(p);
	rc = rc < 0 ? rc : crc;
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

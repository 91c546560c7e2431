/* formats/pcp/pack.c - liblzma as an encoder: preset 1, since a higher one takes several times as long for a few percent. Blocks of a volume begin where its
 * index has entries, so that whoever begins there unpacks one. */
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
#include "formats/pcp/file.h"
#include "formats/pcp/names.h"
#include "formats/pcp/record.h"
#include "formats/pcp/temporal.h"

enum { PRESET = 1, BLOCK = 1 << 20, MOST = 8 * BLOCK, CHUNK = 64 * 1024 };

/* @in_block: bytes since a block began; @most: so many end it. */
struct pf_pcp_encoder {
	lzma_stream s;
	int to;
	size_t in_block;
	size_t most;
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
	*p = (struct pf_pcp_encoder){ .s = LZMA_STREAM_INIT, .to = to, .most = BLOCK };
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
	bool full = p->in_block >= p->most;
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

/* Entries of the index beside the volume @path. None: there is no index, or it is no volume. */
static void read_entries(const char *path, struct pf_pcp_temporal *ret)
{
	struct pf_pcp_label label;
	struct pf_view rec;
	*ret = (struct pf_pcp_temporal){ 0 };
	pf_autofree char *base = pf_pcp_names_base(path);
	pf_autofree char *index = base ? pf_pcp_names_path(base, "index") : NULL;
	int fd = index ? pf_io_open_regular(index, NULL) : -1;
	struct pf_pcp_file f = { .fd = -1 };
	if (fd < 0 || pf_pcp_file_init(&f, fd, index, 1, NULL) < 0)
		return;
	if (pf_pcp_file_peek(&f, &rec, NULL) == 1 && pf_pcp_label_decode(rec, &label, NULL) == 0) {
		pf_pcp_file_take(&f, rec);
		(void)pf_pcp_temporal_load(ret, &f, label.version, NULL); /* then there are none */
	}
	pf_pcp_file_done(&f);
}

/* Bytes until the block that begins at @from ends: before the entry that would make it too large. */
static uint64_t block_end(const struct pf_pcp_temporal *t, int32_t volume, uint64_t from)
{
	uint64_t end = UINT64_MAX;
	for (unsigned i = 0; i < t->n; i++) {
		const struct pf_pcp_entry *e = &t->entries[i];
		if (e->volume != volume || e->data <= from)
			continue;
		if (e->data - from > BLOCK)
			return end == UINT64_MAX ? e->data : end;
		end = e->data;
	}
	return UINT64_MAX;
}

static int32_t volume_of(const char *path)
{
	uint64_t number;
	const char *dot = strrchr(path, '.');
	return dot && pf_view_u64(pf_view_of(dot + 1), &number) == 0 && number <= INT32_MAX ? (int32_t)number : -1;
}

/* @path: the name of what is read from @from */
static int pack(const char *path, int from, int to)
{
	char in[CHUNK];
	struct stat st;
	struct pf_pcp_encoder *p;
	struct pf_pcp_temporal entries;
	ssize_t got = 1;
	int rc = pf_pcp_encoder_open(&p, to);
	if (rc < 0)
		return rc;
	read_entries(path, &entries);
	int32_t volume = volume_of(path);
	uint64_t at = 0;
	uint64_t end = block_end(&entries, volume, 0);
	p->most = end == UINT64_MAX ? BLOCK : MOST;
	while (rc == 0 && got > 0) {
		got = read(from, in, end - at < sizeof(in) ? (size_t)(end - at) : sizeof(in));
		at += got > 0 ? (uint64_t)got : 0;
		if (got > 0 && at == end) {
			p->most = 0; /* the block ends here */
			end = block_end(&entries, volume, at);
		}
		if (got > 0) {
			rc = pf_pcp_encoder_add(p, (struct pf_view){ in, (size_t)got });
			p->most = end == UINT64_MAX ? BLOCK : MOST;
		} else if (got < 0 && errno == EINTR) {
			got = 1;
		} else if (got < 0) {
			rc = -errno;
		}
	}
	pf_pcp_temporal_done(&entries);
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
	struct stat st;
	pf_autoclose int to =
		open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
	if (to < 0 || fstat(to, &st) < 0)
		return pf_err_set(err, -errno, "cannot create %s: %s", part, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return pf_err_set(err, -EEXIST, "cannot create %s: what is called so is no regular file", part);
	int rc = pack(path, from, to);
	if (rc == 0 && rename(part, packed) < 0)
		rc = -errno;
	if (rc < 0) {
		(void)unlink(part); /* nobody misses it */
		return pf_err_set(err, rc, "%s: %s", part, strerror(-rc));
	}
	return unlink(path) < 0 ? pf_err_set(err, -errno, "%s: %s", path, strerror(errno)) : 0;
}

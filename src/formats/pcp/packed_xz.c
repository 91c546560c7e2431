/* formats/pcp/packed_xz.c - liblzma: streams of .xz and .lzma, and .xz block by block. Source: lzma/index.h, lzma/block.h. */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "formats/pcp/packed_coder.h"

/* A decoder may take so much: the dictionary of xz -9 is 64 MiB. Blocks that are kept whole are smaller. */
#define MEMORY (UINT64_C(256) << 20)
enum { BLOCK_MAX = 32 << 20, CHUNK = 64 * 1024 };

static void *begin(bool xz)
{
	lzma_stream *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	lzma_ret rc = xz ? lzma_stream_decoder(s, MEMORY, LZMA_CONCATENATED) : lzma_alone_decoder(s, MEMORY);
	if (rc == LZMA_OK)
		return s;
	free(s);
	return NULL;
}

static void *begin_xz(void)
{
	return begin(true);
}

static void *begin_lzma(void)
{
	return begin(false);
}

static enum pf_coder_result step(void *state, struct pf_view *in, bool last, char **out, size_t *ret_room)
{
	lzma_stream *s = state;
	s->next_in = (const uint8_t *)in->p;
	s->avail_in = in->n;
	s->next_out = (uint8_t *)*out;
	s->avail_out = *ret_room;
	lzma_ret rc = lzma_code(s, last ? LZMA_FINISH : LZMA_RUN);
	*in = (struct pf_view){ (const char *)s->next_in, s->avail_in };
	*out = (char *)s->next_out;
	*ret_room = s->avail_out;
	return rc == LZMA_OK ? PF_CODER_MORE : rc == LZMA_STREAM_END ? PF_CODER_END : PF_CODER_BROKEN;
}

static void end(void *state)
{
	lzma_end(state);
	free(state);
}

const struct pf_packed_coder pf_coder_xz = {
	.suffix = ".xz", .magic = "\xfd\x37zXZ", .n_magic = 6, .begin = begin_xz, .step = step, .end = end
};

const struct pf_packed_coder pf_coder_lzma = { .suffix = ".lzma", .begin = begin_lzma, .step = step, .end = end };

/* @block: what is in @bytes now; @bad: one that cannot be unpacked; both as offsets of what is unpacked, UINT64_MAX none. */
struct pf_xz_blocks {
	int fd;
	lzma_index *index;
	uint64_t block;
	uint64_t bad;
	uint8_t *bytes;
	size_t n;
	size_t cap;
};

/* The index stands at the end; the decoder says where it wants to read. */
static lzma_index *read_index(int fd, uint64_t file_size)
{
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_index *index = NULL;
	uint8_t in[CHUNK];
	if (lzma_file_info_decoder(&s, &index, MEMORY, file_size) != LZMA_OK)
		return NULL;
	uint64_t at = 0;
	lzma_ret rc = LZMA_OK;
	while (rc == LZMA_OK || rc == LZMA_SEEK_NEEDED) {
		if (rc == LZMA_SEEK_NEEDED) {
			at = s.seek_pos;
			s.avail_in = 0;
		}
		if (s.avail_in == 0) {
			ssize_t got = pread(fd, in, sizeof(in), (off_t)at);
			if (got <= 0)
				break;
			s.next_in = in;
			s.avail_in = (size_t)got;
			at += (uint64_t)got;
		}
		rc = lzma_code(&s, LZMA_RUN);
	}
	lzma_end(&s);
	if (rc == LZMA_STREAM_END)
		return index;
	lzma_index_end(index, NULL);
	return NULL;
}

static bool blocks_are_small(const lzma_index *index)
{
	lzma_index_iter at;
	lzma_index_iter_init(&at, index);
	while (!lzma_index_iter_next(&at, LZMA_INDEX_ITER_BLOCK)) {
		if (at.block.uncompressed_size > BLOCK_MAX)
			return false;
	}
	return true;
}

struct pf_xz_blocks *pf_xz_blocks_open(int fd, uint64_t file_size)
{
	lzma_index *index = read_index(fd, file_size);
	if (!index)
		return NULL;
	struct pf_xz_blocks *b = NULL;
	if (lzma_index_block_count(index) > 1 && blocks_are_small(index))
		b = calloc(1, sizeof(*b));
	if (!b) {
		lzma_index_end(index, NULL);
		return NULL;
	}
	*b = (struct pf_xz_blocks){ .fd = fd, .index = index, .block = UINT64_MAX, .bad = UINT64_MAX };
	return b;
}

struct pf_xz_blocks *pf_xz_blocks_close(struct pf_xz_blocks *b)
{
	if (!b)
		return NULL;
	lzma_index_end(b->index, NULL);
	free(b->bytes);
	free(b);
	return NULL;
}

uint64_t pf_xz_blocks_size(const struct pf_xz_blocks *b)
{
	return lzma_index_uncompressed_size(b->index);
}

static bool read_whole(int fd, uint8_t *to, size_t n, uint64_t off)
{
	while (n > 0) {
		ssize_t got = pread(fd, to, n, (off_t)off);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
		off += (uint64_t)got;
	}
	return true;
}

/* Unpack the block whose bytes, head included, are @in. Return: is it whole, by its check sum, too? */
static bool unpack(struct pf_xz_blocks *b, const lzma_index_iter *at, const uint8_t *in, size_t n)
{
	lzma_filter filters[LZMA_FILTERS_MAX + 1];
	lzma_block block = { .version = 1, .check = at->stream.flags->check, .filters = filters };
	block.header_size = lzma_block_header_size_decode(in[0]);
	if (block.header_size > n || lzma_block_header_decode(&block, NULL, in) != LZMA_OK)
		return false;
	size_t from = block.header_size;
	size_t got = 0;
	bool good = lzma_block_compressed_size(&block, at->block.unpadded_size) == LZMA_OK &&
		    lzma_raw_decoder_memusage(filters) <= MEMORY &&
		    lzma_block_buffer_decode(&block, NULL, in, &from, n, b->bytes, &got, b->n) == LZMA_OK &&
		    got == b->n;
	lzma_filters_free(filters, NULL);
	return good;
}

static int load(struct pf_xz_blocks *b, const lzma_index_iter *at)
{
	size_t n = (size_t)at->block.uncompressed_size;
	b->block = UINT64_MAX;
	if (n > b->cap) {
		uint8_t *more = realloc(b->bytes, n);
		if (!more)
			return -ENOMEM;
		b->bytes = more;
		b->cap = n;
	}
	b->n = n;
	uint64_t packed = at->block.total_size;
	if (packed == 0 || packed > 2 * (uint64_t)BLOCK_MAX)
		return -EBADMSG;
	pf_autofree uint8_t *in = malloc((size_t)packed);
	if (!in)
		return -ENOMEM;
	if (!read_whole(b->fd, in, (size_t)packed, at->block.compressed_file_offset) ||
	    !unpack(b, at, in, (size_t)packed))
		return -EBADMSG;
	b->block = at->block.uncompressed_file_offset;
	return 0;
}

int pf_xz_blocks_at(struct pf_xz_blocks *b, uint64_t off, struct pf_view *ret_bytes)
{
	lzma_index_iter at;
	if (b->block == UINT64_MAX || off < b->block || off - b->block >= b->n) {
		lzma_index_iter_init(&at, b->index);
		if (lzma_index_iter_locate(&at, off))
			return -ENODATA;
		if (at.block.uncompressed_file_offset == b->bad)
			return -EBADMSG;
		int rc = load(b, &at);
		if (rc == -EBADMSG)
			b->bad = at.block.uncompressed_file_offset;
		if (rc < 0)
			return rc;
	}
	size_t in = (size_t)(off - b->block);
	*ret_bytes = (struct pf_view){ (const char *)b->bytes + in, b->n - in };
	return 0;
}

/* formats/pcp/packed_gz.c - zlib: streams of .gz, with any number of members. */
#include <stdlib.h>
#include <zlib.h>

#include "formats/pcp/packed_coder.h"

enum { GZIP_ONLY = 16 + MAX_WBITS };

static void *begin(void)
{
	z_stream *s = calloc(1, sizeof(*s));
	if (s && inflateInit2(s, GZIP_ONLY) == Z_OK)
		return s;
	free(s);
	return NULL;
}

static enum pf_coder_result step(void *state, struct pf_view *in, bool last, char **out, size_t *ret_room)
{
	z_stream *s = state;
	s->next_in = (Bytef *)(uintptr_t)in->p; /* zlib only reads it, though its type says otherwise */
	s->avail_in = (uInt)in->n;
	s->next_out = (Bytef *)*out;
	s->avail_out = (uInt)*ret_room;
	int rc = inflate(s, Z_NO_FLUSH);
	*in = (struct pf_view){ (const char *)s->next_in, s->avail_in };
	*out = (char *)s->next_out;
	*ret_room = s->avail_out;
	if (rc == Z_STREAM_END && last && in->n == 0)
		return PF_CODER_END;
	if (rc == Z_STREAM_END)
		return inflateReset(s) == Z_OK ? PF_CODER_MORE : PF_CODER_BROKEN;
	if (rc == Z_BUF_ERROR && last && in->n == 0)
		return s->total_in == 0 ? PF_CODER_END : PF_CODER_BROKEN; /* between members, or inside one */
	return rc == Z_OK || rc == Z_BUF_ERROR ? PF_CODER_MORE : PF_CODER_BROKEN;
}

static void end(void *state)
{
	(void)inflateEnd(state);
	free(state);
}

const struct pf_packed_coder pf_coder_gz = {
	.suffix = ".gz", .magic = "\x1f\x8b", .n_magic = 2, .begin = begin, .step = step, .end = end
};

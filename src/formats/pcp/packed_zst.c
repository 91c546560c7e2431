/* formats/pcp/packed_zst.c - libzstd: streams of .zst, with any number of frames. */
#include <stdlib.h>
#include <zstd.h>

#include "formats/pcp/packed_coder.h"

enum { WINDOW_LOG = 27 }; /* 128 MiB, as the zstd program allows by default */

/* @between: the last frame is complete, and nothing of another one has come. */
struct state {
	ZSTD_DCtx *context;
	bool between;
};

static void *begin(void)
{
	struct state *s = calloc(1, sizeof(*s));
	ZSTD_DCtx *context = s ? ZSTD_createDCtx() : NULL;
	if (!context) {
		free(s);
		return NULL;
	}
	(void)ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG); /* it is in range */
	*s = (struct state){ .context = context, .between = true };
	return s;
}

static enum pf_coder_result step(void *state, struct pf_view *in, bool last, char **out, size_t *ret_room)
{
	struct state *s = state;
	if (s->between && in->n == 0)
		return last ? PF_CODER_END : PF_CODER_MORE;
	ZSTD_inBuffer from = { in->p, in->n, 0 };
	ZSTD_outBuffer to = { *out, *ret_room, 0 };
	size_t rc = ZSTD_decompressStream(s->context, &to, &from);
	*in = (struct pf_view){ in->p + from.pos, in->n - from.pos };
	*out += to.pos;
	*ret_room -= to.pos;
	s->between = rc == 0;
	bool stuck = last && in->n == 0 && to.pos == 0 && from.pos == 0; /* it wants what is not there */
	return ZSTD_isError(rc) || stuck ? PF_CODER_BROKEN : PF_CODER_MORE;
}

static void end(void *state)
{
	struct state *s = state;
	(void)ZSTD_freeDCtx(s->context);
	free(s);
}

const struct pf_packed_coder pf_coder_zst = {
	.suffix = ".zst", .magic = "\x28\xb5\x2f\xfd", .n_magic = 4, .begin = begin, .step = step, .end = end
};

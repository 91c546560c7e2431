/* formats/pcp/context.h - the labels of a whole archive while they are put together. */
#ifndef PF_FORMATS_PCP_CONTEXT_H
#define PF_FORMATS_PCP_CONTEXT_H

#include <stdint.h>

#include "base/buf.h"
#include "model/about.h"

enum { PF_PCP_CONTEXT_MAX = 64 };

/* {0} is empty. @rows: places in @bytes */
struct pf_pcp_context {
	struct pf_buf bytes;
	struct pf_pcp_context_row {
		size_t name;
		size_t name_n;
		size_t value;
		size_t value_n;
		uint8_t flags;
	} rows[PF_PCP_CONTEXT_MAX];
	unsigned n;
};

/* pf_pcp_context_add() - @value as JSON has it; pf_pcp_context_text() - a string, which becomes JSON. A name that is there already keeps its value;
 * so does a set that is full or larger than archives can hold. */
void pf_pcp_context_add(struct pf_pcp_context *c, struct pf_view name, struct pf_view value, uint8_t flags);
void pf_pcp_context_text(struct pf_pcp_context *c, const char *name, struct pf_view text, uint8_t flags);

/* pf_pcp_context_encode() - the record. Return: 0 or -ENOMEM. */
int pf_pcp_context_encode(struct pf_pcp_context *c, struct pf_buf *b, unsigned version, int64_t time_ns);

static inline void pf_pcp_context_clear(struct pf_pcp_context *c)
{
	pf_buf_clear(&c->bytes);
	c->n = 0;
}

static inline void pf_pcp_context_done(struct pf_pcp_context *c)
{
	pf_buf_done(&c->bytes);
	c->n = 0;
}

#endif

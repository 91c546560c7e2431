/* formats/pcp/context.c - the labels of a whole archive while they are put together. Source: pmLookupLabels(3): a map of JSON, sorted by name. */
#include "formats/pcp/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pcp/labels.h"

/* Entries of a set have 16 bits for places in its text and 8 for the length of a name. */
enum { BYTES_MAX = 60000, NAME_MAX_LEN = 255 };

static struct pf_view name_of(const struct pf_pcp_context *c, const struct pf_pcp_context_row *row)
{
	return (struct pf_view){ c->bytes.p + row->name, row->name_n };
}

static int order(struct pf_view a, struct pf_view b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int differ = memcmp(a.p, b.p, n);
	return differ ? differ : (a.n > b.n) - (a.n < b.n);
}

/* Rows stay sorted. Quotes, colon and comma of the JSON are counted in. */
void pf_pcp_context_add(struct pf_pcp_context *c, struct pf_view name, struct pf_view value, uint8_t flags)
{
	unsigned at = 0;
	while (at < c->n && order(name_of(c, &c->rows[at]), name) < 0)
		at++;
	bool there = at < c->n && order(name_of(c, &c->rows[at]), name) == 0;
	if (there || c->n == PF_PCP_CONTEXT_MAX || name.n > NAME_MAX_LEN ||
	    c->bytes.n + name.n + value.n + (size_t)4 * (c->n + 1) > BYTES_MAX)
		return;
	const struct pf_pcp_context_row row = {
		.name = c->bytes.n, .name_n = name.n, .value = c->bytes.n + name.n, .value_n = value.n, .flags = flags
	};
	pf_buf_view(&c->bytes, name);
	pf_buf_view(&c->bytes, value);
	if (c->bytes.failed)
		return;
	memmove(&c->rows[at + 1], &c->rows[at], (c->n - at) * sizeof(row));
	c->rows[at] = row;
	c->n++;
}

void pf_pcp_context_text(struct pf_pcp_context *c, const char *name, struct pf_view text, uint8_t flags)
{
	struct pf_buf json = { 0 };
	pf_pcp_labels_quote(&json, text);
	if (json.failed)
		c->bytes.failed = json.failed; /* seen when the record is made */
	else
		pf_pcp_context_add(c, pf_view_of(name), pf_buf_text(&json), flags);
	pf_buf_done(&json);
}

int pf_pcp_context_encode(struct pf_pcp_context *c, struct pf_buf *b, unsigned version, int64_t time_ns)
{
	struct pf_buf json = { 0 };
	size_t at[PF_PCP_CONTEXT_MAX];
	pf_buf_char(&json, '{');
	for (unsigned i = 0; i < c->n; i++) {
		pf_buf_str(&json, i > 0 ? ",\"" : "\"");
		at[i] = json.n;
		pf_buf_view(&json, name_of(c, &c->rows[i]));
		pf_buf_str(&json, "\":");
		pf_buf_add(&json, c->bytes.p + c->rows[i].value, c->rows[i].value_n);
	}
	pf_buf_char(&json, '}');
	if (json.failed || c->bytes.failed) {
		pf_buf_done(&json);
		return -ENOMEM;
	}
	struct pf_label labels[PF_PCP_CONTEXT_MAX];
	for (unsigned i = 0; i < c->n; i++) {
		const struct pf_pcp_context_row *row = &c->rows[i];
		labels[i] = (struct pf_label){ .name = { json.p + at[i], row->name_n },
					       .value = { json.p + at[i] + row->name_n + 2, row->value_n },
					       .flags = row->flags };
	}
	const struct pf_label_set set = { .inst = -1, .json = pf_buf_text(&json), .labels = labels, .n = c->n };
	pf_pcp_labels_encode(b, version, time_ns, PF_OF_CONTEXT, UINT32_MAX, &set, 1);
	pf_buf_done(&json);
	return b->failed;
}

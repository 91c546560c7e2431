/* model/builder.c - strings into a sample. */
#include "model/builder.h"

static char *copy(struct pf_builder *b, unsigned metric, struct pf_view v)
{
	char *bytes = pf_arena_dup(&b->sample->arenas[b->catalog->metric_periods[b->base + metric]], v);
	if (!bytes)
		b->oom = -ENOMEM;
	return bytes;
}

void pf_builder_str(struct pf_builder *b, unsigned metric, unsigned slot, struct pf_view v)
{
	const char *bytes = copy(b, metric, v);
	if (bytes)
		pf_builder_set(b, metric, slot, (union pf_value){ .s = bytes });
}

void pf_builder_words(struct pf_builder *b, unsigned metric, unsigned slot, struct pf_view v)
{
	char *bytes = copy(b, metric, v);
	if (!bytes)
		return;
	for (size_t i = 0; i < v.n; i++) {
		if (bytes[i] == '\0')
			bytes[i] = ' ';
	}
	pf_builder_set(b, metric, slot, (union pf_value){ .s = bytes });
}

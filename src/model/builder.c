/* model/builder.c - strings into a sample. */
#include "model/builder.h"

void pf_builder_str(struct pf_builder *b, unsigned metric, unsigned slot, struct pf_view v)
{
	const char *copy = pf_arena_dup(&b->sample->arena, v);
	if (!copy) {
		b->oom = -ENOMEM;
		return;
	}
	pf_builder_set(b, metric, slot, (union pf_value){ .s = copy });
}

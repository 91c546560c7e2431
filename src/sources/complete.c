/* sources/complete.c - asks the groups that can. */
#include "sources/complete.h"

#include "model/builder.h"
#include "model/catalog.h"

static bool is_there(const struct pf_catalog *cat, const struct pf_group *group, unsigned *ret_base)
{
	int at = pf_catalog_find(cat, pf_view_of(group->metrics[0].name));
	if (at < 0 || cat->metrics[at] != group->metrics)
		return false;
	*ret_base = (unsigned)at;
	return true;
}

void pf_complete_init(struct pf_complete *c, const struct pf_group *const *groups, const struct pf_catalog *cat)
{
	c->n = 0;
	for (unsigned g = 0; groups && groups[g] && c->n < PF_COMPLETE_MAX; g++) {
		if (groups[g]->complete && is_there(cat, groups[g], &c->bases[c->n]))
			c->groups[c->n++] = groups[g];
	}
}

int pf_complete_sample(const struct pf_complete *c, struct pf_catalog *cat, struct pf_sample *sample)
{
	for (unsigned i = 0; i < c->n; i++) {
		struct pf_builder b = { .catalog = cat, .sample = sample, .base = c->bases[i] };
		c->groups[i]->complete(&b);
		if (b.oom < 0)
			return b.oom;
	}
	return 0;
}

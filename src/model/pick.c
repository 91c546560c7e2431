/* model/pick.c - what stays of a sample. */
#include "model/pick.h"

#include <string.h>

bool pf_pick_instance_is(const struct pf_pick_instance *want, const char *name, int32_t id)
{
	if (!want->name)
		return want->id == id;
	size_t n = strlen(want->name);
	return strncmp(want->name, name, n) == 0 &&
	       (name[n] == '\0' || (name[n] == ' ' && !memchr(want->name, ' ', n)));
}

const struct pf_pick *pf_pick_find(const struct pf_picks *picks, unsigned metric)
{
	unsigned from = 0;
	unsigned to = picks->n;
	while (from < to) {
		unsigned at = from + (to - from) / 2;
		if (picks->list[at].metric == metric)
			return &picks->list[at];
		if (picks->list[at].metric < metric)
			from = at + 1;
		else
			to = at;
	}
	return NULL;
}

static void drop(struct pf_cells *c)
{
	if (c->cap > 0)
		memset(c->stamps, 0, c->cap * sizeof(*c->stamps));
	c->failed = 0;
}

static bool takes(const struct pf_pick *pick, const struct pf_instance *inst)
{
	for (unsigned i = 0; i < pick->n; i++) {
		if (pf_pick_instance_is(&pick->instances[i], inst->name, inst->id))
			return true;
	}
	return false;
}

void pf_pick_keep(const struct pf_pick *pick, struct pf_sample *sample)
{
	const struct pf_indom *dom = pf_catalog_domain_of(sample->catalog, pick->metric);
	if (pick->n == 0 || !dom || pick->metric >= sample->n_metrics)
		return;
	struct pf_cells *c = &sample->cells[pick->metric];
	pf_sample_touched(sample);
	for (unsigned slot = 0; slot < c->cap && slot < dom->n; slot++) {
		if (c->stamps[slot] == c->seq && !takes(pick, &dom->instances[slot]))
			c->stamps[slot] = 0;
	}
}

void pf_picks_keep(const struct pf_picks *picks, struct pf_sample *sample)
{
	unsigned next = 0;
	pf_sample_touched(sample);
	for (unsigned m = 0; m < sample->n_metrics; m++) {
		if (next < picks->n && picks->list[next].metric == m)
			pf_pick_keep(&picks->list[next++], sample);
		else
			drop(&sample->cells[m]);
	}
}

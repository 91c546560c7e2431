/* sources/pmcdnames.c - the names of metrics that are wanted of a pmcd: each once. */
#include "sources/pmcdask.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/pcp/meta.h"

static uint32_t hash(struct pf_view name)
{
	uint32_t h = 2166136261; /* FNV-1a */
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (uint8_t)name.p[i]) * 16777619;
	return h;
}

/* Where @name stands among the names, or would. */
static unsigned *name_place(const struct pf_pmcd_ask *a, struct pf_view name)
{
	unsigned at = hash(name) & (a->cap_names - 1);
	while (a->names[at] && !pf_view_is(name, a->metrics[a->names[at] - 1].is.name))
		at = (at + 1) & (a->cap_names - 1);
	return &a->names[at];
}

/* The table is half empty at least. */
static int make_name_room(struct pf_pmcd_ask *a)
{
	if (a->n_metrics < a->cap_names / 2)
		return 0;
	unsigned cap = a->cap_names ? a->cap_names * 2 : 512;
	unsigned *names = calloc(cap, sizeof(*names));
	if (!names)
		return -ENOMEM;
	free(a->names);
	a->names = names;
	a->cap_names = cap;
	for (unsigned i = 0; i < a->n_metrics; i++)
		*name_place(a, pf_view_of(a->metrics[i].name)) = i + 1;
	return 0;
}

int pf_pmcd_ask_add(struct pf_pmcd_ask *a, struct pf_view name)
{
	if (name.n > PF_PMCD_NAME_MAX || !pf_pcp_meta_name_is_good(name))
		return 0; /* names are written into archives that others read, and on terminals */
	if (make_name_room(a) < 0)
		return -ENOMEM;
	unsigned *place = name_place(a, name);
	if (*place)
		return 0;
	if (a->n_metrics == PF_PMCD_METRICS_MAX) {
		a->too_many = true;
		return 0;
	}
	if (a->n_metrics == a->cap_metrics) {
		unsigned cap = a->cap_metrics ? a->cap_metrics * 2 : 256;
		struct pf_pmcd_metric *more = reallocarray(a->metrics, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		a->metrics = more;
		a->cap_metrics = cap;
	}
	char *copy = pf_view_dup(name);
	if (!copy)
		return -ENOMEM;
	a->metrics[a->n_metrics++] = (struct pf_pmcd_metric){ .name = copy,
							      .is = { .name = copy, .pmid = UINT32_MAX },
							      .now = { .pmid = UINT32_MAX },
							      .to = { .index = -1 } };
	*place = a->n_metrics;
	return 0;
}

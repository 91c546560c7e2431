/* sources/pmcdpick.c - what is fetched from a pmcd, and who is who in it. */
#include "sources/pmcdpick.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/source.h"

/* PCP's code for a metric that nobody describes. */
enum { NO_METRIC = -12358 };

static bool is_fetched(const struct pf_pmcd_metric *m)
{
	return m->to.index >= 0 && !m->refused && m->now.pmid != UINT32_MAX;
}

/* By index of the catalog the number of the metric whose values go there. Return: 0 or -ENOMEM. */
static int note_rows(struct pf_pmcd_ask *a)
{
	unsigned n = 0;
	for (unsigned i = 0; i < a->n_metrics; i++) {
		if (a->metrics[i].to.index >= (int)n)
			n = (unsigned)a->metrics[i].to.index + 1;
	}
	int *rows = reallocarray(a->rows, n + (size_t)1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	a->rows = rows;
	a->n_rows = n;
	for (unsigned i = 0; i < n; i++)
		rows[i] = -1;
	for (unsigned i = 0; i < a->n_metrics; i++) {
		if (is_fetched(&a->metrics[i]) && rows[a->metrics[i].to.index] < 0)
			rows[a->metrics[i].to.index] = (int)i;
	}
	return 0;
}

static int list_one(struct pf_pmcd_ask *a, unsigned i)
{
	struct pf_pmcd_metric *m = &a->metrics[i];
	int d = m->now.indom == PF_INDOM_NONE ? -1 : pf_pmcd_ask_domain(a, m->now.indom);
	if (d == -ENOMEM)
		return d;
	m->now.domain = (unsigned)d;
	a->fetched[a->n_fetched] = i;
	a->pmids[a->n_fetched++] = m->now.pmid;
	return 0;
}

/* The numbers that are wanted of a domain, of all metrics together. @all: some metric wants all of them. */
struct some {
	uint32_t indom;
	bool all;
	int32_t *ids;
	uint32_t n;
};

static int add_ids(struct some *s, const struct pf_pick *p)
{
	int32_t *ids = p->n > 0 ? reallocarray(s->ids, s->n + (size_t)p->n, sizeof(*ids)) : s->ids;
	if (p->n > 0 && !ids)
		return -ENOMEM;
	s->all |= p->n == 0;
	s->ids = ids;
	for (unsigned i = 0; i < p->n; i++)
		ids[s->n++] = (int32_t)p->instances[i].id;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const int32_t *x = a;
	const int32_t *y = b;
	return (*x > *y) - (*x < *y);
}

/* Each number once. */
static void keep_one_each(struct some *s)
{
	uint32_t n = 0;
	if (s->n > 0)
		qsort(s->ids, s->n, sizeof(*s->ids), by_id);
	for (uint32_t i = 0; i < s->n; i++) {
		if (i == 0 || s->ids[i] != s->ids[i - 1])
			s->ids[n++] = s->ids[i];
	}
	s->n = n;
}

static int add_some(struct some *list, unsigned *n, uint32_t indom, const struct pf_pick *p)
{
	unsigned at = 0;
	while (at < *n && list[at].indom != indom)
		at++;
	if (at == *n)
		list[(*n)++] = (struct some){ .indom = indom };
	return add_ids(&list[at], p);
}

/* Domains of which not all is wanted, so that a pmcd does not collect it either. */
static int list_profile(struct pf_pmcd_ask *a)
{
	unsigned n = 0;
	uint32_t n_domains = 0;
	int rc = 0;
	pf_autofree struct some *list = calloc(a->n_domains + (size_t)1, sizeof(*list));
	pf_autofree struct pf_pdu_profile *domains = calloc(a->n_domains + (size_t)1, sizeof(*domains));
	if (!list || !domains)
		return -ENOMEM;
	for (unsigned i = 0; a->picks && i < a->picks->n && rc == 0; i++) {
		const struct pf_pick *p = &a->picks->list[i];
		int k = p->metric < a->n_rows ? a->rows[p->metric] : -1;
		if (k >= 0 && a->metrics[k].now.indom != PF_INDOM_NONE)
			rc = add_some(list, &n, a->metrics[k].now.indom, p);
	}
	for (unsigned i = 0; i < n && rc == 0; i++) {
		keep_one_each(&list[i]);
		if (!list[i].all)
			domains[n_domains++] = (struct pf_pdu_profile){ list[i].indom, list[i].ids, list[i].n };
	}
	pf_buf_clear(&a->profile);
	if (rc == 0)
		pf_pdu_put_profile(&a->profile, domains, n_domains);
	for (unsigned i = 0; i < n; i++)
		free(list[i].ids);
	return rc < 0 ? rc : a->profile.failed;
}

int pf_pmcd_pick_list(struct pf_pmcd_ask *a)
{
	uint32_t *pmids = reallocarray(a->pmids, a->n_metrics + (size_t)1, sizeof(*pmids));
	a->pmids = pmids ? pmids : a->pmids;
	unsigned *fetched = reallocarray(a->fetched, a->n_metrics + (size_t)1, sizeof(*fetched));
	a->fetched = fetched ? fetched : a->fetched;
	int rc = pmids && fetched ? note_rows(a) : -ENOMEM;
	a->n_fetched = 0;
	for (unsigned i = 0; !a->picks && i < a->n_metrics && rc == 0; i++)
		rc = is_fetched(&a->metrics[i]) ? list_one(a, i) : 0;
	for (unsigned i = 0; a->picks && i < a->picks->n && rc == 0; i++) {
		unsigned row = a->picks->list[i].metric;
		rc = row < a->n_rows && a->rows[row] >= 0 ? list_one(a, (unsigned)a->rows[row]) : 0;
	}
	return rc < 0 ? rc : list_profile(a);
}

void pf_pmcd_pick_watch(struct pf_pmcd_ask *a, unsigned i, const struct pf_pcp_set *set, struct pf_pmcd_domain *dom)
{
	struct pf_pmcd_metric *m = &a->metrics[i];
	const struct pf_pick *p = a->picks ? pf_pick_find(a->picks, (unsigned)m->to.index) : NULL;
	uint64_t sum = (uint64_t)set->n;
	if (!p || p->n > 0)
		return;
	for (uint32_t k = 0; k < (uint32_t)set->n; k++) {
		struct pf_pcp_value v;
		if (pf_pcp_set_get(set, k, &v, NULL) < 0)
			return; /* was checked; cannot be */
		sum += ((uint64_t)(uint32_t)v.inst + 1) * UINT64_C(0x9e3779b97f4a7c15);
	}
	dom->stale |= m->instances_sum != sum;
	m->instances_sum = sum;
}

int pf_pmcd_pick_instance(struct pf_pmcd_ask *a, unsigned row, struct pf_pick_instance *inst)
{
	int k = row < a->n_rows ? a->rows[row] : -1;
	if (k < 0 || a->metrics[k].now.indom == PF_INDOM_NONE)
		return -ENOENT;
	int d = pf_pmcd_ask_domain(a, a->metrics[k].now.indom);
	if (d >= 0 && a->domains[d].stale) {
		pf_pmcd_ask_from(a, PF_PMCD_INSTANCES);
		if (pf_pmcd_ask_until(a, PF_PMCD_DONE, INT64_MAX, NULL) < 0)
			return -ENOENT; /* told when the first sample is asked for */
		pf_pmcd_ask_from(a, PF_PMCD_FETCH);
	}
	for (unsigned i = 0; d >= 0 && i < a->domains[d].is.n; i++) {
		const struct pf_pcp_member *m = &a->domains[d].is.members[i];
		if (!pf_pick_instance_is(inst, m->name, m->id))
			continue;
		*inst = (struct pf_pick_instance){ .id = m->id };
		return 0;
	}
	return -ENOENT;
}

/* A metric with several names has a row by one of them. */
static int row_of(const struct pf_pmcd_ask *a, const struct pf_pmcd_metric *m)
{
	for (unsigned i = 0; m->to.index < 0 && i < a->n_metrics; i++) {
		if (a->metrics[i].now.pmid == m->now.pmid && a->metrics[i].to.index >= 0)
			return a->metrics[i].to.index;
	}
	return m->to.index;
}

int pf_pmcd_pick_names(struct pf_pmcd_ask *a, const char *name,
		       int (*each)(void *arg, const struct pf_source_named *one), void *arg)
{
	size_t n = strlen(name);
	int found = 0;
	for (unsigned i = 0; i < a->n_metrics; i++) {
		const struct pf_pmcd_metric *m = &a->metrics[i];
		if (strncmp(m->name, name, n) != 0 || (m->name[n] != '\0' && m->name[n] != '.'))
			continue;
		bool known = m->now.pmid != UINT32_MAX;
		const struct pf_source_named one = { .name = m->name,
						     .metric = known ? row_of(a, m) : -1,
						     .code = known ? 0 : NO_METRIC };
		found++;
		int rc = one.metric >= 0 || one.code < 0 ? each(arg, &one) : 0;
		if (rc < 0)
			return rc;
	}
	return found;
}

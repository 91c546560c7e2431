/* sources/pcpplace.c - where values of PCP's metrics go in samples. */
#include "sources/pcpplace.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/notice.h"
#include "formats/pcp/events.h"
#include "groups/expected.h"
#include "sources/pcpvalue.h"

bool pf_pcp_place_can(const struct pf_pcp_metric *m)
{
	return m->type >= PF_S32 && m->type <= PF_HIGHRES_EVENTS && m->type != PF_PCP_STATIC_AGGREGATE &&
	       (m->sem == PF_COUNTER || m->sem == PF_INSTANT || m->sem == PF_DISCRETE);
}

static const struct pf_metric *find_row(const struct pf_group *const *groups, const char *name,
					const struct pf_group **ret_group)
{
	for (unsigned g = 0; groups[g]; g++) {
		for (unsigned i = 0; i < groups[g]->n_metrics; i++) {
			if (strcmp(groups[g]->metrics[i].name, name) == 0) {
				*ret_group = groups[g];
				return &groups[g]->metrics[i];
			}
		}
	}
	return NULL;
}

/* Only what has a view: what is recorded beside all that must not choose it, nor must what every archive describes. */
static void add_letter(const struct pf_pcp_placing *p, const struct pf_group *group, const char *name)
{
	size_t n = strlen(p->letters);
	unsigned i = 0;
	for (const char *const *other = pf_expected; *other; other++) {
		if (strcmp(*other, name) == 0)
			return;
	}
	while (i < group->n_layouts && group->layouts[i].letter != group->letters[0])
		i++;
	if (i == group->n_layouts)
		return;
	if (!strchr(p->letters, group->letters[0]) && n + 1 < p->size) {
		p->letters[n] = group->letters[0];
		p->letters[n + 1] = '\0';
	}
}

static void point_at(struct pf_pcp_target *t, const struct pf_catalog *cat, unsigned index,
		     const struct pf_pcp_metric *m)
{
	if (!pf_units_scale(&m->units, &cat->metrics[index]->units, &t->scale))
		return; /* cannot be: it fits */
	t->index = (int)index;
	t->type = cat->metrics[index]->type;
	t->counter = cat->metrics[index]->sem == PF_COUNTER;
}

/* Into the row that is there, of a module or an earlier archive. Return: as below. */
static int place_found(const struct pf_catalog *cat, const struct pf_pcp_metric *m, struct pf_pcp_target *t,
		       struct pf_err *err)
{
	int have = pf_catalog_find(cat, pf_view_of(m->name));
	if (have < 0) {
		struct pf_metric row = pf_pcp_row(m, m->name);
		const struct pf_metric *clash = pf_catalog_clash(cat, &row);
		return clash ? pf_err_set(err, -EEXIST, "metric %s has the number of %s", m->name, clash->name) : 0;
	}
	if (!pf_pcp_row_fits(cat->metrics[have], m) ||
	    (cat->metrics[have]->sem == PF_COUNTER) != (m->sem == PF_COUNTER))
		return pf_err_set(err, -EEXIST, "metric %s means something else here", m->name);
	point_at(t, cat, (unsigned)have, m);
	return 1;
}

int pf_pcp_place(const struct pf_pcp_placing *p, const struct pf_pcp_metric *m, struct pf_pcp_target *ret_target,
		 struct pf_err *err)
{
	const struct pf_group *group;
	const struct pf_metric *row = p->groups ? find_row(p->groups, m->name, &group) : NULL;
	if (row && pf_pcp_row_fits(row, m)) {
		unsigned base;
		int rc = pf_group_base(p->catalog, group, &base, err);
		if (rc < 0 && rc != -EEXIST) /* an earlier recording may have a row in its way */
			return rc;
		if (rc == 0) {
			point_at(ret_target, p->catalog, base + (unsigned)(row - group->metrics), m);
			add_letter(p, group, m->name);
			return 1;
		}
	}
	return place_found(p->catalog, m, ret_target, err);
}

int pf_pcp_place_own(struct pf_catalog *cat, const struct pf_pcp_own *own, const char *path,
		     const struct pf_notice *notice, struct pf_err *err)
{
	struct pf_metric *rows = own->n ? pf_arena_alloc(&cat->owned, own->n * sizeof(*rows)) : NULL;
	if (own->n > 0 && !rows)
		return pf_err_set(err, -ENOMEM, "no memory for %u metrics", own->n);
	for (unsigned i = 0; i < own->n; i++) {
		const struct pf_pcp_metric *m = own->metrics[i];
		char *name = pf_arena_dup(&cat->owned, pf_view_of(m->name));
		if (!name)
			return pf_err_set(err, -ENOMEM, "no memory for metric %s", m->name);
		rows[i] = pf_pcp_row(m, name);
		struct pf_err why = { 0 };
		unsigned at = 0;
		int rc = pf_catalog_add(cat, &rows[i], 1, &at, &why);
		if (rc == -EFBIG) {
			pf_notice(notice, PF_WARNING, "%s: %s, ignoring %u of them", path, why.text, own->n - i);
			return 0;
		}
		if (rc ==
		    -EEXIST) /* the number or the name of another one, which only damage or another recording gives it */
			pf_notice(notice, PF_WARNING, "%s: %s, ignoring it", path, why.text);
		else if (rc < 0)
			return pf_err_set(err, rc, "%s", why.text);
		else
			point_at(own->targets[i], cat, at, m);
	}
	return 0;
}

bool pf_pcp_place_again(const struct pf_catalog *cat, const struct pf_pcp_metric *m, struct pf_pcp_target *t)
{
	const struct pf_metric *row = cat->metrics[t->index];
	if (!pf_pcp_place_can(m) || !pf_pcp_row_fits(row, m) || (row->sem == PF_COUNTER) != (m->sem == PF_COUNTER))
		return false;
	point_at(t, cat, (unsigned)t->index, m);
	return true;
}

void pf_pcp_place_domain(const struct pf_catalog *cat, struct pf_pcp_target *t)
{
	t->period = cat->metric_periods[t->index];
	t->domain = pf_catalog_domain_of(cat, (unsigned)t->index);
}

int pf_pcp_place_slot(const struct pf_pcp_target *t, struct pf_pcp_domain *dom, int32_t id, unsigned *hint,
		      uint64_t seq, uint64_t *ret_serial)
{
	struct pf_pcp_member *member = dom ? pf_pcp_domain_find(dom, id, hint) : NULL;
	*ret_serial = 0;
	if (!member) {
		struct pf_buf name = { 0 };
		pf_buf_fmt(&name, "?%d", id);
		int slot = name.failed ? -ENOMEM : pf_indom_slot(t->domain, pf_buf_text(&name), 0, id, seq);
		pf_buf_done(&name);
		return slot;
	}
	/* It is there where we saw it last, unless somebody else has been seen there since. */
	if (member->owner == t->domain && member->seen == t->domain->instances[member->slot].seen) {
		pf_indom_stays(t->domain, member->slot, seq);
		member->seen = seq;
		*ret_serial = member->serial;
		return (int)member->slot;
	}
	int slot = pf_indom_slot(t->domain, pf_view_of(member->name), member->slot, id, seq);
	if (slot < 0)
		return slot;
	member->slot = (unsigned)slot;
	member->owner = t->domain;
	member->seen = seq;
	*ret_serial = member->serial;
	return slot;
}

/* A value of a metric of type @type that is none of the row: is it one of the metric? */
static void look_at_strange(const struct pf_pcp_taker *taker, const struct pf_pcp_target *t, int32_t type,
			    const struct pf_pcp_value *v)
{
	bool events = type == PF_EVENTS || type == PF_HIGHRES_EVENTS;
	struct pf_err why = { 0 };
	if (!taker->strange)
		return;
	if (!pf_pcp_value_fits(v, type))
		taker->strange(taker->arg, t, "values are of another type than the metric");
	else if (events && pf_pcp_events_check(v->bytes, type == PF_HIGHRES_EVENTS, &why) < 0)
		taker->strange(taker->arg, t, why.text);
}

int pf_pcp_take_set(const struct pf_pcp_taker *taker, const struct pf_pcp_set *set, int32_t type,
		    const struct pf_pcp_target *t, struct pf_pcp_domain *dom, struct pf_sample *sample)
{
	unsigned hint = 0;
	const struct pf_pcp_into into = { .from = type,
					  .to = t->type,
					  .scale = t->scale,
					  .counter = t->counter,
					  .metric_of = taker->metric_of,
					  .arg = taker->arg };
	sample->second |= t->period == PF_SECOND_INTERVAL && set->n > 0;
	for (int32_t i = 0; i < set->n; i++) {
		struct pf_pcp_value v;
		union pf_value value;
		if (pf_pcp_set_get(set, (uint32_t)i, &v, NULL) < 0)
			return 0; /* was checked; cannot be */
		int rc = pf_pcp_value_into(&v, &into, &sample->arenas[t->period], &value);
		if (rc <= 0) {
			if (rc < 0)
				return rc;
			look_at_strange(taker, t, type, &v);
			continue;
		}
		uint64_t serial = 1;
		int slot = t->domain ? pf_pcp_place_slot(t, dom, v.inst, &hint, sample->seq, &serial) : 0;
		if (slot < 0)
			return slot;
		rc = pf_sample_set(sample, (unsigned)t->index, (unsigned)slot, value);
		if (rc == 0 && taker->kept)
			rc = taker->kept(taker->arg, t, (unsigned)slot, serial, value);
		if (rc < 0)
			return rc;
		if (!t->domain)
			return 0;
	}
	return 0;
}

int pf_pcp_place_members(struct pf_pcp_domain *dom, struct pf_indom *catalog, uint64_t seq)
{
	const struct pf_pcp_target to = { .domain = catalog };
	uint64_t ignored;
	unsigned hint = 0;
	int slot = 0;
	for (unsigned i = 0; i < dom->n && slot >= 0; i++)
		slot = pf_pcp_place_slot(&to, dom, dom->members[i].id, &hint, seq, &ignored);
	return slot < 0 ? slot : 0;
}

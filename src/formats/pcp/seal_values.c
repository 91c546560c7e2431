/* formats/pcp/seal_values.c - the values of one record that stay: those of metrics that something describes, and of the type and form that it says. */
#include "formats/pcp/events.h"
#include "formats/pcp/seal_state.h"

static bool is_good(const struct pf_pcp_value *v, int32_t type)
{
	if (!pf_pcp_value_fits(v, type))
		return false;
	bool events = type == PF_EVENTS || type == PF_HIGHRES_EVENTS;
	return !events || pf_pcp_events_check(v->bytes, type == PF_HIGHRES_EVENTS, NULL) == 0;
}

/* How many values of a set are as their metric is. */
static int32_t count_good(const struct pf_pcp_set *set, int32_t type)
{
	int32_t n = 0;
	for (uint32_t i = 0; set->n > 0 && i < (uint32_t)set->n; i++) {
		struct pf_pcp_value v;
		n += pf_pcp_set_get(set, i, &v, NULL) == 0 && is_good(&v, type);
	}
	return n;
}

/* Is it stored as the first values of its metric were? In place, or not. */
static bool is_same_form(const struct pf_seal_metric *m, const struct pf_pcp_set *set)
{
	return m->form == 0 || m->form == 1u + (set->form != 0);
}

static void put_set(struct pf_pcp_build *b, const struct pf_seal_metric *m, const struct pf_pcp_set *set)
{
	uint32_t form = is_same_form(m, set) ? set->form : m->form - 1;
	if (set->n <= 0) {
		pf_pcp_build_fail(b, set->pmid, set->n);
		return;
	}
	pf_pcp_build_form(b, set->pmid, form);
	for (uint32_t i = 0; i < (uint32_t)set->n; i++) {
		struct pf_pcp_value v;
		if (pf_pcp_set_get(set, i, &v, NULL) == 0 && is_good(&v, m->desc.type))
			pf_pcp_build_value(b, &v, form, m->desc.type);
	}
}

/* Can the whole record stay as it is? */
static bool is_right(const struct pf_seal *s, struct pf_pcp_result r)
{
	struct pf_pcp_set set;
	while (pf_pcp_result_next(&r, &set, NULL) == 1) {
		struct pf_seal_metric *m = pf_seal_metric(s, set.pmid);
		if (!m || (set.n > 0 && (!is_same_form(m, &set) || count_good(&set, m->desc.type) != set.n)))
			return false;
		if (set.n > 0)
			m->form = 1u + (set.form != 0);
	}
	return true;
}

int pf_seal_values(struct pf_seal *s, const struct pf_pcp_result *r, struct pf_buf *ret_rec, struct pf_seal_lost *lost)
{
	struct pf_pcp_result rest = *r;
	struct pf_pcp_build b = { 0 };
	struct pf_pcp_set set;
	if (is_right(s, *r))
		return 0;
	pf_pcp_build_begin(&b);
	while (pf_pcp_result_next(&rest, &set, NULL) == 1) {
		struct pf_seal_metric *m = pf_seal_metric(s, set.pmid);
		int32_t good = m ? count_good(&set, m->desc.type) : 0;
		if (set.n > 0 && !m)
			lost->undescribed += (uint64_t)set.n;
		else if (set.n > 0)
			lost->strange += (uint64_t)(set.n - good);
		if (!m || (set.n > 0 && good == 0))
			continue;
		put_set(&b, m, &set);
		if (set.n > 0 && m->form == 0)
			m->form = 1u + (set.form != 0);
	}
	int rc = b.n_sets > 0 ? pf_pcp_build_end(&b, s->label.version, r->time_ns, ret_rec) : 0;
	bool any = b.n_sets > 0;
	pf_pcp_build_done(&b);
	return rc < 0 ? rc : any ? 1 : 2;
}

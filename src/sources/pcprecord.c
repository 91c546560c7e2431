/* sources/pcprecord.c - records taken apart, or copied as the plan of their shape says. */
#include "sources/pcprecord.h"

#include <errno.h>
#include <time.h>

#include "base/time.h"

static int metric_of(const void *arg, uint32_t pmid)
{
	const struct pf_archive_source *s = arg;
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(pf_pcp_reader_meta(s->reader), pmid);
	return m ? s->targets[m - meta->metrics].to.index : -1;
}

/* What is told only once. */
static int keep(void *arg, const struct pf_pcp_target *to, unsigned slot, uint64_t serial, union pf_value value)
{
	struct pf_archive_source *s = arg;
	const struct pf_archive_target *t = (const struct pf_archive_target *)to;
	return t->lasting >= 0 && serial > 0 ? pf_lasting_take(&s->lastings, (unsigned)t->lasting, slot, serial, value)
					     : 0;
}

/* Once for each metric. */
static void tell_strange(void *arg, const struct pf_pcp_target *to, const char *why)
{
	struct pf_archive_source *s = arg;
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	struct pf_archive_target *t = &s->targets[(const struct pf_archive_target *)to - s->targets];
	char when[32];
	struct tm tm = pf_time_utc(s->taken_ns);
	if (t->strange || strftime(when, sizeof(when), "%F %T UTC", &tm) == 0)
		return;
	t->strange = true;
	pf_pcp_damage_add(&s->damage, "%s, %s: %s; such values are left out", meta->metrics[t - s->targets].name, when,
			  why);
}

static int take_set(struct pf_archive_source *s, const struct pf_pcp_set *set, const struct pf_pcp_metric *m,
		    const struct pf_archive_target *t, struct pf_sample *sample)
{
	const struct pf_pcp_taker taker = { .metric_of = metric_of, .kept = keep, .strange = tell_strange, .arg = s };
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	struct pf_pcp_domain *dom = m->domain < meta->n_domains ? &meta->domains[m->domain] : NULL;
	return pf_pcp_take_set(&taker, set, m->type, &t->to, dom, sample);
}

static struct pf_archive_target *target_of(const struct pf_archive_source *s, uint32_t pmid,
					   const struct pf_pcp_metric **ret_metric)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(meta, pmid);
	if (!m)
		return NULL;
	*ret_metric = m;
	struct pf_archive_target *t = &s->targets[m - meta->metrics];
	return t->to.index < 0 ? NULL : t;
}

/* Does the set say anything to samples? Views show only values; what has none is told as recorded, unless it only ends what held. */
static bool says(const struct pf_archive_source *s, const struct pf_pcp_set *set, const struct pf_archive_target *t)
{
	return set->n > 0 || s->voids || (!s->joins && (set->n < 0 || !s->holds || t->lasting < 0));
}

/* Does the record hold a value that anybody wants? */
static bool find_values(const struct pf_archive_source *s, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_archive_target *t = target_of(s, set.pmid, &m);
		if (t && says(s, &set, t))
			return true;
	}
	return false;
}

bool pf_archive_may_end(const struct pf_archive_source *s, const struct pf_archive_target *t)
{
	return s->holds && t->lasting >= 0 && (!s->joins || t->to.domain || t->to.type == PF_STRING);
}

/* Does it end what holds? */
static bool find_ends(const struct pf_archive_source *s, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_archive_target *t = set.n <= 0 ? target_of(s, set.pmid, &m) : NULL;
		if (t && pf_archive_may_end(s, t))
			return true;
	}
	return false;
}

/* Has it a value that is not discrete? */
static bool find_moves(const struct pf_archive_source *s, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_archive_target *t = set.n > 0 ? target_of(s, set.pmid, &m) : NULL;
		if (t && !t->discrete)
			return true;
	}
	return false;
}

struct pf_pcp_plan *pf_archive_plan(struct pf_archive_source *s, const struct pf_pcp_result *result)
{
	if (!result->shape)
		return NULL;
	struct pf_pcp_plan *plan = &s->plans[result->shape->index];
	if (plan->serial != result->shape->serial) {
		if (plan == s->alone)
			return NULL; /* the sample is not complete yet for which it is known */
		pf_pcp_plan_begin(plan, result->shape->serial);
		plan->has_values = find_values(s, *result);
		plan->has_ends = find_ends(s, *result);
		plan->moves = find_moves(s, *result);
	}
	return plan;
}

bool pf_archive_has_values(struct pf_archive_source *s, const struct pf_pcp_result *result)
{
	const struct pf_pcp_plan *plan = pf_archive_plan(s, result);
	return plan ? plan->has_values : find_values(s, *result);
}

static bool has_ends(struct pf_archive_source *s, const struct pf_pcp_result *result)
{
	const struct pf_pcp_plan *plan = pf_archive_plan(s, result);
	return plan ? plan->has_ends : find_ends(s, *result);
}

bool pf_archive_wants(struct pf_archive_source *s, const struct pf_pcp_result *result)
{
	return pf_archive_has_values(s, result) ||
	       (s->holds && (s->joins ? has_ends(s, result) : pf_lastings_any(&s->lastings)));
}

/* Where its values went, for the next one of that shape: it was taken into the sample just now. What ends something is always taken apart. */
static int make_plan(struct pf_archive_source *s, struct pf_pcp_plan *plan, struct pf_pcp_result result,
		     struct pf_sample *sample)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	struct pf_pcp_set set;
	pf_pcp_plan_begin(plan, plan->serial);
	plan->hopeless = plan->has_ends;
	if (plan->hopeless)
		return 0;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_pcp_metric *m;
		struct pf_archive_target *t = target_of(s, set.pmid, &m);
		if (!t || !says(s, &set, t))
			continue;
		int rc;
		if (set.n > 0)
			rc = pf_pcp_plan_set(plan, &set, m, meta, &t->to, sample, t->lasting >= 0);
		else
			rc = pf_pcp_plan_fail(plan, &t->to, set.n);
		plan->hopeless = rc == 0;
		if (rc <= 0)
			return rc;
	}
	plan->ready = true;
	return 0;
}

void pf_archive_tell(const struct pf_pcp_plan *plan, uint64_t seq)
{
	for (unsigned i = 0; i < plan->n_targets; i++)
		((struct pf_archive_target *)plan->targets[i])->seq = seq;
	for (unsigned i = 0; i < plan->n_failings; i++)
		((struct pf_archive_target *)plan->failings[i].to)->seq = seq;
}

static int take_planned(struct pf_archive_source *s, const struct pf_pcp_plan *plan, struct pf_view rec,
			struct pf_sample *sample)
{
	int rc = pf_pcp_plan_take(plan, rec, sample);
	for (unsigned i = 0; i < plan->n_tellings && rc == 0; i++) {
		const struct pf_pcp_telling *told = &plan->tellings[i];
		rc = keep(s, told->to, told->slot, told->serial,
			  pf_sample_get(sample, (unsigned)told->to->index, told->slot));
	}
	pf_archive_tell(plan, sample->seq);
	s->moves |= plan->moves;
	return rc < 0 ? rc : pf_lastings_follow(&s->lastings, pf_pcp_reader_meta(s->reader));
}

static int take_apart(struct pf_archive_source *s, struct pf_pcp_result result, struct pf_sample *sample)
{
	struct pf_pcp_set set;
	s->taken_ns = result.time_ns;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_pcp_metric *m;
		struct pf_archive_target *t = target_of(s, set.pmid, &m);
		if (t && set.n <= 0 && pf_archive_may_end(s, t))
			pf_lasting_forget(&s->lastings, (unsigned)t->lasting);
		if (!t || !says(s, &set, t))
			continue;
		int rc = set.n > 0 ? take_set(s, &set, m, t, sample)
				   : pf_sample_fail(sample, (unsigned)t->to.index, set.n);
		if (rc < 0)
			return rc;
		t->seq = sample->seq;
		s->moves |= set.n > 0 && !t->discrete;
	}
	return pf_lastings_follow(&s->lastings, pf_pcp_reader_meta(s->reader));
}

int pf_archive_take(struct pf_archive_source *s, const struct pf_pcp_result *result, struct pf_sample *sample)
{
	struct pf_pcp_plan *plan = pf_archive_plan(s, result);
	bool holds = plan && pf_pcp_plan_holds(plan, pf_pcp_reader_meta(s->reader));
	if (holds && pf_pcp_plan_fits(plan, result->rec))
		return take_planned(s, plan, result->rec, sample);
	if (holds)
		s->alone = NULL; /* not all that is planned will be in the sample */
	int rc = take_apart(s, *result, sample);
	return rc == 0 && plan && !holds && !plan->hopeless ? make_plan(s, plan, *result, sample) : rc;
}

/* Is any metric of the plan that is not discrete in the sample already? */
static bool comes_twice(struct pf_archive_source *s, const struct pf_pcp_plan *plan, uint64_t seq)
{
	if (plan == s->alone)
		return plan->moves;
	for (unsigned i = 0; i < plan->n_targets; i++) {
		const struct pf_archive_target *t = (const struct pf_archive_target *)plan->targets[i];
		if (!t->discrete && t->seq == seq)
			return true;
	}
	return false;
}

bool pf_archive_belongs(struct pf_archive_source *s, struct pf_pcp_result result, int64_t time_ns, uint64_t seq)
{
	if (!s->joins)
		return result.time_ns == time_ns;
	if (s->first && result.n > 2 * s->largest)
		return true;
	const struct pf_pcp_plan *plan = pf_archive_plan(s, &result);
	if (s->untold && plan != s->alone)
		pf_archive_tell(s->alone, seq);
	s->untold = s->untold && plan == s->alone;
	if (plan && plan->ready)
		return !comes_twice(s, plan, seq) && (plan->moves || s->moves);
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	bool more = s->moves;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_archive_target *t = target_of(s, set.pmid, &m);
		if (!t || set.n <= 0 || t->discrete)
			continue;
		if (t->seq == seq)
			return false;
		more = true;
	}
	return more;
}

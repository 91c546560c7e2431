/* formats/pcp/check_sets.c - the values of one record: where they lie, whose they are, whether counters grow. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "formats/pcp/check_values.h"
#include "formats/pcp/events.h"

enum { IN_PLACE = 0, NAME_MAX_SHOWN = 120 };

static struct pf_finding at(const struct pf_pcp_values *p, enum pf_grade grade, const char *rule)
{
	struct pf_finding f = pf_pcp_check_at(&p->file, grade, rule);
	f.from_ns = p->last_ns;
	f.numbers[5] = p->c->volumes[0].number; /* whatever volume it is, a peer names the first */
	return f;
}

/* For a peer all names, else the shortest, of which the reader knows. */
static const char *name_of(struct pf_pcp_values *p, const struct pf_pcp_seen *seen, uint32_t pmid)
{
	const struct pf_pcp_metric *m = p->c->options->peer ? NULL : pf_pcp_meta_metric(&p->meta, pmid);
	return m ? m->name : seen->known->names;
}

/* The metric of a set, told once if nothing is known of it. NULL with *ret_rc -ENOMEM, or 0: there is nothing to look at. */
static struct pf_pcp_seen *seen_of(struct pf_pcp_values *p, uint32_t pmid, int *ret_rc)
{
	uint32_t known = p->pmids.n;
	int64_t i = pf_pcp_check_find(&p->pmids, pmid);
	*ret_rc = i < 0 ? (int)i : 0;
	if (i < 0)
		return NULL;
	if (p->pmids.n > p->cap_metrics) {
		size_t cap = p->cap_metrics ? 2 * p->cap_metrics : 64;
		struct pf_pcp_seen *more = reallocarray(p->metrics, cap, sizeof(*more));
		*ret_rc = more ? 0 : -ENOMEM;
		if (!more)
			return NULL;
		p->metrics = more;
		p->cap_metrics = cap;
	}
	struct pf_pcp_seen *seen = &p->metrics[i];
	if (i < known)
		return seen->known ? seen : NULL;

	int64_t described = pf_pcp_check_look(&p->c->pmids, pmid);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(&p->meta, pmid);
	*seen = (struct pf_pcp_seen){ .known = described < 0 ? NULL : &p->c->metrics[described],
				      .domain = m ? m->domain : UINT32_MAX };
	if (seen->known)
		return seen;
	struct pf_pcp_check_pmid text = pf_pcp_check_pmid(pmid);
	struct pf_finding f = at(p, PF_GRADE_ERROR, "unknown");
	f.metric = text.text;
	pf_finding_tell(p->c->to, f, "there are values of a metric that is not described");
	return NULL;
}

/* What went before of this instance. NULL without memory. */
static struct pf_pcp_last *last_of(struct pf_pcp_values *p, uint32_t pmid, int32_t inst)
{
	uint32_t known = p->series.n;
	int64_t i = pf_pcp_check_find(&p->series, (uint64_t)pmid << 32 | (uint32_t)inst);
	if (i < 0)
		return NULL;
	if (p->series.n > p->cap_last) {
		size_t cap = p->cap_last ? 2 * p->cap_last : 256;
		struct pf_pcp_last *more = reallocarray(p->last, cap, sizeof(*more));
		if (!more)
			return NULL;
		p->last = more;
		p->cap_last = cap;
	}
	if (i == known)
		p->last[i] = (struct pf_pcp_last){ 0 };
	return &p->last[i];
}

static bool is_numeric(int32_t type)
{
	return type >= PF_S32 && type <= PF_DOUBLE;
}

static void tell_wrap(struct pf_pcp_values *p, const char *metric, int32_t type, const struct pf_pcp_last *last,
		      double now)
{
	static const char *const rules[] = {
		"wrap-s32", "wrap-u32", "wrap-s64", "wrap-u64", "wrap-float", "wrap-double"
	};
	struct pf_finding f = at(p, PF_GRADE_WARNING, rules[type]);
	f.metric = metric;
	f.from_ns = last->time_ns;
	f.until_ns = p->last_ns;
	f.values[0] = last->value;
	f.values[1] = now;
	double half = type == PF_S32 ? 0x1p30 : type == PF_U32 ? 0x1p31 : type == PF_S64 ? 0x1p62 : 0x1p63;
	bool wrap = type <= PF_U64 && last->value > half && now < half;
	pf_finding_tell(p->c->to, f, "the counter goes back from %.0f to %.0f, %s", last->value, now,
			wrap ? "as one does that has reached its end" : "as one does that begins anew");
}

/* "disk.dev.read[sda]"; an instance that nobody knows has no name. */
static const char *with_instance(const char *metric, const struct pf_pcp_member *member, char *text, size_t size)
{
	if (!member)
		return metric;
	(void)snprintf(text, size, "%s[%.*s]", metric, NAME_MAX_SHOWN, member->name);
	return text;
}

static void count_unnamed(struct pf_pcp_values *p, struct pf_pcp_seen *seen, int32_t instance)
{
	if (seen->unnamed++ == 0) {
		seen->instance = instance;
		seen->from_ns = p->last_ns;
	}
	seen->until_ns = p->last_ns;
}

void pf_pcp_values_unnamed(struct pf_pcp_values *p)
{
	for (uint32_t i = 0; i < p->pmids.n; i++) {
		struct pf_pcp_seen *seen = &p->metrics[i];
		struct pf_finding f = at(p, PF_GRADE_WARNING, "instance");
		if (seen->unnamed == 0)
			continue;
		f.record = f.byte = PF_FINDING_NOWHERE;
		f.from_ns = seen->from_ns;
		f.until_ns = seen->until_ns > seen->from_ns ? seen->until_ns : 0;
		f.metric = name_of(p, seen, (uint32_t)p->pmids.keys[i]);
		f.numbers[0] = seen->instance;
		f.numbers[1] = (int64_t)seen->unnamed;
		f.file = p->meta.file.name;
		pf_finding_tell(
			p->c->to, f, "%llu value%s of instances not named at that time, the first of instance %d",
			(unsigned long long)seen->unnamed, seen->unnamed == 1 ? " is" : "s are", seen->instance);
	}
}

/* The instance of a value. NULL: it is none, or is not known, of which a peer tells each once. */
static const struct pf_pcp_member *member_of(struct pf_pcp_values *p, struct pf_pcp_seen *seen, uint32_t pmid,
					     const struct pf_pcp_value *v, struct pf_pcp_last *last)
{
	if (seen->known->indom == PF_INDOM_NONE)
		return NULL;
	const struct pf_pcp_member *member = pf_pcp_meta_member(&p->meta, seen->domain, v->inst, &seen->hint);
	if (!member && !p->c->options->peer)
		count_unnamed(p, seen, v->inst);
	if (member || last->strange || !p->c->options->peer)
		return member;
	last->strange = true;
	struct pf_finding f = at(p, PF_GRADE_WARNING, "instance");
	f.metric = name_of(p, seen, pmid);
	f.numbers[0] = v->inst;
	pf_finding_tell(p->c->to, f, "the value is of instance %d, which is not there at this time", v->inst);
	return NULL;
}

/* One value. Return: 0; 1: a peer gives up; -ENOMEM. */
static int check_value(struct pf_pcp_values *p, struct pf_pcp_seen *seen, uint32_t pmid, const struct pf_pcp_value *v)
{
	struct pf_pcp_last *last = last_of(p, pmid, v->inst);
	if (!last)
		return -ENOMEM;
	const struct pf_pcp_member *member = member_of(p, seen, pmid, v, last);
	bool first = last->epoch == 0;
	int32_t type = seen->known->type;
	if (last->record == p->number && !p->c->options->peer) {
		struct pf_finding f = at(p, PF_GRADE_WARNING, "value-twice");
		f.metric = name_of(p, seen, pmid);
		pf_finding_tell(p->c->to, f, "the record has two values of instance %d", v->inst);
	}
	last->record = p->number;
	if (!pf_pcp_value_fits(v, type)) {
		struct pf_finding f = at(p, PF_GRADE_ERROR, is_numeric(type) ? "value" : "value-type");
		f.metric = name_of(p, seen, pmid);
		f.numbers[0] = v->type;
		pf_finding_tell(p->c->to, f, "the value is of type %d and %zu bytes, the metric of type %d", v->type,
				v->bytes.n, type);
		if (first && is_numeric(type) && p->c->options->peer) {
			p->c->result->end = PF_PCP_CHECK_VALUE;
			return 1;
		}
		return 0;
	}
	bool events = (type == PF_EVENTS || type == PF_HIGHRES_EVENTS) && !p->c->options->peer;
	struct pf_err why = { 0 };
	if (events && pf_pcp_events_check(v->bytes, type == PF_HIGHRES_EVENTS, &why) < 0) {
		struct pf_finding f = at(p, PF_GRADE_ERROR, "events");
		f.metric = name_of(p, seen, pmid);
		pf_finding_tell(p->c->to, f, "%s", why.text);
		return 0;
	}
	double now = 0;
	if (seen->known->sem == PF_COUNTER && is_numeric(type) && pf_pcp_value_double(v, type, &now) == 0 &&
	    last->epoch == p->epoch && now < last->value) {
		char text[512];
		tell_wrap(p, with_instance(name_of(p, seen, pmid), member, text, sizeof(text)), type, last, now);
	}
	last->value = now;
	last->time_ns = p->last_ns;
	last->epoch = p->epoch;
	return 0;
}

static void check_form(struct pf_pcp_values *p, struct pf_pcp_seen *seen, const struct pf_pcp_set *set)
{
	bool block = set->form != IN_PLACE;
	if (seen->form != 0 && seen->form != 1u + block) {
		struct pf_finding f = at(p, PF_GRADE_ERROR, "form");
		f.metric = name_of(p, seen, set->pmid);
		f.numbers[0] = set->form;
		f.numbers[1] = seen->form - 1;
		pf_finding_tell(p->c->to, f, "its values are stored in another way than before");
	}
	seen->form = 1u + block;
}

int pf_pcp_values_sets(struct pf_pcp_values *p, struct pf_pcp_result *r)
{
	struct pf_pcp_set set;
	int rc = 0;
	while (rc == 0 && pf_pcp_result_next(r, &set, NULL) == 1) {
		struct pf_pcp_seen *seen = seen_of(p, set.pmid, &rc);
		p->c->result->sets += seen != NULL;
		if (!seen || set.n <= 0)
			continue;
		check_form(p, seen, &set);
		seen->hint = 0;
		for (uint32_t i = 0; i < (uint32_t)set.n && rc == 0; i++) {
			struct pf_pcp_value v;
			(void)pf_pcp_set_get(&set, i, &v, NULL); /* was checked */
			rc = check_value(p, seen, set.pmid, &v);
		}
	}
	return rc;
}

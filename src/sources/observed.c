/* sources/observed.c - sets of values in rings, and values between them. Rules: those of PCP's interpolating readers, as observed. */
#include "sources/observed.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int grow(struct pf_observed *o)
{
	unsigned cap = o->cap ? 2 * o->cap : 4;
	struct pf_observed_set *sets = calloc(cap, sizeof(*sets));
	if (!sets)
		return -ENOMEM;
	for (unsigned i = 0; i < o->cap; i++) /* those that are free, too: they have memory */
		sets[i] = o->sets[(o->first + i) & (o->cap - 1)];
	free(o->sets);
	o->sets = sets;
	o->first = 0;
	o->cap = cap;
	return 0;
}

/* One more, empty. */
static struct pf_observed_set *next_set(struct pf_observed *o, int64_t time_ns)
{
	if (o->n == o->cap && grow(o) < 0)
		return NULL;
	struct pf_observed_set *set = &o->sets[(o->first + o->n) & (o->cap - 1)];
	o->n++;
	set->time_ns = time_ns;
	set->ends = false;
	set->n = 0;
	pf_buf_clear(&set->text);
	return set;
}

static int add_value(struct pf_observed_set *set, unsigned slot, union pf_value v, enum pf_type type)
{
	struct pf_view text = { NULL, 0 };
	if (set->n == set->cap) {
		unsigned cap = set->cap ? 2 * set->cap : 1;
		struct pf_observed_value *more = reallocarray(set->values, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		set->values = more;
		set->cap = cap;
	}
	if (type == PF_STRING)
		text = pf_view_of(v.s ? v.s : "");
	else if (type == PF_AGGREGATE)
		text = *v.bytes;
	if (text.p) {
		v.u = set->text.n;
		pf_buf_view(&set->text, text);
	}
	set->values[set->n++] = (struct pf_observed_value){ slot, text.n, v };
	return set->text.failed;
}

int pf_observed_add(struct pf_observed *o, const struct pf_sample *sample, unsigned metric)
{
	if (metric >= sample->n_metrics)
		return 0;
	int32_t why;
	if (pf_sample_failed(sample, metric, &why))
		return pf_observed_end(o, sample->time_ns);
	enum pf_type type = sample->catalog->metrics[metric]->type;
	struct pf_observed_set *set = NULL;
	int rc = 0;
	for (unsigned slot = 0; rc == 0 && slot < sample->cells[metric].cap; slot++) {
		if (!pf_sample_has(sample, metric, slot))
			continue;
		if (!set)
			set = next_set(o, sample->time_ns);
		rc = set ? add_value(set, slot, pf_sample_get(sample, metric, slot), type) : -ENOMEM;
	}
	return rc;
}

int pf_observed_end(struct pf_observed *o, int64_t time_ns)
{
	struct pf_observed_set *set = next_set(o, time_ns);
	if (!set)
		return -ENOMEM;
	set->ends = true;
	return 0;
}

void pf_observed_go(struct pf_observed *o, int64_t time_ns)
{
	while (o->n > 1 && pf_observed_at(o, 1)->time_ns <= time_ns) {
		o->first = (o->first + 1) & (o->cap - 1);
		o->n--;
	}
}

/* Where a slot stands in a set; mostly where the one before was, plus one. */
static const struct pf_observed_value *find(const struct pf_observed_set *set, unsigned slot, unsigned *hint)
{
	for (unsigned tries = 0; tries < set->n; tries++) {
		unsigned at = (*hint + tries) % set->n;
		if (set->values[at].slot == slot) {
			*hint = at + 1;
			return &set->values[at];
		}
	}
	return NULL;
}

/* @part of @whole of the way from @from up to @to, to the nearest integer. */
static uint64_t between(uint64_t from, uint64_t to, int64_t part, int64_t whole)
{
	bool down = to < from;
	unsigned __int128 way = down ? from - to : to - from;
	uint64_t moved =
		(uint64_t)((way * (unsigned __int128)part + (unsigned __int128)whole / 2) / (unsigned __int128)whole);
	return down ? from - moved : from + moved;
}

static union pf_value interpolate(enum pf_type type, union pf_value p, union pf_value n, int64_t part, int64_t whole)
{
	if (type == PF_FLOAT || type == PF_DOUBLE)
		return (union pf_value){ .d = p.d + (n.d - p.d) * ((double)part / (double)whole) };
	uint64_t bias = type == PF_S32 || type == PF_S64 ? UINT64_C(1) << 63 : 0;
	return (union pf_value){ .u = between(p.u + bias, n.u + bias, part, whole) - bias };
}

bool pf_observed_value(const struct pf_observed *o, const struct pf_metric *m, unsigned i, int64_t time_ns,
		       unsigned *hint, union pf_value *ret_v)
{
	const struct pf_observed_set *p = pf_observed_at(o, 0);
	union pf_value v = p->values[i].v;
	if (m->sem != PF_DISCRETE && p->time_ns != time_ns) {
		const struct pf_observed_set *n = o->n > 1 ? pf_observed_at(o, 1) : NULL;
		const struct pf_observed_value *next = n && !n->ends ? find(n, p->values[i].slot, hint) : NULL;
		if (!next)
			return false;
		if (m->sem == PF_COUNTER && pf_type_is_number(m->type))
			v = interpolate(m->type, v, next->v, time_ns - p->time_ns, n->time_ns - p->time_ns);
	}
	*ret_v = v;
	return true;
}

struct pf_view pf_observed_text(const struct pf_observed *o, unsigned i)
{
	const struct pf_observed_set *set = pf_observed_at(o, 0);
	return (struct pf_view){ set->text.p ? set->text.p + set->values[i].v.u : "", set->values[i].n };
}

void pf_observed_done(struct pf_observed *o)
{
	for (unsigned i = 0; i < o->cap; i++) {
		free(o->sets[i].values);
		pf_buf_done(&o->sets[i].text);
	}
	free(o->sets);
	*o = (struct pf_observed){ 0 };
}

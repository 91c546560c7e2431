/* sources/observed.h - what was observed of each metric around a moment: the last set of values before it, and those read ahead. */
#ifndef PF_SOURCES_OBSERVED_H
#define PF_SOURCES_OBSERVED_H

#include "base/buf.h"
#include "model/sample.h"

/* A value of an instance, by its slot. Strings and bytes: @v.u is a place in the set's text, @n how many. */
struct pf_observed_value {
	unsigned slot;
	size_t n;
	union pf_value v;
};

/* All values of one metric at one time. @ends: from then on there is none, because of a mark or because the recording says so. */
struct pf_observed_set {
	int64_t time_ns;
	bool ends;
	struct pf_observed_value *values;
	unsigned n;
	unsigned cap;
	struct pf_buf text;
};

/* Sets of one metric in order of time: @sets[(@first + i) & (@cap - 1)], i below @n. */
struct pf_observed {
	struct pf_observed_set *sets;
	unsigned first;
	unsigned n;
	unsigned cap;
};

static inline const struct pf_observed_set *pf_observed_at(const struct pf_observed *o, unsigned i)
{
	return &o->sets[(o->first + i) & (o->cap - 1)];
}

/* pf_observed_last_ns() - time of the newest set, INT64_MIN without one. */
static inline int64_t pf_observed_last_ns(const struct pf_observed *o)
{
	return o->n > 0 ? pf_observed_at(o, o->n - 1)->time_ns : INT64_MIN;
}

/* pf_observed_add() - what @sample has of @metric, if anything. pf_observed_end(): nothing from @time_ns on. Return: 0 or -ENOMEM. */
int pf_observed_add(struct pf_observed *o, const struct pf_sample *sample, unsigned metric);
int pf_observed_end(struct pf_observed *o, int64_t time_ns);

/* pf_observed_go() - forget what is before the last set that is not later than @time_ns. */
void pf_observed_go(struct pf_observed *o, int64_t time_ns);

/**
 * pf_observed_value() - value @i of the first set at @time_ns, which pf_observed_go() went to.
 * Counters lie on the line between two sets; levels hold, if there is a next set; discrete ones always.
 * @hint: in/out, where in the next set it may be
 *
 * Return: is there one? That of strings and bytes is what pf_observed_text() gives, which lives as long as the set.
 */
bool pf_observed_value(const struct pf_observed *o, const struct pf_metric *m, unsigned i, int64_t time_ns,
		       unsigned *hint, union pf_value *ret_v);

struct pf_view pf_observed_text(const struct pf_observed *o, unsigned i);

void pf_observed_done(struct pf_observed *o);

#endif

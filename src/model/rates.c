/* model/rates.c - subtracting counters. */
#include "model/rates.h"

#include "base/time.h"
#include "model/select.h"

double pf_number(const struct pf_metric *m, union pf_value v)
{
	switch (m->type) {
	case PF_U32:
	case PF_U64:
		return (double)v.u;
	case PF_S32:
	case PF_S64:
		return (double)v.i;
	case PF_FLOAT:
	case PF_DOUBLE:
		return v.d;
	case PF_STRING:
	case PF_AGGREGATE:
	case PF_EVENTS:
	case PF_HIGHRES_EVENTS:
		return 0;
	}
	return 0;
}

/* Exact while the true difference is below 2^53, however large the counters are. */
static double difference(const struct pf_metric *m, union pf_value now, union pf_value then)
{
	switch (m->type) {
	case PF_U32:
	case PF_U64:
		return now.u >= then.u ? (double)(now.u - then.u) : -(double)(then.u - now.u);
	case PF_S32:
	case PF_S64:
		return now.i >= then.i ? (double)((uint64_t)now.i - (uint64_t)then.i)
				       : -(double)((uint64_t)then.i - (uint64_t)now.i);
	case PF_FLOAT:
	case PF_DOUBLE:
		return now.d - then.d;
	case PF_STRING:
	case PF_AGGREGATE:
	case PF_EVENTS:
	case PF_HIGHRES_EVENTS:
		return 0;
	}
	return 0;
}

/* What the instances that count did, each for itself: one that comes or goes does not move the sum, one that starts anew spoils it. */
static int delta_of_sum(const struct pf_step *step, unsigned each, enum pf_reset reset, double *ret_delta)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, each);
	double sum = 0;
	for (unsigned slot = 0; dom && slot < dom->n; slot++) {
		double d = 0;
		if (!(dom->instances[slot].role & PF_ROLE_COUNTED) || !pf_sample_has(step->cur, each, slot))
			continue;
		if (pf_delta(step, each, slot, reset, &d) <= 0)
			return 0;
		sum += d;
	}
	*ret_delta = sum;
	return 1;
}

int pf_delta(const struct pf_step *step, unsigned metric, unsigned slot, enum pf_reset reset, double *ret_delta)
{
	if (!step->prev || !pf_sample_has(step->cur, metric, slot))
		return 0;
	if (!pf_sample_has(step->prev, metric, slot)) {
		*ret_delta = 0;
		return 1;
	}

	const struct pf_metric *m = step->catalog->metrics[metric];
	if (step->catalog->metric_sums[metric] != UINT32_MAX && m->sem == PF_COUNTER)
		return delta_of_sum(step, step->catalog->metric_sums[metric], reset, ret_delta);
	double d = difference(m, pf_sample_get(step->cur, metric, slot), pf_sample_get(step->prev, metric, slot));
	if (d < 0 && m->sem == PF_COUNTER) {
		if (reset == PF_RESET_SKIP)
			return 0;
		if (reset == PF_RESET_WRAP32)
			d += 4294967296.0;
	}
	*ret_delta = d;
	return 1;
}

int pf_rate(const struct pf_step *step, unsigned metric, unsigned slot, double *ret_rate)
{
	int64_t interval_ns = pf_step_interval(step, metric);
	if (interval_ns <= 0)
		return 0;
	double d = 0;
	int rc = pf_delta(step, metric, slot, PF_RESET_SKIP, &d);
	if (rc > 0)
		*ret_rate = d * (double)PF_NS_PER_SEC / (double)interval_ns;
	return rc;
}

/* sinks/suspect.c - what is possible. */
#include "sinks/suspect.h"

#include <string.h>

#include "model/rates.h"
#include "sinks/sink.h"

/* The peer takes this for links that do not tell their speed; we do not guess. */
enum { PEER_SPEED = 10000, BYTES_PER_MBIT = 125 * 1024, SECTORS_PER_KB = 2 };

/* A time counter that ran faster than this times the clock, and then some, did not count time. */
static const double IMPOSSIBLE = 1.5;
static const double SLACK_MS = 1000;

void pf_suspect_speeds(const struct pf_view_options *view, const struct pf_indom *dom, uint32_t *ret_speeds)
{
	const char *list = view->recorded_header ? strstr(view->recorded_header, " NetNames: ") : NULL;
	memset(ret_speeds, 0, dom->n * sizeof(*ret_speeds));
	if (!list)
		return;
	struct pf_view rest = { list + 11, strcspn(list + 11, "\n") };
	struct pf_view word;
	unsigned hint = 0;
	while (pf_view_word(&rest, &word) == 0) {
		uint64_t mbit = 0;
		const char *colon = memrchr(word.p, ':', word.n);
		size_t n = colon ? (size_t)(colon - word.p) : word.n;
		int slot = pf_indom_find(dom, (struct pf_view){ word.p, n }, hint);
		if (slot < 0)
			continue;
		hint = (unsigned)slot + 1;
		if (colon && pf_view_u64((struct pf_view){ colon + 1, word.n - n - 1 }, &mbit) == 0 &&
		    mbit <= UINT32_MAX)
			ret_speeds[slot] = (uint32_t)mbit;
	}
}

/* How many times as long as the step is what a metric moved in. */
static double times_step(const struct pf_step *step, unsigned metric)
{
	int64_t own_ns = step->since && step->interval_ns > 0 ? pf_step_interval(step, metric) : 0;
	return own_ns > step->interval_ns ? (double)own_ns / (double)step->interval_ns : 1;
}

bool pf_suspect_moved(const struct pf_step *step, const struct pf_view_options *view, const struct pf_group *group,
		      unsigned base, unsigned slot, uint32_t speed, double seconds)
{
	bool peer = view->variants & PF_AS_PEER;
	bool disk = group->disk_sectors.n > 0;
	const struct pf_terms *terms = disk ? &group->disk_sectors : &group->link_bytes;
	double mbit = speed > 0 ? speed : !peer ? 0 : view->net_speed > 0 ? (double)view->net_speed : PEER_SPEED;
	if (seconds <= 0)
		seconds = (double)step->interval_ns / 1e9;
	double limit = 2 * seconds * mbit * BYTES_PER_MBIT;
	if (disk)
		limit = view->disk_max_kb > 0 ? (double)view->disk_max_kb * SECTORS_PER_KB : 0;
	else if (view->net_speed < 0)
		limit = 0;
	for (unsigned i = 0; limit > 0 && i < terms->n; i++) {
		double d = 0;
		enum pf_reset reset = peer ? PF_RESET_WRAP32 : PF_RESET_SKIP;
		if (pf_delta(step, base + terms->metric[i], slot, reset, &d) > 0 &&
		    d > limit * times_step(step, base + terms->metric[i]))
			return true;
	}
	return false;
}

bool pf_suspect_time(const struct pf_step *step, const struct pf_group *group, unsigned metric, double rate)
{
	const struct pf_metric *m = step->catalog->metrics[metric];
	double seconds = (double)pf_step_interval(step, metric) / 1e9;
	if (group->tick_ms == 0 || m->units.time != 1 || m->sem != PF_COUNTER || seconds <= 0 ||
	    group->period != PF_EACH_INTERVAL)
		return false;
	unsigned cpus = 0;
	for (unsigned d = 0; pf_metric_is_singular(m) && d < step->catalog->n_domains; d++) {
		const struct pf_indom *dom = step->catalog->domains[d];
		for (unsigned i = 0; dom->id == PF_INDOM_CPU && i < dom->n; i++)
			cpus += dom->instances[i].seen == step->cur->seq;
	}
	return rate * seconds > seconds * 1000 * (cpus > 0 ? cpus : 1) * IMPOSSIBLE + SLACK_MS;
}

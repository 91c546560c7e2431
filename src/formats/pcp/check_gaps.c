/* formats/pcp/check_gaps.c - times without records. What is usual is known at the end only, so the longest ones wait until then. */
#include "formats/pcp/check_values.h"
#include "model/sample.h"

/* Its first four bits: lengths that differ by less are the same. */
static int64_t rough(int64_t ms)
{
	unsigned shift = 0;
	while (ms >> shift >= 16)
		shift++;
	return ms >> shift << shift;
}

void pf_pcp_gaps_add(struct pf_pcp_gaps *g, int64_t from_ns, int64_t until_ns, bool mark)
{
	int64_t ns = until_ns - from_ns;
	int64_t ms = (ns + PF_NS_PER_MS / 2) / PF_NS_PER_MS;
	if (from_ns == 0 || ms <= 0)
		return;
	unsigned i = 0;
	int64_t about = rough(ms);
	while (i < g->n_lengths && g->lengths[i].about != about)
		i++;
	if (i == g->n_lengths && i < PF_PCP_GAPS_LENGTHS)
		g->lengths[g->n_lengths++].about = about;
	if (i < g->n_lengths && !mark) {
		g->lengths[i].times++;
		g->lengths[i].ms += ms;
	}
	unsigned at = g->n_longest;
	if (at < PF_PCP_GAPS_KEPT) {
		g->n_longest++;
	} else {
		at = g->shortest;
		if (ns <= g->longest[at].until_ns - g->longest[at].from_ns)
			return;
	}
	g->longest[at].from_ns = from_ns;
	g->longest[at].until_ns = until_ns;
	for (i = 0; i < g->n_longest; i++) {
		if (g->longest[i].until_ns - g->longest[i].from_ns <
		    g->longest[g->shortest].until_ns - g->longest[g->shortest].from_ns)
			g->shortest = i;
	}
}

/* The length that fills most of the time; those of groups that are recorded right after one another do not. What came once is not usual. */
static int64_t usual(const struct pf_pcp_gaps *g)
{
	uint64_t times = 0;
	int64_t ms = 0;
	for (unsigned i = 0; i < g->n_lengths; i++) {
		if (g->lengths[i].times > 1 && g->lengths[i].ms > ms) {
			times = g->lengths[i].times;
			ms = g->lengths[i].ms;
		}
	}
	return times > 0 ? ms * PF_NS_PER_MS / (int64_t)times : 0;
}

void pf_pcp_gaps_tell(const struct pf_pcp_gaps *g, const struct pf_pcp_check *c)
{
	int64_t usual_ns = usual(g);
	int64_t after_ns = 0;
	for (unsigned told = 0; told < g->n_longest; told++) {
		unsigned next = g->n_longest;
		for (unsigned i = 0; i < g->n_longest; i++) {
			if (g->longest[i].from_ns > after_ns &&
			    (next == g->n_longest || g->longest[i].from_ns < g->longest[next].from_ns))
				next = i;
		}
		if (next == g->n_longest)
			return;
		after_ns = g->longest[next].from_ns;
		int64_t ns = g->longest[next].until_ns - after_ns;
		struct pf_finding f = { .grade = PF_GRADE_NOTE,
					.rule = "gap",
					.file = c->base,
					.record = PF_FINDING_NOWHERE,
					.byte = PF_FINDING_NOWHERE,
					.from_ns = after_ns,
					.until_ns = g->longest[next].until_ns };
		if (pf_time_is_gap(ns, usual_ns))
			pf_finding_tell(c->to, f, "nothing is recorded for %.3f s, usual are %.3f s", (double)ns / 1e9,
					(double)usual_ns / 1e9);
	}
}

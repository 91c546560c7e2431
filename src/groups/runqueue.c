/* groups/runqueue.c - how many processes there are, and in which states. Source: /proc/PID/stat, proc(5); metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { RUNNABLE, BLOCKED, SLEEPING, STOPPED, DEFUNCT, ALL, N_METRICS };

#define COUNT(item)                                                                                                    \
	PF_PMID(PF_DOMAIN_PROC, 13, item), PF_INDOM_NONE, PF_S32, PF_INSTANT,                                          \
	{                                                                                                              \
		.count = 1                                                                                             \
	}

static const struct pf_metric metrics[N_METRICS] = {
	[RUNNABLE] = { "proc.runq.runnable", COUNT(0), "processes that run or could (R)" },
	[BLOCKED] = { "proc.runq.blocked", COUNT(1), "processes that wait for a device (D)" },
	[SLEEPING] = { "proc.runq.sleeping", COUNT(2), "processes that sleep (S)" },
	[STOPPED] = { "proc.runq.stopped", COUNT(3), "processes that were stopped (T)" },
	[DEFUNCT] = { "proc.runq.defunct", COUNT(5), "processes that ended and were not waited for (Z)" },
	[ALL] = { "proc.nprocs", PF_PMID(PF_DOMAIN_PROC, 8, 99), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_NONE,
		  "processes" },
};

/* "123 (a name) S ...": the state stands behind the last parenthesis. */
static void parse(struct pf_view text, struct pf_builder *b)
{
	static const char states[] = {
		[RUNNABLE] = 'R', [BLOCKED] = 'D', [SLEEPING] = 'S', [STOPPED] = 'T', [DEFUNCT] = 'Z'
	};
	const char *end = text.n > 0 ? memrchr(text.p, ')', text.n) : NULL;
	if (!end || text.p + text.n - end < 3)
		return;
	pf_scan_add(b, ALL, 1);
	for (unsigned i = 0; i < PF_N(states); i++)
		pf_scan_add(b, i, end[2] == states[i]);
}

/* Playback of raw files has what /proc told of each process elsewhere. */
static const struct pf_row rows[] = {
	{ .path = "proc/[0-9]*/stat", .parse = parse },
};

const struct pf_group pf_group_runqueue = {
	.letters = "h",
	.name = "runqueue",
	.what = "what pmlogger records beside: processes by their states (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.period = PF_SECOND_INTERVAL,
};

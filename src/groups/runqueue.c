/* groups/runqueue.c - how many processes there are, and in which states. Source: /proc/PID/stat, proc(5); metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { RUNNABLE, BLOCKED, SLEEPING, STOPPED, SWAPPED, DEFUNCT, UNKNOWN, KERNEL, ALL, N_METRICS };

#define COUNT(item)                                                                                                    \
	PF_PMID(PF_DOMAIN_PROC, 13, item), PF_INDOM_NONE, PF_S32, PF_INSTANT,                                          \
	{                                                                                                              \
		.count = 1                                                                                             \
	}

static const struct pf_metric metrics[N_METRICS] = {
	[RUNNABLE] = { "proc.runq.runnable", COUNT(0), "processes that run or could (R)" },
	[BLOCKED] = { "proc.runq.blocked", COUNT(1), "processes that wait for a device (D)" },
	[SLEEPING] = { "proc.runq.sleeping", COUNT(2), "processes that sleep (S)" },
	[STOPPED] = { "proc.runq.stopped", COUNT(3), "processes that were stopped (T, t)" },
	[SWAPPED] = { "proc.runq.swapped", COUNT(4),
		      "processes without memory of their own, threads of the kernel among them" },
	[DEFUNCT] = { "proc.runq.defunct", COUNT(5), "processes that ended and were not waited for (Z)" },
	[UNKNOWN] = { "proc.runq.unknown", COUNT(6), "processes in other states" },
	[KERNEL] = { "proc.runq.kernel", COUNT(7), "always 0: threads of the kernel are counted as swapped" },
	[ALL] = { "proc.nprocs", PF_PMID(PF_DOMAIN_PROC, 8, 99), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_NONE,
		  "processes" },
};

/* Words behind the name: state is the first, the size of virtual memory the 21st (fields 3 and 23 of proc(5)). */
enum { WORDS_TO_SIZE = 20 };

/* As PCP 6.0.3 is seen to count: who has no virtual memory is swapped, whatever its state, unless it ended. */
static unsigned state_of(char state, bool no_memory)
{
	static const struct {
		char state;
		unsigned metric;
	} states[] = { { 'R', RUNNABLE }, { 'D', BLOCKED }, { 'S', SLEEPING }, { 'T', STOPPED }, { 't', STOPPED } };
	if (state == 'Z')
		return DEFUNCT;
	if (no_memory)
		return SWAPPED;
	unsigned i = 0;
	while (i < PF_N(states) && states[i].state != state)
		i++;
	return i < PF_N(states) ? states[i].metric : UNKNOWN;
}

/* "123 (a name) S ...": the state stands behind the last parenthesis. */
static void parse(struct pf_view text, struct pf_builder *b)
{
	const char *end = text.n > 0 ? memrchr(text.p, ')', text.n) : NULL;
	if (!end || text.p + text.n - end < 3)
		return;
	struct pf_scan line = { end + 1, text.p + text.n };
	struct pf_view state = pf_scan_word(&line);
	struct pf_view size = { 0 };
	for (unsigned i = 0; i < WORDS_TO_SIZE; i++)
		size = pf_scan_word(&line);
	pf_scan_add(b, ALL, 1);
	unsigned is = state_of(state.n > 0 ? state.p[0] : '\0', pf_view_is(size, "0"));
	for (unsigned i = RUNNABLE; i <= KERNEL; i++)
		pf_scan_add(b, i, i == is);
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

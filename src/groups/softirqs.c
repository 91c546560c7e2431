/* groups/softirqs.c - work that interrupts leave for later, by kind and CPU. Source: /proc/softirqs, proc(5); metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/percpu.h"

#include "base/cleanup.h"

enum { CELL, PER_CPU, TOTAL, N_METRICS };

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define INDOM(serial)	     PF_INDOM(PF_DOMAIN_LINUX, serial)

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[CELL] = { "kernel.percpu.softirqs", LINUX(63, 0), INDOM(41), PF_U32, PF_COUNTER, PF_UNITS_COUNT, "soft interrupts of each kind on each CPU" },
	[PER_CPU] = { "kernel.percpu.sirq", LINUX(63, 1), PF_INDOM_CPU, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "soft interrupts of each CPU" },
	[TOTAL] = { "kernel.all.softirqs.total", LINUX(82, 0), INDOM(36), PF_U64, PF_COUNTER, PF_UNITS_COUNT, "soft interrupts of each kind on all CPUs" },
};
/* clang-format on */

static const struct pf_percpu percpu = { .cell = CELL, .row = TOTAL, .cpu = { PER_CPU }, .n_cpu = 1 };

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view key = { "", 0 };
		if (!pf_percpu_heading(line, b) && pf_percpu_key(&line, &key))
			(void)pf_percpu_line(&line, b, &percpu, key);
	}
}

static const struct pf_row rows[] = {
	{ .path = "proc/softirqs", .tag = "softirq", .parse = parse },
};

/* clang-format off */
static const struct pf_column brief[] = {
	{ .calc = PF_CALC_RATE, .num = PF_SUM(PER_CPU), .spread = true, .draw = PF_DRAW_CVT, .width = 4, .after = " " },
};

static const struct pf_column verbose[] = {
	{ .before = " ", .calc = PF_CALC_RATE, .num = PF_SUM(PER_CPU), .spread = true, .width = 6 },
};

static const struct pf_column detail[] = {
	{ .before = "  ", .calc = PF_CALC_NAME, .draw = PF_DRAW_LEFT, .width = 10 },
	{ .before = " ", .calc = PF_CALC_RATE, .num = PF_SUM(CELL), .spread = true, .width = 6 },
};

static const struct pf_column plot[] = {
	{ .name = "Cpu", .calc = PF_CALC_RATE, .num = PF_SUM(PER_CPU), .spread = true, .draw = PF_DRAW_PLOT },
};

static const struct pf_column plot_detail[] = {
	{ .name = "Cpu", .calc = PF_CALC_RATE, .num = PF_SUM(CELL), .spread = true, .draw = PF_DRAW_PLOT },
};

#define CPUS .rows = PF_METRIC(PER_CPU), .across = PF_METRIC(PER_CPU)
#define KINDS .rows = PF_METRIC(TOTAL), .across = PF_METRIC(PER_CPU)

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'q', CPUS, .head1 = "<{-}Sft{-}{d}>", .head2 = "{c}", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'q', CPUS, .title = "SOFT INTERRUPT SUMMARY ({r})", .head2 = " {v}", .lead = "  ",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'Q', KINDS, .only_active = true, .title = "SOFT INTERRUPT DETAILS ({r})",
	  .head2 = " Kind      {v}", .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'q', CPUS, .label = "SIRQ", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'Q', KINDS, .label = "SIRQ:", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
};
/* clang-format on */

const struct pf_group pf_group_softirqs = {
	.letters = "qQ",
	.name = "softirqs",
	.what = "soft interrupts of each CPU and of each kind (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

/* groups/pressure.c - how long tasks wait for CPUs, memory, devices, interrupts. Source: /proc/pressure, kernel
 * Documentation/accounting/psi.rst; metrics: PCP 6.0.3, which has no full time of CPUs. */
#include "groups/list.h"
#include "groups/scan.h"

#include <stdio.h>

#include "base/cleanup.h"

enum {
	CPU_SOME,
	CPU_FULL = 2,
	MEMORY_SOME = 4,
	MEMORY_FULL = 6,
	IO_SOME = 8,
	IO_FULL = 10,
	IRQ_FULL = 12,
	N_METRICS = 14
};

/* Of each two metrics the second. */
#define TOTAL(m) ((m) + 1)

#define INDOM_SPANS	     PF_INDOM(PF_DOMAIN_LINUX, 37)
#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define USEC                                                                                                           \
	{                                                                                                              \
		.time = 1, .time_scale = PF_TIME_USEC                                                                  \
	}

/* clang-format off */
#define PAIR(m, name, avg, total, help) \
	[m] = { "kernel.all.pressure." name ".avg", avg, INDOM_SPANS, PF_FLOAT, PF_INSTANT, PF_UNITS_NONE, "percent of the last time in which " help }, \
	[TOTAL(m)] = { "kernel.all.pressure." name ".total", total, PF_INDOM_NONE, PF_U64, PF_COUNTER, USEC, "time in which " help }

static const struct pf_metric metrics[N_METRICS] = {
	PAIR(CPU_SOME, "cpu.some", LINUX(83, 0), LINUX(83, 1), "some task waited for a CPU"),
	PAIR(MEMORY_SOME, "memory.some", LINUX(84, 0), LINUX(84, 1), "some task waited for memory"),
	PAIR(MEMORY_FULL, "memory.full", LINUX(84, 2), LINUX(84, 3), "all tasks waited for memory"),
	PAIR(IO_SOME, "io.some", LINUX(85, 0), LINUX(85, 1), "some task waited for a device"),
	PAIR(IO_FULL, "io.full", LINUX(85, 2), LINUX(85, 3), "all tasks waited for a device"),
	PAIR(IRQ_FULL, "irq.full", LINUX(93, 0), LINUX(93, 1), "all tasks waited for interrupts"),
	[CPU_FULL] = { "perfolio.pressure.cpu.full.avg", PF_PMID_OWN(4), INDOM_SPANS, PF_FLOAT, PF_INSTANT, PF_UNITS_NONE, "percent of the last time in which all tasks waited for a CPU" },
	[TOTAL(CPU_FULL)] = { "perfolio.pressure.cpu.full.total", PF_PMID_OWN(5), PF_INDOM_NONE, PF_U64, PF_COUNTER, USEC, "time in which all tasks waited for a CPU" },
};
/* clang-format on */

/* "avg10=0.13" */
static void average(struct pf_builder *b, struct pf_indom *dom, unsigned metric, struct pf_view word)
{
	static const struct {
		struct pf_view key, name;
		int32_t seconds;
	} spans[] = {
		{ { "avg10=", 6 }, { "10 second", 9 }, 10 },
		{ { "avg60=", 6 }, { "1 minute", 8 }, 60 },
		{ { "avg300=", 7 }, { "5 minute", 8 }, 300 },
	};
	for (unsigned i = 0; i < PF_N(spans); i++) {
		size_t n = spans[i].key.n;
		double v = 0;
		if (word.n < n || memcmp(word.p, spans[i].key.p, n) != 0)
			continue;
		if (pf_view_double((struct pf_view){ word.p + n, word.n - n }, &v) < 0) {
			pf_builder_fail(b);
			return;
		}
		b->line_hint = i;
		int slot = pf_builder_instance(b, dom, spans[i].name, spans[i].seconds);
		if (slot >= 0)
			pf_builder_double(b, metric, (unsigned)slot, v);
		return;
	}
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" */
static void pressure_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom, unsigned some,
			  unsigned full)
{
	struct pf_view kind = pf_scan_word(line);
	unsigned metric = pf_view_is(kind, "some") ? some : pf_view_is(kind, "full") ? full : N_METRICS;
	if (metric == N_METRICS)
		return;
	for (struct pf_view word = pf_scan_word(line); word.n > 0; word = pf_scan_word(line)) {
		uint64_t v = 0;
		if (!pf_view_starts(word, "total="))
			average(b, dom, metric, word);
		else if (pf_view_u64((struct pf_view){ word.p + 6, word.n - 6 }, &v) == 0)
			pf_builder_u64(b, TOTAL(metric), 0, v);
		else
			pf_builder_fail(b);
	}
}

static void lines(struct pf_view text, struct pf_builder *b, unsigned some, unsigned full)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + CPU_SOME);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (dom && pf_scan_line(&rest, &line))
		pressure_line(&line, b, dom, some, full);
}

static void cpu_parse(struct pf_view text, struct pf_builder *b)
{
	lines(text, b, CPU_SOME, CPU_FULL);
}

static void memory_parse(struct pf_view text, struct pf_builder *b)
{
	lines(text, b, MEMORY_SOME, MEMORY_FULL);
}

static void io_parse(struct pf_view text, struct pf_builder *b)
{
	lines(text, b, IO_SOME, IO_FULL);
}

static void irq_parse(struct pf_view text, struct pf_builder *b)
{
	lines(text, b, N_METRICS, IRQ_FULL);
}

static const struct pf_row rows[] = {
	{ .path = "proc/pressure/cpu", .tag = "psi-cpu", .parse = cpu_parse },
	{ .path = "proc/pressure/memory", .tag = "psi-memory", .parse = memory_parse },
	{ .path = "proc/pressure/io", .tag = "psi-io", .parse = io_parse },
	{ .path = "proc/pressure/irq", .tag = "psi-irq", .optional = true, .parse = irq_parse },
};

/* Microseconds of a second as percent, from the interval itself and not from the kernel's averages. */
#define SHARE(m)	    .calc = PF_CALC_UTIL, .num = PF_SUM(TOTAL(m)), .scale = 0.001
#define AVERAGE(m, seconds) .calc = PF_CALC_VALUE, .num = PF_SUM(m), .instance = PF_ONE(seconds)

/* clang-format off */
#define BRIEF(m) { SHARE(m), .draw = PF_DRAW_FIXED, .width = 4, .after = " " }
static const struct pf_column brief[] = { BRIEF(CPU_SOME), BRIEF(MEMORY_SOME), BRIEF(MEMORY_FULL), BRIEF(IO_SOME), BRIEF(IO_FULL) };

#define NOW(m) { .before = " ", SHARE(m), .draw = PF_DRAW_FIXED, .width = 6, .decimals = 2 }
#define AVG(m, seconds) { .before = " ", AVERAGE(m, seconds), .draw = PF_DRAW_FIXED, .width = 6, .decimals = 2 }
#define FOUR(m) NOW(m), AVG(m, 10), AVG(m, 60), AVG(m, 300)
static const struct pf_column verbose[] = { FOUR(CPU_SOME), FOUR(MEMORY_SOME), FOUR(MEMORY_FULL), FOUR(IO_SOME), FOUR(IO_FULL), NOW(IRQ_FULL) };

#define PLOT(heading, m) \
	{ .name = heading "%", SHARE(m), .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = heading "10", AVERAGE(m, 10), .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = heading "60", AVERAGE(m, 60), .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = heading "300", AVERAGE(m, 300), .draw = PF_DRAW_FIXED, .decimals = 2 }
static const struct pf_column plot[] = {
	PLOT("CpuSome", CPU_SOME), PLOT("MemSome", MEMORY_SOME), PLOT("MemFull", MEMORY_FULL), PLOT("IoSome", IO_SOME), PLOT("IoFull", IO_FULL),
	PLOT("IrqFull", IRQ_FULL),
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'p', .head1 = "<-------Pressure%------->", .head2 = " Cpu  Mem MemF   IO  IOF ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'p', .title = "PRESSURE STALLS (percent of time)",
	  .head1 = "<---------Cpu some---------><--------Memory some-------><--------Memory full-------><----------IO some---------><----------IO full---------><-Irq->",
	  .head2 = "    Now   10s    60s   300s     Now   10s    60s   300s     Now   10s    60s   300s     Now   10s    60s   300s     Now   10s    60s   300s     Now",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_PLOT, .letter = 'p', .label = "PSI", .columns = plot, .n_columns = PF_N(plot) },
};
/* clang-format on */

const struct pf_group pf_group_pressure = {
	.letters = "p",
	.name = "pressure",
	.what = "stalls: time in which tasks waited for CPUs, memory, devices (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

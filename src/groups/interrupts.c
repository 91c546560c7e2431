/* groups/interrupts.c - interrupts by line and CPU. Source: /proc/interrupts, proc(5); columns: spec collectl-data sections 4 and 5,
 * metrics: PCP 6.0.3, which has no metric for what stands behind the numbers. */
#include "groups/list.h"
#include "groups/percpu.h"

#include "base/cleanup.h"
#include "model/select.h"

enum { CELL, PER_CPU, TOTAL, ERRORS, MISSED, CHIP, DEVICE, WITH_ERRORS, N_METRICS };

#define LINUX(item)   PF_PMID(PF_DOMAIN_LINUX, 4, item)
#define INDOM(serial) PF_INDOM(PF_DOMAIN_LINUX, serial)

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[CELL] = { "kernel.percpu.interrupts", LINUX(1), INDOM(40), PF_U32, PF_COUNTER, PF_UNITS_COUNT, "interrupts of each line on each CPU" },
	[PER_CPU] = { "kernel.percpu.intr", LINUX(4), PF_INDOM_CPU, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "interrupts of each CPU" },
	[TOTAL] = { "kernel.all.interrupts.total", LINUX(0), INDOM(4), PF_U64, PF_COUNTER, PF_UNITS_COUNT, "interrupts of each line on all CPUs" },
	[ERRORS] = { "kernel.all.interrupts.errors", LINUX(3), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "interrupts that had an error" },
	[MISSED] = { "kernel.all.interrupts.missed", LINUX(2), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "interrupts that were missed" },
	[CHIP] = { "perfolio.interrupts.chip", PF_PMID_OWN(0), INDOM(4), PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "controller of a numbered line" },
	[DEVICE] = { "perfolio.interrupts.device", PF_PMID_OWN(1), INDOM(4), PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "what a line is for" },
	[WITH_ERRORS] = { "perfolio.interrupts.percpu", PF_PMID_OWN(6), PF_INDOM_CPU, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "interrupts of each CPU, those with errors and those missed among the first one's" },
};
/* clang-format on */

static const struct pf_percpu percpu = { .cell = CELL, .row = TOTAL, .cpu = { PER_CPU, WITH_ERRORS }, .n_cpu = 2 };
static const struct pf_percpu percpu_unwanted = { .cell = CELL, .row = TOTAL, .cpu = { PER_CPU } };

/* The rest of the line, words one blank apart. */
static struct pf_view squeezed(struct pf_scan *line, char *buf, size_t size)
{
	size_t n = 0;
	for (struct pf_view word = pf_scan_word(line); word.n > 0; word = pf_scan_word(line)) {
		if (n + word.n + 1 > size)
			break;
		if (n > 0)
			buf[n++] = ' ';
		memcpy(buf + n, word.p, word.n);
		n += word.n;
	}
	return (struct pf_view){ buf, n };
}

/* The domain of the lines if --intfilt chooses among them; the peer narrows sums only where it draws them. */
static struct pf_indom *filtered(const struct pf_builder *b)
{
	struct pf_indom *kinds = pf_catalog_domain_of(b->catalog, b->base + TOTAL);
	bool peer = b->catalog->select && b->catalog->select->peer;
	return kinds && !peer && pf_select_filter(b->catalog, kinds) ? kinds : NULL;
}

/* "ERR: 0": of no CPU; collectl counts it for the first. No filter can name it. */
static void error_line(struct pf_scan *line, struct pf_builder *b, unsigned metric)
{
	struct pf_indom *cpus = pf_catalog_domain_of(b->catalog, b->base + PER_CPU);
	uint64_t v = 0;
	if (pf_scan_u64(line, &v) != PF_SCAN_OK)
		return;
	pf_builder_u64(b, metric, 0, v & UINT32_MAX);
	int first = cpus && !filtered(b) ? pf_indom_find(cpus, PF_VIEW("cpu0"), 0) : -1;
	if (first >= 0)
		pf_percpu_add(b, WITH_ERRORS, (unsigned)first, v);
}

/* What stands behind the numbers. */
static void put_texts(struct pf_scan *line, struct pf_builder *b, struct pf_view key, unsigned slot)
{
	char text[256];
	if (key.p[0] >= '0' && key.p[0] <= '9')
		pf_builder_str(b, CHIP, slot, pf_scan_word(line));
	pf_builder_str(b, DEVICE, slot, squeezed(line, text, sizeof(text)));
}

/* Is the line part of the sums of CPUs? The filter looks at its texts, too, so they have to be there first. */
static bool is_wanted(struct pf_scan line, struct pf_builder *b, struct pf_view key)
{
	struct pf_indom *kinds = filtered(b);
	uint64_t v = 0;
	if (!kinds)
		return true;
	int slot = pf_indom_slot(kinds, key, UINT32_MAX, -1, b->sample->seq);
	if (slot < 0)
		return true;
	struct pf_scan at = line;
	while (pf_scan_u64(&line, &v) == PF_SCAN_OK)
		at = line;
	put_texts(&at, b, key, (unsigned)slot);
	return pf_select_role(b->catalog, &pf_group_interrupts, kinds, (unsigned)slot, b->sample) & PF_ROLE_KEPT;
}

static void int_line(struct pf_scan *line, struct pf_builder *b)
{
	struct pf_view key = { "", 0 };
	if (!pf_percpu_key(line, &key))
		return;
	if (pf_view_is(key, "ERR") || pf_view_is(key, "MIS")) {
		error_line(line, b, key.p[0] == 'E' ? ERRORS : MISSED);
		return;
	}
	bool wanted = is_wanted(*line, b, key);
	int slot = pf_percpu_line(line, b, wanted ? &percpu : &percpu_unwanted, key);
	if (slot >= 0)
		put_texts(line, b, key, (unsigned)slot);
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		if (!pf_percpu_heading(line, b))
			int_line(&line, b);
	}
}

/* PCP has no sum with errors. */
static void complete(struct pf_builder *b)
{
	struct pf_indom *cpus = pf_catalog_domain_of(b->catalog, b->base + PER_CPU);
	const struct pf_sample *s = b->sample;
	for (unsigned slot = 0; cpus && slot < cpus->n; slot++) {
		if (!pf_sample_has(s, b->base + PER_CPU, slot) || pf_sample_has(s, b->base + WITH_ERRORS, slot))
			continue;
		uint64_t v = pf_sample_get(s, b->base + PER_CPU, slot).u;
		for (unsigned m = ERRORS; m <= MISSED && pf_view_is(PF_VIEW("cpu0"), cpus->instances[slot].name); m++)
			v += pf_sample_has(s, b->base + m, 0) ? pf_sample_get(s, b->base + m, 0).u : 0;
		pf_builder_u64(b, WITH_ERRORS, slot, v);
	}
}

/* The heading is not recorded. */
static bool keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	struct pf_view rest = *line, word = { "", 0 };
	return pf_view_word(&rest, &word) == 0 && !pf_view_starts(word, "CPU");
}

static const struct pf_row rows[] = {
	{ .path = "proc/interrupts", .tag = "int", .keep = keep, .parse = parse },
};

/* Sums of CPUs come from all lines or, with --intfilt, from the lines that stay. */
#define SUM(calculation, ...)                                                                                          \
	{ .calc = calculation,                                                                                         \
	  .num = PF_SUM(WITH_ERRORS),                                                                                  \
	  .spread = true,                                                                                              \
	  .unless = PF_WITH_INT_FILTER,                                                                                \
	  __VA_ARGS__ },                                                                                               \
	{                                                                                                              \
		.calc = calculation, .num = PF_SUM(CELL), .spread = true, .when = PF_WITH_INT_FILTER, __VA_ARGS__      \
	}

/* clang-format off */
static const struct pf_column brief[] = {
	SUM(PF_CALC_RATE, .draw = PF_DRAW_CVT, .width = 4, .after = " "),
};

static const struct pf_column verbose[] = {
	SUM(PF_CALC_RATE, .before = " ", .width = 6),
};

/* The peer forgets to divide by the seconds. */
static const struct pf_column verbose_peer[] = {
	SUM(PF_CALC_DELTA, .before = " ", .width = 6),
};

static const struct pf_column detail[] = {
	{ .before = "  ", .calc = PF_CALC_NAME, .draw = PF_DRAW_KEY, .after = "  " },
	{ .calc = PF_CALC_RATE, .num = PF_SUM(CELL), .spread = true, .width = 6, .after = " " },
	{ .calc = PF_CALC_ZERO, .draw = PF_DRAW_NONE, .after = "  " },
	{ .calc = PF_CALC_TEXT, .num = PF_SUM(CHIP), .optional = true, .draw = PF_DRAW_LEFT, .width = 15, .after = " " },
	{ .calc = PF_CALC_TEXT, .num = PF_SUM(DEVICE), .optional = true, .draw = PF_DRAW_GLUED, .when = PF_AS_PEER },
	{ .calc = PF_CALC_TEXT, .num = PF_SUM(DEVICE), .optional = true, .draw = PF_DRAW_LEFT, .unless = PF_AS_PEER },
};

#define BRIEF   .view = PF_VIEW_BRIEF, .letter = 'j', .head1 = "<{-}Int{-}{d}>", .head2 = "{c}"
#define SUMMARY .view = PF_VIEW_VERBOSE, .letter = 'j', .head2 = " {v}", .lead = "  "
#define LINES   .rows = PF_METRIC(TOTAL), .across = PF_METRIC(PER_CPU), .about = { PF_METRIC(CHIP), PF_METRIC(DEVICE) }

static const struct pf_layout layouts[] = {
	{ BRIEF, .unless = PF_WITH_INT_FILTER, .rows = PF_METRIC(PER_CPU), .across = PF_METRIC(PER_CPU),
	  .columns = brief, .n_columns = PF_N(brief) },
	{ BRIEF, .when = PF_WITH_INT_FILTER, LINES, .columns = brief, .n_columns = PF_N(brief) },
	{ SUMMARY, .when = PF_AS_PEER, .unless = PF_WITH_CPU_DETAIL, LINES, .title = "INTERRUPT SUMMARY{o}",
	  .columns = verbose_peer, .n_columns = PF_N(verbose_peer) },
	{ SUMMARY, .unless = PF_WITH_CPU_DETAIL | PF_AS_PEER, LINES, .title = "INTERRUPT SUMMARY ({r}){o}",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'J', LINES, .sort = PF_SORT_KEY, .only_active = true, .title = "INTERRUPT DETAILS{o}",
	  .head2 = " Int {v}   Type            Device(s)", .columns = detail, .n_columns = PF_N(detail) },
};
/* clang-format on */

const struct pf_group pf_group_interrupts = {
	.letters = "jJ",
	.name = "interrupts",
	.what = "interrupts of each CPU and of each line",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.complete = complete,
};

/* groups/cost.c - what recording itself costs: --cost. The text is made by sources/cost.c while sampling; in a raw file its lines stand
 * behind tags that collectl does not know and passes over (docs/formats.md). */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum {
	CPU,
	RESIDENT,
	SAMPLES,
	LATE,
	BEGIN,
	END,
	SPAN,
	SLOWEST,
	SLOWEST_NAME,
	SOURCE_CPU,
	SOURCE_BYTES,
	SOURCE_READS,
	SOURCE_SLOWEST,
	N_METRICS
};

#define INDOM_SOURCES PF_INDOM_OWN(900)
#define OWN(item)     PF_PMID_OWN(900 + (item)), PF_INDOM_NONE
#define SOURCE(item)  PF_PMID_OWN(900 + (item)), INDOM_SOURCES

#define UNITS_USEC                                                                                                     \
	{                                                                                                              \
		.time = 1, .time_scale = PF_TIME_USEC                                                                  \
	}
#define UNITS_NSEC                                                                                                     \
	{                                                                                                              \
		.time = 1, .time_scale = PF_TIME_NSEC                                                                  \
	}

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[CPU] = { "perfolio.cost.process.cpu", OWN(CPU), PF_U64, PF_COUNTER, UNITS_USEC, "CPU time of the recorder, with its output and its children" },
	[RESIDENT] = { "perfolio.cost.process.resident", OWN(RESIDENT), PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "most memory that the recorder has held so far" },
	[SAMPLES] = { "perfolio.cost.sample.count", OWN(SAMPLES), PF_U64, PF_COUNTER, PF_UNITS_COUNT, "samples taken" },
	[LATE] = { "perfolio.cost.sample.late", OWN(LATE), PF_U64, PF_COUNTER, PF_UNITS_COUNT, "samples that took a larger part of the interval than --costwarn says" },
	[BEGIN] = { "perfolio.cost.sample.begin", OWN(BEGIN), PF_U64, PF_DISCRETE, UNITS_NSEC, "when taking the sample began, since 1970 UTC" },
	[END] = { "perfolio.cost.sample.end", OWN(END), PF_U64, PF_DISCRETE, UNITS_NSEC, "when taking the sample ended, since 1970 UTC" },
	[SPAN] = { "perfolio.cost.sample.span", OWN(SPAN), PF_U64, PF_INSTANT, UNITS_USEC, "how long taking the sample took" },
	[SLOWEST] = { "perfolio.cost.sample.slowest", OWN(SLOWEST), PF_U64, PF_INSTANT, UNITS_USEC, "the slowest read of the sample" },
	[SLOWEST_NAME] = { "perfolio.cost.sample.slowest_name", OWN(SLOWEST_NAME), PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "file or module of the slowest read" },
	[SOURCE_CPU] = { "perfolio.cost.source.cpu", SOURCE(SOURCE_CPU), PF_U64, PF_COUNTER, UNITS_USEC, "CPU time for reading the source and what is in it" },
	[SOURCE_BYTES] = { "perfolio.cost.source.bytes", SOURCE(SOURCE_BYTES), PF_U64, PF_COUNTER, PF_UNITS_BYTE, "bytes read from the source" },
	[SOURCE_READS] = { "perfolio.cost.source.reads", SOURCE(SOURCE_READS), PF_U64, PF_COUNTER, PF_UNITS_COUNT, "files of the source that were read" },
	[SOURCE_SLOWEST] = { "perfolio.cost.source.slowest", SOURCE(SOURCE_SLOWEST), PF_U64, PF_INSTANT, UNITS_USEC, "the slowest read of the source in this sample" },
};
/* clang-format on */

/* The rest of the line, which is a name and may have blanks in it. */
static struct pf_view rest_of(struct pf_scan *line)
{
	pf_scan_blanks(line);
	return (struct pf_view){ line->p, (size_t)(line->end - line->p) };
}

/* "CPU RESIDENT SAMPLES LATE BEGIN END SPAN SLOWEST NAME" */
static void sample_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	if (!pf_scan_line(&rest, &line))
		return;
	for (unsigned m = CPU; m <= SLOWEST; m++)
		(void)pf_scan_value(&line, b, m, 0);
	struct pf_view name = rest_of(&line);
	if (name.n > 0)
		pf_builder_str(b, SLOWEST_NAME, 0, name);
}

/* "CPU BYTES READS SLOWEST NAME", for each source */
static void source_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + SOURCE_CPU);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (dom && pf_scan_line(&rest, &line)) {
		struct pf_scan numbers = line;
		for (unsigned m = SOURCE_CPU; m <= SOURCE_SLOWEST; m++)
			(void)pf_scan_word(&line);
		struct pf_view name = rest_of(&line);
		int slot = name.n > 0 ? pf_builder_instance(b, dom, name, -1) : -1;
		for (unsigned m = SOURCE_CPU; slot >= 0 && m <= SOURCE_SLOWEST; m++)
			(void)pf_scan_value(&numbers, b, m, (unsigned)slot);
	}
}

static const struct pf_row rows[] = {
	{ .path = "perfolio/cost/sample", .made = true, .tag = "cost-sample", .parse = sample_parse },
	{ .path = "perfolio/cost/source", .made = true, .tag = "cost-source", .parse = source_parse },
};

/* All but Pct is of the interval, whatever its length. */
#define SUM(m)	 .calc = PF_CALC_DELTA, .num = PF_SUM(m)
#define KB(m)	 .calc = PF_CALC_DELTA, .num = PF_SUM(m), .scale = 1 / 1024.0
#define VALUE(m) .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define NAME	 .calc = PF_CALC_TEXT, .num = PF_SUM(SLOWEST_NAME), .draw = PF_DRAW_LEFT
#define CVT(w)	 .draw = PF_DRAW_CVT, .width = w

/* clang-format off */
static const struct pf_column brief[] = {
	{ SUM(CPU), CVT(6), .after = " " }, { KB(SOURCE_BYTES), CVT(6), .after = " " }, { VALUE(SLOWEST), CVT(6), .after = " " },
};

static const struct pf_column verbose[] = {
	{ .before = " ", SUM(CPU), CVT(7) },
	{ .before = " ", .calc = PF_CALC_UTIL, .num = PF_SUM(CPU), .scale = 0.001, .draw = PF_DRAW_FIXED, .width = 6, .decimals = 2 },
	{ .before = " ", VALUE(RESIDENT), .draw = PF_DRAW_CVT, .unit = 1, .width = 6 },
	{ .before = "  ", SUM(SOURCE_CPU), CVT(7) },
	{ .before = " ", KB(SOURCE_BYTES), CVT(6) },
	{ .before = " ", SUM(SOURCE_READS), CVT(6) },
	{ .before = " ", VALUE(SPAN), CVT(7) },
	{ .before = " ", SUM(LATE), CVT(4) },
	{ .before = "  ", VALUE(SLOWEST), CVT(7) },
	{ .before = " ", NAME },
};

static const struct pf_column detail[] = {
	{ .before = " ", SUM(SOURCE_CPU), CVT(7) },
	{ .before = " ", KB(SOURCE_BYTES), CVT(6) },
	{ .before = " ", SUM(SOURCE_READS), CVT(6) },
	{ .before = " ", VALUE(SOURCE_SLOWEST), CVT(7) },
	{ .before = "  ", .calc = PF_CALC_NAME, .num = PF_SUM(SOURCE_CPU), .draw = PF_DRAW_LEFT },
};

static const struct pf_column plot[] = {
	{ .name = "CpuUs", SUM(CPU) }, { .name = "ResidentKB", VALUE(RESIDENT) }, { .name = "ReadCpuUs", SUM(SOURCE_CPU) },
	{ .name = "ReadKB", KB(SOURCE_BYTES), .draw = PF_DRAW_PLOT }, { .name = "Reads", SUM(SOURCE_READS) }, { .name = "SpanUs", VALUE(SPAN) },
	{ .name = "Late", SUM(LATE) }, { .name = "SlowestUs", VALUE(SLOWEST) }, { .name = "Slowest", NAME },
};

static const struct pf_column plot_detail[] = {
	{ .name = "CpuUs", SUM(SOURCE_CPU) }, { .name = "ReadKB", KB(SOURCE_BYTES), .draw = PF_DRAW_PLOT },
	{ .name = "Reads", SUM(SOURCE_READS) }, { .name = "SlowestUs", VALUE(SOURCE_SLOWEST) },
};

static const struct pf_column exported[] = {
	{ .name = "costinfo.cpu", .units = "usec", SUM(CPU) }, { .name = "costinfo.resident", .units = "KB", VALUE(RESIDENT) },
	{ .name = "costinfo.readcpu", .units = "usec", SUM(SOURCE_CPU) }, { .name = "costinfo.readkb", .units = "KB", KB(SOURCE_BYTES) },
	{ .name = "costinfo.reads", .units = "reads", SUM(SOURCE_READS) }, { .name = "costinfo.span", .units = "usec", VALUE(SPAN) },
	{ .name = "costinfo.late", .units = "samples", SUM(LATE) }, { .name = "costinfo.slowest", .units = "usec", VALUE(SLOWEST) },
};

static const struct pf_column exported_detail[] = {
	{ .name = "costinfo.cpu", .units = "usec", SUM(SOURCE_CPU) }, { .name = "costinfo.readkb", .units = "KB", KB(SOURCE_BYTES) },
	{ .name = "costinfo.reads", .units = "reads", SUM(SOURCE_READS) }, { .name = "costinfo.slowest", .units = "usec", VALUE(SOURCE_SLOWEST) },
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'o', .head1 = "<------OwnCost------>", .head2 = " CPUus ReadKB  MaxUs ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'o', .title = "OWN COST (/int)",
	  .head1 = "<------Recorder------><-------------Sampling-------------><--Slowest read-->",
	  .head2 = "   CPUus   Pct%    RSS    CPUus     KB  Reads  SpanUs Late       Us Name",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'O', .title = "OWN COST BY SOURCE (/int)",
	  .head2 = "   CPUus     KB  Reads   MaxUs  Source", .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'o', .label = "COST", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'O', .label = "COST:", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
	{ .view = PF_VIEW_LEXPR, .letter = 'o', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_LEXPR, .letter = 'O', .columns = exported_detail, .n_columns = PF_N(exported_detail) },
	{ .view = PF_VIEW_GEXPR, .letter = 'o', .unless = PF_GANGLIA_ALONE, .label = "cost", .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 'O', .unless = PF_GANGLIA_ALONE, .label = "cost", .columns = exported_detail,
	  .n_columns = PF_N(exported_detail) },
};
/* clang-format on */

const struct pf_group pf_group_cost = {
	.letters = "oO",
	.name = "cost",
	.what = "what recording itself costs, in all and by source: --cost (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

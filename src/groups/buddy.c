/* groups/buddy.c - free pages by zone and size of the block. Source: /proc/buddyinfo, proc(5); columns: spec collectl-data sections 4 to 6,
 * metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

enum { PAGES, KBYTES, FREE, N_METRICS };

/* More than kernels have; the views show as many as collectl. */
enum { MAX_ORDERS = 20, PAGE_KB = 4 };

#define INDOM_ORDERS PF_INDOM(PF_DOMAIN_LINUX, 31)
#define INDOM_ZONES  PF_INDOM_OWN(0)

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[PAGES] = { "mem.buddyinfo.pages", PF_PMID(PF_DOMAIN_LINUX, 67, 0), INDOM_ORDERS, PF_U64, PF_INSTANT, PF_UNITS_NONE, "free blocks of 2^order pages" },
	[KBYTES] = { "mem.buddyinfo.total", PF_PMID(PF_DOMAIN_LINUX, 67, 1), INDOM_ORDERS, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "memory in free blocks of 2^order pages" },
	[FREE] = { "perfolio.buddy.free", PF_PMID_OWN(2), INDOM_ZONES, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "free memory of a zone of a node" },
};
/* clang-format on */

/* "Node 0, zone   Normal   5743   1089 ...": ends before the numbers. */
static bool zone_of(struct pf_scan *line, struct pf_view *ret_node, struct pf_view *ret_zone)
{
	if (!pf_view_is(pf_scan_word(line), "Node"))
		return false;
	*ret_node = pf_scan_word(line);
	if (ret_node->n < 2 || ret_node->n > 8 || ret_node->p[ret_node->n - 1] != ',')
		return false;
	ret_node->n--;
	uint64_t number = 0;
	bool word = pf_view_is(pf_scan_word(line), "zone");
	*ret_zone = pf_scan_word(line);
	return word && ret_zone->n > 0 && ret_zone->n <= 32 && pf_view_u64(*ret_node, &number) == 0;
}

static void zone_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *orders, struct pf_indom *zones)
{
	struct pf_view node = { "", 0 }, zone = { "", 0 };
	char name[96];
	uint64_t free_kb = 0;
	if (!zone_of(line, &node, &zone))
		return;
	for (unsigned order = 0; order < MAX_ORDERS; order++) {
		uint64_t v = 0;
		enum pf_scan_result rc = pf_scan_u64(line, &v);
		if (rc == PF_SCAN_NONE)
			break;
		if (rc == PF_SCAN_WRONG || v > UINT64_MAX >> 32) {
			pf_builder_fail(b);
			continue;
		}
		int n = snprintf(name, sizeof(name), "%.*s::order%u::node%.*s", (int)zone.n, zone.p, order, (int)node.n,
				 node.p);
		int slot = pf_builder_instance(b, orders, (struct pf_view){ name, (size_t)n }, -1);
		if (slot < 0)
			return;
		pf_builder_u64(b, PAGES, (unsigned)slot, v);
		pf_builder_u64(b, KBYTES, (unsigned)slot, (v * PAGE_KB) << order);
		free_kb += (v * PAGE_KB) << order;
	}
	int n = snprintf(name, sizeof(name), "%.*s::node%.*s", (int)zone.n, zone.p, (int)node.n, node.p);
	int slot = pf_indom_slot(zones, (struct pf_view){ name, (size_t)n }, UINT32_MAX, -1, b->sample->seq);
	if (slot < 0)
		b->oom = slot;
	else
		pf_builder_u64(b, FREE, (unsigned)slot, free_kb);
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *orders = pf_catalog_domain_of(b->catalog, b->base + PAGES);
	struct pf_indom *zones = pf_catalog_domain_of(b->catalog, b->base + FREE);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (orders && zones && pf_scan_line(&rest, &line))
		zone_line(&line, b, orders, zones);
}

/* "Normal::order3::node0" is of "Normal::node0". */
static bool zone_name(const char *order, char name[PF_NAME_MAX])
{
	const char *first = strstr(order, "::");
	const char *second = first ? strstr(first + 2, "::") : NULL;
	if (!second || strncmp(first, "::order", 7) != 0)
		return false;
	(void)snprintf(name, PF_NAME_MAX, "%.*s%s", (int)(first - order), order, second);
	return true;
}

/* PCP has no sum of a zone. */
static void complete(struct pf_builder *b)
{
	struct pf_indom *orders = pf_catalog_domain_of(b->catalog, b->base + PAGES);
	struct pf_indom *zones = pf_catalog_domain_of(b->catalog, b->base + FREE);
	struct pf_sample *s = b->sample;
	char name[PF_NAME_MAX];
	for (unsigned slot = 0; zones && slot < zones->n; slot++) {
		if (pf_sample_has(s, b->base + FREE, slot))
			return;
	}
	for (unsigned slot = 0; orders && zones && slot < orders->n; slot++) {
		if (!pf_sample_has(s, b->base + KBYTES, slot) || !zone_name(orders->instances[slot].name, name))
			continue;
		int zone = pf_builder_instance(b, zones, pf_view_of(name), -1);
		if (zone < 0)
			return;
		uint64_t kb = pf_sample_get(s, b->base + KBYTES, slot).u;
		if (pf_sample_has(s, b->base + FREE, (unsigned)zone))
			kb += pf_sample_get(s, b->base + FREE, (unsigned)zone).u;
		pf_builder_u64(b, FREE, (unsigned)zone, kb);
	}
}

static const struct pf_row rows[] = {
	{ .path = "proc/buddyinfo", .tag = "buddy", .parse = parse },
};

/* One column for each order, as macros of the order's name and of the heading. */
#define ORDERS(X)                                                                                                      \
	X("order0", "1Page"), X("order1", "2Pages"), X("order2", "4Pages"), X("order3", "8Pages"),                     \
		X("order4", "16Pages"), X("order5", "32Pages"), X("order6", "64Pages"), X("order7", "128Pages"),       \
		X("order8", "256Pages"), X("order9", "512Pages"), X("order10", "1024Pages")
#define BLOCKS(order) .calc = PF_CALC_VALUE, .num = PF_SUM(PAGES), .cell = order
#define DIGIT(order, heading)                                                                                          \
	{                                                                                                              \
		BLOCKS(order), .draw = PF_DRAW_DIGIT                                                                   \
	}
#define WIDE(order, heading)                                                                                           \
	{                                                                                                              \
		BLOCKS(order), .width = 8                                                                              \
	}
#define PLOT(order, heading)                                                                                           \
	{                                                                                                              \
		.name = heading, BLOCKS(order)                                                                         \
	}
#define ZONE .calc = PF_CALC_NAME, .num = PF_SUM(FREE)

/* clang-format off */
static const struct pf_column brief[] = {
	ORDERS(DIGIT),
	{ .calc = PF_CALC_ZERO, .draw = PF_DRAW_NONE, .after = " " },
};

static const struct pf_column verbose[] = { ORDERS(WIDE) };

static const struct pf_column detail[] = {
	{ .before = " ", ZONE, .part = 2, .draw = PF_DRAW_RIGHT, .width = 4 },
	{ .before = "  ", ZONE, .part = 1, .draw = PF_DRAW_RIGHT, .width = 6, .after = " " },
	ORDERS(WIDE),
};

static const struct pf_column plot[] = { ORDERS(PLOT) };

static const struct pf_column plot_detail[] = {
	{ .name = "Node", ZONE, .part = 2 },
	{ .name = "Zone", ZONE, .part = 1 },
	ORDERS(PLOT),
};

#define ROWS  .rows = PF_METRIC(FREE)
#define SIZES "     1Pg    2Pgs    4Pgs    8Pgs   16Pgs   32Pgs   64Pgs  128Pgs  256Pgs  512Pgs 1024Pgs"

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'b', ROWS, .unless = PF_WITH_FRAGMENTS, .head1 = "<--Memory-->", .head2 = "  Fragments ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, .letter = 'b', ROWS, .when = PF_WITH_FRAGMENTS, .head1 = "", .head2 = "  Fragments ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'b', ROWS, .title = "MEMORY FRAGMENTATION SUMMARY (4K pages)", .head2 = SIZES, .lead = " ",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'B', ROWS, .title = "MEMORY FRAGMENTATION (4K pages)", .head2 = "Node    Zone " SIZES,
	  .strip = "node", .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'b', ROWS, .label = "BUD", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'B', ROWS, .label = "BUD:", .strip = "node",
	  .columns = plot_detail, .n_columns = PF_N(plot_detail) },
};
/* clang-format on */

const struct pf_group pf_group_buddy = {
	.letters = "bB",
	.name = "buddy",
	.plot_file = "bud",
	.what = "free memory by the size of its blocks",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.complete = complete,
};

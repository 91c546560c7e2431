/* groups/slab.c - caches of the kernel's object allocator. Source: /proc/slabinfo, slabinfo(5); columns: spec collectl-data sections 5 and
 * 6, metrics: PCP 6.0.3. Read at the second interval; only root may read it. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { OBJ_ACTIVE, OBJ_TOTAL, OBJ_SIZE, SLAB_ACTIVE, SLAB_TOTAL, PAGES, PER_SLAB, BYTES, N_METRICS };

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define SLAB(item)	     LINUX(20, item), PF_INDOM(PF_DOMAIN_LINUX, 12)

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[OBJ_ACTIVE] = { "mem.slabinfo.objects.active", SLAB(0), PF_U64, PF_INSTANT, PF_UNITS_NONE, "objects in use" },
	[OBJ_TOTAL] = { "mem.slabinfo.objects.total", SLAB(1), PF_U64, PF_INSTANT, PF_UNITS_NONE, "objects allocated" },
	[OBJ_SIZE] = { "mem.slabinfo.objects.size", SLAB(2), PF_U32, PF_INSTANT, PF_UNITS_BYTE, "bytes of an object" },
	[SLAB_ACTIVE] = { "mem.slabinfo.slabs.active", SLAB(3), PF_U32, PF_INSTANT, PF_UNITS_NONE, "slabs with objects in use" },
	[SLAB_TOTAL] = { "mem.slabinfo.slabs.total", SLAB(4), PF_U32, PF_INSTANT, PF_UNITS_NONE, "slabs allocated" },
	[PAGES] = { "mem.slabinfo.slabs.pages_per_slab", SLAB(5), PF_U32, PF_INSTANT, PF_UNITS_NONE, "pages of a slab" },
	[PER_SLAB] = { "mem.slabinfo.slabs.objects_per_slab", SLAB(6), PF_U32, PF_INSTANT, PF_UNITS_NONE, "objects of a slab" },
	[BYTES] = { "mem.slabinfo.slabs.total_size", SLAB(7), PF_U64, PF_INSTANT, PF_UNITS_BYTE, "bytes of all slabs" },
};
/* clang-format on */

/* "name active total size per_slab pages : tunables 0 0 0 : slabdata active total shared" */
static void slab_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom)
{
	static const unsigned front[] = { OBJ_ACTIVE, OBJ_TOTAL, OBJ_SIZE, PER_SLAB, PAGES };
	uint64_t v[N_METRICS] = { 0 };
	struct pf_view name = pf_scan_word(line);
	if (name.n == 0 || name.p[0] == '#')
		return;
	for (unsigned i = 0; i < PF_N(front); i++) {
		if (pf_scan_u64(line, &v[front[i]]) != PF_SCAN_OK) {
			pf_builder_fail(b);
			return;
		}
	}
	struct pf_view word = pf_scan_word(line);
	while (word.n > 0 && !pf_view_is(word, "slabdata"))
		word = pf_scan_word(line);
	if (pf_scan_u64(line, &v[SLAB_ACTIVE]) != PF_SCAN_OK || pf_scan_u64(line, &v[SLAB_TOTAL]) != PF_SCAN_OK) {
		pf_builder_fail(b);
		return;
	}
	int slot = pf_builder_instance(b, dom, name, -1);
	if (slot < 0)
		return;
	v[BYTES] = v[SLAB_TOTAL] * v[PAGES] * (uint64_t)(b->page_size > 0 ? b->page_size : 4096);
	for (unsigned m = 0; m < N_METRICS; m++)
		pf_builder_u64(b, m, (unsigned)slot, v[m]);
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (dom && pf_scan_line(&rest, &line))
		slab_line(&line, b, dom);
}

static bool keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	if (!filter || !filter->slabs)
		return true;
	for (unsigned i = 0; filter->slabs[i]; i++) {
		if (pf_view_starts(*line, filter->slabs[i]))
			return true;
	}
	return false;
}

static const struct pf_row rows[] = {
	{ .path = "proc/slabinfo", .tag = "Slab", .skip_lines = 2, .keep = keep, .choosy = true, .parse = parse },
};

#define VALUE(m)     .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define OBJ_BYTES(m) .calc = PF_CALC_PRODUCT, .num = PF_SUM(m, OBJ_SIZE)
#define USED_BYTES   .calc = PF_CALC_PRODUCT, .num = PF_SUM(SLAB_ACTIVE, BYTES), .den = PF_SUM(SLAB_TOTAL)
#define DIFF	     .calc = PF_CALC_CHANGE, .num = { .n = 1, .undivided = 1, .metric = { BYTES } }
#define PERCENT	     .calc = PF_CALC_GROWTH, .num = PF_SUM(BYTES)
#define CVT(w)	     .draw = PF_DRAW_CVT, .width = w
#define CVT_BYTES(w) .draw = PF_DRAW_CVT, .width = w, .div1024 = 1

/* clang-format off */
static const struct pf_column verbose[] = {
	{ .before = " ", VALUE(OBJ_ACTIVE), CVT(7) },
	{ .before = " ", OBJ_BYTES(OBJ_ACTIVE), CVT_BYTES(7) },
	{ .before = "  ", VALUE(OBJ_TOTAL), CVT(7) },
	{ .before = " ", OBJ_BYTES(OBJ_TOTAL), CVT_BYTES(7) },
	{ .before = "  ", VALUE(SLAB_ACTIVE), CVT(6) },
	{ .before = " ", USED_BYTES, CVT_BYTES(7) },
	{ .before = "  ", VALUE(SLAB_TOTAL), CVT(6) },
	{ .before = " ", VALUE(BYTES), CVT_BYTES(7) },
	{ .before = " ", .calc = PF_CALC_USED, .num = PF_SUM(SLAB_TOTAL), CVT(6) },
	{ .before = " ", .calc = PF_CALC_COUNT, .num = PF_SUM(SLAB_TOTAL), CVT(6) },
};

static const struct pf_column detail[] = {
	{ .calc = PF_CALC_NAME, .num = PF_SUM(OBJ_ACTIVE), .draw = PF_DRAW_LEFT, .width = 25 },
	{ .before = " ", VALUE(OBJ_ACTIVE), CVT(6), .fill = 7 },
	{ .before = " ", OBJ_BYTES(OBJ_ACTIVE), CVT_BYTES(7) },
	{ .before = "  ", VALUE(OBJ_TOTAL), CVT(6) },
	{ .before = " ", OBJ_BYTES(OBJ_TOTAL), CVT_BYTES(7) },
	{ .before = "  ", VALUE(SLAB_ACTIVE), CVT(6) },
	{ .before = " ", USED_BYTES, CVT_BYTES(7) },
	{ .before = "  ", VALUE(SLAB_TOTAL), CVT(6), .hides = 's' },
	{ .before = " ", VALUE(BYTES), CVT_BYTES(7) },
	{ .before = " ", DIFF, CVT_BYTES(7), .fill = 6, .hides = 'S' },
	{ .before = " ", PERCENT, .draw = PF_DRAW_FIXED, .width = 6, .decimals = 1 },
};

static const struct pf_column top[] = {
	{ VALUE(OBJ_TOTAL), CVT(6), .fill = 7 },
	{ .before = " ", VALUE(OBJ_ACTIVE), CVT(6), .fill = 7 },
	{ .before = "  ", VALUE(OBJ_SIZE), CVT(6), .fill = 7 },
	{ .before = "  ", VALUE(SLAB_TOTAL), CVT(6), .fill = 7 },
	{ .before = "  ", VALUE(PER_SLAB), CVT(6), .fill = 8 },
	{ .before = "  ", VALUE(BYTES), .draw = PF_DRAW_CVT, .width = 4, .fill = 7, .div1024 = 1 },
	{ .before = "  ", DIFF, .draw = PF_DRAW_CVT, .width = 4, .fill = 6, .div1024 = 1 },
	{ .before = "  ", PERCENT, .draw = PF_DRAW_FIXED, .width = 6, .decimals = 1 },
	{ .before = "  ", .calc = PF_CALC_NAME, .num = PF_SUM(OBJ_ACTIVE), .draw = PF_DRAW_LEFT },
};

static const struct pf_column slabs_shown = { VALUE(SLAB_TOTAL) };

static const struct pf_sort_key sort_keys[] = {
	{ .name = "numobj", .what = "objects", .column = { VALUE(OBJ_TOTAL) } },
	{ .name = "actobj", .what = "objects in use", .column = { VALUE(OBJ_ACTIVE) } },
	{ .name = "objsize", .what = "bytes of an object", .column = { VALUE(OBJ_SIZE) } },
	{ .name = "numslab", .what = "slabs", .column = { VALUE(SLAB_TOTAL) } },
	{ .name = "objslab", .what = "objects of a slab", .column = { VALUE(PER_SLAB) } },
	{ .name = "totsize", .what = "bytes of all slabs", .column = { VALUE(BYTES) } },
	{ .name = "totchg", .what = "change in bytes, either way", .column = { DIFF }, .absolute = true },
	{ .name = "totpct", .what = "change in percent, either way", .column = { PERCENT }, .absolute = true },
	{ .name = "name", .what = "name, ascending", .column = { VALUE(BYTES) }, .by_name = true },
};

static const struct pf_column plot[] = {
	{ .name = "ObjInUse", VALUE(OBJ_ACTIVE) },
	{ .name = "ObjInUseB", OBJ_BYTES(OBJ_ACTIVE) },
	{ .name = "ObjAll", VALUE(OBJ_TOTAL) },
	{ .name = "ObjAllB", OBJ_BYTES(OBJ_TOTAL) },
	{ .name = "InUse", VALUE(SLAB_ACTIVE) },
	{ .name = "InUseB", USED_BYTES },
	{ .name = "All", VALUE(SLAB_TOTAL) },
	{ .name = "AllB", VALUE(BYTES) },
	{ .name = "CacheInUse", .calc = PF_CALC_USED, .num = PF_SUM(SLAB_TOTAL) },
	{ .name = "CacheTotal", .calc = PF_CALC_COUNT, .num = PF_SUM(SLAB_TOTAL) },
};

static const struct pf_column plot_detail[] = {
	{ .name = "SlabName", .calc = PF_CALC_NAME, .num = PF_SUM(OBJ_ACTIVE), .draw = PF_DRAW_LEFT },
	{ .name = "ObjInUse", VALUE(OBJ_ACTIVE) },
	{ .name = "ObjInUseB", OBJ_BYTES(OBJ_ACTIVE) },
	{ .name = "ObjAll", VALUE(OBJ_TOTAL) },
	{ .name = "ObjAllB", OBJ_BYTES(OBJ_TOTAL) },
	{ .name = "SlabInUse", VALUE(SLAB_ACTIVE) },
	{ .name = "SlabInUseB", USED_BYTES },
	{ .name = "SlabAll", VALUE(SLAB_TOTAL), .hides = 's' },
	{ .name = "SlabAllB", VALUE(BYTES) },
	{ .name = "SlabChg", DIFF, .hides = 'S' },
	{ .name = "SlabPct", PERCENT },
};

static const struct pf_column analysis[] = {
	{ .calc = PF_CALC_NAME, .num = PF_SUM(OBJ_ACTIVE), .draw = PF_DRAW_LEFT, .width = 20, .fold = PF_OVER_TEXT },
	{ .before = "  ", VALUE(BYTES), .width = 10, .fold = PF_OVER_FIRST },
	{ .before = "  ", VALUE(BYTES), .width = 10, .fold = PF_OVER_LAST },
	{ .before = "  ", VALUE(BYTES), .width = 10, .fold = PF_OVER_LEAST },
	{ .before = "  ", VALUE(BYTES), .width = 10, .fold = PF_OVER_MOST, .hides = 's' },
	{ .before = "  ", VALUE(BYTES), .width = 8, .fold = PF_OVER_RANGE },
	{ .before = "  ", VALUE(BYTES), .draw = PF_DRAW_FIXED, .width = 8, .decimals = 2, .fold = PF_OVER_GROWTH },
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_ANALYSIS, .letter = 'Y', .file = "slbs", .sort = PF_SORT_NAME, .columns = analysis, .n_columns = PF_N(analysis),
	  .head1 = "Slab Name                  Start         End     Minimum     Maximum    Change       Pct" },
	{ .view = PF_VIEW_VERBOSE, .letter = 'y', .title = "SLAB SUMMARY",
	  .head1 = "<------------Objects------------><--------Slab Allocation-------><--Caches--->",
	  .head2 = "  InUse   Bytes    Alloc   Bytes   InUse   Bytes   Total   Bytes  InUse  Total",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'Y', .when = PF_FOR_TOP, .title = "TOP SLABS", .each = true,
	  .head2 = "NumObj  ActObj  ObjSize  NumSlab  Obj/Slab  TotSize  TotChg  TotPct  Name",
	  .columns = top, .n_columns = PF_N(top), .shown_if = &slabs_shown },
	{ .view = PF_VIEW_VERBOSE, .letter = 'Y', .unless = PF_FOR_TOP, .title = "SLAB DETAIL", .sort = PF_SORT_NAME, .each = true,
	  .head1 = "                           <-----------Objects----------><---------Slab Allocation------><---Change-->",
	  .head2 = "Name                       InUse   Bytes   Alloc   Bytes   InUse   Bytes   Total   Bytes   Diff    Pct",
	  .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'y', .label = "SLAB", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'Y', .each = true, .columns = plot_detail, .n_columns = PF_N(plot_detail) },
};
/* clang-format on */

const struct pf_group pf_group_slab = {
	.letters = "yY",
	.name = "slabs",
	.plot_file = "slb",
	.what = "caches of kernel objects, at the second interval; root only",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.sort_keys = sort_keys,
	.n_sort_keys = PF_N(sort_keys),
	.period = PF_SECOND_INTERVAL,
};

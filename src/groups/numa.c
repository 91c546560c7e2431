/* groups/numa.c - memory of each node. Source: /sys/devices/system/node/nodeN/{meminfo,numastat}, kernel
 * Documentation/admin-guide/numastat.rst; columns: spec collectl-data sections 5 and 6, metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include <stdio.h>

#include "base/cleanup.h"

/* X(index, key, metric, PMID item, units) in the order of Linux 6.18. */
/* clang-format off */
#define MEMORY(X) \
	X(TOTAL, "MemTotal", "total", 0, KBYTE) \
	X(FREE, "MemFree", "free", 1, KBYTE) \
	X(USED, "MemUsed", "used", 2, KBYTE) \
	X(ACTIVE, "Active", "active", 3, KBYTE) \
	X(INACTIVE, "Inactive", "inactive", 4, KBYTE) \
	X(ACTIVE_ANON, "Active(anon)", "active_anon", 5, KBYTE) \
	X(INACTIVE_ANON, "Inactive(anon)", "inactive_anon", 6, KBYTE) \
	X(ACTIVE_FILE, "Active(file)", "active_file", 7, KBYTE) \
	X(INACTIVE_FILE, "Inactive(file)", "inactive_file", 8, KBYTE) \
	X(UNEVICTABLE, "Unevictable", "unevictable", 13, KBYTE) \
	X(MLOCKED, "Mlocked", "mlocked", 14, KBYTE) \
	X(DIRTY, "Dirty", "dirty", 15, KBYTE) \
	X(WRITEBACK, "Writeback", "writeback", 16, KBYTE) \
	X(FILE_PAGES, "FilePages", "filePages", 17, KBYTE) \
	X(MAPPED, "Mapped", "mapped", 18, KBYTE) \
	X(ANONPAGES, "AnonPages", "anonpages", 19, KBYTE) \
	X(SHMEM, "Shmem", "shmem", 20, KBYTE) \
	X(KERNEL_STACK, "KernelStack", "kernelStack", 21, KBYTE) \
	X(PAGE_TABLES, "PageTables", "pageTables", 22, KBYTE) \
	X(NFS_UNSTABLE, "NFS_Unstable", "NFS_Unstable", 23, KBYTE) \
	X(BOUNCE, "Bounce", "bounce", 24, KBYTE) \
	X(WRITEBACK_TMP, "WritebackTmp", "writebackTmp", 25, KBYTE) \
	X(SLAB, "Slab", "slab", 26, KBYTE) \
	X(SLAB_RECLAIMABLE, "SReclaimable", "slabReclaimable", 27, KBYTE) \
	X(SLAB_UNRECLAIMABLE, "SUnreclaim", "slabUnreclaimable", 28, KBYTE) \
	X(HUGEPAGES_TOTAL, "HugePages_Total", "hugepagesTotal", 29, COUNT) \
	X(HUGEPAGES_FREE, "HugePages_Free", "hugepagesFree", 30, COUNT) \
	X(HUGEPAGES_SURP, "HugePages_Surp", "hugepagesSurp", 31, COUNT) \
	X(HIGH_TOTAL, "HighTotal", "highTotal", 9, KBYTE) \
	X(HIGH_FREE, "HighFree", "highFree", 10, KBYTE) \
	X(LOW_TOTAL, "LowTotal", "lowTotal", 11, KBYTE) \
	X(LOW_FREE, "LowFree", "lowFree", 12, KBYTE)

#define ALLOCATIONS(X) \
	X(HIT, "numa_hit", "hit", 32) \
	X(MISS, "numa_miss", "miss", 33) \
	X(FOREIGN, "numa_foreign", "foreign", 34) \
	X(INTERLEAVE_HIT, "interleave_hit", "interleave_hit", 35) \
	X(LOCAL_NODE, "local_node", "local_node", 36) \
	X(OTHER_NODE, "other_node", "other_node", 37)

#define INDEX(index, ...) index,
enum { MEMORY(INDEX) ANONHUGEPAGES, N_MEMORY, BEFORE_ALLOCATIONS = N_MEMORY - 1, ALLOCATIONS(INDEX) N_METRICS };

#define UTIL(index, key, name, item, units) \
	[index] = { "mem.numa.util." name, PF_PMID(PF_DOMAIN_LINUX, 36, item), PF_INDOM_NODE, PF_U64, PF_INSTANT, PF_UNITS_##units, key " of a node" },
#define ALLOC(index, key, name, item) \
	[index] = { "mem.numa.alloc." name, PF_PMID(PF_DOMAIN_LINUX, 36, item), PF_INDOM_NODE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, key " of a node" },
static const struct pf_metric metrics[N_METRICS] = {
	MEMORY(UTIL)
	[ANONHUGEPAGES] = { "perfolio.numa.anonhugepages", PF_PMID_OWN(3), PF_INDOM_NODE, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "AnonHugePages of a node" },
	ALLOCATIONS(ALLOC)
};

#define KEY(index, key, ...) [index] = { key, sizeof(key) - 1 },
static const struct pf_view keys[N_METRICS] = { MEMORY(KEY) [ANONHUGEPAGES] = { "AnonHugePages", 13 }, ALLOCATIONS(KEY) };
/* clang-format on */

/* "Node 0 KEY" with or without a colon; the metric is one of @from to @to. Where the key of the line before was found tells where to look. */
static void node_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom, unsigned from, unsigned to)
{
	char name[24];
	uint64_t id = 0;
	if (!pf_view_is(pf_scan_word(line), "Node") || pf_scan_u64(line, &id) != PF_SCAN_OK || id > INT16_MAX)
		return;
	struct pf_view key = pf_scan_word(line);
	if (key.n > 0 && key.p[key.n - 1] == ':')
		key.n--;
	unsigned expected = b->n_columns >= from && b->n_columns < to ? b->n_columns : from;
	for (unsigned i = 0; i < to - from; i++) {
		unsigned m = from + (expected - from + i) % (to - from);
		if (keys[m].n != key.n || memcmp(keys[m].p, key.p, key.n) != 0)
			continue;
		int n = snprintf(name, sizeof(name), "node%u", (unsigned)id);
		int slot = pf_builder_instance(b, dom, (struct pf_view){ name, (size_t)n }, (int32_t)id);
		if (slot < 0)
			return;
		b->line_hint = (unsigned)slot;
		b->n_columns = m + 1;
		(void)pf_scan_value(line, b, m, (unsigned)slot);
		return;
	}
}

static void lines(struct pf_view text, struct pf_builder *b, unsigned from, unsigned to)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + FREE);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (dom && pf_scan_line(&rest, &line))
		node_line(&line, b, dom, from, to);
}

static void memory_parse(struct pf_view text, struct pf_builder *b)
{
	lines(text, b, TOTAL, N_MEMORY);
}

static void allocations_parse(struct pf_view text, struct pf_builder *b)
{
	lines(text, b, HIT, N_METRICS);
}

/* collectl leaves out the first line. */
static bool not_total(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	return memmem(line->p, line->n, "MemTotal", sizeof("MemTotal") - 1) == NULL;
}

#define OF_EACH(file) .path = "sys/devices/system/node/node[0-9]*/" file, .once = true

static const struct pf_row rows[] = {
	{ OF_EACH("meminfo"), .tag = "numai", .keep = not_total, .parse = memory_parse },
	{ OF_EACH("numastat"), .tag = "numas", .lead = "Node * ", .parse = allocations_parse },
};

#define VALUE(...) .calc = PF_CALC_VALUE, .num = PF_SUM(__VA_ARGS__)
#define CHANGE(...)                                                                                                    \
	.calc = PF_CALC_CHANGE, .num = { .n = PF_TERM_COUNT(__VA_ARGS__), .undivided = 3, .metric = { __VA_ARGS__ } }
#define KB   .before = " ", .draw = PF_DRAW_CVT, .unit = 1, .div1024 = 1, .width = 7, .fill = 8
#define HITS .calc = PF_CALC_RATIO, .num = PF_SUM(HIT), .den = PF_SUM(HIT, FOREIGN, MISS), .scale = 100, .otherwise = 1
#define NODE                                                                                                           \
	{                                                                                                              \
		.before = "  ", .calc = PF_CALC_ID, .num = PF_SUM(FREE), .width = 4                                    \
	}

/* clang-format off */
static const struct pf_column detail[] = {
	NODE, { VALUE(USED, FREE), KB }, { VALUE(USED), KB }, { VALUE(FREE), KB }, { VALUE(SLAB), KB }, { VALUE(MAPPED), KB },
	{ VALUE(ANONPAGES), KB }, { VALUE(ANONHUGEPAGES), KB }, { VALUE(MLOCKED), KB }, { VALUE(INACTIVE), KB },
	{ .before = " ", HITS, .draw = PF_DRAW_FIXED, .width = 6, .decimals = 2 },
};

/* The peer shows AnonHugePages as it is and forgets the last column. */
static const struct pf_column changes[] = {
	NODE, { CHANGE(USED, FREE), KB }, { CHANGE(USED), KB }, { CHANGE(FREE), KB }, { CHANGE(SLAB), KB }, { CHANGE(MAPPED), KB },
	{ CHANGE(ANONPAGES), KB }, { VALUE(ANONHUGEPAGES), KB, .when = PF_AS_PEER }, { CHANGE(ANONHUGEPAGES), KB, .unless = PF_AS_PEER },
	{ CHANGE(MLOCKED), KB }, { CHANGE(INACTIVE), KB, .unless = PF_AS_PEER },
};

static const struct pf_column plot[] = {
	{ .name = "Used", VALUE(USED) },
	{ .name = "Free", VALUE(FREE) },
	{ .name = "Slab", VALUE(SLAB) },
	{ .name = "Mapped", VALUE(MAPPED) },
	{ .name = "Anon", VALUE(ANONPAGES) },
	{ .name = "AnonH", VALUE(ANONHUGEPAGES) },
	{ .name = "Inactive", VALUE(INACTIVE) },
	{ .name = "Hits", HITS, .draw = PF_DRAW_FIXED, .decimals = 2 },
};

#define EXPORTED(m, called) { .name = "numainfo." called, .units = "kb", VALUE(m) }
static const struct pf_column lexpr[] = {
	EXPORTED(USED, "used"), EXPORTED(FREE, "free"), EXPORTED(SLAB, "slab"), EXPORTED(MAPPED, "map"), EXPORTED(ANONPAGES, "anon"),
	EXPORTED(ANONHUGEPAGES, "anonH"), EXPORTED(MLOCKED, "lock"), EXPORTED(ACTIVE, "act"), EXPORTED(INACTIVE, "inact"),
};

/* The peer forgets huge pages here. */
static const struct pf_column gexpr[] = {
	EXPORTED(USED, "used"), EXPORTED(FREE, "free"), EXPORTED(SLAB, "slab"), EXPORTED(MAPPED, "map"), EXPORTED(ANONPAGES, "anon"),
	{ .name = "numainfo.anonH", .units = "kb", VALUE(ANONHUGEPAGES), .unless = PF_AS_PEER }, EXPORTED(MLOCKED, "lock"),
	EXPORTED(ACTIVE, "act"), EXPORTED(INACTIVE, "inact"),
};

#define CHANGES \
	.view = PF_VIEW_VERBOSE, .letter = 'M', .blank_time = true, .columns = changes, .n_columns = PF_N(changes), \
	.head2 = " Node    Total     Used     Free     Slab   Mapped     Anon    AnonH   Locked    Inact"

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_VERBOSE, .letter = 'M', .unless = PF_WITH_CHANGES, .title = "MEMORY STATISTICS ", .blank_time = true,
	  .head2 = " Node    Total     Used     Free     Slab   Mapped     Anon    AnonH   Locked    Inact HitPct",
	  .columns = detail, .n_columns = PF_N(detail) },
	{ CHANGES, .when = PF_WITH_CHANGES | PF_AS_PEER, .title = "MEMORY STATISTICS  changenumas" },
	{ CHANGES, .when = PF_WITH_CHANGES, .unless = PF_AS_PEER, .title = "MEMORY STATISTICS changes/int" },
	{ .view = PF_VIEW_PLOT, .letter = 'M', .label = "NUMA:", .strip = "node", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 'M', .strip = "node", .columns = lexpr, .n_columns = PF_N(lexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'M', .when = PF_GANGLIA_ALONE | PF_AS_PEER, .label = "memory", .strip = "node", .columns = gexpr, .n_columns = PF_N(gexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'M', .unless = PF_GANGLIA_ALONE, .label = "memory", .strip = "node", .columns = gexpr, .n_columns = PF_N(gexpr) },
};
/* clang-format on */

const struct pf_group pf_group_numa = {
	.letters = "M",
	.name = "numa",
	.what = "memory of each NUMA node",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

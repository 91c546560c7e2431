/* groups/inodes.c - directory entries, open files, inodes. Source: /proc/sys/fs/{dentry-state,inode-nr,file-nr}, proc(5); columns: spec
 * collectl-data sections 4 to 6, metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { DENTRIES, DENTRIES_FREE, INODES, INODES_FREE, FILES, FILES_FREE, FILES_MAX, N_METRICS };

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define LEVEL		     PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_NONE

static const struct pf_metric metrics[N_METRICS] = {
	[DENTRIES] = { "vfs.dentry.count", LINUX(27, 5), LEVEL, "directory entries in the cache" },
	[DENTRIES_FREE] = { "vfs.dentry.free", LINUX(27, 6), LEVEL, "directory entries that are not in use" },
	[INODES] = { "vfs.inodes.count", LINUX(27, 3), LEVEL, "inodes in memory" },
	[INODES_FREE] = { "vfs.inodes.free", LINUX(27, 4), LEVEL, "inodes that are not in use" },
	[FILES] = { "vfs.files.count", LINUX(27, 0), LEVEL, "open files" },
	[FILES_FREE] = { "vfs.files.free", LINUX(27, 1), LEVEL, "file handles that are allocated and free" },
	[FILES_MAX] = { "vfs.files.max", LINUX(27, 2), LEVEL, "open files that are possible" },
};

static void numbers(struct pf_view text, struct pf_builder *b, const unsigned *into, unsigned n)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	if (!pf_scan_line(&rest, &line))
		return;
	for (unsigned i = 0; i < n; i++) {
		uint64_t v = 0;
		enum pf_scan_result rc = pf_scan_u64(&line, &v);
		if (rc == PF_SCAN_NONE)
			return;
		if (rc == PF_SCAN_OK && v <= INT64_MAX)
			pf_builder_i64(b, into[i], 0, (int64_t)v);
		else
			pf_builder_fail(b);
	}
}

static void dentries_parse(struct pf_view text, struct pf_builder *b)
{
	numbers(text, b, (const unsigned[]){ DENTRIES, DENTRIES_FREE }, 2);
}

static void inodes_parse(struct pf_view text, struct pf_builder *b)
{
	numbers(text, b, (const unsigned[]){ INODES, INODES_FREE }, 2);
}

static void files_parse(struct pf_view text, struct pf_builder *b)
{
	numbers(text, b, (const unsigned[]){ FILES, FILES_FREE, FILES_MAX }, 3);
}

static const struct pf_row rows[] = {
	{ .path = "proc/sys/fs/dentry-state", .tag = "fs-ds", .parse = dentries_parse },
	{ .path = "proc/sys/fs/inode-nr", .tag = "fs-is", .parse = inodes_parse },
	{ .path = "proc/sys/fs/file-nr", .tag = "fs-fnr", .parse = files_parse },
};

#define VALUE(m)    .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define INODES_USED .calc = PF_CALC_VALUE, .num = PF_DIFFERENCE(INODES, INODES_FREE)
#define MAX_PCT	    .calc = PF_CALC_PERCENT, .num = PF_SUM(FILES), .den = PF_SUM(FILES_MAX)
#define CVT(w)	    .draw = PF_DRAW_CVT, .width = w
#define PLOT	    .draw = PF_DRAW_PLOT

/* clang-format off */
static const struct pf_column brief[] = {
	{ VALUE(FILES), CVT(6), .after = " " },
	{ INODES_USED, CVT(6), .after = " " },
};

static const struct pf_column verbose[] = {
	{ .before = "  ", VALUE(DENTRIES), CVT(7) },
	{ .before = "  ", VALUE(DENTRIES_FREE), CVT(7) },
	{ .before = "  ", VALUE(FILES), CVT(6) },
	{ .before = "   ", MAX_PCT, .draw = PF_DRAW_FIXED, .decimals = 2, .width = 5 },
	{ .before = "   ", INODES_USED, CVT(6) },
};

static const struct pf_column plot[] = {
	{ .name = "NumDentry", VALUE(DENTRIES) },
	{ .name = "openFiles", VALUE(FILES) },
	{ .name = "MaxFile%", MAX_PCT, .draw = PF_DRAW_PLOT },
	{ .name = "used", INODES_USED },
};

static const struct pf_column lexpr[] = {
	{ .name = "inodeinfo.dentrynum", VALUE(DENTRIES) }, { .name = "inodeinfo.dentryunused", VALUE(DENTRIES_FREE) },
	{ .name = "inodeinfo.filesalloc", VALUE(FILES) }, { .name = "inodeinfo.filesmax", VALUE(FILES_MAX) },
	{ .name = "inodeinfo.inodeused", INODES_USED },
};

static const struct pf_column gexpr[] = {
	{ .name = "inodeinfo.dentnum", .units = "dentrynum", VALUE(DENTRIES) },
	{ .name = "inodeinfo.dentunused", .units = "dentryunused", VALUE(DENTRIES_FREE) },
	{ .name = "inodeinfo.fhandalloc", .units = "filesalloc", VALUE(FILES) },
	{ .name = "inodeinfo.fhandmpct", .units = "filesmax", VALUE(FILES_MAX) },
	{ .name = "inodeinfo.inodenum", .units = "inodeused", INODES_USED },
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'i', .head1 = "<----Files--->", .head2 = "Handle Inodes ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'i', .title = "INODE SUMMARY",
	  .head1 = "     Dentries       File Handles    Inodes", .head2 = "  Number   Unused   Alloc  MaxPct   Number",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_PLOT, .letter = 'i', .label = "INODE", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 'i', .columns = lexpr, .n_columns = PF_N(lexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'i', .unless = PF_GANGLIA_ALONE, .label = "inode", .columns = gexpr, .n_columns = PF_N(gexpr) },
};
/* clang-format on */

const struct pf_group pf_group_inodes = {
	.letters = "i",
	.name = "inodes",
	.what = "directory entries, open files, inodes",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

/* groups/filesystems.c - space and files of mounted devices, and facts about devices. Sources: /proc/mounts and statfs(2), as text that
 * sources/asked.c makes; /sys/block, kernel Documentation/ABI/stable/sysfs-block, admin-guide/blockdev/zram.rst. Metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum {
	CAPACITY,
	USED,
	FREE,
	MAX_FILES,
	USED_FILES,
	FREE_FILES,
	MOUNT_DIR,
	FULL,
	BLOCK_SIZE,
	AVAILABLE,
	READ_ONLY,
	N_FILESYSTEMS,
	SCHEDULER,
	ZRAM_CAPACITY,
	ZRAM_ORIGINAL,
	ZRAM_COMPRESSED,
	N_METRICS
};

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define INDOM_FILESYS	     PF_INDOM(PF_DOMAIN_LINUX, 5)
#define INDOM_DISK	     PF_INDOM(PF_DOMAIN_LINUX, 1)
#define INDOM_ZRAM	     PF_INDOM(PF_DOMAIN_LINUX, 38)

/* clang-format off */
#define FILESYS(index, name, item, ...) [index] = { "filesys." name, LINUX(5, item), INDOM_FILESYS, __VA_ARGS__ }
static const struct pf_metric metrics[N_METRICS] = {
	FILESYS(CAPACITY, "capacity", 1, PF_U64, PF_DISCRETE, PF_UNITS_KBYTE, "size"),
	FILESYS(USED, "used", 2, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "in use"),
	FILESYS(FREE, "free", 3, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "not in use"),
	FILESYS(MAX_FILES, "maxfiles", 4, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "files that are possible"),
	FILESYS(USED_FILES, "usedfiles", 5, PF_U32, PF_INSTANT, PF_UNITS_NONE, "files"),
	FILESYS(FREE_FILES, "freefiles", 6, PF_U32, PF_INSTANT, PF_UNITS_NONE, "files that can still be made"),
	FILESYS(MOUNT_DIR, "mountdir", 7, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "where it is mounted"),
	FILESYS(FULL, "full", 8, PF_DOUBLE, PF_INSTANT, PF_UNITS_NONE, "percent of what users can have that is in use"),
	FILESYS(BLOCK_SIZE, "blocksize", 9, PF_U32, PF_INSTANT, PF_UNITS_BYTE, "of a block"),
	FILESYS(AVAILABLE, "avail", 10, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "what users other than root can still have"),
	FILESYS(READ_ONLY, "readonly", 11, PF_U32, PF_INSTANT, PF_UNITS_NONE, "1: it cannot be written"),
	[N_FILESYSTEMS] = { "hinv.nfilesys", LINUX(5, 0), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_COUNT, "mounted devices" },
	[SCHEDULER] = { "disk.dev.scheduler", LINUX(0, 59), INDOM_DISK, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "which orders the requests" },
	[ZRAM_CAPACITY] = { "zram.capacity", LINUX(86, 16), INDOM_ZRAM, PF_U64, PF_DISCRETE, PF_UNITS_KBYTE, "size of the device" },
	[ZRAM_ORIGINAL] = { "zram.mm_stat.data_size.original", LINUX(88, 0), INDOM_ZRAM, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "what is stored" },
	[ZRAM_COMPRESSED] = { "zram.mm_stat.data_size.compressed", LINUX(88, 1), INDOM_ZRAM, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "what it takes" },
};
/* clang-format on */

static int slot_of(struct pf_builder *b, unsigned metric, struct pf_view name)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + metric);
	return dom && name.n > 0 ? pf_builder_instance(b, dom, name, -1) : -1;
}

enum { BSIZE, BLOCKS, BFREE, BAVAIL, FILES, FFREE, RO, N_NUMBERS };

static uint64_t kilobytes(const uint64_t *v, uint64_t blocks)
{
	uint64_t bytes;
	return __builtin_mul_overflow(v[BSIZE], blocks, &bytes) ? UINT64_MAX / 1024 : bytes / 1024;
}

static uint64_t within_32(uint64_t v)
{
	return v > UINT32_MAX ? UINT32_MAX : v;
}

static void put_numbers(struct pf_builder *b, unsigned slot, const uint64_t *v)
{
	uint64_t used = v[BLOCKS] > v[BFREE] ? v[BLOCKS] - v[BFREE] : 0;
	pf_builder_u64(b, CAPACITY, slot, kilobytes(v, v[BLOCKS]));
	pf_builder_u64(b, USED, slot, kilobytes(v, used));
	pf_builder_u64(b, FREE, slot, kilobytes(v, v[BFREE]));
	pf_builder_u64(b, AVAILABLE, slot, kilobytes(v, v[BAVAIL]));
	pf_builder_u64(b, MAX_FILES, slot, within_32(v[FILES]));
	pf_builder_u64(b, USED_FILES, slot, within_32(v[FILES] > v[FFREE] ? v[FILES] - v[FFREE] : 0));
	pf_builder_u64(b, FREE_FILES, slot, within_32(v[FFREE]));
	pf_builder_u64(b, BLOCK_SIZE, slot, within_32(v[BSIZE]));
	pf_builder_u64(b, READ_ONLY, slot, v[RO]);
	double all = (double)used + (double)v[BAVAIL];
	if (all > 0)
		pf_builder_double(b, FULL, slot, 100 * (double)used / all);
}

/* "/dev/sda1 4096 BLOCKS FREE AVAILABLE FILES FREE 0 /mount point" */
static void mounts_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view device = pf_scan_word(&line);
		uint64_t v[N_NUMBERS];
		unsigned n = 0;
		while (n < N_NUMBERS && pf_scan_u64(&line, &v[n]) == PF_SCAN_OK)
			n++;
		int slot = n == N_NUMBERS ? slot_of(b, CAPACITY, device) : -1;
		if (slot < 0)
			continue;
		pf_scan_add(b, N_FILESYSTEMS, 1);
		put_numbers(b, (unsigned)slot, v);
		pf_scan_blanks(&line);
		pf_builder_str(b, MOUNT_DIR, (unsigned)slot, (struct pf_view){ line.p, (size_t)(line.end - line.p) });
	}
}

/* "none [mq-deadline] kyber". Which devices are disks another group says, in the same sample. */
static void scheduler_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *disks = pf_catalog_domain_of(b->catalog, b->base + SCHEDULER);
	const char *from = text.n > 0 ? memchr(text.p, '[', text.n) : NULL;
	const char *to = from ? memchr(from, ']', text.n - (size_t)(from - text.p)) : NULL;
	int slot = to && disks ? pf_indom_find(disks, b->parts[0], b->line_hint) : -1;
	if (slot >= 0 && disks->instances[slot].seen == b->sample->seq)
		pf_builder_str(b, SCHEDULER, (unsigned)slot, (struct pf_view){ from + 1, (size_t)(to - from - 1) });
}

static int zram_slot(struct pf_builder *b)
{
	char name[16] = "zram";
	size_t n = b->parts[0].n;
	if (n > sizeof(name) - 4)
		return -1;
	memcpy(name + 4, b->parts[0].p, n);
	return slot_of(b, ZRAM_CAPACITY, (struct pf_view){ name, n + 4 });
}

/* @divide: of bytes or sectors into Kbytes */
static void zram_value(struct pf_scan *line, struct pf_builder *b, int slot, unsigned metric, unsigned divide)
{
	uint64_t v;
	if (slot >= 0 && pf_scan_u64(line, &v) == PF_SCAN_OK)
		pf_builder_u64(b, metric, (unsigned)slot, v / divide);
}

static void zram_size_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	if (pf_scan_line(&rest, &line))
		zram_value(&line, b, zram_slot(b), ZRAM_CAPACITY, 2);
}

static void zram_memory_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	if (!pf_scan_line(&rest, &line))
		return;
	int slot = zram_slot(b);
	zram_value(&line, b, slot, ZRAM_ORIGINAL, 1024);
	zram_value(&line, b, slot, ZRAM_COMPRESSED, 1024);
}

static const struct pf_row rows[] = {
	{ .path = "perfolio/asked/mounts", .made = true, .tag = "asked-mounts", .parse = mounts_parse },
	{ .path = "sys/block/*/queue/scheduler", .optional = true, .parse = scheduler_parse },
	{ .path = "sys/block/zram[0-9]*/size", .optional = true, .parse = zram_size_parse },
	{ .path = "sys/block/zram[0-9]*/mm_stat", .optional = true, .parse = zram_memory_parse },
};

/* clang-format off */
#define VALUE(m) .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define KB(m)	 { .before = " ", VALUE(m), .draw = PF_DRAW_CVT, .unit = 1, .div1024 = 1, .width = 7 }
static const struct pf_column verbose[] = {
	KB(CAPACITY), KB(USED), KB(AVAILABLE),
	{ .before = " ", VALUE(FULL), .draw = PF_DRAW_FIXED, .width = 6, .decimals = 2 },
	{ .before = " ", VALUE(USED_FILES), .draw = PF_DRAW_CVT, .width = 7 },
	{ .before = " ", VALUE(FREE_FILES), .draw = PF_DRAW_CVT, .width = 7 },
	{ .before = "  ", .calc = PF_CALC_TEXT, .num = PF_SUM(MOUNT_DIR), .draw = PF_DRAW_LEFT },
};

static const struct pf_column plot[] = {
	{ .name = "Name", .calc = PF_CALC_NAME, .num = PF_SUM(CAPACITY), .draw = PF_DRAW_LEFT },
	{ .name = "Size", VALUE(CAPACITY) }, { .name = "Used", VALUE(USED) }, { .name = "Avail", VALUE(AVAILABLE) },
	{ .name = "Files", VALUE(USED_FILES) }, { .name = "FreeFiles", VALUE(FREE_FILES) },
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_VERBOSE, .letter = 'H', .rows = PF_METRIC(CAPACITY), .title = "FILESYSTEM STATISTICS",
	  .head2 = "   Size    Used   Avail   Pct    Files    Free  MountedOn", .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_PLOT, .letter = 'H', .rows = PF_METRIC(CAPACITY), .label = "FS:", .columns = plot, .n_columns = PF_N(plot) },
};
/* clang-format on */

const struct pf_group pf_group_filesystems = {
	.letters = "hH",
	.name = "filesystems",
	.what = "space and files of mounted devices (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

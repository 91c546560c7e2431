/* groups/disk.c - block devices. Source: /proc/diskstats, kernel Documentation/admin-guide/iostats.rst; columns: spec collectl-data
 * sections 5 and 6, metrics: PCP 6.0.3.
 *
 * Sectors stay as they are (blkread ...), and the views halve their differences: halving before differencing would change printed
 * KB. The Kbyte metrics are there beside them because PCP has them. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"
#include "model/choice.h"
#include "model/remap.h"
#include "model/select.h"

/* The columns of a line behind the name, in the file's order (kernel 4.18 brought the discards, 5.5 the flushes); then what is derived. */
enum {
	READ,
	READ_MERGE,
	BLKREAD,
	READ_ACTIVE,
	WRITE,
	WRITE_MERGE,
	BLKWRITE,
	WRITE_ACTIVE,
	INFLIGHT,
	ACTIVE,
	AVEQ,
	DISCARD,
	DISCARD_MERGE,
	BLKDISCARD,
	DISCARD_ACTIVE,
	FLUSH,
	FLUSH_ACTIVE,
	N_FIELDS,
	READ_KB = N_FIELDS,
	WRITE_KB,
	DISCARD_KB,
	TOTAL,
	BLKTOTAL,
	TOTAL_KB,
	TOTAL_ACTIVE,
	N_DISK
};

enum { DEV, ALL = DEV + N_DISK, NDISK = ALL + N_DISK, N_METRICS };

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define INDOM_DISK	     PF_INDOM(PF_DOMAIN_LINUX, 1)

/* clang-format off */
/* One number of each disk and of all: items in cluster 0 with their types. */
#define COUNT PF_COUNTER, PF_UNITS_COUNT
#define KBYTES PF_COUNTER, PF_UNITS_KBYTE
#define TIME PF_COUNTER, PF_UNITS_MSEC
#define LEVEL PF_INSTANT, PF_UNITS_NONE
#define BOTH(field, word, dev, dev_type, all, all_type, kind, what) \
	[DEV + (field)] = { "disk.dev." word, LINUX(0, dev), INDOM_DISK, PF_##dev_type, kind, "each disk: " what }, \
	[ALL + (field)] = { "disk.all." word, LINUX(0, all), PF_INDOM_NONE, PF_##all_type, kind, "all disks: " what }

static const struct pf_metric metrics[N_METRICS] = {
	BOTH(READ, "read", 4, U64, 24, U64, COUNT, "reads completed"),
	BOTH(READ_MERGE, "read_merge", 49, U64, 51, U64, COUNT, "reads merged with neighbours"),
	BOTH(BLKREAD, "blkread", 6, U64, 26, U64, COUNT, "512-byte sectors read"),
	BOTH(READ_ACTIVE, "read_rawactive", 72, U32, 74, U64, TIME, "time spent in reads, each counted for itself"),
	BOTH(WRITE, "write", 5, U64, 25, U64, COUNT, "writes completed"),
	BOTH(WRITE_MERGE, "write_merge", 50, U64, 52, U64, COUNT, "writes merged with neighbours"),
	BOTH(BLKWRITE, "blkwrite", 7, U64, 27, U64, COUNT, "512-byte sectors written"),
	BOTH(WRITE_ACTIVE, "write_rawactive", 73, U32, 75, U64, TIME, "time spent in writes, each counted for itself"),
	BOTH(INFLIGHT, "inflight", 95, U32, 104, U64, LEVEL, "requests under way"),
	BOTH(ACTIVE, "avactive", 46, U32, 44, U64, TIME, "time with at least one request under way"),
	BOTH(AVEQ, "aveq", 47, U32, 45, U64, TIME, "time under way, weighted by the requests"),
	BOTH(DISCARD, "discard", 88, U64, 96, U64, COUNT, "discards completed"),
	BOTH(DISCARD_MERGE, "discard_merge", 91, U64, 99, U64, COUNT, "discards merged with neighbours"),
	BOTH(BLKDISCARD, "blkdiscard", 89, U64, 97, U64, COUNT, "512-byte sectors discarded"),
	BOTH(DISCARD_ACTIVE, "discard_rawactive", 92, U32, 100, U32, TIME, "time spent in discards, each counted for itself"),
	BOTH(FLUSH, "flush", 93, U64, 101, U64, COUNT, "flush requests completed"),
	BOTH(FLUSH_ACTIVE, "flush_rawactive", 94, U32, 102, U32, TIME, "time spent in flushes, each counted for itself"),
	BOTH(READ_KB, "read_bytes", 38, U64, 41, U64, KBYTES, "Kbytes read"),
	BOTH(WRITE_KB, "write_bytes", 39, U64, 42, U64, KBYTES, "Kbytes written"),
	BOTH(DISCARD_KB, "discard_bytes", 90, U64, 98, U64, KBYTES, "Kbytes discarded"),
	BOTH(TOTAL, "total", 28, U64, 29, U64, COUNT, "reads and writes completed"),
	BOTH(BLKTOTAL, "blktotal", 36, U64, 37, U64, COUNT, "512-byte sectors read and written"),
	BOTH(TOTAL_KB, "total_bytes", 40, U64, 43, U64, KBYTES, "Kbytes read and written"),
	BOTH(TOTAL_ACTIVE, "total_rawactive", 79, U32, 80, U64, TIME, "time spent in reads and writes, each counted for itself"),
	[NDISK] = { "hinv.ndisk", LINUX(0, 33), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "disks" },
};
/* clang-format on */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* The length of the run of @is at @i. */
static size_t run(struct pf_view v, size_t i, bool (*is)(char c))
{
	size_t n = 0;
	while (i + n < v.n && is(v.p[i + n]))
		n++;
	return n;
}

/* @prefix followed by at least one of @is and nothing else. */
static bool is_prefix_run(struct pf_view v, const char *prefix, bool (*is)(char c))
{
	size_t n = strlen(prefix);
	return v.n > n && pf_view_starts(v, prefix) && run(v, n, is) == v.n - n;
}

/* "nvme0n1", with digits behind both letters. */
static bool is_nvme(struct pf_view v)
{
	if (!pf_view_starts(v, "nvme"))
		return false;
	size_t a = run(v, 4, is_digit);
	if (a == 0 || 4 + a >= v.n || v.p[4 + a] != 'n')
		return false;
	size_t b = run(v, 5 + a, is_digit);
	return b > 0 && 5 + a + b == v.n;
}

/* "nvme0c0n1": one path of the disk nvme0n1, with digits behind all letters. */
static bool is_nvme_path(struct pf_view v)
{
	if (!pf_view_starts(v, "nvme"))
		return false;
	size_t a = 4 + run(v, 4, is_digit);
	if (a == 4 || a >= v.n || v.p[a] != 'c')
		return false;
	size_t b = a + 1 + run(v, a + 1, is_digit);
	if (b == a + 1 || b >= v.n || v.p[b] != 'n')
		return false;
	return b + 1 < v.n && b + 1 + run(v, b + 1, is_digit) == v.n;
}

/* The devices that collectl 4.3.1 records without --rawdskfilt: no partitions, md, loop, mmcblk, rbd. */
static bool in_peer_filter(struct pf_view v)
{
	return is_prefix_run(v, "vd", is_lower) || is_prefix_run(v, "sd", is_lower) || is_nvme(v) ||
	       is_prefix_run(v, "dm-", is_digit) ||
	       (v.n == 3 && pf_view_starts(v, "hd") && (v.p[2] == 'a' || v.p[2] == 'b')) ||
	       (v.n == 4 && is_prefix_run(v, "xvd", is_lower)) || is_prefix_run(v, "fio", is_lower) ||
	       is_prefix_run(v, "emcpower", is_lower) || is_prefix_run(v, "psv", is_digit);
}

/* Whole disks whose names end in digits. */
static bool is_numbered_disk(struct pf_view v)
{
	static const char *const prefixes[] = { "rbd", "mmcblk", "nbd", "pmem", "ubiblock" };
	for (unsigned i = 0; i < PF_N(prefixes); i++) {
		if (is_prefix_run(v, prefixes[i], is_digit))
			return true;
	}
	return is_nvme(v);
}

static bool in_detail(struct pf_view v, bool peer)
{
	if (in_peer_filter(v))
		return true;
	return !peer && (is_prefix_run(v, "md", is_digit) || is_numbered_disk(v) || is_nvme_path(v) ||
			 is_prefix_run(v, "xvd", is_lower) || is_prefix_run(v, "hd", is_lower) ||
			 is_prefix_run(v, "dasd", is_lower));
}

/* collectl 4.3.1: nothing that ends in a digit but one of each in an NVMe name, at the end of whatever name. */
static bool in_peer_summary(struct pf_view v)
{
	if (v.n == 0 || pf_view_starts(v, "dm-") || pf_view_starts(v, "psv"))
		return false;
	if (!is_digit(v.p[v.n - 1]))
		return true;
	return v.n >= 7 && is_nvme((struct pf_view){ v.p + v.n - 7, 7 });
}

/* Each byte counts once: whole disks, nothing that lies on others, no partitions, nothing in memory. What the user named counts. Paths
 * of NVMe disks count where the disk itself does not, see settle(). */
static bool in_summary(const struct pf_judged *j)
{
	struct pf_view v = j->name;
	if (j->peer)
		return in_peer_summary(v);
	if (j->filtered)
		return true;
	if (v.n == 0 || is_nvme_path(v))
		return false;
	if (j->device != PF_DEVICE_UNKNOWN)
		return j->device == PF_DEVICE_OWN;
	return !pf_view_starts(v, "dm-") && !pf_view_starts(v, "psv") &&
	       (!is_digit(v.p[v.n - 1]) || is_numbered_disk(v));
}

/* As disk.dev of PCP has them, and dm and md, which our views show: nothing that is a file or memory, no partitions. */
static bool in_archive(const struct pf_judged *j)
{
	static const char *const made[] = { "loop", "ram", "zram" };
	for (unsigned i = 0; i < PF_N(made); i++) {
		if (is_prefix_run(j->name, made[i], is_digit))
			return false;
	}
	return j->device != PF_DEVICE_ABOVE || in_detail(j->name, false) || is_prefix_run(j->name, "bcache", is_digit);
}

/* Values that PCP derives from the fields. */
static void derive(uint64_t v[N_DISK])
{
	v[READ_KB] = v[BLKREAD] / 2;
	v[WRITE_KB] = v[BLKWRITE] / 2;
	v[DISCARD_KB] = v[BLKDISCARD] / 2;
	v[TOTAL] = v[READ] + v[WRITE];
	v[BLKTOTAL] = v[BLKREAD] + v[BLKWRITE];
	v[TOTAL_KB] = v[BLKTOTAL] / 2;
	v[TOTAL_ACTIVE] = v[READ_ACTIVE] + v[WRITE_ACTIVE];
}

static bool is_there(unsigned metric, unsigned n)
{
	if (metric < N_FIELDS)
		return metric < n;
	return metric == DISCARD_KB ? n > BLKDISCARD : n > WRITE_ACTIVE;
}

static void disk_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom)
{
	(void)pf_scan_word(line); /* major */
	(void)pf_scan_word(line); /* minor */
	struct pf_view name = pf_scan_word(line);
	char buf[PF_REMAP_NAME_MAX];
	if (name.n == 0)
		return;
	struct pf_view raw = name;
	name = pf_remap_name(b->catalog->remap, name, buf);

	uint64_t v[N_DISK] = { 0 };
	bool wrong[N_FIELDS] = { false };
	unsigned n = 0;
	bool any_wrong = false;
	for (; n < N_FIELDS; n++) {
		enum pf_scan_result rc = pf_scan_u64(line, &v[n]);
		if (rc == PF_SCAN_NONE)
			break;
		if (rc == PF_SCAN_WRONG) {
			pf_builder_fail(b);
			wrong[n] = any_wrong = true;
		}
	}
	if (n == 0)
		return;
	int slot = pf_builder_instance(b, dom, name, -1);
	if (slot < 0)
		return;
	if (name.p != raw.p)
		pf_select_renamed(b->catalog, &pf_group_disk, dom, (unsigned)slot, raw);

	derive(v);
	for (unsigned m = 0; m < N_DISK; m++) {
		if (is_there(m, n) && !(any_wrong && (m >= N_FIELDS || wrong[m])))
			pf_builder_u64(b, DEV + m, (unsigned)slot, v[m]);
	}
}

/* The disk that "nvme0c1n2" is a path of: "nvme0n2"; -1 if there is none in this sample. */
static int disk_of_path(const struct pf_builder *b, const struct pf_indom *dom, struct pf_view path)
{
	char name[64];
	size_t a = 4 + run(path, 4, is_digit);
	size_t c = a + 1 + run(path, a + 1, is_digit);
	if (path.n >= sizeof(name))
		return -1;
	memcpy(name, path.p, a);
	memcpy(name + a, path.p + c, path.n - c);
	int slot = pf_indom_find(dom, (struct pf_view){ name, a + path.n - c }, 0);
	return slot >= 0 && dom->instances[slot].seen == b->sample->seq ? slot : -1;
}

static bool has_moved(const struct pf_builder *b, unsigned slot)
{
	unsigned m = b->base + DEV + TOTAL;
	return pf_sample_has(b->sample, m, slot) && pf_sample_get(b->sample, m, slot).u > 0;
}

/* With several paths to an NVMe disk the kernel counts at the paths, and newer ones at the disk, too. A disk has been read when it was
 * found, so one that counts nothing does not count at all, and then its paths do. */
static void settle(struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + DEV);
	const struct pf_select *select = b->catalog->select;
	if (!dom || (select && select->peer))
		return;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		struct pf_instance *inst = &dom->instances[slot];
		struct pf_view name = pf_view_of(inst->name);
		if (inst->seen != b->sample->seq || !(inst->role & PF_ROLE_KEPT) || !is_nvme_path(name))
			continue;
		int disk = disk_of_path(b, dom, name);
		bool counts = disk < 0 || !has_moved(b, (unsigned)disk) || !(dom->instances[disk].role & PF_ROLE_KEPT);
		unsigned role = counts ? inst->role | PF_ROLE_COUNTED : inst->role & ~(unsigned)PF_ROLE_COUNTED;
		if (role != inst->role)
			dom->changed = b->sample->seq;
		inst->role = (uint8_t)role;
	}
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + DEV);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (dom && pf_scan_line(&rest, &line))
		disk_line(&line, b, dom);
}

static bool keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	struct pf_scan s = { line->p, line->p + line->n };
	(void)pf_scan_word(&s);
	(void)pf_scan_word(&s);
	bool usual = in_detail(pf_scan_word(&s), !filter || filter->peer);
	return filter && filter->disks ? pf_choice_takes(filter->disks, *line, usual) : usual;
}

static const struct pf_row rows[] = {
	{ .path = "proc/diskstats", .tag = "disk", .keep = keep, .choosy = true, .parse = parse },
};

static const struct pf_sums sums[] = { { .all = ALL, .each = DEV, .n = N_DISK } };

#define D(m)	      (DEV + (m))
#define IOS	      PF_SUM(D(READ), D(WRITE))
#define RATE(m)	      .calc = PF_CALC_RATE, .num = PF_SUM(D(m))
#define KB_RATE(m)    .calc = PF_CALC_RATE, .num = PF_SUM(D(m)), .scale = 0.5
#define KB_SIZE(a, b) .calc = PF_CALC_RATIO, .num = PF_SUM(D(a)), .den = PF_SUM(D(b)), .scale = 0.5
#define RW_SIZE	      .calc = PF_CALC_RATIO, .num = PF_SUM(D(BLKREAD), D(BLKWRITE)), .den = IOS, .scale = 0.5
#define QUEUE                                                                                                          \
	.calc = PF_CALC_RATIO, .num = { .n = 1, .absolute = true, .metric = { D(AVEQ) } }, .den = PF_SUM(D(ACTIVE))
#define WAIT		    .calc = PF_CALC_RATIO, .num = PF_SUM(D(READ_ACTIVE), D(WRITE_ACTIVE)), .den = IOS
#define WAIT_OF(ticks, ios) .calc = PF_CALC_RATIO, .num = PF_SUM(D(ticks)), .den = PF_SUM(D(ios))
#define SERVICE		    .calc = PF_CALC_RATIO, .num = PF_SUM(D(ACTIVE)), .den = IOS
#define LIMIT_IOS	    .limit = 'I'
#define LIMIT_SERVICE	    .limit = 'S'
#define UTIL		    .calc = PF_CALC_UTIL, .num = PF_SUM(D(ACTIVE))
#define FRACTION(w, d)	    .draw = PF_DRAW_FIXED, .width = w, .decimals = d

/* clang-format off */
static const struct pf_column brief[] = {
	{ KB_RATE(BLKREAD), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 6, .after = " " },
	{ RATE(READ), .draw = PF_DRAW_CVT, .width = 6, .after = " " },
	{ KB_SIZE(BLKREAD, READ), .draw = PF_DRAW_CVT, .width = 4, .after = " ", .when = PF_WITH_SIZES },
	{ KB_RATE(BLKWRITE), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 6, .after = " " },
	{ RATE(WRITE), .draw = PF_DRAW_CVT, .width = 6, .after = " " },
	{ KB_SIZE(BLKWRITE, WRITE), .draw = PF_DRAW_CVT, .width = 4, .after = " ", .when = PF_WITH_SIZES },
};

static const struct pf_column verbose[] = {
	{ .before = " ", KB_RATE(BLKREAD), .width = 6 },
	{ .before = "  ", RATE(READ_MERGE), .width = 6 },
	{ .before = " ", RATE(READ), .width = 6 },
	{ .before = " ", KB_SIZE(BLKREAD, READ), .width = 6 },
	{ .before = "   ", KB_RATE(BLKWRITE), .width = 6 },
	{ .before = "  ", RATE(WRITE_MERGE), .width = 6 },
	{ .before = " ", RATE(WRITE), .width = 6 },
	{ .before = " ", KB_SIZE(BLKWRITE, WRITE), .width = 6 },
};

static const struct pf_column detail[] = {
	{ .calc = PF_CALC_NAME, .num = PF_SUM(D(READ)), .draw = PF_DRAW_LEFT, .width = 11 },
	{ .before = " ", KB_RATE(BLKREAD), .width = 6 },
	{ .before = " ", RATE(READ_MERGE), .width = 6 },
	{ .before = " ", RATE(READ), LIMIT_IOS, .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKREAD, READ), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(READ_ACTIVE, READ), .width = 5 },
	{ .before = "  ", KB_RATE(BLKWRITE), .width = 6 },
	{ .before = " ", RATE(WRITE_MERGE), .width = 6 },
	{ .before = " ", RATE(WRITE), LIMIT_IOS, .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKWRITE, WRITE), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(WRITE_ACTIVE, WRITE), .width = 5 },
	{ .before = "   ", RW_SIZE, .width = 5 },
	{ .before = " ", QUEUE, .width = 5 },
	{ .before = "  ", WAIT, .width = 4 },
	{ .before = "   ", SERVICE, LIMIT_SERVICE, .width = 4 },
	{ .before = "  ", UTIL, .width = 3 },
};

static const struct pf_column fractions[] = {
	{ .calc = PF_CALC_NAME, .num = PF_SUM(D(READ)), .draw = PF_DRAW_LEFT, .width = 11 },
	{ .before = " ", KB_RATE(BLKREAD), FRACTION(7, 1) },
	{ .before = " ", RATE(READ_MERGE), FRACTION(6, 0) },
	{ .before = " ", RATE(READ), LIMIT_IOS, .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKREAD, READ), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(READ_ACTIVE, READ), FRACTION(6, 1) },
	{ .before = "  ", KB_RATE(BLKWRITE), FRACTION(7, 1) },
	{ .before = " ", RATE(WRITE_MERGE), FRACTION(6, 0) },
	{ .before = " ", RATE(WRITE), LIMIT_IOS, .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKWRITE, WRITE), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(WRITE_ACTIVE, WRITE), FRACTION(6, 1) },
	{ .before = "  ", RW_SIZE, FRACTION(6, 1) },
	{ .before = "  ", QUEUE, FRACTION(6, 1) },
	{ .before = " ", WAIT, FRACTION(6, 1) },
	{ .before = " ", SERVICE, LIMIT_SERVICE, FRACTION(6, 1) },
	{ .before = "  ", UTIL, FRACTION(5, 2) },
};

static const struct pf_column plot[] = {
	{ .name = "ReadTot", RATE(READ), LIMIT_IOS, .draw = PF_DRAW_PLOT },
	{ .name = "WriteTot", RATE(WRITE), LIMIT_IOS, .draw = PF_DRAW_PLOT },
	{ .name = "OpsTot", .calc = PF_CALC_RATE, .num = IOS, .draw = PF_DRAW_PLOT },
	{ .name = "ReadKBTot", KB_RATE(BLKREAD), .draw = PF_DRAW_PLOT },
	{ .name = "WriteKBTot", KB_RATE(BLKWRITE), .draw = PF_DRAW_PLOT },
	{ .name = "KbTot", .calc = PF_CALC_RATE, .num = PF_SUM(D(BLKREAD), D(BLKWRITE)), .scale = 0.5, .draw = PF_DRAW_PLOT },
	{ .name = "ReadMrgTot", RATE(READ_MERGE), .draw = PF_DRAW_PLOT },
	{ .name = "WriteMrgTot", RATE(WRITE_MERGE), .draw = PF_DRAW_PLOT },
	{ .name = "MrgTot", .calc = PF_CALC_RATE, .num = PF_SUM(D(READ_MERGE), D(WRITE_MERGE)), .draw = PF_DRAW_PLOT },
};

static const struct pf_column plot_detail[] = {
	{ .name = "Name", .calc = PF_CALC_NAME, .num = PF_SUM(D(READ)), .draw = PF_DRAW_LEFT },
	{ .name = "Reads", RATE(READ), LIMIT_IOS, .draw = PF_DRAW_PLOT },
	{ .name = "RMerge", RATE(READ_MERGE), .draw = PF_DRAW_PLOT },
	{ .name = "RKBytes", KB_RATE(BLKREAD), .draw = PF_DRAW_PLOT },
	{ .name = "WaitR", WAIT_OF(READ_ACTIVE, READ), .draw = PF_DRAW_PLOT },
	{ .name = "Writes", RATE(WRITE), LIMIT_IOS, .draw = PF_DRAW_PLOT },
	{ .name = "WMerge", RATE(WRITE_MERGE), .draw = PF_DRAW_PLOT },
	{ .name = "WKBytes", KB_RATE(BLKWRITE), .draw = PF_DRAW_PLOT },
	{ .name = "WaitW", WAIT_OF(WRITE_ACTIVE, WRITE), .draw = PF_DRAW_PLOT },
	{ .name = "Request", RW_SIZE, .draw = PF_DRAW_PLOT },
	{ .name = "QueLen", QUEUE, .draw = PF_DRAW_PLOT },
	{ .name = "Wait", WAIT, .draw = PF_DRAW_PLOT },
	{ .name = "SvcTim", SERVICE, LIMIT_SERVICE, .draw = PF_DRAW_PLOT },
	{ .name = "Util", UTIL, .draw = PF_DRAW_PLOT },
};

static const struct pf_column exported[] = {
	{ .name = "disktotals.reads", .units = "reads/sec", RATE(READ) },
	{ .name = "disktotals.readkbs", .units = "readkbs/sec", KB_RATE(BLKREAD) },
	{ .name = "disktotals.writes", .units = "writes/sec", RATE(WRITE) },
	{ .name = "disktotals.writekbs", .units = "writekbs/sec", KB_RATE(BLKWRITE) },
};

/* collectl 4.3.1 divides everything by the seconds here, also what is no count. */
#define AVERAGE(word, ...) \
	{ .name = word, __VA_ARGS__, .per_interval = true, .when = PF_AS_PEER }, { .name = word, __VA_ARGS__, .unless = PF_AS_PEER }

static const struct pf_column lexpr_detail[] = {
	{ .name = "diskinfo.reads", RATE(READ) }, { .name = "diskinfo.readkbs", KB_RATE(BLKREAD) },
	AVERAGE("diskinfo.readw", WAIT_OF(READ_ACTIVE, READ)),
	{ .name = "diskinfo.writes", RATE(WRITE) }, { .name = "diskinfo.writekbs", KB_RATE(BLKWRITE) },
	AVERAGE("diskinfo.writew", WAIT_OF(WRITE_ACTIVE, WRITE)), AVERAGE("diskinfo.quelen", QUEUE), AVERAGE("diskinfo.wait", WAIT),
	AVERAGE("diskinfo.svctime", SERVICE), AVERAGE("diskinfo.util", UTIL),
};

static const struct pf_column gexpr_detail[] = {
	{ .name = "diskinfo.reads", .units = "reads/sec", RATE(READ) },
	{ .name = "diskinfo.readkbs", .units = "readkbs/sec", KB_RATE(BLKREAD) },
	{ .name = "diskinfo.writes", .units = "writes/sec", RATE(WRITE) },
	{ .name = "diskinfo.writekbs", .units = "writekbs/sec", KB_RATE(BLKWRITE) },
	{ .name = "diskinfo.rqst", .units = "kb", RW_SIZE, .when = PF_FOR_GRAPHITE },
	{ .name = "diskinfo.qlen", .units = "requests", QUEUE, .when = PF_FOR_GRAPHITE },
	{ .name = "diskinfo.wait", .units = "msec", WAIT, .when = PF_FOR_GRAPHITE },
	{ .name = "diskinfo.time", .units = "msec", SERVICE, .when = PF_FOR_GRAPHITE },
	{ .name = "diskinfo.util", .units = "percent", UTIL, .when = PF_FOR_GRAPHITE },
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'd', .unless = PF_WITH_SIZES, .head1 = "<----------Disks----------->",
	  .head2 = "KBRead  Reads KBWrit Writes ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, .letter = 'd', .when = PF_WITH_SIZES, .head1 = "<---------------Disks---------------->",
	  .head2 = "KBRead  Reads Size KBWrit Writes Size ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'd', .title = "DISK SUMMARY ({r})",
	  .head2 = "KBRead RMerged  Reads SizeKB  KBWrite WMerged Writes SizeKB", .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'D', .unless = PF_WITH_FRACTIONS, .title = "DISK STATISTICS ({r})",
	  .head1 = "          <---------reads---------------><---------writes--------------><--------averages--------> Pct",
	  .head2 = "Name       KBytes Merged  IOs Size  Wait  KBytes Merged  IOs Size  Wait  RWSize  QLen  Wait SvcTim Util",
	  .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'D', .when = PF_WITH_FRACTIONS, .title = "DISK STATISTICS ({r})",
	  .head1 = "          <------------reads--------------><-------------writes------------><---------averages---------->   Pct",
	  .head2 = "Name        KBytes Merged  IOs Size   Wait   KBytes Merged  IOs Size   Wait   RWSize   QLen   Wait SvcTim   Util",
	  .columns = fractions, .n_columns = PF_N(fractions) },
	{ .view = PF_VIEW_PLOT, .letter = 'd', .label = "DSK", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'D', .label = "DSK:", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
	{ .view = PF_VIEW_EXCEPTIONS, .letter = 'D', .unless = PF_AS_PEER, .each = true, .file = "dskX", .label = "DISKX", .columns = plot_detail,
	  .n_columns = PF_N(plot_detail) },
	/* The heading is for other columns; an empty line follows, and on lines nothing stands between time and name. */
	{ .view = PF_VIEW_EXCEPTIONS, .letter = 'D', .when = PF_AS_PEER, .each = true, .file = "dskX", .label = "DISKX", .columns = plot_detail,
	  .n_columns = PF_N(plot_detail),
	  .head1 = "Num [DISKX]Name [DISKX]Reads [DISKX]Merged [DISKX]KBytes [DISKX]Writes [DISKX]Merged [DISKX]KBytes [DISKX]Request "
		   "[DISKX]QueLen [DISKX]Wait [DISKX]SvcTim [DISKX]Util" },
	{ .view = PF_VIEW_LEXPR, .letter = 'd', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_LEXPR, .letter = 'D', .columns = lexpr_detail, .n_columns = PF_N(lexpr_detail) },
	{ .view = PF_VIEW_GEXPR, .letter = 'd', .unless = PF_GANGLIA_ALONE, .label = "disk", .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 'D', .unless = PF_GANGLIA_ALONE, .label = "disk", .columns = gexpr_detail, .n_columns = PF_N(gexpr_detail) },
};
/* clang-format on */

const struct pf_group pf_group_disk = {
	.letters = "dD",
	.name = "disk",
	.plot_file = "dsk",
	.what = "block devices: requests, Kbytes, times, queue",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.reset = PF_RESET_WRAP32,
	.sums = sums,
	.n_sums = PF_N(sums),
	.counts = PF_METRIC(NDISK),
	.disk_sectors = PF_SUM(D(BLKREAD), D(BLKWRITE)),
	.settle = settle,
	.in_archive = in_archive,
	.in_summary = in_summary,
	.in_detail = in_detail,
};

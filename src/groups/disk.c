/* groups/disk.c - block devices. Source: /proc/diskstats, kernel Documentation/admin-guide/iostats.rst; columns: spec collectl-data
 * sections 5 and 6, metrics: PCP 6.0.3.
 *
 * Sectors stay as they are (blkread ...), and the views halve their differences: halving before differencing would change printed
 * KB. The Kbyte metrics are there beside them because PCP has them. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

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
static const struct pf_metric metrics[N_METRICS] = {
	[DEV + READ] = { "disk.dev.read", LINUX(0, 4), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: reads completed" },
	[DEV + READ_MERGE] = { "disk.dev.read_merge", LINUX(0, 49), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: reads merged with neighbours" },
	[DEV + BLKREAD] = { "disk.dev.blkread", LINUX(0, 6), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: 512-byte sectors read" },
	[DEV + READ_ACTIVE] = { "disk.dev.read_rawactive", LINUX(0, 72), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time spent in reads, each counted for itself" },
	[DEV + WRITE] = { "disk.dev.write", LINUX(0, 5), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: writes completed" },
	[DEV + WRITE_MERGE] = { "disk.dev.write_merge", LINUX(0, 50), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: writes merged with neighbours" },
	[DEV + BLKWRITE] = { "disk.dev.blkwrite", LINUX(0, 7), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: 512-byte sectors written" },
	[DEV + WRITE_ACTIVE] = { "disk.dev.write_rawactive", LINUX(0, 73), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time spent in writes, each counted for itself" },
	[DEV + INFLIGHT] = { "disk.dev.inflight", LINUX(0, 95), INDOM_DISK, PF_U32, PF_INSTANT, PF_UNITS_NONE, "each disk: requests under way" },
	[DEV + ACTIVE] = { "disk.dev.avactive", LINUX(0, 46), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time with at least one request under way" },
	[DEV + AVEQ] = { "disk.dev.aveq", LINUX(0, 47), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time under way, weighted by the requests" },
	[DEV + DISCARD] = { "disk.dev.discard", LINUX(0, 88), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: discards completed" },
	[DEV + DISCARD_MERGE] = { "disk.dev.discard_merge", LINUX(0, 91), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: discards merged with neighbours" },
	[DEV + BLKDISCARD] = { "disk.dev.blkdiscard", LINUX(0, 89), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: 512-byte sectors discarded" },
	[DEV + DISCARD_ACTIVE] = { "disk.dev.discard_rawactive", LINUX(0, 92), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time spent in discards, each counted for itself" },
	[DEV + FLUSH] = { "disk.dev.flush", LINUX(0, 93), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: flush requests completed" },
	[DEV + FLUSH_ACTIVE] = { "disk.dev.flush_rawactive", LINUX(0, 94), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time spent in flushes, each counted for itself" },
	[DEV + READ_KB] = { "disk.dev.read_bytes", LINUX(0, 38), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "each disk: Kbytes read" },
	[DEV + WRITE_KB] = { "disk.dev.write_bytes", LINUX(0, 39), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "each disk: Kbytes written" },
	[DEV + DISCARD_KB] = { "disk.dev.discard_bytes", LINUX(0, 90), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "each disk: Kbytes discarded" },
	[DEV + TOTAL] = { "disk.dev.total", LINUX(0, 28), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: reads and writes completed" },
	[DEV + BLKTOTAL] = { "disk.dev.blktotal", LINUX(0, 36), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "each disk: 512-byte sectors read and written" },
	[DEV + TOTAL_KB] = { "disk.dev.total_bytes", LINUX(0, 40), INDOM_DISK, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "each disk: Kbytes read and written" },
	[DEV + TOTAL_ACTIVE] = { "disk.dev.total_rawactive", LINUX(0, 79), INDOM_DISK, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "each disk: time spent in reads and writes, each counted for itself" },
	[ALL + READ] = { "disk.all.read", LINUX(0, 24), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: reads completed" },
	[ALL + READ_MERGE] = { "disk.all.read_merge", LINUX(0, 51), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: reads merged with neighbours" },
	[ALL + BLKREAD] = { "disk.all.blkread", LINUX(0, 26), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: 512-byte sectors read" },
	[ALL + READ_ACTIVE] = { "disk.all.read_rawactive", LINUX(0, 74), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "all disks: time spent in reads, each counted for itself" },
	[ALL + WRITE] = { "disk.all.write", LINUX(0, 25), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: writes completed" },
	[ALL + WRITE_MERGE] = { "disk.all.write_merge", LINUX(0, 52), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: writes merged with neighbours" },
	[ALL + BLKWRITE] = { "disk.all.blkwrite", LINUX(0, 27), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: 512-byte sectors written" },
	[ALL + WRITE_ACTIVE] = { "disk.all.write_rawactive", LINUX(0, 75), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "all disks: time spent in writes, each counted for itself" },
	[ALL + INFLIGHT] = { "disk.all.inflight", LINUX(0, 104), PF_INDOM_NONE, PF_U64, PF_INSTANT, PF_UNITS_NONE, "all disks: requests under way" },
	[ALL + ACTIVE] = { "disk.all.avactive", LINUX(0, 44), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "all disks: time with at least one request under way" },
	[ALL + AVEQ] = { "disk.all.aveq", LINUX(0, 45), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "all disks: time under way, weighted by the requests" },
	[ALL + DISCARD] = { "disk.all.discard", LINUX(0, 96), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: discards completed" },
	[ALL + DISCARD_MERGE] = { "disk.all.discard_merge", LINUX(0, 99), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: discards merged with neighbours" },
	[ALL + BLKDISCARD] = { "disk.all.blkdiscard", LINUX(0, 97), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: 512-byte sectors discarded" },
	[ALL + DISCARD_ACTIVE] = { "disk.all.discard_rawactive", LINUX(0, 100), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "all disks: time spent in discards, each counted for itself" },
	[ALL + FLUSH] = { "disk.all.flush", LINUX(0, 101), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: flush requests completed" },
	[ALL + FLUSH_ACTIVE] = { "disk.all.flush_rawactive", LINUX(0, 102), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "all disks: time spent in flushes, each counted for itself" },
	[ALL + READ_KB] = { "disk.all.read_bytes", LINUX(0, 41), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "all disks: Kbytes read" },
	[ALL + WRITE_KB] = { "disk.all.write_bytes", LINUX(0, 42), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "all disks: Kbytes written" },
	[ALL + DISCARD_KB] = { "disk.all.discard_bytes", LINUX(0, 98), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "all disks: Kbytes discarded" },
	[ALL + TOTAL] = { "disk.all.total", LINUX(0, 29), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: reads and writes completed" },
	[ALL + BLKTOTAL] = { "disk.all.blktotal", LINUX(0, 37), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "all disks: 512-byte sectors read and written" },
	[ALL + TOTAL_KB] = { "disk.all.total_bytes", LINUX(0, 43), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_KBYTE, "all disks: Kbytes read and written" },
	[ALL + TOTAL_ACTIVE] = { "disk.all.total_rawactive", LINUX(0, 80), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "all disks: time spent in reads and writes, each counted for itself" },
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

/* The devices that collectl 4.3.1 records without --rawdskfilt: no partitions, md, loop, mmcblk, rbd. */
static bool in_peer_filter(struct pf_view v)
{
	return is_prefix_run(v, "vd", is_lower) || is_prefix_run(v, "sd", is_lower) || is_nvme(v) ||
	       is_prefix_run(v, "dm-", is_digit) ||
	       (v.n == 3 && pf_view_starts(v, "hd") && (v.p[2] == 'a' || v.p[2] == 'b')) ||
	       (v.n == 4 && is_prefix_run(v, "xvd", is_lower)) || is_prefix_run(v, "fio", is_lower) ||
	       is_prefix_run(v, "emcpower", is_lower) || is_prefix_run(v, "psv", is_digit);
}

static bool in_detail(struct pf_view v, bool peer)
{
	if (in_peer_filter(v))
		return true;
	return !peer && (is_prefix_run(v, "md", is_digit) || is_prefix_run(v, "rbd", is_digit) ||
			 is_prefix_run(v, "mmcblk", is_digit) || is_prefix_run(v, "xvd", is_lower));
}

/* Whole disks count once: nothing that lies on top of others, and no partitions. The rule is the same with a filter. The peer wants
 * one digit in both places of an NVMe name, at the end of whatever name. */
static bool in_summary(struct pf_view v, bool filtered, bool peer)
{
	(void)filtered;
	if (v.n == 0 || pf_view_starts(v, "dm-") || pf_view_starts(v, "psv"))
		return false;
	if (!is_digit(v.p[v.n - 1]))
		return true;
	if (!peer)
		return is_nvme(v);
	return v.n >= 7 && is_nvme((struct pf_view){ v.p + v.n - 7, 7 });
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
	if (name.n == 0)
		return;

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

	derive(v);
	for (unsigned m = 0; m < N_DISK; m++) {
		if (is_there(m, n) && !(any_wrong && (m >= N_FIELDS || wrong[m])))
			pf_builder_u64(b, DEV + m, (unsigned)slot, v[m]);
	}
	if (!in_summary(name, false, false) || any_wrong)
		return;
	for (unsigned m = 0; m < N_DISK; m++) {
		if (is_there(m, n))
			pf_scan_add(b, ALL + m, v[m]);
	}
	pf_scan_add(b, NDISK, 1);
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
	(void)filter;
	struct pf_scan s = { line->p, line->p + line->n };
	(void)pf_scan_word(&s);
	(void)pf_scan_word(&s);
	return in_peer_filter(pf_scan_word(&s));
}

static const struct pf_row rows[] = {
	{ .path = "proc/diskstats", .tag = "disk", .keep = keep, .parse = parse },
};

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
	{ .before = " ", RATE(READ), .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKREAD, READ), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(READ_ACTIVE, READ), .width = 5 },
	{ .before = "  ", KB_RATE(BLKWRITE), .width = 6 },
	{ .before = " ", RATE(WRITE_MERGE), .width = 6 },
	{ .before = " ", RATE(WRITE), .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKWRITE, WRITE), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(WRITE_ACTIVE, WRITE), .width = 5 },
	{ .before = "   ", RW_SIZE, .width = 5 },
	{ .before = " ", QUEUE, .width = 5 },
	{ .before = "  ", WAIT, .width = 4 },
	{ .before = "   ", SERVICE, .width = 4 },
	{ .before = "  ", UTIL, .width = 3 },
};

static const struct pf_column fractions[] = {
	{ .calc = PF_CALC_NAME, .num = PF_SUM(D(READ)), .draw = PF_DRAW_LEFT, .width = 11 },
	{ .before = " ", KB_RATE(BLKREAD), FRACTION(7, 1) },
	{ .before = " ", RATE(READ_MERGE), FRACTION(6, 0) },
	{ .before = " ", RATE(READ), .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKREAD, READ), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(READ_ACTIVE, READ), FRACTION(6, 1) },
	{ .before = "  ", KB_RATE(BLKWRITE), FRACTION(7, 1) },
	{ .before = " ", RATE(WRITE_MERGE), FRACTION(6, 0) },
	{ .before = " ", RATE(WRITE), .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = " ", KB_SIZE(BLKWRITE, WRITE), .draw = PF_DRAW_CVT, .div1024 = 1, .width = 4 },
	{ .before = " ", WAIT_OF(WRITE_ACTIVE, WRITE), FRACTION(6, 1) },
	{ .before = "  ", RW_SIZE, FRACTION(6, 1) },
	{ .before = "  ", QUEUE, FRACTION(6, 1) },
	{ .before = " ", WAIT, FRACTION(6, 1) },
	{ .before = " ", SERVICE, FRACTION(6, 1) },
	{ .before = "  ", UTIL, FRACTION(5, 2) },
};

static const struct pf_column plot[] = {
	{ .name = "ReadTot", RATE(READ), .draw = PF_DRAW_PLOT },
	{ .name = "WriteTot", RATE(WRITE), .draw = PF_DRAW_PLOT },
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
	{ .name = "Reads", RATE(READ), .draw = PF_DRAW_PLOT },
	{ .name = "RMerge", RATE(READ_MERGE), .draw = PF_DRAW_PLOT },
	{ .name = "RKBytes", KB_RATE(BLKREAD), .draw = PF_DRAW_PLOT },
	{ .name = "WaitR", WAIT_OF(READ_ACTIVE, READ), .draw = PF_DRAW_PLOT },
	{ .name = "Writes", RATE(WRITE), .draw = PF_DRAW_PLOT },
	{ .name = "WMerge", RATE(WRITE_MERGE), .draw = PF_DRAW_PLOT },
	{ .name = "WKBytes", KB_RATE(BLKWRITE), .draw = PF_DRAW_PLOT },
	{ .name = "WaitW", WAIT_OF(WRITE_ACTIVE, WRITE), .draw = PF_DRAW_PLOT },
	{ .name = "Request", RW_SIZE, .draw = PF_DRAW_PLOT },
	{ .name = "QueLen", QUEUE, .draw = PF_DRAW_PLOT },
	{ .name = "Wait", WAIT, .draw = PF_DRAW_PLOT },
	{ .name = "SvcTim", SERVICE, .draw = PF_DRAW_PLOT },
	{ .name = "Util", UTIL, .draw = PF_DRAW_PLOT },
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
};
/* clang-format on */

const struct pf_group pf_group_disk = {
	.letters = "dD",
	.name = "disk",
	.what = "block devices: requests, Kbytes, times, queue",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.reset = PF_RESET_WRAP32,
	.in_summary = in_summary,
	.in_detail = in_detail,
};

/* groups/memory.c - memory, swap and paging. Source: /proc/meminfo and /proc/vmstat, proc(5); metrics: PCP 6.0.3. */
#include "groups/memory.h"
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define SINGLE		     PF_INDOM_NONE, PF_U64

/* clang-format off */
static const struct pf_metric metrics[PF_MEM_N] = {
#define UNITS_COUNT PF_UNITS_COUNT
#define UNITS_KBYTE PF_UNITS_KBYTE
#define X(index, key, metric, item, sem, units) \
	[PF_MEM_##index] = { metric, LINUX(1, item), SINGLE, PF_##sem, UNITS_##units, key " of /proc/meminfo" },
#define U(key)
#define S(index, key)
	PF_MEMINFO(X, U, S)
#undef X
#undef U
#undef S
#define KIND_COUNTER PF_COUNTER, PF_UNITS_COUNT
#define KIND_LEVEL PF_INSTANT, PF_UNITS_COUNT
#define KIND_NUMBER PF_INSTANT, PF_UNITS_NONE
#define X(key, item, kind) \
	[PF_VM_##key] = { "mem.vmstat." #key, LINUX(28, item), SINGLE, KIND_##kind, #key " of /proc/vmstat" },
#define U(key)
	PF_VMSTAT(X, U)
#undef X
#undef U
	[PF_MEM_HUGEPAGESIZE] = { "hinv.hugepagesize", LINUX(1, 59), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_BYTE, "size of a huge page" },
	[PF_MEM_USED] = { "mem.util.used", LINUX(1, 1), SINGLE, PF_INSTANT, PF_UNITS_KBYTE, "memory that is not free" },
	[PF_MEM_FREEMEM] = { "mem.freemem", LINUX(1, 10), SINGLE, PF_INSTANT, PF_UNITS_KBYTE, "free memory" },
	[PF_MEM_OTHER] = { "mem.util.other", LINUX(1, 12), SINGLE, PF_INSTANT, PF_UNITS_KBYTE, "used memory outside buffers and page cache" },
	[PF_MEM_CACHE_CLEAN] = { "mem.util.cache_clean", LINUX(1, 29), SINGLE, PF_INSTANT, PF_UNITS_KBYTE, "page cache that need not be written" },
	[PF_MEM_MEGABYTES] = { "hinv.physmem", LINUX(1, 9), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_MBYTE, "memory of the host" },
	[PF_MEM_HUGE_TOTAL_BYTES] = { "mem.util.hugepagesTotalBytes", LINUX(1, 60), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "huge pages" },
	[PF_MEM_HUGE_FREE_BYTES] = { "mem.util.hugepagesFreeBytes", LINUX(1, 61), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "free huge pages" },
	[PF_MEM_HUGE_RSVD_BYTES] = { "mem.util.hugepagesRsvdBytes", LINUX(1, 62), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "reserved huge pages" },
	[PF_MEM_HUGE_SURP_BYTES] = { "mem.util.hugepagesSurpBytes", LINUX(1, 63), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "surplus huge pages" },
	[PF_SWAP_LENGTH] = { "swap.length", LINUX(1, 6), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "swap space" },
	[PF_SWAP_FREE] = { "swap.free", LINUX(1, 8), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "free swap space" },
	[PF_SWAP_USED] = { "swap.used", LINUX(1, 7), SINGLE, PF_INSTANT, PF_UNITS_BYTE, "swap space in use" },
	[PF_SWAP_PAGESIN] = { "swap.pagesin", LINUX(0, 8), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "pages read from swap" },
	[PF_SWAP_PAGESOUT] = { "swap.pagesout", LINUX(0, 9), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "pages written to swap" },
	[PF_SWAP_IN] = { "swap.in", LINUX(0, 10), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "swap reads" },
	[PF_SWAP_OUT] = { "swap.out", LINUX(0, 11), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "swap writes" },
};
/* clang-format on */

/* One key of a file. */
struct key {
	const char *name;
	uint8_t n;
	uint16_t metric;
};

enum { NO_METRIC = UINT16_MAX };

static const struct key meminfo_keys[] = {
#define X(index, key, metric, item, sem, units) { key, sizeof(key) - 1, PF_MEM_##index },
#define U(key)					{ key, sizeof(key) - 1, NO_METRIC },
#define S(index, key)				{ key, sizeof(key) - 1, PF_MEM_##index },
	PF_MEMINFO(X, U, S)
#undef X
#undef U
#undef S
};

static const struct key vmstat_keys[] = {
#define X(key, item, kind) { #key, sizeof(#key) - 1, PF_VM_##key },
#define U(key)		   { #key, sizeof(#key) - 1, NO_METRIC },
	PF_VMSTAT(X, U)
#undef X
#undef U
};

/* The key @name, tried at @hint first: lines come in the table's order. NULL if it is not in the table. */
static const struct key *find(const struct key *keys, unsigned n, unsigned *hint, struct pf_view name)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned at = *hint + i < n ? *hint + i : (*hint + i) % n;
		const struct key *k = &keys[at];
		if (k->n == name.n && k->name[0] == name.p[0] && memcmp(k->name, name.p, name.n) == 0) {
			*hint = at + 1 < n ? at + 1 : 0;
			return k;
		}
	}
	return NULL;
}

static void kilobytes(struct pf_builder *b, unsigned metric, uint64_t kb)
{
	if (kb > UINT64_MAX / 1024)
		pf_builder_fail(b);
	else
		pf_builder_u64(b, metric, 0, kb * 1024);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void derive_used(struct pf_builder *b)
{
	uint64_t total = 0, free = 0, buffers = 0, cached = 0;
	if (!pf_scan_got(b, PF_MEM_PHYSMEM, &total) || !pf_scan_got(b, PF_MEM_FREE, &free))
		return;
	pf_builder_u64(b, PF_MEM_USED, 0, less(total, free));
	pf_builder_u64(b, PF_MEM_FREEMEM, 0, free);
	pf_builder_u64(b, PF_MEM_MEGABYTES, 0, total / 1024);
	if (pf_scan_got(b, PF_MEM_BUFMEM, &buffers) && pf_scan_got(b, PF_MEM_CACHED, &cached))
		pf_builder_u64(b, PF_MEM_OTHER, 0, less(less(total, free), buffers + cached));
}

static void derive_clean(struct pf_builder *b)
{
	uint64_t cached = 0, dirty = 0, writeback = 0;
	if (pf_scan_got(b, PF_MEM_CACHED, &cached) && pf_scan_got(b, PF_MEM_DIRTY, &dirty) &&
	    pf_scan_got(b, PF_MEM_WRITEBACK, &writeback))
		pf_builder_u64(b, PF_MEM_CACHE_CLEAN, 0, less(cached, dirty + writeback));
}

static void derive_swap(struct pf_builder *b)
{
	uint64_t total = 0, free = 0;
	if (!pf_scan_got(b, PF_MEM_SWAP_TOTAL, &total) || !pf_scan_got(b, PF_MEM_SWAP_FREE, &free))
		return;
	kilobytes(b, PF_SWAP_LENGTH, total);
	kilobytes(b, PF_SWAP_FREE, free);
	kilobytes(b, PF_SWAP_USED, less(total, free));
}

static void derive_huge(struct pf_builder *b, uint64_t size_kb)
{
	static const uint16_t pages[][2] = {
		{ PF_MEM_HUGEPAGES_TOTAL, PF_MEM_HUGE_TOTAL_BYTES },
		{ PF_MEM_HUGEPAGES_FREE, PF_MEM_HUGE_FREE_BYTES },
		{ PF_MEM_HUGEPAGES_RSVD, PF_MEM_HUGE_RSVD_BYTES },
		{ PF_MEM_HUGEPAGES_SURP, PF_MEM_HUGE_SURP_BYTES },
	};
	for (unsigned i = 0; i < PF_N(pages); i++) {
		uint64_t n = 0;
		uint64_t kb = 0;
		if (!pf_scan_got(b, pages[i][0], &n))
			continue;
		if (__builtin_mul_overflow(n, size_kb, &kb))
			pf_builder_fail(b);
		else
			kilobytes(b, pages[i][1], kb);
	}
}

/* "MemFree:        23374348 kB". What is derived is set when the last of its parts comes. */
static void meminfo_line(struct pf_scan *line, struct pf_builder *b, unsigned *hint)
{
	struct pf_view name = pf_scan_word(line);
	if (name.n < 2 || name.p[name.n - 1] != ':')
		return;
	name.n--;
	const struct key *k = find(meminfo_keys, PF_N(meminfo_keys), hint, name);
	if (!k || k->metric == NO_METRIC)
		return;
	if (k->metric == PF_MEM_HUGEPAGESIZE) {
		uint64_t kb = 0;
		if (pf_scan_u64(line, &kb) != PF_SCAN_OK) {
			pf_builder_fail(b);
			return;
		}
		kilobytes(b, PF_MEM_HUGEPAGESIZE, kb);
		derive_huge(b, kb);
		return;
	}
	if (!pf_scan_value(line, b, k->metric, 0))
		return;
	if (k->metric == PF_MEM_FREE || k->metric == PF_MEM_CACHED)
		derive_used(b);
	else if (k->metric == PF_MEM_WRITEBACK)
		derive_clean(b);
	else if (k->metric == PF_MEM_SWAP_FREE)
		derive_swap(b);
}

/* Are @n bytes the same? Most keys have 8 or more: two or three words, the last two may overlap. */
static inline bool is_same(const char *a, const char *b, size_t n)
{
	uint64_t x;
	uint64_t y;
	if (n < sizeof(x))
		return memcmp(a, b, n) == 0;
	for (size_t at = 0;; at = at + 2 * sizeof(x) <= n ? at + sizeof(x) : n - sizeof(x)) {
		memcpy(&x, a + at, sizeof(x));
		memcpy(&y, b + at, sizeof(y));
		if (x != y || at + sizeof(x) == n)
			return x == y;
	}
}

/* The common case: the line at @p has the key that stands next in the table, @sep behind it, and a number. Return: the end of the
 * number, which @ret_v has; NULL: look closer. One pass over the bytes, which is what sampling every second is made of. */
static inline const char *quick_line(const char *p, const char *end, const struct key *k, char sep, uint64_t *ret_v)
{
	if ((size_t)(end - p) < (size_t)k->n + 2 || p[k->n] != sep || !is_same(p, k->name, k->n))
		return NULL;
	p += k->n + 1;
	while (p < end && *p == ' ')
		p++;
	const char *from = p;
	uint64_t v = 0;
	while (p < end && (unsigned char)(*p - '0') < 10)
		v = v * 10 + (uint64_t)(*p++ - '0');
	*ret_v = v;
	return p > from && p - from < 20 ? p : NULL;
}

/* Metrics of meminfo that others are derived from: their lines take the long way. */
static bool is_plain(uint16_t metric)
{
	return metric != PF_MEM_HUGEPAGESIZE && metric != PF_MEM_FREE && metric != PF_MEM_CACHED &&
	       metric != PF_MEM_WRITEBACK && metric != PF_MEM_SWAP_FREE;
}

static void meminfo_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	unsigned hint = b->line_hint < PF_N(meminfo_keys) ? b->line_hint : 0;
	while (rest.p < rest.end) {
		const struct key *k = &meminfo_keys[hint];
		uint64_t v;
		const char *at = is_plain(k->metric) ? quick_line(rest.p, rest.end, k, ':', &v) : NULL;
		if (at && rest.end - at >= 4 && memcmp(at, " kB\n", 4) == 0) {
			if (k->metric != NO_METRIC)
				pf_builder_u64(b, k->metric, 0, v);
			hint = hint + 1 < PF_N(meminfo_keys) ? hint + 1 : 0;
			rest.p = at + 4;
		} else if (pf_scan_line(&rest, &line)) {
			meminfo_line(&line, b, &hint);
		}
	}
	b->line_hint = hint;
}

static void vmstat_line(struct pf_scan *line, struct pf_builder *b, unsigned *hint)
{
	struct pf_view name = pf_scan_word(line);
	if (name.n == 0)
		return;
	const struct key *k = find(vmstat_keys, PF_N(vmstat_keys), hint, name);
	if (!k || k->metric == NO_METRIC)
		return;
	uint64_t v = 0;
	if (pf_scan_u64(line, &v) != PF_SCAN_OK) {
		pf_builder_fail(b);
		return;
	}
	pf_builder_u64(b, k->metric, 0, v);
	if (k->metric == PF_VM_pswpin) {
		pf_builder_u64(b, PF_SWAP_PAGESIN, 0, v);
		pf_builder_u64(b, PF_SWAP_IN, 0, v);
	} else if (k->metric == PF_VM_pswpout) {
		pf_builder_u64(b, PF_SWAP_PAGESOUT, 0, v);
		pf_builder_u64(b, PF_SWAP_OUT, 0, v);
	}
}

static void vmstat_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	unsigned hint = b->line_hint < PF_N(vmstat_keys) ? b->line_hint : 0;
	while (rest.p < rest.end) {
		const struct key *k = &vmstat_keys[hint];
		uint64_t v;
		bool swap = k->metric == PF_VM_pswpin || k->metric == PF_VM_pswpout;
		const char *at = swap ? NULL : quick_line(rest.p, rest.end, k, ' ', &v);
		if (at && at < rest.end && *at == '\n') {
			if (k->metric != NO_METRIC)
				pf_builder_u64(b, k->metric, 0, v);
			hint = hint + 1 < PF_N(vmstat_keys) ? hint + 1 : 0;
			rest.p = at + 1;
		} else if (pf_scan_line(&rest, &line)) {
			vmstat_line(&line, b, &hint);
		}
	}
	b->line_hint = hint;
}

/* collectl leaves out most levels, all of numa and what stands behind the faults in the file (--memopts ps asks for it). */
static bool vmstat_keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	const struct pf_scan s = { line->p, line->p + line->n };
	const struct pf_scan pg = { s.p + 2, s.end }; /* behind "pg" */
	if (line->n < 3)
		return false;
	switch (s.p[0]) { /* first letters decide nearly all lines */
	case 'n':
		return pf_scan_starts(&s, "nr_sh");
	case 'w':
		return pf_scan_starts(&s, "workingset_");
	case 'a':
		return pf_scan_starts(&s, "allocstall");
	case 'p':
		return s.p[1] == 'g' ? pf_scan_starts(&pg, "promote") || pf_scan_starts(&pg, "demote") ||
					       pf_scan_starts(&pg, "pgin") || pf_scan_starts(&pg, "pgout") ||
					       pf_scan_starts(&pg, "alloc_") || pf_scan_starts(&pg, "skip_") ||
					       pf_scan_starts(&pg, "free") || pf_scan_starts(&pg, "activate") ||
					       pf_scan_starts(&pg, "deactivate") || pf_scan_starts(&pg, "lazyfree") ||
					       pf_scan_starts(&pg, "fault") || pf_scan_starts(&pg, "majfault")
				     : pf_scan_starts(&s, "pswp");
	default:
		return false;
	}
}

/* Words of untagged lines; meminfo's are the ones that end in a colon. */
static const char *const meminfo_words[] = {
#define X(index, key, metric, item, sem, units) key ":",
#define U(key)					key ":",
#define S(index, key)				key ":",
	PF_MEMINFO(X, U, S) NULL
#undef X
#undef U
#undef S
};

static const char *const vmstat_words[] = {
	"nr_*",	     "pg*",	      "workingset_*", "pswp*",	  "allocstall*", "numa_*",   "thp_*",
	"compact_*", "zone_*",	      "slabs_*",      "kswapd_*", "pageoutrun",	 "drop_*",   "oom_kill",
	"htlb_*",    "unevictable_*", "balloon_*",    "swap_*",	  "swpin_*",	 "swpout_*", "ksm_*",
	"cow_ksm",   "zsw*",	      "direct_map_*", "vma*",	  NULL,
};

static const struct pf_row rows[] = {
	{ .path = "proc/meminfo", .tag = "", .words = meminfo_words, .parse = meminfo_parse },
	{ .path = "proc/vmstat", .tag = "", .words = vmstat_words, .keep = vmstat_keep, .parse = vmstat_parse },
};

const struct pf_group pf_group_memory = {
	.letters = "m",
	.name = "memory",
	.what = "memory, swap and paging",
	.metrics = metrics,
	.n_metrics = PF_MEM_N,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = pf_memory_layouts,
	.n_layouts = PF_MEMORY_N_LAYOUTS,
	.reset = PF_RESET_WRAP32,
};

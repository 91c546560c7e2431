/* groups/zones.c - memory of each zone and node. Source: /proc/zoneinfo, proc(5); metrics and instances: PCP 6.0.3, which has all of them as
 * Kbytes, those that count allocations, too. Zones without pages are left out there, and what is told once per node is the node's. */
#include "groups/list.h"
#include "groups/scan.h"

#include <stdio.h>

#include "base/cleanup.h"

/* X(word of the file and metric, PMID item) */
/* clang-format off */
#define ZONES(X) \
	X(free, 0) X(min, 1) X(low, 2) X(high, 3) X(scanned, 4) X(spanned, 5) X(present, 6) X(managed, 7) X(nr_free_pages, 8) X(nr_alloc_batch, 9) \
	X(nr_inactive_anon, 10) X(nr_active_anon, 11) X(nr_inactive_file, 12) X(nr_active_file, 13) X(nr_unevictable, 14) X(nr_mlock, 15) \
	X(nr_anon_pages, 16) X(nr_mapped, 17) X(nr_file_pages, 18) X(nr_dirty, 19) X(nr_writeback, 20) X(nr_slab_reclaimable, 21) \
	X(nr_slab_unreclaimable, 22) X(nr_page_table_pages, 23) X(nr_kernel_stack, 24) X(nr_unstable, 25) X(nr_bounce, 26) X(nr_vmscan_write, 27) \
	X(nr_vmscan_immediate_reclaim, 28) X(nr_writeback_temp, 29) X(nr_isolated_anon, 30) X(nr_isolated_file, 31) X(nr_shmem, 32) \
	X(nr_dirtied, 33) X(nr_written, 34) X(numa_hit, 35) X(numa_miss, 36) X(numa_foreign, 37) X(numa_interleave, 38) X(numa_local, 39) \
	X(numa_other, 40) X(workingset_refault, 41) X(workingset_activate, 42) X(workingset_nodereclaim, 43) X(nr_anon_transparent_hugepages, 44) \
	X(nr_free_cma, 45) X(cma, 46) X(nr_swapcached, 47) X(nr_shmem_hugepages, 48) X(nr_shmem_pmdmapped, 49) X(nr_file_hugepages, 50) \
	X(nr_file_pmdmapped, 51) X(nr_kernel_misc_reclaimable, 52) X(nr_foll_pin_acquired, 53) X(nr_foll_pin_released, 54) \
	X(workingset_refault_anon, 55) X(workingset_refault_file, 56) X(workingset_active_anon, 57) X(workingset_active_file, 58) \
	X(workingset_restore_anon, 59) X(workingset_restore_file, 60) X(nr_zspages, 61) X(nr_zone_inactive_file, 62) X(nr_zone_active_file, 63) \
	X(nr_zone_inactive_anon, 64) X(nr_zone_active_anon, 65) X(nr_zone_unevictable, 66) X(nr_zone_write_pending, 67)

#define INDEX(key, item) ZONE_##key,
enum { ZONES(INDEX) PROTECTION, SLAB, HUGE_TOTAL, HUGE_FREE, HUGE_SURPLUS, N_METRICS };

#define INDOM_ZONES	 PF_INDOM(PF_DOMAIN_LINUX, 32)
#define INDOM_PROTECTION PF_INDOM(PF_DOMAIN_LINUX, 33)
#define HUGE(item)	 PF_PMID(PF_DOMAIN_LINUX, 36, item), PF_INDOM_NODE, PF_U64, PF_INSTANT, PF_UNITS_BYTE
#define METRIC(key, item) \
	[ZONE_##key] = { "mem.zoneinfo." #key, PF_PMID(PF_DOMAIN_LINUX, 68, item), INDOM_ZONES, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, #key " of /proc/zoneinfo" },
static const struct pf_metric metrics[N_METRICS] = {
	ZONES(METRIC)
	[PROTECTION] = { "mem.zoneinfo.protection", PF_PMID(PF_DOMAIN_LINUX, 70, 0), INDOM_PROTECTION, PF_U64, PF_INSTANT, PF_UNITS_KBYTE,
			 "pages kept for allocations that need this zone" },
	[SLAB] = { "mem.vmstat.nr_slab", PF_PMID(PF_DOMAIN_LINUX, 28, 5), PF_INDOM_NONE, PF_U64, PF_INSTANT, PF_UNITS_NONE,
		   "nr_slab_reclaimable and nr_slab_unreclaimable" },
	[HUGE_TOTAL] = { "mem.numa.util.hugepagesTotalBytes", HUGE(39), "huge pages of a node" },
	[HUGE_FREE] = { "mem.numa.util.hugepagesFreeBytes", HUGE(40), "free huge pages of a node" },
	[HUGE_SURPLUS] = { "mem.numa.util.hugepagesSurpBytes", HUGE(41), "surplus huge pages of a node" },
};

#define KEY(key, item) [ZONE_##key] = { #key, sizeof(#key) - 1 },
static const struct pf_view keys[PROTECTION] = { ZONES(KEY) };
/* clang-format on */

enum { NAME_MAX_BYTES = 64 };

/* The zone whose lines come: @name of it, @node of its node, @slot: where values go now, below 0 nowhere. @held: of the lines before it is
 * known whether the zone has pages; @hint: key that stood behind the last one */
struct place {
	char name[NAME_MAX_BYTES];
	char node[NAME_MAX_BYTES];
	int slot;
	bool in_pagesets;
	uint64_t held[8];
	unsigned held_key[8];
	unsigned n_held;
	unsigned hint;
};

/* What a line means depends on those before it, and playback hands lines over one by one: so the place is kept in the builder. */
enum { OF_ZONES = 1 };
_Static_assert(sizeof(struct place) <= sizeof(((struct pf_builder *)NULL)->columns), "a place fits into a builder");

static int slot_of(struct pf_builder *b, unsigned metric, const char *name)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + metric);
	return dom ? pf_builder_instance(b, dom, pf_view_of(name), -1) : -1;
}

/* "Node 0, zone      DMA" */
static bool begin_zone(struct pf_scan line, struct place *at)
{
	if (!pf_view_is(pf_scan_word(&line), "Node"))
		return false;
	struct pf_view node = pf_scan_word(&line);
	node.n -= node.n > 0;
	(void)pf_scan_word(&line);
	struct pf_view zone = pf_scan_word(&line);
	(void)snprintf(at->name, sizeof(at->name), "%.*s::node%.*s", (int)zone.n, zone.p, (int)node.n, node.p);
	(void)snprintf(at->node, sizeof(at->node), "node%.*s", (int)node.n, node.p);
	at->slot = -1;
	at->in_pagesets = false;
	at->n_held = 0;
	return true;
}

static unsigned find(struct pf_view word, unsigned hint)
{
	for (unsigned i = 0; i < PROTECTION; i++) {
		unsigned k = (hint + i) % PROTECTION;
		if (keys[k].n == word.n && memcmp(keys[k].p, word.p, word.n) == 0)
			return k;
	}
	return PROTECTION;
}

static void put_pages(struct pf_builder *b, unsigned metric, int slot, uint64_t pages)
{
	uint64_t kb;
	unsigned page_kb = b->page_size > 0 ? (unsigned)b->page_size / 1024 : 4;
	if (__builtin_mul_overflow(pages, page_kb, &kb))
		pf_builder_fail(b);
	else
		pf_builder_u64(b, metric, (unsigned)slot, kb);
}

/* "protection: (0, 2939, 18220)": so much of the zone is kept for each zone above. */
static void protection(struct pf_scan line, struct pf_builder *b, const struct place *at)
{
	for (unsigned i = 0;; i++) {
		char name[NAME_MAX_BYTES + 32];
		uint64_t pages;
		struct pf_view word = pf_scan_word(&line);
		while (word.n > 0 && (*word.p == '(')) {
			word.p++;
			word.n--;
		}
		while (word.n > 0 && (word.p[word.n - 1] == ',' || word.p[word.n - 1] == ')'))
			word.n--;
		if (word.n == 0)
			return;
		(void)snprintf(name, sizeof(name), "%s::lowmem_reserved%u", at->name, i);
		int slot = pf_view_u64(word, &pages) == 0 ? slot_of(b, PROTECTION, name) : -1;
		if (slot >= 0)
			put_pages(b, PROTECTION, slot, pages);
	}
}

/* The lines before "present" wait until it says whether the zone has any pages. */
static void zone_value(struct pf_builder *b, struct place *at, unsigned key, uint64_t pages)
{
	if (at->slot >= 0) {
		put_pages(b, key, at->slot, pages);
		return;
	}
	if (at->n_held < PF_N(at->held)) {
		at->held_key[at->n_held] = key;
		at->held[at->n_held++] = pages;
	}
	if (key != ZONE_present || pages == 0)
		return;
	at->slot = slot_of(b, ZONE_present, at->name);
	for (unsigned i = 0; i < at->n_held && at->slot >= 0; i++)
		put_pages(b, at->held_key[i], at->slot, at->held[i]);
}

static void zone_line(struct pf_scan line, struct pf_builder *b, struct place *at)
{
	struct pf_view word = pf_scan_word(&line);
	if (pf_view_is(word, "per-node")) {
		at->slot = slot_of(b, ZONE_present, at->node);
		return;
	}
	if (pf_view_is(word, "pagesets"))
		at->in_pagesets = true;
	if (at->in_pagesets)
		return;
	if (pf_view_is(word, "pages")) { /* here the zone's own begin */
		at->slot = -1;
		word = pf_scan_word(&line);
	}
	if (pf_view_is(word, "protection:")) {
		if (at->slot >= 0)
			protection(line, b, at);
		return;
	}
	uint64_t pages;
	unsigned key = find(word, at->hint);
	if (key == PROTECTION || pf_scan_u64(&line, &pages) != PF_SCAN_OK)
		return;
	at->hint = key + 1;
	zone_value(b, at, key, pages);
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	struct place at = { .slot = -1, .in_pagesets = true };
	if (b->column_set == OF_ZONES)
		memcpy(&at, b->columns, sizeof(at));
	while (pf_scan_line(&rest, &line)) {
		if (!begin_zone(line, &at))
			zone_line(line, b, &at);
	}
	memcpy(b->columns, &at, sizeof(at));
	b->column_set = OF_ZONES;
}

static const struct pf_row rows[] = {
	{ .path = "proc/zoneinfo", .tag = "zone", .optional = true, .parse = parse },
};

/* A value that another group has sampled by now. */
static bool got(const struct pf_builder *b, const char *name, unsigned slot, uint64_t *ret_v)
{
	int at = pf_catalog_find(b->catalog, pf_view_of(name));
	if (at < 0 || !pf_sample_has(b->sample, (unsigned)at, slot))
		return false;
	*ret_v = pf_sample_get(b->sample, (unsigned)at, slot).u;
	return true;
}

static void settle(struct pf_builder *b)
{
	static const struct {
		const char *pages;
		unsigned bytes;
	} huge[] = { { "mem.numa.util.hugepagesTotal", HUGE_TOTAL },
		     { "mem.numa.util.hugepagesFree", HUGE_FREE },
		     { "mem.numa.util.hugepagesSurp", HUGE_SURPLUS } };
	const struct pf_indom *nodes = pf_catalog_domain_of(b->catalog, b->base + HUGE_TOTAL);
	uint64_t size, pages, part[2];
	if (got(b, "mem.vmstat.nr_slab_reclaimable", 0, &part[0]) &&
	    got(b, "mem.vmstat.nr_slab_unreclaimable", 0, &part[1]))
		pf_builder_u64(b, SLAB, 0, part[0] + part[1]);
	if (!nodes || !got(b, "hinv.hugepagesize", 0, &size))
		return;
	for (unsigned slot = 0; slot < nodes->n; slot++) {
		for (unsigned i = 0; i < PF_N(huge); i++) {
			if (got(b, huge[i].pages, slot, &pages) && !__builtin_mul_overflow(pages, size, &pages))
				pf_builder_u64(b, huge[i].bytes, slot, pages);
		}
	}
}

const struct pf_group pf_group_zones = {
	.letters = "h",
	.name = "zones",
	.what = "what pmlogger records beside: memory of each zone and node (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.settle = settle,
};

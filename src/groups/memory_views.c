/* groups/memory_views.c - how memory is shown. Texts and arithmetic: spec collectl-data sections 4 to 6, and collectl 4.3.1 as observed. */
#include "groups/memory.h"

#include "base/cleanup.h"

#define VALUE(...)  .calc = PF_CALC_VALUE, .num = PF_SUM(__VA_ARGS__)
#define USED	    .calc = PF_CALC_VALUE, .num = PF_DIFFERENCE(PF_MEM_PHYSMEM, PF_MEM_FREE), .instead = PF_METRIC(PF_MEM_USED)
#define SWAP_USED   .calc = PF_CALC_VALUE, .num = PF_DIFFERENCE(PF_MEM_SWAP_TOTAL, PF_MEM_SWAP_FREE)
#define CHANGE(...) .calc = PF_CALC_CHANGE, .num = PF_SUM(__VA_ARGS__)
#define RATE(m)	    .calc = PF_CALC_RATE, .num = PF_SUM(m)
#define KB(w)	    .draw = PF_DRAW_CVT, .unit = 1, .div1024 = 1, .width = w
#define CVT(w)	    .draw = PF_DRAW_CVT, .width = w
#define PLOT	    .draw = PF_DRAW_PLOT
#define BLANK	    .before = " "

/* The peer matches keys by prefix, so the last Inactive line of the file is what it shows. */
#define INACTIVE_PEER PF_SUM(PF_MEM_INACTIVE, PF_MEM_INACTIVE_ANON, PF_MEM_INACTIVE_FILE)
#define INACTIVE(...)                                                                                                  \
	{ .calc = PF_CALC_LAST, .num = INACTIVE_PEER, .when = PF_AS_PEER, __VA_ARGS__ },                               \
	{                                                                                                              \
		VALUE(PF_MEM_INACTIVE), .unless = PF_AS_PEER, __VA_ARGS__                                              \
	}
#define ACTIVE(...)                                                                                                    \
	{ .calc = PF_CALC_LAST,                                                                                        \
	  .num = PF_SUM(PF_MEM_ACTIVE, PF_MEM_ACTIVE_ANON, PF_MEM_ACTIVE_FILE),                                        \
	  .when = PF_AS_PEER,                                                                                          \
	  __VA_ARGS__ },                                                                                               \
	{                                                                                                              \
		VALUE(PF_MEM_ACTIVE), .unless = PF_AS_PEER, __VA_ARGS__                                                \
	}
#define INACTIVE_CHANGE(...)                                                                                           \
	{ CHANGE(PF_MEM_INACTIVE_FILE), .when = PF_AS_PEER, __VA_ARGS__ },                                             \
	{                                                                                                              \
		CHANGE(PF_MEM_INACTIVE), .unless = PF_AS_PEER, __VA_ARGS__                                             \
	}
/* Pages are 4 KB; the peer shows bytes as if they were KB. */
#define SWAPPED(pages, ...)                                                                                            \
	{ RATE(pages), .scale = 4096, .when = PF_AS_PEER, __VA_ARGS__ },                                               \
	{                                                                                                              \
		RATE(pages), .scale = 4, .unless = PF_AS_PEER, __VA_ARGS__                                             \
	}

/* clang-format off */
static const struct pf_column brief[] = {
	{ VALUE(PF_MEM_FREE), KB(4), .after = " " },
	{ VALUE(PF_MEM_BUFMEM), KB(4), .after = " " },
	{ VALUE(PF_MEM_CACHED), KB(4), .after = " " },
	INACTIVE(KB(4), .after = " "),
	{ VALUE(PF_MEM_SLAB), KB(4), .after = " " },
	{ VALUE(PF_MEM_MAPPED, PF_MEM_ANONPAGES), KB(4), .after = " " },
};

static const struct pf_column brief_changes[] = {
	{ CHANGE(PF_MEM_FREE), KB(4), .fill = 5, .after = " " },
	{ CHANGE(PF_MEM_BUFMEM), KB(4), .fill = 5, .after = " " },
	{ CHANGE(PF_MEM_CACHED), KB(4), .fill = 5, .after = " " },
	INACTIVE_CHANGE(KB(4), .fill = 5, .after = " "),
	{ CHANGE(PF_MEM_SLAB), KB(4), .fill = 5, .after = " " },
	/* the peer divides the second part by the seconds, and not the first */
	{ .calc = PF_CALC_CHANGE, .num = { .n = 2, .undivided = 1, .metric = { PF_MEM_MAPPED, PF_MEM_ANONPAGES } }, KB(4), .fill = 5,
	  .after = " ", .when = PF_AS_PEER },
	{ CHANGE(PF_MEM_MAPPED, PF_MEM_ANONPAGES), KB(4), .fill = 5, .after = " ", .unless = PF_AS_PEER },
};

static const struct pf_column physical[] = {
	{ VALUE(PF_MEM_PHYSMEM), BLANK, KB(7) },
	{ USED, BLANK, KB(7) },
	{ VALUE(PF_MEM_FREE), BLANK, KB(7) },
	{ VALUE(PF_MEM_BUFMEM), BLANK, KB(7) },
	{ VALUE(PF_MEM_CACHED), BLANK, KB(7) },
	{ VALUE(PF_MEM_SLAB), BLANK, KB(7) },
	{ VALUE(PF_MEM_MAPPED), BLANK, KB(7) },
	{ VALUE(PF_MEM_ANONPAGES), BLANK, KB(7) },
	{ VALUE(PF_MEM_ANONHUGEPAGES), BLANK, KB(7) },
	{ VALUE(PF_MEM_COMMITTED_AS), BLANK, KB(7) },
	{ VALUE(PF_MEM_MLOCKED), BLANK, KB(7) },
	INACTIVE(BLANK, KB(5)),
};

static const struct pf_column paging[] = {
	{ VALUE(PF_MEM_SWAP_TOTAL), BLANK, KB(5) },
	{ SWAP_USED, BLANK, KB(5) },
	{ VALUE(PF_MEM_SWAP_FREE), BLANK, KB(5) },
	SWAPPED(PF_VM_pswpin, BLANK, KB(5), .fill = 4),
	SWAPPED(PF_VM_pswpout, BLANK, KB(5), .fill = 4),
	{ RATE(PF_VM_pgfault), BLANK, CVT(5) },
	{ RATE(PF_VM_pgmajfault), BLANK, CVT(5) },
	{ RATE(PF_VM_pgpgin), BLANK, CVT(4) },
	{ RATE(PF_VM_pgpgout), BLANK, CVT(4) },
};

/* The counters as they stand, not their rates. The peer never finds the movable zone. */
#define ZONES(stem) \
	{ VALUE(stem##_dma), BLANK, CVT(5) }, { VALUE(stem##_dma32), BLANK, CVT(5) }, \
	{ VALUE(stem##_normal), BLANK, CVT(5) }, { .calc = PF_CALC_ZERO, BLANK, CVT(5), .when = PF_AS_PEER }, \
	{ VALUE(stem##_movable), BLANK, CVT(5), .unless = PF_AS_PEER }

static const struct pf_column pages[] = {
	{ VALUE(PF_VM_pgfree), BLANK, CVT(5) },
	{ VALUE(PF_VM_pgactivate), BLANK, CVT(5) },
	ZONES(PF_VM_pgalloc),
	ZONES(PF_VM_pgrefill),
};

static const struct pf_column scans[] = {
	ZONES(PF_VM_pgsteal),
	ZONES(PF_VM_pgscan_kswapd),
	ZONES(PF_VM_pgscan_direct),
};

static const struct pf_column changes[] = {
	{ VALUE(PF_MEM_PHYSMEM), .per_interval = true, .before = "  ", KB(7), .when = PF_AS_PEER },
	{ VALUE(PF_MEM_PHYSMEM), .before = "  ", KB(7), .unless = PF_AS_PEER },
	{ .calc = PF_CALC_CHANGE, .num = PF_DIFFERENCE(PF_MEM_PHYSMEM, PF_MEM_FREE), .instead = PF_METRIC(PF_MEM_USED),
	  .from_zero = true, BLANK, KB(7), .fill = 8 },
	{ CHANGE(PF_MEM_FREE), BLANK, KB(7), .fill = 8 },
	{ CHANGE(PF_MEM_BUFMEM), BLANK, KB(7), .fill = 8 },
	{ CHANGE(PF_MEM_CACHED), BLANK, KB(7), .fill = 8 },
	{ CHANGE(PF_MEM_SLAB), .before = "  ", KB(7) },
	{ CHANGE(PF_MEM_MAPPED), .before = "  ", KB(7) },
	{ CHANGE(PF_MEM_ANONPAGES), .before = "  ", KB(7) },
	{ CHANGE(PF_MEM_ANONHUGEPAGES), BLANK, KB(7) },
	{ CHANGE(PF_MEM_COMMITTED_AS), BLANK, KB(7) },
	{ CHANGE(PF_MEM_MLOCKED), BLANK, KB(7) },
	INACTIVE_CHANGE(.before = "  ", KB(5), .fill = 6),
	{ VALUE(PF_MEM_SWAP_TOTAL), BLANK, KB(5) },
	{ .calc = PF_CALC_CHANGE, .num = PF_DIFFERENCE(PF_MEM_SWAP_TOTAL, PF_MEM_SWAP_FREE), .from_zero = true, BLANK, KB(5), .fill = 6 },
	{ CHANGE(PF_MEM_SWAP_FREE), BLANK, KB(5), .fill = 6 },
	SWAPPED(PF_VM_pswpin, BLANK, KB(5), .fill = 4),
	SWAPPED(PF_VM_pswpout, BLANK, KB(5), .fill = 4),
	{ RATE(PF_VM_pgfault), BLANK, CVT(5) },
	{ RATE(PF_VM_pgmajfault), BLANK, CVT(5) },
	{ RATE(PF_VM_pgpgin), BLANK, CVT(4) },
	{ RATE(PF_VM_pgpgout), BLANK, CVT(4) },
};

static const struct pf_column plot[] = {
	{ .name = "Tot", VALUE(PF_MEM_PHYSMEM), PLOT },
	{ .name = "Used", USED, PLOT },
	{ .name = "Free", VALUE(PF_MEM_FREE), PLOT },
	/* nr_shmem in KB; the peer takes the last key that begins so, which is no page count of shared memory */
	{ .name = "Shared", .calc = PF_CALC_LAST, .num = PF_SUM(PF_VM_nr_shmem, PF_VM_nr_shmem_hugepages, PF_VM_nr_shmem_pmdmapped),
	  .scale = 4, PLOT, .when = PF_AS_PEER },
	{ .name = "Shared", VALUE(PF_MEM_SHMEM), PLOT, .unless = PF_AS_PEER },
	{ .name = "Buf", VALUE(PF_MEM_BUFMEM), PLOT },
	{ .name = "Cached", VALUE(PF_MEM_CACHED), PLOT },
	{ .name = "Slab", VALUE(PF_MEM_SLAB), PLOT },
	{ .name = "Map", VALUE(PF_MEM_MAPPED), PLOT },
	{ .name = "Anon", VALUE(PF_MEM_ANONPAGES), PLOT },
	{ .name = "AnonH", VALUE(PF_MEM_ANONHUGEPAGES), PLOT },
	{ .name = "Commit", VALUE(PF_MEM_COMMITTED_AS), PLOT },
	{ .name = "Locked", VALUE(PF_MEM_MLOCKED), PLOT },
	{ .name = "SwapTot", VALUE(PF_MEM_SWAP_TOTAL), PLOT },
	{ .name = "SwapUsed", SWAP_USED, PLOT },
	{ .name = "SwapFree", VALUE(PF_MEM_SWAP_FREE), PLOT },
	SWAPPED(PF_VM_pswpin, .name = "SwapIn", PLOT),
	SWAPPED(PF_VM_pswpout, .name = "SwapOut", PLOT),
	{ .name = "Dirty", VALUE(PF_MEM_DIRTY), PLOT },
	{ .name = "Clean", .calc = PF_CALC_ZERO, PLOT },
	{ .name = "Laundry", .calc = PF_CALC_ZERO, PLOT },
	INACTIVE(.name = "Inactive", PLOT),
	{ .name = "PageIn", RATE(PF_VM_pgpgin), PLOT },
	{ .name = "PageOut", RATE(PF_VM_pgpgout), PLOT },
	{ .name = "PageFaults", RATE(PF_VM_pgfault), PLOT },
	{ .name = "PageMajFaults", RATE(PF_VM_pgmajfault), PLOT },
	{ .name = "HugeTotal", VALUE(PF_MEM_HUGEPAGES_TOTAL), PLOT },
	{ .name = "HugeFree", VALUE(PF_MEM_HUGEPAGES_FREE), PLOT },
	{ .name = "HugeRsvd", VALUE(PF_MEM_HUGEPAGES_RSVD), PLOT },
	{ .name = "SUnreclaim", VALUE(PF_MEM_SLAB_UNRECLAIMABLE), PLOT },
};

#define SHARED(...) \
	{ .calc = PF_CALC_LAST, .num = PF_SUM(PF_VM_nr_shmem, PF_VM_nr_shmem_hugepages, PF_VM_nr_shmem_pmdmapped), .scale = 4, \
	  .when = PF_AS_PEER, __VA_ARGS__ }, \
	{ VALUE(PF_MEM_SHMEM), .unless = PF_AS_PEER, __VA_ARGS__ }
#define UNIT(word, what) .name = word, .units = what

static const struct pf_column lexpr[] = {
	{ .name = "meminfo.tot", VALUE(PF_MEM_PHYSMEM) }, { .name = "meminfo.used", USED },
	{ .name = "meminfo.free", VALUE(PF_MEM_FREE) }, SHARED(.name = "meminfo.shared"),
	{ .name = "meminfo.buf", VALUE(PF_MEM_BUFMEM) }, { .name = "meminfo.cached", VALUE(PF_MEM_CACHED) },
	{ .name = "meminfo.slab", VALUE(PF_MEM_SLAB) }, { .name = "meminfo.map", VALUE(PF_MEM_MAPPED) },
	{ .name = "meminfo.anon", VALUE(PF_MEM_ANONPAGES) }, { .name = "meminfo.anonH", VALUE(PF_MEM_ANONHUGEPAGES) },
	{ .name = "meminfo.dirty", VALUE(PF_MEM_DIRTY) }, { .name = "meminfo.locked", VALUE(PF_MEM_MLOCKED) },
	INACTIVE(.name = "meminfo.inactive"), { .name = "meminfo.hugetot", VALUE(PF_MEM_HUGEPAGES_TOTAL) },
	{ .name = "meminfo.hugefree", VALUE(PF_MEM_HUGEPAGES_FREE) }, { .name = "meminfo.hugersvd", VALUE(PF_MEM_HUGEPAGES_RSVD) },
	{ .name = "meminfo.sunreclaim", VALUE(PF_MEM_SLAB_UNRECLAIMABLE) },
	{ .name = "swapinfo.total", VALUE(PF_MEM_SWAP_TOTAL) }, { .name = "swapinfo.free", VALUE(PF_MEM_SWAP_FREE) },
	{ .name = "swapinfo.used", SWAP_USED }, SWAPPED(PF_VM_pswpin, .name = "swapinfo.in"),
	SWAPPED(PF_VM_pswpout, .name = "swapinfo.out"), { .name = "pageinfo.fault", RATE(PF_VM_pgfault) },
	{ .name = "pageinfo.majfault", RATE(PF_VM_pgmajfault) }, { .name = "pageinfo.in", RATE(PF_VM_pgpgin) },
	{ .name = "pageinfo.out", RATE(PF_VM_pgpgout) },
};

static const struct pf_column gexpr[] = {
	{ UNIT("meminfo.tot", "kb"), VALUE(PF_MEM_PHYSMEM) }, { UNIT("meminfo.free", "kb"), VALUE(PF_MEM_FREE) },
	SHARED(UNIT("meminfo.shared", "kb")), { UNIT("meminfo.buf", "kb"), VALUE(PF_MEM_BUFMEM) },
	{ UNIT("meminfo.cached", "kb"), VALUE(PF_MEM_CACHED) },
	{ UNIT("swapinfo.total", "kb"), VALUE(PF_MEM_SWAP_TOTAL), .unless = PF_FOR_GRAPHITE },
	{ UNIT("swapinfo.free", "kb"), VALUE(PF_MEM_SWAP_FREE), .unless = PF_FOR_GRAPHITE },
};

/* Bytes, says ganglia; collectl 4.3.1 says so too and sends KB. */
#define BYTES(word, m) \
	{ UNIT(word, "Bytes"), VALUE(m), .when = PF_AS_PEER }, { UNIT(word, "Bytes"), VALUE(m), .scale = 1024, .unless = PF_AS_PEER }

static const struct pf_column ganglia[] = {
	BYTES("mem_total", PF_MEM_PHYSMEM), BYTES("mem_free", PF_MEM_FREE),
	{ UNIT("mem_shared", "Bytes"), .calc = PF_CALC_LAST,
	  .num = PF_SUM(PF_VM_nr_shmem, PF_VM_nr_shmem_hugepages, PF_VM_nr_shmem_pmdmapped), .scale = 4, .when = PF_AS_PEER },
	{ UNIT("mem_shared", "Bytes"), VALUE(PF_MEM_SHMEM), .scale = 1024, .unless = PF_AS_PEER },
	BYTES("mem_buffers", PF_MEM_BUFMEM), BYTES("mem_cached", PF_MEM_CACHED),
	BYTES("swap_total", PF_MEM_SWAP_TOTAL), BYTES("swap_free", PF_MEM_SWAP_FREE),
};

static const struct pf_column gexpr_rest[] = {
	{ UNIT("meminfo.used", "kb"), USED }, { UNIT("meminfo.slab", "kb"), VALUE(PF_MEM_SLAB) },
	{ UNIT("meminfo.map", "kb"), VALUE(PF_MEM_MAPPED) }, { UNIT("meminfo.hugetot", "kb"), VALUE(PF_MEM_HUGEPAGES_TOTAL) },
	{ UNIT("meminfo.hugefree", "kb"), VALUE(PF_MEM_HUGEPAGES_FREE) },
	{ UNIT("meminfo.hugersvd", "kb"), VALUE(PF_MEM_HUGEPAGES_RSVD) },
	{ UNIT("swapinfo.total", "kb"), VALUE(PF_MEM_SWAP_TOTAL), .when = PF_FOR_GRAPHITE },
	{ UNIT("swapinfo.free", "kb"), VALUE(PF_MEM_SWAP_FREE), .when = PF_FOR_GRAPHITE },
	{ UNIT("swapinfo.used", "kb"), SWAP_USED }, SWAPPED(PF_VM_pswpin, UNIT("swapinfo.in", "swaps/sec")),
	SWAPPED(PF_VM_pswpout, UNIT("swapinfo.out", "swaps/sec")), { UNIT("pageinfo.fault", "faults/sec"), RATE(PF_VM_pgfault) },
	{ UNIT("pageinfo.majfault", "majflt/sec"), RATE(PF_VM_pgmajfault) }, { UNIT("pageinfo.in", "pages/sec"), RATE(PF_VM_pgpgin) },
	{ UNIT("pageinfo.out", "pages/sec"), RATE(PF_VM_pgpgout) },
};

static const struct pf_column vmstat[] = {
	{ SWAP_USED, BLANK, KB(6) }, { VALUE(PF_MEM_FREE), BLANK, KB(6) }, { VALUE(PF_MEM_BUFMEM), BLANK, KB(6) },
	{ VALUE(PF_MEM_CACHED), BLANK, KB(6) }, INACTIVE(BLANK, KB(6)), ACTIVE(.name = "active", BLANK, KB(6)),
	SWAPPED(PF_VM_pswpin, BLANK, .width = 4), SWAPPED(PF_VM_pswpout, BLANK, .width = 4),
	{ RATE(PF_VM_pgpgin), BLANK, .width = 5 }, { RATE(PF_VM_pgpgout), BLANK, .width = 5 },
};

#define PARTS (PF_WITH_PHYSICAL | PF_WITH_VIRTUAL | PF_WITH_PAGES | PF_WITH_SCAN | PF_WITH_CHANGES)
#define VERBOSE .view = PF_VIEW_VERBOSE, .letter = 'm', .title = "MEMORY SUMMARY", .lead = " "
#define PHYSICAL \
	.head1 = "<------------------------------------Physical Memory------------------------------------------>", \
	.head2 = "   Total    Used    Free    Buff  Cached    Slab  Mapped    Anon   AnonH  Commit  Locked Inact", \
	.columns = physical, .n_columns = PF_N(physical)
#define PAGING \
	.head1 = "<-----------Swap------------><-------Paging------>", \
	.head2 = " Total  Used  Free   In  Out Fault MajFt   In  Out", .columns = paging, .n_columns = PF_N(paging)

#define BRIEF \
	.view = PF_VIEW_BRIEF, .letter = 'm', .head2 = "Free Buff Cach Inac Slab  Map ", .columns = brief, .n_columns = PF_N(brief)
#define BRIEF_CHANGES \
	.view = PF_VIEW_BRIEF, .letter = 'm', .head2 = " Free  Buff  Cach  Inac  Slab   Map ", .columns = brief_changes, \
	.n_columns = PF_N(brief_changes)

const struct pf_layout pf_memory_layouts[PF_MEMORY_N_LAYOUTS] = {
	/* with fragments the first heading stands over them, too */
	{ BRIEF, .unless = PF_WITH_CHANGES | PF_WITH_FRAGMENTS, .head1 = "<-----------Memory----------->" },
	{ BRIEF, .when = PF_WITH_FRAGMENTS, .unless = PF_WITH_CHANGES, .head1 = "<-----------------Memory----------------->" },
	{ BRIEF_CHANGES, .when = PF_WITH_CHANGES, .unless = PF_WITH_FRAGMENTS, .head1 = "<--------------Memory-------------->" },
	{ BRIEF_CHANGES, .when = PF_WITH_CHANGES | PF_WITH_FRAGMENTS, .head1 = "<--------------------Memory-------------------->" },
	{ VERBOSE, PHYSICAL, .unless = PARTS, .blank_time = true },
	{ VERBOSE, PHYSICAL, .when = PF_WITH_PHYSICAL, .unless = PF_WITH_CHANGES, .blank_time = true },
	{ VERBOSE, PAGING, .unless = PARTS, .blank_time = true },
	{ VERBOSE, PAGING, .when = PF_WITH_VIRTUAL, .unless = PF_WITH_CHANGES, .blank_time = true },
	{ VERBOSE, .when = PF_WITH_PAGES, .unless = PF_WITH_CHANGES, .blank_time = true,
	  .head1 = "<---Other---|-------Page Alloc------|------Page Refill----->",
	  .head2 = "  Free Activ   Dma Dma32  Norm  Move   Dma Dma32  Norm  Move", .columns = pages, .n_columns = PF_N(pages) },
	{ VERBOSE, .when = PF_WITH_SCAN, .unless = PF_WITH_CHANGES, .blank_time = true,
	  .head1 = "<------Page Steal-------|-------Scan KSwap------|------Scan Direct----->",
	  .head2 = "   Dma Dma32  Norm  Move   Dma Dma32  Norm  Move   Dma Dma32  Norm  Move", .columns = scans, .n_columns = PF_N(scans) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'm', .when = PF_WITH_CHANGES, .title = "MEMORY SUMMARY changes/int",
	  .head1 = "<---------------------------------------Physical Memory-----------------------------------------------><------------Swap-------------><-------Paging------>",
	  .head2 = "   Total     Used     Free     Buff   Cached     Slab   Mapped     Anon   AnonH  Commit  Locked   Inact Total   Used   Free   In  Out Fault MajFt   In  Out",
	  .columns = changes, .n_columns = PF_N(changes) },
	{ .view = PF_VIEW_PLOT, .letter = 'm', .label = "MEM", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 'm', .columns = lexpr, .n_columns = PF_N(lexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'm', .unless = PF_GANGLIA_NAMES, .label = "memory", .columns = gexpr, .n_columns = PF_N(gexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'm', .when = PF_GANGLIA_NAMES, .label = "memory", .columns = ganglia, .n_columns = PF_N(ganglia) },
	{ .view = PF_VIEW_GEXPR, .letter = 'm', .unless = PF_GANGLIA_ALONE, .label = "memory", .columns = gexpr_rest, .n_columns = PF_N(gexpr_rest) },
	{ .view = PF_VIEW_VMSTAT, .letter = 'm', .columns = vmstat, .n_columns = PF_N(vmstat) },
};
/* clang-format on */

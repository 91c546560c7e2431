/* groups/memory.h - what the files of the memory group tell: keys in the order of Linux 6.18, which is where parsing looks first, then keys
 * that other kernels have. Names, identifiers and semantics: PCP 6.0.3. */
#ifndef PF_GROUPS_MEMORY_H
#define PF_GROUPS_MEMORY_H

#include "model/group.h"

/* clang-format off */

/* /proc/meminfo: X(index, key, metric, PMID item of cluster 1, semantics, units), U(key without a metric), S(index, key) special. */
#define PF_MEMINFO(X, U, S) \
	X(PHYSMEM, "MemTotal", "mem.physmem", 0, DISCRETE, KBYTE) \
	X(FREE, "MemFree", "mem.util.free", 2, INSTANT, KBYTE) \
	X(AVAILABLE, "MemAvailable", "mem.util.available", 58, INSTANT, KBYTE) \
	X(BUFMEM, "Buffers", "mem.util.bufmem", 4, INSTANT, KBYTE) \
	X(CACHED, "Cached", "mem.util.cached", 5, INSTANT, KBYTE) \
	X(SWAP_CACHED, "SwapCached", "mem.util.swapCached", 13, INSTANT, KBYTE) \
	X(ACTIVE, "Active", "mem.util.active", 14, INSTANT, KBYTE) \
	X(INACTIVE, "Inactive", "mem.util.inactive", 15, INSTANT, KBYTE) \
	X(ACTIVE_ANON, "Active(anon)", "mem.util.active_anon", 36, INSTANT, KBYTE) \
	X(INACTIVE_ANON, "Inactive(anon)", "mem.util.inactive_anon", 37, INSTANT, KBYTE) \
	X(ACTIVE_FILE, "Active(file)", "mem.util.active_file", 38, INSTANT, KBYTE) \
	X(INACTIVE_FILE, "Inactive(file)", "mem.util.inactive_file", 39, INSTANT, KBYTE) \
	X(UNEVICTABLE, "Unevictable", "mem.util.unevictable", 40, INSTANT, KBYTE) \
	X(MLOCKED, "Mlocked", "mem.util.mlocked", 41, INSTANT, KBYTE) \
	X(SWAP_TOTAL, "SwapTotal", "mem.util.swapTotal", 20, INSTANT, KBYTE) \
	X(SWAP_FREE, "SwapFree", "mem.util.swapFree", 21, INSTANT, KBYTE) \
	U("Zswap") \
	U("Zswapped") \
	X(DIRTY, "Dirty", "mem.util.dirty", 22, INSTANT, KBYTE) \
	X(WRITEBACK, "Writeback", "mem.util.writeback", 23, INSTANT, KBYTE) \
	X(ANONPAGES, "AnonPages", "mem.util.anonpages", 30, INSTANT, KBYTE) \
	X(MAPPED, "Mapped", "mem.util.mapped", 24, INSTANT, KBYTE) \
	X(SHMEM, "Shmem", "mem.util.shmem", 42, INSTANT, KBYTE) \
	U("KReclaimable") \
	X(SLAB, "Slab", "mem.util.slab", 25, INSTANT, KBYTE) \
	X(SLAB_RECLAIMABLE, "SReclaimable", "mem.util.slabReclaimable", 34, INSTANT, KBYTE) \
	X(SLAB_UNRECLAIMABLE, "SUnreclaim", "mem.util.slabUnreclaimable", 35, INSTANT, KBYTE) \
	X(KERNEL_STACK, "KernelStack", "mem.util.kernelStack", 43, INSTANT, KBYTE) \
	X(PAGE_TABLES, "PageTables", "mem.util.pageTables", 27, INSTANT, KBYTE) \
	U("SecPageTables") \
	X(NFS_UNSTABLE, "NFS_Unstable", "mem.util.NFS_Unstable", 33, INSTANT, KBYTE) \
	X(BOUNCE, "Bounce", "mem.util.bounce", 32, INSTANT, KBYTE) \
	U("WritebackTmp") \
	X(COMMIT_LIMIT, "CommitLimit", "mem.util.commitLimit", 31, INSTANT, KBYTE) \
	X(COMMITTED_AS, "Committed_AS", "mem.util.committed_AS", 26, INSTANT, KBYTE) \
	X(VMALLOC_TOTAL, "VmallocTotal", "mem.util.vmallocTotal", 50, INSTANT, KBYTE) \
	X(VMALLOC_USED, "VmallocUsed", "mem.util.vmallocUsed", 51, INSTANT, KBYTE) \
	X(VMALLOC_CHUNK, "VmallocChunk", "mem.util.vmallocChunk", 52, INSTANT, KBYTE) \
	U("Percpu") \
	X(ANONHUGEPAGES, "AnonHugePages", "mem.util.anonhugepages", 56, INSTANT, KBYTE) \
	U("ShmemHugePages") \
	U("ShmemPmdMapped") \
	U("FileHugePages") \
	U("FilePmdMapped") \
	U("Balloon") \
	X(HUGEPAGES_TOTAL, "HugePages_Total", "mem.util.hugepagesTotal", 44, INSTANT, COUNT) \
	X(HUGEPAGES_FREE, "HugePages_Free", "mem.util.hugepagesFree", 45, INSTANT, COUNT) \
	X(HUGEPAGES_RSVD, "HugePages_Rsvd", "mem.util.hugepagesRsvd", 46, INSTANT, COUNT) \
	X(HUGEPAGES_SURP, "HugePages_Surp", "mem.util.hugepagesSurp", 47, INSTANT, COUNT) \
	S(HUGEPAGESIZE, "Hugepagesize") \
	U("Hugetlb") \
	X(DIRECT_MAP4K, "DirectMap4k", "mem.util.directMap4k", 48, INSTANT, KBYTE) \
	X(DIRECT_MAP2M, "DirectMap2M", "mem.util.directMap2M", 49, INSTANT, KBYTE) \
	X(DIRECT_MAP1G, "DirectMap1G", "mem.util.directMap1G", 57, INSTANT, KBYTE) \
	X(CORRUPTHARDWARE, "HardwareCorrupted", "mem.util.corrupthardware", 55, INSTANT, KBYTE) \
	X(HIGH_FREE, "HighFree", "mem.util.highFree", 17, INSTANT, KBYTE) \
	X(HIGH_TOTAL, "HighTotal", "mem.util.highTotal", 16, INSTANT, KBYTE) \
	X(LOW_FREE, "LowFree", "mem.util.lowFree", 19, INSTANT, KBYTE) \
	X(LOW_TOTAL, "LowTotal", "mem.util.lowTotal", 18, INSTANT, KBYTE) \
	X(MMAP_COPY, "MmapCopy", "mem.util.mmap_copy", 53, INSTANT, KBYTE) \
	X(QUICKLISTS, "Quicklists", "mem.util.quicklists", 54, INSTANT, KBYTE) \
	X(REVERSE_MAPS, "ReverseMaps", "mem.util.reverseMaps", 28, INSTANT, KBYTE) \
	X(SHARED, "MemShared", "mem.util.shared", 3, INSTANT, KBYTE)

/* /proc/vmstat: X(key, PMID item of cluster 28, kind), U(key without a metric). The metric is mem.vmstat.KEY; LEVEL is a count that goes up and
 * down, NUMBER a level without a unit. workingset_nodes and nr_free_cma are counters since PCP 6.0.3 says so, and archives with other
 * descriptors cannot be merged with its own; the kernel lets both go down, which its pmlogcheck takes for a wrap. */
#define PF_VMSTAT(X, U) \
	X(nr_free_pages, 47, LEVEL) U(nr_free_pages_blocks) X(nr_zone_inactive_anon, 129, LEVEL) \
	X(nr_zone_active_anon, 130, LEVEL) X(nr_zone_inactive_file, 131, LEVEL) X(nr_zone_active_file, 132, LEVEL) \
	X(nr_zone_unevictable, 133, LEVEL) X(nr_zone_write_pending, 134, LEVEL) X(nr_mlock, 53, LEVEL) \
	X(nr_zspages, 135, LEVEL) X(nr_free_cma, 111, COUNTER) X(numa_hit, 96, COUNTER) X(numa_miss, 99, COUNTER) \
	X(numa_foreign, 95, COUNTER) X(numa_interleave, 97, COUNTER) X(numa_local, 98, COUNTER) \
	X(numa_other, 100, COUNTER) X(nr_inactive_anon, 48, LEVEL) X(nr_active_anon, 45, LEVEL) \
	X(nr_inactive_file, 49, LEVEL) X(nr_active_file, 46, LEVEL) X(nr_unevictable, 55, LEVEL) \
	X(nr_slab_reclaimable, 37, NUMBER) X(nr_slab_unreclaimable, 38, NUMBER) X(nr_isolated_anon, 50, LEVEL) \
	X(nr_isolated_file, 51, LEVEL) X(workingset_nodes, 174, COUNTER) U(workingset_refault_anon) \
	U(workingset_refault_file) U(workingset_activate_anon) U(workingset_activate_file) \
	U(workingset_restore_anon) U(workingset_restore_file) X(workingset_nodereclaim, 124, COUNTER) \
	X(nr_anon_pages, 39, NUMBER) X(nr_mapped, 4, NUMBER) X(nr_file_pages, 41, NUMBER) X(nr_dirty, 0, NUMBER) \
	X(nr_writeback, 1, NUMBER) X(nr_shmem, 54, LEVEL) X(nr_shmem_hugepages, 127, LEVEL) \
	X(nr_shmem_pmdmapped, 128, LEVEL) X(nr_file_hugepages, 161, LEVEL) X(nr_file_pmdmapped, 162, LEVEL) \
	X(nr_anon_transparent_hugepages, 90, LEVEL) X(nr_vmscan_write, 42, COUNTER) \
	X(nr_vmscan_immediate_reclaim, 113, COUNTER) X(nr_dirtied, 91, COUNTER) X(nr_written, 94, COUNTER) \
	U(nr_throttled_written) X(nr_kernel_misc_reclaimable, 165, LEVEL) X(nr_foll_pin_acquired, 163, LEVEL) \
	X(nr_foll_pin_released, 164, LEVEL) X(nr_kernel_stack, 52, LEVEL) X(nr_page_table_pages, 3, NUMBER) \
	U(nr_sec_page_table_pages) U(nr_iommu_pages) U(nr_swapcached) U(pgpromote_success) U(pgpromote_candidate) \
	U(pgpromote_candidate_nrl) U(pgdemote_kswapd) U(pgdemote_direct) U(pgdemote_khugepaged) \
	U(pgdemote_proactive) U(nr_hugetlb) U(nr_balloon_pages) U(nr_kernel_file_pages) \
	X(nr_dirty_threshold, 93, LEVEL) X(nr_dirty_background_threshold, 92, LEVEL) U(nr_memmap_pages) \
	U(nr_memmap_boot_pages) X(pgpgin, 6, COUNTER) X(pgpgout, 7, COUNTER) X(pswpin, 8, COUNTER) \
	X(pswpout, 9, COUNTER) X(pgalloc_dma, 12, COUNTER) X(pgalloc_dma32, 63, COUNTER) \
	X(pgalloc_normal, 11, COUNTER) X(pgalloc_movable, 64, COUNTER) U(pgalloc_device) \
	X(allocstall_dma, 154, COUNTER) X(allocstall_dma32, 155, COUNTER) X(allocstall_normal, 158, COUNTER) \
	X(allocstall_movable, 157, COUNTER) U(allocstall_device) U(pgskip_dma) U(pgskip_dma32) U(pgskip_normal) \
	U(pgskip_movable) U(pgskip_device) X(pgfree, 13, COUNTER) X(pgactivate, 14, COUNTER) \
	X(pgdeactivate, 15, COUNTER) U(pglazyfree) X(pgfault, 16, COUNTER) X(pgmajfault, 17, COUNTER) \
	X(pglazyfreed, 116, COUNTER) U(pgrefill) U(pgreuse) X(pgsteal_kswapd, 150, COUNTER) \
	X(pgsteal_direct, 149, COUNTER) U(pgsteal_khugepaged) U(pgsteal_proactive) X(pgscan_kswapd, 148, COUNTER) \
	X(pgscan_direct, 146, COUNTER) U(pgscan_khugepaged) U(pgscan_proactive) \
	X(pgscan_direct_throttle, 147, COUNTER) U(pgscan_anon) U(pgscan_file) U(pgsteal_anon) \
	X(pgsteal_file, 167, COUNTER) U(zone_reclaim_success) X(zone_reclaim_failed, 86, COUNTER) \
	X(pginodesteal, 30, COUNTER) X(slabs_scanned, 31, COUNTER) X(kswapd_inodesteal, 33, COUNTER) \
	X(kswapd_low_wmark_hit_quickly, 87, COUNTER) X(kswapd_high_wmark_hit_quickly, 88, COUNTER) \
	X(pageoutrun, 34, COUNTER) X(pgrotated, 36, COUNTER) X(drop_pagecache, 109, COUNTER) \
	X(drop_slab, 110, COUNTER) X(oom_kill, 166, COUNTER) X(numa_pte_updates, 115, COUNTER) \
	X(numa_huge_pte_updates, 151, COUNTER) X(numa_hint_faults, 152, COUNTER) \
	X(numa_hint_faults_local, 153, COUNTER) X(numa_pages_migrated, 114, COUNTER) \
	X(pgmigrate_success, 118, COUNTER) X(pgmigrate_fail, 117, COUNTER) U(thp_migration_success) \
	U(thp_migration_fail) U(thp_migration_split) X(compact_migrate_scanned, 108, COUNTER) \
	X(compact_free_scanned, 107, COUNTER) X(compact_isolated, 126, COUNTER) X(compact_stall, 61, COUNTER) \
	X(compact_fail, 58, COUNTER) X(compact_success, 62, COUNTER) X(compact_daemon_wake, 106, COUNTER) \
	X(compact_daemon_migrate_scanned, 160, COUNTER) X(compact_daemon_free_scanned, 159, COUNTER) \
	X(htlb_buddy_alloc_success, 44, COUNTER) X(htlb_buddy_alloc_fail, 43, COUNTER) \
	X(unevictable_pgs_culled, 79, COUNTER) X(unevictable_pgs_scanned, 84, COUNTER) \
	X(unevictable_pgs_rescued, 83, COUNTER) X(unevictable_pgs_mlocked, 80, COUNTER) \
	X(unevictable_pgs_munlocked, 82, COUNTER) X(unevictable_pgs_cleared, 78, COUNTER) \
	X(unevictable_pgs_stranded, 85, COUNTER) X(thp_fault_alloc, 73, COUNTER) X(thp_fault_fallback, 74, COUNTER) \
	X(thp_fault_fallback_charge, 170, COUNTER) X(thp_collapse_alloc, 75, COUNTER) \
	X(thp_collapse_alloc_failed, 76, COUNTER) X(thp_file_alloc, 136, COUNTER) U(thp_file_fallback) \
	U(thp_file_fallback_charge) X(thp_file_mapped, 137, COUNTER) X(thp_split_page, 120, COUNTER) \
	X(thp_split_page_failed, 121, COUNTER) X(thp_deferred_split_page, 119, COUNTER) U(thp_underused_split_page) \
	X(thp_split_pmd, 122, COUNTER) U(thp_scan_exceed_none_pte) U(thp_scan_exceed_swap_pte) \
	U(thp_scan_exceed_share_pte) X(thp_split_pud, 171, COUNTER) X(thp_zero_page_alloc, 101, COUNTER) \
	X(thp_zero_page_alloc_failed, 102, COUNTER) X(thp_swpout, 172, COUNTER) X(thp_swpout_fallback, 173, COUNTER) \
	X(balloon_inflate, 104, COUNTER) X(balloon_deflate, 103, COUNTER) X(balloon_migrate, 105, COUNTER) \
	X(swap_ra, 168, COUNTER) X(swap_ra_hit, 169, COUNTER) U(swpin_zero) U(swpout_zero) U(ksm_swpin_copy) \
	U(cow_ksm) U(zswpin) U(zswpout) U(zswpwb) U(direct_map_level2_splits) U(direct_map_level3_splits) \
	U(direct_map_level2_collapses) U(direct_map_level3_collapses) X(nr_unstable, 2, NUMBER) \
	X(allocstall, 35, COUNTER) X(allocstall_high, 156, COUNTER) X(compact_blocks_moved, 57, COUNTER) \
	X(compact_pagemigrate_failed, 59, COUNTER) X(compact_pages_moved, 60, COUNTER) \
	X(kswapd_skip_congestion_wait, 89, COUNTER) X(kswapd_steal, 32, COUNTER) X(nr_bounce, 40, NUMBER) \
	X(nr_pages_scanned, 112, COUNTER) X(nr_slab, 5, NUMBER) X(nr_writeback_temp, 56, LEVEL) \
	X(pgalloc_high, 10, COUNTER) X(pgrefill_dma, 20, COUNTER) X(pgrefill_dma32, 65, COUNTER) \
	X(pgrefill_high, 18, COUNTER) X(pgrefill_movable, 66, COUNTER) X(pgrefill_normal, 19, COUNTER) \
	X(pgscan_direct_dma, 29, COUNTER) X(pgscan_direct_dma32, 67, COUNTER) X(pgscan_direct_high, 27, COUNTER) \
	X(pgscan_direct_movable, 68, COUNTER) X(pgscan_direct_normal, 28, COUNTER) \
	X(pgscan_direct_total, 176, COUNTER) X(pgscan_kswapd_dma, 26, COUNTER) X(pgscan_kswapd_dma32, 69, COUNTER) \
	X(pgscan_kswapd_high, 24, COUNTER) X(pgscan_kswapd_movable, 70, COUNTER) \
	X(pgscan_kswapd_normal, 25, COUNTER) X(pgscan_kswapd_total, 177, COUNTER) \
	X(pgsteal_direct_dma, 142, COUNTER) X(pgsteal_direct_dma32, 143, COUNTER) \
	X(pgsteal_direct_movable, 145, COUNTER) X(pgsteal_direct_normal, 144, COUNTER) X(pgsteal_dma, 23, COUNTER) \
	X(pgsteal_dma32, 71, COUNTER) X(pgsteal_high, 21, COUNTER) X(pgsteal_kswapd_dma, 138, COUNTER) \
	X(pgsteal_kswapd_dma32, 139, COUNTER) X(pgsteal_kswapd_movable, 141, COUNTER) \
	X(pgsteal_kswapd_normal, 140, COUNTER) X(pgsteal_movable, 72, COUNTER) X(pgsteal_normal, 22, COUNTER) \
	X(pgsteal_total, 178, COUNTER) X(thp_split, 77, COUNTER) X(unevictable_pgs_mlockfreed, 81, COUNTER) \
	X(workingset_activate, 123, COUNTER) X(workingset_refault, 125, COUNTER) X(workingset_restore, 175, COUNTER)

/* clang-format on */

/* Indexes of the group's metrics. */
enum {
#define X(index, key, metric, item, sem, units) PF_MEM_##index,
#define U(key)
#define S(index, key) PF_MEM_##index,
	PF_MEMINFO(X, U, S)
#undef X
#undef U
#undef S
#define X(key, item, kind) PF_VM_##key,
#define U(key)
		PF_VMSTAT(X, U)
#undef X
#undef U
			PF_MEM_USED,
	PF_MEM_FREEMEM,
	PF_MEM_OTHER,
	PF_MEM_CACHE_CLEAN,
	PF_MEM_MEGABYTES,
	PF_MEM_HUGE_TOTAL_BYTES,
	PF_MEM_HUGE_FREE_BYTES,
	PF_MEM_HUGE_RSVD_BYTES,
	PF_MEM_HUGE_SURP_BYTES,
	PF_SWAP_LENGTH,
	PF_SWAP_FREE,
	PF_SWAP_USED,
	PF_SWAP_PAGESIN,
	PF_SWAP_PAGESOUT,
	PF_SWAP_IN,
	PF_SWAP_OUT,
	PF_MEM_N
};

enum { PF_MEMORY_N_LAYOUTS = 17 };
extern const struct pf_layout pf_memory_layouts[PF_MEMORY_N_LAYOUTS];

#endif

/* groups/kernel.c - numbers that the kernel tells in a file each. Sources: /proc/sys/kernel, /sys/kernel/mm/ksm, kernel
 * Documentation/admin-guide/{sysctl/kernel,mm/ksm}.rst; what only system calls tell comes as text that sources/asked.c makes. Metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

#define PROC	      "proc/sys/kernel/"
#define KSM	      "sys/kernel/mm/ksm/"
#define INSTANT_NONE  PF_INSTANT, PF_UNITS_NONE
#define INSTANT_COUNT PF_INSTANT, PF_UNITS_COUNT
#define INSTANT_MSEC  PF_INSTANT, PF_UNITS_MSEC
#define DISCRETE_NONE PF_DISCRETE, PF_UNITS_NONE

/* X(index, file, tag, metric, PMID cluster and item, type, semantics and units): a file with one number */
/* clang-format off */
#define NUMBERS(X) \
	X(FULL_SCANS, KSM "full_scans", "ksm-scans", "mem.ksm.full_scans", 69, 0, PF_U64, INSTANT_COUNT) \
	X(ACROSS_NODES, KSM "merge_across_nodes", "ksm-nodes", "mem.ksm.merge_across_nodes", 69, 1, PF_U64, INSTANT_NONE) \
	X(SHARED, KSM "pages_shared", "ksm-shared", "mem.ksm.pages_shared", 69, 2, PF_U64, INSTANT_NONE) \
	X(SHARING, KSM "pages_sharing", "ksm-sharing", "mem.ksm.pages_sharing", 69, 3, PF_U64, INSTANT_NONE) \
	X(TO_SCAN, KSM "pages_to_scan", "ksm-to-scan", "mem.ksm.pages_to_scan", 69, 4, PF_U64, INSTANT_NONE) \
	X(UNSHARED, KSM "pages_unshared", "ksm-unshared", "mem.ksm.pages_unshared", 69, 5, PF_U64, INSTANT_COUNT) \
	X(VOLATILE, KSM "pages_volatile", "ksm-volatile", "mem.ksm.pages_volatile", 69, 6, PF_U64, INSTANT_NONE) \
	X(RUN_STATE, KSM "run", "ksm-run", "mem.ksm.run_state", 69, 7, PF_U64, INSTANT_NONE) \
	X(SLEEP_TIME, KSM "sleep_millisecs", "ksm-sleep", "mem.ksm.sleep_time", 69, 8, PF_U64, INSTANT_MSEC) \
	X(ENTROPY, PROC "random/entropy_avail", "entropy", "kernel.all.entropy.avail", 72, 0, PF_U32, INSTANT_NONE) \
	X(POOL, PROC "random/poolsize", "entropy-pool", "kernel.all.entropy.poolsize", 72, 1, PF_U32, INSTANT_NONE) \
	X(PID_MAX, PROC "pid_max", "pid-max", "kernel.all.pid_max", 72, 2, PF_U32, DISCRETE_NONE)

/* X(index, word of the line, metric, PMID cluster and item, units): of the limits and the use of System V IPC */
#define IPC(X) \
	X(SEM_MAP, "ipc.sem.max_semmap", 21, 0, DISCRETE_NONE) X(SEM_IDS, "ipc.sem.max_semid", 21, 1, DISCRETE_NONE) \
	X(SEM_ALL, "ipc.sem.max_sem", 21, 2, DISCRETE_NONE) X(SEM_UNDOS, "ipc.sem.num_undo", 21, 3, DISCRETE_NONE) \
	X(SEM_PER_ID, "ipc.sem.max_perid", 21, 4, DISCRETE_NONE) X(SEM_OPS, "ipc.sem.max_ops", 21, 5, DISCRETE_NONE) \
	X(SEM_UNDO_ENTRIES, "ipc.sem.max_undoent", 21, 6, DISCRETE_NONE) X(SEM_UNDO_SIZE, "ipc.sem.sz_semundo", 21, 7, DISCRETE_NONE) \
	X(SEM_VALUE, "ipc.sem.max_semval", 21, 8, DISCRETE_NONE) X(SEM_EXIT, "ipc.sem.max_exit", 21, 9, DISCRETE_NONE) \
	X(MSG_POOL, "ipc.msg.sz_pool", 22, 0, DISCRETE_KBYTE) X(MSG_MAP, "ipc.msg.mapent", 22, 1, DISCRETE_NONE) \
	X(MSG_SIZE, "ipc.msg.max_msgsz", 22, 2, DISCRETE_NONE) X(MSG_QUEUE, "ipc.msg.max_defmsgq", 22, 3, DISCRETE_NONE) \
	X(MSG_IDS, "ipc.msg.max_msgqid", 22, 4, DISCRETE_NONE) X(MSG_SEGMENT, "ipc.msg.max_msgseg", 22, 5, DISCRETE_NONE) \
	X(MSG_HEADS, "ipc.msg.num_smsghdr", 22, 6, DISCRETE_NONE) X(MSG_SEGMENTS, "ipc.msg.max_seg", 22, 7, DISCRETE_NONE) \
	X(SHM_MAX, "ipc.shm.max_segsz", 23, 0, DISCRETE_BYTE) X(SHM_MIN, "ipc.shm.min_segsz", 23, 1, DISCRETE_BYTE) \
	X(SHM_IDS, "ipc.shm.max_seg", 23, 2, DISCRETE_NONE) X(SHM_PER_PROCESS, "ipc.shm.max_segproc", 23, 3, DISCRETE_NONE) \
	X(SHM_ALL, "ipc.shm.max_shmsys", 23, 4, DISCRETE_NONE) \
	X(SHM_TOTAL, "ipc.shm.tot", 56, 0, INSTANT_BYTE) X(SHM_RSS, "ipc.shm.rss", 56, 1, INSTANT_BYTE) X(SHM_SWAP, "ipc.shm.swp", 56, 2, INSTANT_BYTE) \
	X(SHM_USED, "ipc.shm.used_ids", 56, 3, INSTANT_NONE) X(SHM_TRIES, "ipc.shm.swap_attempts", 56, 4, INSTANT_NONE) \
	X(SHM_SUCCESSES, "ipc.shm.swap_successes", 56, 5, INSTANT_NONE) \
	X(SEM_USED, "ipc.sem.used_sem", 61, 0, INSTANT_NONE) X(SEM_TOTAL, "ipc.sem.tot_sem", 61, 1, INSTANT_NONE) \
	X(MSG_USED, "ipc.msg.used_queues", 62, 0, INSTANT_NONE) X(MSG_TOTAL, "ipc.msg.tot_msg", 62, 1, INSTANT_NONE) \
	X(MSG_BYTES, "ipc.msg.tot_bytes", 62, 2, INSTANT_BYTE)

#define DISCRETE_KBYTE PF_DISCRETE, PF_UNITS_KBYTE
#define DISCRETE_BYTE  PF_DISCRETE, PF_UNITS_BYTE
#define INSTANT_BYTE   PF_INSTANT, PF_UNITS_BYTE

#define INDEX(index, ...) index,
enum { NUMBERS(INDEX) FIRST_IPC, BEFORE_IPC = FIRST_IPC - 1, IPC(INDEX) N_METRICS };

#define OF_FILE(index, file, tag, name, cluster, item, type, ...) \
	[index] = { name, PF_PMID(PF_DOMAIN_LINUX, cluster, item), PF_INDOM_NONE, type, __VA_ARGS__, "/" file },
#define OF_IPC(index, name, cluster, item, ...) \
	[index] = { name, PF_PMID(PF_DOMAIN_LINUX, cluster, item), PF_INDOM_NONE, PF_U32, __VA_ARGS__, "limit or use of System V IPC" },
static const struct pf_metric metrics[N_METRICS] = {
	NUMBERS(OF_FILE) IPC(OF_IPC)
};
/* clang-format on */

static bool first_line(struct pf_view text, struct pf_scan *ret_line)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	return pf_scan_line(&rest, ret_line);
}

static void put(struct pf_view text, struct pf_builder *b, unsigned metric)
{
	struct pf_scan line;
	if (first_line(text, &line))
		(void)pf_scan_value(&line, b, metric, 0);
}

#define PARSER(index, ...)                                                                                             \
	static void index##_parse(struct pf_view text, struct pf_builder *b)                                           \
	{                                                                                                              \
		put(text, b, index);                                                                                   \
	}
NUMBERS(PARSER)

/* All numbers in a line, in the order of the table; "-" for one that is not known. */
static void ipc_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan line;
	if (!first_line(text, &line))
		return;
	for (unsigned m = FIRST_IPC; m < N_METRICS; m++) {
		struct pf_view word = pf_scan_word(&line);
		uint64_t v;
		if (pf_view_is(word, "-"))
			continue;
		if (pf_view_u64(word, &v) < 0)
			return;
		pf_builder_u64(b, m, 0, (uint32_t)v); /* PCP, too, has the lower half of what is wider */
	}
}

/* clang-format off */
static const struct pf_row rows[] = {
#define ROW(index, file, word, ...) { .path = file, .tag = word, .optional = true, .one_line = true, .parse = index##_parse },
	NUMBERS(ROW)
#undef ROW
	{ .path = "perfolio/asked/ipc", .made = true, .tag = "asked-ipc", .parse = ipc_parse },
};
/* clang-format on */

const struct pf_group pf_group_kernel = {
	.letters = "h",
	.name = "kernel",
	.what = "what pmlogger records beside: limits, random numbers, IPC, merged pages (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
};

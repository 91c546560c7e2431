/* groups/kernel.c - numbers and names that the kernel tells in a file each. Sources: /proc/uptime, /proc/sys/kernel, /sys/kernel/mm/ksm, kernel
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

/* X(index, file, tag, metric, PMID cluster and item, type, semantics and units): a file with one number, or one line of text */
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

#define TEXTS(X) \
	X(RELEASE, PROC "osrelease", "uname-r", "kernel.uname.release", 12, 0, PF_STRING, DISCRETE_NONE) \
	X(VERSION, PROC "version", "uname-v", "kernel.uname.version", 12, 1, PF_STRING, DISCRETE_NONE) \
	X(SYSNAME, PROC "ostype", "uname-s", "kernel.uname.sysname", 12, 2, PF_STRING, DISCRETE_NONE) \
	X(NODENAME, PROC "hostname", "uname-n", "kernel.uname.nodename", 12, 4, PF_STRING, DISCRETE_NONE)

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

/* Words of the text that is made of system calls. */
#define ASKED(X) \
	X(MACHINE, "machine", "kernel.uname.machine", 12, 3, PF_STRING, DISCRETE_NONE) \
	X(UNAME, "uname", "pmda.uname", 12, 5, PF_STRING, DISCRETE_NONE) \
	X(HINV_MACHINE, "hinv-machine", "hinv.machine", 18, 7, PF_STRING, DISCRETE_NONE) \
	X(PAGE_SIZE, "pagesize", "hinv.pagesize", 1, 11, PF_U32, DISCRETE_BYTE) \
	X(USERS, "users", "kernel.all.nusers", 25, 0, PF_U32, INSTANT_NONE) \
	X(TAPES, "tapes", "hinv.ntape", 71, 16, PF_U32, DISCRETE_NONE) \
	X(FC_HOSTS, "fc-hosts", "hinv.nfchost", 91, 16, PF_U32, DISCRETE_NONE)

#define DISCRETE_KBYTE PF_DISCRETE, PF_UNITS_KBYTE
#define DISCRETE_BYTE  PF_DISCRETE, PF_UNITS_BYTE
#define INSTANT_BYTE   PF_INSTANT, PF_UNITS_BYTE

#define INDEX(index, ...) index,
enum { NUMBERS(INDEX) TEXTS(INDEX) ASKED(INDEX) UPTIME, IDLE, DISTRO, FIRST_IPC, BEFORE_IPC = FIRST_IPC - 1, IPC(INDEX) N_METRICS };

#define OF_FILE(index, file, tag, name, cluster, item, type, ...) \
	[index] = { name, PF_PMID(PF_DOMAIN_LINUX, cluster, item), PF_INDOM_NONE, type, __VA_ARGS__, "/" file },
#define OF_CALL(index, word, name, cluster, item, type, ...) \
	[index] = { name, PF_PMID(PF_DOMAIN_LINUX, cluster, item), PF_INDOM_NONE, type, __VA_ARGS__, name },
#define OF_IPC(index, name, cluster, item, ...) \
	[index] = { name, PF_PMID(PF_DOMAIN_LINUX, cluster, item), PF_INDOM_NONE, PF_U32, __VA_ARGS__, "limit or use of System V IPC" },
static const struct pf_metric metrics[N_METRICS] = {
	NUMBERS(OF_FILE) TEXTS(OF_FILE) ASKED(OF_CALL) IPC(OF_IPC)
	[UPTIME] = { "kernel.all.uptime", PF_PMID(PF_DOMAIN_LINUX, 26, 0), PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT, PF_UNITS_SEC, "since the host was booted" },
	[IDLE] = { "kernel.all.idletime", PF_PMID(PF_DOMAIN_LINUX, 26, 1), PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT, PF_UNITS_SEC, "of all CPUs, since then" },
	[DISTRO] = { "kernel.uname.distro", PF_PMID(PF_DOMAIN_LINUX, 12, 7), PF_INDOM_NONE, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "name and version of the distribution" },
};
/* clang-format on */

static bool first_line(struct pf_view text, struct pf_scan *ret_line)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	return pf_scan_line(&rest, ret_line);
}

static void put_text(struct pf_builder *b, unsigned metric, struct pf_scan line)
{
	pf_scan_blanks(&line);
	pf_builder_str(b, metric, 0, (struct pf_view){ line.p, (size_t)(line.end - line.p) });
}

static void put(struct pf_view text, struct pf_builder *b, unsigned metric)
{
	struct pf_scan line;
	if (!first_line(text, &line))
		return;
	if (metrics[metric].type == PF_STRING)
		put_text(b, metric, line);
	else
		(void)pf_scan_value(&line, b, metric, 0);
}

#define PARSER(index, ...)                                                                                             \
	static void index##_parse(struct pf_view text, struct pf_builder *b)                                           \
	{                                                                                                              \
		put(text, b, index);                                                                                   \
	}
NUMBERS(PARSER)
TEXTS(PARSER)

/* "628.92 481.04" */
static void uptime_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan line;
	double v;
	if (!first_line(text, &line))
		return;
	for (unsigned m = UPTIME; m <= IDLE; m++) {
		if (pf_view_double(pf_scan_word(&line), &v) == 0)
			pf_builder_double(b, m, 0, v);
		else
			pf_builder_fail(b);
	}
}

static void put_distro(struct pf_builder *b, struct pf_view before, struct pf_view text)
{
	char name[PF_NAME_MAX];
	if (pf_sample_has(b->sample, b->base + DISTRO, 0) || before.n + text.n > sizeof(name) || text.n == 0)
		return;
	memcpy(name, before.p, before.n);
	memcpy(name + before.n, text.p, text.n);
	pf_builder_str(b, DISTRO, 0, (struct pf_view){ name, before.n + text.n });
}

/* "12.11", a version alone */
static void debian_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan line;
	if (first_line(text, &line))
		put_distro(b, PF_VIEW("Debian "), (struct pf_view){ line.p, (size_t)(line.end - line.p) });
}

/* "Fedora release 40 (Forty)" */
static void release_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan line;
	if (first_line(text, &line))
		put_distro(b, PF_VIEW(""), (struct pf_view){ line.p, (size_t)(line.end - line.p) });
}

/* PRETTY_NAME="Name 1.2" */
static void os_release_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		if (!pf_scan_skip(&line, "PRETTY_NAME="))
			continue;
		if (line.end - line.p >= 2 && *line.p == '"')
			line = (struct pf_scan){ line.p + 1, line.end - 1 };
		put_distro(b, PF_VIEW(""), (struct pf_view){ line.p, (size_t)(line.end - line.p) });
	}
}

static const struct {
	struct pf_view word;
	unsigned metric;
} asked[] = {
#define WORD(index, word, ...) { { word, sizeof(word) - 1 }, index },
	ASKED(WORD)
#undef WORD
};

/* "pagesize 4096", a fact a line */
static void asked_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view word = pf_scan_word(&line);
		unsigned i = 0;
		while (i < PF_N(asked) && (asked[i].word.n != word.n || memcmp(asked[i].word.p, word.p, word.n) != 0))
			i++;
		if (i < PF_N(asked) && metrics[asked[i].metric].type == PF_STRING)
			put_text(b, asked[i].metric, line);
		else if (i < PF_N(asked))
			(void)pf_scan_value(&line, b, asked[i].metric, 0);
	}
}

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
	NUMBERS(ROW) TEXTS(ROW)
#undef ROW
	{ .path = "proc/uptime", .tag = "uptime", .parse = uptime_parse },
	{ .path = "etc/debian_version", .tag = "distro-debian", .optional = true, .parse = debian_parse },
	{ .path = "etc/redhat-release", .tag = "distro-redhat", .optional = true, .parse = release_parse },
	{ .path = "etc/os-release", .tag = "distro-os", .optional = true, .parse = os_release_parse },
	{ .path = "perfolio/asked/host", .made = true, .tag = "asked-host", .parse = asked_parse },
	{ .path = "perfolio/asked/ipc", .made = true, .tag = "asked-ipc", .parse = ipc_parse },
};
/* clang-format on */

const struct pf_group pf_group_kernel = {
	.letters = "h",
	.name = "kernel",
	.what = "what pmlogger records beside: names, uptime, users, limits, IPC, merged pages (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
};

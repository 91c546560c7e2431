/* groups/ipc.c - System V IPC: each shared memory segment, message queue and set of semaphores. Source: /proc/sysvipc, proc(5); names of their
 * owners come as text that sources/asked.c makes. Metrics: PCP 6.0.3, which has permissions as a number whose decimal digits are octal. */
#include "groups/list.h"
#include "groups/scan.h"

#include <stdio.h>

#include "base/cleanup.h"

enum { KEY, OWNER, PERMS, N_COMMON };
enum {
	SHM,
	SHM_SIZE = SHM + N_COMMON,
	SHM_ATTACHED,
	SHM_STATUS,
	SHM_CREATOR,
	SHM_LAST,
	MSG,
	MSG_BYTES = MSG + N_COMMON,
	MSG_MESSAGES,
	MSG_SENDER,
	MSG_RECEIVER,
	SEM,
	SEM_N = SEM + N_COMMON,
	N_METRICS
};

#define INDOM(kind)   PF_INDOM(PF_DOMAIN_LINUX, kind)
#define PMID(c, item) PF_PMID(PF_DOMAIN_LINUX, c, item)
#define SHMS	      INDOM(28), PF_U32
#define MSGS	      INDOM(29), PF_U32
#define SEMS	      INDOM(30), PF_U32

/* clang-format off */
#define COMMON(first, word, cluster, kind) \
	[(first) + KEY] = { "ipc." word ".key", PMID(cluster, 0), INDOM(kind), PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "key, hexadecimal" }, \
	[(first) + OWNER] = { "ipc." word ".owner", PMID(cluster, 1), INDOM(kind), PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "name of the owner" }, \
	[(first) + PERMS] = { "ipc." word ".perms", PMID(cluster, 2), INDOM(kind), PF_U32, PF_INSTANT, PF_UNITS_NONE, "permissions; the digits are octal" }
static const struct pf_metric metrics[N_METRICS] = {
	COMMON(SHM, "shm", 64, 28),
	[SHM_SIZE] = { "ipc.shm.segsz", PMID(64, 3), SHMS, PF_DISCRETE, PF_UNITS_BYTE, "size" },
	[SHM_ATTACHED] = { "ipc.shm.nattch", PMID(64, 4), SHMS, PF_INSTANT, PF_UNITS_NONE, "processes that have it" },
	[SHM_STATUS] = { "ipc.shm.status", PMID(64, 5), INDOM(28), PF_STRING, PF_INSTANT, PF_UNITS_NONE, "dest: to be removed, locked: in memory" },
	[SHM_CREATOR] = { "ipc.shm.creator_pid", PMID(64, 6), SHMS, PF_DISCRETE, PF_UNITS_NONE, "process that made it" },
	[SHM_LAST] = { "ipc.shm.last_access_pid", PMID(64, 7), SHMS, PF_INSTANT, PF_UNITS_NONE, "process that attached or detached it last" },
	COMMON(MSG, "msg", 65, 29),
	[MSG_BYTES] = { "ipc.msg.msgsz", PMID(65, 3), MSGS, PF_DISCRETE, PF_UNITS_BYTE, "bytes in the queue" },
	[MSG_MESSAGES] = { "ipc.msg.messages", PMID(65, 4), MSGS, PF_INSTANT, PF_UNITS_NONE, "messages in the queue" },
	[MSG_SENDER] = { "ipc.msg.last_send_pid", PMID(65, 5), MSGS, PF_INSTANT, PF_UNITS_BYTE, "process that sent last; PCP calls its number bytes" },
	[MSG_RECEIVER] = { "ipc.msg.last_recv_pid", PMID(65, 6), MSGS, PF_INSTANT, PF_UNITS_NONE, "process that received last" },
	COMMON(SEM, "sem", 66, 30),
	[SEM_N] = { "ipc.sem.nsems", PMID(66, 3), SEMS, PF_INSTANT, PF_UNITS_NONE, "semaphores of the set" },
};
/* clang-format on */

enum { MODE_BITS = 1000, MODE_DESTROYED = 1, MODE_LOCKED = 2, NAME_BYTES = 24 };

static int slot_of(struct pf_builder *b, unsigned metric, struct pf_view id)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + metric);
	uint64_t number;
	if (!dom || pf_view_u64(id, &number) < 0 || number > INT32_MAX)
		return -1;
	return pf_builder_instance(b, dom, id, (int32_t)number);
}

/* "KEY ID PERMISSIONS", the columns that all kinds begin with. @ret_bits: of the permissions, what is above them. Return: slot, below 0: no line of these. */
static int put_common(struct pf_scan *line, struct pf_builder *b, unsigned first, uint64_t *ret_bits)
{
	int64_t key;
	uint64_t perms;
	char text[NAME_BYTES];
	bool good = pf_view_i64(pf_scan_word(line), &key) == 0;
	int slot = good ? slot_of(b, first + KEY, pf_scan_word(line)) : -1;
	if (slot < 0 || pf_scan_u64(line, &perms) != PF_SCAN_OK)
		return -1;
	int n = snprintf(text, sizeof(text), "0x%08x", (unsigned)key);
	pf_builder_str(b, first + KEY, (unsigned)slot, (struct pf_view){ text, (size_t)n });
	pf_builder_u64(b, first + PERMS, (unsigned)slot, perms % MODE_BITS);
	*ret_bits = perms / MODE_BITS;
	return slot;
}

static uint64_t lower(uint64_t v)
{
	return (uint32_t)v;
}

static void put_columns(struct pf_scan *line, struct pf_builder *b, int slot, const unsigned *columns, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t v;
		if (pf_scan_u64(line, &v) != PF_SCAN_OK)
			return;
		pf_builder_u64(b, columns[i], (unsigned)slot, lower(v));
	}
}

static void each_line(struct pf_view text, struct pf_builder *b, unsigned first, const unsigned *columns, unsigned n)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	uint64_t bits;
	while (pf_scan_line(&rest, &line)) {
		int slot = put_common(&line, b, first, &bits);
		if (slot < 0)
			continue;
		put_columns(&line, b, slot, columns, n);
		if (first == SHM)
			pf_builder_str(b, SHM_STATUS, (unsigned)slot,
				       bits & MODE_DESTROYED ? PF_VIEW("dest")
				       : bits & MODE_LOCKED  ? PF_VIEW("locked")
							     : PF_VIEW(""));
	}
}

static void shm_parse(struct pf_view text, struct pf_builder *b)
{
	each_line(text, b, SHM, (const unsigned[]){ SHM_SIZE, SHM_CREATOR, SHM_LAST, SHM_ATTACHED }, 4);
}

static void msg_parse(struct pf_view text, struct pf_builder *b)
{
	each_line(text, b, MSG, (const unsigned[]){ MSG_BYTES, MSG_MESSAGES, MSG_SENDER, MSG_RECEIVER }, 4);
}

static void sem_parse(struct pf_view text, struct pf_builder *b)
{
	each_line(text, b, SEM, (const unsigned[]){ SEM_N }, 1);
}

/* "sem 0 root" */
static void owners_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view kind = pf_scan_word(&line);
		unsigned first = pf_view_is(kind, "shm") ? SHM : pf_view_is(kind, "msg") ? MSG : SEM;
		int slot = slot_of(b, first + OWNER, pf_scan_word(&line));
		struct pf_view name = pf_scan_word(&line);
		if (slot >= 0 && name.n > 0)
			pf_builder_str(b, first + OWNER, (unsigned)slot, name);
	}
}

#define FILE_OF(kind) .path = "proc/sysvipc/" kind, .tag = "ipc-" kind, .skip_lines = 1, .optional = true

static const struct pf_row rows[] = {
	{ .path = "perfolio/asked/owners", .made = true, .tag = "asked-owners", .parse = owners_parse },
	{ FILE_OF("shm"), .parse = shm_parse },
	{ FILE_OF("msg"), .parse = msg_parse },
	{ FILE_OF("sem"), .parse = sem_parse },
};

const struct pf_group pf_group_ipc = {
	.letters = "h",
	.name = "ipc",
	.what = "what pmlogger records beside: each segment, queue and semaphore (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
};

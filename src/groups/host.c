/* groups/host.c - what a host is called, how long it is up, who uses it: what programs of PCP ask for before anything else, so each archive has
 * it. Sources: /proc/sys/kernel, /proc/uptime, /etc/os-release, /sys/devices/system/{cpu,node}/online; what only system calls tell comes as text
 * that sources/asked.c makes. Metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/numbered.h"
#include "groups/scan.h"

#include "base/cleanup.h"

#define PROC	      "proc/sys/kernel/"
#define INSTANT_NONE  PF_INSTANT, PF_UNITS_NONE
#define DISCRETE_NONE PF_DISCRETE, PF_UNITS_NONE
#define DISCRETE_BYTE PF_DISCRETE, PF_UNITS_BYTE

/* X(index, file, is it read once, tag, metric, PMID cluster and item, type, semantics and units): a file with one number, or one line of text.
 * Only the name of the host and the number of terminals can change while it runs. */
/* clang-format off */
#define FILES(X) \
	X(RELEASE, PROC "osrelease", true, "uname-r", "kernel.uname.release", 12, 0, PF_STRING, DISCRETE_NONE) \
	X(VERSION, PROC "version", true, "uname-v", "kernel.uname.version", 12, 1, PF_STRING, DISCRETE_NONE) \
	X(SYSNAME, PROC "ostype", true, "uname-s", "kernel.uname.sysname", 12, 2, PF_STRING, DISCRETE_NONE) \
	X(NODENAME, PROC "hostname", false, "uname-n", "kernel.uname.nodename", 12, 4, PF_STRING, DISCRETE_NONE) \
	X(TERMINALS, PROC "pty/nr", false, "ptys", "kernel.all.nptys", 72, 3, PF_U32, INSTANT_NONE)

/* Words of the text that is made of system calls. */
#define ASKED(X) \
	X(MACHINE, "machine", "kernel.uname.machine", 12, 3, PF_STRING, DISCRETE_NONE) \
	X(UNAME, "uname", "pmda.uname", 12, 5, PF_STRING, DISCRETE_NONE) \
	X(HINV_MACHINE, "hinv-machine", "hinv.machine", 18, 7, PF_STRING, DISCRETE_NONE) \
	X(PAGE_SIZE, "pagesize", "hinv.pagesize", 1, 11, PF_U32, DISCRETE_BYTE) \
	X(USERS, "users", "kernel.all.nusers", 25, 0, PF_U32, INSTANT_NONE) \
	X(ROOTS, "roots", "kernel.all.nroots", 25, 1, PF_U32, INSTANT_NONE) \
	X(SESSIONS, "sessions", "kernel.all.nsessions", 25, 2, PF_U32, INSTANT_NONE) \
	X(TAPES, "tapes", "hinv.ntape", 71, 16, PF_U32, DISCRETE_NONE) \
	X(FC_HOSTS, "fc-hosts", "hinv.nfchost", 91, 16, PF_U32, DISCRETE_NONE)

#define INDEX(index, ...) index,
enum { FILES(INDEX) ASKED(INDEX) UPTIME, IDLE, DISTRO, NUMBER, ONLINE, NODE_ONLINE, N_NODES, N_METRICS };

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define OF_FILE(index, file, once, tag, name, cluster, item, type, ...) \
	[index] = { name, LINUX(cluster, item), PF_INDOM_NONE, type, __VA_ARGS__, "/" file },
#define OF_CALL(index, word, name, cluster, item, type, ...) \
	[index] = { name, LINUX(cluster, item), PF_INDOM_NONE, type, __VA_ARGS__, name },
static const struct pf_metric metrics[N_METRICS] = {
	FILES(OF_FILE) ASKED(OF_CALL)
	[UPTIME] = { "kernel.all.uptime", LINUX(26, 0), PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT, PF_UNITS_SEC, "since the host was booted" },
	[IDLE] = { "kernel.all.idletime", LINUX(26, 1), PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT, PF_UNITS_SEC, "of all CPUs, since then" },
	[DISTRO] = { "kernel.uname.distro", LINUX(12, 7), PF_INDOM_NONE, PF_STRING, DISCRETE_NONE, "name and version of the distribution" },
	[NUMBER] = { "hinv.map.cpu_num", LINUX(18, 6), PF_INDOM_CPU, PF_U32, DISCRETE_NONE, "the kernel's number" },
	[ONLINE] = { "hinv.cpu.online", LINUX(55, 0), PF_INDOM_CPU, PF_U32, INSTANT_NONE, "1: it runs" },
	[NODE_ONLINE] = { "hinv.node.online", LINUX(55, 1), PF_INDOM_NODE, PF_U32, INSTANT_NONE, "1: it is there" },
	[N_NODES] = { "hinv.nnode", LINUX(0, 19), PF_INDOM_NONE, PF_U32, DISCRETE_NONE, "nodes" },
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
FILES(PARSER)

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

static void cpu_is_online(struct pf_builder *b, uint64_t number)
{
	int slot = pf_numbered_slot(b, ONLINE, "cpu", number);
	if (slot < 0)
		return;
	pf_builder_u64(b, ONLINE, (unsigned)slot, 1);
	pf_builder_u64(b, NUMBER, (unsigned)slot, number);
}

static void node_is_online(struct pf_builder *b, uint64_t number)
{
	int slot = pf_numbered_slot(b, NODE_ONLINE, "node", number);
	if (slot >= 0)
		pf_builder_u64(b, NODE_ONLINE, (unsigned)slot, 1);
}

static void online_parse(struct pf_view text, struct pf_builder *b)
{
	(void)pf_numbered_each(text, b, cpu_is_online);
}

static void nodes_parse(struct pf_view text, struct pf_builder *b)
{
	pf_builder_u64(b, N_NODES, 0, pf_numbered_each(text, b, node_is_online));
}

/* clang-format off */
static const struct pf_row rows[] = {
#define ROW(index, file, is_once, word, ...) { .path = file, .tag = word, .optional = true, .one_line = true, .once = (is_once), .parse = index##_parse },
	FILES(ROW)
#undef ROW
	{ .path = "proc/uptime", .tag = "uptime", .optional = true, .parse = uptime_parse },
	{ .path = "etc/debian_version", .tag = "distro-debian", .optional = true, .once = true, .parse = debian_parse },
	{ .path = "etc/redhat-release", .tag = "distro-redhat", .optional = true, .once = true, .parse = release_parse },
	{ .path = "etc/os-release", .tag = "distro-os", .optional = true, .once = true, .parse = os_release_parse },
	{ .path = "sys/devices/system/cpu/online", .tag = "cpu-online", .optional = true, .parse = online_parse },
	{ .path = "sys/devices/system/node/online", .tag = "node-online", .optional = true, .parse = nodes_parse },
	{ .path = "perfolio/asked/host", .made = true, .tag = "asked-host", .parse = asked_parse },
};
/* clang-format on */

const struct pf_group pf_group_host = {
	.letters = "h",
	.name = "host",
	.what = "what pmlogger records beside: names of the host, uptime, users; in each archive that is recorded (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.in_archives = true,
};

/* groups/sockets.c - sockets in use. Source: /proc/net/sockstat, proc(5); columns: spec collectl-data sections 4 to 6, metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { USED, TCP, ORPHAN, TW, ALLOC, TCP_MEM, UDP, UDP_MEM, UDPLITE, RAW, FRAG, FRAG_MEM, N_METRICS };

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define LEVEL		     PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_COUNT

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[USED] = { "network.sockstat.total", LINUX(11, 9), LEVEL, "sockets of all kinds" },
	[TCP] = { "network.sockstat.tcp.inuse", LINUX(11, 0), LEVEL, "TCP sockets in use" },
	[ORPHAN] = { "network.sockstat.tcp.orphan", LINUX(11, 10), LEVEL, "TCP sockets without a process" },
	[TW] = { "network.sockstat.tcp.tw", LINUX(11, 11), LEVEL, "TCP sockets that wait for their end" },
	[ALLOC] = { "network.sockstat.tcp.alloc", LINUX(11, 12), LEVEL, "TCP sockets allocated" },
	[TCP_MEM] = { "network.sockstat.tcp.mem", LINUX(11, 13), LEVEL, "pages of memory for TCP" },
	[UDP] = { "network.sockstat.udp.inuse", LINUX(11, 3), LEVEL, "UDP sockets in use" },
	[UDP_MEM] = { "network.sockstat.udp.mem", LINUX(11, 14), LEVEL, "pages of memory for UDP" },
	[UDPLITE] = { "network.sockstat.udplite.inuse", LINUX(11, 8), LEVEL, "UDP-Lite sockets in use" },
	[RAW] = { "network.sockstat.raw.inuse", LINUX(11, 6), LEVEL, "raw sockets in use" },
	[FRAG] = { "network.sockstat.frag.inuse", LINUX(11, 15), LEVEL, "queues of IP fragments" },
	[FRAG_MEM] = { "network.sockstat.frag.memory", LINUX(11, 16), LEVEL, "bytes of memory for IP fragments" },
};
/* clang-format on */

/* Words that name a number, by the word the line begins with. */
static const struct {
	struct pf_view line, word;
	unsigned metric;
} words[] = {
	{ { "sockets:", 8 }, { "used", 4 }, USED },	{ { "TCP:", 4 }, { "inuse", 5 }, TCP },
	{ { "TCP:", 4 }, { "orphan", 6 }, ORPHAN },	{ { "TCP:", 4 }, { "tw", 2 }, TW },
	{ { "TCP:", 4 }, { "alloc", 5 }, ALLOC },	{ { "TCP:", 4 }, { "mem", 3 }, TCP_MEM },
	{ { "UDP:", 4 }, { "inuse", 5 }, UDP },		{ { "UDP:", 4 }, { "mem", 3 }, UDP_MEM },
	{ { "UDPLITE:", 8 }, { "inuse", 5 }, UDPLITE }, { { "RAW:", 4 }, { "inuse", 5 }, RAW },
	{ { "FRAG:", 5 }, { "inuse", 5 }, FRAG },	{ { "FRAG:", 5 }, { "memory", 6 }, FRAG_MEM },
};

static bool same(struct pf_view a, struct pf_view b)
{
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

static void pair(struct pf_scan *line, struct pf_builder *b, struct pf_view head, struct pf_view word)
{
	for (unsigned i = 0; i < PF_N(words); i++) {
		if (!same(words[i].line, head) || !same(words[i].word, word))
			continue;
		int64_t v = 0;
		if (pf_view_i64(pf_scan_word(line), &v) < 0)
			pf_builder_fail(b);
		else
			pf_builder_i64(b, words[i].metric, 0, v);
		return;
	}
	(void)pf_scan_word(line); /* of a later kernel */
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view head = pf_scan_word(&line);
		struct pf_view word = pf_scan_word(&line);
		while (word.n > 0) {
			pair(&line, b, head, word);
			word = pf_scan_word(&line);
		}
	}
}

static const struct pf_row rows[] = {
	{ .path = "proc/net/sockstat", .tag = "sock", .parse = parse },
};

#define VALUE(m) .calc = PF_CALC_VALUE, .num = PF_SUM(m)
/* The peer takes the last number of the last line that begins with UDP, and the fragments' count again for their memory. */
#define UDP_COLUMN(...)                                                                                                \
	{ .calc = PF_CALC_LAST, .num = PF_SUM(UDP, UDP_MEM, UDPLITE), .when = PF_AS_PEER, __VA_ARGS__ },               \
	{                                                                                                              \
		VALUE(UDP), .unless = PF_AS_PEER, __VA_ARGS__                                                          \
	}
#define FRAG_MEM_COLUMN(...)                                                                                           \
	{ VALUE(FRAG), .when = PF_AS_PEER, __VA_ARGS__ },                                                              \
	{                                                                                                              \
		VALUE(FRAG_MEM), .unless = PF_AS_PEER, __VA_ARGS__                                                     \
	}
#define CVT .draw = PF_DRAW_CVT, .width = 4, .after = " "

/* clang-format off */
static const struct pf_column brief[] = {
	{ VALUE(USED), CVT },
	UDP_COLUMN(CVT),
	{ VALUE(RAW), CVT },
	{ VALUE(FRAG), CVT },
};

static const struct pf_column verbose[] = {
	{ VALUE(USED), .width = 5 },
	{ .before = "  ", VALUE(TCP), .width = 5 },
	{ .before = "  ", VALUE(ORPHAN), .width = 5 },
	{ .before = " ", VALUE(TW), .width = 5 },
	{ .before = "  ", VALUE(ALLOC), .width = 5 },
	{ .before = " ", VALUE(TCP_MEM), .width = 5 },
	UDP_COLUMN(.before = "  ", .width = 5),
	{ .before = " ", VALUE(RAW), .width = 5 },
	{ .before = "  ", VALUE(FRAG), .width = 5 },
	FRAG_MEM_COLUMN(.before = " ", .width = 5),
};

static const struct pf_column plot[] = {
	{ .name = "Used", VALUE(USED) },
	{ .name = "Tcp", VALUE(TCP) },
	{ .name = "Orph", VALUE(ORPHAN) },
	{ .name = "Tw", VALUE(TW) },
	{ .name = "Alloc", VALUE(ALLOC) },
	{ .name = "Mem", VALUE(TCP_MEM) },
	UDP_COLUMN(.name = "Udp"),
	{ .name = "Raw", VALUE(RAW) },
	{ .name = "Frag", VALUE(FRAG) },
	FRAG_MEM_COLUMN(.name = "FragMem"),
};

#define SOCKETS .units = "sockets"

static const struct pf_column exported[] = {
	{ .name = "sockinfo.used", SOCKETS, VALUE(USED) }, { .name = "sockinfo.tcp", SOCKETS, VALUE(TCP) },
	{ .name = "sockinfo.orphan", SOCKETS, VALUE(ORPHAN) }, { .name = "sockinfo.tw", SOCKETS, VALUE(TW) },
	{ .name = "sockinfo.alloc", SOCKETS, VALUE(ALLOC) }, { .name = "sockinfo.mem", SOCKETS, VALUE(TCP_MEM) },
	UDP_COLUMN(.name = "sockinfo.udp", SOCKETS), { .name = "sockinfo.raw", SOCKETS, VALUE(RAW) },
	{ .name = "sockinfo.frag", SOCKETS, VALUE(FRAG) }, FRAG_MEM_COLUMN(.name = "sockinfo.fragm", SOCKETS),
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 's', .head1 = "<------Sockets----->", .head2 = " Tcp  Udp  Raw Frag ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 's', .title = "SOCKET STATISTICS",
	  .head1 = "      <-------------Tcp------------->   Udp   Raw   <---Frag-->",
	  .head2 = "Used  Inuse Orphan    Tw  Alloc   Mem  Inuse Inuse  Inuse   Mem", .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_PLOT, .letter = 's', .label = "SOCK", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 's', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 's', .unless = PF_GANGLIA_ALONE, .label = "socket", .columns = exported, .n_columns = PF_N(exported) },
};
/* clang-format on */

const struct pf_group pf_group_sockets = {
	.letters = "s",
	.name = "sockets",
	.what = "sockets in use",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

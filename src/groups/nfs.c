/* groups/nfs.c - calls of NFS clients and servers. Source: /proc/net/rpc/{nfs,nfsd}, nfsstat(8); columns: spec collectl-data sections 4 to
 * 6, metrics: PCP 6.0.3, and one row for each version and side, which PCP has in domains of their own. */
#include "groups/nfs.h"

#include "groups/list.h"
#include "groups/scan.h"

#include <errno.h>

#include "base/cleanup.h"

/* Version and side, as instances: their external numbers. */
enum { CLT2, SVR2, CLT3, SVR3, CLT4, SVR4, N_KINDS };

#define INDEX(index, ...) index,
enum {
	PF_NFS_SHOWN(INDEX) N_SHOWN,
	SERVER = N_SHOWN, /* of each side what summaries add up */
	CLIENT = SERVER + 4,
	REQS = CLIENT + 4, /* in the order of the kinds */
	CALLS = REQS + N_KINDS,
	CLIENT_NET = CALLS + N_KINDS,
	CLIENT_RPC = CLIENT_NET + 4,
	SERVER_RC = CLIENT_RPC + 3,
	SERVER_FH = SERVER_RC + 3,
	SERVER_IO = SERVER_FH + 5,
	SERVER_TH = SERVER_IO + 2,
	SERVER_RA = SERVER_TH + 2,
	SERVER_NET = SERVER_RA + 3,
	SERVER_RPC = SERVER_NET + 4,
	N_METRICS = SERVER_RPC + 5
};
enum { READS, WRITES, META, COMMITS };

#define LINUX(item)   PF_PMID(PF_DOMAIN_LINUX, 7, item)
#define INDOM(serial) PF_INDOM(PF_DOMAIN_LINUX, serial)
#define INDOM_KINDS   PF_INDOM_OWN(1)
#define CALLS_OF(m, name, help)                                                                                        \
	[m] = { name, PF_PMID_OWN(32 + (m)), INDOM_KINDS, PF_U64, PF_COUNTER, PF_UNITS_COUNT, help }
#define SHOWN(index, name, ...)	 CALLS_OF(index, "perfolio.nfs." name, "calls of " name " by version and side"),
#define ONE(m, name, item, help) [m] = { name, LINUX(item), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_COUNT, help }
#define EACH(m, name, item, serial)                                                                                    \
	[m] = { name, LINUX(item), INDOM(serial), PF_U32, PF_COUNTER, PF_UNITS_COUNT, "calls by operation" }

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	PF_NFS_SHOWN(SHOWN)
	CALLS_OF(SERVER + READS, "perfolio.nfs.server.reads", "calls served that read"),
	CALLS_OF(SERVER + WRITES, "perfolio.nfs.server.writes", "calls served that write"),
	CALLS_OF(SERVER + META, "perfolio.nfs.server.meta", "calls served about names and attributes"),
	CALLS_OF(SERVER + COMMITS, "perfolio.nfs.server.commits", "calls served that commit"),
	CALLS_OF(CLIENT + READS, "perfolio.nfs.client.reads", "calls made that read"),
	CALLS_OF(CLIENT + WRITES, "perfolio.nfs.client.writes", "calls made that write"),
	CALLS_OF(CLIENT + META, "perfolio.nfs.client.meta", "calls made about names and attributes"),
	CALLS_OF(CLIENT + COMMITS, "perfolio.nfs.client.commits", "calls made that commit"),
	EACH(REQS + CLT2, "nfs.client.reqs", 4, 7), EACH(REQS + SVR2, "nfs.server.reqs", 12, 7),
	EACH(REQS + CLT3, "nfs3.client.reqs", 61, 8), EACH(REQS + SVR3, "nfs3.server.reqs", 63, 8),
	EACH(REQS + CLT4, "nfs4.client.reqs", 65, 14), EACH(REQS + SVR4, "nfs4.server.reqs", 67, 15),
	ONE(CALLS + CLT2, "nfs.client.calls", 1, "calls made"), ONE(CALLS + SVR2, "nfs.server.calls", 50, "calls served"),
	ONE(CALLS + CLT3, "nfs3.client.calls", 60, "calls made"), ONE(CALLS + SVR3, "nfs3.server.calls", 62, "calls served"),
	ONE(CALLS + CLT4, "nfs4.client.calls", 64, "calls made"), ONE(CALLS + SVR4, "nfs4.server.calls", 66, "operations served"),
	ONE(CLIENT_NET, "rpc.client.netcnt", 24, "packets"), ONE(CLIENT_NET + 1, "rpc.client.netudpcnt", 25, "packets by UDP"),
	ONE(CLIENT_NET + 2, "rpc.client.nettcpcnt", 26, "packets by TCP"), ONE(CLIENT_NET + 3, "rpc.client.nettcpconn", 27, "TCP connections"),
	ONE(CLIENT_RPC, "rpc.client.rpccnt", 20, "calls"), ONE(CLIENT_RPC + 1, "rpc.client.rpcretrans", 21, "calls made again"),
	ONE(CLIENT_RPC + 2, "rpc.client.rpcauthrefresh", 22, "credentials refreshed"),
	ONE(SERVER_RC, "rpc.server.rchits", 35, "replies from the cache"), ONE(SERVER_RC + 1, "rpc.server.rcmisses", 36, "replies not in the cache"),
	ONE(SERVER_RC + 2, "rpc.server.rcnocache", 37, "replies that are not cached"),
	ONE(SERVER_FH, "rpc.server.fh_stale", 42, "stale file handles"), ONE(SERVER_FH + 1, "rpc.server.fh_lookup", 41, "file handles looked up"),
	ONE(SERVER_FH + 2, "rpc.server.fh_anon", 51, "anonymous file handles"), ONE(SERVER_FH + 3, "rpc.server.fh_nocache_dir", 52, "folders not in the cache"),
	ONE(SERVER_FH + 4, "rpc.server.fh_nocache_nondir", 53, "files not in the cache"),
	[SERVER_IO] = { "rpc.server.io_read", LINUX(54), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_BYTE, "bytes read" },
	[SERVER_IO + 1] = { "rpc.server.io_write", LINUX(55), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_BYTE, "bytes written" },
	[SERVER_TH] = { "rpc.server.th_cnt", LINUX(56), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_COUNT, "threads" },
	ONE(SERVER_TH + 1, "rpc.server.th_fullcnt", 57, "times that all threads were busy"),
	ONE(SERVER_RA, "rpc.server.ra_size", 68, "size of the cache of read-ahead"), ONE(SERVER_RA + 1, "rpc.server.ra_hits", 69, "read-ahead found"),
	ONE(SERVER_RA + 2, "rpc.server.ra_misses", 70, "read-ahead not found"),
	ONE(SERVER_NET, "rpc.server.netcnt", 44, "packets"), ONE(SERVER_NET + 1, "rpc.server.netudpcnt", 45, "packets by UDP"),
	ONE(SERVER_NET + 2, "rpc.server.nettcpcnt", 46, "packets by TCP"), ONE(SERVER_NET + 3, "rpc.server.nettcpconn", 47, "TCP connections"),
	ONE(SERVER_RPC, "rpc.server.rpccnt", 30, "calls"), ONE(SERVER_RPC + 1, "rpc.server.rpcerr", 31, "bad calls"),
	ONE(SERVER_RPC + 2, "rpc.server.rpcbadfmt", 32, "calls of bad form"), ONE(SERVER_RPC + 3, "rpc.server.rpcbadauth", 33, "calls of bad credentials"),
	ONE(SERVER_RPC + 4, "rpc.server.rpcbadclnt", 34, "calls of unknown clients"),
};

/* Number of the operation in the files of each kind, -1: it has none. */
#define NUMBERS(index, name, two, three, client, server) { two, two, three, three, client, server },
static const int16_t numbers[N_SHOWN][N_KINDS] = { PF_NFS_SHOWN(NUMBERS) };

static const struct {
	struct pf_view name;
	const struct pf_view *ops;
	unsigned n_ops;
	uint64_t variant;
} kinds[N_KINDS] = {
	[CLT2] = { { "Clt2", 4 }, ops2, PF_N(ops2), PF_NFS_C2 },
	[SVR2] = { { "Svr2", 4 }, ops2, PF_N(ops2), PF_NFS_S2 },
	[CLT3] = { { "Clt3", 4 }, ops3, PF_N(ops3), PF_NFS_C3 },
	[SVR3] = { { "Svr3", 4 }, ops3, PF_N(ops3), PF_NFS_S3 },
	[CLT4] = { { "Clt4", 4 }, ops4_client, PF_N(ops4_client), PF_NFS_C4 },
	[SVR4] = { { "Svr4", 4 }, ops4_server, PF_N(ops4_server), PF_NFS_S4 },
};
/* clang-format on */

enum { MAX_OPS = 128 };
_Static_assert(PF_N(ops4_client) < MAX_OPS && PF_N(ops4_server) < MAX_OPS, "every operation has a place");

/* What summaries call meta. */
static const unsigned meta[] = { LOOKUP, ACCESS, SETATTR, GETATTR, READDIR, READDIRPLUS };

static void shown(struct pf_builder *b, unsigned kind, const uint64_t *v, unsigned n)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + READ);
	int slot = dom ? pf_indom_slot(dom, kinds[kind].name, kind, (int32_t)kind, b->sample->seq) : -ENOMEM;
	if (slot < 0) {
		b->oom = slot;
		return;
	}
	uint64_t calls[N_SHOWN] = { 0 };
	for (unsigned i = 0; i < N_SHOWN; i++) {
		int number = numbers[i][kind];
		if (number < 0 || (unsigned)number >= n)
			continue;
		calls[i] = v[number];
		pf_builder_u64(b, i, (unsigned)slot, calls[i]);
	}
	unsigned side = kind % 2 == 0 ? CLIENT : SERVER;
	uint64_t sum = 0;
	for (unsigned i = 0; i < PF_N(meta); i++)
		sum += calls[meta[i]];
	pf_builder_u64(b, side + READS, (unsigned)slot, calls[READ]);
	pf_builder_u64(b, side + WRITES, (unsigned)slot, calls[WRITE]);
	pf_builder_u64(b, side + META, (unsigned)slot, sum);
	pf_builder_u64(b, side + COMMITS, (unsigned)slot, calls[COMMIT]);
}

/* "proc3 22 0 1 2 ...": how many, then so many. */
static void operations(struct pf_scan *line, struct pf_builder *b, unsigned kind)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + REQS + kind);
	uint64_t v[MAX_OPS];
	uint64_t count = 0, sum = 0;
	unsigned n = 0;
	if (!dom || pf_scan_u64(line, &count) != PF_SCAN_OK)
		return;
	b->line_hint = 0;
	while (n < MAX_OPS && n < count) {
		enum pf_scan_result rc = pf_scan_u64(line, &v[n]);
		if (rc == PF_SCAN_NONE)
			break;
		if (rc == PF_SCAN_WRONG) {
			pf_builder_fail(b);
			return;
		}
		sum += v[n];
		int slot = n < kinds[kind].n_ops ? pf_builder_instance(b, dom, kinds[kind].ops[n], (int32_t)n) : -1;
		if (slot >= 0)
			pf_builder_u64(b, REQS + kind, (unsigned)slot, v[n] & UINT32_MAX);
		n++;
	}
	pf_builder_u64(b, CALLS + kind, 0, sum & UINT32_MAX);
	shown(b, kind, v, n);
}

/* Numbers of a line into metrics that follow each other. */
static void numbers_of(struct pf_scan *line, struct pf_builder *b, unsigned first, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t v = 0;
		enum pf_scan_result rc = pf_scan_u64(line, &v);
		if (rc == PF_SCAN_NONE)
			return;
		if (rc == PF_SCAN_OK)
			pf_builder_u64(b, first + i, 0, v & UINT32_MAX);
		else
			pf_builder_fail(b);
	}
}

/* Size, ten parts of hits, misses. */
static void read_ahead(struct pf_scan *line, struct pf_builder *b)
{
	uint64_t v[12], hits = 0;
	for (unsigned i = 0; i < PF_N(v); i++) {
		if (pf_scan_u64(line, &v[i]) != PF_SCAN_OK)
			return;
		hits += i > 0 && i < PF_N(v) - 1 ? v[i] : 0;
	}
	pf_builder_u64(b, SERVER_RA, 0, v[0] & UINT32_MAX);
	pf_builder_u64(b, SERVER_RA + 1, 0, hits & UINT32_MAX);
	pf_builder_u64(b, SERVER_RA + 2, 0, v[PF_N(v) - 1] & UINT32_MAX);
}

/* The first word without what stands before it in raw files. */
static struct pf_view first_word(struct pf_scan *line)
{
	struct pf_view word = pf_scan_word(line);
	if (pf_view_starts(word, "nfsc-") || pf_view_starts(word, "nfss-"))
		word = (struct pf_view){ word.p + 5, word.n - 5 };
	return word;
}

static int kind_of(struct pf_view word, bool server)
{
	if (pf_view_is(word, "proc2"))
		return server ? SVR2 : CLT2;
	if (pf_view_is(word, "proc3"))
		return server ? SVR3 : CLT3;
	return pf_view_is(word, server ? "proc4ops" : "proc4") ? (server ? SVR4 : CLT4) : -1;
}

struct numbers_row {
	const char *word;
	unsigned first, n;
};

static void parse(struct pf_view text, struct pf_builder *b, bool server, const struct numbers_row *table)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view word = first_word(&line);
		int kind = kind_of(word, server);
		if (kind >= 0)
			operations(&line, b, (unsigned)kind);
		if (server && pf_view_is(word, "ra"))
			read_ahead(&line, b);
		for (const struct numbers_row *row = table; row->word; row++) {
			if (pf_view_is(word, row->word))
				numbers_of(&line, b, row->first, row->n);
		}
	}
}

static void client_parse(struct pf_view text, struct pf_builder *b)
{
	static const struct numbers_row table[] = { { "net", CLIENT_NET, 4 }, { "rpc", CLIENT_RPC, 3 }, { 0 } };
	parse(text, b, false, table);
}

static void server_parse(struct pf_view text, struct pf_builder *b)
{
	static const struct numbers_row table[] = {
		{ "rc", SERVER_RC, 3 },
		{ "fh", SERVER_FH, 5 },
		{ "io", SERVER_IO, 2 },
		{ "th", SERVER_TH, 2 },
		{ "net", SERVER_NET, 4 },
		{ "rpc", SERVER_RPC, 5 },
		{ 0 },
	};
	parse(text, b, true, table);
}

static bool keep(const struct pf_view *line, const struct pf_line_filter *filter, bool server)
{
	struct pf_scan s = { line->p, line->p + line->n };
	int kind = kind_of(first_word(&s), server);
	return kind < 0 || !filter || (filter->variants & kinds[kind].variant) != 0;
}

static bool client_keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	return keep(line, filter, false);
}

static bool server_keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	return keep(line, filter, true);
}

static const char *const client_words[] = { "nfsc-*", NULL };
static const char *const server_words[] = { "nfss-*", NULL };

static const struct pf_row rows[] = {
	{ .path = "proc/net/rpc/nfs",
	  .lead = "nfsc-",
	  .needs = PF_NFS_CLIENT,
	  .optional = true,
	  .tag = "",
	  .words = client_words,
	  .keep = client_keep,
	  .parse = client_parse },
	{ .path = "proc/net/rpc/nfsd",
	  .lead = "nfss-",
	  .needs = PF_NFS_SERVER,
	  .optional = true,
	  .tag = "",
	  .words = server_words,
	  .keep = server_keep,
	  .parse = server_parse },
};

#define RATE(...)  .calc = PF_CALC_RATE, .num = PF_SUM(__VA_ARGS__)
#define COUNT(...) .calc = PF_CALC_DELTA, .num = PF_SUM(__VA_ARGS__)
#define CVT(w)	   .draw = PF_DRAW_CVT, .width = w
#define PLOT	   .draw = PF_DRAW_PLOT

/* Of a few the peer forgets to divide by the seconds, TCP connections it never counts, and bad calls it takes one number too early. */
#define ODD(m, peer, ...)                                                                                              \
	{ peer, .when = PF_AS_PEER, __VA_ARGS__ },                                                                     \
	{                                                                                                              \
		RATE(m), .unless = PF_AS_PEER, __VA_ARGS__                                                             \
	}
#define RPC(n)	      (SERVER_RPC + (n))
#define TCP_CONN(...) ODD(SERVER_NET + 3, .calc = PF_CALC_ZERO, __VA_ARGS__)
#define BAD_AUTH(...) ODD(RPC(3), COUNT(RPC(2)), __VA_ARGS__)
#define BAD_CLNT(...) ODD(RPC(4), COUNT(RPC(3)), __VA_ARGS__)
#define RETRANS(...)  ODD(CLIENT_RPC + 1, COUNT(CLIENT_RPC + 1), __VA_ARGS__)
#define AUTHREF(...)  ODD(CLIENT_RPC + 2, COUNT(CLIENT_RPC + 2), __VA_ARGS__)

/* clang-format off */
static const struct pf_column brief[] = {
	{ RATE(SERVER + READS, CLIENT + READS), CVT(6), .after = " " },
	{ RATE(SERVER + WRITES, CLIENT + WRITES), CVT(6), .after = " " },
	{ RATE(SERVER + META, CLIENT + META), CVT(4), .after = " " },
	{ RATE(SERVER + COMMITS, CLIENT + COMMITS), CVT(4), .after = " " },
};

#define FOUR(side) \
	{ .before = " ", RATE(side + READS), CVT(6) }, { .before = " ", RATE(side + WRITES), CVT(6) }, \
	{ .before = " ", RATE(side + META), CVT(4) }, { .before = " ", RATE(side + COMMITS), CVT(4) }

static const struct pf_column server[] = {
	FOUR(SERVER), { .before = " ", RATE(SERVER_NET + 1), CVT(4) }, { .before = "  ", RATE(SERVER_NET + 2), CVT(4) },
	TCP_CONN(.before = "     ", CVT(4)), BAD_AUTH(.before = "     ", CVT(4)), BAD_CLNT(.before = "     ", CVT(4)),
};

static const struct pf_column client[] = {
	FOUR(CLIENT), RETRANS(.before = "    ", CVT(4)), AUTHREF(.before = "     ", CVT(4)),
};

static const struct pf_column plot[] = {
	{ .name = "ReadsS", RATE(SERVER + READS), PLOT },
	{ .name = "WritesS", RATE(SERVER + WRITES), PLOT },
	{ .name = "MetaS", RATE(SERVER + META), PLOT },
	{ .name = "CommitS", RATE(SERVER + COMMITS), PLOT },
	{ .name = "Udp", RATE(SERVER_NET + 1), PLOT },
	{ .name = "Tcp", RATE(SERVER_NET + 2), PLOT },
	TCP_CONN(.name = "TcpConn", PLOT),
	BAD_AUTH(.name = "BadAuth", PLOT),
	BAD_CLNT(.name = "BadClient", PLOT),
	{ .name = "ReadsC", RATE(CLIENT + READS), PLOT },
	{ .name = "WritesC", RATE(CLIENT + WRITES), PLOT },
	{ .name = "MetaC", RATE(CLIENT + META), PLOT },
	{ .name = "CommitC", RATE(CLIENT + COMMITS), PLOT },
	RETRANS(.name = "Retrans", PLOT),
	AUTHREF(.name = "AuthRef", PLOT),
};

#define CALLS(called, unit, index) { .name = "nfsinfo." called, .units = unit "/sec", RATE(index) }
static const struct pf_column lexpr[] = {
	CALLS("Sread", "SvrReads", SERVER + READS), CALLS("Swrite", "SvrWrites", SERVER + WRITES), CALLS("Smeta", "SvrMeta", SERVER + META),
	CALLS("Scommit", "SvrCommt", SERVER + COMMITS), CALLS("Cread", "CltReads", CLIENT + READS), CALLS("Cwrite", "CltWrites", CLIENT + WRITES),
	CALLS("Cmeta", "CltMeta", CLIENT + META), CALLS("Ccommit", "CltCommt", CLIENT + COMMITS),
};

static const struct pf_column gexpr_server[] = {
	CALLS("SRead", "SvrReads", SERVER + READS), CALLS("SWrite", "SvrWrites", SERVER + WRITES), CALLS("Smeta", "SvrMeta", SERVER + META),
	CALLS("Scommit", "SvrCommt", SERVER + COMMITS),
};

static const struct pf_column gexpr_client[] = {
	CALLS("CRead", "CltReads", CLIENT + READS), CALLS("CWrite", "CltWrites", CLIENT + WRITES), CALLS("Cmeta", "CltMeta", CLIENT + META),
	CALLS("Ccommit", "CltCommt", CLIENT + COMMITS),
};

/* One line for each kind that has ever read or written, below each other; in plots one block for each. */
#define LINE(kind, index, heading) { .before = " ", RATE(index), .instance = PF_ONE(kind), CVT(4) },
#define NONE { .before = "     ", .calc = PF_CALC_ZERO, .draw = PF_DRAW_NONE },
#define BLOCK(kind, index, heading) { .name = heading, RATE(index), .instance = PF_ONE(kind), PLOT },
#define NOTHING
#define USED(kind) { .calc = PF_CALC_VALUE, .num = PF_SUM(READ, WRITE), .instance = PF_ONE(kind) }

static const struct pf_column clt2[] = { OF_2(LINE, NONE, CLT2) }, svr2[] = { OF_2(LINE, NONE, SVR2) };
static const struct pf_column clt3[] = { OF_3(LINE, NONE, CLT3) }, svr3[] = { OF_3(LINE, NONE, SVR3) };
static const struct pf_column clt4[] = { OF_4_CLIENT(LINE, NONE, CLT4) }, svr4[] = { OF_4_SERVER(LINE, NONE, SVR4) };
static const struct pf_column plot_clt2[] = { OF_2(BLOCK, NOTHING, CLT2) }, plot_svr2[] = { OF_2(BLOCK, NOTHING, SVR2) };
static const struct pf_column plot_clt3[] = { OF_3(BLOCK, NOTHING, CLT3) }, plot_svr3[] = { OF_3(BLOCK, NOTHING, SVR3) };
static const struct pf_column plot_clt4[] = { OF_4_CLIENT(BLOCK, NOTHING, CLT4) }, plot_svr4[] = { OF_4_SERVER(BLOCK, NOTHING, SVR4) };
static const struct pf_column used[N_KINDS] = { USED(CLT2), USED(SVR2), USED(CLT3), USED(SVR3), USED(CLT4), USED(SVR4) };

#define BRIEF  .view = PF_VIEW_BRIEF, .letter = 'f', .head2 = " Reads Writes Meta Comm ", .columns = brief, .n_columns = PF_N(brief)
#define SUMMARY .view = PF_VIEW_VERBOSE, .letter = 'f', .title = "NFS SUMMARY ({r}) {f}", .rows = PF_METRIC(READ)
#define DETAIL(kind, text, of, bit) \
	{ .view = PF_VIEW_VERBOSE, .letter = 'F', .when = bit, .stacked = true, .lead = " " text, .shown_if = &used[of], .columns = kind, \
	  .n_columns = PF_N(kind) }
#define PLOT_DETAIL(kind, text, bit) \
	{ .view = PF_VIEW_PLOT, .letter = 'F', .when = bit, .stacked = true, .label = text, .columns = kind, .n_columns = PF_N(kind) }

static const struct pf_layout layouts[] = {
	{ BRIEF, .unless = PF_NFS_CHOSEN, .rows = PF_METRIC(READ), .head1 = "<------NFS Totals------>" },
	{ BRIEF, .when = PF_NFS_CHOSEN, .rows = PF_METRIC(READ), .head1 = "<{+}NFS [{n}]{-}>" },
	{ SUMMARY, .any = PF_NFS_SERVER, .head1 = "<---------------------------server--------------------------->",
	  .head2 = " Reads Writes Meta Comm  UDP   TCP  TCPConn  BadAuth  BadClnt ", .columns = server, .n_columns = PF_N(server) },
	{ SUMMARY, .any = PF_NFS_CLIENT, .head1 = "<----------------client---------------->",
	  .head2 = " Reads Writes Meta Comm Retrans  Authref", .columns = client, .n_columns = PF_N(client) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'F', .title = "NFS SERVER/CLIENT DETAILS ({r})",
	  .head2 = "Type Read Writ Comm Look Accs Gttr Sttr Rdir Cre8 Rmov Rnam Link Rlnk Null Syml Mkdr Rmdr Fsta Finf Path Mknd Rdr+" },
	DETAIL(clt2, "Clt2", CLT2, PF_NFS_C2),
	DETAIL(svr2, "Svr2", SVR2, PF_NFS_S2),
	DETAIL(clt3, "Clt3", CLT3, PF_NFS_C3),
	DETAIL(svr3, "Svr3", SVR3, PF_NFS_S3),
	DETAIL(clt4, "Clt4", CLT4, PF_NFS_C4),
	DETAIL(svr4, "Svr4", SVR4, PF_NFS_S4),
	{ .view = PF_VIEW_PLOT, .letter = 'f', .rows = PF_METRIC(READ), .label = "NFS", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 'f', .rows = PF_METRIC(READ), .columns = lexpr, .n_columns = PF_N(lexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'f', .unless = PF_GANGLIA_ALONE, .rows = PF_METRIC(READ), .label = "NFS server", .columns = gexpr_server,
	  .n_columns = PF_N(gexpr_server) },
	{ .view = PF_VIEW_GEXPR, .letter = 'f', .unless = PF_GANGLIA_ALONE, .rows = PF_METRIC(READ), .label = "NFS client", .columns = gexpr_client,
	  .n_columns = PF_N(gexpr_client) },
	PLOT_DETAIL(plot_clt2, "NFS:2cd", PF_NFS_C2),
	PLOT_DETAIL(plot_svr2, "NFS:2sd", PF_NFS_S2),
	PLOT_DETAIL(plot_clt3, "NFS:3cd", PF_NFS_C3),
	PLOT_DETAIL(plot_svr3, "NFS:3sd", PF_NFS_S3),
	PLOT_DETAIL(plot_clt4, "NFS:4cd", PF_NFS_C4),
	PLOT_DETAIL(plot_svr4, "NFS:4sd", PF_NFS_S4),
};
/* clang-format on */

const struct pf_group pf_group_nfs = {
	.letters = "fF",
	.name = "nfs",
	.what = "NFS clients and servers: calls",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.reset = PF_RESET_WRAP32,
};

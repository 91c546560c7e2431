/* groups/network.c - network interfaces. Source: /proc/net/dev, proc(5); columns: spec collectl-data sections 4 to 6, metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"
#include "model/choice.h"

/* The columns of a line behind the name, in the file's order; then what PCP derives of them. */
enum {
	IN_BYTES,
	IN_PACKETS,
	IN_ERRORS,
	IN_DROPS,
	IN_FIFO,
	IN_FRAME,
	IN_COMPRESSED,
	IN_MCASTS,
	OUT_BYTES,
	OUT_PACKETS,
	OUT_ERRORS,
	OUT_DROPS,
	OUT_FIFO,
	COLLISIONS,
	OUT_CARRIER,
	OUT_COMPRESSED,
	N_FIELDS,
	TOTAL_BYTES = N_FIELDS,
	TOTAL_PACKETS,
	TOTAL_ERRORS,
	TOTAL_DROPS,
	TOTAL_MCASTS,
	N_NET,
	ALL_IN_BYTES = N_NET,
	ALL_IN_PACKETS,
	ALL_IN_ERRORS,
	ALL_IN_DROPS,
	ALL_OUT_BYTES,
	ALL_OUT_PACKETS,
	ALL_OUT_ERRORS,
	ALL_OUT_DROPS,
	ALL_TOTAL_BYTES,
	ALL_TOTAL_PACKETS,
	ALL_TOTAL_ERRORS,
	ALL_TOTAL_DROPS,
	NINTERFACE,
	N_METRICS
};

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define INDOM_NET	     PF_INDOM(PF_DOMAIN_LINUX, 3)

/* clang-format off */
/* Items of clusters 3 and 90. */
#define EACH(index, word, item, unit, what) \
	[index] = { "network.interface." word, LINUX(3, item), INDOM_NET, PF_U64, PF_COUNTER, PF_UNITS_##unit, "each interface: " what }
#define PORTS(index, word, item, unit, what) \
	[index] = { "network.all." word, LINUX(90, item), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_##unit, "all ports: " what }

static const struct pf_metric metrics[N_METRICS] = {
	EACH(IN_BYTES, "in.bytes", 0, BYTE, "bytes received"),
	EACH(IN_PACKETS, "in.packets", 1, COUNT, "packets received"),
	EACH(IN_ERRORS, "in.errors", 2, COUNT, "receive errors"),
	EACH(IN_DROPS, "in.drops", 3, COUNT, "received packets dropped"),
	EACH(IN_FIFO, "in.fifo", 4, COUNT, "receive overruns"),
	EACH(IN_FRAME, "in.frame", 5, COUNT, "framing errors"),
	EACH(IN_COMPRESSED, "in.compressed", 6, COUNT, "compressed packets received"),
	EACH(IN_MCASTS, "in.mcasts", 7, COUNT, "multicast packets received"),
	EACH(OUT_BYTES, "out.bytes", 8, BYTE, "bytes sent"),
	EACH(OUT_PACKETS, "out.packets", 9, COUNT, "packets sent"),
	EACH(OUT_ERRORS, "out.errors", 10, COUNT, "send errors"),
	EACH(OUT_DROPS, "out.drops", 11, COUNT, "packets to send dropped"),
	EACH(OUT_FIFO, "out.fifo", 12, COUNT, "send overruns"),
	EACH(COLLISIONS, "collisions", 13, COUNT, "collisions"),
	EACH(OUT_CARRIER, "out.carrier", 14, COUNT, "carrier losses"),
	EACH(OUT_COMPRESSED, "out.compressed", 15, COUNT, "compressed packets sent"),
	EACH(TOTAL_BYTES, "total.bytes", 16, BYTE, "bytes received and sent"),
	EACH(TOTAL_PACKETS, "total.packets", 17, COUNT, "packets received and sent"),
	EACH(TOTAL_ERRORS, "total.errors", 18, COUNT, "errors both ways"),
	EACH(TOTAL_DROPS, "total.drops", 19, COUNT, "packets dropped both ways"),
	EACH(TOTAL_MCASTS, "total.mcasts", 20, COUNT, "multicast packets"),
	PORTS(ALL_IN_BYTES, "in.bytes", 0, BYTE, "bytes received"),
	PORTS(ALL_IN_PACKETS, "in.packets", 1, COUNT, "packets received"),
	PORTS(ALL_IN_ERRORS, "in.errors", 2, COUNT, "receive errors"),
	PORTS(ALL_IN_DROPS, "in.drops", 3, COUNT, "received packets dropped"),
	PORTS(ALL_OUT_BYTES, "out.bytes", 4, BYTE, "bytes sent"),
	PORTS(ALL_OUT_PACKETS, "out.packets", 5, COUNT, "packets sent"),
	PORTS(ALL_OUT_ERRORS, "out.errors", 6, COUNT, "send errors"),
	PORTS(ALL_OUT_DROPS, "out.drops", 7, COUNT, "packets to send dropped"),
	PORTS(ALL_TOTAL_BYTES, "total.bytes", 8, BYTE, "bytes received and sent"),
	PORTS(ALL_TOTAL_PACKETS, "total.packets", 9, COUNT, "packets received and sent"),
	PORTS(ALL_TOTAL_ERRORS, "total.errors", 10, COUNT, "errors both ways"),
	PORTS(ALL_TOTAL_DROPS, "total.drops", 11, COUNT, "packets dropped both ways"),
	[NINTERFACE] = { "hinv.ninterface", LINUX(3, 27), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "network interfaces" },
};
/* clang-format on */

/* Not the loopback device nor tunnels of kind sit; collectl finds those letters anywhere in a name. */
static bool in_export(struct pf_view v, bool peer)
{
	if (peer)
		return !memmem(v.p, v.n, "lo", 2) && !memmem(v.p, v.n, "sit", 3);
	return !pf_view_is(v, "lo") && !(pf_view_starts(v, "sit") && v.n > 3 && v.p[3] >= '0' && v.p[3] <= '9');
}

static bool starts_with_one_of(struct pf_view v, const char *const *prefixes, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (pf_view_starts(v, prefixes[i]))
			return true;
	}
	return false;
}

/* "p2p1" */
static bool is_slot_port(struct pf_view v)
{
	return v.n >= 3 && v.p[0] == 'p' && v.p[1] >= '0' && v.p[1] <= '9' && v.p[2] == 'p';
}

/* collectl 4.3.1: these names, or those that the user chose, and never a VLAN on top of another. */
static bool in_peer_summary(const struct pf_judged *j)
{
	static const char *const prefixes[] = { "eth", "hed", "ib", "em", "en" };
	if (memchr(j->name.p, '.', j->name.n))
		return false;
	return j->filtered || starts_with_one_of(j->name, prefixes, PF_N(prefixes)) || is_slot_port(j->name);
}

/* Each byte counts once: ports, not what stands on them (bonds, bridges, VLANs, tunnels) or leads nowhere (loopback, containers). What
 * the user named counts. */
static bool in_summary(const struct pf_judged *j)
{
	static const char *const prefixes[] = { "eth", "hed", "ib", "em", "en", "wl", "ww", "hsn", "usb" };
	if (j->peer)
		return in_peer_summary(j);
	if (j->filtered)
		return true;
	if (j->device != PF_DEVICE_UNKNOWN)
		return j->device == PF_DEVICE_OWN;
	if (memchr(j->name.p, '.', j->name.n) || memchr(j->name.p, '@', j->name.n))
		return false;
	return starts_with_one_of(j->name, prefixes, PF_N(prefixes)) || is_slot_port(j->name);
}

/* Totals of one interface; only of lines that were whole. */
static void derive(const uint64_t v[N_FIELDS], struct pf_builder *b, unsigned slot)
{
	static const struct {
		unsigned in, out, total;
	} pairs[] = {
		{ IN_BYTES, OUT_BYTES, TOTAL_BYTES },
		{ IN_PACKETS, OUT_PACKETS, TOTAL_PACKETS },
		{ IN_ERRORS, OUT_ERRORS, TOTAL_ERRORS },
		{ IN_DROPS, OUT_DROPS, TOTAL_DROPS },
	};
	for (unsigned i = 0; i < PF_N(pairs); i++)
		pf_builder_u64(b, pairs[i].total, slot, v[pairs[i].in] + v[pairs[i].out]);
	pf_builder_u64(b, TOTAL_MCASTS, slot, v[IN_MCASTS]);
}

static void net_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom)
{
	pf_scan_blanks(line);
	const char *colon = memchr(line->p, ':', (size_t)(line->end - line->p));
	if (!colon || colon == line->p)
		return; /* a heading line */
	struct pf_view name = { line->p, (size_t)(colon - line->p) };
	line->p = colon + 1;

	int slot = -1;
	uint64_t v[N_FIELDS];
	unsigned good = 0;
	for (unsigned n = 0; n < N_FIELDS; n++) {
		enum pf_scan_result rc = pf_scan_u64(line, &v[n]);
		if (rc == PF_SCAN_NONE)
			break;
		if (slot < 0) {
			slot = pf_builder_instance(b, dom, name, -1);
			if (slot < 0)
				return;
		}
		if (rc == PF_SCAN_WRONG) {
			pf_builder_fail(b);
			continue;
		}
		pf_builder_u64(b, n, (unsigned)slot, v[n]);
		good++;
	}
	if (good == N_FIELDS)
		derive(v, b, (unsigned)slot);
	if (slot >= 0)
		pf_scan_add(b, NINTERFACE, 1);
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + IN_BYTES);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (dom && pf_scan_line(&rest, &line))
		net_line(&line, b, dom);
}

static bool keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	return !filter || !filter->nets || pf_choice_takes(filter->nets, *line, true);
}

static const struct pf_row rows[] = {
	{ .path = "proc/net/dev", .tag = "Net", .skip_lines = 2, .keep = keep, .choosy = true, .parse = parse },
};

static const struct pf_sums sums[] = {
	{ .all = ALL_IN_BYTES, .each = IN_BYTES, .n = 4 },
	{ .all = ALL_OUT_BYTES, .each = OUT_BYTES, .n = 4 },
	{ .all = ALL_TOTAL_BYTES, .each = TOTAL_BYTES, .n = 4 },
};

#define IN_FAULTS	     IN_ERRORS, IN_DROPS, IN_FIFO, IN_FRAME
#define OUT_FAULTS	     OUT_ERRORS, OUT_DROPS, OUT_FIFO, COLLISIONS, OUT_CARRIER
#define RATE(...)	     .calc = PF_CALC_RATE, .num = PF_SUM(__VA_ARGS__)
#define KB(m)		     RATE(m), .scale = 1.0 / 1024
#define SIZE(bytes, packets) .calc = PF_CALC_RATIO, .num = PF_SUM(bytes), .den = PF_SUM(packets)
#define INT(w)		     .before = " ", .width = w
#define CVT(w)		     .draw = PF_DRAW_CVT, .width = w, .after = " "
#define PLOT		     .draw = PF_DRAW_PLOT

/* clang-format off */
static const struct pf_column brief[] = {
	{ KB(IN_BYTES), .div1024 = 1, CVT(6) },
	{ RATE(IN_PACKETS), CVT(6) },
	{ SIZE(IN_BYTES, IN_PACKETS), .div1024 = 1, CVT(4), .when = PF_WITH_NET_SIZES },
	{ KB(OUT_BYTES), .div1024 = 1, CVT(6) },
	{ .before = " ", RATE(OUT_PACKETS), CVT(6) },
	{ SIZE(OUT_BYTES, OUT_PACKETS), .div1024 = 1, CVT(4), .when = PF_WITH_NET_SIZES },
	{ RATE(IN_FAULTS, OUT_FAULTS), CVT(5), .when = PF_WITH_ERRORS },
};

#define TRAFFIC \
	{ KB(IN_BYTES), .width = 6 }, { RATE(IN_PACKETS), INT(6) }, { SIZE(IN_BYTES, IN_PACKETS), INT(6) }, \
	{ RATE(IN_MCASTS), INT(6) }, { RATE(IN_COMPRESSED), INT(6) }, { RATE(IN_FAULTS), INT(6) }, \
	{ KB(OUT_BYTES), INT(6) }, { RATE(OUT_PACKETS), INT(6) }, { SIZE(OUT_BYTES, OUT_PACKETS), INT(6) }, \
	{ RATE(OUT_COMPRESSED), INT(6) }, { RATE(OUT_FAULTS), INT(6) }

/* collectl 4.3.1 prints the send errors twice, which moves all behind them by one heading. */
#define FAULTS \
	{ RATE(IN_ERRORS), INT(7) }, { RATE(IN_DROPS), INT(7) }, { RATE(IN_FIFO), INT(7) }, { RATE(IN_FRAME), INT(7) }, \
	{ .before = "   ", RATE(OUT_ERRORS), .width = 7 }, \
	{ RATE(OUT_ERRORS), INT(7), .when = PF_AS_PEER }, \
	{ RATE(OUT_DROPS), INT(7) }, { RATE(OUT_FIFO), INT(7) }, { RATE(COLLISIONS), INT(7) }, \
	{ RATE(OUT_CARRIER), INT(7), .unless = PF_AS_PEER }

static const struct pf_column verbose[] = { TRAFFIC };
static const struct pf_column verbose_faults[] = { FAULTS };

static const struct pf_column detail[] = {
	{ .before = " ", .calc = PF_CALC_INDEX, .width = 3 },
	{ .before = "  ", .calc = PF_CALC_NAME, .num = PF_SUM(IN_BYTES), .draw = PF_DRAW_RIGHT, .width = PF_WIDTH_NAME, .after = " " },
	TRAFFIC,
};

static const struct pf_column detail_faults[] = {
	{ .before = " ", .calc = PF_CALC_INDEX, .width = 3 },
	{ .before = "  ", .calc = PF_CALC_LABEL, .num = PF_SUM(IN_BYTES), .draw = PF_DRAW_RIGHT, .width = PF_WIDTH_NAME,
	  .when = PF_AS_PEER },
	{ .before = "  ", .calc = PF_CALC_NAME, .num = PF_SUM(IN_BYTES), .draw = PF_DRAW_RIGHT, .width = PF_WIDTH_NAME,
	  .unless = PF_AS_PEER },
	FAULTS,
};

static const struct pf_column plot[] = {
	{ .name = "RxPktTot", RATE(IN_PACKETS), PLOT },
	{ .name = "TxPktTot", RATE(OUT_PACKETS), PLOT },
	{ .name = "RxKBTot", KB(IN_BYTES), PLOT },
	{ .name = "TxKBTot", KB(OUT_BYTES), PLOT },
	{ .name = "RxCmpTot", RATE(IN_COMPRESSED), PLOT },
	{ .name = "RxMltTot", RATE(IN_MCASTS), PLOT },
	{ .name = "TxCmpTot", RATE(OUT_COMPRESSED), PLOT },
	{ .name = "RxErrsTot", RATE(IN_FAULTS), PLOT },
	{ .name = "TxErrsTot", RATE(OUT_FAULTS), PLOT },
};

static const struct pf_column plot_detail[] = {
	{ .name = "Name", .calc = PF_CALC_NAME, .num = PF_SUM(IN_BYTES), .draw = PF_DRAW_LEFT },
	{ .name = "RxPkt", RATE(IN_PACKETS), PLOT },
	{ .name = "TxPkt", RATE(OUT_PACKETS), PLOT },
	{ .name = "RxKB", KB(IN_BYTES), PLOT },
	{ .name = "TxKB", KB(OUT_BYTES), PLOT },
	{ .name = "RxErr", RATE(IN_ERRORS), PLOT },
	{ .name = "RxDrp", RATE(IN_DROPS), PLOT },
	{ .name = "RxFifo", RATE(IN_FIFO), PLOT },
	{ .name = "RxFra", RATE(IN_FRAME), PLOT },
	{ .name = "RxCmp", RATE(IN_COMPRESSED), PLOT },
	{ .name = "RxMlt", RATE(IN_MCASTS), PLOT },
	{ .name = "TxErr", RATE(OUT_ERRORS), PLOT },
	{ .name = "TxDrp", RATE(OUT_DROPS), PLOT },
	{ .name = "TxFifo", RATE(OUT_FIFO), PLOT },
	{ .name = "TxColl", RATE(COLLISIONS), PLOT },
	{ .name = "TxCar", RATE(OUT_CARRIER), PLOT },
	{ .name = "TxCmp", RATE(OUT_COMPRESSED), PLOT },
	{ .name = "RxErrs", RATE(IN_FAULTS), PLOT },
	{ .name = "TxErrs", RATE(OUT_FAULTS), PLOT },
};

#define EXPORTED(kind) \
	{ .name = kind ".kbin", .units = "kb/sec", KB(IN_BYTES) }, { .name = kind ".pktin", .units = "pkts/sec", RATE(IN_PACKETS) }, \
	{ .name = kind ".kbout", .units = "kb/sec", KB(OUT_BYTES) }, { .name = kind ".pktout", .units = "pkts/sec", RATE(OUT_PACKETS) }

static const struct pf_column exported[] = { EXPORTED("nettotals") };
static const struct pf_column lexpr_detail[] = { EXPORTED("netinfo") };

static const struct pf_column ganglia[] = {
	{ .name = "bytes_in", .units = "Bytes/sec", RATE(IN_BYTES) }, { .name = "bytes_out", .units = "Bytes/sec", RATE(OUT_BYTES) },
	{ .name = "pkts_in", .units = "pkts/sec", RATE(IN_PACKETS) }, { .name = "pkts_out", .units = "pkts/sec", RATE(OUT_PACKETS) },
};

static const struct pf_column any_fault = { .calc = PF_CALC_DELTA, .num = PF_SUM(IN_FAULTS, OUT_FAULTS) };

#define ERRORS .shown_if = &any_fault, .shown_when = PF_ONLY_ERRORS

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, ERRORS, .letter = 'n', .unless = PF_WITH_NET_SIZES | PF_WITH_ERRORS, .head1 = "<----------Network---------->",
	  .head2 = "  KBIn  PktIn  KBOut  PktOut ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, ERRORS, .letter = 'n', .when = PF_WITH_NET_SIZES, .unless = PF_WITH_ERRORS,
	  .head1 = "<---------------Network--------------->", .head2 = "  KBIn  PktIn Size  KBOut  PktOut Size ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, ERRORS, .letter = 'n', .when = PF_WITH_ERRORS, .unless = PF_WITH_NET_SIZES,
	  .head1 = "<-------------Network------------->", .head2 = "  KBIn  PktIn  KBOut  PktOut Error ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, ERRORS, .letter = 'n', .when = PF_WITH_ERRORS | PF_WITH_NET_SIZES,
	  .head1 = "<------------------Network------------------>", .head2 = "  KBIn  PktIn Size  KBOut  PktOut Size Error ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, ERRORS, .letter = 'n', .unless = PF_WITH_ERRORS, .title = "NETWORK SUMMARY ({r})",
	  .head2 = " KBIn  PktIn SizeIn  MultI   CmpI  ErrsI  KBOut PktOut  SizeO   CmpO  ErrsO",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, ERRORS, .letter = 'n', .when = PF_WITH_ERRORS, .title = "NETWORK ERRORS SUMMARY ({r})",
	  .head2 = "  ErrIn  DropIn  FifoIn FrameIn    ErrOut DropOut FifoOut CollOut CarrOut",
	  .columns = verbose_faults, .n_columns = PF_N(verbose_faults) },
	{ .view = PF_VIEW_VERBOSE, ERRORS, .letter = 'N', .unless = PF_WITH_ERRORS, .title = "NETWORK STATISTICS ({r})",
	  .head2 = "Num   {p}Name   KBIn  PktIn SizeIn  MultI   CmpI  ErrsI  KBOut PktOut  SizeO   CmpO  ErrsO",
	  .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_VERBOSE, ERRORS, .letter = 'N', .when = PF_WITH_ERRORS, .title = "NETWORK ERRORS STATISTICS ({r})",
	  .head2 = "Num   {p}Name   ErrIn  DropIn  FifoIn FrameIn    ErrOut DropOut FifoOut CollOut CarrOut",
	  .columns = detail_faults, .n_columns = PF_N(detail_faults) },
	{ .view = PF_VIEW_PLOT, ERRORS, .letter = 'n', .label = "NET", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, ERRORS, .letter = 'N', .label = "NET:", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
	{ .view = PF_VIEW_LEXPR, .letter = 'n', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_LEXPR, .letter = 'N', .columns = lexpr_detail, .n_columns = PF_N(lexpr_detail) },
	{ .view = PF_VIEW_GEXPR, .letter = 'n', .when = PF_GANGLIA_NAMES, .label = "network", .columns = ganglia, .n_columns = PF_N(ganglia) },
	{ .view = PF_VIEW_GEXPR, .letter = 'n', .unless = PF_GANGLIA_NAMES, .label = "network", .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 'N', .label = "network", .columns = exported, .n_columns = PF_N(exported) },
};
/* clang-format on */

const struct pf_group pf_group_network = {
	.letters = "nN",
	.name = "network",
	.plot_file = "net",
	.what = "network interfaces: bytes, packets, errors",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.reset = PF_RESET_WRAP32,
	.link_bytes = PF_SUM(IN_BYTES, OUT_BYTES),
	.sums = sums,
	.n_sums = PF_N(sums),
	.in_summary = in_summary,
	.in_export = in_export,
};

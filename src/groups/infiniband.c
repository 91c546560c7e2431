/* groups/infiniband.c - ports of InfiniBand, RoCE and Omni-Path adapters. Source: /sys/class/infiniband, kernel
 * Documentation/ABI/stable/sysfs-class-infiniband; records and columns: spec collectl-data and collectl 4.3.1 as it was seen to work.
 *
 * Data is counted in words of 4 bytes. Newer kernels and adapters count with 64 bits in counters/, older ones in counters_ext/. Ports that
 * are not active are not read. Adapters are found by looking, whatever their names. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { RCV_DATA, XMIT_DATA, RCV_PACKETS, XMIT_PACKETS, ERRORS, N_METRICS };

enum { NAME_ROOM = 80, PORT_ROOM = 12 };

#define INDOM_PORTS PF_INDOM_OWN(2)

/* clang-format off */
#define COUNTER(item) PF_PMID_OWN(item), INDOM_PORTS, PF_U64, PF_COUNTER, PF_UNITS_COUNT

static const struct pf_metric metrics[N_METRICS] = {
	[RCV_DATA] = { "perfolio.infiniband.port.rcv_data", COUNTER(70), "words of 4 bytes received" },
	[XMIT_DATA] = { "perfolio.infiniband.port.xmit_data", COUNTER(71), "words of 4 bytes sent" },
	[RCV_PACKETS] = { "perfolio.infiniband.port.rcv_packets", COUNTER(72), "packets received" },
	[XMIT_PACKETS] = { "perfolio.infiniband.port.xmit_packets", COUNTER(73), "packets sent" },
	[ERRORS] = { "perfolio.infiniband.port.errors", COUNTER(74), "errors of all kinds" },
};
/* clang-format on */

/* "mlx5_0:1"; a recording without names has the number of the adapter: "hca0:1". */
static int slot_of(struct pf_builder *b)
{
	char name[NAME_ROOM + PORT_ROOM];
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + RCV_DATA);
	struct pf_view hca = b->parts[0];
	struct pf_view port = b->parts[1];
	size_t n = 0;
	if (!dom || hca.n == 0 || hca.n > NAME_ROOM - 4 || port.n == 0 || port.n > PORT_ROOM - 2)
		return -1;
	if (hca.p[0] >= '0' && hca.p[0] <= '9') {
		static const char before[] = { 'h', 'c', 'a' };
		memcpy(name, before, sizeof(before));
		n = sizeof(before);
	}
	memcpy(name + n, hca.p, hca.n);
	n += hca.n;
	name[n++] = ':';
	memcpy(name + n, port.p, port.n);
	b->line_hint = b->line_hint > 0 ? b->line_hint - 1 : 0;
	return pf_builder_instance(b, dom, (struct pf_view){ name, n + port.n }, -1);
}

/* The number that a file holds, or a line of a raw file. */
static bool number(struct pf_view text, struct pf_builder *b, uint64_t *ret_v, int *ret_slot)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	if (!pf_scan_line(&rest, &line) || pf_scan_u64(&line, ret_v) != PF_SCAN_OK) {
		pf_builder_fail(b);
		return false;
	}
	*ret_slot = slot_of(b);
	return *ret_slot >= 0;
}

static void one(struct pf_view text, struct pf_builder *b, unsigned metric)
{
	uint64_t v = 0;
	int slot = -1;
	if (number(text, b, &v, &slot))
		pf_builder_u64(b, metric, (unsigned)slot, v);
}

static void rcv_data_parse(struct pf_view text, struct pf_builder *b)
{
	one(text, b, RCV_DATA);
}

static void xmit_data_parse(struct pf_view text, struct pf_builder *b)
{
	one(text, b, XMIT_DATA);
}

static void rcv_packets_parse(struct pf_view text, struct pf_builder *b)
{
	one(text, b, RCV_PACKETS);
}

static void xmit_packets_parse(struct pf_view text, struct pf_builder *b)
{
	one(text, b, XMIT_PACKETS);
}

/* One kind of errors is added to the others of the port. */
static void errors_parse(struct pf_view text, struct pf_builder *b)
{
	uint64_t v = 0;
	int slot = -1;
	if (!number(text, b, &v, &slot))
		return;
	unsigned m = b->base + ERRORS;
	bool more = pf_sample_has(b->sample, m, (unsigned)slot);
	pf_builder_u64(b, ERRORS, (unsigned)slot, v + (more ? pf_sample_get(b->sample, m, (unsigned)slot).u : 0));
}

/* "4: ACTIVE" */
static bool is_active(struct pf_view text)
{
	return text.n > 0 && text.p[0] == '4' && (text.n == 1 || text.p[1] < '0' || text.p[1] > '9');
}

static void state_parse(struct pf_view text, struct pf_builder *b)
{
	(void)text;
	(void)b; /* whether the port is read has been decided */
}

#define PORT(file)    .path = "sys/class/infiniband/*/ports/*/" file
#define DATA(counter) PORT("counters_ext/" counter "_64|counters/" counter), .optional = true
#define ERROR(counter)                                                                                                 \
	PORT("counters/" counter), .optional = true, .tag = "iberr#-*", .kind = counter, .parse = errors_parse

static const struct pf_row rows[] = {
	{ PORT("state"), .only_if = is_active, .parse = state_parse },
	{ DATA("port_rcv_data"), .tag = "ib#-*:rcvd", .parse = rcv_data_parse },
	{ DATA("port_xmit_data"), .tag = "ib#-*:xmtd", .parse = xmit_data_parse },
	{ DATA("port_rcv_packets"), .tag = "ib#-*:rcvp", .parse = rcv_packets_parse },
	{ DATA("port_xmit_packets"), .tag = "ib#-*:xmtp", .parse = xmit_packets_parse },
	{ ERROR("symbol_error") },
	{ ERROR("link_error_recovery") },
	{ ERROR("link_downed") },
	{ ERROR("port_rcv_errors") },
	{ ERROR("port_rcv_remote_physical_errors") },
	{ ERROR("port_rcv_switch_relay_errors") },
	{ ERROR("port_xmit_discards") },
	{ ERROR("port_xmit_constraint_errors") },
	{ ERROR("port_rcv_constraint_errors") },
	{ ERROR("local_link_integrity_errors") },
	{ ERROR("excessive_buffer_overrun_errors") },
	{ ERROR("VL15_dropped") },
};

#define RATE(m)	   .calc = PF_CALC_RATE, .num = PF_SUM(m)
#define KB_RATE(m) .calc = PF_CALC_RATE, .num = PF_SUM(m), .scale = 1.0 / 256
#define SIZE(d, p) .calc = PF_CALC_RATIO, .num = PF_SUM(d), .den = PF_SUM(p), .scale = 4
#define CVT(w)	   .draw = PF_DRAW_CVT, .width = w, .after = " "
#define CVT_KB(w)  .draw = PF_DRAW_CVT, .div1024 = 1, .width = w, .after = " "
/* From these files the peer has no errors. */
#define ERRS(...)                                                                                                      \
	{ .calc = PF_CALC_ZERO, .when = PF_AS_PEER, __VA_ARGS__ },                                                     \
	{                                                                                                              \
		RATE(ERRORS), .unless = PF_AS_PEER, __VA_ARGS__                                                        \
	}

/* clang-format off */
static const struct pf_column brief[] = {
	{ KB_RATE(RCV_DATA), CVT_KB(7) },
	{ RATE(RCV_PACKETS), CVT(6) },
	{ SIZE(RCV_DATA, RCV_PACKETS), CVT(4), .when = PF_WITH_IB_SIZES },
	{ KB_RATE(XMIT_DATA), CVT_KB(7) },
	{ RATE(XMIT_PACKETS), CVT(6) },
	{ SIZE(XMIT_DATA, XMIT_PACKETS), CVT(4), .when = PF_WITH_IB_SIZES },
	ERRS(CVT(4)),
};

static const struct pf_column verbose[] = {
	{ KB_RATE(RCV_DATA), .width = 7 },
	{ .before = " ", RATE(RCV_PACKETS), .width = 7 },
	{ .before = " ", SIZE(RCV_DATA, RCV_PACKETS), .draw = PF_DRAW_ROUND, .width = 7 },
	{ .before = " ", KB_RATE(XMIT_DATA), .width = 7 },
	{ .before = " ", RATE(XMIT_PACKETS), .width = 7 },
	{ .before = " ", SIZE(XMIT_DATA, XMIT_PACKETS), .draw = PF_DRAW_ROUND, .width = 7 },
	ERRS(.before = " ", .width = 7),
};

#define SEVEN .before = " ", .draw = PF_DRAW_CVT, .width = 7
#define SEVEN_KB SEVEN, .div1024 = 1

/* Where it plays a recording the peer has no names. */
#define BLANK PF_AS_PEER | PF_AS_RECORDED
static const struct pf_column detail[] = {
	{ .before = " ", .calc = PF_CALC_NAME, .num = PF_SUM(RCV_DATA), .draw = PF_DRAW_LEFT, .width = 14, .unless = PF_AS_PEER },
	{ .before = " ", .calc = PF_CALC_NAME, .num = PF_SUM(RCV_DATA), .draw = PF_DRAW_LEFT, .width = 6, .when = PF_AS_PEER, .unless = PF_AS_RECORDED },
	{ .before = "       ", .calc = PF_CALC_ZERO, .draw = PF_DRAW_NONE, .when = BLANK },
	{ KB_RATE(RCV_DATA), SEVEN_KB }, { RATE(RCV_PACKETS), SEVEN }, { SIZE(RCV_DATA, RCV_PACKETS), SEVEN },
	{ KB_RATE(XMIT_DATA), SEVEN_KB }, { RATE(XMIT_PACKETS), SEVEN }, { SIZE(XMIT_DATA, XMIT_PACKETS), SEVEN },
	ERRS(SEVEN),
};

#define PLOT(text, ...) { .name = text, __VA_ARGS__, .draw = PF_DRAW_PLOT }
#define PLOTTED \
	PLOT("InPkt", RATE(RCV_PACKETS)), PLOT("OutPkt", RATE(XMIT_PACKETS)), PLOT("InKB", KB_RATE(RCV_DATA)), \
	PLOT("OutKB", KB_RATE(XMIT_DATA)), ERRS(.name = "Err", .draw = PF_DRAW_PLOT)
static const struct pf_column plot[] = { PLOTTED };
static const struct pf_column plot_detail[] = { { .name = "HCA", .calc = PF_CALC_INDEX }, PLOTTED };

#define EXPORTED(group) \
	{ .name = group ".kbin", .units = "kb/sec", KB_RATE(RCV_DATA) }, { .name = group ".pktin", .units = "packets/sec", RATE(RCV_PACKETS) }, \
	{ .name = group ".kbout", .units = "kb/sec", KB_RATE(XMIT_DATA) }, { .name = group ".pktout", .units = "packets/sec", RATE(XMIT_PACKETS) }
static const struct pf_column exported[] = { EXPORTED("iconnect") };
static const struct pf_column exported_detail[] = { EXPORTED("iconnect.*") };

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'x', .unless = PF_WITH_IB_SIZES, .head1 = "<-----------InfiniBand----------->",
	  .head2 = "   KBIn  PktIn   KBOut PktOut Errs ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, .letter = 'x', .when = PF_WITH_IB_SIZES, .head1 = "<----------------InfiniBand---------------->",
	  .head2 = "   KBIn  PktIn Size   KBOut PktOut Size Errs ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'x', .title = "INFINIBAND SUMMARY ({r})",
	  .head2 = "  KBIn   PktIn  SizeIn   KBOut  PktOut SizeOut  Errors", .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'X', .when = PF_AS_PEER, .title = "INFINIBAND STATISTICS ({r})",
	  .head2 = "HCA       KBIn   PktIn  SizeIn   KBOut  PktOut SizeOut  Errors", .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'X', .unless = PF_AS_PEER, .title = "INFINIBAND STATISTICS ({r})",
	  .head2 = "HCA:Port          KBIn   PktIn  SizeIn   KBOut  PktOut SizeOut  Errors", .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'x', .label = "IB", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'X', .label = "IB:", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
	{ .view = PF_VIEW_LEXPR, .letter = 'x', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_LEXPR, .letter = 'X', .columns = exported_detail, .n_columns = PF_N(exported_detail) },
	{ .view = PF_VIEW_GEXPR, .letter = 'x', .unless = PF_GANGLIA_ALONE, .label = "iconnect", .columns = exported, .n_columns = PF_N(exported) },
};
/* clang-format on */

const struct pf_group pf_group_infiniband = {
	.letters = "xX",
	.name = "interconnect",
	.what = "InfiniBand, RoCE, Omni-Path: Kbytes and packets of each active port",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.reset = PF_RESET_WRAP32,
};

/* groups/tcp.c - IP, TCP, UDP, ICMP and their extensions. Source: /proc/net/snmp and /proc/net/netstat, proc(5) and the kernel's
 * Documentation/networking/snmp_counter.rst; columns: spec collectl-data sections 4 to 6, metrics: PCP 6.0.3.
 *
 * A line of names stands before each line of numbers. Playback may hand the two over one by one, so what the names mean is kept in the
 * builder. */
#include "groups/tcp.h"

#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

#define FIELD(section, key, metric, pmid, sem, units) section##_##key,
enum {
	PF_TCP_FIELDS_Ip(FIELD) PF_TCP_FIELDS_Tcp(FIELD) PF_TCP_FIELDS_Udp(FIELD) PF_TCP_FIELDS_Icmp(FIELD)
		PF_TCP_FIELDS_IpExt(FIELD) PF_TCP_FIELDS_TcpExt(FIELD) PF_TCP_FIELDS_UdpLite(FIELD) N_METRICS
};

#define P(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define OWN(item)	 PF_PMID_OWN(item)
#define METRIC(section, key, name, pmid, sem, units)                                                                   \
	[section##_##key] = { name, pmid, PF_INDOM_NONE, PF_U64, PF_##sem, PF_UNITS_##units, #section ": " #key },
static const struct pf_metric metrics[N_METRICS] = {
	PF_TCP_FIELDS_Ip(METRIC) PF_TCP_FIELDS_Tcp(METRIC) PF_TCP_FIELDS_Udp(METRIC) PF_TCP_FIELDS_Icmp(METRIC)
		PF_TCP_FIELDS_IpExt(METRIC) PF_TCP_FIELDS_TcpExt(METRIC) PF_TCP_FIELDS_UdpLite(METRIC)
};

#define NAME(section, key, metric, pmid, sem, units) { #key, sizeof(#key) - 1 },
static const struct pf_view names[N_METRICS] = { PF_TCP_FIELDS_Ip(NAME) PF_TCP_FIELDS_Tcp(NAME) PF_TCP_FIELDS_Udp(NAME)
							 PF_TCP_FIELDS_Icmp(NAME) PF_TCP_FIELDS_IpExt(NAME)
								 PF_TCP_FIELDS_TcpExt(NAME)
									 PF_TCP_FIELDS_UdpLite(NAME) };

/* Sections: the word that their lines begin with, their metrics, and the letter of --tcpfilt; 0: not recorded. */
static const struct {
	struct pf_view word;
	unsigned from, to;
	uint64_t variant;
} sections[] = {
	{ { "Ip:", 3 }, 0, Tcp_RtoAlgorithm, PF_TCP_IP },
	{ { "Tcp:", 4 }, Tcp_RtoAlgorithm, Udp_InDatagrams, PF_TCP_TCP },
	{ { "Udp:", 4 }, Udp_InDatagrams, Icmp_InMsgs, PF_TCP_UDP },
	{ { "Icmp:", 5 }, Icmp_InMsgs, IpExt_InNoRoutes, PF_TCP_ICMP },
	{ { "IpExt:", 6 }, IpExt_InNoRoutes, TcpExt_SyncookiesSent, PF_TCP_IPEXT },
	{ { "TcpExt:", 7 }, TcpExt_SyncookiesSent, UdpLite_InDatagrams, PF_TCP_TCPEXT },
	{ { "UdpLite:", 8 }, UdpLite_InDatagrams, N_METRICS, 0 },
};

enum { UNKNOWN = UINT16_MAX };

/* Index of the section, from 1; 0 for a line of none. In raw files "tcp-" stands before the word. */
static unsigned section_of(struct pf_view word)
{
	if (pf_view_starts(word, "tcp-"))
		word = (struct pf_view){ word.p + 4, word.n - 4 };
	for (unsigned i = 0; i < PF_N(sections); i++) {
		if (sections[i].word.n == word.n && memcmp(sections[i].word.p, word.p, word.n) == 0)
			return i + 1;
	}
	return 0;
}

static bool is_name(unsigned metric, struct pf_view word)
{
	return names[metric].n == word.n && memcmp(names[metric].p, word.p, word.n) == 0;
}

/* Metric of a name of that section; the one behind the last found is looked at first. */
static unsigned find_name(unsigned section, unsigned expected, struct pf_view word)
{
	if (expected < sections[section].to && is_name(expected, word))
		return expected;
	for (unsigned m = sections[section].from; m < sections[section].to; m++) {
		if (is_name(m, word))
			return m;
	}
	return UNKNOWN;
}

static void take_names(struct pf_scan *line, struct pf_builder *b, unsigned section)
{
	unsigned expected = sections[section].from;
	b->column_set = section + 1;
	b->n_columns = 0;
	for (struct pf_view word = pf_scan_word(line); word.n > 0 && b->n_columns < PF_BUILDER_COLUMNS;
	     word = pf_scan_word(line)) {
		unsigned m = find_name(section, expected, word);
		b->columns[b->n_columns++] = (uint16_t)m;
		expected = m == UNKNOWN ? expected : m + 1;
	}
}

/* MaxConn is -1 where there is no limit; kept as the agent of PCP has it. */
static void take_numbers(struct pf_scan *line, struct pf_builder *b)
{
	for (unsigned i = 0; i < b->n_columns; i++) {
		struct pf_view word = pf_scan_word(line);
		uint64_t v = 0;
		int64_t below = 0;
		if (word.n == 0)
			return;
		if (b->columns[i] == UNKNOWN)
			continue; /* of another kernel */
		if (pf_view_u64(word, &v) == 0)
			pf_builder_u64(b, b->columns[i], 0, v);
		else if (pf_view_i64(word, &below) == 0)
			pf_builder_u64(b, b->columns[i], 0, (uint64_t)below);
		else
			pf_builder_fail(b);
	}
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		unsigned section = section_of(pf_scan_word(&line));
		if (section == 0)
			continue;
		pf_scan_blanks(&line);
		bool is_number = line.p < line.end && (*line.p == '-' || (*line.p >= '0' && *line.p <= '9'));
		if (!is_number)
			take_names(&line, b, section - 1);
		else if (b->column_set == section)
			take_numbers(&line, b);
	}
}

static bool keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	struct pf_view rest = *line, word = { "", 0 };
	if (pf_view_word(&rest, &word) < 0)
		return false;
	unsigned section = section_of(word);
	uint64_t wanted = filter ? filter->variants : UINT64_MAX;
	return section > 0 && (sections[section - 1].variant & wanted) != 0;
}

static const char *const words[] = { "tcp-*", NULL };

static const struct pf_row rows[] = {
	{ .path = "proc/net/netstat",
	  .lead = "tcp-",
	  .needs = PF_TCP_IPEXT | PF_TCP_TCPEXT,
	  .tag = "",
	  .words = words,
	  .keep = keep,
	  .parse = parse },
	{ .path = "proc/net/snmp",
	  .lead = "tcp-",
	  .needs = PF_TCP_USUAL,
	  .tag = "",
	  .words = words,
	  .keep = keep,
	  .parse = parse },
};

#define IP_ERRORS                                                                                                      \
	PF_SUM(Ip_InHdrErrors, Ip_InAddrErrors, Ip_InUnknownProtos, Ip_InDiscards, Ip_OutDiscards, Ip_ReasmFails,      \
	       Ip_FragFails)
#define TCP_ERRORS  PF_SUM(Tcp_AttemptFails, Tcp_InErrs)
#define UDP_ERRORS  PF_SUM(Udp_NoPorts, Udp_InErrors)
#define ICMP_ERRORS PF_SUM(Icmp_InErrors, Icmp_InDestUnreachs, Icmp_OutErrors)
#define TCPX_ERRORS PF_SUM(TcpExt_TCPLoss, TcpExt_TCPFastRetrans)

/* The peer divides by the seconds only some of the columns below "/sec". A gauge it shows as a difference. */
#define RATE(m, ...)                                                                                                   \
	{                                                                                                              \
		.calc = PF_CALC_RATE, .num = PF_SUM(m), __VA_ARGS__                                                    \
	}
#define COUNT(m, ...)                                                                                                  \
	{ .calc = PF_CALC_DELTA, .num = PF_SUM(m), .when = PF_AS_PEER, __VA_ARGS__ },                                  \
	{                                                                                                              \
		.calc = PF_CALC_RATE, .num = PF_SUM(m), .unless = PF_AS_PEER, __VA_ARGS__                              \
	}
#define GAUGE(m, ...)                                                                                                  \
	{ .calc = PF_CALC_DELTA, .num = PF_SUM(m), .when = PF_AS_PEER, __VA_ARGS__ },                                  \
	{                                                                                                              \
		.calc = PF_CALC_VALUE, .num = PF_SUM(m), .unless = PF_AS_PEER, __VA_ARGS__                             \
	}
#define W6    .before = " ", .width = 6
#define W5    .before = " ", .width = 5
#define SHORT .draw = PF_DRAW_CVT, .width = 4, .after = " "
#define PLOT  .draw = PF_DRAW_PLOT

/* clang-format off */
#define BRIEF(sum, variant) \
	{ .calc = PF_CALC_DELTA, .num = sum, SHORT, .when = (variant) | PF_AS_PEER }, \
	{ .calc = PF_CALC_RATE, .num = sum, SHORT, .when = variant, .unless = PF_AS_PEER }

static const struct pf_column brief_ip[] = { BRIEF(IP_ERRORS, PF_TCP_IP) };
static const struct pf_column brief_tcp[] = { BRIEF(TCP_ERRORS, PF_TCP_TCP) };
static const struct pf_column brief_udp[] = { BRIEF(UDP_ERRORS, PF_TCP_UDP) };
static const struct pf_column brief_icmp[] = { BRIEF(ICMP_ERRORS, PF_TCP_ICMP) };
static const struct pf_column brief_tcpext[] = { BRIEF(TCPX_ERRORS, PF_TCP_TCPEXT) };

static const struct pf_column ip[] = {
	RATE(Ip_InReceives, W6), RATE(Ip_InDelivers, W6), COUNT(Ip_ForwDatagrams, W6), COUNT(Ip_InDiscards, W6), COUNT(Ip_InAddrErrors, W6),
	RATE(Ip_OutRequests, W6), COUNT(Ip_OutDiscards, W6), COUNT(Ip_ReasmReqds, W6), COUNT(Ip_ReasmOKs, W6), COUNT(Ip_FragOKs, W6),
	COUNT(Ip_FragCreates, W6),
};

static const struct pf_column tcp[] = {
	RATE(Tcp_ActiveOpens, W6), RATE(Tcp_PassiveOpens, W6), COUNT(Tcp_AttemptFails, W6), COUNT(Tcp_EstabResets, W6),
	GAUGE(Tcp_CurrEstab, W6), RATE(Tcp_InSegs, .before = "  ", .width = 6), RATE(Tcp_OutSegs, W6), COUNT(Tcp_RetransSegs, W6),
	COUNT(Tcp_InErrs, W6), COUNT(Tcp_OutRsts, W6),
};

static const struct pf_column udp[] = {
	RATE(Udp_InDatagrams, W6), RATE(Udp_OutDatagrams, W6), COUNT(Udp_NoPorts, W6), COUNT(Udp_InErrors, W6),
};

static const struct pf_column icmp[] = {
	COUNT(Icmp_InMsgs, W5), COUNT(Icmp_InErrors, W5), COUNT(Icmp_InDestUnreachs, W5), COUNT(Icmp_InEchos, W5), COUNT(Icmp_InEchoReps, W5),
	COUNT(Icmp_OutMsgs, .before = "  ", .width = 5), COUNT(Icmp_OutErrors, W5), COUNT(Icmp_OutDestUnreachs, W5), COUNT(Icmp_OutEchos, W5),
	COUNT(Icmp_OutEchoReps, W5),
};

static const struct pf_column ipext[] = {
	COUNT(IpExt_InMcastPkts, W6), COUNT(IpExt_InBcastPkts, W6), COUNT(IpExt_InOctets, W6), COUNT(IpExt_InMcastOctets, W6),
	COUNT(IpExt_InBcastOctets, W6), COUNT(IpExt_OutMcastPkts, W6), COUNT(IpExt_OutOctets, W6), COUNT(IpExt_OutMcastOctets, W6),
};

static const struct pf_column tcpext[] = {
	COUNT(TcpExt_TW, W6), COUNT(TcpExt_PAWSEstab, W6), COUNT(TcpExt_DelayedACKs, W6), COUNT(TcpExt_DelayedACKLost, W6),
	COUNT(TcpExt_TCPPrequeued, W6), COUNT(TcpExt_TCPDirectCopyFromPrequeue, W6), COUNT(TcpExt_TCPHPHits, W6),
	COUNT(TcpExt_TCPPureAcks, W6), COUNT(TcpExt_TCPHPAcks, W6), COUNT(TcpExt_TCPDSACKOldSent, W6), COUNT(TcpExt_TCPAbortOnData, W6),
	COUNT(TcpExt_TCPAbortOnClose, W6), COUNT(TcpExt_TCPSackShiftFallback, W6), COUNT(TcpExt_TCPLoss, W6), COUNT(TcpExt_TCPFastRetrans, W6),
};

#define SUM(heading, sum) { .name = heading, .calc = PF_CALC_RATE, .num = sum, PLOT }
static const struct pf_column plot[] = {
	SUM("IpErr", IP_ERRORS), SUM("TcpErr", TCP_ERRORS), SUM("UdpErr", UDP_ERRORS), SUM("IcmpErr", ICMP_ERRORS),
	SUM("Loss", PF_SUM(TcpExt_TCPLoss)), SUM("FTrans", PF_SUM(TcpExt_TCPFastRetrans)),
};

/* Every number that the kernel has. */
#define EACH(section, key, metric, pmid, sem, units) \
	{ .name = #key, .calc = PF_CALC_RATE, .num = PF_SUM(section##_##key), .optional = true, .any = WANTED_##section },
#define WANTED_Ip     PF_TCP_IP
#define WANTED_Tcp    PF_TCP_TCP
#define WANTED_Udp    PF_TCP_UDP
#define WANTED_Icmp   PF_TCP_ICMP
#define WANTED_IpExt  PF_TCP_IPEXT
#define WANTED_TcpExt PF_TCP_TCPEXT
static const struct pf_column plot_detail[] = {
	PF_TCP_FIELDS_Ip(EACH) PF_TCP_FIELDS_Tcp(EACH) PF_TCP_FIELDS_Udp(EACH) PF_TCP_FIELDS_Icmp(EACH) PF_TCP_FIELDS_IpExt(EACH)
	PF_TCP_FIELDS_TcpExt(EACH)
};

#define ERRORS(called, sum, bit) { .name = "tcpinfo." called "errs", .units = "num/sec", .calc = PF_CALC_RATE, .num = sum, .when = bit }
static const struct pf_column exported[] = {
	ERRORS("ip", IP_ERRORS, PF_TCP_IP), ERRORS("tcp", TCP_ERRORS, PF_TCP_TCP), ERRORS("udp", UDP_ERRORS, PF_TCP_UDP),
	ERRORS("icmp", ICMP_ERRORS, PF_TCP_ICMP), ERRORS("tcpx", TCPX_ERRORS, PF_TCP_TCPEXT),
};

#define BRIEF_OF(part, text, variant) \
	.view = PF_VIEW_BRIEF, .letter = 't', .when = variant, .head2 = text, .columns = part, .n_columns = PF_N(part)
#define VERBOSE(part, variant) \
	.view = PF_VIEW_VERBOSE, .letter = 't', .when = variant, .title = "TCP STACK SUMMARY ({r})", .lead = " ", .blank_time = true, .columns = part, \
	.n_columns = PF_N(part)

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 't', .head1 = "<{-}TCP{+}>", .head2 = "" },
	{ BRIEF_OF(brief_ip, "  IP ", PF_TCP_IP) },
	{ BRIEF_OF(brief_tcp, " Tcp ", PF_TCP_TCP) },
	{ BRIEF_OF(brief_udp, " Udp ", PF_TCP_UDP) },
	{ BRIEF_OF(brief_icmp, "Icmp ", PF_TCP_ICMP) },
	{ BRIEF_OF(brief_tcpext, "TcpX ", PF_TCP_TCPEXT) },
	{ VERBOSE(ip, PF_TCP_IP), .head1 = "<----------------------------------IpPkts----------------------------------->",
	  .head2 = " Receiv Delivr Forwrd DiscdI InvAdd   Sent DiscrO ReasRq ReasOK FragOK FragCr" },
	{ VERBOSE(tcp, PF_TCP_TCP), .head1 = "<---------------------------------Tcp--------------------------------->",
	  .head2 = " ActOpn PasOpn Failed ResetR  Estab   SegIn SegOut SegRtn SegBad SegRes" },
	{ VERBOSE(udp, PF_TCP_UDP), .head1 = "<------------Udp----------->", .head2 = "  InDgm OutDgm NoPort Errors" },
	{ VERBOSE(icmp, PF_TCP_ICMP), .head1 = "<----------------------------Icmp--------------------------->",
	  .head2 = " Recvd FailI UnreI EchoI ReplI  Trans FailO UnreO EchoO ReplO" },
	{ VERBOSE(ipext, PF_TCP_IPEXT), .head1 = "<-------------------------IpExt------------------------>",
	  .head2 = " MPktsI BPktsI OctetI MOctsI BOctsI MPktsI OctetI MOctsI" },
	{ VERBOSE(tcpext, PF_TCP_TCPEXT),
	  .head1 = "<-------------------------------------------------TcpExt------------------------------------------------>",
	  .head2 = " FasTim Reject DelAck QikAck PktQue PreQuB HdPdct PurAck HPAcks DsAcks RUData REClos  SackS PkLoss FTrans" },
	{ .view = PF_VIEW_PLOT, .letter = 't', .label = "TCP", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_LEXPR, .letter = 't', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 't', .unless = PF_GANGLIA_ALONE, .label = "tcp", .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_PLOT, .letter = 'T', .label = "TCPD", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
};
/* clang-format on */

const struct pf_group pf_group_tcp = {
	.letters = "tT",
	.name = "tcp",
	.what = "IP, TCP, UDP and ICMP: packets and errors",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
};

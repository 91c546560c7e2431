/* groups/ip6.c - IPv6 and what runs over it. Source: /proc/net/snmp6 and /proc/net/sockstat6, proc(5); metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

/* X(word of the file, metric, PMID item) */
/* clang-format off */
#define SNMP6(X) \
	X(Ip6InReceives, "network.ip6.inreceives", 0) \
	X(Ip6InHdrErrors, "network.ip6.inhdrerrors", 1) \
	X(Ip6InTooBigErrors, "network.ip6.intoobigerrors", 2) \
	X(Ip6InNoRoutes, "network.ip6.innoroutes", 3) \
	X(Ip6InAddrErrors, "network.ip6.inaddrerrors", 4) \
	X(Ip6InUnknownProtos, "network.ip6.inunknownprotos", 5) \
	X(Ip6InTruncatedPkts, "network.ip6.intruncatedpkts", 6) \
	X(Ip6InDiscards, "network.ip6.indiscards", 7) \
	X(Ip6InDelivers, "network.ip6.indelivers", 8) \
	X(Ip6OutForwDatagrams, "network.ip6.outforwdatagrams", 9) \
	X(Ip6OutRequests, "network.ip6.outrequests", 10) \
	X(Ip6OutDiscards, "network.ip6.outdiscards", 11) \
	X(Ip6OutNoRoutes, "network.ip6.outnoroutes", 12) \
	X(Ip6ReasmTimeout, "network.ip6.reasmtimeout", 13) \
	X(Ip6ReasmReqds, "network.ip6.reasmreqds", 14) \
	X(Ip6ReasmOKs, "network.ip6.reasmoks", 15) \
	X(Ip6ReasmFails, "network.ip6.reasmfails", 16) \
	X(Ip6FragOKs, "network.ip6.fragoks", 17) \
	X(Ip6FragFails, "network.ip6.fragfails", 18) \
	X(Ip6FragCreates, "network.ip6.fragcreates", 19) \
	X(Ip6InMcastPkts, "network.ip6.inmcastpkts", 20) \
	X(Ip6OutMcastPkts, "network.ip6.outmcastpkts", 21) \
	X(Ip6InOctets, "network.ip6.inoctets", 22) \
	X(Ip6OutOctets, "network.ip6.outoctets", 23) \
	X(Ip6InMcastOctets, "network.ip6.inmcastoctets", 24) \
	X(Ip6OutMcastOctets, "network.ip6.outmcastoctets", 25) \
	X(Ip6InBcastOctets, "network.ip6.inbcastoctets", 26) \
	X(Ip6OutBcastOctets, "network.ip6.outbcastoctets", 27) \
	X(Ip6InNoECTPkts, "network.ip6.innoectpkts", 28) \
	X(Ip6InECT1Pkts, "network.ip6.inect1pkts", 29) \
	X(Ip6InECT0Pkts, "network.ip6.inect0pkts", 30) \
	X(Ip6InCEPkts, "network.ip6.incepkts", 31) \
	X(Icmp6InMsgs, "network.icmp6.inmsgs", 32) \
	X(Icmp6InErrors, "network.icmp6.inerrors", 33) \
	X(Icmp6OutMsgs, "network.icmp6.outmsgs", 34) \
	X(Icmp6OutErrors, "network.icmp6.outerrors", 35) \
	X(Icmp6InCsumErrors, "network.icmp6.incsumerrors", 36) \
	X(Icmp6InDestUnreachs, "network.icmp6.indestunreachs", 37) \
	X(Icmp6InPktTooBigs, "network.icmp6.inpkttoobigs", 38) \
	X(Icmp6InTimeExcds, "network.icmp6.intimeexcds", 39) \
	X(Icmp6InParmProblems, "network.icmp6.inparmproblems", 40) \
	X(Icmp6InEchos, "network.icmp6.inechos", 41) \
	X(Icmp6InEchoReplies, "network.icmp6.inechoreplies", 42) \
	X(Icmp6InGroupMembQueries, "network.icmp6.ingroupmembqueries", 43) \
	X(Icmp6InGroupMembResponses, "network.icmp6.ingroupmembresponses", 44) \
	X(Icmp6InGroupMembReductions, "network.icmp6.ingroupmembreductions", 45) \
	X(Icmp6InRouterSolicits, "network.icmp6.inroutersolicits", 46) \
	X(Icmp6InRouterAdvertisements, "network.icmp6.inrouteradvertisements", 47) \
	X(Icmp6InNeighborSolicits, "network.icmp6.inneighborsolicits", 48) \
	X(Icmp6InNeighborAdvertisements, "network.icmp6.inneighboradvertisements", 49) \
	X(Icmp6InRedirects, "network.icmp6.inredirects", 50) \
	X(Icmp6InMLDv2Reports, "network.icmp6.inmldv2reports", 51) \
	X(Icmp6OutDestUnreachs, "network.icmp6.outdestunreachs", 52) \
	X(Icmp6OutPktTooBigs, "network.icmp6.outpkttoobigs", 53) \
	X(Icmp6OutTimeExcds, "network.icmp6.outtimeexcds", 54) \
	X(Icmp6OutParmProblems, "network.icmp6.outparmproblems", 55) \
	X(Icmp6OutEchos, "network.icmp6.outechos", 56) \
	X(Icmp6OutEchoReplies, "network.icmp6.outechoreplies", 57) \
	X(Icmp6OutGroupMembQueries, "network.icmp6.outgroupmembqueries", 58) \
	X(Icmp6OutGroupMembResponses, "network.icmp6.outgroupmembresponses", 59) \
	X(Icmp6OutGroupMembReductions, "network.icmp6.outgroupmembreductions", 60) \
	X(Icmp6OutRouterSolicits, "network.icmp6.outroutersolicits", 61) \
	X(Icmp6OutRouterAdvertisements, "network.icmp6.outrouteradvertisements", 62) \
	X(Icmp6OutNeighborSolicits, "network.icmp6.outneighborsolicits", 63) \
	X(Icmp6OutNeighborAdvertisements, "network.icmp6.outneighboradvertisements", 64) \
	X(Icmp6OutRedirects, "network.icmp6.outredirects", 65) \
	X(Icmp6OutMLDv2Reports, "network.icmp6.outmldv2reports", 66) \
	X(Udp6InDatagrams, "network.udp6.indatagrams", 67) \
	X(Udp6NoPorts, "network.udp6.noports", 68) \
	X(Udp6InErrors, "network.udp6.inerrors", 69) \
	X(Udp6OutDatagrams, "network.udp6.outdatagrams", 70) \
	X(Udp6RcvbufErrors, "network.udp6.rcvbuferrors", 71) \
	X(Udp6SndbufErrors, "network.udp6.sndbuferrors", 72) \
	X(Udp6InCsumErrors, "network.udp6.incsumerrors", 73) \
	X(Udp6IgnoredMulti, "network.udp6.ignoredmulti", 74) \
	X(UdpLite6InDatagrams, "network.udplite6.indatagrams", 75) \
	X(UdpLite6NoPorts, "network.udplite6.noports", 76) \
	X(UdpLite6InErrors, "network.udplite6.inerrors", 77) \
	X(UdpLite6OutDatagrams, "network.udplite6.outdatagrams", 78) \
	X(UdpLite6RcvbufErrors, "network.udplite6.rcvbuferrors", 79) \
	X(UdpLite6SndbufErrors, "network.udplite6.sndbuferrors", 80) \
	X(UdpLite6InCsumErrors, "network.udplite6.incsumerrors", 81)

#define SOCKETS(X) \
	X(TCP6, "tcp6", 0) X(UDP6, "udp6", 1) X(UDPLITE6, "udplite6", 2) X(RAW6, "raw6", 3) X(FRAG6, "frag6", 4)

#define INDEX(key, ...) key,
enum { SNMP6(INDEX) SOCKETS(INDEX) FRAG6_MEMORY, FAST_OPEN, N_METRICS };

#define COUNTER PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT
#define LEVEL	PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_COUNT
#define COUNTED(key, name, item) [key] = { name, PF_PMID(PF_DOMAIN_LINUX, 58, item), COUNTER, #key " of /proc/net/snmp6" },
#define IN_USE(key, name, item) \
	[key] = { "network.sockstat." name ".inuse", PF_PMID(PF_DOMAIN_LINUX, 73, item), LEVEL, #key " of /proc/net/sockstat6" },
static const struct pf_metric metrics[N_METRICS] = {
	SNMP6(COUNTED) SOCKETS(IN_USE)
	[FRAG6_MEMORY] = { "network.sockstat.frag6.memory", PF_PMID(PF_DOMAIN_LINUX, 73, 5), LEVEL, "bytes of memory for IPv6 fragments" },
	[FAST_OPEN] = { "network.tcp.fastopenactivefail", PF_PMID(PF_DOMAIN_LINUX, 53, 106), COUNTER, "network.tcp.tcpfastopenactivefail by an older name" },
};

#define KEY(key, ...) [key] = { #key, sizeof(#key) - 1 },
static const struct pf_view keys[FRAG6_MEMORY] = { SNMP6(KEY) SOCKETS(KEY) };
/* clang-format on */

/* Which of the keys from @from to @to it is, looked for at @hint first; @to: none. */
static unsigned find(struct pf_view word, unsigned from, unsigned to, unsigned hint)
{
	for (unsigned i = 0; i < to - from; i++) {
		unsigned k = from + (hint - from + i) % (to - from);
		if (keys[k].n == word.n && memcmp(keys[k].p, word.p, word.n) == 0)
			return k;
	}
	return to;
}

/* "Ip6InReceives    	12" */
static void snmp6_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	unsigned hint = 0;
	while (pf_scan_line(&rest, &line)) {
		unsigned k = find(pf_scan_word(&line), 0, TCP6, hint);
		if (k < TCP6 && pf_scan_value(&line, b, k, 0))
			hint = k + 1;
	}
}

/* "FRAG6: inuse 0 memory 0" */
static void sockets_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view word = pf_scan_word(&line);
		word.n -= word.n > 0;
		unsigned k = find(word, TCP6, FRAG6_MEMORY, TCP6);
		if (k == FRAG6_MEMORY || !pf_view_is(pf_scan_word(&line), "inuse") || !pf_scan_value(&line, b, k, 0))
			continue;
		if (pf_view_is(pf_scan_word(&line), "memory"))
			(void)pf_scan_value(&line, b, FRAG6_MEMORY, 0);
	}
}

static void settle(struct pf_builder *b)
{
	int at = pf_catalog_find(b->catalog, PF_VIEW("network.tcp.tcpfastopenactivefail"));
	if (at >= 0 && pf_sample_has(b->sample, (unsigned)at, 0))
		pf_builder_set(b, FAST_OPEN, 0, pf_sample_get(b->sample, (unsigned)at, 0));
}

static const struct pf_row rows[] = {
	{ .path = "proc/net/snmp6", .tag = "snmp6", .optional = true, .parse = snmp6_parse },
	{ .path = "proc/net/sockstat6", .tag = "sock6", .optional = true, .parse = sockets_parse },
};

const struct pf_group pf_group_ip6 = {
	.letters = "h",
	.name = "ip6",
	.what = "what pmlogger records beside: IPv6, ICMPv6, UDP over IPv6 (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.settle = settle,
};

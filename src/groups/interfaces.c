/* groups/interfaces.c - what network interfaces are: addresses, states, speeds. Sources: system calls of netdevice(7), as text that
 * sources/asked.c makes, and /proc/net/if_inet6; metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/scan.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "base/cleanup.h"

enum { MTU, UP, RUNNING, WIRELESS, SPEED, BAUD_RATE, DUPLEX, INET, INET6, INET6_SCOPE, HARDWARE, N_METRICS };

#define INDOM_NET     PF_INDOM(PF_DOMAIN_LINUX, 3)
#define INDOM_ADDRESS PF_INDOM(PF_DOMAIN_LINUX, 17)

#define PER_SECOND(scale)                                                                                              \
	{                                                                                                              \
		.space = 1, .time = -1, .space_scale = (scale), .time_scale = PF_TIME_SEC                              \
	}

/* clang-format off */
#define OF_NET(i, name, item, ...) [i] = { "network.interface." name, PF_PMID(PF_DOMAIN_LINUX, 3, item), INDOM_NET, __VA_ARGS__ }
#define ADDRESS(i, name, item, help) \
	[i] = { "network.interface." name, PF_PMID(PF_DOMAIN_LINUX, 33, item), INDOM_ADDRESS, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, help }
static const struct pf_metric metrics[N_METRICS] = {
	OF_NET(MTU, "mtu", 21, PF_U32, PF_INSTANT, PF_UNITS_BYTE, "largest packet"),
	OF_NET(UP, "up", 25, PF_U32, PF_INSTANT, PF_UNITS_NONE, "1: switched on"),
	OF_NET(RUNNING, "running", 26, PF_U32, PF_INSTANT, PF_UNITS_NONE, "1: there is a link"),
	OF_NET(WIRELESS, "wireless", 28, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "1: wireless"),
	OF_NET(SPEED, "speed", 22, PF_FLOAT, PF_DISCRETE, PER_SECOND(PF_SPACE_MBYTE), "of the link; no value: it does not tell"),
	OF_NET(BAUD_RATE, "baudrate", 23, PF_U64, PF_DISCRETE, PER_SECOND(PF_SPACE_BYTE), "of the link; no value: it does not tell"),
	OF_NET(DUPLEX, "duplex", 24, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "1: half, 2: full"),
	ADDRESS(INET, "inet_addr", 0, "IPv4 address"),
	ADDRESS(INET6, "ipv6_addr", 1, "IPv6 address with the length of its prefix"),
	ADDRESS(INET6_SCOPE, "ipv6_scope", 2, "Global, Link, Host, Site, Compat"),
	ADDRESS(HARDWARE, "hw_addr", 3, "address of the card"),
};
/* clang-format on */

enum { IFF_UP_BIT = 1 << 0, IFF_RUNNING_BIT = 1 << 6 };

#define BYTES_PER_MBIT	125000
#define BYTES_PER_MBYTE (1024.0 * 1024.0)

static int slot_of(struct pf_builder *b, unsigned metric, struct pf_view name)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + metric);
	return dom && name.n > 0 ? pf_builder_instance(b, dom, name, -1) : -1;
}

/* Which interfaces there are another group says, in the same sample; if it is not sampled, they are those of this text. */
static void put_states(struct pf_scan *line, struct pf_builder *b, unsigned slot)
{
	uint64_t flags;
	uint64_t mbit;
	(void)pf_scan_value(line, b, MTU, slot);
	if (pf_scan_u64(line, &flags) == PF_SCAN_OK) {
		pf_builder_u64(b, UP, slot, (flags & IFF_UP_BIT) != 0);
		pf_builder_u64(b, RUNNING, slot, (flags & IFF_RUNNING_BIT) != 0);
	}
	(void)pf_scan_value(line, b, WIRELESS, slot);
	if (pf_scan_u64(line, &mbit) == PF_SCAN_OK && mbit > 0 && mbit < INT32_MAX) {
		pf_builder_u64(b, BAUD_RATE, slot, mbit * BYTES_PER_MBIT);
		pf_builder_double(b, SPEED, slot, (double)(mbit * BYTES_PER_MBIT) / BYTES_PER_MBYTE);
	}
	uint64_t duplex;
	if (pf_scan_u64(line, &duplex) == PF_SCAN_OK && duplex > 0)
		pf_builder_u64(b, DUPLEX, slot, duplex);
}

static void put_address(struct pf_scan *line, struct pf_builder *b, unsigned metric, struct pf_view name)
{
	struct pf_view text = pf_scan_word(line);
	int slot = text.n == 0 || pf_view_is(text, "-") ? -1 : slot_of(b, metric, name);
	if (slot >= 0)
		pf_builder_str(b, metric, (unsigned)slot, text);
}

/* "eth0 MTU FLAGS WIRELESS MBIT DUPLEX 52:54:00:12:34:56 192.0.2.2"; "-" for an address that it has not */
static void asked_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view name = pf_scan_word(&line);
		int slot = slot_of(b, MTU, name);
		if (slot < 0)
			continue;
		put_states(&line, b, (unsigned)slot);
		put_address(&line, b, HARDWARE, name);
		put_address(&line, b, INET, name);
	}
}

static bool take_hex(struct pf_view digits, uint8_t bytes[16])
{
	if (digits.n != 32)
		return false;
	for (unsigned i = 0; i < 32; i++) {
		char c = digits.p[i];
		unsigned v = c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
		if (v > 15)
			return false;
		bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | v);
	}
	return true;
}

static const char *scope_of(struct pf_view word)
{
	static const char *const scopes[][2] = {
		{ "00", "Global" }, { "10", "Host" }, { "20", "Link" }, { "40", "Site" }, { "80", "Compat" }
	};
	for (unsigned i = 0; i < PF_N(scopes); i++) {
		if (pf_view_is(word, scopes[i][0]))
			return scopes[i][1];
	}
	return "Unknown";
}

/* "fe800000... 02 40 20 80 eth0": address, index, length of the prefix, scope, flags, name; numbers in hexadecimal */
static void inet6_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		uint8_t bytes[16] = { 0 };
		char address[INET6_ADDRSTRLEN];
		char full[INET6_ADDRSTRLEN + 8];
		bool good = take_hex(pf_scan_word(&line), bytes);
		(void)pf_scan_word(&line);
		struct pf_view prefix = pf_scan_word(&line);
		const char *scope = scope_of(pf_scan_word(&line));
		(void)pf_scan_word(&line);
		struct pf_view name = pf_scan_word(&line);
		if (!good || prefix.n != 2 || !inet_ntop(AF_INET6, bytes, address, sizeof(address)))
			continue;
		unsigned length = 0;
		for (unsigned i = 0; i < 2; i++)
			length = length << 4 |
				 (unsigned)(prefix.p[i] <= '9' ? prefix.p[i] - '0' : prefix.p[i] - 'a' + 10);
		int n = snprintf(full, sizeof(full), "%s/%u", address, length & 255);
		int slot = slot_of(b, INET6, name);
		if (slot < 0)
			continue;
		pf_builder_str(b, INET6, (unsigned)slot, (struct pf_view){ full, (size_t)n });
		pf_builder_str(b, INET6_SCOPE, (unsigned)slot, pf_view_of(scope));
	}
}

static const struct pf_row rows[] = {
	{ .path = "perfolio/asked/interfaces", .made = true, .tag = "asked-net", .parse = asked_parse },
	{ .path = "proc/net/if_inet6", .tag = "inet6", .optional = true, .parse = inet6_parse },
};

const struct pf_group pf_group_interfaces = {
	.letters = "h",
	.name = "interfaces",
	.what = "what pmlogger records beside: addresses, states, speeds of interfaces (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
};

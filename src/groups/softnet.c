/* groups/softnet.c - packets between the interface cards and the protocols. Source: /proc/net/softnet_stat, kernel net/core/net-procfs.c;
 * metrics: PCP 6.0.3. A line is a CPU that is online, in hexadecimal; its number stands in column 13 since Linux 5.10. */
#include "groups/list.h"
#include "groups/scan.h"

#include <stdio.h>

#include "base/cleanup.h"

enum { PROCESSED, DROPPED, SQUEEZE, COLLISION, RPS, FLOW_LIMIT, N_KINDS, N_METRICS = 2 * N_KINDS };
enum { CPU_COLUMN = 12, N_COLUMNS };

#define ALL(kind, name, help)                                                                                          \
	[kind] = { "network.softnet." name,                                                                            \
		   PF_PMID(PF_DOMAIN_LINUX, 57, kind),                                                                 \
		   PF_INDOM_NONE,                                                                                      \
		   PF_U64,                                                                                             \
		   PF_COUNTER,                                                                                         \
		   PF_UNITS_COUNT,                                                                                     \
		   help }
#define EACH(kind, name, help)                                                                                         \
	[N_KINDS + (kind)] = { "network.softnet.percpu." name,                                                         \
			       PF_PMID(PF_DOMAIN_LINUX, 57, N_KINDS + (kind)),                                         \
			       PF_INDOM_CPU,                                                                           \
			       PF_U64,                                                                                 \
			       PF_COUNTER,                                                                             \
			       PF_UNITS_COUNT,                                                                         \
			       help " by a CPU" }
#define BOTH(kind, name, help) ALL(kind, name, help), EACH(kind, name, help)

static const struct pf_metric metrics[N_METRICS] = {
	BOTH(PROCESSED, "processed", "packets processed"),
	BOTH(DROPPED, "dropped", "packets dropped, since the queue was full"),
	BOTH(SQUEEZE, "time_squeeze", "times that work was left when time was up"),
	BOTH(COLLISION, "cpu_collision", "times that the lock of a device was held by another CPU"),
	BOTH(RPS, "received_rps", "times that another CPU asked for help with packets"),
	BOTH(FLOW_LIMIT, "flow_limit_count", "times that the limit of a flow was reached"),
};

static const unsigned columns[N_KINDS] = {
	[PROCESSED] = 0, [DROPPED] = 1, [SQUEEZE] = 2, [COLLISION] = 8, [RPS] = 9, [FLOW_LIMIT] = 10
};

static bool hexadecimal(struct pf_view word, uint64_t *ret_v)
{
	uint64_t v = 0;
	if (word.n == 0 || word.n > 16)
		return false;
	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];
		unsigned digit = c >= '0' && c <= '9'	? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
							: 16;
		if (digit == 16)
			return false;
		v = v << 4 | digit;
	}
	*ret_v = v;
	return true;
}

/* @number: of the line, which is the CPU's where the kernel does not tell that. */
static void cpu_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom, uint64_t number)
{
	uint64_t values[N_COLUMNS];
	unsigned n = 0;
	char name[24];
	while (n < N_COLUMNS && hexadecimal(pf_scan_word(line), &values[n]))
		n++;
	if (n > CPU_COLUMN)
		number = values[CPU_COLUMN];
	if (n == 0 || number > INT16_MAX)
		return;
	int length = snprintf(name, sizeof(name), "cpu%u", (unsigned)number);
	int slot = pf_builder_instance(b, dom, (struct pf_view){ name, (size_t)length }, (int32_t)number);
	for (unsigned k = 0; k < N_KINDS && slot >= 0; k++) {
		if (columns[k] >= n)
			continue;
		pf_builder_u64(b, N_KINDS + k, (unsigned)slot, values[columns[k]]);
		pf_scan_add(b, k, values[columns[k]]);
	}
}

static void parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + N_KINDS);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	for (uint64_t n = 0; dom && pf_scan_line(&rest, &line); n++)
		cpu_line(&line, b, dom, n);
}

static const struct pf_row rows[] = {
	{ .path = "proc/net/softnet_stat", .tag = "softnet", .parse = parse },
};

const struct pf_group pf_group_softnet = {
	.letters = "h",
	.name = "softnet",
	.what = "what pmlogger records beside: packets between cards and protocols (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
};

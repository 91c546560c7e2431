/* groups/processors.c - what the CPUs of a host are, and their times by node. Sources: /proc/cpuinfo, /sys/devices/system/{cpu,node}, kernel
 * Documentation/ABI/testing/sysfs-devices-system-cpu; metrics: PCP 6.0.3. */
#include "groups/list.h"
#include "groups/numbered.h"
#include "groups/scan.h"

#include <stdio.h>

#include "base/cleanup.h"

enum {
	CLOCK,
	VENDOR,
	MODEL,
	STEPPING,
	CACHE,
	BOGOMIPS,
	NODE_OF,
	MODEL_NAME,
	FLAGS,
	ALIGNMENT,
	CORE_COUNT,
	CORE_TIME,
	PACKAGE_COUNT,
	PACKAGE_TIME,
	TIMES,
	N_TIMES = 11,
	N_METRICS = TIMES + N_TIMES
};

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define CPU		     PF_INDOM_CPU
#define UNITS_MHZ                                                                                                      \
	{                                                                                                              \
		.time = -1, .time_scale = PF_TIME_USEC                                                                 \
	}
#define TIME(i, name, item)                                                                                            \
	[TIMES + (i)] = { "kernel.pernode.cpu." name,                                                                  \
			  LINUX(0, item),                                                                              \
			  PF_INDOM_NODE,                                                                               \
			  PF_U64,                                                                                      \
			  PF_COUNTER,                                                                                  \
			  PF_UNITS_MSEC,                                                                               \
			  "sum of kernel.percpu.cpu." name " of a node" }

/* clang-format off */
static const struct pf_metric metrics[N_METRICS] = {
	[CLOCK] = { "hinv.cpu.clock", LINUX(18, 0), CPU, PF_FLOAT, PF_DISCRETE, UNITS_MHZ, "clock now, MHz" },
	[VENDOR] = { "hinv.cpu.vendor", LINUX(18, 1), CPU, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "maker" },
	[MODEL] = { "hinv.cpu.model", LINUX(18, 2), CPU, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "number of the model" },
	[STEPPING] = { "hinv.cpu.stepping", LINUX(18, 3), CPU, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "revision" },
	[CACHE] = { "hinv.cpu.cache", LINUX(18, 4), CPU, PF_U32, PF_DISCRETE, PF_UNITS_KBYTE, "cache" },
	[BOGOMIPS] = { "hinv.cpu.bogomips", LINUX(18, 5), CPU, PF_FLOAT, PF_DISCRETE, PF_UNITS_NONE, "idle loops per microsecond when booted" },
	[NODE_OF] = { "hinv.map.cpu_node", LINUX(18, 8), CPU, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "node of the CPU" },
	[MODEL_NAME] = { "hinv.cpu.model_name", LINUX(18, 9), CPU, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "name of the model" },
	[FLAGS] = { "hinv.cpu.flags", LINUX(18, 10), CPU, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "what the CPU can do" },
	[ALIGNMENT] = { "hinv.cpu.cache_alignment", LINUX(18, 11), CPU, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "bytes of a cache line" },
	[CORE_COUNT] = { "hinv.cpu.thermal_throttle.core.count", LINUX(55, 2), CPU, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "times that the core was too hot" },
	[CORE_TIME] = { "hinv.cpu.thermal_throttle.core.time", LINUX(55, 3), CPU, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "how long it was" },
	[PACKAGE_COUNT] = { "hinv.cpu.thermal_throttle.package.count", LINUX(55, 4), CPU, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "times that the package was too hot" },
	[PACKAGE_TIME] = { "hinv.cpu.thermal_throttle.package.time", LINUX(55, 5), CPU, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "how long it was, milliseconds" },
	TIME(0, "user", 62), TIME(1, "nice", 63), TIME(2, "sys", 64), TIME(3, "idle", 65), TIME(4, "steal", 67), TIME(5, "guest", 68),
	TIME(6, "wait.total", 69), TIME(7, "irq.soft", 70), TIME(8, "irq.hard", 71), TIME(9, "vuser", 77), TIME(10, "guest_nice", 85),
};
/* clang-format on */

/* Lines of /proc/cpuinfo that become values. */
static const struct {
	struct pf_view key;
	unsigned metric;
} facts[] = {
	{ { "cpu MHz", 7 }, CLOCK },	      { { "vendor_id", 9 }, VENDOR },  { { "model", 5 }, MODEL },
	{ { "stepping", 8 }, STEPPING },      { { "cache size", 10 }, CACHE }, { { "bogomips", 8 }, BOGOMIPS },
	{ { "model name", 10 }, MODEL_NAME }, { { "flags", 5 }, FLAGS },       { { "cache_alignment", 15 }, ALIGNMENT },
};

static void put_fact(struct pf_builder *b, unsigned metric, unsigned slot, struct pf_view value)
{
	double d;
	struct pf_scan rest = { value.p, value.p + value.n };
	switch (metrics[metric].type) {
	case PF_STRING:
		pf_builder_str(b, metric, slot, value);
		break;
	case PF_FLOAT:
		if (pf_view_double(value, &d) == 0)
			pf_builder_double(b, metric, slot, d);
		else
			pf_builder_fail(b);
		break;
	default:
		(void)pf_scan_value(&rest, b, metric, slot); /* "1024 KB" */
	}
}

/* "model name	: AMD EPYC" */
static void fact_line(struct pf_scan *line, struct pf_builder *b, int *slot)
{
	const char *colon = memchr(line->p, ':', (size_t)(line->end - line->p));
	if (!colon)
		return;
	struct pf_view key = { line->p, (size_t)(colon - line->p) };
	while (key.n > 0 && (key.p[key.n - 1] == '\t' || key.p[key.n - 1] == ' '))
		key.n--;
	line->p = colon + 1;
	pf_scan_blanks(line);
	struct pf_view value = { line->p, (size_t)(line->end - line->p) };
	if (pf_view_is(key, "processor")) {
		uint64_t number;
		*slot = pf_view_u64(value, &number) == 0 ? pf_numbered_slot(b, VENDOR, "cpu", number) : -1;
		return;
	}
	for (unsigned i = 0; i < PF_N(facts) && *slot >= 0; i++) {
		if (facts[i].key.n == key.n && memcmp(facts[i].key.p, key.p, key.n) == 0)
			put_fact(b, facts[i].metric, (unsigned)*slot, value);
	}
}

/* Playback hands the lines over one by one: which CPU they are of is kept in the builder. */
static void cpuinfo_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	int slot = (int)b->n_columns - 1;
	while (pf_scan_line(&rest, &line))
		fact_line(&line, b, &slot);
	b->n_columns = (unsigned)(slot + 1);
}

static void cpu_is_of_node(struct pf_builder *b, uint64_t number)
{
	int slot = pf_numbered_slot(b, NODE_OF, "cpu", number);
	if (slot >= 0 && b->owner >= 0)
		pf_builder_u64(b, NODE_OF, (unsigned)slot, (uint64_t)b->owner);
}

static void cpulist_parse(struct pf_view text, struct pf_builder *b)
{
	(void)pf_numbered_each(text, b, cpu_is_of_node);
}

static void throttle(struct pf_view text, struct pf_builder *b, unsigned metric)
{
	struct pf_scan line = { text.p, text.p + text.n };
	struct pf_scan first;
	int slot = b->owner >= 0 ? pf_numbered_slot(b, metric, "cpu", (uint64_t)b->owner) : -1;
	if (slot >= 0 && pf_scan_line(&line, &first))
		(void)pf_scan_value(&first, b, metric, (unsigned)slot);
}

#define THROTTLE(metric)                                                                                               \
	static void metric##_parse(struct pf_view text, struct pf_builder *b)                                          \
	{                                                                                                              \
		throttle(text, b, metric);                                                                             \
	}
THROTTLE(CORE_COUNT)
THROTTLE(CORE_TIME)
THROTTLE(PACKAGE_COUNT)
THROTTLE(PACKAGE_TIME)

/* Times of CPUs belong to another group; where that is not sampled, nodes have none. */
static void settle(struct pf_builder *b)
{
	struct pf_indom *cpus = pf_catalog_domain_of(b->catalog, b->base + NODE_OF);
	for (unsigned t = 0; t < N_TIMES && cpus; t++) {
		const char *name = metrics[TIMES + t].name + sizeof("kernel.pernode.") - 1;
		char of_cpu[64];
		(void)snprintf(of_cpu, sizeof(of_cpu), "kernel.percpu.%s", name);
		int from = pf_catalog_find(b->catalog, pf_view_of(of_cpu));
		for (unsigned slot = 0; from >= 0 && slot < cpus->n; slot++) {
			if (!pf_sample_has(b->sample, (unsigned)from, slot) ||
			    !pf_sample_has(b->sample, b->base + NODE_OF, slot))
				continue;
			int node =
				pf_numbered_slot(b, TIMES, "node", pf_sample_get(b->sample, b->base + NODE_OF, slot).u);
			if (node < 0)
				continue;
			unsigned to = b->base + TIMES + t;
			bool has = pf_sample_has(b->sample, to, (unsigned)node);
			uint64_t sum = has ? pf_sample_get(b->sample, to, (unsigned)node).u : 0;
			pf_builder_u64(b, TIMES + t, (unsigned)node,
				       sum + pf_sample_get(b->sample, (unsigned)from, slot).u);
		}
	}
}

#define OF_EACH_CPU(file)                                                                                              \
	.path = "sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/" file, .once = true, .optional = true

static const struct pf_row rows[] = {
	{ .path = "proc/cpuinfo", .tag = "cpuinfo", .parse = cpuinfo_parse },
	{ .path = "sys/devices/system/node/node[0-9]*/cpulist",
	  .once = true,
	  .optional = true,
	  .parse = cpulist_parse },
	{ OF_EACH_CPU("core_throttle_count"), .parse = CORE_COUNT_parse },
	{ OF_EACH_CPU("core_throttle_total_time_ms"), .parse = CORE_TIME_parse },
	{ OF_EACH_CPU("package_throttle_count"), .parse = PACKAGE_COUNT_parse },
	{ OF_EACH_CPU("package_throttle_total_time_ms"), .parse = PACKAGE_TIME_parse },
};

const struct pf_group pf_group_processors = {
	.letters = "h",
	.name = "processors",
	.what = "what pmlogger records beside: what the CPUs are, their times by node (not in collectl)",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.settle = settle,
};

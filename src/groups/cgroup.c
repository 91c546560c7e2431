/* groups/cgroup.c - control groups, version 2: processors, memory, devices, tasks, pressure of each. Source: kernel
 * Documentation/admin-guide/cgroup-v2.rst; metrics: PCP 6.0.3, and our own where it has none for version 2.
 *
 * A group is known by its path from the top on: "/", "/system.slice/ssh.service". What a group counts includes the groups in it, but for
 * what its own limit did. Limits that are "max" have no value. */
#include "groups/cgroup.h"

#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

/* Longest path kept whole; of a longer one the beginning and a hash. */
enum { PATH_KEPT = 200, HASH_DIGITS = 8, DEVICE_MAX = 24, NAME_SIZE = PATH_KEPT + 2 + DEVICE_MAX };

#define PROC(cluster, item)   PF_PMID(PF_DOMAIN_PROC, cluster, item)
#define GROUPS(cluster, item) PROC(cluster, item), PF_INDOM(PF_DOMAIN_PROC, 16)
#define DEVICES(item)	      PROC(68, item), PF_INDOM(PF_DOMAIN_PROC, 17)
#define MEMORY(item)	      PROC(45, item), PF_INDOM(PF_DOMAIN_PROC, 24)
#define OWN(item)	      PF_PMID_OWN_PROC(item), PF_INDOM(PF_DOMAIN_PROC, 16)

/* clang-format off */
#define USEC { .time = 1, .time_scale = PF_TIME_USEC }
#define TIME PF_U64, PF_COUNTER, USEC
#define COUNT PF_U64, PF_COUNTER, PF_UNITS_COUNT
#define BYTES PF_U64, PF_COUNTER, PF_UNITS_BYTE
#define LEVEL PF_U64, PF_INSTANT, PF_UNITS_BYTE
#define PERCENT PF_FLOAT, PF_INSTANT, PF_UNITS_NONE
/* PCP has the totals of pressure as levels, too. */
#define PRESSURE(m, name, cluster, item, help) \
	[m] = { "cgroup.pressure." name ".avg10sec", GROUPS(cluster, item), PERCENT, "percent of the last 10 seconds in which " help }, \
	[(m) + 1] = { "cgroup.pressure." name ".avg1min", GROUPS(cluster, (item) + 1), PERCENT, "percent of the last minute in which " help }, \
	[(m) + 2] = { "cgroup.pressure." name ".avg5min", GROUPS(cluster, (item) + 2), PERCENT, "percent of the last 5 minutes in which " help }, \
	[(m) + 3] = { "cgroup.pressure." name ".total", GROUPS(cluster, (item) + 3), PF_U64, PF_INSTANT, USEC, "time in which " help }

static const struct pf_metric metrics[CG_METRICS] = {
	[CG_USAGE] = { "cgroup.cpu.stat.usage", GROUPS(67, 2), TIME, "CPU time" },
	[CG_USER] = { "cgroup.cpu.stat.user", GROUPS(67, 0), TIME, "CPU time in user mode" },
	[CG_SYSTEM] = { "cgroup.cpu.stat.system", GROUPS(67, 1), TIME, "CPU time in the kernel" },
	[CG_PERIODS] = { "perfolio.cgroup.cpu.periods", OWN(0), COUNT, "periods in which the group's own quota held" },
	[CG_THROTTLED] = { "perfolio.cgroup.cpu.throttled", OWN(1), COUNT, "periods in which the group's own quota was used up" },
	[CG_THROTTLED_TIME] = { "perfolio.cgroup.cpu.throttled_time", OWN(2), TIME, "time that CPUs waited because the group's own quota was used up" },
	[CG_WEIGHT] = { "perfolio.cgroup.cpu.weight", OWN(3), PF_U64, PF_INSTANT, PF_UNITS_NONE, "share among the groups beside it, 1 to 10000" },
	[CG_QUOTA] = { "perfolio.cgroup.cpu.quota", OWN(4), PF_U64, PF_INSTANT, USEC, "CPU time that each period allows; no value: all" },
	[CG_PERIOD] = { "perfolio.cgroup.cpu.period", OWN(5), PF_U64, PF_INSTANT, USEC, "period of the quota" },
	PRESSURE(CG_CPU_SOME, "cpu.some", 64, 0, "some task waited for a CPU"),
	[CG_CPU_FULL_TOTAL] = { "perfolio.cgroup.pressure.cpu.full.total", OWN(6), PF_U64, PF_INSTANT, USEC, "time in which all tasks waited for a CPU" },
	PRESSURE(CG_MEMORY_SOME, "memory.some", 66, 0, "some task waited for memory"),
	PRESSURE(CG_MEMORY_FULL, "memory.full", 66, 4, "all tasks waited for memory"),
	PRESSURE(CG_IO_SOME, "io.some", 65, 0, "some task waited for a device"),
	PRESSURE(CG_IO_FULL, "io.full", 65, 4, "all tasks waited for a device"),
	[CG_MEMORY] = { "cgroup.memory.current", MEMORY(90), LEVEL, "memory in use" },
	[CG_MEMORY_PEAK] = { "perfolio.cgroup.memory.peak", OWN(7), LEVEL, "most memory in use so far" },
	[CG_MEMORY_MAX] = { "perfolio.cgroup.memory.max", OWN(8), LEVEL, "memory above which tasks are killed; no value: no limit" },
	[CG_MEMORY_HIGH] = { "perfolio.cgroup.memory.high", OWN(9), LEVEL, "memory above which tasks are held up; no value: no limit" },
	[CG_SWAP] = { "perfolio.cgroup.memory.swap", OWN(10), LEVEL, "swap space in use" },
	[CG_EVENT_LOW] = { "perfolio.cgroup.memory.events.low", OWN(11), COUNT, "reclaims although below the low boundary" },
	[CG_EVENT_HIGH] = { "perfolio.cgroup.memory.events.high", OWN(12), COUNT, "tasks held up above the high boundary" },
	[CG_EVENT_MAX] = { "perfolio.cgroup.memory.events.max", OWN(13), COUNT, "attempts to go beyond the limit" },
	[CG_EVENT_OOM] = { "perfolio.cgroup.memory.events.oom", OWN(14), COUNT, "allocations that were about to fail at the limit" },
	[CG_EVENT_OOM_KILL] = { "perfolio.cgroup.memory.events.oom_kill", OWN(15), COUNT, "processes killed for want of memory" },
	[CG_ANON] = { "cgroup.memory.stat.anon", MEMORY(17), LEVEL, "anonymous memory" },
	[CG_FILE] = { "cgroup.memory.stat.file", MEMORY(19), LEVEL, "memory that caches files" },
	[CG_KERNEL] = { "perfolio.cgroup.memory.kernel", OWN(16), LEVEL, "memory of the kernel" },
	[CG_KERNEL_STACK] = { "cgroup.memory.stat.kernel_stack", MEMORY(25), LEVEL, "stacks in the kernel" },
	[CG_SLAB] = { "cgroup.memory.stat.slab", MEMORY(65), LEVEL, "slabs" },
	[CG_SLAB_RECLAIMABLE] = { "cgroup.memory.stat.slab_reclaimable", MEMORY(66), LEVEL, "slabs that can be given back" },
	[CG_SLAB_UNRECLAIMABLE] = { "cgroup.memory.stat.slab_unreclaimable", MEMORY(67), LEVEL, "slabs that cannot" },
	[CG_SOCK] = { "cgroup.memory.stat.sock", MEMORY(68), LEVEL, "buffers of connections" },
	[CG_SHMEM] = { "cgroup.memory.stat.shmem", MEMORY(64), LEVEL, "shared memory" },
	[CG_FILE_MAPPED] = { "cgroup.memory.stat.file_mapped", MEMORY(21), LEVEL, "files that are mapped" },
	[CG_FILE_DIRTY] = { "cgroup.memory.stat.file_dirty", MEMORY(20), LEVEL, "files that are to be written" },
	[CG_FILE_WRITEBACK] = { "cgroup.memory.stat.file_writeback", MEMORY(22), LEVEL, "files that are being written" },
	[CG_ANON_THP] = { "cgroup.memory.stat.anon_thp", MEMORY(18), LEVEL, "anonymous memory in huge pages" },
	[CG_INACTIVE_ANON] = { "cgroup.memory.stat.inactive_anon", MEMORY(10), LEVEL, "anonymous memory, not used of late" },
	[CG_ACTIVE_ANON] = { "cgroup.memory.stat.active_anon", MEMORY(11), LEVEL, "anonymous memory, used of late" },
	[CG_INACTIVE_FILE] = { "cgroup.memory.stat.inactive_file", MEMORY(12), LEVEL, "files, not used of late" },
	[CG_ACTIVE_FILE] = { "cgroup.memory.stat.active_file", MEMORY(13), LEVEL, "files, used of late" },
	[CG_UNEVICTABLE] = { "cgroup.memory.stat.unevictable", MEMORY(14), LEVEL, "memory that cannot be given back" },
	[CG_PGFAULT] = { "cgroup.memory.stat.pgfault", MEMORY(8), COUNT, "page faults" },
	[CG_PGMAJFAULT] = { "cgroup.memory.stat.pgmajfault", MEMORY(9), COUNT, "page faults that had to read" },
	[CG_READ_BYTES] = { "perfolio.cgroup.io.rbytes", OWN(17), BYTES, "bytes read, all devices" },
	[CG_WRITE_BYTES] = { "perfolio.cgroup.io.wbytes", OWN(18), BYTES, "bytes written, all devices" },
	[CG_READS] = { "perfolio.cgroup.io.rios", OWN(19), COUNT, "reads, all devices" },
	[CG_WRITES] = { "perfolio.cgroup.io.wios", OWN(20), COUNT, "writes, all devices" },
	[CG_DEV_READ_BYTES] = { "cgroup.io.stat.rbytes", DEVICES(0), BYTES, "bytes read from a device, by its numbers" },
	[CG_DEV_WRITE_BYTES] = { "cgroup.io.stat.wbytes", DEVICES(1), BYTES, "bytes written to a device" },
	[CG_DEV_READS] = { "cgroup.io.stat.rios", DEVICES(2), COUNT, "reads from a device" },
	[CG_DEV_WRITES] = { "cgroup.io.stat.wios", DEVICES(3), COUNT, "writes to a device" },
	[CG_DEV_DISCARD_BYTES] = { "cgroup.io.stat.dbytes", DEVICES(4), BYTES, "bytes discarded on a device" },
	[CG_DEV_DISCARDS] = { "cgroup.io.stat.dios", DEVICES(5), COUNT, "discards on a device" },
	[CG_PIDS] = { "perfolio.cgroup.pids.current", OWN(21), PF_U64, PF_INSTANT, PF_UNITS_COUNT, "tasks" },
	[CG_PIDS_MAX] = { "perfolio.cgroup.pids.max", OWN(22), PF_U64, PF_INSTANT, PF_UNITS_COUNT, "tasks that there may be; no value: no limit" },
};
/* clang-format on */

/* A name as it is kept: whole, or its beginning with a hash of all of it (FNV-1a). */
static size_t put_name(char room[NAME_SIZE], struct pf_view path)
{
	static const char digits[] = "0123456789abcdef";
	if (path.n <= PATH_KEPT) {
		memcpy(room, path.p, path.n);
		return path.n;
	}
	uint32_t hash = 2166136261U;
	for (size_t i = 0; i < path.n; i++)
		hash = (hash ^ (uint8_t)path.p[i]) * 16777619U;
	size_t n = PATH_KEPT - HASH_DIGITS - 1;
	memcpy(room, path.p, n);
	room[n++] = '~';
	for (unsigned i = 0; i < HASH_DIGITS; i++)
		room[n++] = digits[hash >> (28 - 4 * i) & 15];
	return n;
}

static struct pf_indom *domain_of(const struct pf_builder *b, unsigned metric)
{
	return pf_catalog_domain_of(b->catalog, b->base + metric);
}

/* In playback lines of one group come one by one: the one of the last call is looked at before the next. */
static int slot_named(struct pf_builder *b, struct pf_indom *dom, struct pf_view name)
{
	if (b->line_hint > 0 && b->line_hint <= dom->n) {
		const char *last = dom->instances[b->line_hint - 1].name;
		if (last && strlen(last) == name.n && memcmp(last, name.p, name.n) == 0)
			b->line_hint--;
	}
	return pf_builder_instance(b, dom, name, -1);
}

/* The group's slot in the domain of @metric, or negative. */
static int slot_of(struct pf_builder *b, unsigned metric)
{
	char room[NAME_SIZE];
	struct pf_indom *dom = domain_of(b, metric);
	if (!dom || b->parts[0].n == 0)
		return -1;
	return slot_named(b, dom, (struct pf_view){ room, put_name(room, b->parts[0]) });
}

struct key {
	const char *name;
	uint16_t metric;
};

/* Lines of a key and a number; those that the table lacks are passed over. */
static void keys(struct pf_view text, struct pf_builder *b, const struct key *table, unsigned n)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	const struct pf_indom *dom = NULL;
	int slot = -1;
	unsigned next = 0;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view key = pf_scan_word(&line);
		unsigned i = 0;
		while (i < n && !pf_view_is(key, table[(next + i) % n].name))
			i++;
		if (i == n)
			continue;
		next = (next + i) % n;
		if (domain_of(b, table[next].metric) != dom) {
			dom = domain_of(b, table[next].metric);
			slot = slot_of(b, table[next].metric);
		}
		if (slot < 0)
			return;
		(void)pf_scan_value(&line, b, table[next++].metric, (unsigned)slot);
	}
}

static const struct key cpu_keys[] = {
	{ "usage_usec", CG_USAGE },   { "user_usec", CG_USER },		{ "system_usec", CG_SYSTEM },
	{ "nr_periods", CG_PERIODS }, { "nr_throttled", CG_THROTTLED }, { "throttled_usec", CG_THROTTLED_TIME },
};

static const struct key memory_keys[] = {
	{ "anon", CG_ANON },
	{ "file", CG_FILE },
	{ "kernel", CG_KERNEL },
	{ "kernel_stack", CG_KERNEL_STACK },
	{ "sock", CG_SOCK },
	{ "shmem", CG_SHMEM },
	{ "file_mapped", CG_FILE_MAPPED },
	{ "file_dirty", CG_FILE_DIRTY },
	{ "file_writeback", CG_FILE_WRITEBACK },
	{ "anon_thp", CG_ANON_THP },
	{ "inactive_anon", CG_INACTIVE_ANON },
	{ "active_anon", CG_ACTIVE_ANON },
	{ "inactive_file", CG_INACTIVE_FILE },
	{ "active_file", CG_ACTIVE_FILE },
	{ "unevictable", CG_UNEVICTABLE },
	{ "slab_reclaimable", CG_SLAB_RECLAIMABLE },
	{ "slab_unreclaimable", CG_SLAB_UNRECLAIMABLE },
	{ "slab", CG_SLAB },
	{ "pgfault", CG_PGFAULT },
	{ "pgmajfault", CG_PGMAJFAULT },
};

static const struct key event_keys[] = {
	{ "low", CG_EVENT_LOW }, { "high", CG_EVENT_HIGH },	    { "max", CG_EVENT_MAX },
	{ "oom", CG_EVENT_OOM }, { "oom_kill", CG_EVENT_OOM_KILL },
};

static void cpu_parse(struct pf_view text, struct pf_builder *b)
{
	keys(text, b, cpu_keys, PF_N(cpu_keys));
}

static void memory_parse(struct pf_view text, struct pf_builder *b)
{
	keys(text, b, memory_keys, PF_N(memory_keys));
}

static void events_parse(struct pf_view text, struct pf_builder *b)
{
	keys(text, b, event_keys, PF_N(event_keys));
}

static bool is_one_of(struct pf_view line, const struct key *table, unsigned n)
{
	struct pf_scan s = { line.p, line.p + line.n };
	struct pf_view key = pf_scan_word(&s);
	for (unsigned i = 0; i < n; i++) {
		if (pf_view_is(key, table[i].name))
			return true;
	}
	return false;
}

static bool keep_cpu(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	return is_one_of(*line, cpu_keys, PF_N(cpu_keys));
}

static bool keep_memory(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	return is_one_of(*line, memory_keys, PF_N(memory_keys));
}

static bool keep_events(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	return is_one_of(*line, event_keys, PF_N(event_keys));
}

/* A file of one number, or "max": no value then. */
static void one_value(struct pf_scan *s, struct pf_builder *b, unsigned metric)
{
	struct pf_view word = pf_scan_word(s);
	uint64_t v = 0;
	if (word.n > 0 && word.p[word.n - 1] == '\n')
		word.n--;
	if (word.n == 0 || pf_view_is(word, "max"))
		return;
	int slot = slot_of(b, metric);
	if (slot >= 0 && pf_view_u64(word, &v) == 0)
		pf_builder_u64(b, metric, (unsigned)slot, v);
	else
		pf_builder_fail(b);
}

#define ONE(function, metric)                                                                                          \
	static void function(struct pf_view text, struct pf_builder *b)                                                \
	{                                                                                                              \
		struct pf_scan s = { text.p, text.p + text.n };                                                        \
		one_value(&s, b, metric);                                                                              \
	}

ONE(weight_parse, CG_WEIGHT)
ONE(memory_current_parse, CG_MEMORY)
ONE(memory_peak_parse, CG_MEMORY_PEAK)
ONE(memory_max_parse, CG_MEMORY_MAX)
ONE(memory_high_parse, CG_MEMORY_HIGH)
ONE(swap_parse, CG_SWAP)
ONE(pids_parse, CG_PIDS)
ONE(pids_max_parse, CG_PIDS_MAX)

/* "max 100000": the quota and its period. */
static void quota_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_scan s = { text.p, text.p + text.n };
	one_value(&s, b, CG_QUOTA);
	one_value(&s, b, CG_PERIOD);
}

static const struct {
	struct pf_view key;
	uint16_t device, all; /* CG_METRICS: none */
} counts[] = {
	{ { "rbytes=", 7 }, CG_DEV_READ_BYTES, CG_READ_BYTES },
	{ { "wbytes=", 7 }, CG_DEV_WRITE_BYTES, CG_WRITE_BYTES },
	{ { "rios=", 5 }, CG_DEV_READS, CG_READS },
	{ { "wios=", 5 }, CG_DEV_WRITES, CG_WRITES },
	{ { "dbytes=", 7 }, CG_DEV_DISCARD_BYTES, CG_METRICS },
	{ { "dios=", 5 }, CG_DEV_DISCARDS, CG_METRICS },
};

/* Sums over devices, which may come in one call or in many. */
static void add(struct pf_builder *b, unsigned metric, unsigned slot, uint64_t v)
{
	unsigned m = b->base + metric;
	uint64_t have = pf_sample_has(b->sample, m, slot) ? pf_sample_get(b->sample, m, slot).u : 0;
	pf_builder_u64(b, metric, slot, have + v);
}

/* "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0" */
static void device_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *devices, int group)
{
	char room[NAME_SIZE];
	struct pf_view device = pf_scan_word(line);
	struct pf_view word = pf_scan_word(line);
	if (device.n == 0 || device.n > DEVICE_MAX || !memchr(device.p, ':', device.n) || word.n == 0)
		return;
	size_t n = put_name(room, b->parts[0]);
	room[n] = room[n + 1] = ':';
	memcpy(room + n + 2, device.p, device.n);
	int slot = pf_indom_slot(devices, (struct pf_view){ room, n + 2 + device.n }, UINT32_MAX, -1, b->sample->seq);
	if (slot < 0)
		b->oom = slot;
	for (; slot >= 0 && word.n > 0; word = pf_scan_word(line)) {
		for (unsigned i = 0; i < PF_N(counts); i++) {
			size_t key = counts[i].key.n;
			uint64_t v = 0;
			if (word.n < key || memcmp(word.p, counts[i].key.p, key) != 0)
				continue;
			if (pf_view_u64((struct pf_view){ word.p + key, word.n - key }, &v) < 0) {
				pf_builder_fail(b);
				break;
			}
			pf_builder_u64(b, counts[i].device, (unsigned)slot, v);
			if (counts[i].all != CG_METRICS)
				add(b, counts[i].all, (unsigned)group, v);
			break;
		}
	}
}

static void io_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *devices = domain_of(b, CG_DEV_READS);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	int slot = text.n > 0 ? slot_of(b, CG_READS) : -1;
	while (devices && slot >= 0 && pf_scan_line(&rest, &line))
		device_line(&line, b, devices, slot);
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" */
static void pressure_line(struct pf_scan *line, struct pf_builder *b, unsigned averages, unsigned total)
{
	static const struct pf_view names[] = { { "avg10=", 6 }, { "avg60=", 6 }, { "avg300=", 7 } };
	int slot = slot_of(b, total);
	for (struct pf_view word = pf_scan_word(line); slot >= 0 && word.n > 0; word = pf_scan_word(line)) {
		uint64_t v = 0;
		double average = 0;
		if (pf_view_starts(word, "total=")) {
			if (pf_view_u64((struct pf_view){ word.p + 6, word.n - 6 }, &v) == 0)
				pf_builder_u64(b, total, (unsigned)slot, v);
			else
				pf_builder_fail(b);
		}
		for (unsigned i = 0; averages != CG_METRICS && i < PF_N(names); i++) {
			size_t n = names[i].n;
			if (word.n < n || memcmp(word.p, names[i].p, n) != 0)
				continue;
			if (pf_view_double((struct pf_view){ word.p + n, word.n - n }, &average) == 0)
				pf_builder_double(b, averages + i, (unsigned)slot, average);
			else
				pf_builder_fail(b);
		}
	}
}

static void pressure(struct pf_view text, struct pf_builder *b, unsigned some, unsigned full, unsigned full_total)
{
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		struct pf_view kind = pf_scan_word(&line);
		if (pf_view_is(kind, "some"))
			pressure_line(&line, b, some, some + 3);
		else if (pf_view_is(kind, "full"))
			pressure_line(&line, b, full, full_total);
	}
}

static void cpu_pressure_parse(struct pf_view text, struct pf_builder *b)
{
	pressure(text, b, CG_CPU_SOME, CG_METRICS, CG_CPU_FULL_TOTAL);
}

static void memory_pressure_parse(struct pf_view text, struct pf_builder *b)
{
	pressure(text, b, CG_MEMORY_SOME, CG_MEMORY_FULL, CG_MEMORY_FULL_TOTAL);
}

static void io_pressure_parse(struct pf_view text, struct pf_builder *b)
{
	pressure(text, b, CG_IO_SOME, CG_IO_FULL, CG_IO_FULL_TOTAL);
}

/* Version 2 alone, or beside version 1 in a folder of its own. */
#define OF_EACH(file)                                                                                                  \
	.path = "sys/fs/cgroup/**/" file, .marker = "cgroup.controllers", .instead = "sys/fs/cgroup/unified",          \
	.tag = "cgroup:*", .kind = file
#define MAY(file) OF_EACH(file), .optional = true

static const struct pf_row rows[] = {
	{ OF_EACH("cpu.stat"), .keep = keep_cpu, .parse = cpu_parse },
	{ MAY("cpu.weight"), .parse = weight_parse },
	{ MAY("cpu.max"), .parse = quota_parse },
	{ MAY("cpu.pressure"), .parse = cpu_pressure_parse },
	{ MAY("memory.current"), .parse = memory_current_parse },
	{ MAY("memory.peak"), .parse = memory_peak_parse },
	{ MAY("memory.max"), .parse = memory_max_parse },
	{ MAY("memory.high"), .parse = memory_high_parse },
	{ MAY("memory.swap.current"), .parse = swap_parse },
	{ MAY("memory.events"), .keep = keep_events, .parse = events_parse },
	{ MAY("memory.stat"), .keep = keep_memory, .parse = memory_parse },
	{ MAY("memory.pressure"), .parse = memory_pressure_parse },
	{ MAY("io.stat"), .parse = io_parse },
	{ MAY("io.pressure"), .parse = io_pressure_parse },
	{ MAY("pids.current"), .parse = pids_parse },
	{ MAY("pids.max"), .parse = pids_max_parse },
};

/* What a group has used the group around it has, too: those below the top make up the whole. */
static bool in_summary(const struct pf_judged *j)
{
	return j->filtered || (j->name.n > 1 && !memchr(j->name.p + 1, '/', j->name.n - 1));
}

const struct pf_group pf_group_cgroup = {
	.letters = "gG",
	.name = "cgroups",
	.what = "control groups (version 2): CPU, memory, devices, tasks, pressure of each (not in collectl)",
	.metrics = metrics,
	.n_metrics = CG_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = pf_cgroup_layouts,
	.n_layouts = PF_CGROUP_LAYOUTS,
	.in_summary = in_summary,
};

/* groups/cpu.c - CPU times, interrupts, switches, forks, load. Source: /proc/stat and /proc/loadavg, proc(5); columns: spec
 * collectl-data sections 4 to 6, metrics: PCP 6.0.3.
 *
 * Times are jiffies in the file and milliseconds in the metric. USER_HZ is 100 on all hosts we run on, whatever the kernel's own tick, so
 * one jiffy is 10 ms exactly and nothing is lost: views form ratios of them, or divide by @tick_ms again (-on). */
#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

enum { TICK_MS = 10, USER_HZ = 1000 / TICK_MS };

/* The columns of a cpu line in the file's order, and what is made of them. */
enum {
	USER,
	NICE,
	SYS,
	IDLE,
	WAIT,
	HARD,
	SOFT,
	STEAL,
	GUEST,
	GUEST_NICE,
	N_FIELDS,
	INTR = N_FIELDS,
	VUSER,
	VNICE,
	N_TIMES
};

enum {
	ALL,
	PER = ALL + N_TIMES,
	NCPU = PER + N_TIMES,
	HZ,
	INTERRUPTS,
	SWITCHES,
	FORKS,
	RUNNING,
	BLOCKED,
	BOOTTIME,
	LOAD,
	LASTPID,
	RUNNABLE,
	NPROCS,
	N_METRICS
};

#define LINUX(cluster, item) PF_PMID(PF_DOMAIN_LINUX, cluster, item)
#define INDOM_CPU	     PF_INDOM(PF_DOMAIN_LINUX, 0)
#define INDOM_LOAD	     PF_INDOM(PF_DOMAIN_LINUX, 2)

/* clang-format off */
/* One time, of all CPUs together and of each: its items in cluster 0. */
#define TIME(field, word, all, per, what) \
	[ALL + (field)] = { "kernel.all.cpu." word, LINUX(0, all), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, \
			    "time of all CPUs: " what }, \
	[PER + (field)] = { "kernel.percpu.cpu." word, LINUX(0, per), INDOM_CPU, PF_U64, PF_COUNTER, PF_UNITS_MSEC, \
			    "time of each CPU: " what }

static const struct pf_metric metrics[N_METRICS] = {
	TIME(USER, "user", 20, 0, "user mode, guests included"),
	TIME(NICE, "nice", 21, 1, "user mode at low priority, guests included"),
	TIME(SYS, "sys", 22, 2, "kernel mode"),
	TIME(IDLE, "idle", 23, 3, "idle"),
	TIME(WAIT, "wait.total", 35, 30, "idle while I/O was pending"),
	TIME(HARD, "irq.hard", 54, 57, "hardware interrupts"),
	TIME(SOFT, "irq.soft", 53, 56, "software interrupts"),
	TIME(STEAL, "steal", 55, 58, "taken by the hypervisor"),
	TIME(GUEST, "guest", 60, 61, "running guests"),
	TIME(GUEST_NICE, "guest_nice", 81, 83, "running guests at low priority"),
	TIME(INTR, "intr", 34, 31, "interrupts of both kinds"),
	TIME(VUSER, "vuser", 78, 76, "user mode without guests"),
	TIME(VNICE, "vnice", 82, 84, "user mode at low priority without guests"),
	[NCPU] = { "hinv.ncpu", LINUX(0, 32), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "CPUs that are online" },
	[HZ] = { "kernel.all.hz", LINUX(0, 48), PF_INDOM_NONE, PF_U32, PF_DISCRETE,
		 { .time = -1, .count = 1, .time_scale = PF_TIME_SEC }, "ticks a second of the times in /proc" },
	[INTERRUPTS] = { "kernel.all.intr", LINUX(0, 12), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "interrupts" },
	[SWITCHES] = { "kernel.all.pswitch", LINUX(0, 13), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "context switches" },
	[FORKS] = { "kernel.all.sysfork", LINUX(0, 14), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "processes and threads created" },
	[RUNNING] = { "kernel.all.running", LINUX(0, 15), PF_INDOM_NONE, PF_U64, PF_INSTANT, PF_UNITS_NONE, "tasks that run or could run" },
	[BLOCKED] = { "kernel.all.blocked", LINUX(0, 16), PF_INDOM_NONE, PF_U64, PF_INSTANT, PF_UNITS_NONE, "tasks that wait for I/O" },
	[BOOTTIME] = { "kernel.all.boottime", LINUX(0, 17), PF_INDOM_NONE, PF_S64, PF_DISCRETE, PF_UNITS_SEC, "when the host started, since 1970" },
	[LOAD] = { "kernel.all.load", LINUX(2, 0), INDOM_LOAD, PF_FLOAT, PF_INSTANT, PF_UNITS_NONE, "load average of 1, 5 and 15 minutes" },
	[LASTPID] = { "kernel.all.lastpid", LINUX(2, 1), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_NONE, "number of the newest process" },
	[RUNNABLE] = { "kernel.all.runnable", LINUX(2, 2), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_NONE, "tasks in run queues" },
	[NPROCS] = { "kernel.all.nprocs", LINUX(2, 3), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_NONE, "tasks" },
};
/* clang-format on */

/* The rest of a cpu line behind its name, into @first and following of @slot. */
static void times(struct pf_scan *line, struct pf_builder *b, unsigned first, unsigned slot)
{
	uint64_t t[N_FIELDS] = { 0 };
	unsigned n = 0;
	for (; n < N_FIELDS; n++) {
		enum pf_scan_result rc = pf_scan_u64(line, &t[n]);
		if (rc == PF_SCAN_NONE)
			break;
		if (rc == PF_SCAN_WRONG || t[n] > UINT64_MAX / TICK_MS) {
			pf_builder_fail(b);
			continue;
		}
		t[n] *= TICK_MS;
		pf_builder_u64(b, first + n, slot, t[n]);
	}
	if (n > SOFT)
		pf_builder_u64(b, first + INTR, slot, t[HARD] + t[SOFT]);
	if (n > GUEST)
		pf_builder_u64(b, first + VUSER, slot, t[USER] > t[GUEST] ? t[USER] - t[GUEST] : 0);
	if (n > GUEST_NICE)
		pf_builder_u64(b, first + VNICE, slot, t[NICE] > t[GUEST_NICE] ? t[NICE] - t[GUEST_NICE] : 0);
}

static void cpu_line(struct pf_scan *line, struct pf_builder *b, struct pf_indom *dom)
{
	struct pf_view name = pf_scan_word(line);
	if (name.n == 3) {
		times(line, b, ALL, 0);
		pf_builder_u64(b, HZ, 0, USER_HZ);
		return;
	}

	uint64_t id = 0;
	if (pf_view_u64((struct pf_view){ name.p + 3, name.n - 3 }, &id) < 0 || id > INT16_MAX)
		return;
	int slot = pf_builder_instance(b, dom, name, (int32_t)id);
	if (slot < 0)
		return;
	times(line, b, PER, (unsigned)slot);
	pf_scan_add(b, NCPU, 1);
}

static void stat_parse(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + PER);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	while (pf_scan_line(&rest, &line)) {
		if (line.p == line.end)
			continue;
		switch (*line.p) {
		case 'c':
			if (pf_scan_starts(&line, "cpu") && dom)
				cpu_line(&line, b, dom);
			else if (pf_scan_skip(&line, "ctxt "))
				(void)pf_scan_value(&line, b, SWITCHES, 0);
			break;
		case 'i': /* the first number is the sum of the hundreds behind it */
			if (pf_scan_skip(&line, "intr "))
				(void)pf_scan_value(&line, b, INTERRUPTS, 0);
			break;
		case 'b':
			if (pf_scan_skip(&line, "btime "))
				(void)pf_scan_value(&line, b, BOOTTIME, 0);
			break;
		case 'p':
			if (pf_scan_skip(&line, "processes "))
				(void)pf_scan_value(&line, b, FORKS, 0);
			else if (pf_scan_skip(&line, "procs_running "))
				(void)pf_scan_value(&line, b, RUNNING, 0);
			else if (pf_scan_skip(&line, "procs_blocked "))
				(void)pf_scan_value(&line, b, BLOCKED, 0);
			break;
		default:
			break;
		}
	}
}

/* "0.56 0.53 0.22 2/120 55" */
static void load_parse(struct pf_view text, struct pf_builder *b)
{
	static const struct {
		struct pf_view name;
		int32_t minutes;
	} averages[] = { { { "1 minute", 8 }, 1 }, { { "5 minute", 8 }, 5 }, { { "15 minute", 9 }, 15 } };

	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + LOAD);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	if (!pf_scan_line(&rest, &line) || !dom)
		return;
	for (unsigned i = 0; i < PF_N(averages); i++) {
		double v = 0;
		struct pf_view word = pf_scan_word(&line);
		if (pf_view_double(word, &v) < 0) {
			pf_builder_fail(b);
			continue;
		}
		b->line_hint = i;
		int slot = pf_builder_instance(b, dom, averages[i].name, averages[i].minutes);
		if (slot >= 0)
			pf_builder_double(b, LOAD, (unsigned)slot, v);
	}

	struct pf_view tasks = pf_scan_word(&line);
	const char *slash = tasks.n ? memchr(tasks.p, '/', tasks.n) : NULL;
	uint64_t v = 0;
	if (slash && pf_view_u64((struct pf_view){ tasks.p, (size_t)(slash - tasks.p) }, &v) == 0)
		pf_builder_u64(b, RUNNABLE, 0, v);
	else
		pf_builder_fail(b);
	if (slash && pf_view_u64((struct pf_view){ slash + 1, (size_t)(tasks.p + tasks.n - slash - 1) }, &v) == 0)
		pf_builder_u64(b, NPROCS, 0, v);
	(void)pf_scan_value(&line, b, LASTPID, 0);
}

/* A raw file has neither the boot time nor the softirq line, and of the interrupts only their sum. */
static bool stat_keep(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	if (pf_view_starts(*line, "intr ")) {
		struct pf_scan s = { line->p + 5, line->p + line->n };
		(void)pf_scan_word(&s);
		line->n = (size_t)(s.p - line->p);
		return true;
	}
	return pf_view_starts(*line, "cpu") || pf_view_starts(*line, "ctxt ") || pf_view_starts(*line, "proc");
}

static const char *const stat_words[] = { "cpu*",      "intr",		"ctxt",		 "btime",
					  "processes", "procs_running", "procs_blocked", NULL };

static const struct pf_row rows[] = {
	{ .path = "proc/stat", .tag = "", .words = stat_words, .keep = stat_keep, .parse = stat_parse },
	{ .path = "proc/loadavg", .tag = "load", .parse = load_parse },
};

/* The parts of the whole, of all CPUs or of one. */
#define WHOLE(f) PF_SUM((f) + USER, (f) + NICE, (f) + SYS, (f) + IDLE, (f) + WAIT, (f) + HARD, (f) + SOFT, (f) + STEAL)
/* In two sums: whether they reach 100 or 99.99999999999999 decides what is printed. */
#define BUSY(f)                                                                                                        \
	{                                                                                                              \
		.n = 6, .split = 2, .metric = {                                                                        \
			(f) + USER,                                                                                    \
			(f) + NICE,                                                                                    \
			(f) + SYS,                                                                                     \
			(f) + HARD,                                                                                    \
			(f) + SOFT,                                                                                    \
			(f) + STEAL                                                                                    \
		}                                                                                                      \
	}
#define KERNEL(f)      PF_SUM((f) + SYS, (f) + HARD, (f) + SOFT, (f) + STEAL)
#define ONE(f, time)   PF_SUM((f) + (time))
#define SHARE(f, part) .calc = PF_CALC_SHARE, .num = part, .den = WHOLE(f)

/* The same column from the kernel's sum, or with --cpufilt as the average of the CPUs that stay. */
#define BRIEF_SHARE(part, counted)                                                                                     \
	{ SHARE(ALL, part(ALL)), .width = 3, .after = " ", .totals = counted, .unless = PF_WITH_CPU_FILTER },          \
	{                                                                                                              \
		SHARE(PER, part(PER)), .width = 3, .after = " ", .totals = counted, .when = PF_WITH_CPU_FILTER         \
	}
#define SUM_SHARE(time)                                                                                                \
	{ SHARE(ALL, ONE(ALL, time)), .before = "  ", .width = 4, .unless = PF_WITH_CPU_FILTER },                      \
	{                                                                                                              \
		SHARE(PER, ONE(PER, time)), .before = "  ", .width = 4, .when = PF_WITH_CPU_FILTER                     \
	}
#define PLOT_SHARE(heading, part)                                                                                      \
	{ .name = heading, SHARE(ALL, part(ALL)), .draw = PF_DRAW_PLOT, .unless = PF_WITH_CPU_FILTER },                \
	{                                                                                                              \
		.name = heading, SHARE(PER, part(PER)), .draw = PF_DRAW_PLOT, .when = PF_WITH_CPU_FILTER               \
	}
/* From the group of interrupts, when that is shown as well. */
#define INTERRUPTS_OF_CPU  .calc = PF_CALC_RATE, .other = "perfolio.interrupts.percpu"
#define INTERRUPTS_COUNTED .calc = PF_CALC_DELTA, .other = "perfolio.interrupts.percpu"
#define PART_USER(f)	   ONE(f, USER)
#define PART_NICE(f)	   ONE(f, NICE)
#define PART_SYS(f)	   ONE(f, SYS)
#define PART_WAIT(f)	   ONE(f, WAIT)
#define PART_HARD(f)	   ONE(f, HARD)
#define PART_SOFT(f)	   ONE(f, SOFT)
#define PART_STEAL(f)	   ONE(f, STEAL)
#define PART_IDLE(f)	   ONE(f, IDLE)
#define PART_GUEST(f)	   ONE(f, GUEST)
#define PART_GUEST_NICE(f) ONE(f, GUEST_NICE)

/* clang-format off */
static const struct pf_column brief[] = {
	BRIEF_SHARE(BUSY, 3),
	BRIEF_SHARE(KERNEL, 1),
	{ .calc = PF_CALC_RATE, .num = PF_SUM(INTERRUPTS), .draw = PF_DRAW_CVT, .width = 5 , .after = " " },
	{ .calc = PF_CALC_RATE, .num = PF_SUM(SWITCHES), .draw = PF_DRAW_CVT, .width = 6, .after = " " },
};

static const struct pf_column verbose[] = {
	SUM_SHARE(USER), SUM_SHARE(NICE), SUM_SHARE(SYS), SUM_SHARE(WAIT), SUM_SHARE(HARD),
	SUM_SHARE(SOFT), SUM_SHARE(STEAL), SUM_SHARE(GUEST), SUM_SHARE(GUEST_NICE), SUM_SHARE(IDLE),
	{ .before = "  ", .calc = PF_CALC_COUNT, .num = PF_SUM(PER + USER), .width = 4 },
	{ .before = "  ", .calc = PF_CALC_RATE, .num = PF_SUM(INTERRUPTS), .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = "   ", .calc = PF_CALC_RATE, .num = PF_SUM(SWITCHES), .draw = PF_DRAW_CVT, .width = 4 },
	{ .before = "  ", .calc = PF_CALC_RATE, .num = PF_SUM(FORKS), .width = 4 },
	{ .before = "  ", .calc = PF_CALC_VALUE, .num = PF_SUM(NPROCS), .width = 4 },
	{ .before = "  ", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNABLE), .offset = -1, .width = 4 },
	{ .before = "  ", .calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(1), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 5 },
	{ .before = " ", .calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(5), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 5 },
	{ .before = " ", .calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(15), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 5 },
	{ .before = " ", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNING), .offset = -1, .width = 4 },
	{ .before = " ", .calc = PF_CALC_VALUE, .num = PF_SUM(BLOCKED), .width = 4 },
};

static const struct pf_column detail[] = {
	{ .before = "   ", .calc = PF_CALC_ID, .num = PF_SUM(PER + USER), .width = 4 },
	{ .before = "   ", SHARE(PER, ONE(PER, USER)), .width = 3 },
	{ .before = "  ", SHARE(PER, ONE(PER, NICE)), .width = 3 },
	{ .before = "  ", SHARE(PER, ONE(PER, SYS)), .width = 3 },
	{ .before = "  ", SHARE(PER, ONE(PER, WAIT)), .width = 3 },
	{ .before = "  ", SHARE(PER, ONE(PER, HARD)), .width = 3 },
	{ .before = "  ", SHARE(PER, ONE(PER, SOFT)), .width = 3 },
	{ .before = "   ", SHARE(PER, ONE(PER, STEAL)), .width = 3 },
	{ .before = "   ", SHARE(PER, ONE(PER, GUEST)), .width = 3 },
	{ .before = "   ", SHARE(PER, ONE(PER, GUEST_NICE)), .width = 3 },
	{ .before = "  ", SHARE(PER, ONE(PER, IDLE)), .width = 3, .is_rest = true },
	{ .before = " ", INTERRUPTS_OF_CPU, .width = 6, .when = PF_WITH_INTERRUPTS },
};

static const struct pf_column plot[] = {
	PLOT_SHARE("User%", PART_USER), PLOT_SHARE("Nice%", PART_NICE), PLOT_SHARE("Sys%", PART_SYS), PLOT_SHARE("Wait%", PART_WAIT),
	PLOT_SHARE("Irq%", PART_HARD), PLOT_SHARE("Soft%", PART_SOFT), PLOT_SHARE("Steal%", PART_STEAL), PLOT_SHARE("Idle%", PART_IDLE),
	PLOT_SHARE("Totl%", BUSY), PLOT_SHARE("Guest%", PART_GUEST), PLOT_SHARE("GuestN%", PART_GUEST_NICE),
	{ .name = "Intrpt", .per_second = true, .calc = PF_CALC_RATE, .num = PF_SUM(INTERRUPTS), .draw = PF_DRAW_PLOT },
	{ .name = "Ctx", .per_second = true, .calc = PF_CALC_RATE, .num = PF_SUM(SWITCHES), .draw = PF_DRAW_PLOT },
	{ .name = "Proc", .per_second = true, .calc = PF_CALC_RATE, .num = PF_SUM(FORKS), .draw = PF_DRAW_PLOT },
	{ .name = "ProcQue", .calc = PF_CALC_VALUE, .num = PF_SUM(NPROCS), .draw = PF_DRAW_PLOT },
	{ .name = "ProcRun", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNABLE), .offset = -1, .draw = PF_DRAW_PLOT },
	{ .name = "L-Avg1", .calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(1), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 4 },
	{ .name = "L-Avg5", .calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(5), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 4 },
	{ .name = "L-Avg15", .calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(15), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 4 },
	{ .name = "RunTot", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNING), .offset = -1 },
	{ .name = "BlkTot", .calc = PF_CALC_VALUE, .num = PF_SUM(BLOCKED) },
};

/* collectl 4.3.1 prints interrupts, guest, guest nice below the headings of the last three. */
static const struct pf_column plot_detail[] = {
	{ .name = "User%", SHARE(PER, ONE(PER, USER)), .draw = PF_DRAW_PLOT },
	{ .name = "Nice%", SHARE(PER, ONE(PER, NICE)), .draw = PF_DRAW_PLOT },
	{ .name = "Sys%", SHARE(PER, ONE(PER, SYS)), .draw = PF_DRAW_PLOT },
	{ .name = "Wait%", SHARE(PER, ONE(PER, WAIT)), .draw = PF_DRAW_PLOT },
	{ .name = "Irq%", SHARE(PER, ONE(PER, HARD)), .draw = PF_DRAW_PLOT },
	{ .name = "Soft%", SHARE(PER, ONE(PER, SOFT)), .draw = PF_DRAW_PLOT },
	{ .name = "Steal%", SHARE(PER, ONE(PER, STEAL)), .draw = PF_DRAW_PLOT },
	{ .name = "Idle%", SHARE(PER, ONE(PER, IDLE)), .draw = PF_DRAW_PLOT },
	{ .name = "Totl%", SHARE(PER, BUSY(PER)), .draw = PF_DRAW_PLOT },
	{ .name = "Guest%", INTERRUPTS_OF_CPU, .draw = PF_DRAW_PLOT, .when = PF_AS_PEER },
	{ .name = "GuestN%", SHARE(PER, ONE(PER, GUEST)), .draw = PF_DRAW_PLOT, .when = PF_AS_PEER },
	{ .name = "Intrpt", SHARE(PER, ONE(PER, GUEST_NICE)), .draw = PF_DRAW_PLOT, .when = PF_AS_PEER },
	{ .name = "Guest%", SHARE(PER, ONE(PER, GUEST)), .draw = PF_DRAW_PLOT, .unless = PF_AS_PEER },
	{ .name = "GuestN%", SHARE(PER, ONE(PER, GUEST_NICE)), .draw = PF_DRAW_PLOT, .unless = PF_AS_PEER },
	{ .name = "Intrpt", INTERRUPTS_OF_CPU, .draw = PF_DRAW_PLOT, .when = PF_WITH_INTERRUPTS, .unless = PF_AS_PEER },
};

#define LOAD_OF(minutes) \
	.calc = PF_CALC_VALUE, .num = PF_SUM(LOAD), .instance = PF_ONE(minutes), .draw = PF_DRAW_FIXED, .decimals = 2, .width = 4
#define EXPORT_SHARE(part, ...) \
	{ __VA_ARGS__, .units = "percent", SHARE(ALL, part(ALL)), .unless = PF_WITH_CPU_FILTER }, \
	{ __VA_ARGS__, .units = "percent", SHARE(PER, part(PER)), .when = PF_WITH_CPU_FILTER }
#define PART_BOTH_USER(f)  PF_SUM((f) + USER, (f) + NICE)

static const struct pf_column lexpr[] = {
	{ .name = "cputotals.num", .calc = PF_CALC_COUNT, .num = PF_SUM(PER + USER) },
	EXPORT_SHARE(PART_USER, .name = "cputotals.user"), EXPORT_SHARE(PART_NICE, .name = "cputotals.nice"),
	EXPORT_SHARE(PART_SYS, .name = "cputotals.sys"), EXPORT_SHARE(PART_WAIT, .name = "cputotals.wait"),
	EXPORT_SHARE(PART_HARD, .name = "cputotals.irq"), EXPORT_SHARE(PART_SOFT, .name = "cputotals.soft"),
	EXPORT_SHARE(PART_STEAL, .name = "cputotals.steal"), EXPORT_SHARE(PART_IDLE, .name = "cputotals.idle"),
	EXPORT_SHARE(KERNEL, .name = "cputotals.systot"), EXPORT_SHARE(PART_BOTH_USER, .name = "cputotals.usertot"),
	EXPORT_SHARE(BUSY, .name = "cputotals.total"),
	{ .name = "ctxint.ctx", .calc = PF_CALC_RATE, .num = PF_SUM(SWITCHES) },
	{ .name = "ctxint.int", .calc = PF_CALC_RATE, .num = PF_SUM(INTERRUPTS) },
	{ .name = "proc.creates", .calc = PF_CALC_RATE, .num = PF_SUM(FORKS) },
	{ .name = "proc.runq", .calc = PF_CALC_VALUE, .num = PF_SUM(NPROCS) },
	{ .name = "proc.run", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNABLE), .offset = -1 },
	{ .name = "cpuload.avg1", LOAD_OF(1) }, { .name = "cpuload.avg5", LOAD_OF(5) }, { .name = "cpuload.avg15", LOAD_OF(15) },
};

/* Interrupts of one CPU are counted by -sj and -sJ; without them collectl 4.3.1 says 0. */
static const struct pf_column lexpr_detail[] = {
	{ .name = "cpuinfo.user", SHARE(PER, ONE(PER, USER)) }, { .name = "cpuinfo.nice", SHARE(PER, ONE(PER, NICE)) },
	{ .name = "cpuinfo.sys", SHARE(PER, ONE(PER, SYS)) }, { .name = "cpuinfo.wait", SHARE(PER, ONE(PER, WAIT)) },
	{ .name = "cpuinfo.irq", SHARE(PER, ONE(PER, HARD)) }, { .name = "cpuinfo.soft", SHARE(PER, ONE(PER, SOFT)) },
	{ .name = "cpuinfo.steal", SHARE(PER, ONE(PER, STEAL)) }, { .name = "cpuinfo.idle", SHARE(PER, ONE(PER, IDLE)) },
	{ .name = "cpuinfo.intrpt", .calc = PF_CALC_ZERO, .when = PF_AS_PEER, .unless = PF_WITH_INTERRUPTS },
	{ .name = "cpuinfo.intrpt", INTERRUPTS_COUNTED, .when = PF_WITH_INTERRUPTS | PF_AS_PEER },
	{ .name = "cpuinfo.intrpt", INTERRUPTS_OF_CPU, .when = PF_WITH_INTERRUPTS, .unless = PF_AS_PEER },
	{ .name = "cputotals.systot", SHARE(PER, KERNEL(PER)) },
	{ .name = "cputotals.usertot", SHARE(PER, PART_BOTH_USER(PER)) },
};

static const struct pf_column gexpr[] = {
	EXPORT_SHARE(PART_USER, .name = "cputotals.user"), EXPORT_SHARE(PART_NICE, .name = "cputotals.nice"),
	EXPORT_SHARE(PART_SYS, .name = "cputotals.sys"), EXPORT_SHARE(PART_WAIT, .name = "cputotals.wait"),
	EXPORT_SHARE(PART_IDLE, .name = "cputotals.idle"),
};

static const struct pf_column ganglia[] = {
	EXPORT_SHARE(PART_USER, .name = "cpu_user"), EXPORT_SHARE(PART_NICE, .name = "cpu_nice"),
	EXPORT_SHARE(PART_SYS, .name = "cpu_system"), EXPORT_SHARE(PART_WAIT, .name = "cpu_wio"),
	EXPORT_SHARE(PART_IDLE, .name = "cpu_idle"),
	{ .name = "cpu_num", .units = "CPUs", .calc = PF_CALC_COUNT, .num = PF_SUM(PER + USER) },
	{ .name = "proc_total", .units = "Load/Procs", .calc = PF_CALC_VALUE, .num = PF_SUM(NPROCS) },
	{ .name = "proc_run", .units = "Load/Procs", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNABLE), .offset = -1 },
	{ .name = "load_one", .units = "Load/Procs", LOAD_OF(1) }, { .name = "load_five", .units = "Load/Procs", LOAD_OF(5) },
	{ .name = "load_fifteen", .units = "Load/Procs", LOAD_OF(15) },
};

static const struct pf_column gexpr_rest[] = {
	EXPORT_SHARE(PART_HARD, .name = "cputotals.irq"), EXPORT_SHARE(PART_SOFT, .name = "cputotals.soft"),
	EXPORT_SHARE(PART_STEAL, .name = "cputotals.steal"),
	{ .name = "ctxint.ctx", .units = "switches/sec", .calc = PF_CALC_RATE, .num = PF_SUM(SWITCHES) },
	{ .name = "ctxint.int", .units = "intrpts/sec", .calc = PF_CALC_RATE, .num = PF_SUM(INTERRUPTS) },
	{ .name = "ctxint.proc", .units = "pcreates/sec", .calc = PF_CALC_RATE, .num = PF_SUM(FORKS) },
	{ .name = "ctxint.runq", .units = "runqSize", .calc = PF_CALC_VALUE, .num = PF_SUM(NPROCS) },
};

static const struct pf_column gexpr_load[] = {
	{ .name = "cpuload.avg1", .units = "loadAvg1", LOAD_OF(1) }, { .name = "cpuload.avg5", .units = "loadAvg5", LOAD_OF(5) },
	{ .name = "cpuload.avg15", .units = "loadAvg15", LOAD_OF(15) },
};

/* collectl 4.3.1 misspells idle towards ganglia only. */
static const struct pf_column gexpr_detail[] = {
	{ .name = "cpuinfo.user", .units = "percent", SHARE(PER, ONE(PER, USER)) },
	{ .name = "cpuinfo.nice", .units = "percent", SHARE(PER, ONE(PER, NICE)) },
	{ .name = "cpuinfo.sys", .units = "percent", SHARE(PER, ONE(PER, SYS)) },
	{ .name = "cpuinfo.wait", .units = "percent", SHARE(PER, ONE(PER, WAIT)) },
	{ .name = "cpuinfo.irq", .units = "percent", SHARE(PER, ONE(PER, HARD)) },
	{ .name = "cpuinfo.soft", .units = "percent", SHARE(PER, ONE(PER, SOFT)) },
	{ .name = "cpuinfo.steal", .units = "percent", SHARE(PER, ONE(PER, STEAL)) },
	{ .name = "cpunifo.idle", .units = "percent", SHARE(PER, ONE(PER, IDLE)), .when = PF_AS_PEER, .unless = PF_FOR_GRAPHITE },
	{ .name = "cpuinfo.idle", .units = "percent", SHARE(PER, ONE(PER, IDLE)), .when = PF_AS_PEER | PF_FOR_GRAPHITE },
	{ .name = "cpuinfo.idle", .units = "percent", SHARE(PER, ONE(PER, IDLE)), .unless = PF_AS_PEER },
	{ .name = "cpuinfo.intrpt", .units = "percent", .calc = PF_CALC_ZERO, .when = PF_AS_PEER, .unless = PF_WITH_INTERRUPTS },
	{ .name = "cpuinfo.intrpt", .units = "percent", INTERRUPTS_COUNTED, .when = PF_WITH_INTERRUPTS | PF_AS_PEER },
	{ .name = "cpuinfo.intrpt", .units = "intrpts/sec", INTERRUPTS_OF_CPU, .when = PF_WITH_INTERRUPTS, .unless = PF_AS_PEER },
};

static const struct pf_column vmstat[] = {
	{ .before = " ", .calc = PF_CALC_VALUE, .num = PF_SUM(RUNNING), .offset = -1, .width = 2 },
	{ .before = " ", .calc = PF_CALC_VALUE, .num = PF_SUM(BLOCKED), .width = 2 },
};

static const struct pf_column vmstat_end[] = {
	{ .before = " ", .calc = PF_CALC_RATE, .num = PF_SUM(INTERRUPTS), .width = 4 },
	{ .before = " ", .calc = PF_CALC_RATE, .num = PF_SUM(SWITCHES), .width = 5 },
	{ .before = " ", SHARE(ALL, PART_BOTH_USER(ALL)), .width = 2 },
	{ .before = " ", SHARE(ALL, KERNEL(ALL)), .width = 2 },
	{ .before = " ", SHARE(ALL, ONE(ALL, IDLE)), .width = 3 },
	{ .before = " ", SHARE(ALL, ONE(ALL, WAIT)), .width = 2 },
};

static const struct pf_layout layouts[] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'c', .unless = PF_WITH_HYPER, .head1 = "<--------CPU-------->",
	  .head2 = "cpu sys inter  ctxsw ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_BRIEF, .letter = 'c', .when = PF_WITH_HYPER, .head1 = "<----CPU[HYPER]----->",
	  .head2 = "cpu sys inter  ctxsw ", .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'c', .title = "CPU{h} SUMMARY (INTR, CTXSW & PROC {r}){o}",
	  .head2 = " User  Nice   Sys  Wait   IRQ  Soft Steal Guest NiceG  Idle  CPUs  Intr  Ctxsw  Proc  RunQ   Run   Avg1  Avg5 Avg15 RunT BlkT",
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'C', .unless = PF_WITH_INTERRUPTS, .title = "SINGLE CPU{h} STATISTICS{o}",
	  .head2 = "   Cpu  User Nice  Sys Wait IRQ  Soft Steal Guest NiceG Idle",
	  .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'C', .when = PF_WITH_INTERRUPTS, .title = "SINGLE CPU{h} STATISTICS{o}",
	  .head2 = "   Cpu  User Nice  Sys Wait IRQ  Soft Steal Guest NiceG Idle Intrpt",
	  .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'c', .label = "CPU", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'C', .label = "CPU:", .strip = "cpu", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
	{ .view = PF_VIEW_LEXPR, .letter = 'c', .columns = lexpr, .n_columns = PF_N(lexpr) },
	{ .view = PF_VIEW_LEXPR, .letter = 'C', .columns = lexpr_detail, .n_columns = PF_N(lexpr_detail) },
	{ .view = PF_VIEW_GEXPR, .letter = 'c', .unless = PF_GANGLIA_NAMES, .label = "cpu", .columns = gexpr, .n_columns = PF_N(gexpr) },
	{ .view = PF_VIEW_GEXPR, .letter = 'c', .when = PF_GANGLIA_NAMES, .label = "cpu", .columns = ganglia, .n_columns = PF_N(ganglia) },
	{ .view = PF_VIEW_GEXPR, .letter = 'c', .unless = PF_GANGLIA_ALONE, .label = "cpu", .columns = gexpr_rest, .n_columns = PF_N(gexpr_rest) },
	{ .view = PF_VIEW_GEXPR, .letter = 'c', .unless = PF_GANGLIA_NAMES, .label = "cpu", .columns = gexpr_load, .n_columns = PF_N(gexpr_load) },
	{ .view = PF_VIEW_GEXPR, .letter = 'C', .label = "cpu", .columns = gexpr_detail, .n_columns = PF_N(gexpr_detail) },
	{ .view = PF_VIEW_VMSTAT, .letter = 'c', .columns = vmstat, .n_columns = PF_N(vmstat) },
	{ .view = PF_VIEW_VMSTAT_END, .letter = 'c', .columns = vmstat_end, .n_columns = PF_N(vmstat_end) },
};
/* clang-format on */

static const struct pf_sums sums[] = { { .filtered = true, .all = ALL, .each = PER, .n = N_TIMES } };

const struct pf_group pf_group_cpu = {
	.letters = "cC",
	.name = "cpu",
	.what = "CPU times, interrupts, context switches, new processes, load",
	.metrics = metrics,
	.n_metrics = N_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = layouts,
	.n_layouts = PF_N(layouts),
	.sums = sums,
	.n_sums = PF_N(sums),
	.reset = PF_RESET_WRAP32,
	.tick_ms = TICK_MS,
};

/* groups/cgroup_views.c - columns of control groups. Percent of CPU are of one CPU: 250 is two and a half. */
#include "groups/cgroup.h"

#include "base/cleanup.h"

/* Microseconds of a second as percent. */
#define PERCENT	     1e-4
#define VALUE(m)     .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define MEMORY(m)    .calc = PF_CALC_VALUE, .num = PF_SUM(m), .scale = 1.0 / 1024, .twin = true
#define KB(m)	     .calc = PF_CALC_VALUE, .num = PF_SUM(m), .scale = 1.0 / 1024
#define RATE(m)	     .calc = PF_CALC_RATE, .num = PF_SUM(m)
#define KB_RATE(m)   .calc = PF_CALC_RATE, .num = PF_SUM(m), .scale = 1.0 / 1024
#define CPU(m)	     .calc = PF_CALC_RATE, .num = PF_SUM(m), .scale = PERCENT
#define STALL(m)     .calc = PF_CALC_CHANGE, .num = PF_SUM(m), .scale = PERCENT
#define THROTTLED    CPU(CG_THROTTLED_TIME), .everywhere = true
#define FAULTS	     RATE(CG_PGMAJFAULT), .twin = true
#define CVT(w)	     .draw = PF_DRAW_CVT, .width = w
#define CVT_KB(w)    .draw = PF_DRAW_CVT, .width = w, .div1024 = 1
#define CVT_VM(w)    .draw = PF_DRAW_CVT, .width = w, .unit = 1, .div1024 = 1
#define WHOLE(w)     .draw = PF_DRAW_ROUND, .width = w
#define COUNT_GROUPS .calc = PF_CALC_COUNT, .num = PF_SUM(CG_USAGE)

/* clang-format off */
static const struct pf_column brief[] = {
	{ COUNT_GROUPS, CVT(4), .after = " " },
	{ CPU(CG_USAGE), WHOLE(4), .after = " " },
	{ THROTTLED, WHOLE(4), .after = " " },
	{ MEMORY(CG_MEMORY), CVT_VM(5), .after = " " },
	{ KB_RATE(CG_READ_BYTES), CVT_KB(5), .after = " " },
	{ KB_RATE(CG_WRITE_BYTES), CVT_KB(5), .after = " " },
	{ VALUE(CG_PIDS), CVT(4), .after = " " },
};

static const struct pf_column verbose[] = {
	{ .before = " ", COUNT_GROUPS, .width = 6 },
	{ .before = " ", CPU(CG_USAGE), WHOLE(5) },
	{ .before = " ", CPU(CG_USER), WHOLE(5) },
	{ .before = " ", CPU(CG_SYSTEM), WHOLE(5) },
	{ .before = " ", THROTTLED, WHOLE(5) },
	{ .before = " ", MEMORY(CG_MEMORY), CVT_VM(6) },
	{ .before = " ", MEMORY(CG_ANON), CVT_VM(6) },
	{ .before = " ", MEMORY(CG_FILE), CVT_VM(6) },
	{ .before = " ", KB(CG_SWAP), CVT_VM(6) },
	{ .before = " ", FAULTS, CVT(5) },
	{ .before = " ", RATE(CG_EVENT_OOM_KILL), WHOLE(4) },
	{ .before = " ", KB_RATE(CG_READ_BYTES), CVT_KB(6) },
	{ .before = " ", RATE(CG_READS), CVT(6) },
	{ .before = " ", KB_RATE(CG_WRITE_BYTES), CVT_KB(6) },
	{ .before = " ", RATE(CG_WRITES), CVT(6) },
	{ .before = " ", VALUE(CG_PIDS), CVT(5) },
};

static const struct pf_column detail[] = {
	{ .before = " ", CPU(CG_USAGE), WHOLE(5) },
	{ .before = " ", CPU(CG_USER), WHOLE(5) },
	{ .before = " ", CPU(CG_SYSTEM), WHOLE(5) },
	{ .before = " ", CPU(CG_THROTTLED_TIME), WHOLE(5) },
	{ .before = " ", MEMORY(CG_MEMORY), CVT_VM(6) },
	{ .before = " ", MEMORY(CG_ANON), CVT_VM(6) },
	{ .before = " ", MEMORY(CG_FILE), CVT_VM(6) },
	{ .before = " ", KB(CG_SWAP), CVT_VM(6) },
	{ .before = " ", FAULTS, CVT(5) },
	{ .before = " ", RATE(CG_EVENT_OOM_KILL), WHOLE(4) },
	{ .before = " ", KB_RATE(CG_READ_BYTES), CVT_KB(6) },
	{ .before = " ", RATE(CG_READS), CVT(6) },
	{ .before = " ", KB_RATE(CG_WRITE_BYTES), CVT_KB(6) },
	{ .before = " ", RATE(CG_WRITES), CVT(6) },
	{ .before = " ", VALUE(CG_PIDS), CVT(5) },
	{ .before = " ", STALL(CG_CPU_SOME_TOTAL), WHOLE(3) },
	{ .before = " ", STALL(CG_MEMORY_SOME_TOTAL), WHOLE(3) },
	{ .before = " ", STALL(CG_IO_SOME_TOTAL), WHOLE(3) },
	{ .before = " ", .calc = PF_CALC_NAME, .draw = PF_DRAW_LEFT },
};

#define COLUMNS \
	{ .name = "Cpu%", CPU(CG_USAGE), .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = "User%", CPU(CG_USER), .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = "Sys%", CPU(CG_SYSTEM), .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = "Throttled%", THROTTLED, .draw = PF_DRAW_FIXED, .decimals = 2 }, \
	{ .name = "Mem", MEMORY(CG_MEMORY), .draw = PF_DRAW_ROUND }, \
	{ .name = "Anon", MEMORY(CG_ANON), .draw = PF_DRAW_ROUND }, \
	{ .name = "File", MEMORY(CG_FILE), .draw = PF_DRAW_ROUND }, \
	{ .name = "Swap", KB(CG_SWAP), .draw = PF_DRAW_ROUND }, \
	{ .name = "MajFlt", FAULTS, .draw = PF_DRAW_PLOT }, \
	{ .name = "OomKill", RATE(CG_EVENT_OOM_KILL), .draw = PF_DRAW_PLOT }, \
	{ .name = "ReadKB", KB_RATE(CG_READ_BYTES), .draw = PF_DRAW_PLOT }, \
	{ .name = "Reads", RATE(CG_READS), .draw = PF_DRAW_PLOT }, \
	{ .name = "WriteKB", KB_RATE(CG_WRITE_BYTES), .draw = PF_DRAW_PLOT }, \
	{ .name = "Writes", RATE(CG_WRITES), .draw = PF_DRAW_PLOT }, \
	{ .name = "Tasks", VALUE(CG_PIDS), .draw = PF_DRAW_ROUND }

static const struct pf_column plot[] = { { .name = "Groups", COUNT_GROUPS, .draw = PF_DRAW_ROUND }, COLUMNS };

static const struct pf_column plot_detail[] = {
	COLUMNS,
	{ .name = "CpuStall%", STALL(CG_CPU_SOME_TOTAL), .draw = PF_DRAW_FIXED, .decimals = 2 },
	{ .name = "MemStall%", STALL(CG_MEMORY_SOME_TOTAL), .draw = PF_DRAW_FIXED, .decimals = 2 },
	{ .name = "IoStall%", STALL(CG_IO_SOME_TOTAL), .draw = PF_DRAW_FIXED, .decimals = 2 },
};

#define EXPORTED(group) \
	{ .name = group ".cpu", .units = "percent", CPU(CG_USAGE) }, \
	{ .name = group ".user", .units = "percent", CPU(CG_USER) }, \
	{ .name = group ".sys", .units = "percent", CPU(CG_SYSTEM) }, \
	{ .name = group ".throttled", .units = "percent", THROTTLED }, \
	{ .name = group ".mem", .units = "kb", MEMORY(CG_MEMORY) }, \
	{ .name = group ".swap", .units = "kb", KB(CG_SWAP) }, \
	{ .name = group ".oomkills", .units = "kills/sec", RATE(CG_EVENT_OOM_KILL) }, \
	{ .name = group ".readkbs", .units = "readkbs/sec", KB_RATE(CG_READ_BYTES) }, \
	{ .name = group ".reads", .units = "reads/sec", RATE(CG_READS) }, \
	{ .name = group ".writekbs", .units = "writekbs/sec", KB_RATE(CG_WRITE_BYTES) }, \
	{ .name = group ".writes", .units = "writes/sec", RATE(CG_WRITES) }, \
	{ .name = group ".tasks", .units = "tasks", VALUE(CG_PIDS) }

static const struct pf_column exported[] = { { .name = "cgrouptotals.groups", .units = "groups", COUNT_GROUPS }, EXPORTED("cgrouptotals") };
static const struct pf_column exported_detail[] = { EXPORTED("cgroupinfo") };

#define HEAD1 "<------CPU percent----><----------Memory---------------------><--------------Devices-------->"
#define HEAD2 "  Cpu  User   Sys  Thrt   Used   Anon   File   Swap MajFl  OOM RdKB/s  Reads WrKB/s Writes Tasks"

const struct pf_layout pf_cgroup_layouts[PF_CGROUP_LAYOUTS] = {
	{ .view = PF_VIEW_BRIEF, .letter = 'g', .head1 = "<---------------Cgroups--------------->", .head2 = " Num Cpu% Thr%   Mem   KBR   KBW Task ",
	  .columns = brief, .n_columns = PF_N(brief) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'g', .title = "CGROUP SUMMARY ({r})", .head1 = "       " HEAD1, .head2 = "   Num " HEAD2,
	  .columns = verbose, .n_columns = PF_N(verbose) },
	{ .view = PF_VIEW_VERBOSE, .letter = 'G', .sort = PF_SORT_NAME, .title = "CGROUP STATISTICS ({r})", .head1 = HEAD1 "      <---Stall%-->",
	  .head2 = HEAD2 " Cpu Mem  IO Group", .columns = detail, .n_columns = PF_N(detail) },
	{ .view = PF_VIEW_PLOT, .letter = 'g', .label = "CG", .columns = plot, .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'G', .label = "CG:", .columns = plot_detail, .n_columns = PF_N(plot_detail) },
	{ .view = PF_VIEW_LEXPR, .letter = 'g', .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_LEXPR, .letter = 'G', .columns = exported_detail, .n_columns = PF_N(exported_detail) },
	{ .view = PF_VIEW_GEXPR, .letter = 'g', .unless = PF_GANGLIA_ALONE, .label = "cgroup", .columns = exported, .n_columns = PF_N(exported) },
	{ .view = PF_VIEW_GEXPR, .letter = 'G', .unless = PF_GANGLIA_ALONE, .label = "cgroup", .columns = exported_detail, .n_columns = PF_N(exported_detail) },
};
/* clang-format on */

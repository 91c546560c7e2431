/* groups/process_views.c - columns of processes: spec collectl-data sections 5 and 6. */
#include "groups/process.h"

#include "base/cleanup.h"

#define VALUE(m)     .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define DELTA(...)   .calc = PF_CALC_DELTA, .num = PF_SUM(__VA_ARGS__)
#define RATE(m)	     .calc = PF_CALC_RATE, .num = PF_SUM(m)
#define KB_RATE(m)   .calc = PF_CALC_RATE, .num = PF_SUM(m), .scale = 1.0 / 1024
#define TEXT(m)	     .calc = PF_CALC_TEXT, .num = PF_SUM(m)
#define CVT(w)	     .draw = PF_DRAW_CVT, .width = w
#define CVT_KB(w)    .draw = PF_DRAW_CVT, .width = w, .div1024 = 1
#define CVT_VM(w)    .draw = PF_DRAW_CVT, .width = w, .unit = 1, .div1024 = 1
#define PERCENT(...) .calc = PF_CALC_BUSY, .num = PF_SUM(__VA_ARGS__)
#define COMMAND	     .calc = PF_CALC_COMMAND, .num = PF_SUM(PROC_ARGS, PROC_CMD), .draw = PF_DRAW_LEFT
/* --procopts c adds what children that ended have used. */
#define TIMES(before_system, before_user)                                                                              \
	{ .before = before_system,                                                                                     \
	  DELTA(PROC_STIME),                                                                                           \
	  .draw = PF_DRAW_CENTIS,                                                                                      \
	  .width = 2,                                                                                                  \
	  .unless = PF_WITH_CHILDREN },                                                                                \
		{ .before = before_system,                                                                             \
		  DELTA(PROC_STIME, PROC_CSTIME),                                                                      \
		  .draw = PF_DRAW_CENTIS,                                                                              \
		  .width = 2,                                                                                          \
		  .when = PF_WITH_CHILDREN },                                                                          \
		{ .before = before_user,                                                                               \
		  DELTA(PROC_UTIME),                                                                                   \
		  .draw = PF_DRAW_CENTIS,                                                                              \
		  .width = 2,                                                                                          \
		  .unless = PF_WITH_CHILDREN },                                                                        \
	{                                                                                                              \
		.before = before_user, DELTA(PROC_UTIME, PROC_CUTIME), .draw = PF_DRAW_CENTIS, .width = 2,             \
		.when = PF_WITH_CHILDREN                                                                               \
	}
#define TIMES_PERCENT(...)                                                                                             \
	{ PERCENT(PROC_STIME, PROC_UTIME), .unless = PF_WITH_CHILDREN, __VA_ARGS__ },                                  \
	{                                                                                                              \
		PERCENT(PROC_STIME, PROC_UTIME, PROC_CSTIME, PROC_CUTIME), .when = PF_WITH_CHILDREN, __VA_ARGS__       \
	}
#define USED(...)                                                                                                      \
	{ .calc = PF_CALC_VALUE, .num = PF_SUM(PROC_STIME, PROC_UTIME), .unless = PF_WITH_CHILDREN, __VA_ARGS__ },     \
	{                                                                                                              \
		.calc = PF_CALC_VALUE, .num = PF_SUM(PROC_STIME, PROC_UTIME, PROC_CSTIME, PROC_CUTIME),                \
		.when = PF_WITH_CHILDREN, __VA_ARGS__                                                                  \
	}
#define FAULTS                                                                                                         \
	{ .before = " ", RATE(PROC_MAJFLT), CVT(4), .unless = PF_WITH_FAULTS },                                        \
		{ .before = " ", VALUE(PROC_MAJFLT), CVT(4), .when = PF_WITH_FAULTS },                                 \
		{ .before = " ", RATE(PROC_MINFLT), CVT(4), .unless = PF_WITH_FAULTS },                                \
	{                                                                                                              \
		.before = " ", VALUE(PROC_MINFLT), CVT(4), .when = PF_WITH_FAULTS                                      \
	}
#define WHO                                                                                                            \
	{ VALUE(PROC_PID), .width = 5 },                                                                               \
		{ .calc = PF_CALC_THREAD, .num = PF_SUM(PROC_TGID, PROC_PID), .draw = PF_DRAW_LEFT, .after = " " },    \
	{                                                                                                              \
		.calc = PF_CALC_USER, .num = PF_SUM(PROC_UID), .draw = PF_DRAW_LEFT, .width = PF_WIDTH_USER            \
	}
/* The process of a thread, else the parent. */
#define PARENT .calc = PF_CALC_PARENT, .num = PF_SUM(PROC_TGID, PROC_PID, PROC_PPID)
#define STATE  TEXT(PROC_STATE), .draw = PF_DRAW_RIGHT, .width = 1, .hides = 's'

/* clang-format off */
static const struct pf_column plain[] = {
	WHO,
	{ .before = " ", VALUE(PROC_PRIORITY), .draw = PF_DRAW_PRIORITY, .width = 2, .unless = PF_WITH_PRIORITY },
	{ .before = " ", VALUE(PROC_PRIORITY), .width = 4, .when = PF_WITH_PRIORITY },
	{ .before = " ", PARENT, .width = 5 },
	{ .before = " ", VALUE(PROC_THREADS), .width = 4, .offset = -1 },
	{ .before = " ", STATE },
	{ .before = " ", VALUE(PROC_VM_SIZE), CVT_VM(4), .fill = 5 },
	{ .before = " ", VALUE(PROC_VM_RSS), CVT_VM(4), .fill = 5 },
	{ .before = " ", VALUE(PROC_CPU), .width = 2 },
	TIMES(" ", " "),
	TIMES_PERCENT(.before = " ", .width = 3),
	USED(.before = " ", .draw = PF_DRAW_CLOCK),
	{ .before = " ", VALUE(PROC_START), .draw = PF_DRAW_SINCE_BOOT, .when = PF_WITH_START },
	{ .before = " ", VALUE(PROC_START), .draw = PF_DRAW_DAY_SINCE_BOOT, .when = PF_WITH_START_DAY },
	{ .before = " ", KB_RATE(PROC_READ_BYTES), CVT_KB(4) },
	{ .before = " ", KB_RATE(PROC_WRITE_BYTES), CVT_KB(4) },
	{ .before = " ", RATE(PROC_VOLUNTARY), CVT(4), .when = PF_WITH_SWITCHES },
	{ .before = " ", RATE(PROC_INVOLUNTARY), CVT(4), .when = PF_WITH_SWITCHES },
	FAULTS,
	{ .before = " ", COMMAND },
};

static const struct pf_column io[] = {
	WHO,
	{ .before = " ", PARENT, .width = 5 },
	{ .before = " ", STATE },
	TIMES(" ", " "),
	TIMES_PERCENT(.before = " ", .width = 3),
	USED(.before = " ", .draw = PF_DRAW_CLOCK),
	{ .before = " ", KB_RATE(PROC_READ_BYTES), CVT_KB(5) },
	{ .before = " ", KB_RATE(PROC_WRITE_BYTES), CVT_KB(5) },
	{ .before = " ", KB_RATE(PROC_RCHAR), CVT_KB(5) },
	{ .before = " ", KB_RATE(PROC_WCHAR), CVT_KB(5) },
	{ .before = " ", RATE(PROC_READS), CVT_KB(5) },
	{ .before = " ", RATE(PROC_WRITES), CVT_KB(5) },
	{ .before = " ", KB_RATE(PROC_CANCELLED), CVT_KB(5) },
	{ .before = " ", COMMAND },
};

static const struct pf_column memory[] = {
	WHO,
	{ .before = " ", STATE },
	{ .before = " ", VALUE(PROC_VM_SIZE), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_LOCK), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_RSS), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_DATA), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_STACK), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_EXE), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_LIB), CVT_VM(6) },
	{ .before = " ", VALUE(PROC_VM_SWAP), CVT_VM(6) },
	FAULTS,
	{ .before = " ", COMMAND },
};

static const struct pf_column plot[] = {
	{ .name = "PID", VALUE(PROC_PID) },
	{ .name = "User", .calc = PF_CALC_USER, .num = PF_SUM(PROC_UID), .draw = PF_DRAW_LEFT, .width = PF_WIDTH_USER },
	{ .name = "PR", VALUE(PROC_PRIORITY), .draw = PF_DRAW_PRIORITY },
	{ .name = "PPID", VALUE(PROC_PPID) },
	{ .name = "THRD", VALUE(PROC_THREADS), .offset = -1 },
	{ .name = "S", TEXT(PROC_STATE), .draw = PF_DRAW_LEFT, .hides = 's' },
	{ .name = "VmSize", VALUE(PROC_VM_SIZE) },
	{ .name = "VmLck", VALUE(PROC_VM_LOCK) },
	{ .name = "VmRSS", VALUE(PROC_VM_RSS) },
	{ .name = "VmData", VALUE(PROC_VM_DATA) },
	{ .name = "VmStk", VALUE(PROC_VM_STACK) },
	{ .name = "VmExe", VALUE(PROC_VM_EXE) },
	{ .name = "VmLib", VALUE(PROC_VM_LIB) },
	{ .name = "CPU", VALUE(PROC_CPU) },
	{ .name = "SysT", DELTA(PROC_STIME), .draw = PF_DRAW_CENTIS, .unless = PF_WITH_CHILDREN },
	{ .name = "SysT", DELTA(PROC_STIME, PROC_CSTIME), .draw = PF_DRAW_CENTIS, .when = PF_WITH_CHILDREN },
	{ .name = "UsrT", DELTA(PROC_UTIME), .draw = PF_DRAW_CENTIS, .unless = PF_WITH_CHILDREN },
	{ .name = "UsrT", DELTA(PROC_UTIME, PROC_CUTIME), .draw = PF_DRAW_CENTIS, .when = PF_WITH_CHILDREN },
	{ .name = "PCT", .calc = PF_CALC_RATE, .num = PF_SUM(PROC_STIME, PROC_UTIME), .scale = 0.1, .unless = PF_WITH_CHILDREN },
	{ .name = "PCT", .calc = PF_CALC_RATE, .num = PF_SUM(PROC_STIME, PROC_UTIME, PROC_CSTIME, PROC_CUTIME), .scale = 0.1,
	  .when = PF_WITH_CHILDREN },
	USED(.name = "AccumT", .draw = PF_DRAW_HOURS),
	{ .name = "RKB", KB_RATE(PROC_READ_BYTES) },
	{ .name = "WKB", KB_RATE(PROC_WRITE_BYTES) },
	{ .name = "RKBC", KB_RATE(PROC_RCHAR) },
	{ .name = "WKBC", KB_RATE(PROC_WCHAR) },
	{ .name = "RSYS", RATE(PROC_READS) },
	{ .name = "WSYS", RATE(PROC_WRITES) },
	{ .name = "CNCL", KB_RATE(PROC_CANCELLED) },
	{ .name = "MajF", RATE(PROC_MAJFLT), CVT(4), .unless = PF_WITH_FAULTS },
	{ .name = "MajF", VALUE(PROC_MAJFLT), CVT(4), .when = PF_WITH_FAULTS },
	{ .name = "MinF", RATE(PROC_MINFLT), CVT(4), .unless = PF_WITH_FAULTS },
	{ .name = "MinF", VALUE(PROC_MINFLT), CVT(4), .when = PF_WITH_FAULTS },
	{ .name = "Command", COMMAND },
};

#define LEAST_AND_MOST(word, m) { .name = word "Min", VALUE(m), .fold = PF_OVER_LEAST }, { .name = word "Max", VALUE(m), .fold = PF_OVER_MOST }
#define SUM_OF(word, ...)	{ .name = word, DELTA(__VA_ARGS__), .fold = PF_OVER_SUM }
#define SUM_OF_KB(word, m)	{ .name = word, DELTA(m), .scale = 1.0 / 1024, .fold = PF_OVER_SUM }

static const struct pf_column analysis[] = {
	{ .name = "Pid", VALUE(PROC_PID) },
	{ .name = "User", .calc = PF_CALC_USER, .num = PF_SUM(PROC_UID), .draw = PF_DRAW_LEFT, .fold = PF_OVER_TEXT },
	{ .name = "PPid", VALUE(PROC_PPID) },
	{ .name = "ExeSize", VALUE(PROC_VM_EXE) },
	LEAST_AND_MOST("Size", PROC_VM_SIZE),
	LEAST_AND_MOST("Lck", PROC_VM_LOCK),
	LEAST_AND_MOST("RSS", PROC_VM_RSS),
	LEAST_AND_MOST("Data", PROC_VM_DATA),
	LEAST_AND_MOST("Stk", PROC_VM_STACK),
	LEAST_AND_MOST("Lib", PROC_VM_LIB),
	{ .name = "sysT", DELTA(PROC_STIME), .draw = PF_DRAW_HOURS, .fold = PF_OVER_SUM },
	{ .name = "usrT", DELTA(PROC_UTIME), .draw = PF_DRAW_HOURS, .fold = PF_OVER_SUM },
	{ .name = "PCT", DELTA(PROC_STIME, PROC_UTIME), .draw = PF_DRAW_FIXED, .width = 6, .decimals = 2, .fold = PF_OVER_PERCENT },
	{ .name = "accumT", .calc = PF_CALC_VALUE, .num = PF_SUM(PROC_STIME, PROC_UTIME), .draw = PF_DRAW_HOURS, .fold = PF_OVER_USED },
	SUM_OF_KB("RKB", PROC_READ_BYTES),
	SUM_OF_KB("WKB", PROC_WRITE_BYTES),
	SUM_OF_KB("RKBC", PROC_RCHAR),
	SUM_OF_KB("WKBC", PROC_WCHAR),
	SUM_OF("RSYS", PROC_READS),
	SUM_OF("WSYS", PROC_WRITES),
	SUM_OF_KB("CNCL", PROC_CANCELLED),
	{ .name = "threadsMin", VALUE(PROC_THREADS), .offset = -1, .fold = PF_OVER_LEAST },
	{ .name = "threadsMax", VALUE(PROC_THREADS), .offset = -1, .fold = PF_OVER_MOST },
	SUM_OF("majF", PROC_MAJFLT),
	SUM_OF("minF", PROC_MINFLT),
	{ .name = "Command", COMMAND, .fold = PF_OVER_TEXT },
};

#define VERBOSE .view = PF_VIEW_VERBOSE, .letter = 'Z', .sort = PF_SORT_PADDED, .each = true, .title = "{T}{t} (counters are {F})"

const struct pf_layout pf_process_layouts[PF_PROCESS_LAYOUTS] = {
	{ VERBOSE, .unless = PF_WITH_IO | PF_WITH_MEMORY,
	  .head2 = " PID  User    {u} {R}  PPID THRD S   VSZ   RSS CP  SysT  UsrT Pct  AccuTime {S} RKB  WKB {x}MajF MinF Command",
	  .columns = plain, .n_columns = PF_N(plain) },
	{ VERBOSE, .when = PF_WITH_IO,
	  .head2 = " PID  User    {u}  PPID S  SysT  UsrT Pct  AccuTime   RKB   WKB  RKBC  WKBC  RSys  WSys  Cncl Command",
	  .columns = io, .n_columns = PF_N(io) },
	{ VERBOSE, .when = PF_WITH_MEMORY,
	  .head2 = " PID  User    {u} S VmSize  VmLck  VmRSS VmData  VmStk  VmExe  VmLib  VmSwp MajF MinF Command",
	  .columns = memory, .n_columns = PF_N(memory) },
	{ .view = PF_VIEW_ANALYSIS, .letter = 'Z', .file = "prcs", .sort = PF_SORT_ID, .columns = analysis, .n_columns = PF_N(analysis) },
	{ .view = PF_VIEW_PLOT, .letter = 'Z', .unless = PF_AS_PEER, .sort = PF_SORT_ID, .each = true, .columns = plot,
	  .n_columns = PF_N(plot) },
	{ .view = PF_VIEW_PLOT, .letter = 'Z', .when = PF_AS_PEER, .sort = PF_SORT_DIGITS, .each = true, .columns = plot,
	  .n_columns = PF_N(plot) },
};
/* clang-format on */

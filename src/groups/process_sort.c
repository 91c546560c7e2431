/* groups/process_sort.c - what processes can be ordered by: spec collectl-cli section 10. Times are in hundredths of a second. */
#include "groups/process.h"

#include <stddef.h>

/* clang-format off */
#define VALUE(m)    .calc = PF_CALC_VALUE, .num = PF_SUM(m)
#define RATE(...)   .calc = PF_CALC_RATE, .num = PF_SUM(__VA_ARGS__)
#define KB(...)	    .calc = PF_CALC_RATE, .num = PF_SUM(__VA_ARGS__), .scale = 1.0 / 1024
#define DELTA(m)   .calc = PF_CALC_DELTA, .num = PF_SUM(m)
#define TICKS(...)  .calc = PF_CALC_DELTA, .num = PF_SUM(__VA_ARGS__), .scale = 0.1
#define USED(...)   .calc = PF_CALC_VALUE, .num = PF_SUM(__VA_ARGS__), .scale = 0.1
#define ALONE	    .unless = PF_WITH_CHILDREN
#define CHILDREN    .when = PF_WITH_CHILDREN
#define FAULTS(...) { .calc = PF_CALC_DELTA, .num = PF_SUM(__VA_ARGS__), .unless = PF_WITH_FAULTS }
#define ALL_FAULTS(...) { .calc = PF_CALC_VALUE, .num = PF_SUM(__VA_ARGS__), .when = PF_WITH_FAULTS }

const struct pf_sort_key pf_process_sort[PF_PROCESS_SORT] = {
	{ .name = "vsz", .heading = "Memory", .what = "virtual memory", .column = { VALUE(PROC_VM_SIZE) } },
	{ .name = "rss", .heading = "Memory", .what = "resident memory", .column = { VALUE(PROC_VM_RSS) } },
	{ .name = "syst", .heading = "Time", .what = "system time", .column = { TICKS(PROC_STIME), ALONE } },
	{ .name = "syst", .heading = "Time", .what = NULL, .column = { TICKS(PROC_STIME, PROC_CSTIME), CHILDREN } },
	{ .name = "usrt", .heading = "Time", .what = "user time", .column = { TICKS(PROC_UTIME), ALONE } },
	{ .name = "usrt", .heading = "Time", .what = NULL, .column = { TICKS(PROC_UTIME, PROC_CUTIME), CHILDREN } },
	{ .name = "time", .heading = "Time", .what = "system and user time", .column = { TICKS(PROC_STIME, PROC_UTIME), ALONE } },
	{ .name = "time", .heading = "Time", .what = NULL, .column = { TICKS(PROC_STIME, PROC_UTIME, PROC_CSTIME, PROC_CUTIME), CHILDREN } },
	{ .name = "accum", .heading = "Time", .what = "time since the start", .column = { USED(PROC_STIME, PROC_UTIME), ALONE } },
	{ .name = "accum", .heading = "Time", .what = NULL, .column = { USED(PROC_STIME, PROC_UTIME, PROC_CSTIME, PROC_CUTIME), CHILDREN } },
	{ .name = "rkb", .heading = "I/O", .what = "KB read", .column = { KB(PROC_READ_BYTES) } },
	{ .name = "wkb", .heading = "I/O", .what = "KB written", .column = { KB(PROC_WRITE_BYTES) } },
	{ .name = "iokb", .heading = "I/O", .what = "KB read and written", .column = { KB(PROC_READ_BYTES, PROC_WRITE_BYTES) } },
	{ .name = "rkbc", .heading = "I/O", .what = "KB read by calls", .column = { KB(PROC_RCHAR) }, .peer_ignores = true },
	{ .name = "wkbc", .heading = "I/O", .what = "KB written by calls", .column = { KB(PROC_WCHAR) } },
	{ .name = "iokbc", .heading = "I/O", .what = "KB read and written by calls", .column = { KB(PROC_RCHAR, PROC_WCHAR) } },
	{ .name = "ioall", .heading = "I/O", .what = "iokb and iokbc", .column = { KB(PROC_READ_BYTES, PROC_WRITE_BYTES, PROC_RCHAR, PROC_WCHAR) } },
	{ .name = "rsys", .heading = "I/O", .what = "calls that read", .column = { RATE(PROC_READS) } },
	{ .name = "wsys", .heading = "I/O", .what = "calls that write", .column = { RATE(PROC_WRITES) } },
	{ .name = "iosys", .heading = "I/O", .what = "calls that read or write", .column = { RATE(PROC_READS, PROC_WRITES) } },
	{ .name = "iocncl", .heading = "I/O", .what = "KB that were never written", .column = { KB(PROC_CANCELLED) } },
	{ .name = "majf", .heading = "Page faults", .what = "major faults", .column = FAULTS(PROC_MAJFLT), .peer_ignores = true },
	{ .name = "majf", .heading = "Page faults", .what = NULL, .column = ALL_FAULTS(PROC_MAJFLT), .peer_ignores = true },
	{ .name = "minf", .heading = "Page faults", .what = "minor faults", .column = FAULTS(PROC_MINFLT) },
	{ .name = "minf", .heading = "Page faults", .what = NULL, .column = ALL_FAULTS(PROC_MINFLT) },
	{ .name = "flt", .heading = "Page faults", .what = "all faults", .column = FAULTS(PROC_MAJFLT, PROC_MINFLT) },
	{ .name = "flt", .heading = "Page faults", .what = NULL, .column = ALL_FAULTS(PROC_MAJFLT, PROC_MINFLT) },
	{ .name = "vctx", .heading = "Context switches", .what = "to wait", .column = { DELTA(PROC_VOLUNTARY) }, .shows = PF_WITH_SWITCHES },
	{ .name = "nctx", .heading = "Context switches", .what = "by others", .column = { DELTA(PROC_INVOLUNTARY) }, .shows = PF_WITH_SWITCHES },
	{ .name = "cpu", .heading = "Others", .what = "number of the CPU, ascending", .column = { VALUE(PROC_CPU) }, .ascending = true },
	{ .name = "pid", .heading = "Others", .what = "number of the process, ascending", .column = { VALUE(PROC_PID) }, .ascending = true },
	{ .name = "thread", .heading = "Others", .what = "threads", .column = { VALUE(PROC_THREADS) } },
};
/* clang-format on */

/* groups/process.h - numbers of the metrics of processes, shared by what parses them and what shows them. */
#ifndef PF_GROUPS_PROCESS_H
#define PF_GROUPS_PROCESS_H

#include "model/layout.h"

/* Layouts of processes. */
enum { PF_PROCESS_LAYOUTS = 6 };

/* What they can be ordered by; what --procopts changes has two rows. */
enum { PF_PROCESS_SORT = 32 };

enum {
	PROC_PID,
	PROC_CMD,
	PROC_STATE,
	PROC_PPID,
	PROC_MINFLT,
	PROC_CMINFLT,
	PROC_MAJFLT,
	PROC_CMAJFLT,
	PROC_UTIME,
	PROC_STIME,
	PROC_CUTIME,
	PROC_CSTIME,
	PROC_PRIORITY,
	PROC_NICE,
	PROC_START,
	PROC_VSIZE,
	PROC_RSS,
	PROC_CPU,
	PROC_ARGS,
	PROC_THREADS,
	PROC_TGID,
	PROC_UID,
	PROC_VM_PEAK,
	PROC_VM_SIZE,
	PROC_VM_LOCK,
	PROC_VM_PIN,
	PROC_VM_HWM,
	PROC_VM_RSS,
	PROC_VM_DATA,
	PROC_VM_STACK,
	PROC_VM_EXE,
	PROC_VM_LIB,
	PROC_VM_PTE,
	PROC_VM_SWAP,
	PROC_VOLUNTARY,
	PROC_INVOLUNTARY,
	PROC_RCHAR,
	PROC_WCHAR,
	PROC_READS,
	PROC_WRITES,
	PROC_READ_BYTES,
	PROC_WRITE_BYTES,
	PROC_CANCELLED,
	PROC_METRICS
};

extern const struct pf_layout pf_process_layouts[PF_PROCESS_LAYOUTS];
extern const struct pf_sort_key pf_process_sort[PF_PROCESS_SORT];

#endif

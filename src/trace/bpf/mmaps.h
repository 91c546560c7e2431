/* bpf/mmaps.h - the kernel tells of processes that fork, become other programs and map code, system-wide, through perf events. */
#ifndef PF_TRACE_BPF_MMAPS_H
#define PF_TRACE_BPF_MMAPS_H

#include <stdint.h>

struct pf_mmaps;

enum pf_mmap_kind { PF_MMAP_FORK, PF_MMAP_EXEC, PF_MMAP_CODE };

/* One thing told. @time_ns: monotonic clock. @parent: of FORK; the rest: of CODE. */
struct pf_mmap {
	enum pf_mmap_kind kind;
	int pid, parent;
	uint64_t time_ns, from, size, offset, device, inode;
	const char *path;
};

/* pf_mmaps_open() - begin to listen. Return: 0 or negative errno (-EACCES: no right to). */
int pf_mmaps_open(struct pf_mmaps **ret_mmaps);
struct pf_mmaps *pf_mmaps_close(struct pf_mmaps *m);

/* pf_mmaps_read() - everything told since the last call, by processor; per process it is in order of time. */
void pf_mmaps_read(struct pf_mmaps *m, void (*fn)(void *arg, const struct pf_mmap *told), void *arg);

#endif

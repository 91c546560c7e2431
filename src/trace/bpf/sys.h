/* bpf/sys.h - bpf(2) and perf_event_open(2), with what this program needs of them. Everything returns a negative errno on failure;
 * descriptors are close-on-exec from birth. */
#ifndef PF_TRACE_BPF_SYS_H
#define PF_TRACE_BPF_SYS_H

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

int pf_bpf_map_new(enum bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t max_entries,
		   uint32_t flags);
int pf_bpf_map_get(int fd, const void *key, void *value);
int pf_bpf_map_set(int fd, const void *key, const void *value);
int pf_bpf_map_delete(int fd, const void *key);
int pf_bpf_map_freeze(int fd);

/* pf_bpf_map_next() - the key behind @key (NULL: the first). -ENOENT: there is none. */
int pf_bpf_map_next(int fd, const void *key, void *ret_next);

/* pf_bpf_load() - load a program. @log: where the verifier writes, with @log_size; NULL and 0: no log, which is faster. */
int pf_bpf_load(enum bpf_prog_type type, const struct bpf_insn *insns, size_t n, char *log, uint32_t log_size);

/* pf_bpf_fire() - run a raw tracepoint program once, here and now, in this thread. @args: the twelve arguments it sees. */
int pf_bpf_fire(int prog, const uint64_t args[12]);

int pf_bpf_raw_tracepoint(int prog, const char *name);
int pf_perf_open(struct perf_event_attr *attr, int pid, int cpu);

/* pf_perf_attach() - let @prog run at each overflow of @event, and switch the event on. */
int pf_perf_attach(int event, int prog);

/* pf_bpf_cpus() - possible CPUs: how many slots a value of a per-CPU map has. */
unsigned pf_bpf_cpus(void);

#endif

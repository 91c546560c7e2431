/* bpf/btf.h - types of the running kernel, from /sys/kernel/btf/vmlinux; read when first asked for. Source: Documentation/bpf/btf.rst. */
#ifndef PF_TRACE_BPF_BTF_H
#define PF_TRACE_BPF_BTF_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/dlang/dlang.h"

struct pf_err;
struct pf_btf;

/* pf_btf_open() - -ENOENT: this kernel has none. */
int pf_btf_open(struct pf_btf **ret_btf, struct pf_err *err);
struct pf_btf *pf_btf_close(struct pf_btf *btf);

/* pf_btf_member() - distance in bytes of @path ("se.sum_exec_runtime") from the start of struct @record. -ENOENT: no such thing. */
int pf_btf_member(struct pf_btf *btf, const char *record, const char *path, uint32_t *ret_offset);

/* For struct pf_dhost: see there. */
int pf_btf_type(struct pf_btf *btf, struct pf_dprog *p, enum pf_dtype_tag tag, const char *name,
		struct pf_dtype **ret_type);
int pf_btf_members(struct pf_btf *btf, struct pf_dprog *p, struct pf_dtype *t);
int pf_btf_constant(struct pf_btf *btf, const char *name, int64_t *ret_value);

/* pf_btf_tracepoints() - every event that has a raw tracepoint, by its name. */
int pf_btf_tracepoints(struct pf_btf *btf, int (*fn)(void *arg, const char *name), void *arg);

/* pf_btf_tracepoint_arg() - type of argument @n of a raw tracepoint. -ENOENT unknown event, -ERANGE no such argument. */
int pf_btf_tracepoint_arg(struct pf_btf *btf, struct pf_dprog *p, const char *event, unsigned n,
			  struct pf_dtype **ret_type, unsigned *ret_n);

/* pf_btf_has_tracepoint() - is there a raw tracepoint of that name? pf_btf_tracepoint_name() - name of its argument @n, "": unknown. */
bool pf_btf_has_tracepoint(struct pf_btf *btf, const char *event);
const char *pf_btf_tracepoint_name(struct pf_btf *btf, const char *event, unsigned n);

#endif

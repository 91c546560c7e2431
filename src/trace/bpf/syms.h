/* bpf/syms.h - names for code addresses: /proc/kallsyms for the kernel, /proc/PID/maps for programs; read when first needed. */
#ifndef PF_TRACE_BPF_SYMS_H
#define PF_TRACE_BPF_SYMS_H

#include <stdint.h>

#include "trace/bpf/session.h"

struct pf_frame;

/* pf_syms_frame() - resolve @address as far as possible. @pid: 0 for the kernel. Texts live as long as the session or the event. */
void pf_syms_frame(struct pf_trace *t, int pid, uint64_t address, struct pf_frame *ret_frame);

/* pf_syms_start() - where the function at @address begins, or its module (of the kernel: the lowest of its symbols); @address if unknown. */
uint64_t pf_syms_start(struct pf_trace *t, int pid, uint64_t address, bool of_module);

/* pf_syms_find() - address of kernel symbol @name. -ENOENT: none; -EPERM: addresses are hidden. */
int pf_syms_find(struct pf_trace *t, const char *module, const char *name, uint64_t *ret_address, bool *ret_function);

/* pf_syms_text() - "module`name+0x1", "module`0x123" or "0x123". */
void pf_syms_text(struct pf_buf *out, const struct pf_frame *frame, bool with_offset);

struct pf_syms *pf_syms_close(struct pf_syms *s);

#endif

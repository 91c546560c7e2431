/* bpf/disasm.h - eBPF instructions as text, for people who want to see what a program became. */
#ifndef PF_TRACE_BPF_DISASM_H
#define PF_TRACE_BPF_DISASM_H

struct pf_asm;
struct pf_buf;

/* pf_disasm() - all instructions of @a, whose maps are still numbers: place, code, text, and a line of its own where the D line changes. */
void pf_disasm(struct pf_buf *out, const struct pf_asm *a);

#endif

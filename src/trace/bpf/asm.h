/* bpf/asm.h - eBPF instructions, one builder per kind, with labels. Source: Documentation/bpf/standardization/instruction-set.rst. */
#ifndef PF_TRACE_BPF_ASM_H
#define PF_TRACE_BPF_ASM_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* BPF_LD | BPF_DW | BPF_IMM, of which only the middle has bits: 64 bits at once, in two places. */
#define PF_ASM_WIDE (BPF_LD | BPF_DW)

struct pf_err;

/* A place in the program, maybe not reached yet; numbered by pf_asm_label(). */
typedef unsigned pf_label;

/* Registers of the plan: see gen.h. */
enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

/**
 * struct pf_asm - a program being written; {0} is empty.
 * @lines: D source line of each instruction, for the verifier's complaints
 * @failed: -ENOMEM or -E2BIG once something did not fit; later calls do nothing, so one check at the end is enough
 */
struct pf_asm {
	struct bpf_insn *insns;
	uint32_t *lines;
	size_t n, cap;
	struct pf_asm_jump *jumps; /* instructions whose target is a label */
	size_t n_jumps, cap_jumps;
	int64_t *labels; /* where each label is, -1: not yet */
	size_t n_labels, cap_labels;
	uint32_t line;
	int failed;
};

struct pf_asm_jump {
	uint32_t insn;
	pf_label to;
	bool call; /* the target goes into imm, not off */
};

void pf_asm_done(struct pf_asm *a);

pf_label pf_asm_label(struct pf_asm *a);
void pf_asm_here(struct pf_asm *a, pf_label label);

/* pf_asm_link() - leave out what cannot be reached, fill in the distances. -ERANGE: a jump is too far (32,767 instructions); -EINVAL: a label was never placed. */
int pf_asm_link(struct pf_asm *a, struct pf_err *err);

void pf_asm_emit(struct pf_asm *a, struct bpf_insn insn);

/* dst = src, dst = imm; 64 bits. pf_asm_const() takes the shortest way to any value. */
void pf_asm_mov(struct pf_asm *a, int dst, int src);
void pf_asm_const(struct pf_asm *a, int dst, uint64_t value);

/* dst OP= src / imm, on 64 bits. @op: BPF_ADD ... BPF_ARSH, BPF_NEG without operand. */
void pf_asm_alu(struct pf_asm *a, int op, int dst, int src);
void pf_asm_alui(struct pf_asm *a, int op, int dst, int32_t imm);

/* Cut dst to @size bytes (1 2 4 8) and extend it again, with its sign if @is_signed. */
void pf_asm_extend(struct pf_asm *a, int dst, unsigned size, bool is_signed);

/* Memory: @size 1, 2, 4 or 8 bytes at base + off. Loads clear the upper bits. */
void pf_asm_load(struct pf_asm *a, unsigned size, int dst, int base, int off);
void pf_asm_store(struct pf_asm *a, unsigned size, int base, int off, int src);
void pf_asm_storei(struct pf_asm *a, unsigned size, int base, int off, int32_t imm);
void pf_asm_atomic_add(struct pf_asm *a, int base, int off, int src);

/* pf_asm_exchange() - put 4 bytes of @src there if R0 is there; R0 becomes what was there. Linux 5.12. */
void pf_asm_exchange(struct pf_asm *a, int base, int off, int src);

/* Jumps. @op: BPF_JEQ, BPF_JNE, BPF_JGT (unsigned), BPF_JSGT (signed), ... */
void pf_asm_jump(struct pf_asm *a, pf_label to);
void pf_asm_jumpr(struct pf_asm *a, int op, int dst, int src, pf_label to);
void pf_asm_jumpi(struct pf_asm *a, int op, int dst, int32_t imm, pf_label to);

void pf_asm_call(struct pf_asm *a, int helper);
void pf_asm_call_local(struct pf_asm *a, pf_label function);
void pf_asm_exit(struct pf_asm *a);

/* dst = handle of a map / address inside the one value of an array map. @fd: of the map. */
void pf_asm_map(struct pf_asm *a, int dst, int fd);
void pf_asm_map_value(struct pf_asm *a, int dst, int fd, uint32_t offset);

#endif

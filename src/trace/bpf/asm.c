/* bpf/asm.c - eBPF instructions, one builder per kind, with labels. */
#include "trace/bpf/asm.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"

/* Opcode parts newer than some headers. */
enum { OP_ATOMIC = 0xc0 };

/* grow() - room for one more element of @size bytes in *@p; false (and failed set) without memory. */
static bool grow(struct pf_asm *a, void **p, size_t n, size_t *cap, size_t size)
{
	if (a->failed)
		return false;
	if (n < *cap)
		return true;
	size_t want = *cap ? *cap * 2 : 64;
	void *more = reallocarray(*p, want, size);
	if (!more) {
		a->failed = -ENOMEM;
		return false;
	}
	*p = more;
	*cap = want;
	return true;
}

void pf_asm_done(struct pf_asm *a)
{
	free(a->insns);
	free(a->lines);
	free(a->jumps);
	free(a->labels);
	*a = (struct pf_asm){ 0 };
}

pf_label pf_asm_label(struct pf_asm *a)
{
	if (!grow(a, (void **)&a->labels, a->n_labels, &a->cap_labels, sizeof(*a->labels)))
		return 0;
	a->labels[a->n_labels] = -1;
	return (pf_label)a->n_labels++;
}

void pf_asm_here(struct pf_asm *a, pf_label label)
{
	if (!a->failed)
		a->labels[label] = (int64_t)a->n;
}

void pf_asm_emit(struct pf_asm *a, struct bpf_insn insn)
{
	size_t cap = a->cap;
	if (!grow(a, (void **)&a->insns, a->n, &cap, sizeof(*a->insns)))
		return;
	if (cap != a->cap) {
		uint32_t *lines = reallocarray(a->lines, cap, sizeof(*lines));
		if (!lines) {
			a->failed = -ENOMEM;
			return;
		}
		a->lines = lines;
		a->cap = cap;
	}
	a->lines[a->n] = a->line;
	a->insns[a->n++] = insn;
}

/* raw() - an instruction from plain numbers. */
static void raw(struct pf_asm *a, int code, int dst, int src, int off, int64_t imm)
{
	struct bpf_insn insn = { .code = (uint8_t)code, .off = (int16_t)off, .imm = (int32_t)imm };
	insn.dst_reg = (uint8_t)(dst & 15);
	insn.src_reg = (uint8_t)(src & 15);
	if (off < INT16_MIN || off > INT16_MAX)
		a->failed = -E2BIG;
	pf_asm_emit(a, insn);
}

static int size_code(unsigned size)
{
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W : BPF_DW;
}

void pf_asm_mov(struct pf_asm *a, int dst, int src)
{
	if (dst != src)
		raw(a, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void pf_asm_const(struct pf_asm *a, int dst, uint64_t value)
{
	int64_t s = (int64_t)value;
	if (s >= INT32_MIN && s <= INT32_MAX) {
		raw(a, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, s);
	} else if (value <= UINT32_MAX) {
		raw(a, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 0, (int32_t)value);
	} else {
		raw(a, PF_ASM_WIDE, dst, 0, 0, (int32_t)value);
		raw(a, 0, 0, 0, 0, (int32_t)(value >> 32));
	}
}

void pf_asm_alu(struct pf_asm *a, int op, int dst, int src)
{
	raw(a, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void pf_asm_alui(struct pf_asm *a, int op, int dst, int32_t imm)
{
	raw(a, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

void pf_asm_extend(struct pf_asm *a, int dst, unsigned size, bool is_signed)
{
	if (size >= 8)
		return;
	if (size == 4 && !is_signed) {
		raw(a, BPF_ALU | BPF_MOV | BPF_X, dst, dst, 0, 0);
		return;
	}
	int shift = (int)(64 - 8 * size);
	pf_asm_alui(a, BPF_LSH, dst, shift);
	pf_asm_alui(a, is_signed ? BPF_ARSH : BPF_RSH, dst, shift);
}

void pf_asm_load(struct pf_asm *a, unsigned size, int dst, int base, int off)
{
	raw(a, BPF_LDX | BPF_MEM | size_code(size), dst, base, off, 0);
}

void pf_asm_store(struct pf_asm *a, unsigned size, int base, int off, int src)
{
	raw(a, BPF_STX | BPF_MEM | size_code(size), base, src, off, 0);
}

void pf_asm_storei(struct pf_asm *a, unsigned size, int base, int off, int32_t imm)
{
	raw(a, BPF_ST | BPF_MEM | size_code(size), base, 0, off, imm);
}

void pf_asm_atomic_add(struct pf_asm *a, int base, int off, int src)
{
	raw(a, BPF_STX | OP_ATOMIC | BPF_DW, base, src, off, BPF_ADD);
}

void pf_asm_exchange(struct pf_asm *a, int base, int off, int src)
{
	enum { CMPXCHG = 0xf1 }; /* newer than some headers */
	raw(a, BPF_STX | OP_ATOMIC | BPF_W, base, src, off, CMPXCHG);
}

/* jump_to() - a jump instruction whose distance is filled in by pf_asm_link(). */
static void jump_to(struct pf_asm *a, int code, int dst, int src, int32_t imm, pf_label to)
{
	if (!grow(a, (void **)&a->jumps, a->n_jumps, &a->cap_jumps, sizeof(*a->jumps)))
		return;
	a->jumps[a->n_jumps++] = (struct pf_asm_jump){ .insn = (uint32_t)a->n, .to = to };
	raw(a, code, dst, src, 0, imm);
}

void pf_asm_jump(struct pf_asm *a, pf_label to)
{
	jump_to(a, BPF_JMP | BPF_JA, 0, 0, 0, to);
}

void pf_asm_jumpr(struct pf_asm *a, int op, int dst, int src, pf_label to)
{
	jump_to(a, BPF_JMP | op | BPF_X, dst, src, 0, to);
}

void pf_asm_jumpi(struct pf_asm *a, int op, int dst, int32_t imm, pf_label to)
{
	jump_to(a, BPF_JMP | op | BPF_K, dst, 0, imm, to);
}

void pf_asm_call(struct pf_asm *a, int helper)
{
	raw(a, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void pf_asm_call_local(struct pf_asm *a, pf_label function)
{
	jump_to(a, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, function);
	if (!a->failed)
		a->jumps[a->n_jumps - 1].call = true;
}

void pf_asm_exit(struct pf_asm *a)
{
	raw(a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

void pf_asm_map(struct pf_asm *a, int dst, int fd)
{
	raw(a, PF_ASM_WIDE, dst, BPF_PSEUDO_MAP_FD, 0, fd);
	raw(a, 0, 0, 0, 0, 0);
}

void pf_asm_map_value(struct pf_asm *a, int dst, int fd, uint32_t offset)
{
	raw(a, PF_ASM_WIDE, dst, BPF_PSEUDO_MAP_VALUE, 0, fd);
	raw(a, 0, 0, 0, 0, (int32_t)offset);
}

/* is_wide() - does the instruction take two places? */
static bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == PF_ASM_WIDE;
}

/* jump_at() - the jump that instruction @n is, or NULL; the jumps are in order of their instructions. */
static const struct pf_asm_jump *jump_at(const struct pf_asm *a, size_t n)
{
	size_t low = 0;
	size_t high = a->n_jumps;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (a->jumps[middle].insn == n)
			return &a->jumps[middle];
		if (a->jumps[middle].insn < n)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* mark_reachable() - everything that can be executed from the start. @todo: room for every jump and one more. */
static void mark_reachable(const struct pf_asm *a, uint8_t *reached, uint32_t *todo)
{
	size_t n_todo = 0;
	todo[n_todo++] = 0;
	while (n_todo) {
		for (size_t n = todo[--n_todo]; n < a->n && !reached[n]; n++) {
			const struct pf_asm_jump *j = jump_at(a, n);
			reached[n] = 1;
			if (is_wide(&a->insns[n]))
				reached[++n] = 1;
			if (j && a->labels[j->to] >= 0)
				todo[n_todo++] = (uint32_t)a->labels[j->to];
			uint8_t code = a->insns[n].code;
			if (code == (BPF_JMP | BPF_JA) || code == (BPF_JMP | BPF_EXIT))
				break;
		}
	}
}

/* drop_unreachable() - the kernel refuses programs with instructions that nothing leads to. */
static int drop_unreachable(struct pf_asm *a)
{
	pf_autofree uint8_t *reached = calloc(a->n + 1, 1);
	pf_autofree uint32_t *todo = calloc(a->n_jumps + 2, sizeof(*todo));
	pf_autofree uint32_t *moved = calloc(a->n + 1, sizeof(*moved));
	if (!reached || !todo || !moved)
		return -ENOMEM;
	mark_reachable(a, reached, todo);
	uint32_t to = 0;
	for (size_t n = 0; n < a->n; n++) {
		moved[n] = to;
		if (!reached[n])
			continue;
		a->insns[to] = a->insns[n];
		a->lines[to++] = a->lines[n];
	}
	moved[a->n] = to;
	size_t jumps = 0;
	for (size_t i = 0; i < a->n_jumps; i++) {
		if (!reached[a->jumps[i].insn])
			continue;
		a->jumps[jumps] = a->jumps[i];
		a->jumps[jumps++].insn = moved[a->jumps[i].insn];
	}
	for (size_t i = 0; i < a->n_labels; i++) {
		if (a->labels[i] >= 0)
			a->labels[i] = moved[a->labels[i]];
	}
	a->n = to;
	a->n_jumps = jumps;
	return 0;
}

int pf_asm_link(struct pf_asm *a, struct pf_err *err)
{
	if (a->failed)
		return pf_err_set(err, a->failed,
				  a->failed == -ENOMEM ? "no memory for the program"
						       : "the program needs too much room");
	int rc = drop_unreachable(a);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for the program");
	for (size_t i = 0; i < a->n_jumps; i++) {
		const struct pf_asm_jump *j = &a->jumps[i];
		int64_t to = a->labels[j->to];
		if (to < 0)
			return pf_err_set(err, -EINVAL, "label %u has no place", j->to);
		int64_t distance = to - (int64_t)j->insn - 1;
		if (j->call) {
			a->insns[j->insn].imm = (int32_t)distance;
			continue;
		}
		if (distance < INT16_MIN || distance > INT16_MAX)
			return pf_err_set(err, -ERANGE, "the program is too long: a jump of %lld instructions",
					  (long long)distance);
		a->insns[j->insn].off = (int16_t)distance;
	}
	return 0;
}

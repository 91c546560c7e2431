/* check_insns.h - is a list of eBPF instructions one that could be loaded? Not the kernel's verifier, but what must hold of each program
 * that the compiler makes, on any kernel: known instructions, jumps to where instructions begin, no register read that was not
 * written, spilled values likewise, accesses inside the frame and inside maps. Source: instruction-set.rst of the kernel. */
#ifndef PF_TESTS_CHECK_INSNS_H
#define PF_TESTS_CHECK_INSNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/bpf/gen.h"

enum { CHECK_SPILLS = 56, CHECK_FRAME = 512, CHECK_HELPERS = 211 };

/* What is known to be written when an instruction is reached: registers, 8-byte slots of the frame from FP-64 down. */
struct check_state {
	uint16_t regs;
	uint64_t slots;
	bool reached;
};

static _Noreturn void check_fail(const struct pf_asm *a, size_t at, const char *why)
{
	const struct bpf_insn *i = &a->insns[at < a->n ? at : a->n - 1];
	fprintf(stderr, "instruction %zu of %zu: %s: code %02x dst %d src %d off %d imm %d\n", at, a->n, why, i->code,
		i->dst_reg, i->src_reg, i->off, i->imm);
	abort();
}

/* check_join() - @to is reached with what @s says; true: that is less than was known. */
static bool check_join(const struct pf_asm *a, struct check_state *states, const bool *second, size_t from, int64_t to,
		       const struct check_state *s)
{
	if (to < 0 || to >= (int64_t)a->n || second[to])
		check_fail(a, from, "jumps to no instruction");
	struct check_state *t = &states[to];
	struct check_state merged = { t->reached ? t->regs & s->regs : s->regs,
				      t->reached ? t->slots & s->slots : s->slots, true };
	bool less = !t->reached || merged.regs != t->regs || merged.slots != t->slots;
	*t = merged;
	return less;
}

static void check_read(const struct pf_asm *a, size_t at, const struct check_state *s, int reg)
{
	if (reg > FP || !(s->regs & 1 << reg))
		check_fail(a, at, "reads a register that was never written");
}

static void check_write(const struct pf_asm *a, size_t at, struct check_state *s, int reg)
{
	if (reg >= FP)
		check_fail(a, at, "writes to the frame pointer");
	s->regs |= (uint16_t)(1 << reg);
}

static unsigned check_size(const struct bpf_insn *i)
{
	switch (BPF_SIZE(i->code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	default:
		return 8;
	}
}

/* check_memory() - an access at @base + off; on the frame it must be inside, aligned, and not before a spilled value was stored. */
static void check_memory(const struct pf_asm *a, size_t at, struct check_state *s, int base, bool store)
{
	const struct bpf_insn *i = &a->insns[at];
	unsigned size = check_size(i);
	check_read(a, at, s, base);
	if (base != FP)
		return;
	if (i->off >= 0 || i->off < -CHECK_FRAME || i->off + (int)size > 0 || i->off % (int)size)
		check_fail(a, at, "accesses memory outside of the frame");
	int slot = (-i->off - 1) / 8 - 8;
	if (slot < 0 || slot >= CHECK_SPILLS)
		return;
	if (store)
		s->slots |= UINT64_C(1) << slot;
	else if (!(s->slots & UINT64_C(1) << slot))
		check_fail(a, at, "reads a spilled value that was never stored");
}

static void check_alu(const struct pf_asm *a, size_t at, struct check_state *s)
{
	const struct bpf_insn *i = &a->insns[at];
	int op = BPF_OP(i->code), bits = BPF_CLASS(i->code) == BPF_ALU64 ? 64 : 32;
	bool by_register = BPF_SRC(i->code) == BPF_X && op != BPF_END && op != BPF_NEG;
	if (op > BPF_END)
		check_fail(a, at, "unknown arithmetic");
	if (by_register)
		check_read(a, at, s, i->src_reg);
	if (op != BPF_MOV)
		check_read(a, at, s, i->dst_reg);
	if (!by_register && (op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH) && (i->imm < 0 || i->imm >= bits))
		check_fail(a, at, "shifts too far");
	if (!by_register && (op == BPF_DIV || op == BPF_MOD) && i->imm == 0)
		check_fail(a, at, "divides by zero");
	if (op == BPF_END && i->imm != 16 && i->imm != 32 && i->imm != 64)
		check_fail(a, at, "swaps no word");
	check_write(a, at, s, i->dst_reg);
}

/* check_wide() - a constant, a map, or a place in a map's value. */
static void check_wide(const struct pf_trace *t, const struct pf_asm *a, size_t at, struct check_state *s)
{
	const struct bpf_insn *i = &a->insns[at];
	if (i->src_reg > BPF_PSEUDO_MAP_VALUE)
		check_fail(a, at, "unknown kind of constant");
	if (i->src_reg != 0 && (i->imm < 0 || (size_t)i->imm >= t->n_maps))
		check_fail(a, at, "names no map");
	/* Sizes of the fixed maps are settled only when they are made. */
	if (i->src_reg == BPF_PSEUDO_MAP_VALUE &&
	    (a->insns[at + 1].imm < 0 || (i->imm == PF_MAP_STATE && (uint32_t)a->insns[at + 1].imm >= t->state_size) ||
	     (i->imm == PF_MAP_CONSTS && (size_t)a->insns[at + 1].imm >= t->consts.n)))
		check_fail(a, at, "points behind a map's value");
	check_write(a, at, s, i->dst_reg);
}

static bool check_jump(const struct pf_asm *a, struct check_state *states, const bool *second, size_t at,
		       struct check_state *s, bool *ret_goes_on)
{
	const struct bpf_insn *i = &a->insns[at];
	int op = BPF_OP(i->code);
	*ret_goes_on = op != BPF_JA && op != BPF_EXIT;
	if (op == BPF_EXIT) {
		check_read(a, at, s, R0);
		return false;
	}
	if (op == BPF_CALL) {
		bool less = false;
		if (i->src_reg == BPF_PSEUDO_CALL) {
			struct check_state callee = { s->regs & 0x3e, 0, true }; /* R1 to R5, a frame of its own */
			callee.regs |= 1 << FP;
			less = check_join(a, states, second, at, (int64_t)at + 1 + i->imm, &callee);
		} else if (i->src_reg != 0 || i->imm < 1 || i->imm > CHECK_HELPERS) {
			check_fail(a, at, "calls no helper");
		}
		s->regs = (uint16_t)((s->regs & ~0x3e) | 1);
		return less;
	}
	if (op > BPF_JSLE)
		check_fail(a, at, "unknown jump");
	if (op != BPF_JA) {
		check_read(a, at, s, i->dst_reg);
		if (BPF_SRC(i->code) == BPF_X)
			check_read(a, at, s, i->src_reg);
	}
	return check_join(a, states, second, at, (int64_t)at + 1 + i->off, s);
}

/* check_step() - one instruction; true if some other one has to be looked at again. */
static bool check_step(const struct pf_trace *t, const struct pf_asm *a, struct check_state *states, const bool *second,
		       size_t at)
{
	struct check_state s = states[at];
	const struct bpf_insn *i = &a->insns[at];
	bool goes_on = true, less = false;
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		check_alu(a, at, &s);
		break;
	case BPF_LDX:
		check_memory(a, at, &s, i->src_reg, false);
		check_write(a, at, &s, i->dst_reg);
		break;
	case BPF_ST:
		check_memory(a, at, &s, i->dst_reg, true);
		break;
	case BPF_STX:
		check_read(a, at, &s, i->src_reg);
		check_memory(a, at, &s, i->dst_reg, true);
		if (BPF_MODE(i->code) == 0xc0 && i->imm == 0xf1) /* compare and exchange: R0 takes part */
			check_read(a, at, &s, R0);
		break;
	case BPF_LD:
		if (i->code != PF_ASM_WIDE)
			check_fail(a, at, "unknown instruction");
		check_wide(t, a, at, &s);
		break;
	case BPF_JMP:
		less = check_jump(a, states, second, at, &s, &goes_on);
		break;
	default:
		check_fail(a, at, "unknown instruction");
	}
	if (goes_on)
		less |= check_join(a, states, second, at, (int64_t)at + (i->code == PF_ASM_WIDE ? 2 : 1), &s);
	return less;
}

/* check_insns() - of one program; ends the process with a message if it could never be loaded. */
static inline void check_insns(const struct pf_trace *t, const struct pf_asm *a)
{
	struct check_state *states = calloc(a->n + 1, sizeof(*states));
	bool *second = calloc(a->n + 1, sizeof(*second));
	if (states && second && a->n) {
		for (size_t i = 0; i < a->n; i++) {
			if (a->insns[i].code != PF_ASM_WIDE)
				continue;
			if (i + 1 >= a->n || a->insns[i + 1].code)
				check_fail(a, i, "half a constant");
			second[++i] = true;
		}
		states[0] = (struct check_state){ 1 << R1 | 1 << FP, 0, true };
		/* What is known only shrinks, so this comes to an end. */
		for (bool again = true; again;) {
			again = false;
			for (size_t i = 0; i < a->n; i++) {
				if (states[i].reached)
					again |= check_step(t, a, states, second, i);
			}
		}
		for (size_t i = 0; i < a->n; i++) {
			if (!states[i].reached && !second[i])
				check_fail(a, i, "cannot be reached");
		}
	}
	free(states);
	free(second);
}

#endif

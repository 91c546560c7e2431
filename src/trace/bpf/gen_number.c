/* bpf/gen_number.c - numbers as text and text as numbers: lltostr(), strtoll(). */
#include "trace/bpf/gen.h"

enum { MOST_DIGITS = 64 };

/* gen_base() - the base, argument 1 or 10, into a spill slot; a fault if there is no such one. */
static unsigned gen_base(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	if (e->n_args > 1) {
		pf_label fault = pf_asm_label(a);
		pf_label fine = pf_asm_label(a);
		pf_gen_expr(g, e->args[1]);
		pf_asm_jumpi(a, BPF_JLT, R0, 2, fault);
		pf_asm_jumpi(a, BPF_JLE, R0, 36, fine);
		pf_asm_here(a, fault);
		pf_gen_fault(g, PF_FAULT_ILLEGAL, -1);
		pf_asm_here(a, fine);
	} else {
		pf_asm_const(a, R0, 10);
	}
	return pf_gen_push(g);
}

/* digits() - how many the largest number has. */
static int digits(const struct pf_dexpr *e)
{
	uint64_t base = 10, v = UINT64_MAX;
	if (e->n_args > 1) {
		if (e->args[1]->op != PF_DX_INT || e->args[1]->value < 2 || e->args[1]->value > 36)
			return MOST_DIGITS;
		base = (uint64_t)e->args[1]->value;
	}
	int n = 0;
	for (; v; v /= base)
		n++;
	return n;
}

/* The digits come from the last one to the left. Negative numbers have a sign in base 10; else they are shown as unsigned. */
void pf_gen_lltostr(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	enum { WIDTH = MOST_DIGITS + 8 };
	struct pf_asm *a = &g->a;
	uint32_t off = pf_gen_scratch(g, WIDTH);
	uint32_t to = pf_gen_scratch(g, WIDTH);
	uint32_t max = pf_plan_text_max(g->t, e);
	pf_label positive = pf_asm_label(a);
	pf_label all = pf_asm_label(a);
	pf_label finish = pf_asm_label(a);
	pf_gen_expr(g, e->args[0]);
	unsigned value = pf_gen_push(g);
	unsigned base = gen_base(g, e);
	pf_gen_pop(g, base, R5);
	pf_gen_pop(g, value, R0);
	pf_asm_const(a, R4, 0);
	pf_asm_jumpi(a, BPF_JNE, R5, 10, positive);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, positive);
	pf_asm_alui(a, BPF_NEG, R0, 0);
	pf_asm_const(a, R4, 1);
	pf_asm_here(a, positive);
	pf_gen_scratch_address(g, R3, off + WIDTH - 1);
	pf_asm_storei(a, 1, R3, 0, 0);
	for (int i = digits(e); i > 0; i--) {
		pf_asm_mov(a, R1, R0);
		pf_asm_alu(a, BPF_MOD, R1, R5);
		pf_asm_const(
			a, R2,
			9); /* letters stand 39 behind where the digits end; no branch: the verifier would follow both */
		pf_asm_alu(a, BPF_SUB, R2, R1);
		pf_asm_alui(a, BPF_RSH, R2, 63);
		pf_asm_alui(a, BPF_MUL, R2, 'a' - '9' - 1);
		pf_asm_alu(a, BPF_ADD, R1, R2);
		pf_asm_alui(a, BPF_ADD, R1, '0');
		pf_asm_alui(a, BPF_SUB, R3, 1);
		pf_asm_store(a, 1, R3, 0, R1);
		pf_asm_alu(a, BPF_DIV, R0, R5);
		pf_asm_jumpi(a, BPF_JEQ, R0, 0, all);
	}
	pf_asm_here(a, all);
	pf_asm_jumpi(a, BPF_JEQ, R4, 0, finish);
	pf_asm_alui(a, BPF_SUB, R3, 1);
	pf_asm_storei(a, 1, R3, 0, '-');
	pf_asm_here(a, finish);
	pf_gen_scratch_address(g, R1, to);
	pf_asm_const(a, R2, max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_gen_checkpoint(g);
	*s = (struct pf_str){ STR_SCRATCH, to, max };
}

/* value_table() - place of the value of each character as a digit among the constants; 255: it is none. */
static uint32_t value_table(struct pf_gen *g)
{
	uint8_t table[256];
	for (int ch = 0; ch < 256; ch++) {
		int lower = ch | 0x20;
		table[ch] = ch >= '0' && ch <= '9'	   ? (uint8_t)(ch - '0')
			    : lower >= 'a' && lower <= 'z' ? (uint8_t)(lower - 'a' + 10)
							   : 255;
	}
	uint32_t off = (uint32_t)g->t->consts.n;
	pf_buf_add(&g->t->consts, table, sizeof(table));
	return off;
}

/* What strtoll() has seen so far, in scratch. */
enum { SEEN_NUMBER, SEEN_STAGE = 8, SEEN_NEGATIVE = 16, SEEN_BASE = 24, SEEN_WORDS = 32 };
enum { STAGE_BLANK, STAGE_SIGN, STAGE_ZERO, STAGE_DIGITS }; /* STAGE_ZERO: a single 0, maybe the start of 0x */

void pf_gen_strtoll(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, e->args[0]);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1));
	int w = (int)pf_gen_scratch(g, SEEN_WORDS);
	uint32_t table = value_table(g);
	pf_label again = pf_asm_label(a);
	pf_label other = pf_asm_label(a);
	pf_label zero = pf_asm_label(a);
	pf_label no_prefix = pf_asm_label(a);
	pf_label minus = pf_asm_label(a);
	pf_label sign = pf_asm_label(a);
	pf_label next = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_label positive = pf_asm_label(a);
	pf_gen_string_to(g, e->args[0], off, max + 1, false);
	unsigned base = gen_base(g, e);
	pf_gen_pop(g, base, R0);
	pf_asm_store(a, 8, R7, w + SEEN_BASE, R0);
	pf_asm_storei(a, 8, R7, w + SEEN_NUMBER, 0);
	pf_asm_storei(a, 8, R7, w + SEEN_STAGE, STAGE_BLANK);
	pf_asm_storei(a, 8, R7, w + SEEN_NEGATIVE, 0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R5, max + 1);

	pf_asm_here(a, again);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_map_value(a, R3, PF_MAP_CONSTS, table);
	pf_asm_alu(a, BPF_ADD, R3, R2);
	pf_asm_load(a, 1, R3, R3, 0);
	pf_asm_load(a, 8, R4, R7, w + SEEN_BASE);
	pf_asm_jumpr(a, BPF_JGE, R3, R4, other);
	pf_asm_load(a, 8, R0, R7, w + SEEN_NUMBER);
	pf_asm_alu(a, BPF_MUL, R0, R4);
	pf_asm_alu(a, BPF_ADD, R0, R3);
	pf_asm_store(a, 8, R7, w + SEEN_NUMBER, R0);
	pf_asm_load(a, 8, R0, R7, w + SEEN_STAGE);
	pf_asm_storei(a, 8, R7, w + SEEN_STAGE, STAGE_DIGITS);
	pf_asm_jumpi(a, BPF_JGT, R0, STAGE_SIGN, next);
	pf_asm_jumpi(a, BPF_JEQ, R3, 0, zero);
	pf_asm_jump(a, next);
	pf_asm_here(a, zero);
	pf_asm_storei(a, 8, R7, w + SEEN_STAGE, STAGE_ZERO);
	pf_asm_jump(a, next);

	pf_asm_here(a, other);
	pf_asm_load(a, 8, R0, R7, w + SEEN_STAGE);
	pf_asm_jumpi(a, BPF_JNE, R0, STAGE_ZERO, no_prefix);
	pf_asm_jumpi(a, BPF_JNE, R4, 16, done);
	pf_asm_alui(a, BPF_OR, R2, 0x20);
	pf_asm_jumpi(a, BPF_JNE, R2, 'x', done);
	pf_asm_storei(a, 8, R7, w + SEEN_STAGE, STAGE_DIGITS);
	pf_asm_jump(a, next);
	pf_asm_here(a, no_prefix);
	pf_asm_jumpi(a, BPF_JNE, R0, STAGE_BLANK, done);
	pf_asm_jumpi(a, BPF_JEQ, R2, ' ', next);
	pf_asm_jumpi(a, BPF_JEQ, R2, '-', minus);
	pf_asm_jumpi(a, BPF_JEQ, R2, '+', sign);
	pf_asm_jumpi(a, BPF_JLT, R2, '\t', done);
	pf_asm_jumpi(a, BPF_JGT, R2, '\r', done);
	pf_asm_jump(a, next);
	pf_asm_here(a, minus);
	pf_asm_storei(a, 8, R7, w + SEEN_NEGATIVE, 1);
	pf_asm_here(a, sign);
	pf_asm_storei(a, 8, R7, w + SEEN_STAGE, STAGE_SIGN);

	pf_asm_here(a, next);
	pf_gen_checkpoint(g);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_SUB, R5, 1);
	pf_asm_jumpi(a, BPF_JNE, R5, 0, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
	pf_asm_load(a, 8, R0, R7, w + SEEN_NUMBER);
	pf_asm_load(a, 8, R1, R7, w + SEEN_NEGATIVE);
	pf_asm_jumpi(a, BPF_JEQ, R1, 0, positive);
	pf_asm_alui(a, BPF_NEG, R0, 0);
	pf_asm_here(a, positive);
}

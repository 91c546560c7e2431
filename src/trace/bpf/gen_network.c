/* bpf/gen_network.c - addresses as text: inet_ntoa(), inet_ntoa6(), inet_ntop(), link_ntop(). IPv6 as RFC 5952 writes it. */
#include "trace/bpf/gen.h"

enum { V4 = 2, V6 = 10, ETHER = 1, INFINIBAND = 32, ETHER_BYTES = 6, INFINIBAND_BYTES = 20, TEXT_MAX = 59 };

/**
 * struct text - text being written into scratch.
 * @off: its start; @at: word with its length so far
 */
struct text {
	uint32_t off;
	int at;
};

/* append() - the character in R0; uses R1, R2. */
static void append(struct pf_gen *g, const struct text *x)
{
	struct pf_asm *a = &g->a;
	pf_label full = pf_asm_label(a);
	pf_asm_load(a, 8, R1, R7, x->at);
	pf_asm_jumpi(a, BPF_JGE, R1, TEXT_MAX, full);
	pf_gen_scratch_address(g, R2, x->off);
	pf_asm_alu(a, BPF_ADD, R2, R1);
	pf_asm_store(a, 1, R2, 0, R0);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_store(a, 8, R7, x->at, R1);
	pf_asm_here(a, full);
}

static void append_char(struct pf_gen *g, const struct text *x, char ch)
{
	pf_asm_const(&g->a, R0, (uint64_t)ch);
	append(g, x);
}

/* append_number() - the number in R3, less than base to the power of @places, without zeros in front. Uses R0-R2, R4. */
static void append_number(struct pf_gen *g, const struct text *x, int32_t base, int places)
{
	struct pf_asm *a = &g->a;
	int32_t unit = 1;
	for (int i = 1; i < places; i++)
		unit *= base;
	for (; unit; unit /= base) {
		pf_label skip = pf_asm_label(a);
		if (unit > 1)
			pf_asm_jumpi(a, BPF_JLT, R3, unit, skip);
		pf_asm_mov(a, R0, R3);
		pf_asm_alui(a, BPF_DIV, R0, unit);
		pf_asm_alui(a, BPF_MOD, R0, base);
		pf_asm_const(a, R4, 9);
		pf_asm_alu(a, BPF_SUB, R4, R0);
		pf_asm_alui(a, BPF_RSH, R4, 63);
		pf_asm_alui(a, BPF_MUL, R4, 'a' - '9' - 1);
		pf_asm_alu(a, BPF_ADD, R0, R4);
		pf_asm_alui(a, BPF_ADD, R0, '0');
		append(g, x);
		pf_asm_here(a, skip);
	}
}

/* read_bytes() - @n bytes at the address in spill slot @address. */
static void read_bytes(struct pf_gen *g, unsigned address, uint32_t to, uint32_t n)
{
	struct pf_asm *a = &g->a;
	pf_label fine = pf_asm_label(a);
	pf_gen_scratch_address(g, R1, to);
	pf_asm_const(a, R2, n);
	pf_gen_peek(g, address, R3);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, fine);
	pf_gen_peek(g, address, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(a, fine);
}

static void gen_v4(struct pf_gen *g, unsigned address, uint32_t bytes, const struct text *x)
{
	read_bytes(g, address, bytes, 4);
	for (int i = 0; i < 4; i++) {
		if (i)
			append_char(g, x, '.');
		pf_asm_load(&g->a, 1, R3, R7, (int)bytes + i);
		append_number(g, x, 10, 3);
		pf_gen_checkpoint(g);
	}
}

/* The longest run of zero groups, the first of the longest. */
enum { RUN_NOW, RUN_BEST = 8, RUN_AT = 16, RUN_WORDS = 24 };

static void gen_run(struct pf_gen *g, uint32_t bytes, int w)
{
	struct pf_asm *a = &g->a;
	for (int i = 0; i < RUN_WORDS; i += 8)
		pf_asm_storei(a, 8, R7, w + i, 0);
	for (int i = 0; i < 8; i++) {
		pf_label other = pf_asm_label(a);
		pf_label next = pf_asm_label(a);
		pf_asm_load(a, 2, R0, R7, (int)bytes + 2 * i);
		pf_asm_jumpi(a, BPF_JNE, R0, 0, other);
		pf_asm_load(a, 8, R1, R7, w + RUN_NOW);
		pf_asm_alui(a, BPF_ADD, R1, 1);
		pf_asm_store(a, 8, R7, w + RUN_NOW, R1);
		pf_asm_load(a, 8, R2, R7, w + RUN_BEST);
		pf_asm_jumpr(a, BPF_JLE, R1, R2, next);
		pf_asm_store(a, 8, R7, w + RUN_BEST, R1);
		pf_asm_const(a, R2, (uint64_t)i + 1);
		pf_asm_alu(a, BPF_SUB, R2, R1);
		pf_asm_store(a, 8, R7, w + RUN_AT, R2);
		pf_asm_jump(a, next);
		pf_asm_here(a, other);
		pf_asm_storei(a, 8, R7, w + RUN_NOW, 0);
		pf_asm_here(a, next);
		pf_gen_checkpoint(g);
	}
	/* One group alone is written. */
	pf_label long_enough = pf_asm_label(a);
	pf_asm_load(a, 8, R0, R7, w + RUN_BEST);
	pf_asm_jumpi(a, BPF_JGE, R0, 2, long_enough);
	pf_asm_storei(a, 8, R7, w + RUN_BEST, 0);
	pf_asm_storei(a, 8, R7, w + RUN_AT, 99);
	pf_asm_here(a, long_enough);
	pf_gen_checkpoint(g);
}

static void gen_v6(struct pf_gen *g, unsigned address, uint32_t bytes, const struct text *x)
{
	struct pf_asm *a = &g->a;
	int w = (int)pf_gen_scratch(g, RUN_WORDS);
	read_bytes(g, address, bytes, 16);
	gen_run(g, bytes, w);
	for (int i = 0; i < 8; i++) {
		pf_label written = pf_asm_label(a);
		pf_label next = pf_asm_label(a);
		pf_asm_const(a, R3, (uint64_t)i);
		pf_asm_load(a, 8, R4, R7, w + RUN_AT);
		pf_asm_alu(a, BPF_SUB, R3, R4); /* in the run: 0 up to its length */
		pf_asm_load(a, 8, R4, R7, w + RUN_BEST);
		pf_asm_jumpr(a, BPF_JGE, R3, R4, written);
		pf_asm_jumpi(a, BPF_JNE, R3, 0, next);
		append_char(g, x, ':');
		pf_asm_jump(a, next);
		pf_asm_here(a, written);
		if (i)
			append_char(g, x, ':');
		pf_asm_load(a, 1, R3, R7, (int)bytes + 2 * i);
		pf_asm_load(a, 1, R4, R7, (int)bytes + 2 * i + 1);
		pf_asm_alui(a, BPF_LSH, R3, 8);
		pf_asm_alu(a, BPF_OR, R3, R4);
		append_number(g, x, 16, 4);
		pf_asm_here(a, next);
		pf_gen_checkpoint(g);
	}
	pf_label not_last = pf_asm_label(a);
	pf_asm_load(a, 8, R3, R7, w + RUN_AT);
	pf_asm_load(a, 8, R4, R7, w + RUN_BEST);
	pf_asm_alu(a, BPF_ADD, R3, R4);
	pf_asm_jumpi(a, BPF_JNE, R3, 8, not_last);
	append_char(g, x, ':');
	pf_asm_here(a, not_last);
	pf_gen_checkpoint(g);
}

/* gen_link() - two digits for each byte. */
static void gen_link(struct pf_gen *g, unsigned address, uint32_t bytes, const struct text *x, int n)
{
	struct pf_asm *a = &g->a;
	read_bytes(g, address, bytes, (uint32_t)n);
	for (int i = 0; i < n; i++) {
		for (int digit = 0; digit < 2; digit++) {
			pf_asm_load(a, 1, R0, R7, (int)bytes + i);
			if (digit)
				pf_asm_alui(a, BPF_AND, R0, 15);
			else
				pf_asm_alui(a, BPF_RSH, R0, 4);
			pf_asm_const(a, R4, 9);
			pf_asm_alu(a, BPF_SUB, R4, R0);
			pf_asm_alui(a, BPF_RSH, R4, 63);
			pf_asm_alui(a, BPF_MUL, R4, 'a' - '9' - 1);
			pf_asm_alu(a, BPF_ADD, R0, R4);
			pf_asm_alui(a, BPF_ADD, R0, '0');
			pf_asm_store(a, 1, R7, (int)x->off + 3 * i + digit, R0);
		}
		pf_asm_storei(a, 1, R7, (int)x->off + 3 * i + 2, i + 1 < n ? ':' : 0);
	}
}

/* gen_kind() - one of two layouts, by the first argument: @first with its code, or @second, else a fault. */
static void gen_kind(struct pf_gen *g, const struct pf_dexpr *e, uint32_t bytes, const struct text *x)
{
	struct pf_asm *a = &g->a;
	bool link = e->func->id == PF_DF_LINK_NTOP;
	pf_label second = pf_asm_label(a);
	pf_label neither = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_expr(g, e->args[1]);
	unsigned address = pf_gen_push(g);
	pf_gen_expr(g, e->args[0]);
	unsigned kind = pf_gen_push(g);
	pf_asm_jumpi(a, BPF_JNE, R0, link ? ETHER : V4, second);
	if (link)
		gen_link(g, address, bytes, x, ETHER_BYTES);
	else
		gen_v4(g, address, bytes, x);
	pf_asm_jump(a, done);
	pf_asm_here(a, second);
	pf_gen_pop(g, kind, R0);
	pf_asm_jumpi(a, BPF_JNE, R0, link ? INFINIBAND : V6, neither);
	if (link)
		gen_link(g, address, bytes, x, INFINIBAND_BYTES);
	else
		gen_v6(g, address, bytes, x);
	pf_asm_jump(a, done);
	pf_asm_here(a, neither);
	pf_gen_fault(g, PF_FAULT_ILLEGAL, -1);
	pf_asm_here(a, done);
	g->spilled--;
}

void pf_gen_network(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct text x = { pf_gen_scratch(g, 64), (int)pf_gen_scratch(g, 8) };
	uint32_t bytes = pf_gen_scratch(g, 24);
	pf_gen_zero(g, x.off, 64);
	pf_asm_storei(&g->a, 8, R7, x.at, 0);
	if (e->func->id == PF_DF_INET_NTOP || e->func->id == PF_DF_LINK_NTOP) {
		gen_kind(g, e, bytes, &x);
	} else {
		pf_gen_expr(g, e->args[0]);
		unsigned address = pf_gen_push(g);
		if (e->func->id == PF_DF_INET_NTOA)
			gen_v4(g, address, bytes, &x);
		else
			gen_v6(g, address, bytes, &x);
		g->spilled--;
	}
	pf_gen_checkpoint(g);
	*s = (struct pf_str){ STR_SCRATCH, x.off, pf_plan_text_max(g->t, e) };
}

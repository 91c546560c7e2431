/* bpf/gen_search.c - looking into strings: index(), strchr(), strstr() and their kin, basename() and dirname().
 *
 * Loops count up to the string's size, so the verifier can follow them. What they find is kept in scratch memory, not in registers:
 * the verifier then does not tell the rounds apart by it, and its work grows with the size only, not with its square. */
#include "trace/bpf/gen.h"

enum { MOST_PATTERN = 64 };

/* settle() - the string in scratch, with @slack readable bytes behind it. */
static void settle(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s, uint32_t slack)
{
	uint32_t max = pf_plan_text_max(g->t, e);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1 + slack));
	pf_gen_string_to(g, e, off, max + 1, false);
	*s = (struct pf_str){ STR_SCRATCH, off, max };
}

/* gen_match() - does the pattern @t (address R2) stand at R1? Falls through if so, else jumps to @no. Uses R0, R3, R4, R9. */
static void gen_match(struct pf_gen *g, const struct pf_str *t, pf_label no)
{
	struct pf_asm *a = &g->a;
	if (!t->max) /* nothing is everywhere */
		return;
	pf_label again = pf_asm_label(a);
	pf_label yes = pf_asm_label(a);
	pf_asm_mov(a, R3, R1);
	pf_asm_mov(a, R4, R2);
	pf_asm_storei(a, 8, FP, FRAME_TMP2, (int32_t)t->max);
	pf_asm_here(a, again);
	pf_asm_load(a, 1, R9, R4, 0);
	pf_asm_jumpi(a, BPF_JEQ, R9, 0, yes);
	pf_asm_load(a, 1, R0, R3, 0);
	pf_asm_jumpr(a, BPF_JNE, R0, R9, no);
	pf_asm_alui(a, BPF_ADD, R3, 1);
	pf_asm_alui(a, BPF_ADD, R4, 1);
	pf_asm_load(a, 8, R0, FP, FRAME_TMP2);
	pf_asm_alui(a, BPF_SUB, R0, 1);
	pf_asm_store(a, 8, FP, FRAME_TMP2, R0);
	pf_asm_jumpi(a, BPF_JNE, R0, 0, again);
	pf_asm_here(a, yes);
}

/* gen_search() - R0 = where @t is in @s, -1: nowhere. @start: spill slot of the first (@last: the last) place allowed, or -1. */
static void gen_search(struct pf_gen *g, const struct pf_str *s, const struct pf_str *t, int start, bool last)
{
	struct pf_asm *a = &g->a;
	pf_label again = pf_asm_label(a);
	pf_label next = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	uint32_t found = pf_gen_scratch(g, 8);
	pf_asm_storei(a, 8, R7, (int)found, -1);
	pf_gen_string_address(g, s, R1);
	pf_gen_string_address(g, t, R2);
	pf_asm_const(a, R5, 0);
	pf_asm_here(a, again);
	if (start >= 0) {
		pf_gen_peek(g, (unsigned)start, R0);
		pf_asm_jumpr(a, BPF_JSGT, last ? R5 : R0, last ? R0 : R5, last ? done : next);
	}
	gen_match(g, t, next);
	pf_asm_store(a, 8, R7, (int)found, R5);
	if (!last)
		pf_asm_jump(a, done);
	pf_asm_here(a, next);
	pf_gen_checkpoint(g);
	pf_asm_load(a, 1, R0, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, done);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_ADD, R5, 1);
	pf_asm_jumpi(a, BPF_JLE, R5, (int32_t)s->max, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
	pf_asm_load(a, 8, R0, R7, (int)found);
}

/* prepare() - both strings of a call; the second is one character for strchr() and strrchr(). False: refused. */
static bool prepare(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s, struct pf_str *t)
{
	bool character = e->func->id == PF_DF_STRCHR || e->func->id == PF_DF_STRRCHR;
	if (character) {
		*t = (struct pf_str){ STR_SCRATCH, pf_gen_scratch(g, 8), 1 };
		pf_gen_expr(g, e->args[1]);
		pf_asm_alui(&g->a, BPF_AND, R0, 255);
		pf_asm_store(&g->a, 8, R7, (int)t->off, R0);
	} else {
		settle(g, e->args[1], t, 0);
	}
	if (t->max > MOST_PATTERN) {
		pf_gen_fail(g, e, "%s( ) can look for at most %d characters, this may be %u: a smaller strsize helps",
			    e->func->name, MOST_PATTERN, t->max);
		return false;
	}
	settle(g, e->args[0], s, t->max + 1);
	return g->rc == 0;
}

void pf_gen_index(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_str s, t;
	int start = -1;
	if (e->n_args > 2) {
		pf_gen_expr(g, e->args[2]);
		start = (int)pf_gen_push(g);
	}
	if (!prepare(g, e, &s, &t))
		return;
	gen_search(g, &s, &t, start, e->func->id == PF_DF_RINDEX);
	if (start >= 0)
		g->spilled--;
}

/* tail() - the string from character R0 on, which is at most s->max; a negative one gives the empty string. */
static void tail(struct pf_gen *g, const struct pf_str *s, struct pf_str *ret_str)
{
	struct pf_asm *a = &g->a;
	pf_label have = pf_asm_label(a);
	uint32_t off = pf_gen_scratch(g, pf_round8(s->max + 1));
	pf_asm_storei(a, 1, R7, (int)off, 0);
	pf_asm_jumpi(a, BPF_JGT, R0, (int32_t)s->max, have);
	pf_gen_scratch_address(g, R3, s->off);
	pf_asm_alu(a, BPF_ADD, R3, R0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, s->max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_here(a, have);
	*ret_str = (struct pf_str){ STR_SCRATCH, off, s->max };
}

void pf_gen_find(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str)
{
	struct pf_str s, t;
	if (!prepare(g, e, &s, &t))
		return;
	gen_search(g, &s, &t, -1, e->func->id == PF_DF_STRRCHR);
	tail(g, &s, ret_str);
}

/* Where the parts of a path are, in scratch: offsets of struct words, all counted in characters. */
enum { PATH_START, PATH_END = 8, PATH_DIR = 16, PATH_BEFORE = 24, PATH_WORDS = 32 };

/* gen_parts() - start and end of the last component, end of the one before it, to scratch at @w; 0 where there is none. */
static void gen_parts(struct pf_gen *g, const struct pf_str *s, int w)
{
	struct pf_asm *a = &g->a;
	pf_label again = pf_asm_label(a);
	pf_label next = pf_asm_label(a);
	pf_label inside = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_asm_storei(a, 8, R7, w + PATH_START, 0);
	pf_asm_storei(a, 8, R7, w + PATH_END, 0);
	pf_asm_storei(a, 8, R7, w + PATH_DIR, 0);
	pf_asm_storei(a, 8, R7, w + PATH_BEFORE, '/');
	pf_gen_string_address(g, s, R1);
	pf_asm_const(a, R5, 0);
	pf_asm_here(a, again);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, done);
	pf_asm_alui(a, BPF_ADD, R5, 1);
	pf_asm_jumpi(a, BPF_JEQ, R2, '/', next);
	pf_asm_load(a, 8, R3, R7, w + PATH_BEFORE);
	pf_asm_jumpi(a, BPF_JNE, R3, '/', inside);
	pf_asm_load(a, 8, R3, R7, w + PATH_END);
	pf_asm_store(a, 8, R7, w + PATH_DIR, R3);
	pf_asm_mov(a, R3, R5);
	pf_asm_alui(a, BPF_SUB, R3, 1);
	pf_asm_store(a, 8, R7, w + PATH_START, R3);
	pf_asm_here(a, inside);
	pf_asm_store(a, 8, R7, w + PATH_END, R5);
	pf_asm_here(a, next);
	pf_asm_store(a, 8, R7, w + PATH_BEFORE, R2);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_gen_checkpoint(g);
	pf_asm_jumpi(a, BPF_JLE, R5, (int32_t)s->max, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
}

void pf_gen_path_part(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str)
{
	struct pf_asm *a = &g->a;
	struct pf_str s;
	bool base = e->func->id == PF_DF_BASENAME;
	settle(g, e->args[0], &s, 8);
	uint32_t off = pf_gen_scratch(g, pf_round8(s.max + 2));
	int w = (int)pf_gen_scratch(g, PATH_WORDS);
	gen_parts(g, &s, w);
	pf_label copy = pf_asm_label(a);
	pf_label absolute = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_asm_load(a, 8, R2, R7, w + (base ? PATH_END : PATH_DIR));
	pf_asm_jumpi(a, BPF_JNE, R2, 0, copy);
	/* Nothing but slashes, or no component before the last: the root, or the current folder. */
	pf_asm_load(a, 1, R1, R7, (int)s.off);
	pf_asm_jumpi(a, BPF_JEQ, R1, '/', absolute);
	pf_asm_storei(a, 2, R7, (int)off, '.');
	pf_asm_jump(a, done);
	pf_asm_here(a, absolute);
	pf_asm_storei(a, 2, R7, (int)off, '/');
	pf_asm_jump(a, done);
	pf_asm_here(a, copy);
	if (base)
		pf_asm_load(a, 8, R0, R7, w + PATH_START);
	else
		pf_asm_const(a, R0, 0);
	pf_asm_alu(a, BPF_SUB, R2, R0);
	pf_asm_alui(a, BPF_ADD, R2, 1); /* with the NUL */
	pf_asm_jumpi(a, BPF_JGT, R0, (int32_t)s.max, done);
	pf_asm_jumpi(a, BPF_JGT, R2, (int32_t)s.max + 1, done);
	pf_gen_scratch_address(g, R3, s.off);
	pf_asm_alu(a, BPF_ADD, R3, R0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_here(a, done);
	*ret_str = (struct pf_str){ STR_SCRATCH, off, s.max < 1 ? 1 : s.max };
}

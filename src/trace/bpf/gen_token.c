/* bpf/gen_token.c - strtok() and cleanpath(): strings taken apart, one character a round. What they know is in scratch memory. */
#include "trace/bpf/gen.h"

/* What strtok() knows: start and end of the word, and whether it has begun and ended. */
enum { WORD_BEGUN, WORD_START = 8, WORD_ENDED = 16, WORD_END = 24, WORD_AT = 32, WORD_WORDS = 40 };

/* gen_set() - one bit for each character of the string at @delims, in 32 bytes of scratch at @set. */
static void gen_set(struct pf_gen *g, const struct pf_dexpr *delims, uint32_t set)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, delims);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1));
	pf_label again = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_string_to(g, delims, off, max + 1, false);
	pf_gen_zero(g, set, 32);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R5, max + 1);
	pf_asm_here(a, again);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, done);
	pf_asm_mov(a, R3, R2);
	pf_asm_alui(a, BPF_RSH, R3, 3);
	pf_asm_alui(a, BPF_AND, R2, 7);
	pf_asm_const(a, R4, 1);
	pf_asm_alu(a, BPF_LSH, R4, R2);
	pf_gen_scratch_address(g, R0, set);
	pf_asm_alu(a, BPF_ADD, R0, R3);
	pf_asm_load(a, 1, R2, R0, 0);
	pf_asm_alu(a, BPF_OR, R2, R4);
	pf_asm_store(a, 1, R0, 0, R2);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_SUB, R5, 1);
	pf_asm_jumpi(a, BPF_JNE, R5, 0, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
}

/* gen_word() - find the first word of the string in scratch at @off. */
static void gen_word(struct pf_gen *g, uint32_t off, uint32_t max, uint32_t set, int w)
{
	struct pf_asm *a = &g->a;
	pf_label again = pf_asm_label(a);
	pf_label next = pf_asm_label(a);
	pf_label delimiter = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	for (int i = 0; i < WORD_WORDS; i += 8)
		pf_asm_storei(a, 8, R7, w + i, 0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R5, 0);
	pf_asm_here(a, again);
	pf_asm_store(a, 8, R7, w + WORD_AT, R5);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, done);
	pf_asm_mov(a, R3, R2);
	pf_asm_alui(a, BPF_RSH, R3, 3);
	pf_asm_alui(a, BPF_AND, R2, 7);
	pf_gen_scratch_address(g, R4, set);
	pf_asm_alu(a, BPF_ADD, R4, R3);
	pf_asm_load(a, 1, R4, R4, 0);
	pf_asm_alu(a, BPF_RSH, R4, R2);
	pf_asm_alui(a, BPF_AND, R4, 1);
	pf_asm_load(a, 8, R0, R7, w + WORD_BEGUN);
	pf_asm_jumpi(a, BPF_JNE, R4, 0, delimiter);
	pf_asm_jumpi(a, BPF_JNE, R0, 0, next);
	pf_asm_storei(a, 8, R7, w + WORD_BEGUN, 1);
	pf_asm_store(a, 8, R7, w + WORD_START, R5);
	pf_asm_jump(a, next);
	pf_asm_here(a, delimiter);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, next);
	pf_asm_storei(a, 8, R7, w + WORD_ENDED, 1);
	pf_asm_jump(a, done);
	pf_asm_here(a, next);
	pf_gen_checkpoint(g);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_ADD, R5, 1);
	pf_asm_jumpi(a, BPF_JLE, R5, (int32_t)max, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
}

/* copy_part() - from character R0 of the string at @from, R2 bytes with the NUL, to @to; nothing if they are out of range. */
static void copy_part(struct pf_gen *g, uint32_t from, uint32_t to, uint32_t max)
{
	struct pf_asm *a = &g->a;
	pf_label skip = pf_asm_label(a);
	pf_asm_storei(a, 1, R7, (int)to, 0);
	pf_asm_jumpi(a, BPF_JGT, R0, (int32_t)max, skip);
	pf_asm_jumpi(a, BPF_JGT, R2, (int32_t)max + 1, skip);
	pf_gen_scratch_address(g, R3, from);
	pf_asm_alu(a, BPF_ADD, R3, R0);
	pf_gen_scratch_address(g, R1, to);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_here(a, skip);
	pf_gen_checkpoint(g);
}

/* state_map() - what is left of the string that each thread takes apart. */
static int state_map(struct pf_gen *g)
{
	struct pf_trace *t = g->t;
	if (!t->strtok_map) {
		int64_t most = t->options.value[PF_OPT_DYNVARSIZE] / (8 + t->strslot + 48);
		int rc = pf_map_add(t, BPF_MAP_TYPE_HASH, 8, t->strslot, (uint32_t)(most < 1 ? 1 : most),
				    BPF_F_NO_PREALLOC);
		if (rc < 0)
			pf_gen_fail(g, NULL, "no memory");
		else
			t->strtok_map = (unsigned)rc;
	}
	return (int)t->strtok_map;
}

void pf_gen_strtok(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	uint32_t max = (uint32_t)g->t->options.value[PF_OPT_STRSIZE];
	uint32_t from = pf_gen_scratch(g, g->t->strslot);
	uint32_t rest = pf_gen_scratch(g, g->t->strslot);
	uint32_t word = pf_gen_scratch(g, g->t->strslot);
	uint32_t set = pf_gen_scratch(g, 32);
	int key = (int)pf_gen_scratch(g, 8);
	int w = (int)pf_gen_scratch(g, WORD_WORDS);
	int map = state_map(g);
	bool goes_on = e->args[0]->op == PF_DX_INT;
	pf_label have = pf_asm_label(a);
	pf_label to_end = pf_asm_label(a);
	pf_label found = pf_asm_label(a);
	pf_label save = pf_asm_label(a);
	pf_label fine = pf_asm_label(a);
	if (!goes_on)
		pf_gen_string_to(g, e->args[0], from, max + 1, false);
	pf_gen_thread_key(g);
	pf_asm_store(a, 8, R7, key, R0);
	if (goes_on) {
		pf_asm_map(a, R1, map);
		pf_gen_scratch_address(g, R2, (uint32_t)key);
		pf_asm_call(a, BPF_FUNC_map_lookup_elem);
		pf_asm_jumpi(a, BPF_JNE, R0, 0, have);
		pf_gen_fault(g, PF_FAULT_ADDRESS, R0);
		pf_asm_here(a, have);
		pf_asm_mov(a, R3, R0);
		pf_gen_scratch_address(g, R1, from);
		pf_asm_const(a, R2, max + 1);
		pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	}
	gen_set(g, e->args[1], set);
	gen_word(g, from, max, set, w);
	pf_asm_load(a, 8, R0, R7, w + WORD_START);
	pf_asm_load(a, 8, R2, R7, w + WORD_AT);
	pf_asm_alu(a, BPF_SUB, R2, R0);
	pf_asm_load(a, 8, R1, R7, w + WORD_BEGUN);
	pf_asm_alu(a, BPF_ADD, R2, R1); /* with the NUL; no word: nothing, not even that */
	pf_asm_jumpi(a, BPF_JNE, R1, 0, found);
	pf_asm_const(a, R2, 0);
	pf_asm_here(a, found);
	copy_part(g, from, word, max);
	/* Behind the character that ended it, if one did. */
	pf_asm_storei(a, 1, R7, (int)rest, 0);
	pf_asm_load(a, 8, R1, R7, w + WORD_ENDED);
	pf_asm_jumpi(a, BPF_JEQ, R1, 0, to_end);
	pf_asm_load(a, 8, R0, R7, w + WORD_AT);
	pf_asm_alui(a, BPF_ADD, R0, 1);
	pf_asm_const(a, R2, max + 1);
	copy_part(g, from, rest, max);
	pf_asm_here(a, to_end);
	pf_asm_here(a, save);
	pf_asm_map(a, R1, map);
	pf_gen_scratch_address(g, R2, (uint32_t)key);
	pf_gen_scratch_address(g, R3, rest);
	pf_asm_const(a, R4, BPF_ANY);
	pf_asm_call(a, BPF_FUNC_map_update_elem);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, fine);
	pf_gen_drop(g, PF_DROP_DYNAMIC);
	pf_asm_here(a, fine);
	*s = (struct pf_str){ STR_SCRATCH, word, max };
}

/* What cleanpath() knows: characters written, where the component at hand starts, how many components there are before it. */
enum { PATH_LENGTH, PATH_START = 8, PATH_DEPTH = 16, PATH_DROPPED = 24, PATH_WORDS = 32, PATH_STARTS = 256 };

/* gen_component() - the component that ends here, in the text at @out, with a slash behind it unless R2 is 0. */
static void gen_component(struct pf_gen *g, uint32_t out, uint32_t starts, int w, uint32_t max)
{
	struct pf_asm *a = &g->a;
	pf_label keep = pf_asm_label(a);
	pf_label empty = pf_asm_label(a);
	pf_label slash = pf_asm_label(a);
	pf_label two = pf_asm_label(a);
	pf_label drop = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_asm_storei(a, 8, R7, w + PATH_DROPPED, 0);
	pf_asm_load(a, 8, R3, R7, w + PATH_LENGTH);
	pf_asm_load(a, 8, R4, R7, w + PATH_START);
	pf_asm_jumpi(a, BPF_JGT, R4, (int32_t)max, done);
	pf_asm_jumpi(a, BPF_JGT, R3, (int32_t)max, done);
	pf_asm_jumpr(a, BPF_JEQ, R3, R4, empty);
	pf_gen_scratch_address(g, R0, out);
	pf_asm_alu(a, BPF_ADD, R0, R4);
	pf_asm_mov(a, R9, R3);
	pf_asm_alu(a, BPF_SUB, R9, R4);
	pf_asm_load(a, 1, R4, R0, 0);
	pf_asm_jumpi(a, BPF_JNE, R4, '.', keep);
	pf_asm_jumpi(a, BPF_JEQ, R9, 1, drop);
	pf_asm_jumpi(a, BPF_JNE, R9, 2, keep);
	pf_asm_load(a, 1, R4, R0, 1);
	pf_asm_jumpi(a, BPF_JEQ, R4, '.', two);

	pf_asm_here(a, keep); /* an ordinary one */
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, done);
	pf_asm_load(a, 8, R4, R7, w + PATH_DEPTH);
	pf_asm_jumpi(a, BPF_JGE, R4, PATH_STARTS / 2, done);
	pf_asm_mov(a, R0, R4);
	pf_asm_alui(a, BPF_LSH, R0, 1);
	pf_asm_alui(a, BPF_ADD, R4, 1);
	pf_asm_store(a, 8, R7, w + PATH_DEPTH, R4);
	pf_gen_scratch_address(g, R4, starts);
	pf_asm_alu(a, BPF_ADD, R4, R0);
	pf_asm_load(a, 8, R0, R7, w + PATH_START);
	pf_asm_store(a, 2, R4, 0, R0);
	pf_asm_here(a, slash);
	pf_gen_scratch_address(g, R0, out);
	pf_asm_alu(a, BPF_ADD, R0, R3);
	pf_asm_storei(a, 1, R0, 0, '/');
	pf_asm_alui(a, BPF_ADD, R3, 1);
	pf_asm_store(a, 8, R7, w + PATH_LENGTH, R3);
	pf_asm_store(a, 8, R7, w + PATH_START, R3);
	pf_asm_jump(a, done);

	pf_asm_here(a, empty); /* the root, or one slash too many */
	pf_asm_jumpi(a, BPF_JNE, R3, 0, done);
	pf_asm_jumpi(a, BPF_JNE, R2, 0, slash);
	pf_asm_jump(a, done);

	pf_asm_here(a, two); /* the one before goes, too */
	pf_asm_load(a, 8, R4, R7, w + PATH_DEPTH);
	pf_asm_jumpi(a, BPF_JEQ, R4, 0, drop);
	pf_asm_alui(a, BPF_SUB, R4, 1);
	pf_asm_jumpi(a, BPF_JGE, R4, PATH_STARTS / 2, done);
	pf_asm_store(a, 8, R7, w + PATH_DEPTH, R4);
	pf_asm_alui(a, BPF_LSH, R4, 1);
	pf_gen_scratch_address(g, R0, starts);
	pf_asm_alu(a, BPF_ADD, R0, R4);
	pf_asm_load(a, 2, R0, R0, 0);
	pf_asm_store(a, 8, R7, w + PATH_START, R0);
	pf_asm_here(a, drop);
	pf_asm_load(a, 8, R0, R7, w + PATH_START);
	pf_asm_store(a, 8, R7, w + PATH_LENGTH, R0);
	pf_asm_storei(a, 8, R7, w + PATH_DROPPED, 1);
	pf_asm_here(a, done);
}

void pf_gen_cleanpath(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, e->args[0]);
	uint32_t from = pf_gen_scratch(g, pf_round8(max + 1));
	uint32_t out = pf_gen_scratch(g, pf_round8(max + 3));
	uint32_t starts = pf_gen_scratch(g, PATH_STARTS);
	int w = (int)pf_gen_scratch(g, PATH_WORDS);
	pf_label again = pf_asm_label(a);
	pf_label part = pf_asm_label(a);
	pf_label next = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_label end = pf_asm_label(a);
	pf_gen_string_to(g, e->args[0], from, max + 1, false);
	for (int i = 0; i < PATH_WORDS; i += 8)
		pf_asm_storei(a, 8, R7, w + i, 0);
	pf_gen_scratch_address(g, R1, from);
	pf_asm_const(a, R5, max + 1);
	pf_asm_here(a, again);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, part);
	pf_asm_jumpi(a, BPF_JEQ, R2, '/', part);
	pf_asm_load(a, 8, R3, R7, w + PATH_LENGTH);
	pf_asm_jumpi(a, BPF_JGT, R3, (int32_t)max, done);
	pf_gen_scratch_address(g, R0, out);
	pf_asm_alu(a, BPF_ADD, R0, R3);
	pf_asm_store(a, 1, R0, 0, R2);
	pf_asm_alui(a, BPF_ADD, R3, 1);
	pf_asm_store(a, 8, R7, w + PATH_LENGTH, R3);
	pf_asm_jump(a, next);
	pf_asm_here(a, part);
	gen_component(g, out, starts, w, max);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, done);
	pf_asm_here(a, next);
	pf_gen_checkpoint(g);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_SUB, R5, 1);
	pf_asm_jumpi(a, BPF_JNE, R5, 0, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
	/* What stood before a . or .. at the end has no slash behind it, unless it is the root. */
	pf_asm_load(a, 8, R3, R7, w + PATH_LENGTH);
	pf_asm_load(a, 8, R0, R7, w + PATH_DROPPED);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, end);
	pf_asm_jumpi(a, BPF_JLE, R3, 1, end);
	pf_asm_alui(a, BPF_SUB, R3, 1);
	pf_asm_here(a, end);
	pf_label fits = pf_asm_label(a);
	pf_asm_jumpi(a, BPF_JLE, R3, (int32_t)max, fits);
	pf_asm_const(a, R3, max);
	pf_asm_here(a, fits);
	pf_gen_scratch_address(g, R0, out);
	pf_asm_alu(a, BPF_ADD, R0, R3);
	pf_asm_storei(a, 1, R0, 0, 0);
	pf_gen_checkpoint(g);
	*s = (struct pf_str){ STR_SCRATCH, out, max };
}

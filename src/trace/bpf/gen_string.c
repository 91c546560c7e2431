/* bpf/gen_string.c - strings. A string is bytes up to a NUL in scratch memory, among the constants, or at an address. */
#include "trace/bpf/gen.h"

#include <string.h>

bool pf_gen_is_string(const struct pf_dexpr *e)
{
	const struct pf_dtype *t = e->type;
	while (t->kind == PF_DT_TYPEDEF && t->ref)
		t = t->ref;
	return t->kind == PF_DT_STRING;
}

void pf_gen_zero(struct pf_gen *g, uint32_t off, uint32_t size)
{
	struct pf_asm *a = &g->a;
	if (size <= 128) {
		for (uint32_t i = 0; i < size; i += 8)
			pf_asm_storei(a, 8, R7, (int)(off + i), 0);
		return;
	}
	for (uint32_t i = 0; i < size; i += g->t->zeros) {
		pf_gen_scratch_address(g, R1, off + i);
		pf_asm_const(a, R2, size - i < g->t->zeros ? size - i : g->t->zeros);
		pf_asm_map_value(a, R3, PF_MAP_CONSTS, 0);
		pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	}
}

void pf_gen_string_address(struct pf_gen *g, const struct pf_str *s, int reg)
{
	switch (s->kind) {
	case STR_SCRATCH:
		pf_gen_scratch_address(g, reg, s->off);
		break;
	case STR_CONST:
		pf_asm_map_value(&g->a, reg, PF_MAP_CONSTS, s->off);
		break;
	case STR_ADDRESS:
		pf_asm_mov(&g->a, reg, R0);
		break;
	}
}

/* copy_to() - the string to scratch at @off, @size bytes at most with its NUL. */
static void copy_to(struct pf_gen *g, const struct pf_str *s, uint32_t off, uint32_t size)
{
	struct pf_asm *a = &g->a;
	pf_gen_string_address(g, s, R3);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
}

void pf_gen_string_settle(struct pf_gen *g, struct pf_str *s)
{
	if (s->kind != STR_ADDRESS)
		return;
	uint32_t off = pf_gen_scratch(g, pf_round8(s->max + 1));
	copy_to(g, s, off, s->max + 1);
	s->kind = STR_SCRATCH;
	s->off = off;
}

/* add_const() - @text among the constants; its offset. */
static uint32_t add_const(struct pf_gen *g, const char *text)
{
	struct pf_buf *b = &g->t->consts;
	uint32_t off = (uint32_t)b->n;
	pf_buf_add(b, text, strlen(text) + 1);
	pf_buf_pad(b, 0, pf_round8(b->n) - b->n);
	return off;
}

/* probe_part() - probeprov, probemod, probefunc, probename. */
static void probe_part(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	const struct pf_probe_name *name = &g->probe->name;
	const char *text = name->name;
	switch (e->builtin->id) {
	case PF_DB_PROBEPROV:
		text = name->provider;
		break;
	case PF_DB_PROBEMOD:
		text = name->module;
		break;
	case PF_DB_PROBEFUNC:
		text = name->function;
		break;
	default:
		break;
	}
	if (g->table && e->builtin->id == PF_DB_PROBEFUNC) {
		pf_asm_load(&g->a, 8, R0, FP, FRAME_ROW);
		pf_asm_alui(&g->a, BPF_ADD, R0, (int32_t)(offsetof(struct pf_table_row, clauses) + 8 * g->table_words));
		*s = (struct pf_str){ STR_ADDRESS, 0, TABLE_NAME - 1 };
		return;
	}
	*s = (struct pf_str){ STR_CONST, add_const(g, text), (uint32_t)strlen(text) };
}

static void comm_to(struct pf_gen *g, uint32_t off, uint32_t size)
{
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(&g->a, R2, size < 16 ? size : 16);
	pf_asm_call(&g->a, BPF_FUNC_get_current_comm);
}

/* gen_text_at() - @max characters at the kernel address in R0. */
static void gen_text_at(struct pf_gen *g, uint32_t max, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	unsigned address = pf_gen_push(g);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1));
	*s = (struct pf_str){ STR_ADDRESS, 0, max };
	copy_to(g, s, off, max + 1);
	pf_label fine = pf_asm_label(a);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, fine);
	pf_gen_peek(g, address, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(a, fine);
	g->spilled--;
	*s = (struct pf_str){ STR_SCRATCH, off, max };
}

/* gen_stringof() - the string at a kernel address, or in a char array there. */
static void gen_stringof(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	const struct pf_dexpr *from = e->args[0];
	if (pf_dtype_is_array(from->type))
		pf_gen_address(g, from);
	else
		pf_gen_expr(g, from);
	gen_text_at(g, pf_plan_text_max(g->t, e), s);
}

/* gen_variable() - string in a variable; what was never stored is empty. */
static void gen_variable(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	struct pf_place place;
	pf_gen_place(g, e, &place);
	if (place.kind == PLACE_SCRATCH) {
		*s = (struct pf_str){ STR_SCRATCH, place.v->off, (uint32_t)g->t->options.value[PF_OPT_STRSIZE] };
		return;
	}
	pf_label absent = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_place_address(g, &place, absent);
	if (place.kind == PLACE_MAP) {
		pf_asm_jump(a, done);
		pf_asm_here(a, absent);
		pf_asm_map_value(a, R0, PF_MAP_CONSTS, 0);
		pf_asm_here(a, done);
	}
	*s = (struct pf_str){ STR_ADDRESS, 0, (uint32_t)g->t->options.value[PF_OPT_STRSIZE] };
	pf_gen_string_settle(g, s);
}

static void gen_choice(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, e);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1));
	pf_label otherwise = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_condition(g, e->args[0], otherwise);
	pf_gen_string_to(g, e->args[1], off, max + 1, false);
	pf_asm_jump(a, done);
	pf_asm_here(a, otherwise);
	pf_gen_string_to(g, e->args[2], off, max + 1, false);
	pf_asm_here(a, done);
	*s = (struct pf_str){ STR_SCRATCH, off, max };
}

void pf_gen_string(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	*s = (struct pf_str){ STR_CONST, 0, 0 };
	if (g->rc < 0)
		return;
	switch (e->op) {
	case PF_DX_INT: /* NULL */
		break;
	case PF_DX_STRING: {
		uint32_t n = (uint32_t)strlen(e->string->text);
		uint32_t max = (uint32_t)g->t->options.value[PF_OPT_STRSIZE];
		*s = (struct pf_str){ STR_CONST, (uint32_t)e->string->offset, n < max ? n : max };
		break;
	}
	case PF_DX_VAR:
		gen_variable(g, e, s);
		break;
	case PF_DX_BUILTIN:
		if (e->builtin->id == PF_DB_EXECNAME) {
			*s = (struct pf_str){ STR_SCRATCH, pf_gen_scratch(g, 16), 15 };
			comm_to(g, s->off, 16);
		} else if (e->builtin->id >= PF_DB_PROBEFUNC && e->builtin->id <= PF_DB_PROBEPROV) {
			probe_part(g, e, s);
		} else if (e->builtin->id == PF_DB_ARGS) {
			pf_gen_builtin(g, e);
			gen_text_at(g, pf_plan_text_max(g->t, e), s);
		} else if (e->builtin->id == PF_DB_CWD || e->builtin->id == PF_DB_ROOT) {
			pf_gen_path(g, e, s);
		} else {
			pf_gen_fail(g, e, "variable %s is not supported yet", e->builtin->name);
		}
		break;
	case PF_DX_STRINGOF:
		gen_stringof(g, e, s);
		break;
	case PF_DX_CALL:
		pf_gen_call_string(g, e, s);
		break;
	case PF_DX_COND:
		gen_choice(g, e, s);
		break;
	case PF_DX_COMMA:
		if (pf_gen_is_string(e->args[0])) {
			struct pf_str unused;
			pf_gen_string(g, e->args[0], &unused);
		} else {
			pf_gen_expr(g, e->args[0]);
		}
		pf_gen_string(g, e->args[1], s);
		break;
	case PF_DX_ASSIGN:
		pf_gen_expr(g, e);
		pf_gen_string(g, e->args[0], s);
		break;
	case PF_DX_CAST:
		pf_gen_string(g, e->args[0], s);
		break;
	default:
		pf_gen_fail(g, e, "this string cannot be computed in the kernel");
		break;
	}
}

void pf_gen_string_to(struct pf_gen *g, const struct pf_dexpr *e, uint32_t off, uint32_t size, bool pad)
{
	bool comm = e->op == PF_DX_BUILTIN && e->builtin->id == PF_DB_EXECNAME;
	if (pad)
		pf_gen_zero(g, off, pf_round8(size));
	if (comm) {
		comm_to(g, off, size);
		return;
	}
	struct pf_str s;
	pf_gen_string(g, e, &s);
	copy_to(g, &s, off, size);
}

/* equal_to_const() - R0 = does the string in scratch equal the constant? Words against immediate values, no helper, no loop. */
static void equal_to_const(struct pf_gen *g, const struct pf_str *s, const char *text, uint32_t n, bool negate)
{
	struct pf_asm *a = &g->a;
	pf_label differ = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	uint32_t bytes = n + 1;
	for (uint32_t i = 0; i < bytes;) {
		unsigned size = bytes - i >= 8 ? 8 : bytes - i >= 4 ? 4 : bytes - i >= 2 ? 2 : 1;
		uint64_t word = 0;
		memcpy(&word, text + i, size);
		pf_asm_load(a, size, R1, R7, (int)(s->off + i));
		pf_asm_const(a, R2, word);
		pf_asm_jumpr(a, BPF_JNE, R1, R2, differ);
		i += size;
	}
	pf_asm_const(a, R0, !negate);
	pf_asm_jump(a, done);
	pf_asm_here(a, differ);
	pf_asm_const(a, R0, negate);
	pf_asm_here(a, done);
}

/* difference() - R0 = -1, 0, 1 as the strings compare, bytes unsigned. */
static void difference(struct pf_gen *g, const struct pf_str *left, const struct pf_str *right)
{
	struct pf_asm *a = &g->a;
	uint32_t most = (left->max < right->max ? left->max : right->max) + 1;
	pf_label again = pf_asm_label(a);
	pf_label differ = pf_asm_label(a);
	pf_label below = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_string_address(g, left, R1);
	pf_gen_string_address(g, right, R2);
	pf_asm_const(a, R5, most);
	pf_asm_here(a, again);
	pf_asm_load(a, 1, R3, R1, 0);
	pf_asm_load(a, 1, R4, R2, 0);
	pf_asm_const(a, R0, 0);
	pf_asm_jumpr(a, BPF_JNE, R3, R4, differ);
	pf_asm_jumpi(a, BPF_JEQ, R3, 0, done);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_ADD, R2, 1);
	pf_asm_alui(a, BPF_SUB, R5, 1);
	pf_asm_jumpi(a, BPF_JNE, R5, 0, again);
	pf_asm_jump(a, done);
	pf_asm_here(a, differ);
	pf_asm_jumpr(a, BPF_JLT, R3, R4, below);
	pf_asm_const(a, R0, 1);
	pf_asm_jump(a, done);
	pf_asm_here(a, below);
	pf_asm_const(a, R0, (uint64_t)-1);
	pf_asm_here(a, done);
}

void pf_gen_string_compare(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	struct pf_str left, right;
	pf_gen_string(g, e->args[0], &left);
	pf_gen_string_settle(g, &left);
	pf_gen_string(g, e->args[1], &right);
	pf_gen_string_settle(g, &right);
	if (g->rc < 0)
		return;
	bool equality = e->op == PF_DX_EQ || e->op == PF_DX_NE;
	const struct pf_dexpr *constant = e->args[1]->op == PF_DX_STRING ? e->args[1] : e->args[0];
	const struct pf_str *other = e->args[1]->op == PF_DX_STRING ? &left : &right;
	if (equality && constant->op == PF_DX_STRING && other->kind == STR_SCRATCH) {
		size_t n = strlen(constant->string->text);
		if (n > other->max)
			pf_asm_const(a, R0, e->op == PF_DX_NE);
		else if (n <= 256)
			equal_to_const(g, other, constant->string->text, (uint32_t)n, e->op == PF_DX_NE);
		if (n <= 256 || n > other->max)
			return;
	}
	difference(g, &left, &right);
	static const int jumps[] = { BPF_JSLT, BPF_JSLE, BPF_JSGT, BPF_JSGE, BPF_JEQ, BPF_JNE };
	pf_label yes = pf_asm_label(a);
	pf_asm_mov(a, R1, R0);
	uint32_t result = pf_gen_scratch(g, 8);
	pf_asm_storei(a, 8, R7, (int)result, 1);
	pf_asm_jumpi(a, jumps[e->op - PF_DX_LT], R1, 0, yes);
	pf_asm_storei(a, 8, R7, (int)result, 0);
	pf_asm_here(a, yes);
	pf_gen_checkpoint(g);
	pf_asm_load(a, 8, R0, R7, (int)result);
}

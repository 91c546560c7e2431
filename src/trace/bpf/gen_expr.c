/* bpf/gen_expr.c - scalar expressions: the value goes to R0, extended to 64 bits as its type says. */
#include "trace/bpf/gen.h"

uint64_t pf_gen_sizeof(const struct pf_dtype *type)
{
	while (type->kind == PF_DT_TYPEDEF && type->ref)
		type = type->ref;
	return type->kind == PF_DT_POINTER ? 8 : type->size;
}

void pf_gen_extend(struct pf_gen *g, struct pf_dtype *type)
{
	uint64_t size = pf_gen_sizeof(type);
	if (pf_dtype_base(type)->is_bool) { /* anything but 0 is 1 */
		pf_label zero = pf_asm_label(&g->a);
		pf_asm_jumpi(&g->a, BPF_JEQ, R0, 0, zero);
		pf_asm_const(&g->a, R0, 1);
		pf_asm_here(&g->a, zero);
		return;
	}
	if (pf_dtype_is_integer(type) && size && size < 8)
		pf_asm_extend(&g->a, R0, (unsigned)size, pf_dtype_is_signed(type));
}

/* is_simple() - can the value be had without touching any register but R0, and without a helper call? */
static bool is_simple(const struct pf_dexpr *e)
{
	return e->op == PF_DX_INT && e->value >= INT32_MIN && e->value <= INT32_MAX;
}

/* gen_pair() - args[0] into R0, args[1] into R1. */
static void gen_pair(struct pf_gen *g, const struct pf_dexpr *e)
{
	pf_gen_expr(g, e->args[0]);
	if (is_simple(e->args[1])) {
		pf_asm_const(&g->a, R1, (uint64_t)e->args[1]->value);
		return;
	}
	unsigned left = pf_gen_push(g);
	pf_gen_expr(g, e->args[1]);
	pf_asm_mov(&g->a, R1, R0);
	pf_gen_pop(g, left, R0);
}

/* gen_divide() - R0 /= R1 or R0 %= R1; eBPF has no signed division before kernel 6.6, so signs are handled apart. */
static void gen_divide(struct pf_gen *g, bool modulus, bool is_signed)
{
	struct pf_asm *a = &g->a;
	pf_label divide = pf_asm_label(a);
	pf_asm_jumpi(a, BPF_JNE, R1, 0, divide);
	pf_gen_fault(g, PF_FAULT_DIVISION, -1);
	pf_asm_here(a, divide);
	if (!is_signed) {
		pf_asm_alu(a, modulus ? BPF_MOD : BPF_DIV, R0, R1);
		return;
	}
	pf_label left = pf_asm_label(a);
	pf_label right = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_asm_mov(a, R2, R0);
	if (!modulus)
		pf_asm_alu(a, BPF_XOR, R2, R1);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, left);
	pf_asm_alui(a, BPF_NEG, R0, 0);
	pf_asm_here(a, left);
	pf_asm_jumpi(a, BPF_JSGE, R1, 0, right);
	pf_asm_alui(a, BPF_NEG, R1, 0);
	pf_asm_here(a, right);
	pf_asm_alu(a, modulus ? BPF_MOD : BPF_DIV, R0, R1);
	pf_asm_jumpi(a, BPF_JSGE, R2, 0, done);
	pf_asm_alui(a, BPF_NEG, R0, 0);
	pf_asm_here(a, done);
}

void pf_gen_binary(struct pf_gen *g, enum pf_dexpr_op op, struct pf_dtype *type)
{
	struct pf_asm *a = &g->a;
	bool is_signed = pf_dtype_is_integer(type) && pf_dtype_is_signed(type);
	switch (op) {
	case PF_DX_MUL:
		pf_asm_alu(a, BPF_MUL, R0, R1);
		break;
	case PF_DX_DIV:
	case PF_DX_MOD:
		gen_divide(g, op == PF_DX_MOD, is_signed);
		break;
	case PF_DX_ADD:
		pf_asm_alu(a, BPF_ADD, R0, R1);
		break;
	case PF_DX_SUB:
		pf_asm_alu(a, BPF_SUB, R0, R1);
		break;
	case PF_DX_SHL:
		pf_asm_alui(a, BPF_AND, R1, 63);
		pf_asm_alu(a, BPF_LSH, R0, R1);
		break;
	case PF_DX_SHR:
		pf_asm_alui(a, BPF_AND, R1, 63);
		pf_asm_alu(a, is_signed ? BPF_ARSH : BPF_RSH, R0, R1);
		break;
	case PF_DX_AND:
		pf_asm_alu(a, BPF_AND, R0, R1);
		break;
	case PF_DX_XOR:
		pf_asm_alu(a, BPF_XOR, R0, R1);
		break;
	default:
		pf_asm_alu(a, BPF_OR, R0, R1);
		break;
	}
	pf_gen_extend(g, type);
}

/* jump_unless() - after gen_pair(): jump to @to unless R0 COMPARES R1. */
static void jump_unless(struct pf_gen *g, enum pf_dexpr_op op, bool is_signed, pf_label to)
{
	int code;
	switch (op) {
	case PF_DX_LT:
		code = is_signed ? BPF_JSGE : BPF_JGE;
		break;
	case PF_DX_LE:
		code = is_signed ? BPF_JSGT : BPF_JGT;
		break;
	case PF_DX_GT:
		code = is_signed ? BPF_JSLE : BPF_JLE;
		break;
	case PF_DX_GE:
		code = is_signed ? BPF_JSLT : BPF_JLT;
		break;
	case PF_DX_EQ:
		code = BPF_JNE;
		break;
	default:
		code = BPF_JEQ;
		break;
	}
	pf_asm_jumpr(&g->a, code, R0, R1, to);
}

static bool is_comparison(const struct pf_dexpr *e)
{
	return e->op >= PF_DX_LT && e->op <= PF_DX_NE;
}

void pf_gen_condition(struct pf_gen *g, const struct pf_dexpr *e, pf_label if_false)
{
	struct pf_asm *a = &g->a;
	if (is_comparison(e) && !pf_gen_is_string(e->args[0])) {
		gen_pair(g, e);
		jump_unless(g, e->op, pf_dtype_is_integer(e->args[0]->type) && pf_dtype_is_signed(e->args[0]->type),
			    if_false);
		return;
	}
	if (e->op == PF_DX_LAND) {
		pf_gen_condition(g, e->args[0], if_false);
		pf_gen_condition(g, e->args[1], if_false);
		return;
	}
	if (e->op == PF_DX_LOR) {
		pf_label second = pf_asm_label(a);
		pf_label yes = pf_asm_label(a);
		pf_gen_condition(g, e->args[0], second);
		pf_asm_jump(a, yes);
		pf_asm_here(a, second);
		pf_gen_condition(g, e->args[1], if_false);
		pf_asm_here(a, yes);
		return;
	}
	if (e->op == PF_DX_NOT) {
		pf_label yes = pf_asm_label(a);
		pf_gen_condition(g, e->args[0], yes);
		pf_asm_jump(a, if_false);
		pf_asm_here(a, yes);
		return;
	}
	pf_gen_expr(g, e);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, if_false);
}

/* gen_truth() - a condition as 0 or 1. */
static void gen_truth(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	pf_label no = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_condition(g, e, no);
	pf_asm_const(a, R0, 1);
	pf_asm_jump(a, done);
	pf_asm_here(a, no);
	pf_asm_const(a, R0, 0);
	pf_asm_here(a, done);
}

static void gen_choice(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	pf_label otherwise = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_condition(g, e->args[0], otherwise);
	pf_gen_expr(g, e->args[1]);
	pf_asm_jump(a, done);
	pf_asm_here(a, otherwise);
	pf_gen_expr(g, e->args[2]);
	pf_asm_here(a, done);
}

static void gen_comparison(struct pf_gen *g, const struct pf_dexpr *e)
{
	if (pf_gen_is_string(e->args[0]) || pf_gen_is_string(e->args[1]))
		pf_gen_string_compare(g, e);
	else
		gen_truth(g, e);
}

static void gen_unary(struct pf_gen *g, const struct pf_dexpr *e)
{
	pf_gen_expr(g, e->args[0]);
	if (e->op == PF_DX_NEG)
		pf_asm_alui(&g->a, BPF_NEG, R0, 0);
	else if (e->op == PF_DX_BITNOT)
		pf_asm_alui(&g->a, BPF_XOR, R0, -1);
	pf_gen_extend(g, e->type);
}

/* gen_logical_xor() - both sides are always computed. */
static void gen_logical_xor(struct pf_gen *g, const struct pf_dexpr *e)
{
	gen_truth(g, e->args[0]);
	unsigned left = pf_gen_push(g);
	gen_truth(g, e->args[1]);
	pf_gen_pop(g, left, R1);
	pf_asm_alu(&g->a, BPF_XOR, R0, R1);
}

/* gen_value() - everything whose value is not computed by operators. */
static void gen_value(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_place place;
	switch (e->op) {
	case PF_DX_INT:
		pf_asm_const(&g->a, R0, (uint64_t)e->value);
		break;
	case PF_DX_VAR:
		pf_gen_place(g, e, &place);
		pf_gen_place_load(g, &place, e->type);
		break;
	case PF_DX_BUILTIN:
		pf_gen_builtin(g, e);
		break;
	case PF_DX_CALL:
		pf_gen_call(g, e);
		break;
	case PF_DX_ADDR:
		pf_gen_address(g, e->args[0]);
		break;
	case PF_DX_SYMBOL:
	case PF_DX_DEREF:
	case PF_DX_MEMBER:
	case PF_DX_INDEX:
		pf_gen_read(g, e);
		break;
	default:
		pf_gen_fail(g, e, "this expression cannot be computed in the kernel");
		break;
	}
}

void pf_gen_expr(struct pf_gen *g, const struct pf_dexpr *e)
{
	if (g->rc < 0)
		return;
	switch (e->op) {
	case PF_DX_NEG:
	case PF_DX_BITNOT:
	case PF_DX_CAST:
		gen_unary(g, e);
		break;
	case PF_DX_PREINC:
	case PF_DX_PREDEC:
	case PF_DX_POSTINC:
	case PF_DX_POSTDEC:
		pf_gen_step(g, e);
		break;
	case PF_DX_MUL:
	case PF_DX_DIV:
	case PF_DX_MOD:
	case PF_DX_ADD:
	case PF_DX_SUB:
	case PF_DX_SHL:
	case PF_DX_SHR:
	case PF_DX_AND:
	case PF_DX_XOR:
	case PF_DX_OR:
		gen_pair(g, e);
		pf_gen_binary(g, e->op, e->type);
		break;
	case PF_DX_LT:
	case PF_DX_LE:
	case PF_DX_GT:
	case PF_DX_GE:
	case PF_DX_EQ:
	case PF_DX_NE:
		gen_comparison(g, e);
		break;
	case PF_DX_NOT:
	case PF_DX_LAND:
	case PF_DX_LOR:
		gen_truth(g, e);
		break;
	case PF_DX_LXOR:
		gen_logical_xor(g, e);
		break;
	case PF_DX_COND:
		gen_choice(g, e);
		break;
	case PF_DX_COMMA:
		pf_gen_expr(g, e->args[0]);
		pf_gen_expr(g, e->args[1]);
		break;
	case PF_DX_ASSIGN:
	case PF_DX_ASSIGN_MUL:
	case PF_DX_ASSIGN_DIV:
	case PF_DX_ASSIGN_MOD:
	case PF_DX_ASSIGN_ADD:
	case PF_DX_ASSIGN_SUB:
	case PF_DX_ASSIGN_SHL:
	case PF_DX_ASSIGN_SHR:
	case PF_DX_ASSIGN_AND:
	case PF_DX_ASSIGN_XOR:
	case PF_DX_ASSIGN_OR:
		pf_gen_assign(g, e);
		break;
	default:
		gen_value(g, e);
		break;
	}
}

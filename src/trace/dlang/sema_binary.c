/* trace/dlang/sema_binary.c - binary operators and assignment. */
#include <errno.h>

#include "trace/dlang/front.h"

static struct pf_dexpr *error(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, const char *tag,
			      const char *what)
{
	(void)pf_d_fail(c, pos, -EINVAL, tag, "operator %s %s", pf_dexpr_op_text(op), what);
	return NULL;
}

static struct pf_dexpr *by_zero(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	(void)pf_d_fail(c, pos, -EINVAL, "D_DIV_ZERO", "expression contains division by zero");
	return NULL;
}

static struct pf_dexpr *incompatible(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos,
				     const struct pf_dexpr *a, const struct pf_dexpr *b)
{
	(void)pf_d_fail(c, pos, -EINVAL, "D_OP_INCOMPAT", "operands have incompatible types: \"%s\" %s \"%s\"",
			pf_dtype_text(c->p, a->type), pf_dexpr_op_text(op), pf_dtype_text(c->p, b->type));
	return NULL;
}

/* Two string constants, as the running program would compare them: bytes up to the NUL or strsize. */
static int64_t compare_constants(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dexpr *a,
				 const struct pf_dexpr *b)
{
	int64_t v = 0;
	int d = strncmp(a->string->text, b->string->text, c->p->types.string->size);
	(void)pf_dfold_binary(op, c->p->types.i32, d, 0, &v);
	return v;
}

/* Two operands of type @operands, result of type @type; one constant if both are. */
static struct pf_dexpr *make(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos,
			     struct pf_dtype *operands, struct pf_dtype *type, struct pf_dexpr *a, struct pf_dexpr *b)
{
	if (!a || !b)
		return NULL;
	if ((op == PF_DX_DIV || op == PF_DX_MOD) && pf_dexpr_is_zero(b))
		return by_zero(c, pos);
	int64_t v;
	if (a->op == PF_DX_INT && b->op == PF_DX_INT && !pf_dtype_is_string(a->type) &&
	    pf_dfold_binary(op, operands, a->value, b->value, &v) == 0)
		return pf_dnode_int(c, pos, type, v);
	struct pf_dexpr *e = pf_dnode_binary(c, op, pos, a, b);
	if (e)
		e->type = type;
	return e;
}

static struct pf_dexpr *integers(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				 struct pf_dexpr *b, bool compare)
{
	struct pf_dtype *t = pf_dtype_arith(c->p, pf_dexpr_value_type(c, a), pf_dexpr_value_type(c, b));
	a = pf_dconv_cast(c, a, t);
	b = a ? pf_dconv_cast(c, b, t) : NULL;
	return make(c, op, pos, t, compare ? c->p->types.i32 : t, a, b);
}

/* Bytes that one step of a pointer means; 0 and error if the pointee has no size. */
static uint64_t step_of(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dtype *pointer)
{
	struct pf_dtype *to = pf_dtype_base(pf_dtype_base(pointer)->ref);
	if (to->kind == PF_DT_VOID)
		return 1;
	if (to->size == 0)
		(void)error(c, op, pos, "D_OP_INCOMPLETE", "requires a pointer to a type whose size is known");
	return to->size;
}

/* pointer + integer, pointer - integer: in bytes. */
static struct pf_dexpr *pointer_step(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos,
				     struct pf_dexpr *p, struct pf_dexpr *n)
{
	struct pf_dtype *i64 = c->p->types.i64;
	uint64_t size = step_of(c, op, pos, p->type);
	n = size ? pf_dconv_cast(c, n, i64) : NULL;
	if (n && size > 1)
		n = make(c, PF_DX_MUL, pos, i64, i64, n, pf_dnode_int(c, pos, i64, (int64_t)size));
	struct pf_dexpr *e = make(c, op, pos, c->p->types.u64, p->type, p, n);
	if (e)
		e->is_alloca = p->is_alloca;
	return e;
}

static struct pf_dexpr *pointer_difference(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_dexpr *a,
					   struct pf_dexpr *b)
{
	struct pf_dtype *i64 = c->p->types.i64, *diff = c->p->types.ptrdiff_t_;
	if (!pf_dtype_same(a->type, b->type))
		return incompatible(c, PF_DX_SUB, pos, a, b);
	uint64_t size = step_of(c, PF_DX_SUB, pos, a->type);
	a = size ? pf_dconv_cast(c, a, i64) : NULL;
	b = a ? pf_dconv_cast(c, b, i64) : NULL;
	struct pf_dexpr *e = make(c, PF_DX_SUB, pos, i64, diff, a, b);
	if (e && size > 1)
		e = make(c, PF_DX_DIV, pos, i64, diff, e, pf_dnode_int(c, pos, i64, (int64_t)size));
	return e;
}

static struct pf_dexpr *additive(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				 struct pf_dexpr *b)
{
	bool pa = pf_dtype_is_pointer(a->type), pb = pf_dtype_is_pointer(b->type);
	if (pa && pf_dtype_is_integer(b->type))
		return pointer_step(c, op, pos, a, b);
	if (op == PF_DX_ADD && pb && pf_dtype_is_integer(a->type))
		return pointer_step(c, op, pos, b, a);
	if (op == PF_DX_SUB && pa && pb)
		return pointer_difference(c, pos, a, b);
	if (pf_dtype_is_integer(a->type) && pf_dtype_is_integer(b->type))
		return integers(c, op, pos, a, b, false);
	return incompatible(c, op, pos, a, b);
}

static struct pf_dexpr *shift(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
			      struct pf_dexpr *b)
{
	struct pf_dtype *t = pf_dtype_promote(c->p, pf_dexpr_value_type(c, a));
	a = pf_dconv_cast(c, a, t);
	b = a ? pf_dconv_cast(c, b, pf_dtype_promote(c->p, pf_dexpr_value_type(c, b))) : NULL;
	return make(c, op, pos, t, t, a, b);
}

static bool wants_strings(const struct pf_dexpr *a, const struct pf_dexpr *b)
{
	bool sa = pf_dtype_is_string(a->type), sb = pf_dtype_is_string(b->type);
	bool ca = pf_dtype_is_char_array(a->type), cb = pf_dtype_is_char_array(b->type);
	return sa || sb || (ca && cb);
}

static bool can_be_string(const struct pf_dexpr *e)
{
	return pf_dtype_is_string_like(e->type) || pf_dexpr_is_zero(e);
}

static struct pf_dexpr *compare(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				struct pf_dexpr *b)
{
	struct pf_dtype *i32 = c->p->types.i32;
	if (wants_strings(a, b)) {
		if (!can_be_string(a) || !can_be_string(b))
			return incompatible(c, op, pos, a, b);
		a = pf_dconv_string(c, a);
		b = a ? pf_dconv_string(c, b) : NULL;
		if (b && a->op == PF_DX_STRING && b->op == PF_DX_STRING)
			return pf_dnode_int(c, pos, i32, compare_constants(c, op, a, b));
		return make(c, op, pos, c->p->types.string, i32, a, b);
	}
	a = pf_dconv_decay(c, a);
	b = a ? pf_dconv_decay(c, b) : NULL;
	if (!b)
		return NULL;
	if (pf_dtype_is_integer(a->type) && pf_dtype_is_integer(b->type))
		return integers(c, op, pos, a, b, true);
	bool pa = pf_dtype_is_pointer(a->type), pb = pf_dtype_is_pointer(b->type);
	if ((pa && pf_dconv_assignable(c, a->type, b)) || (pb && pf_dconv_assignable(c, b->type, a))) {
		struct pf_dtype *t = pa ? a->type : b->type;
		a = pf_dconv_cast(c, a, t);
		b = a ? pf_dconv_cast(c, b, t) : NULL;
		return make(c, op, pos, c->p->types.u64, i32, a, b);
	}
	return incompatible(c, op, pos, a, b);
}

static struct pf_dexpr *logical(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				struct pf_dexpr *b)
{
	a = pf_dconv_decay(c, a);
	b = a ? pf_dconv_decay(c, b) : NULL;
	if (!b)
		return NULL;
	if (!pf_dtype_is_scalar(a->type) || !pf_dtype_is_scalar(b->type))
		return error(c, op, pos, "D_OP_SCALAR", "requires operands of scalar type");
	return make(c, op, pos, c->p->types.i64, c->p->types.i32, a, b);
}

struct pf_dexpr *pf_dsema_arith(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				struct pf_dexpr *b)
{
	if (op >= PF_DX_LT && op <= PF_DX_NE)
		return compare(c, op, pos, a, b);
	if (op >= PF_DX_LAND && op <= PF_DX_LOR)
		return logical(c, op, pos, a, b);
	if (op == PF_DX_ADD || op == PF_DX_SUB) {
		a = pf_dconv_decay(c, a);
		b = a ? pf_dconv_decay(c, b) : NULL;
		return b ? additive(c, op, pos, a, b) : NULL;
	}
	if (!pf_dtype_is_integer(a->type) || !pf_dtype_is_integer(b->type))
		return error(c, op, pos, op == PF_DX_MUL || op == PF_DX_DIV ? "D_OP_ARITH" : "D_OP_INT",
			     "requires operands of integer type");
	if (op == PF_DX_SHL || op == PF_DX_SHR)
		return shift(c, op, pos, a, b);
	return integers(c, op, pos, a, b, false);
}

struct pf_dexpr *pf_dsema_binary(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *a = pf_dsema_expr(c, raw->args[0], env);
	struct pf_dexpr *b = a ? pf_dsema_expr(c, raw->args[1], env) : NULL;
	return b ? pf_dsema_arith(c, raw->op, &raw->pos, a, b) : NULL;
}

/* Scratch memory of a clause must not outlive it. */
static int check_alloca(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dexpr *target,
			const struct pf_dexpr *value)
{
	struct pf_dvar *v = target->op == PF_DX_VAR ? target->var : NULL;
	bool here = v && v->scope == PF_DV_THIS;
	if (!pf_dtype_is_pointer(target->type) || pf_dexpr_is_zero(value))
		return 0;
	bool ok = !value->is_alloca ? !(here && v->is_alloca) : here ? v->is_alloca || !v->assigned : target->is_alloca;
	if (!ok)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_ALLOCA_INCOMPAT",
				 "operands are incompatible: %s scratch memory of alloca( )",
				 value->is_alloca ? "a variable that outlives the clause cannot point to"
						  : "variable holds pointers to");
	if (here && value->is_alloca)
		v->is_alloca = true;
	return 0;
}

static struct pf_dexpr *finish(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *target,
			       struct pf_dexpr *value)
{
	if (check_alloca(c, raw, target, value) < 0)
		return NULL;
	if (target->op == PF_DX_VAR)
		target->var->assigned = true;
	struct pf_dexpr *e = pf_dnode_binary(c, raw->op, &raw->pos, target, value);
	if (e) {
		e->type = target->type;
		e->is_alloca = value->is_alloca;
		e->xlator = value->xlator;
	}
	return e;
}

static struct pf_dexpr *plain_assign(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *value = pf_dsema_expr(c, raw->args[1], env);
	bool created = false;
	struct pf_dexpr *target = value ? pf_dsema_target(c, raw->args[0], env, value, &created) : NULL;
	if (!target)
		return NULL;
	if (!pf_dconv_assignable(c, target->type, value))
		return incompatible(c, raw->op, &raw->pos, target, value);
	if (target->op == PF_DX_VAR && !created && target->var->xlator != value->xlator && !pf_dexpr_is_zero(value)) {
		if (target->var->assigned)
			return error(c, raw->op, &raw->pos, "D_XLATE_INCOMPAT",
				     "mixes a translated pointer with another kind of pointer");
		target->var->xlator = value->xlator;
	}
	value = pf_dconv_assign(c, value, target->type);
	return value ? finish(c, raw, target, value) : NULL;
}

/* a op= b with pointer a: bytes. */
static struct pf_dexpr *pointer_assign(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *target,
				       struct pf_dexpr *value)
{
	struct pf_dtype *i64 = c->p->types.i64;
	bool additive = raw->op == PF_DX_ASSIGN_ADD || raw->op == PF_DX_ASSIGN_SUB;
	if (!additive || !pf_dtype_is_integer(value->type))
		return incompatible(c, raw->op, &raw->pos, target, value);
	uint64_t size = step_of(c, raw->op, &raw->pos, target->type);
	value = size ? pf_dconv_cast(c, value, i64) : NULL;
	if (value && size > 1)
		value = make(c, PF_DX_MUL, &raw->pos, i64, i64, value, pf_dnode_int(c, &raw->pos, i64, (int64_t)size));
	struct pf_dexpr *e = value ? pf_dnode_binary(c, raw->op, &raw->pos, target, value) : NULL;
	if (e) {
		e->type = target->type;
		e->calc = i64;
		e->is_alloca = target->is_alloca;
	}
	return e;
}

struct pf_dexpr *pf_dsema_assign(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	if (raw->op == PF_DX_ASSIGN)
		return plain_assign(c, raw, env);
	struct pf_dexpr *value = pf_dsema_expr(c, raw->args[1], env);
	bool created = false;
	struct pf_dexpr *target = value ? pf_dsema_target(c, raw->args[0], env, NULL, &created) : NULL;
	if (!target)
		return NULL;
	if (pf_dtype_is_pointer(target->type))
		return pointer_assign(c, raw, target, value);
	if (!pf_dtype_is_integer(target->type) || !pf_dtype_is_integer(value->type))
		return error(c, raw->op, &raw->pos, "D_OP_INT", "requires operands of integer type");
	if ((raw->op == PF_DX_ASSIGN_DIV || raw->op == PF_DX_ASSIGN_MOD) && pf_dexpr_is_zero(value))
		return by_zero(c, &raw->pos);
	bool is_shift = raw->op == PF_DX_ASSIGN_SHL || raw->op == PF_DX_ASSIGN_SHR;
	struct pf_dtype *calc =
		is_shift ? pf_dtype_promote(c->p, pf_dexpr_value_type(c, target))
			 : pf_dtype_arith(c->p, pf_dexpr_value_type(c, target), pf_dexpr_value_type(c, value));
	value = pf_dconv_cast(c, value, is_shift ? pf_dtype_promote(c->p, pf_dexpr_value_type(c, value)) : calc);
	if (!value)
		return NULL;
	if (target->op == PF_DX_VAR)
		target->var->assigned = true;
	struct pf_dexpr *e = pf_dnode_binary(c, raw->op, &raw->pos, target, value);
	if (e) {
		e->type = target->type;
		e->calc = calc;
	}
	return e;
}

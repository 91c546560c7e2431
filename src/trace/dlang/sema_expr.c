/* trace/dlang/sema_expr.c - meaning of expressions: dispatch, unary operators, sizeof, ?:. */
#include <errno.h>

#include "trace/dlang/front.h"

static struct pf_dexpr *error(struct pf_dcomp *c, const struct pf_dexpr *at, const char *tag, const char *what)
{
	(void)pf_d_fail(c, &at->pos, -EINVAL, tag, "operator %s %s", pf_dexpr_op_text(at->op), what);
	return NULL;
}

static struct pf_dexpr *size_const(struct pf_dcomp *c, const struct pf_dexpr *raw, uint64_t value)
{
	return pf_dnode_int(c, &raw->pos, c->p->types.size_t_, (int64_t)value);
}

static struct pf_dexpr *size_of(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dtype *t)
{
	struct pf_dtype *base = pf_dtype_base(t);
	if (base->size == 0 || pf_dtype_is_dynamic(base)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_SIZEOF_TYPE", "cannot apply sizeof to an operand of type %s",
				pf_dtype_text(c->p, t));
		return NULL;
	}
	return size_const(c, raw, base->size);
}

static struct pf_dexpr *sema_sizeof(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *e = pf_dsema_any(c, raw->args[0], env);
	if (!e)
		return NULL;
	if (pf_dexpr_is_bitfield(e)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_SIZEOF_BITFIELD", "cannot apply sizeof to a bit-field");
		return NULL;
	}
	if (e->op == PF_DX_STRING)
		return size_const(c, raw, e->string->n + 1);
	return size_of(c, raw, e->type);
}

static struct pf_dexpr *sema_offsetof(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	struct pf_dtype *t = raw->named_type;
	uint64_t total = 0;
	for (unsigned i = 0; i < raw->n_path; i++) {
		uint64_t at = 0;
		if (!pf_dtype_is_record(t) || pf_dtype_complete(c->p, t) < 0) {
			(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OFFSETOF_TYPE",
					"offsetof operand must be a complete struct or union, not %s",
					pf_dtype_text(c->p, t));
			return NULL;
		}
		const struct pf_dmember *m = pf_dtype_member(c->p, t, raw->path[i], &at);
		if (!m) {
			(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_TYPE_MEMBER", "%.*s is not a member of %s",
					(int)raw->path[i].n, raw->path[i].p, pf_dtype_text(c->p, t));
			return NULL;
		}
		if (m->bits > 0) {
			(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OFFSETOF_BITFIELD",
					"cannot take offset of bit-field %s", m->name);
			return NULL;
		}
		total += at / 8;
		t = m->type;
	}
	return size_const(c, raw, total);
}

static struct pf_dexpr *sema_cast(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *e = pf_dsema_expr(c, raw->args[0], env);
	struct pf_dtype *to = raw->named_type, *base = pf_dtype_base(to);
	if (!e)
		return NULL;
	if (base->kind == PF_DT_STRING && (pf_dtype_is_scalar(e->type) || pf_dtype_is_string_like(e->type)))
		return pf_dconv_string(c, e);
	bool from_ok = pf_dtype_is_scalar(e->type) || pf_dtype_is_array(e->type);
	if (!pf_dtype_is_scalar(base) || !from_ok) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_CAST_INVAL", "invalid cast expression: %s to %s",
				pf_dtype_text(c->p, e->type), pf_dtype_text(c->p, to));
		return NULL;
	}
	e = pf_dconv_decay(c, e);
	struct pf_dexpr *out = e ? pf_dconv_cast(c, e, to) : NULL;
	if (out && out->type != to &&
	    out->op != PF_DX_INT) { /* same type by another name: keep the name that was written */
		out = pf_dnode_unary(c, PF_DX_CAST, &raw->pos, out);
		if (out) {
			out->type = to;
			out->is_alloca = e->is_alloca;
			out->xlator = e->xlator;
		}
	}
	return out;
}

static struct pf_dexpr *sema_arith1(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *e)
{
	if (!pf_dtype_is_integer(e->type))
		return error(c, raw, "D_OP_INT", "requires an operand of integer type");
	struct pf_dtype *t = pf_dtype_promote(c->p, pf_dexpr_value_type(c, e));
	e = pf_dconv_cast(c, e, t);
	if (!e || raw->op == PF_DX_PLUS)
		return e;
	int64_t v;
	if (e->op == PF_DX_INT && pf_dfold_unary(raw->op, t, e->value, &v) == 0)
		return pf_dnode_int(c, &raw->pos, t, v);
	struct pf_dexpr *out = pf_dnode_unary(c, raw->op, &raw->pos, e);
	if (out)
		out->type = t;
	return out;
}

static struct pf_dexpr *sema_not(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *e)
{
	e = pf_dconv_decay(c, e);
	if (!e)
		return NULL;
	if (!pf_dtype_is_scalar(e->type))
		return error(c, raw, "D_OP_SCALAR", "requires an operand of scalar type");
	if (e->op == PF_DX_INT)
		return pf_dnode_int(c, &raw->pos, c->p->types.i32, e->value == 0);
	struct pf_dexpr *out = pf_dnode_unary(c, PF_DX_NOT, &raw->pos, e);
	if (out)
		out->type = c->p->types.i32;
	return out;
}

static struct pf_dexpr *sema_deref(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *e)
{
	e = pf_dconv_decay(c, e);
	if (!e)
		return NULL;
	if (!pf_dtype_is_pointer(e->type)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_DEREF_NONPTR", "cannot dereference non-pointer type %s",
				pf_dtype_text(c->p, e->type));
		return NULL;
	}
	struct pf_dtype *to = pf_dtype_base(e->type)->ref;
	enum pf_dtype_kind kind = pf_dtype_kind_of(to);
	if (kind == PF_DT_VOID || kind == PF_DT_FUNCTION) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, kind == PF_DT_VOID ? "D_DEREF_VOID" : "D_DEREF_FUNC",
				"cannot dereference pointer to %s", kind == PF_DT_VOID ? "void" : "a function");
		return NULL;
	}
	struct pf_dexpr *out = pf_dnode_unary(c, e->xlator ? PF_DX_XLATE : PF_DX_DEREF, &raw->pos, e);
	if (!out)
		return NULL;
	out->type = to;
	out->is_lvalue = !e->xlator;
	out->is_alloca = e->is_alloca;
	out->xlator = e->xlator;
	if (e->xlator)
		out->args[0] = pf_dxlate_input(c, e);
	return out->args[0] ? out : NULL;
}

/* The object that an lvalue is a part of. */
static const struct pf_dexpr *root(const struct pf_dexpr *e)
{
	while (e->op == PF_DX_MEMBER || e->op == PF_DX_INDEX)
		e = e->args[0];
	return e;
}

static struct pf_dexpr *sema_addr(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *e)
{
	enum pf_dexpr_op base = root(e)->op;
	if (base == PF_DX_VAR || base == PF_DX_BUILTIN) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ADDROF_VAR", "cannot take address of dynamic variable");
		return NULL;
	}
	if (pf_dexpr_is_bitfield(e)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ADDROF_BITFIELD", "cannot take address of bit-field %s",
				e->member->name);
		return NULL;
	}
	if (!e->is_lvalue) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ADDROF_LVAL", "unacceptable operand for unary & operator");
		return NULL;
	}
	struct pf_dtype *to = pf_dtype_pointer(c->p, e->type);
	if (!to) {
		(void)pf_d_nomem(c);
		return NULL;
	}
	if (e->op == PF_DX_DEREF)
		return pf_dconv_cast(c, e->args[0], to);
	struct pf_dexpr *out = pf_dnode_unary(c, PF_DX_ADDR, &raw->pos, e);
	if (out) {
		out->type = to;
		out->is_alloca = e->is_alloca;
	}
	return out;
}

static struct pf_dexpr *sema_incdec(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	bool created = false;
	struct pf_dexpr *e = pf_dsema_target(c, raw->args[0], env, NULL, &created);
	if (!e)
		return NULL;
	if (!pf_dtype_is_scalar(e->type))
		return error(c, raw, "D_OP_SCALAR", "requires an operand of integer or pointer type");
	int64_t step = 1;
	if (pf_dtype_is_pointer(e->type)) {
		uint64_t size = pf_dtype_base(pf_dtype_base(e->type)->ref)->size;
		if (size == 0 && pf_dtype_kind_of(pf_dtype_base(e->type)->ref) != PF_DT_VOID)
			return error(c, raw, "D_OP_INCOMPLETE", "requires a pointer to a complete type");
		step = size ? (int64_t)size : 1;
	}
	struct pf_dexpr *out = pf_dnode_unary(c, raw->op, &raw->pos, e);
	if (out) {
		out->type = e->type;
		out->step = step;
		out->is_alloca = e->is_alloca;
	}
	return out;
}

static struct pf_dexpr *sema_stringof(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *e)
{
	if (!pf_dtype_is_scalar(e->type) && !pf_dtype_is_string_like(e->type)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_STRINGOF_TYPE", "cannot apply stringof to a value of type %s",
				pf_dtype_text(c->p, e->type));
		return NULL;
	}
	return pf_dconv_string(c, e);
}

struct pf_dexpr *pf_dsema_unary(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *e = pf_dsema_any(c, raw->args[0], env);
	if (!e)
		return NULL;
	switch (raw->op) {
	case PF_DX_NEG:
	case PF_DX_BITNOT:
	case PF_DX_PLUS:
		return sema_arith1(c, raw, e);
	case PF_DX_NOT:
		return sema_not(c, raw, e);
	case PF_DX_DEREF:
		return sema_deref(c, raw, e);
	case PF_DX_ADDR:
		return sema_addr(c, raw, e);
	default:
		return sema_stringof(c, raw, e);
	}
}

/* Is it a call of an action? Those cannot stand in an arm. */
static bool is_action(const struct pf_dexpr *raw)
{
	if (raw->op != PF_DX_CALLNAME)
		return false;
	const struct pf_dfunc *f = pf_dfunc_find(raw->name);
	return f && f->kind != PF_DFK_SUBROUTINE;
}

/* Give both arms one type. */
static int unify(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr **a, struct pf_dexpr **b)
{
	struct pf_dexpr *x = *a, *y = *b;
	struct pf_dtype *to = NULL;
	if (pf_dtype_is_integer(x->type) && pf_dtype_is_integer(y->type)) {
		to = pf_dtype_arith(c->p, pf_dexpr_value_type(c, x), pf_dexpr_value_type(c, y));
	} else if ((pf_dtype_is_string(x->type) && pf_dconv_assignable(c, x->type, y)) ||
		   (pf_dtype_is_string(y->type) && pf_dconv_assignable(c, y->type, x)) ||
		   (pf_dtype_is_char_array(x->type) && pf_dtype_is_char_array(y->type))) {
		to = c->p->types.string;
	} else {
		x = pf_dconv_decay(c, x);
		y = pf_dconv_decay(c, y);
		if (!x || !y)
			return c->rc;
		if (pf_dconv_assignable(c, x->type, y) && !pf_dtype_is_integer(x->type))
			to = x->type;
		else if (pf_dconv_assignable(c, y->type, x) && !pf_dtype_is_integer(y->type))
			to = y->type;
	}
	if (!to || x->is_alloca != y->is_alloca)
		return pf_d_fail(c, &raw->pos, -EINVAL,
				 x->is_alloca != y->is_alloca ? "D_ALLOCA_INCOMPAT" : "D_OP_INCOMPAT",
				 "operator ?: operands must have compatible types: %s and %s",
				 pf_dtype_text(c->p, x->type), pf_dtype_text(c->p, y->type));
	*a = pf_dconv_assign(c, x, to);
	*b = *a ? pf_dconv_assign(c, y, to) : NULL;
	return *b ? 0 : c->rc;
}

static struct pf_dexpr *sema_cond(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	if (is_action(raw->args[1]) || is_action(raw->args[2])) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_ACT", "action cannot be used in a conditional context");
		return NULL;
	}
	struct pf_dexpr *test = pf_dsema_expr(c, raw->args[0], env);
	struct pf_dexpr *yes = test ? pf_dsema_expr(c, raw->args[1], env) : NULL;
	struct pf_dexpr *no = yes ? pf_dsema_expr(c, raw->args[2], env) : NULL;
	test = no ? pf_dconv_decay(c, test) : NULL;
	if (!test)
		return NULL;
	if (!pf_dtype_is_scalar(test->type))
		return error(c, raw, "D_OP_SCALAR", "requires a condition of scalar type");
	const struct pf_dxlator *xlator = yes->xlator == no->xlator ? yes->xlator : NULL;
	if (unify(c, raw, &yes, &no) < 0)
		return NULL;
	if (test->op == PF_DX_INT)
		return test->value ? yes : no;
	struct pf_dexpr *e = pf_dnode(c, PF_DX_COND, &raw->pos, 3);
	if (!e)
		return NULL;
	e->args[0] = test;
	e->args[1] = yes;
	e->args[2] = no;
	e->type = yes->type;
	e->is_alloca = yes->is_alloca;
	e->xlator = xlator;
	return pf_dnode_done(c, e) < 0 ? NULL : e;
}

static struct pf_dexpr *sema_comma(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *a = pf_dsema_expr(c, raw->args[0], env);
	struct pf_dexpr *b = a ? pf_dsema_expr(c, raw->args[1], env) : NULL;
	struct pf_dexpr *e = b ? pf_dnode_binary(c, PF_DX_COMMA, &raw->pos, a, b) : NULL;
	if (e) {
		e->type = b->type;
		e->is_alloca = b->is_alloca;
	}
	return e;
}

static struct pf_dexpr *dispatch(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	switch (raw->op) {
	case PF_DX_INT:
	case PF_DX_STRING:
		return pf_dnode_copy(c, raw);
	case PF_DX_NAME:
	case PF_DX_KSYM:
		return pf_dsema_name(c, raw, env);
	case PF_DX_AGG:
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_ACT",
				"aggregation @%.*s may not be used in a D expression", (int)raw->name.n, raw->name.p);
		return NULL;
	case PF_DX_CALLNAME:
		return pf_dsema_call(c, raw, env);
	case PF_DX_SUBSCRIPT:
		return pf_dsema_subscript(c, raw, env);
	case PF_DX_ARROW:
	case PF_DX_DOT:
		return pf_dsema_member(c, raw, env);
	case PF_DX_SIZEOF:
		return sema_sizeof(c, raw, env);
	case PF_DX_SIZEOF_TYPE:
		return size_of(c, raw, raw->named_type);
	case PF_DX_OFFSETOF:
		return sema_offsetof(c, raw);
	case PF_DX_XLATE:
		return pf_dsema_xlate(c, raw, env);
	case PF_DX_CAST:
		return sema_cast(c, raw, env);
	case PF_DX_PREINC:
	case PF_DX_PREDEC:
	case PF_DX_POSTINC:
	case PF_DX_POSTDEC:
		return sema_incdec(c, raw, env);
	case PF_DX_COND:
		return sema_cond(c, raw, env);
	case PF_DX_COMMA:
		return sema_comma(c, raw, env);
	default:
		break;
	}
	if (raw->op >= PF_DX_ASSIGN && raw->op <= PF_DX_ASSIGN_OR)
		return pf_dsema_assign(c, raw, env);
	if (raw->n_args == 1)
		return pf_dsema_unary(c, raw, env);
	return pf_dsema_binary(c, raw, env);
}

/* Expanded inlines can be deeper than what was parsed, so this counts anew: three times the limit of trees. */
enum { SEMA_DEPTH = 3 * PF_D_MAX_HEIGHT };

struct pf_dexpr *pf_dsema_any(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	if (c->rc < 0)
		return NULL;
	if (c->depth >= SEMA_DEPTH) {
		(void)pf_d_fail(c, &raw->pos, -EFBIG, "D_SYNTAX", "expression is nested too deeply");
		return NULL;
	}
	c->depth++;
	struct pf_dexpr *e = dispatch(c, raw, env);
	c->depth--;
	return c->rc < 0 ? NULL : e;
}

/* A translated struct that is used as a whole: every member that has a conversion. */
static struct pf_dexpr *build(struct pf_dcomp *c, const struct pf_dexpr *e)
{
	unsigned n = 0;
	for (const struct pf_dxlator_member *m = e->xlator->members; m; m = m->next)
		n++;
	struct pf_dexpr *b = pf_dnode(c, PF_DX_BUILD, &e->pos, n);
	if (!b)
		return NULL;
	b->type = e->type;
	b->build = pf_d_alloc(c, (n ? n : 1) * sizeof(struct pf_dmember *));
	if (!b->build)
		return NULL;
	unsigned i = 0;
	for (const struct pf_dxlator_member *m = e->xlator->members; m; m = m->next) {
		bool again = false;
		for (unsigned k = 0; k < i; k++)
			again = again || b->build[k] == m->member;
		if (again)
			continue; /* an alternative */
		struct pf_dexpr *v = pf_dsema_xlate_member(c, e, e->xlator, e->args[0], pf_view_of(m->member->name));
		if (v && v->op == PF_DX_XLATE)
			v = build(c, v);
		if (!v)
			return NULL;
		b->build[i] = m->member;
		b->args[i++] = v;
	}
	b->n_args = i;
	return pf_dnode_done(c, b) < 0 ? NULL : b;
}

struct pf_dexpr *pf_dsema_expr(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *e = pf_dsema_any(c, raw, env);
	if (e && e->op == PF_DX_SYMBOL && pf_dtype_kind_of(e->type) == PF_DT_VOID) {
		(void)pf_d_fail(c, &e->pos, -EINVAL, "D_SYM_NOTYPES",
				"no type is known for symbol %s%s%s: only its address can be used",
				e->symbol->module ? e->symbol->module : "", "`", e->symbol->name);
		return NULL;
	}
	return e && e->op == PF_DX_XLATE ? build(c, e) : e;
}

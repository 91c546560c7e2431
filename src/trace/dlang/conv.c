/* trace/dlang/conv.c - conversions that semantic analysis puts into the tree. */
#include <errno.h>

#include "trace/dlang/front.h"

bool pf_dexpr_is_zero(const struct pf_dexpr *e)
{
	return e->op == PF_DX_INT && e->value == 0;
}

bool pf_dexpr_is_bitfield(const struct pf_dexpr *e)
{
	return e->op == PF_DX_MEMBER && e->member->bits > 0;
}

struct pf_dtype *pf_dexpr_value_type(struct pf_dcomp *c, const struct pf_dexpr *e)
{
	enum { INT_BITS = 32 };
	if (!pf_dexpr_is_bitfield(e))
		return e->type;
	unsigned bits = e->member->bits;
	if (bits < INT_BITS || (bits == INT_BITS && pf_dtype_is_signed(e->type)))
		return c->p->types.i32;
	return bits == INT_BITS ? c->p->types.u32 : e->type;
}

struct pf_dexpr *pf_dconv_cast(struct pf_dcomp *c, struct pf_dexpr *e, struct pf_dtype *to)
{
	/* A bit-field of that type is none of its values: it is narrower. */
	if (!pf_dexpr_is_bitfield(e) &&
	    (e->type == to || (pf_dtype_same(e->type, to) && pf_dtype_kind_of(to) != PF_DT_ENUM))) {
		if (e->op == PF_DX_INT && e->type != to)
			return pf_dnode_int(c, &e->pos, to, e->value);
		return e;
	}
	if (e->op == PF_DX_INT)
		return pf_dnode_int(c, &e->pos, to, pf_dtype_wrap(to, (uint64_t)e->value));
	struct pf_dexpr *cast = pf_dnode_unary(c, PF_DX_CAST, &e->pos, e);
	if (cast) {
		cast->type = to;
		cast->is_alloca = e->is_alloca && pf_dtype_is_pointer(to);
	}
	return cast;
}

struct pf_dexpr *pf_dconv_decay(struct pf_dcomp *c, struct pf_dexpr *e)
{
	if (!pf_dtype_is_array(e->type))
		return e;
	struct pf_dtype *to = pf_dtype_pointer(c->p, pf_dtype_base(e->type)->ref);
	struct pf_dexpr *p = to ? pf_dnode_unary(c, PF_DX_ADDR, &e->pos, e) : NULL;
	if (!to)
		(void)pf_d_nomem(c);
	if (p) {
		p->type = to;
		p->is_alloca = e->is_alloca;
	}
	return p;
}

struct pf_dexpr *pf_dconv_string(struct pf_dcomp *c, struct pf_dexpr *e)
{
	struct pf_dtype *string = c->p->types.string;
	if (pf_dtype_is_string(e->type))
		return e;
	if (pf_dexpr_is_zero(e))
		return pf_dnode_int(c, &e->pos, string, 0);
	struct pf_dexpr *s = pf_dnode_unary(c, PF_DX_STRINGOF, &e->pos, e);
	if (s)
		s->type = string;
	return s;
}

static bool pointers_match(struct pf_dtype *a, struct pf_dtype *b)
{
	return pf_dtype_same(a, b) || pf_dtype_kind_of(pf_dtype_base(a)->ref) == PF_DT_VOID ||
	       pf_dtype_kind_of(pf_dtype_base(b)->ref) == PF_DT_VOID;
}

bool pf_dconv_assignable(struct pf_dcomp *c, struct pf_dtype *to, const struct pf_dexpr *from)
{
	(void)c;
	struct pf_dtype *t = pf_dtype_base(to), *f = pf_dtype_base(from->type);
	if (pf_dexpr_is_zero(from) && t->kind != PF_DT_FLOAT && !pf_dtype_is_dynamic(t) && t->kind != PF_DT_VOID)
		return true;
	if (pf_dtype_is_integer(t))
		return pf_dtype_is_integer(f);
	if (t->kind == PF_DT_STRING)
		return pf_dtype_is_string_like(f);
	if (t->kind == PF_DT_POINTER && f->kind == PF_DT_ARRAY)
		return pf_dtype_same(t->ref, f->ref) || pf_dtype_kind_of(t->ref) == PF_DT_VOID;
	if (t->kind == PF_DT_POINTER)
		return f->kind == PF_DT_POINTER && pointers_match(t, f);
	return (pf_dtype_is_record(t) || t->kind == PF_DT_ARRAY) && pf_dtype_same(t, f);
}

struct pf_dexpr *pf_dconv_assign(struct pf_dcomp *c, struct pf_dexpr *e, struct pf_dtype *to)
{
	struct pf_dtype *t = pf_dtype_base(to);
	if (t->kind == PF_DT_STRING)
		return pf_dconv_string(c, e);
	if (pf_dexpr_is_zero(e))
		return pf_dnode_int(c, &e->pos, to, 0);
	if (t->kind == PF_DT_POINTER)
		e = pf_dconv_decay(c, e);
	if (!e || !pf_dtype_is_scalar(t))
		return e;
	struct pf_dexpr *out = pf_dconv_cast(c, e, to);
	if (out && out != e)
		out->xlator = e->xlator;
	return out;
}

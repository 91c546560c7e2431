/* trace/dlang/sema_call.c - calls: number and types of arguments, by the row of the function. */
#include <errno.h>

#include "trace/dlang/front.h"

/* Least and most arguments that a row allows; + is any number. */
static void arity(const struct pf_dfunc *f, unsigned *ret_min, unsigned *ret_max)
{
	unsigned n = 0;
	bool optional = false;
	*ret_min = 0;
	for (const char *p = f->params; *p; p++) {
		if (*p == '[') {
			optional = true;
		} else if (*p == '+') {
			n = PF_D_MAX_ARGS;
		} else {
			n++;
			*ret_min += !optional;
		}
	}
	*ret_max = n;
}

/* The letter of parameter @i. */
static char letter(const struct pf_dfunc *f, unsigned i)
{
	for (const char *p = f->params; *p; p++) {
		if (*p == '[')
			continue;
		if (*p == '+')
			return '*';
		if (i-- == 0)
			return *p;
	}
	return '*';
}

static const char *letter_text(char ch)
{
	switch (ch) {
	case 'i':
		return "int64_t";
	case 's':
		return "string";
	case 'p':
		return "uintptr_t";
	case 'P':
		return "pointer to an object whose size is known";
	case 'a':
		return "void * (scratch memory of alloca( ) or copyin( ))";
	case 'l':
	case 'f':
		return "string literal";
	case '@':
		return "aggregation";
	default:
		return "value";
	}
}

/* Some functions have tags of their own for what is wrong with their arguments. */
static const char *count_tag(const struct pf_dfunc *f)
{
	switch (f->id) {
	case PF_DF_CLEAR:
		return "D_CLEAR_PROTO";
	case PF_DF_TRUNC:
		return "D_TRUNC_PROTO";
	case PF_DF_NORMALIZE:
	case PF_DF_DENORMALIZE:
		return "D_NORMALIZE_PROTO";
	case PF_DF_STACK:
		return "D_STACK_PROTO";
	case PF_DF_USTACK:
	case PF_DF_JSTACK:
		return "D_USTACK_PROTO";
	case PF_DF_QUANTIZE:
		return "D_QUANT_PROTO";
	case PF_DF_PCAP:
		return "D_PCAP_PROTO";
	default:
		return "D_PROTO_LEN";
	}
}

static const char *type_tag(const struct pf_dfunc *f, unsigned i, const struct pf_dexpr *arg)
{
	if (f->id == PF_DF_TRACEMEM && i == 0)
		return "D_TRACEMEM_ADDR";
	if (f->id == PF_DF_NORMALIZE && i == 1)
		return "D_NORMALIZE_SCALAR";
	if (f->id == PF_DF_PCAP && i == 0)
		return "D_PCAP_ADDR";
	if (f->id == PF_DF_PRINT && pf_dtype_is_pointer(arg->type))
		return "D_PRINT_SIZE";
	return "D_PROTO_ARG";
}

static int bad_arg(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *arg, unsigned i, char ch)
{
	return pf_d_fail(c, &arg->pos, -EINVAL, type_tag(f, i, arg),
			 "%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n\t argument: %s",
			 f->name, i + 1, letter_text(ch), pf_dtype_text(c->p, arg->type));
}

static bool matches(const struct pf_dexpr *e, char ch)
{
	struct pf_dtype *base = pf_dtype_base(e->type);
	switch (ch) {
	case 'i':
		return pf_dtype_is_integer(base);
	case 's':
		return pf_dtype_is_string_like(base) || pf_dexpr_is_zero(e);
	case 'p':
		return pf_dtype_is_scalar(base) || base->kind == PF_DT_ARRAY;
	case 'P':
		return base->kind == PF_DT_POINTER && pf_dtype_base(base->ref)->size > 0;
	case 'a':
		return base->kind == PF_DT_POINTER && e->is_alloca;
	case 'l':
		return e->op == PF_DX_STRING;
	default:
		return base->kind != PF_DT_VOID && base->kind != PF_DT_FUNCTION && !pf_dtype_is_dynamic(base) &&
		       !pf_dtype_is_float(base) && base->size > 0;
	}
}

static struct pf_dexpr *convert(struct pf_dcomp *c, struct pf_dexpr *e, char ch)
{
	switch (ch) {
	case 'i':
		return pf_dconv_cast(c, e,
				     pf_dtype_is_signed(e->type) || pf_dtype_base(e->type)->size < 8 ? c->p->types.i64
												     : c->p->types.u64);
	case 's':
		return pf_dconv_string(c, e);
	case 'p':
		if (pf_dtype_is_integer(e->type))
			return pf_dconv_cast(c, e, c->p->types.uintptr_t_);
		return pf_dconv_decay(c, e);
	default:
		return e;
	}
}

static int check_count(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *raw)
{
	unsigned min, max, n = raw->n_args;
	arity(f, &min, &max);
	if (n >= min && n <= max)
		return 0;
	const char *how = min == max ? "" : n < min ? "at least " : "at most ";
	return pf_d_fail(c, &raw->pos, -EINVAL, count_tag(f), "%s( ) prototype mismatch: %u args passed, %s%u expected",
			 f->name, n, how, n < min ? min : max);
}

int pf_dsema_call_args(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *raw,
		       const struct pf_denv *env, struct pf_dexpr *call)
{
	if (check_count(c, f, raw) < 0)
		return c->rc;
	for (unsigned i = 0; i < raw->n_args; i++) {
		char ch = letter(f, i);
		struct pf_dexpr *e =
			ch == '@' ? pf_dsema_agg_arg(c, raw->args[i], f) : pf_dsema_expr(c, raw->args[i], env);
		if (!e)
			return c->rc;
		if (ch != '@' && ch != 'f') {
			if (!matches(e, ch))
				return bad_arg(c, f, e, i, ch);
			e = convert(c, e, ch);
			if (!e)
				return c->rc;
		}
		call->args[i] = e;
	}
	return pf_dnode_done(c, call);
}

static struct pf_dtype *result_type(struct pf_dcomp *c, const struct pf_dfunc *f)
{
	if (f->result[0] == '\0')
		return c->p->types.v;
	struct pf_dtype *t = pf_dprog_type(c->p, pf_view_of(f->result));
	return t ? t : c->p->types.voidp;
}

struct pf_dexpr *pf_dsema_call(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	const struct pf_dfunc *f = pf_dfunc_find(raw->name);
	if (!f) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_FUNC_UNDEF", "undefined function name: %.*s",
				(int)raw->name.n, raw->name.p);
		return NULL;
	}
	if (f->kind != PF_DFK_SUBROUTINE) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_CG_EXPR",
				"%s function %s( ) may not be called from a D expression (D program context required)",
				f->kind == PF_DFK_ACTION ? "tracing" : "aggregating", f->name);
		return NULL;
	}
	if (f->unsupported) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_FUNC_UNDEF", "%s( ) %s", f->name, f->unsupported);
		return NULL;
	}
	struct pf_dexpr *e = pf_dnode(c, PF_DX_CALL, &raw->pos, raw->n_args);
	if (!e)
		return NULL;
	e->func = f;
	if (pf_dsema_call_args(c, f, raw, env, e) < 0)
		return NULL;
	if (f->id == PF_DF_ALLOCA && e->args[0]->op == PF_DX_INT && e->args[0]->value <= 0) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ALLOCA_SIZE", "alloca( ) size must be positive");
		return NULL;
	}
	e->type = result_type(c, f);
	e->is_alloca = (f->flags & PF_DFF_ALLOCA) != 0;
	if (f->flags & PF_DFF_DESTRUCTIVE) {
		c->p->destructive = true;
		if (c->clause)
			c->clause->flags |= PF_DC_DESTRUCTIVE;
	}
	return e;
}

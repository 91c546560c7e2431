/* trace/dlang/sema_member.c - members of structures, through translators where they say so; args[]. */
#include <errno.h>

#include "trace/dlang/front.h"

const struct pf_dxlator *pf_dxlator_find(struct pf_dcomp *c, struct pf_dtype *output, struct pf_dtype *input)
{
	const struct pf_dxlator *near = NULL;
	for (const struct pf_dxlator *x = c->p->xlators; x; x = x->next) {
		if (!pf_dtype_same(x->output, output))
			continue;
		if (pf_dtype_same(x->input, input))
			return x;
		if (pf_dtype_is_integer(x->input) && pf_dtype_is_integer(input))
			near = x;
		if (pf_dtype_is_pointer(x->input) && pf_dtype_is_pointer(input) &&
		    pf_dtype_kind_of(pf_dtype_base(input)->ref) == PF_DT_VOID)
			near = x;
	}
	return near;
}

/* What an attempt may change, to try the next alternative. */
struct attempt {
	int rc;
	unsigned depth;
	struct pf_err *err;
	struct pf_err unseen;
	struct pf_ddiag diag;
};

static void attempt_begin(struct pf_dcomp *c, struct attempt *a)
{
	*a = (struct attempt){ .rc = c->rc, .depth = c->depth, .err = c->err, .diag = c->p->diag };
	c->err = &a->unseen;
}

static void attempt_end(struct pf_dcomp *c, const struct attempt *a)
{
	c->rc = a->rc;
	c->depth = a->depth;
	c->err = a->err;
	c->p->diag = a->diag;
}

static bool has_more(const struct pf_dxlator_member *m, struct pf_view name)
{
	for (m = m->next; m; m = m->next) {
		if (pf_view_is(name, m->member->name))
			return true;
	}
	return false;
}

/* The value of a member's expression as the member's type. */
static struct pf_dexpr *as_member(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dmember *m,
				  struct pf_dexpr *e)
{
	struct pf_dtype *to = pf_dtype_base(m->type);
	if (e->op == PF_DX_XLATE && pf_dtype_same(e->type, to))
		return e;
	if (pf_dtype_is_array(to) && (pf_dtype_is_array(e->type) || pf_dtype_is_string(e->type)))
		return e; /* as long as its source is */
	bool loose = pf_dtype_is_scalar(to) && (pf_dtype_is_scalar(e->type) || pf_dtype_is_array(e->type));
	if (!loose && !pf_dconv_assignable(c, m->type, e)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_XLATE_INCOMPAT",
				"translator member %s of type %s cannot take a value of type %s", m->name,
				pf_dtype_text(c->p, m->type), pf_dtype_text(c->p, e->type));
		return NULL;
	}
	if (!loose)
		return pf_dconv_assign(c, e, m->type);
	const struct pf_dxlator *xlator = e->xlator;
	e = pf_dconv_decay(c, e);
	e = e ? pf_dconv_cast(c, e, m->type) : NULL;
	if (e && xlator)
		e->xlator = xlator;
	return e;
}

struct pf_dexpr *pf_dsema_xlate_member(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dxlator *x,
				       struct pf_dexpr *input, struct pf_view name)
{
	const struct pf_dxlator_member *m = x->members;
	struct pf_denv env = { .name = x->param, .typed = input };
	for (; m; m = m->next) {
		if (!pf_view_is(name, m->member->name))
			continue;
		bool more = has_more(m, name);
		const struct pf_dpos *blame = c->blame;
		if (x->library && !blame)
			c->blame = &raw->pos;
		struct attempt a;
		if (more)
			attempt_begin(c, &a);
		struct pf_dexpr *e = pf_dsema_any(c, m->expr, &env);
		if (e)
			e = as_member(c, raw, m->member, e);
		c->blame = blame;
		if (more)
			attempt_end(c, &a);
		if (e || !more)
			return e;
	}
	uint64_t at;
	if (!pf_dtype_member(c->p, x->output, name, &at))
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_TYPE_MEMBER", "%.*s is not a member of %s", (int)name.n,
				name.p, pf_dtype_text(c->p, x->output));
	else
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_XLATE_NOCONV",
				"translator does not define conversion for member: %.*s", (int)name.n, name.p);
	return NULL;
}

/* curcpu->cpu_id and its kin are built-ins: there is no such structure in memory. */
static struct pf_dexpr *curcpu_member(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	static const char *const rows[][2] = {
		{ "cpu_id", "cpu" }, { "cpu_pset", "pset" }, { "cpu_chip", "chip" }, { "cpu_lgrp", "lgrp" }
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!pf_view_is(raw->name, rows[i][0]))
			continue;
		struct pf_dexpr *name = pf_dnode(c, PF_DX_NAME, &raw->pos, 0);
		if (!name)
			return NULL;
		name->name = pf_view_of(rows[i][1]);
		name->module = PF_VIEW("");
		name->name_scope = PF_DV_GLOBAL;
		(void)env;
		return pf_dsema_name(c, name, NULL);
	}
	(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_TYPE_MEMBER", "%.*s is not a member of cpuinfo_t", (int)raw->name.n,
			raw->name.p);
	return NULL;
}

struct pf_dexpr *pf_dxlate_input(struct pf_dcomp *c, struct pf_dexpr *e)
{
	const struct pf_dxlator *x = e->xlator;
	while (e->op == PF_DX_CAST && e->args[0]->xlator == x)
		e = e->args[0];
	return e->op == PF_DX_CAST ? e->args[0] : pf_dconv_cast(c, e, x->input);
}

/* The object that -> or . looks into. */
static struct pf_dexpr *object(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *left)
{
	if (raw->op == PF_DX_DOT) {
		if (pf_dtype_is_record(left->type))
			return left;
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_SOU",
				"operator . cannot be applied to type \"%s\"; must be struct or union",
				pf_dtype_text(c->p, left->type));
		return NULL;
	}
	left = pf_dconv_decay(c, left);
	if (!left)
		return NULL;
	if (!pf_dtype_is_pointer(left->type)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_PTR",
				"operator -> must be applied to a pointer, not \"%s\"",
				pf_dtype_text(c->p, left->type));
		return NULL;
	}
	struct pf_dtype *to = pf_dtype_base(left->type)->ref;
	if (!pf_dtype_is_record(to)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_SOU",
				"operator -> cannot be applied to pointer to type \"%s\"; must be struct or union",
				pf_dtype_text(c->p, to));
		return NULL;
	}
	if (left->op == PF_DX_ADDR)
		return left->args[0];
	struct pf_dexpr *e = pf_dnode_unary(c, PF_DX_DEREF, &raw->pos, left);
	if (e) {
		e->type = to;
		e->is_lvalue = true;
		e->is_alloca = left->is_alloca;
	}
	return e;
}

struct pf_dexpr *pf_dsema_member(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *left = pf_dsema_any(c, raw->args[0], env);
	if (!left)
		return NULL;
	if (left->op == PF_DX_BUILTIN && left->builtin->id == PF_DB_CURCPU && raw->op == PF_DX_ARROW)
		return curcpu_member(c, raw, env);
	if (left->op == PF_DX_XLATE && raw->op == PF_DX_DOT)
		return pf_dsema_xlate_member(c, raw, left->xlator, left->args[0], raw->name);
	if (left->xlator && raw->op == PF_DX_ARROW) {
		const struct pf_dxlator *x = left->xlator;
		struct pf_dexpr *input = pf_dxlate_input(c, left);
		return input ? pf_dsema_xlate_member(c, raw, x, input, raw->name) : NULL;
	}
	struct pf_dexpr *base = object(c, raw, left);
	if (!base)
		return NULL;
	if (pf_dtype_complete(c->p, base->type) < 0) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_INCOMPLETE",
				"operator %s cannot look into incomplete type \"%s\"", pf_dexpr_op_text(raw->op),
				pf_dtype_text(c->p, base->type));
		return NULL;
	}
	uint64_t at;
	const struct pf_dmember *m = pf_dtype_member(c->p, base->type, raw->name, &at);
	if (!m) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_TYPE_MEMBER", "%.*s is not a member of %s", (int)raw->name.n,
				raw->name.p, pf_dtype_text(c->p, base->type));
		return NULL;
	}
	struct pf_dexpr *e = pf_dnode_unary(c, PF_DX_MEMBER, &raw->pos, base);
	if (e) {
		e->member = m;
		e->bit_offset = at;
		e->type = m->type;
		e->is_lvalue = base->is_lvalue;
		e->is_alloca = base->is_alloca;
	}
	return e;
}

/* A pointer keeps the input as its value; a struct waits for the member that is wanted. */
static struct pf_dexpr *translated(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_dtype *type,
				   const struct pf_dxlator *x, struct pf_dexpr *input)
{
	bool by_pointer = pf_dtype_is_pointer(type) && pf_dtype_is_scalar(input->type);
	struct pf_dexpr *e = pf_dnode_unary(c, by_pointer ? PF_DX_CAST : PF_DX_XLATE, pos, input);
	if (e) {
		e->type = type;
		e->xlator = x;
	}
	return e;
}

struct pf_dexpr *pf_dsema_xlate(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *input = pf_dsema_any(c, raw->args[0], env);
	if (!input)
		return NULL;
	struct pf_dtype *type = raw->named_type;
	struct pf_dtype *record = pf_dtype_is_pointer(type) ? pf_dtype_base(type)->ref : type;
	if (!pf_dtype_is_record(record)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_XLATE_SOU",
				"cannot translate to \"%s\": not a struct or union, or pointer to one",
				pf_dtype_text(c->p, type));
		return NULL;
	}
	const struct pf_dxlator *x = pf_dxlator_find(c, record, input->type);
	if (!x) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_XLATE_NONE", "cannot translate from \"%s\" to \"%s\"",
				pf_dtype_text(c->p, input->type), pf_dtype_text(c->p, type));
		return NULL;
	}
	input = pf_dtype_is_scalar(input->type) ? pf_dconv_cast(c, input, x->input) : input;
	return input ? translated(c, &raw->pos, type, x, input) : NULL;
}

static struct pf_dexpr *no_arg(struct pf_dcomp *c, const struct pf_dexpr *raw, int rc, int64_t n, unsigned have)
{
	if (rc == -ERANGE)
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARGS_IDX",
				"index %lld is out of range for args[ ] of this probe (%u arguments)", (long long)n,
				have);
	else if (rc == -EXDEV)
		(void)pf_d_fail(
			c, &raw->pos, -EINVAL, "D_ARGS_MULTI",
			"args[ ] may not be referenced because probe description matches an unstable set of probes");
	else if (rc == -ENOMEM)
		(void)pf_d_nomem(c);
	else
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARGS_NONE",
				"args[ ] may not be referenced because no argument types are known for the probe");
	return NULL;
}

struct pf_dexpr *pf_dsema_args(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	const struct pf_dhost *h = &c->p->host;
	struct pf_dexpr *index = raw->n_args == 2 ? pf_dsema_expr(c, raw->args[1], env) : NULL;
	if (c->rc < 0)
		return NULL;
	if (!index || index->op != PF_DX_INT || !pf_dtype_is_integer(index->type)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARGS_TYPE",
				"args[ ] must be indexed by one integer constant");
		return NULL;
	}
	struct pf_darg arg = { 0 };
	unsigned have = 0;
	int rc = index->value < 0 ? -ERANGE : index->value > 64 ? -ERANGE : 0;
	if (rc == 0)
		rc = h->probe_arg && c->clause
			     ? h->probe_arg(h->arg, c->p, c->clause, (unsigned)index->value, &arg, &have)
			     : -ENOENT;
	if (rc < 0)
		return no_arg(c, raw, rc, index->value, have);

	struct pf_dexpr *slot = pf_dnode_int(c, &index->pos, c->p->types.i64, arg.slot);
	struct pf_dexpr *e = slot ? pf_dnode_unary(c, PF_DX_BUILTIN, &raw->args[0]->pos, slot) : NULL;
	if (!e)
		return NULL;
	e->builtin = pf_dbuiltin_find(PF_VIEW("args"));
	e->type = arg.native ? arg.native : arg.type ? arg.type : c->p->types.dyn;
	c->clause->builtins |= UINT64_C(1) << PF_DB_ARGS;
	if (!arg.type || !arg.native || pf_dtype_same(arg.type, arg.native))
		return e;
	struct pf_dtype *record = pf_dtype_is_pointer(arg.type) ? pf_dtype_base(arg.type)->ref : arg.type;
	const struct pf_dxlator *x = pf_dtype_is_record(record) ? pf_dxlator_find(c, record, arg.native) : NULL;
	if (x)
		return translated(c, &e->pos, arg.type, x, e);
	if (pf_dtype_is_scalar(arg.type) && pf_dtype_is_scalar(arg.native) && !pf_dtype_is_record(record))
		return pf_dconv_cast(c, e, arg.type);
	if (pf_dtype_is_string(arg.type) && (pf_dtype_is_string_like(arg.native) || pf_dtype_is_scalar(arg.native)))
		return pf_dconv_string(c, e);
	(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARGS_XLATOR",
			"translator for args[%lld] from type %s to type %s is not defined", (long long)index->value,
			pf_dtype_text(c->p, arg.native), pf_dtype_text(c->p, arg.type));
	return NULL;
}

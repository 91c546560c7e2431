/* trace/dlang/sema.c - clauses and statements: predicates, actions, and the order in which actions may stand. */
#include <errno.h>

#include "trace/dlang/front.h"

static int order(struct pf_dcomp *c, const struct pf_dexpr *raw, const char *tag, const char *what)
{
	return pf_d_fail(c, &raw->pos, -EINVAL, tag, "%.*s( ) %s", (int)raw->name.n, raw->name.p, what);
}

/* Rules about speculate(), commit() and what records data. */
static int check_order(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dfunc *f)
{
	unsigned did = c->clause->flags;
	if (f->id == PF_DF_SPECULATE) {
		if (did & PF_DC_SPECULATES)
			return order(c, raw, "D_SPEC_SPEC", "may not be called multiple times in a clause");
		if (did & PF_DC_RECORDS)
			return order(c, raw, "D_SPEC_DREC", "may not follow data-recording action(s)");
		if (did & PF_DC_COMMITS)
			return order(c, raw, "D_SPEC_COMM", "may not follow commit( )");
	} else if (f->id == PF_DF_COMMIT) {
		if (did & PF_DC_RECORDS)
			return order(c, raw, "D_COMM_DREC", "may not follow data-recording action(s)");
	} else if (did & PF_DC_COMMITS && f->flags & PF_DFF_RECORDS) {
		return order(c, raw, "D_DREC_COMM", "is a data-recording action and may not follow commit( )");
	}
	if (did & PF_DC_SPECULATES && f->id == PF_DF_EXIT)
		return order(c, raw, "D_EXIT_SPEC", "may not follow speculate( )");
	if (did & PF_DC_SPECULATES && f->flags & PF_DFF_DESTRUCTIVE)
		return order(c, raw, "D_ACT_SPEC", "is destructive and may not follow speculate( )");
	return 0;
}

static void note(struct pf_dcomp *c, const struct pf_dfunc *f)
{
	unsigned *flags = &c->clause->flags;
	if (f->flags & PF_DFF_RECORDS)
		*flags |= PF_DC_RECORDS;
	if (f->flags & PF_DFF_CONSUMER)
		*flags |= PF_DC_CONSUMER;
	if (f->flags & PF_DFF_DESTRUCTIVE) {
		*flags |= PF_DC_DESTRUCTIVE;
		c->p->destructive = true;
	}
	if (f->id == PF_DF_SPECULATE)
		*flags |= PF_DC_SPECULATES;
	if (f->id == PF_DF_COMMIT)
		*flags |= PF_DC_COMMITS;
	if (f->id == PF_DF_EXIT)
		*flags |= PF_DC_EXITS;
}

/* [format,] @a [, @b ...] */
static int printa_args(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *raw, struct pf_dexpr *call)
{
	bool has_format = raw->n_args > 0 && raw->args[0]->op != PF_DX_AGG;
	const struct pf_dagg *first = NULL;
	if (raw->n_args < (has_format ? 2U : 1U))
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_PRINTA_PROTO",
				 "printa( ) prototype mismatch: %u args passed, at least %d expected", raw->n_args,
				 has_format ? 2 : 1);
	if (has_format) {
		call->args[0] = pf_dsema_expr(c, raw->args[0], NULL);
		if (!call->args[0])
			return c->rc;
		if (call->args[0]->op != PF_DX_STRING)
			return pf_d_fail(c, &raw->pos, -EINVAL, "D_PRINTF_ARG_FMT",
					 "printa( ) format must be a string constant");
	}
	for (unsigned i = has_format; i < raw->n_args; i++) {
		struct pf_dexpr *e = pf_dsema_agg_arg(c, raw->args[i], f);
		if (!e)
			return c->rc;
		call->args[i] = e;
		if (!first)
			first = e->agg;
		bool same = first->n_keys == e->agg->n_keys;
		for (unsigned k = 0; same && k < first->n_keys; k++)
			same = pf_dtype_kind_of(first->key_types[k]) == pf_dtype_kind_of(e->agg->key_types[k]);
		if (!same)
			return pf_d_fail(c, &e->pos, -EINVAL, "D_PRINTA_AGGKEY",
					 "printa( ) keys of @%s and @%s do not match", first->name, e->agg->name);
	}
	if (pf_dnode_done(c, call) < 0)
		return c->rc;
	return has_format ? pf_dformat_check_keys(c, f, call, first) : 0;
}

static int trace_args(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *call)
{
	if (raw->n_args != 1)
		return pf_dsema_call_args(c, call->func, raw, NULL, call); /* says so */
	struct pf_dexpr *e = pf_dsema_expr(c, raw->args[0], NULL);
	if (!e)
		return c->rc;
	enum pf_dtype_kind kind = pf_dtype_kind_of(e->type);
	if (kind == PF_DT_VOID || kind == PF_DT_FUNCTION)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_TRACE_VOID",
				 "trace( ) may not be applied to a void expression");
	if (pf_dtype_is_dynamic(e->type) || pf_dtype_base(e->type)->size == 0 || kind == PF_DT_FLOAT)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_TRACE_DYN",
				 "trace( ) may not be applied to an expression of type %s",
				 pf_dtype_text(c->p, e->type));
	call->args[0] = e;
	return pf_dnode_done(c, call);
}

static int check_tracemem(struct pf_dcomp *c, const struct pf_dexpr *call)
{
	const struct pf_dexpr *n = call->args[1];
	if (n->op != PF_DX_INT || n->value <= 0 || n->value > UINT16_MAX)
		return pf_d_fail(c, &n->pos, -EINVAL, "D_TRACEMEM_SIZE",
				 "tracemem( ) argument #2 must be a positive integer constant up to %d", UINT16_MAX);
	return 0;
}

/* Checks that the letters of the table cannot express. */
static int check_action(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call)
{
	switch (f->id) {
	case PF_DF_PRINTF:
	case PF_DF_SYSTEM:
	case PF_DF_FREOPEN:
		return pf_dformat_check(c, f, call);
	case PF_DF_TRACEMEM:
		return check_tracemem(c, call);
	case PF_DF_NORMALIZE:
		if (pf_dexpr_is_zero(call->args[1]))
			return pf_d_fail(c, &call->pos, -EINVAL, "D_NORMALIZE_SCALAR", "normalize( ) by zero");
		return 0;
	default:
		return 0;
	}
}

int pf_dsema_action(struct pf_dcomp *c, struct pf_dstmt *s, const struct pf_dexpr *raw, const struct pf_dfunc *f)
{
	if (f->unsupported)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_FUNC_UNDEF", "%s( ) %s", f->name, f->unsupported);
	if (check_order(c, raw, f) < 0)
		return c->rc;
	s->kind = PF_DS_ACTION;
	if (f->flags & PF_DFF_KEY) {
		s->expr = pf_dsema_key_call(c, raw, f);
		note(c, f);
		return c->rc;
	}
	struct pf_dexpr *call = pf_dnode(c, PF_DX_CALL, &raw->pos, raw->n_args);
	if (!call)
		return c->rc;
	call->func = f;
	call->type = c->p->types.v;
	int rc = f->id == PF_DF_PRINTA	? printa_args(c, f, raw, call)
		 : f->id == PF_DF_TRACE ? trace_args(c, raw, call)
					: pf_dsema_call_args(c, f, raw, NULL, call);
	if (rc == 0)
		rc = check_action(c, f, call);
	s->expr = call;
	if (rc == 0)
		note(c, f);
	return rc;
}

static int sema_aggregate(struct pf_dcomp *c, struct pf_dstmt *s, const struct pf_dexpr *raw)
{
	if (c->clause->flags & PF_DC_SPECULATES)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_AGG_SPEC",
				 "aggregating actions may not follow speculate( )");
	if (c->clause->flags & PF_DC_COMMITS)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_AGG_COMM", "aggregating actions may not follow commit( )");
	int rc = pf_dsema_aggregate(c, s, raw);
	c->clause->flags |= PF_DC_AGGREGATES;
	return rc;
}

static int sema_list(struct pf_dcomp *c, struct pf_dstmt *list);

static int sema_if(struct pf_dcomp *c, struct pf_dstmt *s)
{
	struct pf_dexpr *e = pf_dsema_expr(c, s->expr, NULL);
	e = e ? pf_dconv_decay(c, e) : NULL;
	if (!e)
		return c->rc;
	if (!pf_dtype_is_scalar(e->type))
		return pf_d_fail(c, &s->pos, -EINVAL, "D_PRED_SCALAR", "condition of if must be of scalar type, not %s",
				 pf_dtype_text(c->p, e->type));
	s->expr = e;
	if (sema_list(c, s->then) < 0)
		return c->rc;
	return sema_list(c, s->otherwise);
}

static int sema_stmt(struct pf_dcomp *c, struct pf_dstmt *s)
{
	const struct pf_dexpr *raw = s->expr;
	if (s->kind == PF_DS_IF)
		return sema_if(c, s);
	if (raw->op >= PF_DX_ASSIGN && raw->op <= PF_DX_ASSIGN_OR && raw->args[0]->op == PF_DX_AGG)
		return sema_aggregate(c, s, raw);
	if (raw->op == PF_DX_AGG)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_AGG_NULL",
				 "aggregation @%.*s must be assigned an aggregating function", (int)raw->name.n,
				 raw->name.p);
	const struct pf_dfunc *f = raw->op == PF_DX_CALLNAME ? pf_dfunc_find(raw->name) : NULL;
	/* discard() is an action of no record; aggregating functions are refused by the call. */
	if (f && f->kind == PF_DFK_ACTION)
		return pf_dsema_action(c, s, raw, f);
	s->expr = pf_dsema_expr(c, raw, NULL);
	return c->rc;
}

static int sema_list(struct pf_dcomp *c, struct pf_dstmt *list)
{
	for (struct pf_dstmt *s = list; s; s = s->next) {
		if (sema_stmt(c, s) < 0)
			return c->rc;
	}
	return 0;
}

static int sema_predicate(struct pf_dcomp *c, struct pf_dclause *clause, const struct pf_dexpr *raw)
{
	struct pf_dexpr *e = pf_dsema_expr(c, raw, NULL);
	e = e ? pf_dconv_decay(c, e) : NULL;
	if (!e)
		return c->rc;
	if (!pf_dtype_is_scalar(e->type))
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_PRED_SCALAR",
				 "predicate result must be of scalar type, not %s", pf_dtype_text(c->p, e->type));
	clause->predicate = e;
	return 0;
}

static int match(struct pf_dcomp *c, struct pf_dclause *clause)
{
	const struct pf_dhost *h = &c->p->host;
	const struct pf_ddesc *desc = clause->descs;
	struct pf_err why = { 0 };
	int rc = h->match ? h->match(h->arg, c->p, clause, &desc, &why) : 0;
	if (rc >= 0)
		return 0;
	if (rc == -ENOENT && why.text[0] == '\0')
		return pf_d_fail(c, desc ? &desc->pos : &clause->pos, rc, "D_PDESC_ZERO",
				 "probe description %s does not match any probes", desc ? desc->text : "");
	return pf_d_fail(c, &clause->pos, rc, rc == -ENOENT ? "D_PDESC_ZERO" : "D_PDESC_INVAL", "%s",
			 why.text[0] ? why.text : "probes cannot be looked up");
}

int pf_dsema_clause(struct pf_dcomp *c, struct pf_dclause *clause, struct pf_dexpr *predicate, struct pf_dstmt *stmts)
{
	c->clause = clause;
	clause->id = c->p->n_clauses;
	clause->stmts = stmts;
	if (!stmts)
		clause->flags |= PF_DC_DEFAULT;
	int rc = match(c, clause);
	if (rc == 0 && predicate)
		rc = sema_predicate(c, clause, predicate);
	if (rc == 0)
		rc = sema_list(c, stmts);
	c->clause = NULL;
	if (rc < 0)
		return rc;
	PF_D_APPEND(c->p->clauses, c->p->syms->clauses_end, clause);
	c->p->n_clauses++;
	return 0;
}

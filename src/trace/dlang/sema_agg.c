/* trace/dlang/sema_agg.c - aggregations: definition, keys, parameters of the quantize family. */
#include <errno.h>

#include "trace/dlang/front.h"

struct pf_dagg *pf_dagg_get(struct pf_dcomp *c, struct pf_view name, const struct pf_dpos *pos)
{
	struct pf_dsym *s = pf_dsym_find(c->p, PF_DN_AGG, name);
	if (s)
		return s->agg;
	s = pf_dsym_add(c, PF_DN_AGG, name);
	struct pf_dagg *a = s ? pf_d_alloc(c, sizeof(*a)) : NULL;
	if (!a)
		return NULL;
	s->agg = a;
	a->name = s->name.p;
	a->pos = *pos;
	a->id = c->p->n_aggs++;
	PF_D_APPEND(c->p->aggs, c->p->syms->aggs_end, a);
	return a;
}

/* Tags for a wrong aggregation argument, by function. */
static const char *arg_tag(const struct pf_dfunc *f, bool undefined)
{
	switch (f->id) {
	case PF_DF_CLEAR:
		return undefined ? "D_CLEAR_AGGBAD" : "D_CLEAR_AGGARG";
	case PF_DF_TRUNC:
		return undefined ? "D_TRUNC_AGGBAD" : "D_TRUNC_AGGARG";
	case PF_DF_PRINTA:
		return undefined ? "D_PRINTA_AGGBAD" : "D_PRINTA_AGGARG";
	default:
		return undefined ? "D_NORMALIZE_AGGBAD" : "D_NORMALIZE_AGGARG";
	}
}

struct pf_dexpr *pf_dsema_agg_arg(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dfunc *f)
{
	if (raw->op != PF_DX_AGG || raw->n_args > 0) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, arg_tag(f, false),
				"%s( ) argument must be an aggregation without keys", f->name);
		return NULL;
	}
	struct pf_dsym *s = pf_dsym_find(c->p, PF_DN_AGG, raw->name);
	if (!s || !s->agg->func) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, arg_tag(f, true), "undefined aggregation: @%.*s",
				pf_view_is(raw->name, "_") ? 0 : (int)raw->name.n, raw->name.p);
		return NULL;
	}
	struct pf_dexpr *e = pf_dnode(c, PF_DX_AGG, &raw->pos, 0);
	if (e) {
		e->agg = s->agg;
		e->type = c->p->types.v;
	}
	return e;
}

static struct pf_dtype *call_key_type(struct pf_dcomp *c, const struct pf_dfunc *f)
{
	switch (f->id) {
	case PF_DF_STACK:
		return c->p->types.stack;
	case PF_DF_USTACK:
	case PF_DF_JSTACK:
		return c->p->types.ustack;
	case PF_DF_SYM:
	case PF_DF_FUNC:
	case PF_DF_MOD:
		return c->p->types.symaddr;
	default:
		return c->p->types.usymaddr;
	}
}

static int stack_args(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *call)
{
	bool user = f->id != PF_DF_STACK;
	for (unsigned i = 0; i < call->n_args; i++) {
		const struct pf_dexpr *a = call->args[i];
		const char *tag = !user ? "D_STACK_SIZE" : i == 0 ? "D_USTACK_FRAMES" : "D_USTACK_STRSIZE";
		if (a->op != PF_DX_INT || a->value < (i == 0 ? 1 : 0) || a->value > INT32_MAX)
			return pf_d_fail(c, &a->pos, -EINVAL, tag,
					 "%s( ) argument #%u must be a positive integer constant", f->name, i + 1);
	}
	return 0;
}

/* stack(n), sym(a) ... as a key, or as a statement (the caller says what it is then). */
struct pf_dexpr *pf_dsema_key_call(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dfunc *f)
{
	struct pf_dexpr *e = pf_dnode(c, PF_DX_CALL, &raw->pos, raw->n_args);
	if (!e)
		return NULL;
	e->func = f;
	e->type = call_key_type(c, f);
	if (pf_dsema_call_args(c, f, raw, NULL, e) < 0)
		return NULL;
	bool is_stack = f->id == PF_DF_STACK || f->id == PF_DF_USTACK || f->id == PF_DF_JSTACK;
	if (is_stack && stack_args(c, f, e) < 0)
		return NULL;
	if (is_stack && c->clause)
		c->clause->flags |= f->id == PF_DF_STACK ? PF_DC_KSTACK : PF_DC_USTACK;
	return e;
}

struct pf_dexpr *pf_dsema_key(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	const struct pf_dfunc *f = raw->op == PF_DX_CALLNAME ? pf_dfunc_find(raw->name) : NULL;
	if (f && f->flags & PF_DFF_KEY)
		return pf_dsema_key_call(c, raw, f);
	struct pf_dexpr *e = pf_dsema_expr(c, raw, NULL);
	if (!e)
		return NULL;
	if (pf_dtype_is_char_array(e->type))
		e = pf_dconv_string(c, e);
	else if (pf_dtype_is_array(e->type))
		e = pf_dconv_decay(c, e);
	if (!e)
		return NULL;
	struct pf_dtype *base = pf_dtype_base(e->type);
	if (base->size == 0 || pf_dtype_is_dynamic(base) || pf_dtype_is_float(base)) {
		(void)pf_d_fail(c, &e->pos, -EINVAL, "D_KEY_TYPE", "expression of type %s cannot be a key",
				pf_dtype_text(c->p, e->type));
		return NULL;
	}
	return e;
}

static int bad_key(struct pf_dcomp *c, const struct pf_dagg *a, const struct pf_dexpr *k, unsigned i)
{
	return pf_d_fail(c, &k->pos, -EINVAL, "D_KEY_TYPE",
			 "@%s[ ] key #%u is incompatible with prototype:\n\tprototype: %s\n\t argument: %s", a->name,
			 i + 1, pf_dtype_text(c->p, a->key_types[i]), pf_dtype_text(c->p, k->type));
}

/* One key against what the first use said; a wider integer widens the key. */
static int match_key(struct pf_dcomp *c, struct pf_dagg *a, unsigned i, struct pf_dexpr **k)
{
	struct pf_dtype *want = a->key_types[i], *have = (*k)->type;
	if (pf_dtype_is_dynamic(want) || pf_dtype_is_dynamic(have)) {
		bool same = pf_dtype_kind_of(want) == pf_dtype_kind_of(have) && a->keys[i]->op == (*k)->op &&
			    a->keys[i]->func == (*k)->func;
		return same ? 0 : bad_key(c, a, *k, i);
	}
	if (!pf_dconv_assignable(c, want, *k))
		return bad_key(c, a, *k, i);
	if (pf_dtype_is_integer(want) && pf_dtype_is_integer(have)) {
		if (pf_dtype_base(have)->size > pf_dtype_base(want)->size)
			a->key_types[i] = have;
		return 0;
	}
	*k = pf_dconv_assign(c, *k, want);
	return *k ? 0 : c->rc;
}

static int sema_keys(struct pf_dcomp *c, struct pf_dstmt *s, const struct pf_dexpr *raw)
{
	struct pf_dagg *a = s->agg;
	s->n_keys = raw->n_args;
	s->keys = pf_d_alloc(c, (raw->n_args + 1) * sizeof(struct pf_dexpr *));
	if (!s->keys)
		return c->rc;
	bool first = !a->key_types;
	if (!first && a->n_keys != raw->n_args)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_PROTO_LEN",
				 "@%s[ ] prototype mismatch: %u args passed, %u expected", a->name, raw->n_args,
				 a->n_keys);
	struct pf_dtype **types = first ? pf_d_alloc(c, (raw->n_args + 1) * sizeof(*types)) : NULL;
	uint64_t total = 0;
	for (unsigned i = 0; i < raw->n_args; i++) {
		s->keys[i] = pf_dsema_key(c, raw->args[i]);
		if (!s->keys[i])
			return c->rc;
		if (types)
			types[i] = s->keys[i]->type;
		else if (match_key(c, a, i, &s->keys[i]) < 0)
			return c->rc;
		total += pf_dtype_base(s->keys[i]->type)->size;
	}
	if (total > PF_D_MAX_TUPLE)
		return pf_d_fail(c, &raw->pos, -EFBIG, "D_KEY_TYPE", "keys of @%s are bigger than %d bytes", a->name,
				 PF_D_MAX_TUPLE);
	if (first) {
		a->key_types = types;
		a->keys = s->keys;
		a->n_keys = raw->n_args;
	}
	return c->rc;
}

static enum pf_agg_func kind_of(enum pf_dfunc_id id)
{
	switch (id) {
	case PF_DF_COUNT:
		return PF_AGG_COUNT;
	case PF_DF_SUM:
		return PF_AGG_SUM;
	case PF_DF_MIN:
		return PF_AGG_MIN;
	case PF_DF_MAX:
		return PF_AGG_MAX;
	case PF_DF_AVG:
		return PF_AGG_AVG;
	case PF_DF_STDDEV:
		return PF_AGG_STDDEV;
	case PF_DF_QUANTIZE:
		return PF_AGG_QUANTIZE;
	case PF_DF_LQUANTIZE:
		return PF_AGG_LQUANTIZE;
	default:
		return PF_AGG_LLQUANTIZE;
	}
}

/* A parameter that must be a constant: its tags for a wrong type and a wrong value, its name, its range. */
struct param {
	const char *type_tag, *value_tag, *what;
	int64_t least, most;
};

static int param(struct pf_dcomp *c, const struct pf_dexpr *call, unsigned i, const struct param *p, int64_t *ret)
{
	const struct pf_dexpr *e = call->args[i];
	if (e->op != PF_DX_INT || !pf_dtype_is_integer(e->type))
		return pf_d_fail(c, &e->pos, -EINVAL, p->type_tag,
				 "%s( ) argument #%u (%s) must be an integer constant", call->func->name, i + 1,
				 p->what);
	if (e->value < p->least || e->value > p->most)
		return pf_d_fail(c, &e->pos, -EINVAL, p->value_tag, "%s( ) argument #%u (%s) must be %lld to %lld",
				 call->func->name, i + 1, p->what, (long long)p->least, (long long)p->most);
	*ret = e->value;
	return 0;
}

static int mismatch(struct pf_dcomp *c, const struct pf_dexpr *call, const char *tag, const char *what)
{
	return pf_d_fail(c, &call->pos, -EINVAL, tag,
			 "%s( ) %s must match the one of an earlier use of this aggregation", call->func->name, what);
}

static int lquantize(struct pf_dcomp *c, struct pf_dagg *a, const struct pf_dexpr *call, bool first)
{
	static const struct param params[] = {
		{ "D_LQUANT_BASETYPE", "D_LQUANT_BASEVAL", "base", INT32_MIN, INT32_MAX },
		{ "D_LQUANT_LIMTYPE", "D_LQUANT_LIMVAL", "limit", INT32_MIN, INT32_MAX },
		{ "D_LQUANT_STEPTYPE", "D_LQUANT_STEPVAL", "step", 1, UINT16_MAX },
	};
	int64_t base, limit, step = 1;
	if (param(c, call, 1, &params[0], &base) < 0 || param(c, call, 2, &params[1], &limit) < 0)
		return c->rc;
	if (limit <= base)
		return pf_d_fail(c, &call->args[1]->pos, -EINVAL, "D_LQUANT_MISMATCH",
				 "lquantize( ) base (argument #1) must be less than limit (argument #2)");
	if (call->n_args > 3 && param(c, call, 3, &params[2], &step) < 0)
		return c->rc;
	if ((limit - base) / step == 0)
		return pf_d_fail(c, &call->pos, -EINVAL, "D_LQUANT_STEPLARGE",
				 "lquantize( ) step is too large: no levels");
	if ((limit - base) / step > UINT16_MAX)
		return pf_d_fail(c, &call->pos, -EINVAL, "D_LQUANT_STEPSMALL",
				 "lquantize( ) step is too small: more than %d levels", UINT16_MAX);
	if (!first && a->base != base)
		return mismatch(c, call, "D_LQUANT_MATCHBASE", "base");
	if (!first && a->limit != limit)
		return mismatch(c, call, "D_LQUANT_MATCHLIM", "limit");
	if (!first && a->step != step)
		return mismatch(c, call, "D_LQUANT_MATCHSTEP", "step");
	a->base = base;
	a->limit = limit;
	a->step = step;
	return 0;
}

/* Linear steps must divide each magnitude evenly. */
static bool steps_fit(int64_t factor, int64_t steps, int64_t low, int64_t high)
{
	if (steps < factor)
		return factor % steps == 0;
	if (steps % factor != 0)
		return false;
	for (int64_t m = low; m <= high; m++) {
		uint64_t size = 1;
		for (int64_t i = 0; i <= m; i++) {
			if (__builtin_mul_overflow(size, (uint64_t)factor, &size))
				return false;
		}
		/* Below that the buckets are units. */
		if (size >= (uint64_t)steps && size % (uint64_t)steps != 0)
			return false;
	}
	return true;
}

static bool power_fits(int64_t factor, int64_t exponent)
{
	int64_t v = 1;
	for (int64_t i = 0; i < exponent; i++) {
		if (__builtin_mul_overflow(v, factor, &v))
			return false;
	}
	return true;
}

static int llquantize(struct pf_dcomp *c, struct pf_dagg *a, const struct pf_dexpr *call, bool first)
{
	static const struct param params[] = {
		{ "D_LLQUANT_FACTORTYPE", "D_LLQUANT_FACTORVAL", "factor", 2, UINT16_MAX },
		{ "D_LLQUANT_LMAGTYPE", "D_LLQUANT_LMAGVAL", "low magnitude", 0, UINT16_MAX },
		{ "D_LLQUANT_HMAGTYPE", "D_LLQUANT_HMAGVAL", "high magnitude", 0, UINT16_MAX },
		{ "D_LLQUANT_STEPTYPE", "D_LLQUANT_STEPVAL", "steps", 1, UINT16_MAX },
	};
	int64_t factor, low, high, steps;
	if (param(c, call, 1, &params[0], &factor) < 0 || param(c, call, 2, &params[1], &low) < 0 ||
	    param(c, call, 3, &params[2], &high) < 0 || param(c, call, 4, &params[3], &steps) < 0)
		return c->rc;
	if (low > high)
		return pf_d_fail(
			c, &call->args[2]->pos, -EINVAL, "D_LLQUANT_LMAGVAL",
			"llquantize( ) low magnitude (argument #3) must not be above the high one (argument #4)");
	if (!power_fits(factor, high + 1))
		return pf_d_fail(
			c, &call->args[3]->pos, -EINVAL, "D_LLQUANT_HMAGVAL",
			"llquantize( ) factor (%lld) raised to power of high magnitude (%lld) overflows 64 bits",
			(long long)factor, (long long)high);
	if (!steps_fit(factor, steps, low, high))
		return pf_d_fail(c, &call->args[4]->pos, -EINVAL, "D_LLQUANT_STEPVAL",
				 "llquantize( ) steps (%lld) do not divide every magnitude evenly", (long long)steps);
	if (!first && a->factor != factor)
		return mismatch(c, call, "D_LLQUANT_MATCHFACTOR", "factor");
	if (!first && a->low != low)
		return mismatch(c, call, "D_LLQUANT_MATCHLMAG", "low magnitude");
	if (!first && a->high != high)
		return mismatch(c, call, "D_LLQUANT_MATCHHMAG", "high magnitude");
	if (!first && a->steps != steps)
		return mismatch(c, call, "D_LLQUANT_MATCHSTEPS", "steps");
	a->factor = factor;
	a->low = low;
	a->high = high;
	a->steps = steps;
	return 0;
}

static int sema_params(struct pf_dcomp *c, struct pf_dagg *a, const struct pf_dexpr *call, bool first)
{
	int rc = 0;
	if (a->kind == PF_AGG_LQUANTIZE)
		rc = lquantize(c, a, call, first);
	else if (a->kind == PF_AGG_LLQUANTIZE)
		rc = llquantize(c, a, call, first);
	if (rc == 0)
		a->n_buckets = pf_dagg_buckets(a);
	if (rc == 0 && a->n_buckets > PF_D_MAX_BUCKETS)
		return pf_d_fail(c, &call->pos, -EFBIG, "D_LLQUANT_STEPVAL", "%s( ) has %u buckets, more than %d",
				 call->func->name, a->n_buckets, PF_D_MAX_BUCKETS);
	return rc;
}

/* Number of the optional increment argument. */
static unsigned increment_arg(enum pf_agg_func kind)
{
	return kind == PF_AGG_QUANTIZE	   ? 1
	       : kind == PF_AGG_LQUANTIZE  ? 4
	       : kind == PF_AGG_LLQUANTIZE ? 5
					   : PF_D_MAX_ARGS;
}

static int aggregated_value(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *raw)
{
	if (f->id == PF_DF_COUNT || raw->n_args == 0)
		return 0;
	struct pf_dexpr *e = pf_dsema_expr(c, raw->args[0], NULL);
	if (e && !pf_dtype_is_integer(e->type))
		return pf_d_fail(c, &e->pos, -EINVAL, "D_AGG_SCALAR",
				 "%s( ) argument #1 must be of integer type, not %s", f->name,
				 pf_dtype_text(c->p, e->type));
	return c->rc;
}

/* The right side: a call of an aggregating function. */
static const struct pf_dfunc *function_of(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	const struct pf_dfunc *f = raw->op == PF_DX_CALLNAME ? pf_dfunc_find(raw->name) : NULL;
	if (raw->op == PF_DX_CALLNAME && !f)
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_FUNC_UNDEF", "undefined function name: %.*s",
				(int)raw->name.n, raw->name.p);
	else if (!f || f->kind != PF_DFK_AGGREGATION)
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_AGG_FUNC",
				"@aggregations must be assigned an aggregating function");
	return c->rc < 0 ? NULL : f;
}

int pf_dsema_aggregate(struct pf_dcomp *c, struct pf_dstmt *s, const struct pf_dexpr *raw)
{
	const struct pf_dexpr *left = raw->args[0], *right = raw->args[1];
	if (raw->op != PF_DX_ASSIGN)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_AGG_FUNC", "aggregations can only be assigned with =");
	const struct pf_dfunc *f = function_of(c, right);
	struct pf_dagg *a = f ? pf_dagg_get(c, left->name, &left->pos) : NULL;
	if (!a)
		return c->rc;
	if (a->func && a->func != f)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_AGG_REDEF",
				 "aggregation redefined: @%s is of %s( ), now %s( )", a->name, a->func->name, f->name);
	bool first = !a->func;
	s->kind = PF_DS_AGG;
	s->agg = a;
	struct pf_dexpr *call = pf_dnode(c, PF_DX_CALL, &right->pos, right->n_args);
	if (!call)
		return c->rc;
	call->func = f;
	if (aggregated_value(c, f, right) < 0 || pf_dsema_call_args(c, f, right, NULL, call) < 0 ||
	    sema_keys(c, s, left) < 0)
		return c->rc;
	a->kind = kind_of(f->id);
	if (sema_params(c, a, call, first) < 0)
		return c->rc;
	a->func = f;
	if (f->id != PF_DF_COUNT)
		s->value = pf_dconv_cast(c, call->args[0], c->p->types.i64);
	unsigned inc = increment_arg(a->kind);
	if (inc < call->n_args)
		s->increment = pf_dconv_cast(c, call->args[inc], c->p->types.i64);
	s->expr = call;
	return c->rc;
}

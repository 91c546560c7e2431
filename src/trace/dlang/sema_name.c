/* trace/dlang/sema_name.c - what names mean: variables, built-ins, inlines, constants, kernel symbols, elements. */
#include <errno.h>

#include "trace/dlang/front.h"

static enum pf_dspace space_of(enum pf_dscope scope)
{
	return scope == PF_DV_SELF ? PF_DN_SELF : scope == PF_DV_THIS ? PF_DN_THIS : PF_DN_VAR;
}

struct pf_dvar *pf_dvar_new(struct pf_dcomp *c, enum pf_dscope scope, struct pf_view name, struct pf_dtype *type,
			    const struct pf_dpos *pos)
{
	struct pf_dsym *s = pf_dsym_add(c, space_of(scope), name);
	struct pf_dvar *v = s ? pf_d_alloc(c, sizeof(*v)) : NULL;
	if (!v)
		return NULL;
	s->var = v;
	v->scope = scope;
	v->name = s->name.p;
	v->type = type;
	v->pos = *pos;
	v->id = c->p->n_vars[scope]++;
	PF_D_APPEND(c->p->vars[scope], c->p->syms->vars_end[scope], v);
	return v;
}

static const struct pf_denv *bound(const struct pf_denv *env, const struct pf_dexpr *raw)
{
	if (raw->op != PF_DX_NAME || raw->name_scope != PF_DV_GLOBAL)
		return NULL;
	for (; env; env = env->next) {
		if (env->name.n == raw->name.n && memcmp(env->name.p, raw->name.p, env->name.n) == 0)
			return env;
	}
	return NULL;
}

/* A parameter of an inline or translator: its argument, anew, in the argument's own surroundings. */
static struct pf_dexpr *expand_param(struct pf_dcomp *c, const struct pf_denv *b)
{
	struct pf_dexpr *e;
	if (b->typed) {
		e = pf_dnode_copy(c, b->typed);
	} else {
		/* f[f[1]]: the argument stands outside of the inline, so it may name it again. */
		bool busy = b->owner && b->owner->busy;
		if (busy)
			b->owner->busy = false;
		e = pf_dsema_any(c, b->raw, b->scope);
		if (busy)
			b->owner->busy = true;
	}
	if (!e || !b->type || e->op == PF_DX_XLATE)
		return e;
	if (!pf_dconv_assignable(c, b->type, e)) {
		(void)pf_d_fail(c, &e->pos, -EINVAL, "D_PROTO_ARG",
				"argument %.*s of type %s cannot be converted to %s", (int)b->name.n, b->name.p,
				pf_dtype_text(c->p, e->type), pf_dtype_text(c->p, b->type));
		return NULL;
	}
	if (pf_dtype_is_array(e->type) && pf_dtype_is_array(b->type))
		return e;
	return pf_dconv_assign(c, e, b->type);
}

static struct pf_dexpr *expand_inline(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dinline *in,
				      struct pf_dexpr **args, unsigned n_args, const struct pf_denv *env)
{
	if (n_args != in->n_params) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_PROTO_LEN",
				"%.*s[ ] prototype mismatch: %u args passed, %u expected", (int)in->name.n, in->name.p,
				n_args, in->n_params);
		return NULL;
	}
	if (in->busy) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_IDENT_BADREF", "inline %.*s refers to itself",
				(int)in->name.n, in->name.p);
		return NULL;
	}
	struct pf_denv *inner = pf_d_alloc(c, (n_args ? n_args : 1) * sizeof(*inner));
	if (!inner)
		return NULL;
	for (unsigned i = 0; i < n_args; i++)
		inner[i] = (struct pf_denv){ in->params[i],	      args[i], NULL, in->param_types[i], in, env,
					     i ? &inner[i - 1] : NULL };
	const struct pf_dpos *blame = c->blame;
	if (in->library && !blame)
		c->blame = &raw->pos;
	in->busy = true;
	struct pf_dexpr *e = pf_dsema_any(c, in->body, n_args ? &inner[n_args - 1] : NULL);
	in->busy = false;
	c->blame = blame;
	if (!e || e->op == PF_DX_XLATE)
		return e;
	if (!pf_dconv_assignable(c, in->type, e)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_INCOMPAT", "inline %.*s: value of type %s is not a %s",
				(int)in->name.n, in->name.p, pf_dtype_text(c->p, e->type),
				pf_dtype_text(c->p, in->type));
		return NULL;
	}
	if (pf_dtype_is_array(in->type))
		return e;
	return pf_dconv_assign(c, e, in->type);
}

static struct pf_dexpr *var_node(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dvar *v, unsigned n_keys)
{
	struct pf_dexpr *e = pf_dnode(c, PF_DX_VAR, &raw->pos, n_keys);
	if (!e)
		return NULL;
	e->var = v;
	e->type = v->type;
	e->is_lvalue = true;
	e->is_alloca = v->is_alloca;
	e->xlator = v->xlator;
	if (v->scope == PF_DV_SELF && c->clause)
		c->clause->flags |= PF_DC_SELF;
	return e;
}

static struct pf_dexpr *builtin_node(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dbuiltin *b)
{
	struct pf_dexpr *e = pf_dnode(c, PF_DX_BUILTIN, &raw->pos, 0);
	if (!e)
		return NULL;
	e->builtin = b;
	e->type = pf_dprog_type(c->p, pf_view_of(b->type));
	if (!e->type)
		e->type = strchr(b->type, '*') ? c->p->types.voidp : c->p->types.i64;
	if (c->clause)
		c->clause->builtins |= UINT64_C(1) << b->id;
	return e;
}

static struct pf_dexpr *unknown(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	int n = (int)raw->name.n;
	if (raw->name_scope == PF_DV_GLOBAL)
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_IDENT_UNDEF", "failed to resolve %.*s: Unknown variable name",
				n, raw->name.p);
	else
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_VAR_UNDEF", "%s->%.*s has not yet been declared or assigned",
				raw->name_scope == PF_DV_SELF ? "self" : "this", n, raw->name.p);
	return NULL;
}

/* Names that are numbers: enumerators, the built-in table, enumerators of the kernel. */
static bool constant(struct pf_dcomp *c, struct pf_view name, int64_t *ret_value, struct pf_dtype **ret_type)
{
	const struct pf_dhost *h = &c->p->host;
	const struct pf_dsym *s = pf_dsym_find(c->p, PF_DN_CONST, name);
	*ret_type = c->p->types.i32;
	if (s) {
		*ret_value = s->value;
		return true;
	}
	if (pf_dlib_constant(name, ret_value))
		return true;
	if (!h->constant)
		return false;
	const char *text = pf_d_text(c, name);
	if (!text || h->constant(h->arg, text, ret_value) < 0)
		return false;
	if (*ret_value < INT32_MIN || *ret_value > INT32_MAX)
		*ret_type = c->p->types.i64;
	return true;
}

static struct pf_dexpr *global_name(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	const struct pf_dbuiltin *b = pf_dbuiltin_find(raw->name);
	if (b && b->is_array) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARR_BADREF", "%s may not be referenced without an index",
				b->name);
		return NULL;
	}
	if (b)
		return builtin_node(c, raw, b);
	if (pf_view_is(raw->name, "NULL"))
		return pf_dnode_int(c, &raw->pos, c->p->types.voidp, 0);
	int64_t value;
	struct pf_dtype *type;
	if (constant(c, raw->name, &value, &type))
		return pf_dnode_int(c, &raw->pos, type, value);
	if (c->rc == 0 && pf_dfunc_find(raw->name)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_IDENT_BADREF", "%.*s( ) is a function and must be called",
				(int)raw->name.n, raw->name.p);
		return NULL;
	}
	return unknown(c, raw);
}

static struct pf_dexpr *symbol(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	const struct pf_dhost *h = &c->p->host;
	struct pf_dsymbol *s = pf_d_alloc(c, sizeof(*s));
	if (!s)
		return NULL;
	s->name = pf_d_text(c, raw->name);
	s->module = raw->module.n > 0 ? pf_d_text(c, raw->module) : NULL;
	if (c->rc < 0)
		return NULL;
	struct pf_err why = { 0 };
	int rc = h->symbol ? h->symbol(h->arg, c->p, s, &why) : -ENOENT;
	if (rc < 0) {
		const char *tick = s->module ? "`" : "";
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_IDENT_UNDEF", "failed to resolve %s%s%s: %s",
				s->module ? s->module : "`", tick, s->name,
				why.text[0] ? why.text : "Unknown symbol name");
		return NULL;
	}
	struct pf_dexpr *e = pf_dnode(c, PF_DX_SYMBOL, &raw->pos, 0);
	if (!e)
		return NULL;
	e->symbol = s;
	e->type = s->type;
	e->is_lvalue = true;
	if (!e->type) {
		/* Without a type only its address is of use. */
		e->type = c->p->types.v;
	}
	return e;
}

/* The row of a name in the program, the library being read for it if need be. */
static struct pf_dsym *find_name(struct pf_dcomp *c, const struct pf_dexpr *raw)
{
	enum pf_dspace space = space_of(raw->name_scope);
	struct pf_dsym *s = pf_dsym_find(c->p, space, raw->name);
	if (!s && raw->name_scope == PF_DV_GLOBAL && !pf_dbuiltin_find(raw->name) && pf_dlib_load(c, raw->name) > 0)
		s = pf_dsym_find(c->p, space, raw->name);
	return s;
}

struct pf_dexpr *pf_dsema_name(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	if (raw->op == PF_DX_KSYM)
		return symbol(c, raw);
	const struct pf_denv *b = bound(env, raw);
	if (b)
		return expand_param(c, b);
	struct pf_dsym *s = find_name(c, raw);
	if (s && s->inl)
		return expand_inline(c, raw, s->inl, NULL, 0, env);
	if (s && s->var->is_assoc) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARR_BADREF", "%s may not be referenced without an index",
				s->var->name);
		return NULL;
	}
	if (s)
		return var_node(c, raw, s->var, 0);
	return raw->name_scope == PF_DV_GLOBAL ? global_name(c, raw) : unknown(c, raw);
}

/* Keys of an associative array; the first use fixes how many and of which types. */
static int sema_keys(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env, struct pf_dexpr *e)
{
	struct pf_dvar *v = e->var;
	if (!v->key_types) {
		v->n_keys = e->n_args;
		v->key_types = pf_d_alloc(c, e->n_args * sizeof(*v->key_types) + 1);
		if (!v->key_types)
			return c->rc;
	}
	if (v->n_keys != e->n_args)
		return pf_d_fail(c, &raw->pos, -EINVAL, "D_PROTO_LEN",
				 "%s[ ] prototype mismatch: %u args passed, %u expected", v->name, e->n_args,
				 v->n_keys);
	uint64_t total = 0;
	for (unsigned i = 0; i < e->n_args; i++) {
		struct pf_dexpr *k = pf_dsema_expr(c, raw->args[i + 1], env);
		if (!k)
			return c->rc;
		if (pf_dtype_is_array(k->type))
			k = pf_dtype_is_char_array(k->type) ? pf_dconv_string(c, k) : pf_dconv_decay(c, k);
		if (!k)
			return c->rc;
		if (!v->key_types[i])
			v->key_types[i] = pf_dtype_is_integer(k->type) ? c->p->types.i64 : k->type;
		struct pf_dtype *want = v->key_types[i];
		bool sized = pf_dtype_base(want)->size > 0 && !pf_dtype_is_float(want) && !pf_dtype_is_dynamic(want);
		if (!sized || !pf_dconv_assignable(c, want, k))
			return pf_d_fail(
				c, &k->pos, -EINVAL, "D_KEY_TYPE",
				"%s[ ] key #%u is incompatible with prototype:\n\tprototype: %s\n\t argument: %s",
				v->name, i + 1, pf_dtype_text(c->p, want), pf_dtype_text(c->p, k->type));
		e->args[i] = pf_dconv_assign(c, k, want);
		if (!e->args[i])
			return c->rc;
		total += pf_dtype_base(want)->size;
	}
	if (total > PF_D_MAX_TUPLE)
		return pf_d_fail(c, &raw->pos, -EFBIG, "D_KEY_TYPE", "keys of %s are bigger than %d bytes", v->name,
				 PF_D_MAX_TUPLE);
	return pf_dnode_done(c, e);
}

static struct pf_dexpr *element(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env,
				struct pf_dvar *v)
{
	struct pf_dexpr *e = var_node(c, raw->args[0], v, raw->n_args - 1);
	return e && sema_keys(c, raw, env, e) == 0 ? e : NULL;
}

static struct pf_dexpr *uregs(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dbuiltin *b,
			      const struct pf_denv *env)
{
	enum { LAST_REGISTER = 25 };
	struct pf_dexpr *index = raw->n_args == 2 ? pf_dsema_expr(c, raw->args[1], env) : NULL;
	if (!index || !pf_dtype_is_integer(index->type)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_PROTO_LEN", "uregs[ ] takes one register number");
		return NULL;
	}
	if (index->op == PF_DX_INT && (index->value < 0 || index->value > LAST_REGISTER)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_REGS_IDX", "index %lld is out of range for uregs[ ]",
				(long long)index->value);
		return NULL;
	}
	struct pf_dexpr *e = builtin_node(c, raw->args[0], b);
	index = e ? pf_dconv_cast(c, index, c->p->types.i64) : NULL;
	if (!index)
		return NULL;
	struct pf_dexpr *out = pf_dnode_unary(c, PF_DX_BUILTIN, &e->pos, index);
	if (out) {
		out->builtin = b;
		out->type = e->type;
	}
	return out;
}

/* An element of memory: array, string, or through a pointer. */
static struct pf_dexpr *index_memory(struct pf_dcomp *c, const struct pf_dexpr *raw, struct pf_dexpr *base,
				     struct pf_dexpr *index)
{
	struct pf_dtype *t = pf_dtype_base(base->type);
	if (!pf_dtype_is_integer(index->type)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_INT", "operator [] requires an index of integer type");
		return NULL;
	}
	if (t->kind == PF_DT_POINTER) {
		struct pf_dexpr *sum = pf_dsema_arith(c, PF_DX_ADD, &raw->pos, base, index);
		struct pf_dtype *to = t->ref;
		enum pf_dtype_kind kind = pf_dtype_kind_of(to);
		if (sum && (kind == PF_DT_VOID || kind == PF_DT_FUNCTION)) {
			(void)pf_d_fail(c, &raw->pos, -EINVAL, kind == PF_DT_VOID ? "D_DEREF_VOID" : "D_DEREF_FUNC",
					"cannot dereference pointer to %s", kind == PF_DT_VOID ? "void" : "a function");
			return NULL;
		}
		struct pf_dexpr *e = sum ? pf_dnode_unary(c, PF_DX_DEREF, &raw->pos, sum) : NULL;
		if (e) {
			e->type = to;
			e->is_lvalue = true;
			e->is_alloca = base->is_alloca;
		}
		return e;
	}
	uint64_t count = t->kind == PF_DT_ARRAY ? t->count : 0;
	if (index->op == PF_DX_INT && count > 0 && (index->value < 0 || (uint64_t)index->value >= count)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARR_BOUNDS", "index %lld is out of bounds for %s",
				(long long)index->value, pf_dtype_text(c->p, base->type));
		return NULL;
	}
	index = pf_dconv_cast(c, index, c->p->types.i64);
	struct pf_dexpr *e = index ? pf_dnode_binary(c, PF_DX_INDEX, &raw->pos, base, index) : NULL;
	if (e) {
		e->type = t->kind == PF_DT_ARRAY ? t->ref : c->p->types.c;
		e->is_lvalue = t->kind == PF_DT_ARRAY && base->is_lvalue;
		e->is_alloca = base->is_alloca;
	}
	return e;
}

static struct pf_dexpr *memory(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	struct pf_dexpr *base = pf_dsema_any(c, raw->args[0], env);
	if (!base)
		return NULL;
	enum pf_dtype_kind kind = pf_dtype_kind_of(base->type);
	if (raw->n_args != 2 || (kind != PF_DT_ARRAY && kind != PF_DT_POINTER && kind != PF_DT_STRING)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARR_BADREF",
				"operator [] requires an array, a pointer or a string, not %s",
				pf_dtype_text(c->p, base->type));
		return NULL;
	}
	struct pf_dexpr *index = pf_dsema_expr(c, raw->args[1], env);
	return index ? index_memory(c, raw, base, index) : NULL;
}

struct pf_dexpr *pf_dsema_subscript(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	const struct pf_dexpr *left = raw->args[0];
	if (raw->n_args < 2) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_SYNTAX", "syntax error near \"]\"");
		return NULL;
	}
	if (left->op != PF_DX_NAME || bound(env, left))
		return memory(c, raw, env);
	const struct pf_dbuiltin *b = left->name_scope == PF_DV_GLOBAL ? pf_dbuiltin_find(left->name) : NULL;
	if (b && b->id == PF_DB_ARGS)
		return pf_dsema_args(c, raw, env);
	if (b && b->id == PF_DB_UREGS)
		return uregs(c, raw, b, env);
	struct pf_dsym *s = b ? NULL : find_name(c, left);
	if (s && s->inl && s->inl->n_params > 0)
		return expand_inline(c, left, s->inl, raw->args + 1, raw->n_args - 1, env);
	if (s && !s->inl && s->var->is_assoc)
		return element(c, raw, env, s->var);
	if (!s && !b && left->name_scope != PF_DV_GLOBAL)
		return unknown(c, left);
	return memory(c, raw, env);
}

/* The type that a new variable takes from its first value. */
static struct pf_dtype *first_type(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dexpr *value)
{
	if (!value)
		return c->p->types.i64;
	struct pf_dtype *t = value->type;
	if (pf_dtype_is_char_array(t))
		return c->p->types.string;
	if (pf_dtype_is_array(t))
		t = pf_dtype_pointer(c->p, pf_dtype_base(t)->ref);
	if (!t || pf_dtype_is_dynamic(t)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_DYN", "a value of dynamic type cannot be assigned");
		return NULL;
	}
	if (pf_dtype_base(t)->size == 0 || pf_dtype_is_float(t)) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_INCOMPAT", "a value of type %s cannot be assigned",
				pf_dtype_text(c->p, t));
		return NULL;
	}
	return t;
}

/* name = value, name[keys] = value of a variable that is not known yet. */
static struct pf_dexpr *create(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env,
			       const struct pf_dexpr *value)
{
	const struct pf_dexpr *name = raw->op == PF_DX_SUBSCRIPT ? raw->args[0] : raw;
	bool is_assoc = raw->op == PF_DX_SUBSCRIPT;
	if (is_assoc && name->name_scope == PF_DV_THIS) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_ARR_LOCAL",
				"cannot use this-> with an associative array: this->%.*s", (int)name->name.n,
				name->name.p);
		return NULL;
	}
	struct pf_dtype *type = first_type(c, raw, value);
	struct pf_dvar *v = type ? pf_dvar_new(c, name->name_scope, name->name, type, &name->pos) : NULL;
	if (!v)
		return NULL;
	v->is_assoc = is_assoc;
	if (value)
		v->xlator = value->xlator;
	return is_assoc ? element(c, raw, env, v) : var_node(c, name, v, 0);
}

static bool is_unknown(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env)
{
	const struct pf_dexpr *name = raw->op == PF_DX_SUBSCRIPT && raw->n_args > 1 ? raw->args[0] : raw;
	int64_t value;
	struct pf_dtype *type;
	if (name->op != PF_DX_NAME || bound(env, name) || find_name(c, name))
		return false;
	if (name->name_scope != PF_DV_GLOBAL)
		return true;
	return !pf_dbuiltin_find(name->name) && !pf_dfunc_find(name->name) && !pf_view_is(name->name, "NULL") &&
	       !pf_dsym_find(c->p, PF_DN_CONST, name->name) && !pf_dlib_constant(name->name, &value) &&
	       (raw->op == PF_DX_NAME || !constant(c, name->name, &value, &type));
}

struct pf_dexpr *pf_dsema_target(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env,
				 struct pf_dexpr *value, bool *ret_created)
{
	if (is_unknown(c, raw, env)) {
		*ret_created = true;
		return create(c, raw, env, value);
	}
	struct pf_dexpr *e = c->rc < 0 ? NULL : pf_dsema_any(c, raw, env);
	if (!e)
		return NULL;
	const struct pf_dexpr *base = e;
	while (base->op == PF_DX_MEMBER || base->op == PF_DX_INDEX)
		base = base->args[0];
	if (base->op == PF_DX_BUILTIN || base->op == PF_DX_SYMBOL) {
		const char *name = base->op == PF_DX_BUILTIN ? base->builtin->name : base->symbol->name;
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_WRITE", "%s is not writable", name);
		return NULL;
	}
	bool storable = e->op == PF_DX_VAR || e->op == PF_DX_DEREF || e->op == PF_DX_MEMBER || e->op == PF_DX_INDEX;
	if (!storable || !e->is_lvalue) {
		(void)pf_d_fail(c, &raw->pos, -EINVAL, "D_OP_LVAL",
				"operand to be written must be a variable or memory");
		return NULL;
	}
	return e;
}

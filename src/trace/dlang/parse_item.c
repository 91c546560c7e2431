/* trace/dlang/parse_item.c - variable and type declarations, inlines, translators, providers. */
#include <errno.h>

#include "trace/dlang/front.h"

static int redeclared(struct pf_dcomp *c, const struct pf_ddeclarator *d)
{
	return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_IDRED", "identifier redeclared: %.*s", (int)d->name.n, d->name.p);
}

static int declare_type(struct pf_dcomp *c, const struct pf_ddeclarator *d)
{
	struct pf_dsym *old = pf_dsym_find(c->p, PF_DN_TYPE, d->name);
	if (d->is_assoc)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_ARRSUB", "a type cannot be an associative array");
	if (old) {
		if (pf_dtype_same(old->type, d->type))
			return 0;
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_TYPERED", "type %.*s is already defined", (int)d->name.n,
				 d->name.p);
	}
	if (pf_dsym_find(c->p, PF_DN_VAR, d->name))
		return redeclared(c, d);
	struct pf_dsym *s = pf_dsym_add(c, PF_DN_TYPE, d->name);
	if (!s)
		return c->rc;
	s->type = pf_dtype_typedef(c->p, s->name.p, d->type);
	return s->type ? 0 : pf_d_nomem(c);
}

static int check_object(struct pf_dcomp *c, const struct pf_ddeclarator *d, enum pf_dscope scope)
{
	struct pf_dtype *base = pf_dtype_base(d->type);
	if (base->kind == PF_DT_FUNCTION)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_PROTO_FORM", "functions cannot be declared in D");
	if (base->kind == PF_DT_VOID)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_VOIDOBJ", "cannot have void object: %.*s", (int)d->name.n,
				 d->name.p);
	if (base->size == 0)
		return pf_d_fail(c, &d->pos, -EINVAL,
				 base->kind == PF_DT_ARRAY ? "D_DECL_ARRNULL" : "D_DECL_INCOMPLETE",
				 "%.*s has an incomplete type", (int)d->name.n, d->name.p);
	if (base->size > PF_D_MAX_OBJECT)
		return pf_d_fail(c, &d->pos, -EFBIG, "D_DECL_ARRBIG", "%.*s is bigger than %d bytes", (int)d->name.n,
				 d->name.p, PF_D_MAX_OBJECT);
	if (d->is_assoc && scope == PF_DV_THIS)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_LOCASSC", "cannot declare local associative array: %.*s",
				 (int)d->name.n, d->name.p);
	return 0;
}

static int set_keys(struct pf_dcomp *c, struct pf_dvar *v, const struct pf_ddeclarator *d)
{
	v->is_assoc = true;
	v->n_keys = d->n_keys;
	v->key_types = pf_d_alloc(c, d->n_keys * sizeof(*v->key_types));
	if (!v->key_types)
		return c->rc;
	uint64_t total = 0;
	for (unsigned i = 0; i < d->n_keys; i++) {
		struct pf_dtype *t = pf_dtype_base(d->keys[i]);
		if (t->size == 0 || pf_dtype_is_float(t))
			return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_INCOMPLETE", "type %s cannot be a key",
					 pf_dtype_text(c->p, t));
		v->key_types[i] = pf_dtype_is_integer(t) ? c->p->types.i64 : d->keys[i];
		total += v->key_types[i]->size;
	}
	if (total > PF_D_MAX_TUPLE)
		return pf_d_fail(c, &d->pos, -EFBIG, "D_DECL_ARRBIG", "keys are bigger than %d bytes", PF_D_MAX_TUPLE);
	return 0;
}

static int declare_var(struct pf_dcomp *c, const struct pf_ddeclarator *d, enum pf_dtok storage)
{
	enum pf_dscope scope = storage == PF_DK_SELF ? PF_DV_SELF : storage == PF_DK_THIS ? PF_DV_THIS : PF_DV_GLOBAL;
	enum pf_dspace space = scope == PF_DV_SELF ? PF_DN_SELF : scope == PF_DV_THIS ? PF_DN_THIS : PF_DN_VAR;
	if (check_object(c, d, scope) < 0)
		return c->rc;
	struct pf_dsym *old = pf_dsym_find(c->p, space, d->name);
	if (old) {
		bool same = old->var && pf_dtype_same(old->var->type, d->type) && old->var->is_assoc == d->is_assoc;
		return same ? 0 : redeclared(c, d);
	}
	if (scope == PF_DV_GLOBAL && (pf_dsym_find(c->p, PF_DN_CONST, d->name) || pf_dbuiltin_find(d->name)))
		return redeclared(c, d);
	struct pf_dvar *v = pf_dvar_new(c, scope, d->name, d->type, &d->pos);
	if (!v)
		return c->rc;
	v->declared = true;
	return d->is_assoc ? set_keys(c, v, d) : 0;
}

int pf_dparse_declaration(struct pf_dcomp *c)
{
	struct pf_dspecs s;
	if (pf_dparse_specs(c, true, &s) < 0)
		return c->rc;
	if (pf_dlex_accept(c, PF_DK_SEMI)) {
		if (s.has_tag && s.storage == 0)
			return 0;
		return pf_d_fail(c, &s.pos, -EINVAL, "D_DECL_USELESS", "declaration declares nothing");
	}
	do {
		struct pf_ddeclarator room, *d = &room;
		if (pf_dparse_declarator(c, s.type, false, d) < 0)
			return c->rc;
		int rc = s.storage == PF_DK_TYPEDEF ? declare_type(c, d) : declare_var(c, d, s.storage);
		if (rc < 0)
			return rc;
	} while (pf_dlex_accept(c, PF_DK_COMMA));
	return pf_dlex_expect(c, PF_DK_SEMI);
}

static int inline_params(struct pf_dcomp *c, struct pf_dinline *in, const struct pf_ddeclarator *d)
{
	in->n_params = d->n_keys;
	in->params = pf_d_alloc(c, d->n_keys * sizeof(*in->params) + 1);
	in->param_types = pf_d_alloc(c, d->n_keys * sizeof(*in->param_types) + 1);
	if (!in->params || !in->param_types)
		return c->rc;
	for (unsigned i = 0; i < d->n_keys; i++) {
		if (d->key_names[i].n == 0)
			return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_PROTO_NAME",
					 "parameter %u of inline %.*s has no name", i + 1, (int)d->name.n, d->name.p);
		in->params[i] = d->key_names[i];
		in->param_types[i] = d->keys[i];
	}
	return 0;
}

/* inline type name = expr; inline type name[type a, ...] = expr; */
int pf_dparse_inline(struct pf_dcomp *c)
{
	if (!pf_dlex_accept(c, PF_DK_INLINE))
		return pf_d_syntax(c);
	struct pf_dspecs s;
	struct pf_ddeclarator room, *d = &room;
	struct pf_dinline *in = pf_d_alloc(c, sizeof(*in));
	if (!in || pf_dparse_specs(c, false, &s) < 0 || pf_dparse_declarator(c, s.type, false, d) < 0)
		return c->rc;
	if (pf_dsym_find(c->p, PF_DN_VAR, d->name) || pf_dsym_find(c->p, PF_DN_CONST, d->name) ||
	    pf_dbuiltin_find(d->name))
		return redeclared(c, d);
	in->type = d->type;
	in->pos = d->pos;
	in->library = c->library;
	if (d->is_assoc && inline_params(c, in, d) < 0)
		return c->rc;
	if (pf_dlex_expect(c, PF_DK_ASSIGN) < 0)
		return c->rc;
	in->body = pf_dparse_assign(c);
	if (!in->body || pf_dlex_expect(c, PF_DK_SEMI) < 0)
		return c->rc;
	struct pf_dsym *sym = pf_dsym_add(c, PF_DN_VAR, d->name);
	if (!sym)
		return c->rc;
	in->name = sym->name;
	sym->inl = in;
	/* An inline without parameters is checked where it stands, not where it is used first. */
	if (in->n_params == 0 && !c->library) {
		struct pf_dexpr *name = pf_dnode(c, PF_DX_NAME, &d->pos, 0);
		if (!name)
			return c->rc;
		name->name = sym->name;
		name->module = PF_VIEW("");
		name->name_scope = PF_DV_GLOBAL;
		return pf_dsema_expr(c, name, NULL) ? 0 : c->rc;
	}
	return 0;
}

/* member = expr; */
static int xlator_member(struct pf_dcomp *c, struct pf_dxlator *x, struct pf_dxlator_member ***tail)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	struct pf_dtoken name = *t;
	if (name.name.n == 0)
		return pf_d_syntax(c);
	pf_dlex_take(c);
	struct pf_dxlator_member *m = pf_d_alloc(c, sizeof(*m));
	if (!m || pf_dlex_expect(c, PF_DK_ASSIGN) < 0)
		return c->rc;
	m->member = pf_dtype_member(c->p, x->output, name.name, &m->bit_offset);
	if (!m->member)
		return pf_d_fail(c, &name.pos, -EINVAL, "D_XLATE_MEMB", "%.*s is not a member of %s", (int)name.name.n,
				 name.name.p, pf_dtype_text(c->p, x->output));
	m->expr = pf_dparse_assign(c);
	if (!m->expr || pf_dlex_expect(c, PF_DK_SEMI) < 0)
		return c->rc;
	**tail = m;
	*tail = &m->next;
	return 0;
}

static int check_xlator(struct pf_dcomp *c, const struct pf_dxlator *x)
{
	if (!pf_dtype_is_record(x->output) || pf_dtype_complete(c->p, x->output) < 0)
		return pf_d_fail(c, &x->pos, -EINVAL, "D_XLATE_SOU",
				 "translator output type must be a complete struct or union, not %s",
				 pf_dtype_text(c->p, x->output));
	struct pf_dtype *in = pf_dtype_base(x->input);
	if (in->kind == PF_DT_VOID || in->kind == PF_DT_FUNCTION || pf_dtype_is_float(in))
		return pf_d_fail(c, &x->pos, -EINVAL, "D_XLATE_INCOMPAT", "translator input type cannot be %s",
				 pf_dtype_text(c->p, x->input));
	for (struct pf_dxlator *o = c->p->xlators; o; o = o->next) {
		if (pf_dtype_same(o->output, x->output) && pf_dtype_same(o->input, x->input))
			return pf_d_fail(c, &x->pos, -EINVAL, "D_XLATE_REDECL",
					 "translator from %s to %s is already declared", pf_dtype_text(c->p, x->input),
					 pf_dtype_text(c->p, x->output));
	}
	return 0;
}

/* translator OUT < IN id > { member = expr; ... }; */
int pf_dparse_translator(struct pf_dcomp *c)
{
	if (!pf_dlex_accept(c, PF_DK_TRANSLATOR))
		return pf_d_syntax(c);
	struct pf_dxlator *x = pf_d_alloc(c, sizeof(*x));
	struct pf_ddeclarator room, *d = &room;
	struct pf_dspecs s;
	if (!x)
		return c->rc;
	x->pos = pf_dlex_pos(&c->lex, 0);
	x->output = pf_dparse_typename(c);
	if (!x->output || pf_dlex_expect(c, PF_DK_LT) < 0)
		return c->rc;
	if (pf_dparse_specs(c, false, &s) < 0 || pf_dparse_declarator(c, s.type, false, d) < 0)
		return c->rc;
	x->input = d->type;
	x->param = d->name;
	x->pos.token = d->pos.token;
	if (check_xlator(c, x) < 0 || pf_dlex_expect(c, PF_DK_GT) < 0 || pf_dlex_expect(c, PF_DK_LBRACE) < 0)
		return c->rc;
	struct pf_dxlator_member **tail = &x->members;
	while (!pf_dlex_accept(c, PF_DK_RBRACE)) {
		if (c->rc < 0 || xlator_member(c, x, &tail) < 0)
			return c->rc;
	}
	x->library = c->library;
	x->next = c->p->xlators;
	c->p->xlators = x;
	return pf_dlex_expect(c, PF_DK_SEMI);
}

/* (type name, ...) */
static int probe_args(struct pf_dcomp *c, struct pf_dtype ***ret_types, unsigned *ret_n)
{
	struct pf_dtype **types = pf_d_alloc(c, PF_D_MAX_ARGS * sizeof(struct pf_dtype *));
	unsigned n = 0;
	if (!types || pf_dlex_expect(c, PF_DK_LPAREN) < 0)
		return c->rc;
	if (!pf_dlex_accept(c, PF_DK_RPAREN)) {
		do {
			struct pf_dspecs s;
			struct pf_ddeclarator room, *d = &room;
			if (pf_dparse_specs(c, false, &s) < 0 || pf_dparse_declarator(c, s.type, true, d) < 0)
				return c->rc;
			if (n == 32)
				return pf_d_fail(c, &s.pos, -EFBIG, "D_PROV_PRARGLEN",
						 "a probe has at most 32 arguments");
			if (pf_dtype_kind_of(d->type) != PF_DT_VOID)
				types[n++] = d->type;
		} while (pf_dlex_accept(c, PF_DK_COMMA));
		if (pf_dlex_expect(c, PF_DK_RPAREN) < 0)
			return c->rc;
	}
	*ret_types = types;
	*ret_n = n;
	return c->rc;
}

static int provider_probe(struct pf_dcomp *c, struct pf_dprovider *v, struct pf_dprobe_decl ***tail)
{
	if (pf_dlex_expect(c, PF_DK_PROBE) < 0)
		return c->rc;
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	struct pf_dprobe_decl *d = pf_d_alloc(c, sizeof(*d));
	if (!d || t->name.n == 0 || t->kind == PF_DK_AGG || t->kind == PF_DK_KSYM)
		return d ? pf_d_syntax(c) : c->rc;
	d->pos = t->pos;
	d->name = pf_d_text(c, t->name);
	if (!d->name)
		return c->rc;
	for (const struct pf_dprobe_decl *o = v->probes; o; o = o->next) {
		if (strcmp(o->name, d->name) == 0)
			return pf_d_fail(c, &d->pos, -EINVAL, "D_PROV_PRDUP", "probe %s is declared twice", d->name);
	}
	pf_dlex_take(c);
	if (probe_args(c, &d->args, &d->n_args) < 0)
		return c->rc;
	d->xargs = d->args;
	d->n_xargs = d->n_args;
	if (pf_dlex_accept(c, PF_DK_COLON) && probe_args(c, &d->xargs, &d->n_xargs) < 0)
		return c->rc;
	**tail = d;
	*tail = &d->next;
	return pf_dlex_expect(c, PF_DK_SEMI);
}

/* provider name { probe p(args) [: (args)]; ... }; */
int pf_dparse_provider(struct pf_dcomp *c)
{
	if (!pf_dlex_accept(c, PF_DK_PROVIDER))
		return pf_d_syntax(c);
	const struct pf_dtoken *t = pf_dlex_peek(c);
	struct pf_dprovider *v = t ? pf_d_alloc(c, sizeof(*v)) : NULL;
	if (!v)
		return c->rc;
	if (t->kind != PF_DK_IDENT)
		return pf_d_syntax(c);
	v->pos = t->pos;
	v->name = pf_d_text(c, t->name);
	char last = t->name.p[t->name.n - 1];
	if (t->name.n > 57 || (last >= '0' && last <= '9'))
		return pf_d_fail(c, &v->pos, -EINVAL, "D_PROV_BADNAME",
				 "provider name %s is too long or ends in a digit", v->name);
	pf_dlex_take(c);
	if (!v->name || pf_dlex_expect(c, PF_DK_LBRACE) < 0)
		return c->rc;
	struct pf_dprobe_decl **tail = &v->probes;
	while (!pf_dlex_accept(c, PF_DK_RBRACE)) {
		if (c->rc < 0 || provider_probe(c, v, &tail) < 0)
			return c->rc;
	}
	struct pf_dprovider **end = &c->p->providers;
	while (*end)
		end = &(*end)->next;
	*end = v;
	return pf_dlex_expect(c, PF_DK_SEMI);
}

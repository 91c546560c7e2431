/* trace/dlang/parse_decl.c - C declarations: specifiers, declarators, type names. */
#include <errno.h>

#include "trace/dlang/front.h"

/* Counts of the words that make up a base type. */
struct words {
	unsigned chars, shorts, ints, longs, floats, doubles, voids, strings, is_signed, is_unsigned;
	struct pf_dtype *named; /* struct, union, enum, typedef */
	unsigned n;		/* words of any kind but qualifiers */
};

static bool is_plain_type(enum pf_dtok k)
{
	switch (k) {
	case PF_DK_VOID:
	case PF_DK_CHAR:
	case PF_DK_SHORT:
	case PF_DK_KINT:
	case PF_DK_LONG:
	case PF_DK_FLOAT:
	case PF_DK_DOUBLE:
	case PF_DK_SIGNED:
	case PF_DK_UNSIGNED:
	case PF_DK_KSTRING:
	case PF_DK_STRUCT:
	case PF_DK_UNION:
	case PF_DK_ENUM:
	case PF_DK_CONST:
	case PF_DK_VOLATILE:
	case PF_DK_RESTRICT:
		return true;
	default:
		return false;
	}
}

static bool is_tag_word(struct pf_view v)
{
	return pf_view_is(v, "struct") || pf_view_is(v, "union") || pf_view_is(v, "enum");
}

bool pf_dparse_is_type(struct pf_dcomp *c, const struct pf_dtoken *t)
{
	if (is_plain_type(t->kind))
		return true;
	if (t->kind == PF_DK_KSYM)
		return is_tag_word(t->name) || (t->module.n > 0 && pf_dtype_find(c, t->module, t->name));
	/* Variables hide types: the kernel has thousands of typedefs. */
	if (t->kind != PF_DK_IDENT || pf_dbuiltin_find(t->name))
		return false;
	if (pf_dsym_find(c->p, PF_DN_VAR, t->name) && !pf_dsym_find(c->p, PF_DN_TYPE, t->name))
		return false;
	return pf_dtype_find(c, PF_VIEW(""), t->name) != NULL;
}

static int combo(struct pf_dcomp *c, const struct pf_dpos *pos, const char *tag, const char *what)
{
	return pf_d_fail(c, pos, -EINVAL, tag, "invalid type combination: %s", what);
}

static int check_words(struct pf_dcomp *c, const struct words *w, const struct pf_dpos *pos)
{
	unsigned bases = w->chars + (w->floats + w->doubles > 0) + w->voids + w->strings + (w->named ? 1 : 0);
	bool sign = w->is_signed + w->is_unsigned > 0;
	if (w->n == 0)
		return pf_d_syntax(c);
	if (w->is_signed && w->is_unsigned)
		return combo(c, pos, "D_DECL_SIGNINT", "signed and unsigned");
	if (w->chars && (w->longs || w->shorts))
		return combo(c, pos, "D_DECL_CHARATTR", "char cannot be long or short");
	if (w->voids && (sign || w->longs || w->shorts))
		return combo(c, pos, "D_DECL_VOIDATTR", "void cannot be signed, unsigned, long or short");
	if (sign && (w->floats || w->doubles || w->strings || w->named))
		return combo(c, pos, "D_DECL_SIGNINT", "signed and unsigned are for integers");
	if (w->longs && (w->floats || w->strings || w->named || w->shorts || (w->doubles && w->longs > 1)))
		return combo(c, pos, "D_DECL_LONGINT", "long is for integers and double");
	if (w->shorts && (w->floats || w->doubles || w->strings || w->named))
		return combo(c, pos, "D_DECL_LONGINT", "short is for integers");
	if (bases > 1 || w->chars > 1 || w->ints > 1 || w->shorts > 1 || w->longs > 2 || w->is_signed > 1 ||
	    w->is_unsigned > 1 || w->doubles + w->floats > 1 || (w->ints && bases > 0))
		return combo(c, pos, "D_DECL_COMBO", "these words do not make one type");
	return 0;
}

static struct pf_dtype *type_of_words(const struct pf_dtypes *t, const struct words *w)
{
	if (w->named)
		return w->named;
	if (w->voids)
		return t->v;
	if (w->strings)
		return t->string;
	if (w->floats)
		return t->f32;
	if (w->doubles)
		return w->longs ? t->f80 : t->f64;
	if (w->chars)
		return w->is_unsigned ? t->uc : w->is_signed ? t->sc : t->c;
	if (w->shorts)
		return w->is_unsigned ? t->u16 : t->i16;
	if (w->longs == 2)
		return w->is_unsigned ? t->ull : t->ll;
	if (w->longs)
		return w->is_unsigned ? t->u64 : t->i64;
	return w->is_unsigned ? t->u32 : t->i32;
}

static bool is_storage(enum pf_dtok k)
{
	return k == PF_DK_SELF || k == PF_DK_THIS || k == PF_DK_EXTERN || k == PF_DK_STATIC || k == PF_DK_AUTO ||
	       k == PF_DK_REGISTER || k == PF_DK_TYPEDEF;
}

static int storage(struct pf_dcomp *c, const struct pf_dtoken *t, bool allowed, struct pf_dspecs *s)
{
	if (!allowed)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_DECL_PARMCLASS", "storage class %.*s is not permitted here",
				 (int)t->name.n, t->name.p);
	if (s->storage != 0)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_DECL_CLASS", "only one storage class can be given");
	if (t->kind == PF_DK_AUTO || t->kind == PF_DK_REGISTER)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_DECL_BADCLASS", "storage class %.*s is not permitted in D",
				 (int)t->name.n, t->name.p);
	s->storage = t->kind;
	return 0;
}

/* struct, union, enum, in a module or not; the word is taken. */
static int tagged(struct pf_dcomp *c, enum pf_dtok what, struct pf_view module, struct words *w, struct pf_dspecs *s)
{
	s->has_tag = true;
	w->n++;
	if (w->named)
		return combo(c, &s->pos, "D_DECL_COMBO", "these words do not make one type");
	return what == PF_DK_ENUM ? pf_dparse_enum(c, module, &w->named) : pf_dparse_record(c, what, module, &w->named);
}

static unsigned *word_count(struct words *w, enum pf_dtok k)
{
	switch (k) {
	case PF_DK_VOID:
		return &w->voids;
	case PF_DK_CHAR:
		return &w->chars;
	case PF_DK_SHORT:
		return &w->shorts;
	case PF_DK_KINT:
		return &w->ints;
	case PF_DK_LONG:
		return &w->longs;
	case PF_DK_FLOAT:
		return &w->floats;
	case PF_DK_DOUBLE:
		return &w->doubles;
	case PF_DK_SIGNED:
		return &w->is_signed;
	case PF_DK_UNSIGNED:
		return &w->is_unsigned;
	case PF_DK_KSTRING:
		return &w->strings;
	default:
		return NULL;
	}
}

/* One word of the specifiers. Return: 1 taken, 0 not one of them, <0 error. */
static int spec_word(struct pf_dcomp *c, bool storage_allowed, struct words *w, struct pf_dspecs *s)
{
	const struct pf_dtoken *at = pf_dlex_peek(c);
	if (!at)
		return c->rc;
	struct pf_dtoken t = *at;
	unsigned *count = word_count(w, t.kind);
	int rc = 1;
	if (count) {
		pf_dlex_take(c);
		if (++*count > 8)
			rc = combo(c, &t.pos, "D_DECL_COMBO", "these words do not make one type");
		w->n++;
	} else if (is_storage(t.kind)) {
		pf_dlex_take(c);
		rc = storage(c, &t, storage_allowed, s);
	} else if (t.kind == PF_DK_CONST || t.kind == PF_DK_VOLATILE || t.kind == PF_DK_RESTRICT) {
		pf_dlex_take(c);
	} else if (t.kind == PF_DK_STRUCT || t.kind == PF_DK_UNION || t.kind == PF_DK_ENUM) {
		pf_dlex_take(c);
		rc = tagged(c, t.kind, PF_VIEW(""), w, s);
	} else if (t.kind == PF_DK_KSYM && w->n == 0 && is_tag_word(t.name)) {
		pf_dlex_take(c);
		rc = tagged(c, pf_dlex_keyword(t.name), t.module, w, s);
	} else if ((t.kind == PF_DK_IDENT || t.kind == PF_DK_KSYM) && w->n == 0) {
		w->named = pf_dtype_find(c, t.module, t.name);
		if (!w->named)
			return 0;
		w->n++;
		pf_dlex_take(c);
	} else {
		return 0;
	}
	return rc < 0 ? rc : 1;
}

bool pf_dparse_starts_item(enum pf_dtok k)
{
	return is_plain_type(k) || is_storage(k) || k == PF_DK_INLINE || k == PF_DK_TRANSLATOR || k == PF_DK_PROVIDER;
}

int pf_dparse_specs(struct pf_dcomp *c, bool storage_allowed, struct pf_dspecs *ret)
{
	struct words w = { 0 };
	const struct pf_dtoken *first = pf_dlex_peek(c);
	if (!first)
		return c->rc;
	*ret = (struct pf_dspecs){ .pos = first->pos };
	int rc;
	do
		rc = spec_word(c, storage_allowed, &w, ret);
	while (rc > 0);
	if (rc < 0)
		return rc;
	if (w.n == 0) {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (t && t->kind == PF_DK_IDENT)
			return pf_d_fail(c, &t->pos, -EINVAL, "D_TYPE_ERR",
					 "failed to resolve type %.*s: No type information available", (int)t->name.n,
					 t->name.p);
	}
	if (check_words(c, &w, &ret->pos) < 0)
		return c->rc;
	ret->type = type_of_words(&c->p->types, &w);
	return 0;
}

/* What a declarator does to its base type, from the name outwards. */
struct modifier {
	enum { POINTER, ARRAY, FUNCTION } kind;
	uint64_t count;
	struct pf_dmember *params;
	size_t n_params;
	bool vararg;
};

enum { MAX_MODIFIERS = 32 };

struct modifiers {
	struct modifier m[MAX_MODIFIERS];
	unsigned n;
};

static int modify(struct pf_dcomp *c, struct modifiers *ms, struct modifier m)
{
	if (ms->n == MAX_MODIFIERS) {
		struct pf_dpos pos = pf_dlex_pos(&c->lex, 0);
		return pf_d_fail(c, &pos, -EFBIG, "D_SYNTAX", "more than %d levels of pointers, arrays and functions",
				 MAX_MODIFIERS);
	}
	ms->m[ms->n++] = m;
	return 0;
}

/* [type a, type b] of an associative array or an inline with parameters; the [ is taken. */
static int assoc_params(struct pf_dcomp *c, struct pf_ddeclarator *d)
{
	d->is_assoc = true;
	do {
		struct pf_dspecs s;
		struct pf_ddeclarator room, *p = &room;
		if (pf_dparse_specs(c, false, &s) < 0 || pf_dparse_declarator(c, s.type, true, p) < 0)
			return c->rc;
		if (d->n_keys == PF_D_MAX_ARGS)
			return pf_d_fail(c, &s.pos, -EFBIG, "D_SYNTAX", "more than %d keys", PF_D_MAX_ARGS);
		if (pf_dtype_kind_of(p->type) == PF_DT_VOID)
			return pf_d_fail(c, &s.pos, -EINVAL, "D_DECL_PROTO_VOID", "a key cannot be of type void");
		d->keys[d->n_keys] = p->type;
		d->key_names[d->n_keys++] = p->name;
	} while (pf_dlex_accept(c, PF_DK_COMMA));
	return pf_dlex_expect(c, PF_DK_RBRACK);
}

static int array_suffix(struct pf_dcomp *c, struct modifiers *ms, struct pf_ddeclarator *d)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	struct pf_dpos pos = t->pos;
	if (t->kind == PF_DK_RBRACK) {
		pf_dlex_take(c);
		return modify(c, ms, (struct modifier){ .kind = ARRAY });
	}
	if (pf_dparse_is_type(c, t)) {
		if (d->is_assoc || ms->n > 0)
			return pf_d_fail(c, &pos, -EINVAL, "D_DECL_ARRSUB", "array size must be a constant");
		return assoc_params(c, d);
	}
	int64_t n = 0;
	if (pf_dparse_const(c, "D_DECL_ARRSUB", "array size", &n) < 0)
		return c->rc;
	if (n <= 0)
		return pf_d_fail(c, &pos, -EINVAL, "D_DECL_ARRSUB", "array size must be a positive constant");
	if (n > INT32_MAX)
		return pf_d_fail(c, &pos, -EFBIG, "D_DECL_ARRBIG", "array size is too big");
	if (modify(c, ms, (struct modifier){ .kind = ARRAY, .count = (uint64_t)n }) < 0)
		return c->rc;
	return pf_dlex_expect(c, PF_DK_RBRACK);
}

/* (type, type, ...) of a function; the ( is taken. */
static int function_suffix(struct pf_dcomp *c, struct modifiers *ms)
{
	struct modifier m = { .kind = FUNCTION };
	struct pf_dmember params[PF_D_MAX_ARGS];
	if (pf_dlex_accept(c, PF_DK_RPAREN))
		return modify(c, ms, m);
	do {
		if (pf_dlex_accept(c, PF_DK_ELLIPSIS)) {
			m.vararg = true;
			break;
		}
		struct pf_dspecs s;
		struct pf_ddeclarator room, *p = &room;
		if (pf_dparse_specs(c, false, &s) < 0 || pf_dparse_declarator(c, s.type, true, p) < 0)
			return c->rc;
		if (m.n_params == PF_D_MAX_ARGS)
			return pf_d_fail(c, &s.pos, -EFBIG, "D_SYNTAX", "more than %d parameters", PF_D_MAX_ARGS);
		bool is_void = pf_dtype_kind_of(p->type) == PF_DT_VOID;
		const struct pf_dtoken *t = is_void ? pf_dlex_peek(c) : NULL;
		if (is_void && m.n_params == 0 && p->name.n == 0 && t && t->kind == PF_DK_RPAREN)
			break;
		if (is_void)
			return pf_d_fail(c, &s.pos, -EINVAL, "D_DECL_PROTO_VOID", "a parameter cannot be of type void");
		const char *name = pf_d_text(c, p->name);
		if (!name)
			return c->rc;
		params[m.n_params++] = (struct pf_dmember){ .name = name, .type = p->type };
	} while (pf_dlex_accept(c, PF_DK_COMMA));
	m.params = pf_d_alloc(c, (m.n_params + 1) * sizeof(*m.params));
	if (!m.params || pf_dlex_expect(c, PF_DK_RPAREN) < 0)
		return c->rc;
	memcpy(m.params, params, m.n_params * sizeof(*m.params));
	return modify(c, ms, m);
}

/* After a ( in a declarator: parameters of a function, or a nested declarator? */
static bool opens_params(struct pf_dcomp *c)
{
	struct pf_dtoken second;
	const struct pf_dtoken *t = pf_dlex_peek2(c, &second);
	return t && (t->kind == PF_DK_RPAREN || t->kind == PF_DK_ELLIPSIS || pf_dparse_is_type(c, t));
}

static int direct(struct pf_dcomp *c, struct modifiers *ms, bool abstract, struct pf_ddeclarator *d);

static int declarator(struct pf_dcomp *c, struct modifiers *ms, bool abstract, struct pf_ddeclarator *d)
{
	unsigned pointers = 0;
	const struct pf_dtoken *t;
	while ((t = pf_dlex_peek(c)) != NULL) {
		if (t->kind == PF_DK_STAR)
			pointers++;
		else if (t->kind != PF_DK_CONST && t->kind != PF_DK_VOLATILE && t->kind != PF_DK_RESTRICT)
			break;
		if (pointers > MAX_MODIFIERS)
			return modify(c, &(struct modifiers){ .n = MAX_MODIFIERS }, (struct modifier){ 0 });
		pf_dlex_take(c);
	}
	if (!t || direct(c, ms, abstract, d) < 0)
		return c->rc;
	for (; pointers > 0; pointers--) {
		if (modify(c, ms, (struct modifier){ .kind = POINTER }) < 0)
			return c->rc;
	}
	return 0;
}

static int suffixes(struct pf_dcomp *c, struct modifiers *ms, struct pf_ddeclarator *d)
{
	for (;;) {
		int rc = 0;
		if (pf_dlex_accept(c, PF_DK_LBRACK))
			rc = array_suffix(c, ms, d);
		else if (pf_dlex_accept(c, PF_DK_LPAREN))
			rc = function_suffix(c, ms);
		else
			return c->rc;
		if (rc < 0)
			return rc;
	}
}

static int direct(struct pf_dcomp *c, struct modifiers *ms, bool abstract, struct pf_ddeclarator *d)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	if (t->kind == PF_DK_LPAREN && !(abstract && opens_params(c))) {
		if (!pf_d_deeper(c, &t->pos))
			return c->rc;
		pf_dlex_take(c);
		int rc = declarator(c, ms, abstract, d);
		pf_d_back(c);
		if (rc < 0 || pf_dlex_expect(c, PF_DK_RPAREN) < 0)
			return c->rc;
	} else if (t->kind == PF_DK_IDENT) {
		d->name = t->name;
		d->pos = t->pos;
		pf_dlex_take(c);
	} else if (!abstract) {
		if (t->name.n > 0 && t->kind != PF_DK_KSYM && t->kind != PF_DK_AGG)
			return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "syntax error near \"%.*s\"", (int)t->name.n,
					 t->name.p);
		return pf_d_syntax(c);
	}
	return suffixes(c, ms, d);
}

static struct pf_dtype *function_type(struct pf_dcomp *c, struct pf_dtype *result, const struct modifier *m)
{
	if (result->height >= PF_D_MAX_HEIGHT)
		return NULL;
	struct pf_dtype *f = pf_dtype_new(c->p, PF_DT_FUNCTION, NULL, 0, 1);
	if (f) {
		f->ref = result;
		f->members = m->params;
		f->n_members = m->n_params;
		f->vararg = m->vararg;
		f->complete = true;
		f->height = (uint16_t)(result->height + 1);
	}
	return f;
}

static struct pf_dtype *apply(struct pf_dcomp *c, struct pf_dtype *t, const struct modifier *m,
			      const struct pf_dpos *pos)
{
	enum pf_dtype_kind kind = pf_dtype_kind_of(t);
	struct pf_dtype *out = NULL;
	if (m->kind == POINTER) {
		out = pf_dtype_pointer(c->p, t);
	} else if (m->kind == FUNCTION) {
		if (kind == PF_DT_FUNCTION || kind == PF_DT_ARRAY) {
			(void)pf_d_fail(c, pos, -EINVAL, "D_DECL_PROTO_FORM",
					"a function cannot return an array or a function");
			return NULL;
		}
		out = function_type(c, t, m);
	} else {
		if (kind == PF_DT_VOID || kind == PF_DT_FUNCTION ||
		    (kind == PF_DT_ARRAY && pf_dtype_base(t)->count == 0)) {
			(void)pf_d_fail(c, pos, -EINVAL, "D_DECL_ARRNULL", "elements of an array must have a size");
			return NULL;
		}
		out = pf_dtype_array(c->p, t, m->count);
	}
	if (!out)
		(void)pf_d_fail(c, pos, -EFBIG, "D_DECL_ARRBIG", "type is too big or nested too deeply");
	return out;
}

int pf_dparse_declarator(struct pf_dcomp *c, struct pf_dtype *base, bool abstract, struct pf_ddeclarator *ret)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t || !pf_d_deeper(c, &t->pos))
		return c->rc;
	*ret = (struct pf_ddeclarator){ .name = PF_VIEW(""), .pos = t->pos };
	struct modifiers ms = { .n = 0 };
	int rc = declarator(c, &ms, abstract, ret);
	pf_d_back(c);
	if (rc < 0)
		return rc;
	struct pf_dtype *type = base;
	for (unsigned i = ms.n; i-- > 0 && type;)
		type = apply(c, type, &ms.m[i], &ret->pos);
	ret->type = type;
	return type ? 0 : c->rc;
}

struct pf_dtype *pf_dparse_typename(struct pf_dcomp *c)
{
	struct pf_dspecs s;
	struct pf_ddeclarator room, *d = &room;
	if (pf_dparse_specs(c, false, &s) < 0 || pf_dparse_declarator(c, s.type, true, d) < 0)
		return NULL;
	if (d->name.n > 0 || d->is_assoc) {
		(void)pf_d_fail(c, &d->pos, -EINVAL, "D_SYNTAX", "syntax error near \"%.*s\"",
				d->name.n > 60 ? 60 : (int)d->name.n, d->name.p);
		return NULL;
	}
	return d->type;
}

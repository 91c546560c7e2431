/* trace/dlang/parse_record.c - struct, union and enum, with or without body. */
#include <errno.h>

#include "trace/dlang/front.h"

enum { MAX_MEMBERS = 4096 };

int pf_dparse_const(struct pf_dcomp *c, const char *tag, const char *what, int64_t *ret_value)
{
	struct pf_dexpr *raw = pf_dparse_cond(c);
	struct pf_dexpr *e = raw ? pf_dsema_expr(c, raw, NULL) : NULL;
	if (!e)
		return c->rc;
	if (e->op != PF_DX_INT || !pf_dtype_is_integer(e->type))
		return pf_d_fail(c, &raw->pos, -EINVAL, tag, "%s must be an integer constant", what);
	*ret_value = e->value;
	return 0;
}

/* A tag of the program; @kind PF_DT_STRUCT, _UNION, _ENUM. A name that means another kind is an error. */
static struct pf_dtype *own_tag(struct pf_dcomp *c, enum pf_dtype_kind kind, struct pf_view name,
				const struct pf_dpos *pos)
{
	struct pf_dsym *s = pf_dsym_find(c->p, PF_DN_TAG, name);
	if (s && s->type->kind != kind) {
		(void)pf_d_fail(c, pos, -EINVAL, "D_DECL_TYPERED", "%.*s is already another kind of type", (int)name.n,
				name.p);
		return NULL;
	}
	return s ? s->type : NULL;
}

/* Make a tag known, without body yet. */
static struct pf_dtype *new_tag(struct pf_dcomp *c, enum pf_dtype_kind kind, struct pf_view name)
{
	const char *text = name.n > 0 ? pf_d_text(c, name) : NULL;
	struct pf_dtype *t = c->rc < 0 ? NULL : pf_dtype_new(c->p, kind, text, 0, 1);
	if (!t) {
		(void)pf_d_nomem(c);
		return NULL;
	}
	t->complete = false;
	if (name.n > 0) {
		struct pf_dsym *s = pf_dsym_add(c, PF_DN_TAG, name);
		if (!s)
			return NULL;
		s->type = t;
	}
	return t;
}

/* The type that "struct name" means; @body: one follows, so it is ours to define. */
static struct pf_dtype *tag_type(struct pf_dcomp *c, enum pf_dtype_kind kind, struct pf_view module,
				 struct pf_view name, const struct pf_dpos *pos, bool body)
{
	struct pf_dtype *t = name.n > 0 && module.n == 0 ? own_tag(c, kind, name, pos) : NULL;
	if (c->rc < 0)
		return NULL;
	if (t && body && (t->complete || t->lazy)) {
		(void)pf_d_fail(c, pos, -EINVAL, "D_DECL_TYPERED", "type %.*s is already defined", (int)name.n, name.p);
		return NULL;
	}
	if (t)
		return t;
	if (!body) {
		enum pf_dtype_tag tag = kind == PF_DT_STRUCT  ? PF_DTAG_STRUCT
					: kind == PF_DT_UNION ? PF_DTAG_UNION
							      : PF_DTAG_ENUM;
		t = pf_dtype_find_tag(c, module, tag, name);
		if (t)
			return t;
		if (module.n > 0) {
			(void)pf_d_fail(c, pos, -EINVAL, "D_TYPE_ERR",
					"failed to resolve type %.*s`%.*s: No type information available",
					(int)module.n, module.p, (int)name.n, name.p);
			return NULL;
		}
	}
	return new_tag(c, kind, name);
}

/* Name and { behind struct, union, enum. */
static int tag_head(struct pf_dcomp *c, struct pf_dpos *ret_pos, struct pf_view *ret_name, bool *ret_body)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	*ret_pos = t->pos;
	*ret_name = PF_VIEW("");
	if (t->kind == PF_DK_IDENT) {
		*ret_name = t->name;
		pf_dlex_take(c);
	}
	*ret_body = pf_dlex_accept(c, PF_DK_LBRACE);
	return ret_name->n > 0 || *ret_body || c->rc < 0 ? c->rc : pf_d_syntax(c);
}

struct members {
	struct pf_dmember *m;
	size_t n;
};

static int check_bits(struct pf_dcomp *c, const struct pf_ddeclarator *d, int64_t bits)
{
	if (!pf_dtype_is_integer(d->type))
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_BFTYPE", "a bit-field must be of integer type");
	if (bits < 0 || (uint64_t)bits > pf_dtype_base(d->type)->size * 8 || (bits == 0 && d->name.n > 0))
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_BFSIZE", "width of a bit-field must be 1 to %u",
				 (unsigned)pf_dtype_base(d->type)->size * 8);
	return 0;
}

static int check_member(struct pf_dcomp *c, const struct members *ms, const struct pf_ddeclarator *d)
{
	struct pf_dtype *base = pf_dtype_base(d->type);
	if (d->is_assoc)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_ARRSUB", "a member cannot be an associative array");
	if (base->kind == PF_DT_VOID || base->kind == PF_DT_FUNCTION)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_VOIDOBJ", "a member cannot be of type %s",
				 pf_dtype_text(c->p, d->type));
	if (base->size == 0 && base->kind != PF_DT_ARRAY && !base->complete)
		return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_INCOMPLETE", "member %.*s has an incomplete type",
				 (int)d->name.n, d->name.p);
	for (size_t i = 0; i < ms->n && d->name.n > 0; i++) {
		if (pf_view_is(d->name, ms->m[i].name))
			return pf_d_fail(c, &d->pos, -EINVAL, "D_DECL_MNAME", "member %.*s is declared twice",
					 (int)d->name.n, d->name.p);
	}
	if (ms->n == MAX_MEMBERS)
		return pf_d_fail(c, &d->pos, -EFBIG, "D_SYNTAX", "more than %d members", MAX_MEMBERS);
	return 0;
}

static int add_member(struct pf_dcomp *c, struct members *ms, const struct pf_ddeclarator *d, bool is_bits,
		      int64_t bits)
{
	if (check_member(c, ms, d) < 0 || (is_bits && check_bits(c, d, bits) < 0))
		return c->rc;
	if ((ms->n & (ms->n - 1)) == 0) { /* grow at powers of two */
		struct pf_dmember *more = pf_d_alloc(c, (ms->n ? ms->n * 2 : 1) * sizeof(*more));
		if (!more)
			return c->rc;
		if (ms->n)
			memcpy(more, ms->m, ms->n * sizeof(*more));
		ms->m = more;
	}
	const char *name = pf_d_text(c, d->name);
	if (!name)
		return c->rc;
	ms->m[ms->n++] = (struct pf_dmember){ .name = name,
					      .type = d->type,
					      .bits = is_bits ? (bits ? (unsigned)bits : UINT32_MAX) : 0 };
	return 0;
}

/* declarator [: bits] {, ...} ; */
static int member_line(struct pf_dcomp *c, struct members *ms)
{
	struct pf_dspecs s;
	if (pf_dparse_specs(c, false, &s) < 0)
		return c->rc;
	struct pf_ddeclarator room, *d = &room;
	if (pf_dlex_accept(c, PF_DK_SEMI)) {
		*d = (struct pf_ddeclarator){ .name = PF_VIEW(""), .pos = s.pos, .type = s.type };
		if (!s.has_tag || !pf_dtype_is_record(s.type))
			return pf_d_fail(c, &s.pos, -EINVAL, "D_DECL_USELESS", "declaration without a name");
		return add_member(c, ms, d, false, 0);
	}
	do {
		int64_t bits = 0;
		bool is_bits = pf_dlex_accept(c, PF_DK_COLON);
		if (is_bits)
			*d = (struct pf_ddeclarator){ .name = PF_VIEW(""), .pos = s.pos, .type = s.type };
		else if (pf_dparse_declarator(c, s.type, false, d) < 0)
			return c->rc;
		if (!is_bits)
			is_bits = pf_dlex_accept(c, PF_DK_COLON);
		if (is_bits && pf_dparse_const(c, "D_DECL_BFCONST", "width of a bit-field", &bits) < 0)
			return c->rc;
		if (add_member(c, ms, d, is_bits, bits) < 0)
			return c->rc;
	} while (pf_dlex_accept(c, PF_DK_COMMA));
	return pf_dlex_expect(c, PF_DK_SEMI);
}

int pf_dparse_record(struct pf_dcomp *c, enum pf_dtok what, struct pf_view module, struct pf_dtype **ret)
{
	struct pf_dpos pos;
	struct pf_view name;
	bool body;
	if (tag_head(c, &pos, &name, &body) < 0)
		return c->rc;
	struct pf_dtype *t = tag_type(c, what == PF_DK_STRUCT ? PF_DT_STRUCT : PF_DT_UNION, module, name, &pos, body);
	if (!t)
		return c->rc;
	*ret = t;
	if (!body)
		return 0;
	if (!pf_d_deeper(c, &pos))
		return c->rc;
	struct members ms = { 0 };
	while (!pf_dlex_accept(c, PF_DK_RBRACE)) {
		if (c->rc < 0 || member_line(c, &ms) < 0)
			return c->rc;
	}
	pf_d_back(c);
	t->members = ms.m;
	t->n_members = ms.n;
	return pf_drecord_layout(c, t, &pos);
}

static int add_enumerator(struct pf_dcomp *c, struct pf_dtype *t, const struct pf_dtoken *name, int64_t value)
{
	if (value < INT32_MIN || value > INT32_MAX)
		return pf_d_fail(c, &name->pos, -EINVAL, "D_DECL_ENOFLOW", "enumerator %.*s does not fit in an int",
				 (int)name->name.n, name->name.p);
	if (pf_dsym_find(c->p, PF_DN_CONST, name->name) || pf_dsym_find(c->p, PF_DN_VAR, name->name))
		return pf_d_fail(c, &name->pos, -EINVAL, "D_DECL_IDRED", "identifier redeclared: %.*s",
				 (int)name->name.n, name->name.p);
	size_t n = t->n_enumerators;
	if ((n & (n - 1)) == 0) {
		struct pf_denumerator *more = pf_d_alloc(c, (n ? n * 2 : 1) * sizeof(*more));
		if (!more)
			return c->rc;
		if (n)
			memcpy(more, t->enumerators, n * sizeof(*more));
		t->enumerators = more;
	}
	struct pf_dsym *s = pf_dsym_add(c, PF_DN_CONST, name->name);
	if (!s)
		return c->rc;
	s->value = value;
	s->type_of = t;
	t->enumerators[t->n_enumerators++] = (struct pf_denumerator){ s->name.p, value };
	return 0;
}

static int enum_body(struct pf_dcomp *c, struct pf_dtype *t)
{
	int64_t next = 0;
	while (!pf_dlex_accept(c, PF_DK_RBRACE)) {
		const struct pf_dtoken *at = pf_dlex_peek(c);
		if (!at)
			return c->rc;
		struct pf_dtoken name = *at;
		if (name.kind != PF_DK_IDENT)
			return pf_d_syntax(c);
		pf_dlex_take(c);
		if (pf_dlex_accept(c, PF_DK_ASSIGN) &&
		    pf_dparse_const(c, "D_DECL_ENCONST", "value of an enumerator", &next) < 0)
			return c->rc;
		if (c->rc < 0 || add_enumerator(c, t, &name, next) < 0)
			return c->rc;
		next++;
		if (!pf_dlex_accept(c, PF_DK_COMMA))
			return pf_dlex_expect(c, PF_DK_RBRACE);
	}
	return c->rc;
}

int pf_dparse_enum(struct pf_dcomp *c, struct pf_view module, struct pf_dtype **ret)
{
	struct pf_dpos pos;
	struct pf_view name;
	bool body;
	if (tag_head(c, &pos, &name, &body) < 0)
		return c->rc;
	struct pf_dtype *t = tag_type(c, PF_DT_ENUM, module, name, &pos, body);
	if (!t)
		return c->rc;
	*ret = t;
	if (!body)
		return 0;
	t->size = t->align = 4;
	t->is_signed = true;
	t->complete = true;
	return enum_body(c, t);
}

/* trace/dlang/parse_expr.c - expressions by precedence climbing. */
#include <errno.h>

#include "trace/dlang/front.h"

/* Binary operators: level of precedence, higher binds closer. Assignment, ?: and comma are not here. */
static const struct {
	unsigned char level;
	enum pf_dexpr_op op;
} binary[N_PF_DK] = {
	[PF_DK_STAR] = { 12, PF_DX_MUL }, [PF_DK_SLASH] = { 12, PF_DX_DIV }, [PF_DK_PERCENT] = { 12, PF_DX_MOD },
	[PF_DK_PLUS] = { 11, PF_DX_ADD }, [PF_DK_MINUS] = { 11, PF_DX_SUB }, [PF_DK_SHL] = { 10, PF_DX_SHL },
	[PF_DK_SHR] = { 10, PF_DX_SHR },  [PF_DK_LT] = { 9, PF_DX_LT },	     [PF_DK_LE] = { 9, PF_DX_LE },
	[PF_DK_GT] = { 9, PF_DX_GT },	  [PF_DK_GE] = { 9, PF_DX_GE },	     [PF_DK_EQ] = { 8, PF_DX_EQ },
	[PF_DK_NE] = { 8, PF_DX_NE },	  [PF_DK_AND] = { 7, PF_DX_AND },    [PF_DK_XOR] = { 6, PF_DX_XOR },
	[PF_DK_OR] = { 5, PF_DX_OR },	  [PF_DK_LAND] = { 4, PF_DX_LAND },  [PF_DK_LXOR] = { 3, PF_DX_LXOR },
	[PF_DK_LOR] = { 2, PF_DX_LOR },
};

static const enum pf_dexpr_op assignments[N_PF_DK] = {
	[PF_DK_ASSIGN] = PF_DX_ASSIGN,	       [PF_DK_ASSIGN_MUL] = PF_DX_ASSIGN_MUL,
	[PF_DK_ASSIGN_DIV] = PF_DX_ASSIGN_DIV, [PF_DK_ASSIGN_MOD] = PF_DX_ASSIGN_MOD,
	[PF_DK_ASSIGN_ADD] = PF_DX_ASSIGN_ADD, [PF_DK_ASSIGN_SUB] = PF_DX_ASSIGN_SUB,
	[PF_DK_ASSIGN_SHL] = PF_DX_ASSIGN_SHL, [PF_DK_ASSIGN_SHR] = PF_DX_ASSIGN_SHR,
	[PF_DK_ASSIGN_AND] = PF_DX_ASSIGN_AND, [PF_DK_ASSIGN_XOR] = PF_DX_ASSIGN_XOR,
	[PF_DK_ASSIGN_OR] = PF_DX_ASSIGN_OR,
};

static const enum pf_dexpr_op prefixes[N_PF_DK] = {
	[PF_DK_NOT] = PF_DX_NOT,    [PF_DK_TILDE] = PF_DX_BITNOT, [PF_DK_INC] = PF_DX_PREINC,
	[PF_DK_DEC] = PF_DX_PREDEC, [PF_DK_PLUS] = PF_DX_PLUS,	  [PF_DK_MINUS] = PF_DX_NEG,
	[PF_DK_STAR] = PF_DX_DEREF, [PF_DK_AND] = PF_DX_ADDR,	  [PF_DK_STRINGOF] = PF_DX_STRINGOF,
};

static struct pf_dexpr *parse_unary(struct pf_dcomp *c);

/* Expressions between commas up to @close, which is taken. */
static int parse_list(struct pf_dcomp *c, enum pf_dtok close, struct pf_dexpr **out, unsigned *ret_n)
{
	unsigned n = 0;
	if (pf_dlex_accept(c, close)) {
		*ret_n = 0;
		return 0;
	}
	do {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t)
			return c->rc;
		if (n == PF_D_MAX_ARGS)
			return pf_d_fail(c, &t->pos, -EFBIG, "D_SYNTAX", "more than %d arguments", PF_D_MAX_ARGS);
		out[n] = pf_dparse_assign(c);
		if (!out[n])
			return c->rc;
		n++;
	} while (pf_dlex_accept(c, PF_DK_COMMA));
	*ret_n = n;
	return pf_dlex_expect(c, close);
}

/* A node with args @first (may be NULL) and a list behind the ( or [ just taken. */
static struct pf_dexpr *with_list(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos,
				  struct pf_dexpr *first, enum pf_dtok close)
{
	struct pf_dexpr *list[PF_D_MAX_ARGS];
	unsigned n = 0, have = first ? 1 : 0;
	if (parse_list(c, close, list, &n) < 0)
		return NULL;
	struct pf_dexpr *e = pf_dnode(c, op, pos, n + have);
	if (!e)
		return NULL;
	if (first)
		e->args[0] = first;
	if (n > 0)
		memcpy(e->args + have, list, n * sizeof(list[0]));
	return pf_dnode_done(c, e) < 0 ? NULL : e;
}

static struct pf_dexpr *name_node(struct pf_dcomp *c, const struct pf_dtoken *t, enum pf_dexpr_op op)
{
	struct pf_dexpr *e = pf_dnode(c, op, &t->pos, 0);
	if (e) {
		e->name = t->name;
		e->module = t->module;
		e->name_scope = PF_DV_GLOBAL;
	}
	return e;
}

/* name, name(args) */
static struct pf_dexpr *parse_ident(struct pf_dcomp *c)
{
	struct pf_dtoken t = c->tok;
	pf_dlex_take(c);
	if (!pf_dlex_accept(c, PF_DK_LPAREN))
		return c->rc < 0 ? NULL : name_node(c, &t, PF_DX_NAME);
	struct pf_dexpr *e = with_list(c, PF_DX_CALLNAME, &t.pos, NULL, PF_DK_RPAREN);
	if (e)
		e->name = t.name;
	return e;
}

/* self->name, this->name */
static struct pf_dexpr *parse_scoped(struct pf_dcomp *c)
{
	struct pf_dtoken scope = c->tok;
	pf_dlex_take(c);
	if (pf_dlex_expect(c, PF_DK_ARROW) < 0)
		return NULL;
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return NULL;
	if (t->kind != PF_DK_IDENT) {
		(void)pf_d_syntax(c);
		return NULL;
	}
	struct pf_dexpr *e = name_node(c, t, PF_DX_NAME);
	if (e)
		e->name_scope = scope.kind == PF_DK_SELF ? PF_DV_SELF : PF_DV_THIS;
	pf_dlex_take(c);
	return e;
}

/* @name, @name[keys] */
static struct pf_dexpr *parse_agg(struct pf_dcomp *c)
{
	struct pf_dtoken t = c->tok;
	pf_dlex_take(c);
	struct pf_dexpr *e = NULL;
	if (pf_dlex_accept(c, PF_DK_LBRACK))
		e = with_list(c, PF_DX_AGG, &t.pos, NULL, PF_DK_RBRACK);
	else if (c->rc == 0)
		e = pf_dnode(c, PF_DX_AGG, &t.pos, 0);
	if (e) {
		e->name = t.name;
		e->module = (struct pf_view){ NULL, 0 };
	}
	return e;
}

static struct pf_dexpr *parse_primary(struct pf_dcomp *c)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return NULL;
	struct pf_dexpr *e = NULL;
	switch (t->kind) {
	case PF_DK_INT:
		e = pf_dnode_int(c, &t->pos, t->type, pf_dtype_wrap(t->type, t->value));
		break;
	case PF_DK_STRING:
		e = pf_dnode_string(c, &t->pos, t->string);
		break;
	case PF_DK_KSYM:
		e = name_node(c, t, PF_DX_KSYM);
		break;
	case PF_DK_IDENT:
		return parse_ident(c);
	case PF_DK_SELF:
	case PF_DK_THIS:
		return parse_scoped(c);
	case PF_DK_AGG:
		return parse_agg(c);
	case PF_DK_LPAREN:
		pf_dlex_take(c);
		e = pf_dparse_expr(c);
		return !e || pf_dlex_expect(c, PF_DK_RPAREN) < 0 ? NULL : e;
	default:
		(void)pf_d_syntax(c);
		return NULL;
	}
	pf_dlex_take(c);
	return e;
}

static struct pf_dexpr *parse_member(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos,
				     struct pf_dexpr *left)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return NULL;
	/* Members of kernel structures can be called like keywords of D ("string", "counter"). */
	if (t->name.n == 0 || t->kind == PF_DK_AGG || t->kind == PF_DK_KSYM) {
		(void)pf_d_syntax(c);
		return NULL;
	}
	struct pf_dpos at = *pos;
	at.token = t->pos.token;
	struct pf_view name = t->name;
	pf_dlex_take(c);
	struct pf_dexpr *e = pf_dnode_unary(c, op, &at, left);
	if (e)
		e->name = name;
	return e;
}

static struct pf_dexpr *parse_postfix(struct pf_dcomp *c)
{
	struct pf_dexpr *e = parse_primary(c);
	while (e) {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t)
			return NULL;
		struct pf_dpos pos = t->pos;
		switch (t->kind) {
		case PF_DK_LBRACK:
			pf_dlex_take(c);
			e = with_list(c, PF_DX_SUBSCRIPT, &pos, e, PF_DK_RBRACK);
			break;
		case PF_DK_LPAREN:
			(void)pf_d_fail(c, &pos, -EINVAL, "D_FUNC_IDENT", "only a function name can stand before (");
			return NULL;
		case PF_DK_DOT:
		case PF_DK_ARROW: {
			enum pf_dexpr_op op = t->kind == PF_DK_DOT ? PF_DX_DOT : PF_DX_ARROW;
			pf_dlex_take(c);
			e = parse_member(c, op, &pos, e);
			break;
		}
		case PF_DK_INC:
		case PF_DK_DEC: {
			enum pf_dexpr_op op = t->kind == PF_DK_INC ? PF_DX_POSTINC : PF_DX_POSTDEC;
			pf_dlex_take(c);
			e = pf_dnode_unary(c, op, &pos, e);
			break;
		}
		default:
			return e;
		}
	}
	return NULL;
}

/* Is the ( at hand followed by a type name? */
static bool paren_type(struct pf_dcomp *c)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	struct pf_dtoken second;
	if (!t || t->kind != PF_DK_LPAREN || !pf_dlex_peek2(c, &second))
		return false;
	return pf_dparse_is_type(c, &second);
}

/* ( type ), at the ( */
static struct pf_dtype *parse_paren_type(struct pf_dcomp *c)
{
	pf_dlex_take(c);
	struct pf_dtype *type = pf_dparse_typename(c);
	return !type || pf_dlex_expect(c, PF_DK_RPAREN) < 0 ? NULL : type;
}

static struct pf_dexpr *typed_node(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos,
				   struct pf_dtype *type, struct pf_dexpr *operand)
{
	struct pf_dexpr *e = operand ? pf_dnode_unary(c, op, pos, operand) : pf_dnode(c, op, pos, 0);
	if (e)
		e->named_type = type;
	return e;
}

static struct pf_dexpr *parse_sizeof(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	pf_dlex_take(c);
	if (paren_type(c)) {
		struct pf_dtype *type = parse_paren_type(c);
		return type ? typed_node(c, PF_DX_SIZEOF_TYPE, pos, type, NULL) : NULL;
	}
	struct pf_dexpr *operand = c->rc < 0 ? NULL : parse_unary(c);
	return operand ? pf_dnode_unary(c, PF_DX_SIZEOF, pos, operand) : NULL;
}

/* offsetof(type, member.path) */
static struct pf_dexpr *parse_offsetof(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	pf_dlex_take(c);
	if (pf_dlex_expect(c, PF_DK_LPAREN) < 0)
		return NULL;
	struct pf_dtype *type = pf_dparse_typename(c);
	if (!type || pf_dlex_expect(c, PF_DK_COMMA) < 0)
		return NULL;
	struct pf_view path[PF_D_MAX_ARGS];
	unsigned n = 0;
	do {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t || t->name.n == 0 || t->kind == PF_DK_AGG || t->kind == PF_DK_KSYM || n == PF_D_MAX_ARGS) {
			(void)pf_d_syntax(c);
			return NULL;
		}
		path[n++] = t->name;
		pf_dlex_take(c);
	} while (pf_dlex_accept(c, PF_DK_DOT));
	if (pf_dlex_expect(c, PF_DK_RPAREN) < 0)
		return NULL;

	struct pf_dexpr *e = typed_node(c, PF_DX_OFFSETOF, pos, type, NULL);
	struct pf_view *copy = pf_d_alloc(c, n * sizeof(*copy));
	if (!e || !copy)
		return NULL;
	memcpy(copy, path, n * sizeof(*copy));
	e->path = copy;
	e->n_path = n;
	return e;
}

/* xlate < type > ( expr ) */
static struct pf_dexpr *parse_xlate(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	pf_dlex_take(c);
	if (pf_dlex_expect(c, PF_DK_LT) < 0)
		return NULL;
	struct pf_dtype *type = pf_dparse_typename(c);
	if (!type || pf_dlex_expect(c, PF_DK_GT) < 0)
		return NULL;
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (t && t->kind != PF_DK_LPAREN)
		(void)pf_d_syntax(c);
	struct pf_dexpr *operand = t ? parse_primary(c) : NULL;
	return operand ? typed_node(c, PF_DX_XLATE, pos, type, operand) : NULL;
}

/* What may follow a prefix operator's operand: xlate<T>(e).m and such are postfix forms of a unary. */
static struct pf_dexpr *parse_members(struct pf_dcomp *c, struct pf_dexpr *e)
{
	while (e) {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t)
			return NULL;
		if (t->kind != PF_DK_DOT && t->kind != PF_DK_ARROW)
			return e;
		enum pf_dexpr_op op = t->kind == PF_DK_DOT ? PF_DX_DOT : PF_DX_ARROW;
		struct pf_dpos pos = t->pos;
		pf_dlex_take(c);
		e = parse_member(c, op, &pos, e);
	}
	return NULL;
}

static struct pf_dexpr *parse_prefix(struct pf_dcomp *c, const struct pf_dtoken *t)
{
	struct pf_dpos pos = t->pos;
	enum pf_dexpr_op op = prefixes[t->kind];
	if (t->kind == PF_DK_SIZEOF)
		return parse_sizeof(c, &pos);
	if (t->kind == PF_DK_OFFSETOF)
		return parse_offsetof(c, &pos);
	if (t->kind == PF_DK_XLATE)
		return parse_members(c, parse_xlate(c, &pos));
	if (op == 0 && t->kind == PF_DK_LPAREN && paren_type(c)) {
		struct pf_dtype *type = parse_paren_type(c);
		struct pf_dexpr *operand = type ? parse_unary(c) : NULL;
		return operand ? typed_node(c, PF_DX_CAST, &pos, type, operand) : NULL;
	}
	if (op == 0)
		return parse_postfix(c);
	pf_dlex_take(c);
	struct pf_dexpr *operand = parse_unary(c);
	return operand ? pf_dnode_unary(c, op, &pos, operand) : NULL;
}

static struct pf_dexpr *parse_unary(struct pf_dcomp *c)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t || !pf_d_deeper(c, &t->pos))
		return NULL;
	struct pf_dexpr *e = parse_prefix(c, t);
	pf_d_back(c);
	return c->rc < 0 ? NULL : e;
}

static struct pf_dexpr *parse_binary(struct pf_dcomp *c, unsigned level)
{
	struct pf_dexpr *left = parse_unary(c);
	while (left) {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t)
			return NULL;
		unsigned here = binary[t->kind].level;
		if (here == 0 || here < level)
			return left;
		enum pf_dexpr_op op = binary[t->kind].op;
		struct pf_dpos pos = t->pos;
		pf_dlex_take(c);
		struct pf_dexpr *right = parse_binary(c, here + 1);
		left = right ? pf_dnode_binary(c, op, &pos, left, right) : NULL;
	}
	return NULL;
}

struct pf_dexpr *pf_dparse_cond(struct pf_dcomp *c)
{
	struct pf_dexpr *test = parse_binary(c, 1);
	const struct pf_dtoken *t = test ? pf_dlex_peek(c) : NULL;
	if (!t || t->kind != PF_DK_QUESTION)
		return t ? test : NULL;
	struct pf_dpos pos = t->pos;
	if (!pf_d_deeper(c, &pos))
		return NULL;
	pf_dlex_take(c);
	struct pf_dexpr *yes = pf_dparse_expr(c);
	struct pf_dexpr *no = yes && pf_dlex_expect(c, PF_DK_COLON) == 0 ? pf_dparse_cond(c) : NULL;
	pf_d_back(c);
	struct pf_dexpr *e = no ? pf_dnode(c, PF_DX_COND, &pos, 3) : NULL;
	if (!e)
		return NULL;
	e->args[0] = test;
	e->args[1] = yes;
	e->args[2] = no;
	return pf_dnode_done(c, e) < 0 ? NULL : e;
}

struct pf_dexpr *pf_dparse_assign(struct pf_dcomp *c)
{
	struct pf_dexpr *left = pf_dparse_cond(c);
	const struct pf_dtoken *t = left ? pf_dlex_peek(c) : NULL;
	if (!t || assignments[t->kind] == 0)
		return t ? left : NULL;
	enum pf_dexpr_op op = assignments[t->kind];
	struct pf_dpos pos = t->pos;
	if (!pf_d_deeper(c, &pos))
		return NULL;
	pf_dlex_take(c);
	struct pf_dexpr *right = pf_dparse_assign(c);
	pf_d_back(c);
	return right ? pf_dnode_binary(c, op, &pos, left, right) : NULL;
}

struct pf_dexpr *pf_dparse_expr(struct pf_dcomp *c)
{
	struct pf_dexpr *e = pf_dparse_assign(c);
	while (e) {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t)
			return NULL;
		if (t->kind != PF_DK_COMMA)
			return e;
		struct pf_dpos pos = t->pos;
		pf_dlex_take(c);
		struct pf_dexpr *right = pf_dparse_assign(c);
		e = right ? pf_dnode_binary(c, PF_DX_COMMA, &pos, e, right) : NULL;
	}
	return NULL;
}

/* trace/dlang/node.c - making nodes of the tree, within its limits. */
#include <errno.h>

#include "trace/dlang/front.h"

struct pf_dexpr *pf_dnode(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, unsigned n_args)
{
	if (++c->p->n_nodes > PF_D_MAX_NODES) {
		(void)pf_d_fail(c, pos, -EFBIG, "D_SYNTAX", "program has more than %d expressions", PF_D_MAX_NODES);
		return NULL;
	}
	struct pf_dexpr *e = pf_d_alloc(c, sizeof(*e));
	if (!e)
		return NULL;
	e->op = op;
	e->pos = *pos;
	e->height = 1;
	e->n_args = n_args;
	if (n_args > 0) {
		e->args = pf_d_alloc(c, n_args * sizeof(struct pf_dexpr *));
		if (!e->args)
			return NULL;
	}
	return e;
}

int pf_dnode_done(struct pf_dcomp *c, struct pf_dexpr *e)
{
	unsigned highest = 0;
	for (unsigned i = 0; i < e->n_args; i++)
		highest = e->args[i]->height > highest ? e->args[i]->height : highest;
	if (highest >= PF_D_MAX_HEIGHT)
		return pf_d_fail(c, &e->pos, -EFBIG, "D_SYNTAX", "expression is nested more than %d levels deep",
				 PF_D_MAX_HEIGHT);
	e->height = (uint16_t)(highest + 1);
	return 0;
}

struct pf_dexpr *pf_dnode_unary(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a)
{
	struct pf_dexpr *e = pf_dnode(c, op, pos, 1);
	if (!e)
		return NULL;
	e->args[0] = a;
	return pf_dnode_done(c, e) < 0 ? NULL : e;
}

struct pf_dexpr *pf_dnode_binary(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				 struct pf_dexpr *b)
{
	struct pf_dexpr *e = pf_dnode(c, op, pos, 2);
	if (!e)
		return NULL;
	e->args[0] = a;
	e->args[1] = b;
	return pf_dnode_done(c, e) < 0 ? NULL : e;
}

struct pf_dexpr *pf_dnode_int(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_dtype *type, int64_t value)
{
	struct pf_dexpr *e = pf_dnode(c, PF_DX_INT, pos, 0);
	if (e) {
		e->type = type;
		e->value = value;
		e->is_const_expr = true;
	}
	return e;
}

static struct pf_dstring *intern(struct pf_dcomp *c, struct pf_view text)
{
	struct pf_dsym *s = pf_dsym_find(c->p, PF_DN_STRING, text);
	if (s)
		return s->string;
	s = pf_dsym_add(c, PF_DN_STRING, text);
	struct pf_dstring *row = s ? pf_d_alloc(c, sizeof(*row)) : NULL;
	if (!row)
		return NULL;
	row->text = s->name.p;
	row->n = text.n;
	row->id = c->p->n_strings++;
	PF_D_APPEND(c->p->strings, c->p->syms->strings_end, row);
	s->string = row;
	return row;
}

struct pf_dexpr *pf_dnode_string(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view text)
{
	struct pf_dstring *row = intern(c, text);
	struct pf_dexpr *e = row ? pf_dnode(c, PF_DX_STRING, pos, 0) : NULL;
	if (e) {
		e->type = c->p->types.string;
		e->string = row;
		e->is_const_expr = true;
	}
	return e;
}

struct pf_dexpr *pf_dnode_copy(struct pf_dcomp *c, const struct pf_dexpr *e)
{
	struct pf_dexpr *copy = pf_dnode(c, e->op, &e->pos, e->n_args);
	if (!copy)
		return NULL;
	struct pf_dexpr **args = copy->args;
	*copy = *e;
	copy->args = args;
	for (unsigned i = 0; i < e->n_args; i++) {
		args[i] = pf_dnode_copy(c, e->args[i]);
		if (!args[i])
			return NULL;
	}
	return copy;
}

/* Texts of operators, for messages and dumps. */
static const char *const texts[N_PF_DX] = {
	[PF_DX_NEG] = "-",
	[PF_DX_BITNOT] = "~",
	[PF_DX_NOT] = "!",
	[PF_DX_DEREF] = "*",
	[PF_DX_ADDR] = "&",
	[PF_DX_CAST] = "cast",
	[PF_DX_STRINGOF] = "stringof",
	[PF_DX_PREINC] = "++",
	[PF_DX_PREDEC] = "--",
	[PF_DX_POSTINC] = "++",
	[PF_DX_POSTDEC] = "--",
	[PF_DX_MEMBER] = ".",
	[PF_DX_INDEX] = "[]",
	[PF_DX_MUL] = "*",
	[PF_DX_DIV] = "/",
	[PF_DX_MOD] = "%",
	[PF_DX_ADD] = "+",
	[PF_DX_SUB] = "-",
	[PF_DX_SHL] = "<<",
	[PF_DX_SHR] = ">>",
	[PF_DX_LT] = "<",
	[PF_DX_LE] = "<=",
	[PF_DX_GT] = ">",
	[PF_DX_GE] = ">=",
	[PF_DX_EQ] = "==",
	[PF_DX_NE] = "!=",
	[PF_DX_AND] = "&",
	[PF_DX_XOR] = "^",
	[PF_DX_OR] = "|",
	[PF_DX_LAND] = "&&",
	[PF_DX_LXOR] = "^^",
	[PF_DX_LOR] = "||",
	[PF_DX_COND] = "?:",
	[PF_DX_COMMA] = ",",
	[PF_DX_ASSIGN] = "=",
	[PF_DX_ASSIGN_MUL] = "*=",
	[PF_DX_ASSIGN_DIV] = "/=",
	[PF_DX_ASSIGN_MOD] = "%=",
	[PF_DX_ASSIGN_ADD] = "+=",
	[PF_DX_ASSIGN_SUB] = "-=",
	[PF_DX_ASSIGN_SHL] = "<<=",
	[PF_DX_ASSIGN_SHR] = ">>=",
	[PF_DX_ASSIGN_AND] = "&=",
	[PF_DX_ASSIGN_XOR] = "^=",
	[PF_DX_ASSIGN_OR] = "|=",
	[PF_DX_SUBSCRIPT] = "[]",
	[PF_DX_ARROW] = "->",
	[PF_DX_DOT] = ".",
	[PF_DX_PLUS] = "+",
	[PF_DX_SIZEOF] = "sizeof",
	[PF_DX_SIZEOF_TYPE] = "sizeof",
	[PF_DX_OFFSETOF] = "offsetof",
	[PF_DX_XLATE] = "xlate",
};

const char *pf_dexpr_op_text(enum pf_dexpr_op op)
{
	return op < N_PF_DX && texts[op] ? texts[op] : "";
}

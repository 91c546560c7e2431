/* trace/dlang/print.c - the tree as text: for tests, and for people who want to see what was understood. */
#include <inttypes.h>

#include "base/buf.h"
#include "trace/dlang/front.h"

static void print_text(struct pf_buf *out, const char *p, size_t n)
{
	pf_buf_char(out, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char ch = (unsigned char)p[i];
		if (ch < 0x20 || ch >= 0x7f || ch == '"' || ch == '\\')
			pf_buf_fmt(out, "\\%03o", ch);
		else
			pf_buf_char(out, (char)ch);
	}
	pf_buf_char(out, '"');
}

static const char *scope_text(enum pf_dscope s)
{
	return s == PF_DV_SELF ? "self->" : s == PF_DV_THIS ? "this->" : "";
}

static void print_head(struct pf_buf *out, const struct pf_dexpr *e)
{
	switch (e->op) {
	case PF_DX_INT:
		if (e->type && !pf_dtype_is_signed(e->type))
			pf_buf_u64(out, (uint64_t)e->value);
		else
			pf_buf_i64(out, e->value);
		break;
	case PF_DX_STRING:
		print_text(out, e->string->text, e->string->n);
		break;
	case PF_DX_VAR:
		pf_buf_fmt(out, "%s%s", scope_text(e->var->scope), e->var->name);
		break;
	case PF_DX_BUILTIN:
		pf_buf_fmt(out, "%s", e->builtin->name);
		break;
	case PF_DX_SYMBOL:
		pf_buf_fmt(out, "%s`%s", e->symbol->module ? e->symbol->module : "", e->symbol->name);
		break;
	case PF_DX_AGG:
		pf_buf_fmt(out, "@%s", e->agg->name);
		break;
	case PF_DX_CALL:
		pf_buf_fmt(out, "%s()", e->func->name);
		break;
	case PF_DX_MEMBER:
		pf_buf_fmt(out, ".%s@%" PRIu64, e->member->name, e->bit_offset);
		break;
	case PF_DX_POSTINC:
	case PF_DX_POSTDEC:
		pf_buf_fmt(out, "post%s", pf_dexpr_op_text(e->op));
		break;
	case PF_DX_BUILD:
		pf_buf_str(out, "build");
		break;
	default:
		pf_buf_str(out, pf_dexpr_op_text(e->op));
		break;
	}
}

void pf_dexpr_print(struct pf_buf *out, const struct pf_dexpr *e)
{
	if (e->n_args > 0)
		pf_buf_char(out, '(');
	print_head(out, e);
	pf_buf_char(out, ':');
	if (e->type)
		pf_dtype_print(out, e->type);
	for (unsigned i = 0; i < e->n_args; i++) {
		pf_buf_char(out, ' ');
		pf_dexpr_print(out, e->args[i]);
	}
	if (e->n_args > 0)
		pf_buf_char(out, ')');
}

static void print_list(struct pf_buf *out, const struct pf_dstmt *s, size_t indent);

static void print_agg(struct pf_buf *out, const struct pf_dstmt *s)
{
	pf_buf_fmt(out, "@%s[", s->agg->name);
	for (unsigned i = 0; i < s->n_keys; i++) {
		if (i > 0)
			pf_buf_str(out, ", ");
		pf_dexpr_print(out, s->keys[i]);
	}
	pf_buf_fmt(out, "] = %s(", s->agg->func->name);
	if (s->value)
		pf_dexpr_print(out, s->value);
	if (s->increment) {
		pf_buf_str(out, ", inc ");
		pf_dexpr_print(out, s->increment);
	}
	pf_buf_str(out, ")\n");
}

static void print_stmt(struct pf_buf *out, const struct pf_dstmt *s, size_t indent)
{
	pf_buf_pad(out, '\t', indent);
	if (s->kind == PF_DS_AGG) {
		print_agg(out, s);
		return;
	}
	if (s->kind == PF_DS_IF)
		pf_buf_str(out, "if ");
	pf_dexpr_print(out, s->expr);
	pf_buf_char(out, '\n');
	if (s->kind != PF_DS_IF)
		return;
	print_list(out, s->then, indent + 1);
	if (s->otherwise) {
		pf_buf_pad(out, '\t', indent);
		pf_buf_str(out, "else\n");
		print_list(out, s->otherwise, indent + 1);
	}
}

static void print_list(struct pf_buf *out, const struct pf_dstmt *s, size_t indent)
{
	for (; s; s = s->next)
		print_stmt(out, s, indent);
}

static void print_var(struct pf_buf *out, const struct pf_dvar *v)
{
	pf_buf_fmt(out, "var %s%s", scope_text(v->scope), v->name);
	for (unsigned k = 0; k < v->n_keys; k++) {
		pf_buf_str(out, k == 0 ? "[" : ", ");
		pf_dtype_print(out, v->key_types[k]);
	}
	pf_buf_str(out, v->n_keys > 0 ? "]: " : ": ");
	pf_dtype_print(out, v->type);
	pf_buf_char(out, '\n');
}

void pf_dprog_print(struct pf_buf *out, const struct pf_dprog *p)
{
	for (size_t i = 0; i < 3; i++) {
		for (const struct pf_dvar *v = p->vars[i]; v; v = v->next)
			print_var(out, v);
	}
	for (const struct pf_dclause *c = p->clauses; c; c = c->next) {
		pf_buf_fmt(out, "clause %u", c->id);
		for (const struct pf_ddesc *d = c->descs; d; d = d->next)
			pf_buf_fmt(out, "%s%s", d == c->descs ? " " : ", ", d->text);
		pf_buf_str(out, c->flags & PF_DC_DEFAULT ? " default\n" : "\n");
		if (c->predicate) {
			pf_buf_str(out, "\t/ ");
			pf_dexpr_print(out, c->predicate);
			pf_buf_str(out, " /\n");
		}
		print_list(out, c->stmts, 1);
	}
}

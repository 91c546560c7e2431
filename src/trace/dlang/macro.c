/* trace/dlang/macro.c - $1, $$1, $target and their kin. */
#include <errno.h>
#include <inttypes.h>

#include "base/buf.h"
#include "trace/dlang/front.h"

/* A macro as written, and its value: text of an argument, or a number. */
struct macro {
	struct pf_dpos pos;
	bool as_string; /* $$ */
	bool is_number; /* $pid ... */
	bool is_unset;	/* and defaultargs is on */
	int64_t number;
	struct pf_view text;
};

static int undefined(struct pf_dcomp *c, const struct macro *m)
{
	return pf_d_fail(c, &m->pos, -EINVAL, "D_MACRO_UNDEF", "macro argument %.*s is not defined",
			 m->pos.token.n > 60 ? 60 : (int)m->pos.token.n, m->pos.token.p);
}

static int argument(struct pf_dcomp *c, struct macro *m, struct pf_view digits)
{
	uint64_t n = 0;
	if (pf_view_u64(digits, &n) < 0 || n > INT32_MAX)
		return pf_d_fail(c, &m->pos, -EINVAL, "D_MACRO_OFLOW", "macro argument $%.*s does not fit in an int",
				 digits.n > 60 ? 60 : (int)digits.n, digits.p);
	if (n < (uint64_t)(c->argc > 0 ? c->argc : 0) && c->argv[n]) {
		m->text = pf_view_of(c->argv[n]);
		c->used[n] = true;
		return 0;
	}
	if (n == 0) {
		m->text = pf_view_of(c->where ? c->where : "");
		return 0;
	}
	if (pf_d_option(c, "defaultargs", 0) <= 0)
		return undefined(c, m);
	m->is_unset = true;
	return 0;
}

static int variable(struct pf_dcomp *c, struct macro *m, struct pf_view name)
{
	const struct pf_dhost *h = &c->p->host;
	const char *text = pf_d_text(c, name);
	if (!text)
		return c->rc;
	int rc = h->macro && name.n > 0 ? h->macro(h->arg, text, &m->number) : -ENOENT;
	if (rc < 0)
		return undefined(c, m);
	m->is_number = true;
	return 0;
}

/* At the $; moves behind the macro. */
static int read_macro(struct pf_dcomp *c, struct pf_dlex *x, struct macro *m)
{
	struct pf_view rest = { x->text.p + x->at, x->text.n - x->at };
	*m = (struct macro){ .as_string = rest.n > 1 && rest.p[1] == '$' };
	size_t start = m->as_string ? 2 : 1, n = start;
	bool digits = n < rest.n && !pf_d_is_ident_start(rest.p[n]);
	while (n < rest.n && (digits ? rest.p[n] >= '0' && rest.p[n] <= '9' : pf_d_is_ident(rest.p[n])))
		n++;
	m->pos = pf_dlex_pos(x, n);
	if (n - start > PF_D_MAX_IDENT)
		return pf_d_fail(c, &m->pos, -EFBIG, "D_MACRO_OFLOW", "macro name is longer than %d characters",
				 PF_D_MAX_IDENT);
	struct pf_view name = { rest.p + start, n - start };
	x->at += n;
	if (n == start)
		return undefined(c, m);
	return digits ? argument(c, m, name) : variable(c, m, name);
}

static bool looks_like_int(struct pf_view v)
{
	if (v.n > 0 && (v.p[0] == '-' || v.p[0] == '+'))
		v = (struct pf_view){ v.p + 1, v.n - 1 };
	return v.n > 0 && v.p[0] >= '0' && v.p[0] <= '9';
}

static bool looks_like_ident(struct pf_view v)
{
	if (v.n == 0 || v.n > PF_D_MAX_IDENT || !pf_d_is_ident_start(v.p[0]))
		return false;
	for (size_t i = 1; i < v.n; i++) {
		if (!pf_d_is_ident(v.p[i]))
			return false;
	}
	return true;
}

static struct pf_view unquoted(struct pf_view v)
{
	if (v.n >= 2 && (v.p[0] == '"' || v.p[0] == '\'') && v.p[v.n - 1] == v.p[0])
		return (struct pf_view){ v.p + 1, v.n - 2 };
	return v;
}

/* overflows() - are the digits at the start of @v a number beyond 64 bits? */
static bool overflows(struct pf_view v)
{
	bool hex = v.n > 1 && v.p[0] == '0' && (v.p[1] | 0x20) == 'x';
	unsigned base = hex ? 16 : v.p[0] == '0' ? 8 : 10;
	uint64_t n = 0;
	for (size_t i = hex ? 2 : 0; i < v.n; i++) {
		char ch = (char)(v.p[i] | 0x20);
		unsigned digit = ch >= 'a' ? (unsigned)(ch - 'a') + 10 : (unsigned)(v.p[i] - '0');
		if (digit >= base)
			break;
		if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, digit, &n))
			return true;
	}
	return false;
}

/* -7 as one constant: the number's own type, value negated. */
static int integer(struct pf_dcomp *c, struct pf_dtoken *t, struct pf_view v)
{
	bool negative = v.p[0] == '-';
	if (negative || v.p[0] == '+')
		v = (struct pf_view){ v.p + 1, v.n - 1 };
	if (overflows(v))
		return pf_d_fail(c, &t->pos, -ERANGE, "D_MACRO_OFLOW", "macro argument %.100s does not fit in 64 bits",
				 v.p);
	int rc = pf_dlex_number(c, t, v);
	if (rc == 0 && negative)
		t->value = (uint64_t)pf_dtype_wrap(t->type, 0 - t->value);
	return rc;
}

static int number_token(struct pf_dcomp *c, struct pf_dtoken *t, const struct macro *m)
{
	if (m->as_string) {
		char *text = pf_d_alloc(c, 24);
		if (!text)
			return c->rc;
		struct pf_buf b = { 0 };
		pf_buf_i64(&b, m->number);
		size_t n = b.n < 23 ? b.n : 23;
		if (b.p)
			memcpy(text, b.p, n);
		pf_buf_done(&b);
		t->kind = PF_DK_STRING;
		t->string = (struct pf_view){ text, n };
		return 0;
	}
	t->kind = PF_DK_INT;
	t->value = (uint64_t)m->number;
	t->type = m->number >= INT32_MIN && m->number <= INT32_MAX ? c->p->types.i32 : c->p->types.i64;
	return 0;
}

int pf_dmacro_token(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	struct macro m;
	int rc = read_macro(c, x, &m);
	if (rc < 0)
		return rc;
	t->pos = m.pos;
	if (m.is_number || (m.is_unset && !m.as_string))
		return number_token(c, t, &m);
	if (!m.as_string && looks_like_int(m.text))
		return integer(c, t, m.text);
	struct pf_view text = unquoted(m.text);
	const char *copy = pf_d_text(c, text);
	if (!copy)
		return c->rc;
	text.p = copy;
	if (!m.as_string && looks_like_ident(text) && text.n == m.text.n) {
		t->name = text;
		t->kind = pf_dlex_keyword(text);
	} else {
		t->kind = PF_DK_STRING;
		t->string = text;
	}
	return 0;
}

int pf_dmacro_text(struct pf_dcomp *c, struct pf_dlex *x, struct pf_buf *out)
{
	struct macro m;
	int rc = read_macro(c, x, &m);
	if (rc < 0)
		return rc;
	if (m.is_number || (m.is_unset && !m.as_string))
		pf_buf_i64(out, m.number);
	else
		pf_buf_view(out, unquoted(m.text));
	return out->failed < 0 ? pf_d_nomem(c) : 0;
}

int pf_dmacro_check_used(struct pf_dcomp *c)
{
	if (pf_d_option(c, "argref", 0) > 0)
		return 0;
	for (int i = 1; i < c->argc; i++) {
		if (!c->used[i])
			return pf_d_fail(c, NULL, -EINVAL, "D_MACRO_UNUSED",
					 "extraneous argument '%.100s' ($%d is not referenced)", c->argv[i], i);
	}
	return 0;
}

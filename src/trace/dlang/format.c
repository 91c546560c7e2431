/* trace/dlang/format.c - formats of printf(), printa(), system(), freopen(): conversions, and arguments against them. */
#include <errno.h>

#include "trace/dlang/front.h"

static const char conversions[] = "aAcCdiouxXeEfgGkpsSTY";

static unsigned flag_of(char ch)
{
	switch (ch) {
	case '-':
		return PF_DFMT_LEFT;
	case '+':
		return PF_DFMT_PLUS;
	case ' ':
		return PF_DFMT_SPACE;
	case '#':
		return PF_DFMT_ALT;
	case '0':
		return PF_DFMT_ZERO;
	case '\'':
		return PF_DFMT_GROUP;
	case '@':
		return PF_DFMT_AGG;
	default:
		return 0;
	}
}

static char at(struct pf_view v, size_t i)
{
	if (i < v.n)
		return v.p[i];
	return '\0';
}

/* A number or *; -1 if neither stands there. */
static int number(struct pf_view v, size_t *i)
{
	if (at(v, *i) == '*') {
		(*i)++;
		return -2;
	}
	if (at(v, *i) < '0' || at(v, *i) > '9')
		return -1;
	int n = 0;
	for (; at(v, *i) >= '0' && at(v, *i) <= '9'; (*i)++) {
		if (n < 1000000)
			n = n * 10 + (at(v, *i) - '0');
	}
	return n;
}

/* The conversion at v.p[*i], which is a %. */
static bool conversion(struct pf_view v, size_t *i, struct pf_dconv *out)
{
	size_t start = (*i)++;
	unsigned flag;
	while ((flag = flag_of(at(v, *i))) != 0) {
		out->flags |= flag;
		(*i)++;
	}
	out->width = number(v, i);
	out->precision = -1;
	if (at(v, *i) == '.') {
		(*i)++;
		out->precision = number(v, i);
		if (out->precision == -1)
			out->precision = 0;
	}
	for (size_t n = 0; n < 2 && at(v, *i) != '\0' && strchr("hlLw", at(v, *i)); n++)
		out->size[n] = v.p[(*i)++];
	out->conv = at(v, *i);
	if (out->conv != '\0')
		(*i)++;
	out->text = (struct pf_view){ v.p + start, *i - start };

	const char *s = out->size;
	bool integer = out->conv != '\0' && strchr("diouxX", out->conv), wide = out->conv == 'c' || out->conv == 's';
	bool real = out->conv != '\0' && strchr("eEfgG", out->conv);
	if (out->conv == '\0' || !strchr(conversions, out->conv))
		return false;
	if (strcmp(s, "h") == 0 || strcmp(s, "ll") == 0)
		return integer;
	if (strcmp(s, "l") == 0)
		return integer || wide;
	if (strcmp(s, "L") == 0)
		return real;
	return strcmp(s, "w") == 0 ? wide : s[0] == '\0';
}

/* Literal text up to the next conversion; %% becomes %. */
static int literal(struct pf_dcomp *c, struct pf_view v, size_t *i, struct pf_view *ret)
{
	/* Never longer than up to the next % that is not doubled. */
	size_t end = *i;
	while (end < v.n && (v.p[end] != '%' || (end + 1 < v.n && v.p[end + 1] == '%')))
		end += v.p[end] == '%' ? 2 : 1;
	char *out = pf_d_alloc(c, end - *i + 1);
	if (!out)
		return c->rc;
	size_t n = 0;
	while (*i < v.n && v.p[*i] != '\0') {
		if (v.p[*i] == '%') {
			if (at(v, *i + 1) != '%')
				break;
			(*i)++;
		}
		out[n++] = v.p[(*i)++];
	}
	if (*i < v.n && v.p[*i] == '\0')
		*i = v.n; /* a string ends at its NUL */
	*ret = (struct pf_view){ out, n };
	return 0;
}

struct pf_dformat *pf_dformat_parse(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view text)
{
	struct pf_dformat *f = pf_d_alloc(c, sizeof(*f));
	size_t most = 1;
	for (size_t i = 0; i < text.n && most < PF_D_MAX_ARGS; i++)
		most += text.p[i] == '%';
	struct pf_dconv *convs = pf_d_alloc(c, most * sizeof(*convs));
	if (!f || !convs)
		return NULL;
	f->text = text;
	f->convs = convs;
	for (size_t i = 0;;) {
		struct pf_view before;
		if (literal(c, text, &i, &before) < 0)
			return NULL;
		if (i >= text.n) {
			f->after = before;
			return f;
		}
		if (f->n_convs == PF_D_MAX_ARGS) {
			(void)pf_d_fail(c, pos, -EFBIG, "D_PRINTF_ARG_FMT", "format has more than %d conversions",
					PF_D_MAX_ARGS);
			return NULL;
		}
		struct pf_dconv *v = &convs[f->n_convs++];
		v->before = before;
		if (!conversion(text, &i, v)) {
			(void)pf_d_fail(c, pos, -EINVAL, "D_PRINTF_ARG_FMT", "format conversion #%u is undefined: %.*s",
					f->n_convs, v->text.n > 30 ? 30 : (int)v->text.n, v->text.p);
			return NULL;
		}
	}
}

static const char *prototype(const struct pf_dconv *v)
{
	switch (v->conv) {
	case 'd':
	case 'i':
		return v->size[0] == 'h'   ? "short"
		       : v->size[1] == 'l' ? "long long"
		       : v->size[0] == 'l' ? "long"
					   : "char, short, int, long, or long long";
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		return v->size[0] == 'h'   ? "unsigned short"
		       : v->size[1] == 'l' ? "unsigned long long"
		       : v->size[0] == 'l' ? "unsigned long"
					   : "char, short, int, long, or long long";
	case 'c':
	case 'C':
		return "char, short, or int";
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		return "float, double, or long double";
	case 's':
	case 'S':
		return "char [] or string (or use stringof)";
	case 'T':
	case 'Y':
		return "int64_t";
	case 'k':
		return "stack";
	default:
		return "pointer or integer";
	}
}

/* Does a value of type @t suit? */
static bool suits(const struct pf_dconv *v, struct pf_dtype *t)
{
	struct pf_dtype *base = pf_dtype_base(t);
	bool integer = pf_dtype_is_integer(base);
	switch (v->conv) {
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		if (v->size[0] == 'h')
			return integer && base->size == 2;
		return integer && (v->size[0] == '\0' || base->size == 8);
	case 'c':
	case 'C':
		return integer || pf_dtype_is_char_array(base);
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		return pf_dtype_is_float(base);
	case 's':
	case 'S':
		return base->kind == PF_DT_STRING || pf_dtype_is_char_array(base);
	case 'T':
	case 'Y':
		return integer && base->size == 8;
	case 'k':
		return base->kind == PF_DT_STACK || base->kind == PF_DT_USTACK;
	default: /* a A p */
		return integer || base->kind == PF_DT_POINTER || base->kind == PF_DT_ARRAY ||
		       base->kind == PF_DT_SYMADDR || base->kind == PF_DT_USYMADDR;
	}
}

static int mismatch(struct pf_dcomp *c, const char *func, const struct pf_dexpr *arg, unsigned n, unsigned conv,
		    const char *letters, const char *want)
{
	return pf_d_fail(
		c, &arg->pos, -EINVAL, "D_PRINTF_ARG_TYPE",
		"%s( ) argument #%u is incompatible with conversion #%u prototype:\n\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
		func, n, conv, letters, want, pf_dtype_text(c->p, arg->type));
}

static int missing(struct pf_dcomp *c, const char *func, const struct pf_dexpr *call, unsigned conv, char letter)
{
	return pf_d_fail(c, &call->pos, -EINVAL, "D_PRINTF_ARG_PROTO",
			 "%s( ) prototype mismatch: conversion #%u (%%%c) is missing a corresponding value argument",
			 func, conv, letter);
}

/* The int argument that * takes. */
static int star(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call, unsigned *arg, unsigned conv)
{
	if (*arg >= call->n_args)
		return pf_d_fail(
			c, &call->pos, -EINVAL, "D_PRINTF_DYN_PROTO",
			"%s( ) prototype mismatch: conversion #%u (%%*) is missing a corresponding size argument",
			f->name, conv);
	struct pf_dexpr *e = call->args[*arg];
	if (!pf_dtype_is_integer(e->type))
		return pf_d_fail(
			c, &e->pos, -EINVAL, "D_PRINTF_DYN_TYPE",
			"%s( ) argument #%u is incompatible with conversion #%u prototype:\n\tconversion: %%*\n"
			"\t prototype: int\n\t  argument: %s",
			f->name, *arg + 1, conv, pf_dtype_text(c->p, e->type));
	call->args[*arg] = pf_dconv_cast(c, e, c->p->types.i32);
	(*arg)++;
	return c->rc;
}

static int check_value(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call, struct pf_dconv *v,
		       unsigned arg, unsigned conv)
{
	if (arg >= call->n_args)
		return missing(c, f->name, call, conv, v->conv);
	struct pf_dexpr *e = call->args[arg];
	char letters[4] = "";
	size_t n = strlen(v->size);
	memcpy(letters, v->size, n);
	letters[n] = v->conv;
	if (pf_dtype_is_dynamic(e->type))
		return pf_d_fail(c, &e->pos, -EINVAL, "D_PRINTF_DYN_TYPE", "%s( ) argument #%u has no known type",
				 f->name, arg + 1);
	if (!suits(v, e->type))
		return mismatch(c, f->name, e, arg + 1, conv, letters, prototype(v));
	if (pf_dtype_is_char_array(e->type))
		e = pf_dconv_string(c, e);
	else
		e = pf_dconv_decay(c, e);
	call->args[arg] = e;
	return c->rc;
}

static struct pf_dformat *format_of(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *call)
{
	const struct pf_dexpr *e = call->args[0];
	if (e->op != PF_DX_STRING) {
		(void)pf_d_fail(
			c, &e->pos, -EINVAL, "D_PRINTF_ARG_FMT",
			"%s( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: %s",
			f->name, pf_dtype_text(c->p, e->type));
		return NULL;
	}
	if (e->string->n == 0 && f->id != PF_DF_FREOPEN) {
		(void)pf_d_fail(c, &e->pos, -EINVAL, "D_PRINTF_FMT_EMPTY", "%s( ) format string is empty", f->name);
		return NULL;
	}
	return pf_dformat_parse(c, &e->pos, (struct pf_view){ e->string->text, e->string->n });
}

int pf_dformat_check(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call)
{
	struct pf_dformat *fmt = format_of(c, f, call);
	if (!fmt)
		return c->rc;
	unsigned arg = 1;
	for (unsigned i = 0; i < fmt->n_convs; i++) {
		struct pf_dconv *v = &fmt->convs[i];
		if (v->flags & PF_DFMT_AGG)
			return pf_d_fail(c, &call->pos, -EINVAL, "D_PRINTF_AGG_CONV",
					 "%%@ conversion requires an aggregation and is not for use with %s( )",
					 f->name);
		if ((v->width == -2 && star(c, f, call, &arg, i + 1) < 0) ||
		    (v->precision == -2 && star(c, f, call, &arg, i + 1) < 0) ||
		    check_value(c, f, call, v, arg, i + 1) < 0)
			return c->rc;
		v->arg = arg++ - 1;
	}
	if (arg < call->n_args)
		return pf_d_fail(c, &call->args[arg]->pos, -EINVAL, "D_PRINTF_ARG_EXTRA",
				 "%s( ) prototype mismatch: only %u arguments required by this format string", f->name,
				 arg);
	call->format = fmt;
	return pf_dnode_done(c, call);
}

int pf_dformat_check_keys(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call,
			  const struct pf_dagg *agg)
{
	struct pf_dformat *fmt = format_of(c, f, call);
	if (!fmt)
		return c->rc;
	unsigned key = 0, value = 0;
	for (unsigned i = 0; i < fmt->n_convs; i++) {
		struct pf_dconv *v = &fmt->convs[i];
		if (v->width == -2 || v->precision == -2)
			return pf_d_fail(c, &call->pos, -EINVAL, "D_PRINTF_ARG_FMT",
					 "printa( ) format cannot take * from an argument");
		if (v->flags & PF_DFMT_AGG) {
			if (!strchr("cdiouxX", v->conv))
				return pf_d_fail(c, &call->pos, -EINVAL, "D_PRINTF_AGG_CONV",
						 "%%@%c conversion cannot print an aggregation", v->conv);
			v->arg = value++;
			continue;
		}
		if (key >= agg->n_keys)
			return missing(c, f->name, call, i + 1, v->conv);
		struct pf_dexpr shown = *agg->keys[key];
		shown.type = agg->key_types[key];
		char letters[2] = { v->conv, '\0' };
		if (!suits(v, shown.type))
			return mismatch(c, f->name, &shown, key + 1, i + 1, letters, prototype(v));
		v->arg = key++;
	}
	call->format = fmt;
	return 0;
}

/* base/sentence.c - sentences are made of pieces, and the longest pieces are shortened. */
#include "base/sentence.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "base/escape.h"
#include "base/view.h"

enum { PIECES_MAX = 40, NUMBERS_BYTES = 512, NUMBER_BYTES = 64 };

/* @white: newline and tab stay */
struct piece {
	struct pf_view text;
	size_t n; /* escaped */
	bool white;
};

struct pieces {
	struct piece piece[PIECES_MAX];
	unsigned n;
	char numbers[NUMBERS_BYTES];
	size_t n_numbers;
	bool failed;
};

/* One conversion: "%-08.3llx". -1: not given. */
struct conversion {
	bool zero, left;
	int width, precision;
	char length; /* 0, 'l', 'L' for ll and j, 'z' */
	char kind;
};

static void add(struct pieces *p, const char *text, size_t n, bool white)
{
	struct pf_view v = { text, n };
	if (n == 0)
		return;
	if (p->n == PIECES_MAX) {
		p->failed = true;
		return;
	}
	p->piece[p->n++] = (struct piece){ v, pf_escape_length(v, white), white };
}

static const char *take_number(const char *f, int *ret)
{
	*ret = 0;
	for (; *f >= '0' && *f <= '9' && *ret < 1000; f++)
		*ret = *ret * 10 + (*f - '0');
	return f;
}

/* What stands behind '%', without values for '*', which are -2 then. Return: behind it. */
static const char *take_conversion(const char *f, struct conversion *c)
{
	*c = (struct conversion){ .width = -1, .precision = -1 };
	for (; *f == '0' || *f == '-'; f++) {
		c->zero |= *f == '0';
		c->left |= *f == '-';
	}
	if (*f == '*')
		c->width = (f++, -2);
	else if (*f >= '1' && *f <= '9')
		f = take_number(f, &c->width);
	if (*f == '.' && f[1] == '*')
		c->precision = (f += 2, -2);
	else if (*f == '.')
		f = take_number(f + 1, &c->precision);
	for (; *f == 'l' || *f == 'j' || *f == 'z' || *f == 'h'; f++) {
		if (*f != 'h')
			c->length = *f == 'j' || (*f == 'l' && c->length == 'l') ? 'L' : *f;
	}
	c->kind = *f;
	return *f != '\0' ? f + 1 : f;
}

/* A number into its room. @n: what snprintf() says */
static void add_number(struct pieces *p, int n)
{
	if (n < 0 || n >= NUMBER_BYTES) {
		p->failed = true;
		return;
	}
	add(p, p->numbers + p->n_numbers, (size_t)n, false);
	p->n_numbers += (size_t)n;
}

static void add_signed(struct pieces *p, const struct conversion *c, long long v)
{
	char *to = p->numbers + p->n_numbers;
	int width = c->width > 0 ? c->width : 0;
	add_number(p, c->zero ? snprintf(to, NUMBER_BYTES, "%0*lld", width, v)
			      : snprintf(to, NUMBER_BYTES, "%*lld", width, v));
}

static void add_unsigned(struct pieces *p, const struct conversion *c, unsigned long long v)
{
	char *to = p->numbers + p->n_numbers;
	int width = c->width > 0 ? c->width : 0;
	int n;
	if (c->kind == 'x')
		n = c->zero ? snprintf(to, NUMBER_BYTES, "%0*llx", width, v)
			    : snprintf(to, NUMBER_BYTES, "%*llx", width, v);
	else if (c->kind == 'o')
		n = c->zero ? snprintf(to, NUMBER_BYTES, "%0*llo", width, v)
			    : snprintf(to, NUMBER_BYTES, "%*llo", width, v);
	else
		n = c->zero ? snprintf(to, NUMBER_BYTES, "%0*llu", width, v)
			    : snprintf(to, NUMBER_BYTES, "%*llu", width, v);
	add_number(p, n);
}

static void add_double(struct pieces *p, const struct conversion *c, double v)
{
	char *to = p->numbers + p->n_numbers;
	int width = c->width > 0 ? c->width : 0;
	int precision = c->precision >= 0 ? c->precision : 6;
	add_number(p, c->kind == 'g' ? snprintf(to, NUMBER_BYTES, "%*.*g", width, precision, v)
				     : snprintf(to, NUMBER_BYTES, "%*.*f", width, precision, v));
}

static void add_string(struct pieces *p, const struct conversion *c, const char *s, bool white)
{
	if (!s)
		s = "(null)";
	add(p, s, c->precision >= 0 ? strnlen(s, (size_t)c->precision) : strlen(s), white);
}

/* Cut @fmt into pieces. Its values stay where they are; numbers are drawn. @handed_on: strings are sentences */
static void cut(struct pieces *p, bool handed_on, const char *fmt, va_list ap)
{
	for (const char *f = fmt; *f != '\0' && !p->failed;) {
		struct conversion c;
		size_t n = strcspn(f, "%");
		add(p, f, n, true);
		f += n;
		if (*f == '\0')
			break;
		f = take_conversion(f + 1, &c);
		if (c.width == -2)
			c.width = va_arg(ap, int);
		if (c.precision == -2)
			c.precision = va_arg(ap, int);
		if (p->n_numbers + NUMBER_BYTES > NUMBERS_BYTES || c.left || (c.kind == 's' && c.width >= 0))
			c.kind = '\0'; /* left to printf() */
		if (c.kind == '%') {
			add(p, "%", 1, true);
		} else if (c.kind == 's' && c.length == 0) {
			add_string(p, &c, va_arg(ap, const char *), handed_on);
		} else if (c.kind == 'c' && c.length == 0) {
			p->numbers[p->n_numbers] = (char)va_arg(ap, int);
			add_number(p, 1);
		} else if (c.kind == 'd' || c.kind == 'i') {
			add_signed(p, &c,
				   c.length == 'L'   ? va_arg(ap, long long)
				   : c.length == 'l' ? va_arg(ap, long)
				   : c.length == 'z' ? va_arg(ap, ssize_t)
						     : va_arg(ap, int));
		} else if (c.kind == 'u' || c.kind == 'x' || c.kind == 'o') {
			add_unsigned(p, &c,
				     c.length == 'L'   ? va_arg(ap, unsigned long long)
				     : c.length == 'l' ? va_arg(ap, unsigned long)
				     : c.length == 'z' ? va_arg(ap, size_t)
						       : va_arg(ap, unsigned));
		} else if ((c.kind == 'f' || c.kind == 'g') && c.length == 0) {
			add_double(p, &c, va_arg(ap, double));
		} else {
			p->failed = true;
		}
	}
}

static size_t with_limit(const struct pieces *p, size_t limit)
{
	size_t sum = 0;
	for (unsigned i = 0; i < p->n; i++)
		sum += p->piece[i].n < limit ? p->piece[i].n : limit;
	return sum;
}

/* The most that a piece may have so that all of them have at most @room. */
static size_t find_limit(const struct pieces *p, size_t room)
{
	size_t fits = 0;
	size_t over = room + 1;
	while (over - fits > 1) {
		size_t limit = fits + (over - fits) / 2;
		if (with_limit(p, limit) <= room)
			fits = limit;
		else
			over = limit;
	}
	return fits;
}

void pf_sentence(char *out, size_t size, const char *inner, const char *fmt, va_list ap)
{
	struct pieces p;
	char plain[1024];
	va_list again;
	assert(size > 0);
	p.n = 0;
	p.n_numbers = 0;
	p.failed = false;
	va_copy(again, ap);
	cut(&p, !inner && strcmp(fmt, "%s") == 0, fmt, ap);
	if (p.failed || p.n + 2 > PIECES_MAX) { /* a conversion that is not known here, or too many of them */
		p.n = 0;
		p.failed = false;
		if (vsnprintf(plain, sizeof(plain), fmt, again) > 0)
			add(&p, plain, strlen(plain), false);
	}
	va_end(again);
	if (inner) {
		add(&p, ": ", 2, true);
		add(&p, inner, strlen(inner), true);
	}
	size_t limit = find_limit(&p, size - 1);
	size_t n = 0;
	for (unsigned i = 0; i < p.n; i++)
		n += pf_escape_short(out + n, limit, p.piece[i].text, p.piece[i].white);
	out[n] = '\0';
}

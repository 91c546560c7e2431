/* base/buf.c - growing text. */
#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *pf_buf_reserve(struct pf_buf *b, size_t n)
{
	if (b->failed)
		return NULL;

	size_t need;
	if (__builtin_add_overflow(b->n, n, &need) || __builtin_add_overflow(need, (size_t)1, &need)) {
		b->failed = -ENOMEM;
		return NULL;
	}
	if (need > b->cap) {
		size_t cap = b->cap ? b->cap : 256;
		while (cap < need) {
			if (__builtin_mul_overflow(cap, (size_t)2, &cap)) {
				cap = need;
				break;
			}
		}
		char *p = realloc(b->p, cap);
		if (!p) {
			b->failed = -ENOMEM;
			return NULL;
		}
		b->p = p;
		b->cap = cap;
	}
	return b->p + b->n;
}

void pf_buf_add(struct pf_buf *b, const void *bytes, size_t n)
{
	/* Most appends find room; only the others look closer. */
	char *to = !b->failed && n < b->cap - b->n ? b->p + b->n : pf_buf_reserve(b, n);
	if (!to)
		return;
	if (n > 0)
		memcpy(to, bytes, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void pf_buf_fmt(struct pf_buf *b, const char *fmt, ...)
{
	if (!pf_buf_reserve(b, 128))
		return;

	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(b->p + b->n, b->cap - b->n, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->failed = -EINVAL;
		return;
	}
	if ((size_t)n >= b->cap - b->n) {
		if (!pf_buf_reserve(b, (size_t)n))
			return;
		va_start(ap, fmt);
		n = vsnprintf(b->p + b->n, b->cap - b->n, fmt, ap);
		va_end(ap);
	}
	b->n += (size_t)n;
}

void pf_buf_pad(struct pf_buf *b, char c, size_t n)
{
	char *to = pf_buf_reserve(b, n);
	if (!to)
		return;
	memset(to, c, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void pf_buf_u64(struct pf_buf *b, uint64_t v)
{
	char digits[20];
	size_t n = sizeof(digits);
	do {
		digits[--n] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	pf_buf_add(b, digits + n, sizeof(digits) - n);
}

void pf_buf_i64(struct pf_buf *b, int64_t v)
{
	if (v < 0)
		pf_buf_char(b, '-');
	pf_buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void pf_buf_done(struct pf_buf *b)
{
	free(b->p);
	*b = (struct pf_buf){ 0 };
}

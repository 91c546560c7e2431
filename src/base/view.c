/* base/view.c - cutting lines, words and numbers off bounded text. */
#include "base/view.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

int pf_view_line(struct pf_view *rest, struct pf_view *ret_line)
{
	if (rest->n == 0)
		return -ENODATA;

	const char *nl = memchr(rest->p, '\n', rest->n);
	size_t n = nl ? (size_t)(nl - rest->p) : rest->n;
	*ret_line = (struct pf_view){ rest->p, n };
	size_t used = n + (nl ? 1 : 0);
	rest->p += used;
	rest->n -= used;
	return 0;
}

int pf_view_word(struct pf_view *rest, struct pf_view *ret_word)
{
	const char *p = rest->p;
	const char *end = rest->p + rest->n;
	while (p < end && is_blank(*p))
		p++;
	if (p == end)
		return -ENODATA;

	const char *start = p;
	while (p < end && !is_blank(*p))
		p++;
	*ret_word = (struct pf_view){ start, (size_t)(p - start) };
	*rest = (struct pf_view){ p, (size_t)(end - p) };
	return 0;
}

unsigned pf_view_skip(struct pf_view *rest, unsigned n)
{
	struct pf_view word;
	unsigned done = 0;
	while (done < n && pf_view_word(rest, &word) == 0)
		done++;
	return done;
}

struct pf_view pf_view_trim(struct pf_view v)
{
	while (v.n > 0 && (is_blank(v.p[0]) || v.p[0] == '\n' || v.p[0] == '\r')) {
		v.p++;
		v.n--;
	}
	while (v.n > 0 && (is_blank(v.p[v.n - 1]) || v.p[v.n - 1] == '\n' || v.p[v.n - 1] == '\r'))
		v.n--;
	return v;
}

int pf_view_u64(struct pf_view word, uint64_t *ret_v)
{
	if (word.n == 0)
		return -EINVAL;

	uint64_t v = 0;
	size_t i = 0;
	/* 19 digits cannot overflow: no checks are needed for nearly every counter. */
	for (; i < word.n && i < 19; i++) {
		unsigned digit = (unsigned char)word.p[i] - (unsigned)'0';
		if (digit > 9)
			return -EINVAL;
		v = v * 10 + digit;
	}
	for (; i < word.n; i++) {
		unsigned digit = (unsigned char)word.p[i] - (unsigned)'0';
		if (digit > 9)
			return -EINVAL;
		if (__builtin_mul_overflow(v, UINT64_C(10), &v) || __builtin_add_overflow(v, (uint64_t)digit, &v))
			return -ERANGE;
	}
	*ret_v = v;
	return 0;
}

int pf_view_i64(struct pf_view word, int64_t *ret_v)
{
	bool negative = word.n > 0 && word.p[0] == '-';
	if (negative) {
		word.p++;
		word.n--;
	}
	uint64_t u = 0;
	int rc = pf_view_u64(word, &u);
	if (rc < 0)
		return rc;
	if (u > (uint64_t)INT64_MAX + (negative ? 1U : 0U))
		return -ERANGE;
	*ret_v = negative ? (int64_t)(0 - u) : (int64_t)u;
	return 0;
}

/* "0.52": a few digits around a point. Both numbers are exact, so their quotient is the double that is nearest. */
static bool is_short_decimal(struct pf_view word, double *ret_v)
{
	static const double scale[] = { 1,   10,  100,	1000, 10000, 100000, 1e6, 1e7,
					1e8, 1e9, 1e10, 1e11, 1e12,  1e13,   1e14 };
	uint64_t digits = 0;
	size_t point = word.n;
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '.' && point == word.n)
			point = i;
		else if ((unsigned char)(word.p[i] - '0') < 10)
			digits = digits * 10 + (uint64_t)(word.p[i] - '0');
		else
			return false;
	}
	size_t behind = point < word.n ? word.n - point - 1 : 0;
	if (word.n >= PF_N(scale) || point == 0 || (point < word.n && behind == 0))
		return false;
	*ret_v = (double)digits / scale[behind];
	return true;
}

int pf_view_double(struct pf_view word, double *ret_v)
{
	char text[64];
	if (word.n == 0 || word.n >= sizeof(text))
		return -EINVAL;
	if (is_short_decimal(word, ret_v))
		return 0;
	for (size_t i = 0; i < word.n; i++) {
		if (!strchr("0123456789+-.eE", word.p[i]) || word.p[i] == '\0')
			return -EINVAL;
		text[i] = word.p[i];
	}
	text[word.n] = '\0';

	char *end = NULL;
	double v = strtod(text, &end); /* LC_NUMERIC stays "C" in every program of ours */
	if (end != text + word.n)
		return -EINVAL;
	if (!isfinite(v))
		return -ERANGE;
	*ret_v = v;
	return 0;
}

int pf_view_next_u64(struct pf_view *rest, uint64_t *ret_v)
{
	struct pf_view word;
	int rc = pf_view_word(rest, &word);
	return rc < 0 ? rc : pf_view_u64(word, ret_v);
}

char *pf_view_dup(struct pf_view v)
{
	char *s = malloc(v.n + 1);
	if (!s)
		return NULL;
	if (v.n > 0)
		memcpy(s, v.p, v.n);
	s[v.n] = '\0';
	return s;
}

/* formats/text/number.c - numbers for documents. printf() and strtod() know about locales, so only digits are taken from them. */
#include "formats/text/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17 };

/* 0.DIGITS x 10^point */
struct decimal {
	char digits[DIGITS + 1];
	int n;
	int point;
};

static const char pairs[] =
	"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
	"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

static unsigned digits_of(uint64_t v)
{
	unsigned n = 1;
	for (; v >= 10000; v /= 10000)
		n += 4;
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

/* The last @n digits of @v. */
static void put_digits(char *text, unsigned n, uint64_t v)
{
	for (; n >= 2; v /= 100) {
		n -= 2;
		memcpy(text + n, pairs + 2 * (v % 100), 2);
	}
	if (n > 0)
		text[0] = (char)('0' + v % 10);
}

size_t pf_number_u64(char text[PF_NUMBER_SIZE], uint64_t v)
{
	unsigned n = digits_of(v);
	put_digits(text, n, v);
	text[n] = '\0';
	return n;
}

size_t pf_number_micros(char text[PF_NUMBER_SIZE], uint64_t v)
{
	enum { PLACES = 6, MILLION = 1000000 };
	size_t n = pf_number_u64(text, v / MILLION);
	unsigned rest = (unsigned)(v % MILLION);
	if (rest == 0)
		return n;
	text[n++] = '.';
	put_digits(text + n, PLACES, rest);
	n += PLACES;
	while (text[n - 1] == '0')
		n--;
	text[n] = '\0';
	return n;
}

size_t pf_number_i64(char text[PF_NUMBER_SIZE], int64_t v)
{
	if (v >= 0)
		return pf_number_u64(text, (uint64_t)v);
	char digits[PF_NUMBER_SIZE];
	size_t n = pf_number_u64(digits, 0 - (uint64_t)v);
	text[0] = '-';
	memcpy(text + 1, digits, n + 1);
	return n + 1;
}

size_t pf_number_hex(char text[PF_NUMBER_SIZE], uint64_t v)
{
	static const char hex[] = "0123456789abcdef";
	unsigned nibbles = 1;
	while (nibbles < 16 && v >> (4 * nibbles))
		nibbles++;
	text[0] = '0';
	text[1] = 'x';
	for (unsigned i = 0; i < nibbles; i++)
		text[2 + i] = hex[v >> (4 * (nibbles - 1 - i)) & 15];
	text[2 + nibbles] = '\0';
	return 2 + nibbles;
}

/* Decimals of up to 15 digits and 6 places, as nearly all rates are: i / 10^6 is rounded correctly, since both are exact,
 * so it is what a reader of the text gets; and no two such decimals are the same double. */
static bool few_places(double v, struct decimal *d)
{
	if (!(v >= 1e-6 && v < 1e9))
		return false;
	uint64_t micros = (uint64_t)(v * 1e6 + 0.5);
	if ((double)micros / 1e6 != v)
		return false;
	char text[PF_NUMBER_SIZE];
	size_t n = pf_number_u64(text, micros);
	d->point = (int)n - 6;
	while (n > 1 && text[n - 1] == '0')
		n--;
	memcpy(d->digits, text, n);
	d->n = (int)n;
	return true;
}

/* @n significant digits of @v as "%e" has them, whatever the locale puts for the point. */
static void take_digits(const char *text, struct decimal *d)
{
	d->n = 0;
	const char *p = text;
	for (; *p != 'e' && *p; p++) {
		if (*p >= '0' && *p <= '9' && d->n < DIGITS)
			d->digits[d->n++] = *p;
	}
	int exponent = 0;
	bool minus = p[0] == 'e' && p[1] == '-';
	for (; *p; p++) {
		if (*p >= '0' && *p <= '9')
			exponent = exponent * 10 + (*p - '0');
	}
	d->point = (minus ? -exponent : exponent) + 1;
	while (d->n > 1 && d->digits[d->n - 1] == '0')
		d->n--;
}

static void shortest(double v, bool single, struct decimal *d)
{
	/* What has at most 15 (6) digits survives unchanged, so shorter forms show as zeros at the end; denormals have fewer. */
	int first = single ? (v < (double)FLT_MIN ? 1 : 6) : (v < DBL_MIN ? 1 : 15);
	int last = single ? 9 : 17;
	char text[64];
	for (int n = first; n <= last; n++) {
		(void)snprintf(text, sizeof(text), "%.*e", n - 1, v);
		bool same = single ? (double)strtof(text, NULL) == v : strtod(text, NULL) == v;
		if (same)
			break;
	}
	take_digits(text, d);
}

static size_t put(char *text, const char *bytes, int n)
{
	memcpy(text, bytes, (size_t)n);
	return (size_t)n;
}

static size_t zeros(char *text, int n)
{
	memset(text, '0', (size_t)n);
	return (size_t)n;
}

/* Positional from 1e-6 to below 1e21, else with an exponent (as ECMAScript writes numbers). */
static size_t draw(char *text, const struct decimal *d)
{
	size_t n = 0;
	if (d->point > 21 || d->point < -5) {
		text[n++] = d->digits[0];
		if (d->n > 1) {
			text[n++] = '.';
			n += put(text + n, d->digits + 1, d->n - 1);
		}
		text[n++] = 'e';
		if (d->point - 1 >= 0)
			text[n++] = '+';
		return n + pf_number_i64(text + n, d->point - 1);
	}
	if (d->point <= 0) {
		n += put(text + n, "0.", 2);
		n += zeros(text + n, -d->point);
		return n + put(text + n, d->digits, d->n);
	}
	if (d->point >= d->n) {
		n += put(text + n, d->digits, d->n);
		return n + zeros(text + n, d->point - d->n);
	}
	n += put(text + n, d->digits, d->point);
	text[n++] = '.';
	return n + put(text + n, d->digits + d->point, d->n - d->point);
}

static size_t real(char text[PF_NUMBER_SIZE], double v, bool single)
{
	if (isnan(v))
		return put(text, "nan", 4) - 1;
	if (isinf(v))
		return v > 0 ? put(text, "inf", 4) - 1 : put(text, "-inf", 5) - 1;
	if (v == 0) /* also -0, which no reader needs */
		return pf_number_u64(text, 0);

	size_t sign = v < 0;
	text[0] = '-';
	double positive = fabs(v);
	struct decimal d;
	if (single || !few_places(positive, &d))
		shortest(positive, single, &d);
	size_t n = sign + draw(text + sign, &d);
	text[n] = '\0';
	return n;
}

size_t pf_number_real(char text[PF_NUMBER_SIZE], double v)
{
	return real(text, v, false);
}

size_t pf_number_float(char text[PF_NUMBER_SIZE], float v)
{
	return real(text, (double)v, true);
}

/* base/escape.c - names of others, made harmless. Well-formed UTF-8 as in table 3-7 of the Unicode standard. */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_tail(uint8_t c)
{
	return (c & 0xc0) == 0x80;
}

/* Bytes of the well-formed, printable character at @p; 0 if there is none. */
static size_t character(const uint8_t *p, size_t n)
{
	if (p[0] < 0x80)
		return p[0] >= 0x20 && p[0] != 0x7f ? 1 : 0;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	if (p[0] < 0xe0) {
		if (n < 2 || !is_tail(p[1]) || (p[0] == 0xc2 && p[1] < 0xa0))
			return 0;
		return 2;
	}

	uint8_t low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
	uint8_t high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
	size_t want = p[0] < 0xf0 ? 3 : 4;
	if (n < want || p[1] < low || p[1] > high || !is_tail(p[2]) || (want == 4 && !is_tail(p[3])))
		return 0;
	return want;
}

static const char hex[] = "0123456789abcdef";

static bool is_white(char c)
{
	return c == '\n' || c == '\t';
}

/* The next thing of a text: a character, or a byte that is none. Return: bytes of it; @ret_n: what it takes when written */
static size_t next(struct pf_view v, size_t at, bool keep_white, size_t *ret_n)
{
	size_t n = keep_white && is_white(v.p[at]) ? 1 : character((const uint8_t *)v.p + at, v.n - at);
	*ret_n = n > 0 ? n : 4;
	return n > 0 ? n : 1;
}

static void escape(struct pf_buf *b, struct pf_view v, bool keep_white)
{
	size_t n;
	for (size_t i = 0; i < v.n;) {
		size_t have = next(v, i, keep_white, &n);
		uint8_t c = (uint8_t)v.p[i];
		if (have == n)
			pf_buf_add(b, v.p + i, n);
		else
			pf_buf_add(b, (const char[]){ '\\', 'x', hex[c >> 4], hex[c & 15] }, 4);
		i += have;
	}
}

void pf_escape_text(struct pf_buf *b, struct pf_view v)
{
	escape(b, v, false);
}

void pf_escape_lines(struct pf_buf *b, struct pf_view v)
{
	escape(b, v, true);
}

size_t pf_escape_length(struct pf_view v, bool keep_white)
{
	size_t sum = 0;
	size_t n;
	for (size_t i = 0; i < v.n; sum += n)
		i += next(v, i, keep_white, &n);
	return sum;
}

/* From @at as much as has room. @ret_at: where it ended. Return: bytes written */
static size_t fill(char *out, size_t room, struct pf_view v, bool keep_white, size_t *at)
{
	size_t sum = 0;
	while (*at < v.n) {
		size_t n;
		size_t have = next(v, *at, keep_white, &n);
		uint8_t c = (uint8_t)v.p[*at];
		if (sum + n > room)
			break;
		if (have == n)
			memcpy(out + sum, v.p + *at, n);
		else
			memcpy(out + sum, (const char[]){ '\\', 'x', hex[c >> 4], hex[c & 15] }, 4);
		sum += n;
		*at += have;
	}
	return sum;
}

size_t pf_escape_short(char *out, size_t room, struct pf_view v, bool keep_white)
{
	static const char dots[] = "...";
	enum { DOTS = sizeof(dots) - 1 };
	size_t whole = pf_escape_length(v, keep_white);
	size_t at = 0;
	if (whole <= room || room < 2 + DOTS)
		return fill(out, room, v, keep_white, &at);
	size_t n = fill(out, (room - DOTS) / 2, v, keep_white, &at);
	memcpy(out + n, dots, DOTS);
	size_t left = whole - n;
	n += DOTS;
	while (left > room - n) {
		size_t written;
		at += next(v, at, keep_white, &written);
		left -= written;
	}
	return n + fill(out + n, left, v, keep_white, &at);
}

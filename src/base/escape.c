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

static void escape(struct pf_buf *b, struct pf_view v, bool keep_white)
{
	const uint8_t *p = (const uint8_t *)v.p;

	for (size_t i = 0; i < v.n;) {
		size_t n = keep_white && is_white(v.p[i]) ? 1 : character(p + i, v.n - i);
		if (n > 0) {
			pf_buf_add(b, p + i, n);
			i += n;
		} else {
			pf_buf_add(b, (const char[]){ '\\', 'x', hex[p[i] >> 4], hex[p[i] & 15] }, 4);
			i++;
		}
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

void pf_escape_sentence(char *text, size_t size)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len;) {
		uint8_t c = (uint8_t)text[i];
		size_t n = is_white(text[i]) ? 1 : character((const uint8_t *)text + i, len - i);
		if (n > 0) {
			i += n;
			continue;
		}
		if (i + 4 >= size) {
			text[i] = '\0';
			return;
		}
		size_t rest = len - i - 1;
		if (rest > size - i - 5)
			rest = size - i - 5;
		memmove(text + i + 4, text + i + 1, rest);
		memcpy(text + i, (const char[]){ '\\', 'x', hex[c >> 4], hex[c & 15] }, 4);
		i += 4;
		len = i + rest;
		text[len] = '\0';
	}
}

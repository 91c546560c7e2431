/* formats/text/utf8.c - strict UTF-8. Source: The Unicode Standard 15, table 3-7 (well-formed UTF-8 byte sequences). */
#include "formats/text/utf8.h"

/* Rows of table 3-7: lead bytes from @first to @last, @more bytes to follow, of which the next lies in @low..@high. */
struct lead {
	uint8_t first, last, more, low, high;
};

static const struct lead leads[] = {
	{ 0xc2, 0xdf, 1, 0x80, 0xbf }, { 0xe0, 0xe0, 2, 0xa0, 0xbf }, { 0xe1, 0xec, 2, 0x80, 0xbf },
	{ 0xed, 0xed, 2, 0x80, 0x9f }, { 0xee, 0xef, 2, 0x80, 0xbf }, { 0xf0, 0xf0, 3, 0x90, 0xbf },
	{ 0xf1, 0xf3, 3, 0x80, 0xbf }, { 0xf4, 0xf4, 3, 0x80, 0x8f },
};

size_t pf_utf8_next(struct pf_view v, uint32_t *ret_cp, bool *ret_ok)
{
	uint8_t c = (uint8_t)v.p[0];
	*ret_ok = c < 0x80;
	if (*ret_ok) {
		*ret_cp = c;
		return 1;
	}

	const struct lead *l = NULL;
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]) && !l; i++) {
		if (c >= leads[i].first && c <= leads[i].last)
			l = &leads[i];
	}
	if (!l)
		return 1; /* a stray continuation byte, or a lead that begins nothing well-formed */

	uint32_t cp = c & (0x3fU >> l->more);
	uint8_t low = l->low;
	uint8_t high = l->high;
	for (size_t i = 1; i <= l->more; i++) {
		if (i >= v.n || (uint8_t)v.p[i] < low || (uint8_t)v.p[i] > high)
			return i;
		cp = cp << 6 | ((uint8_t)v.p[i] & 0x3fU);
		low = 0x80;
		high = 0xbf;
	}
	*ret_cp = cp;
	*ret_ok = true;
	return 1U + l->more;
}

/* formats/text/escape.c - copying text while repairing it; the tables of each format say what is special. */
#include "formats/text/form.h"
#include "formats/text/utf8.h"

/* Bytes at the front of @v that can be copied as they are. */
static size_t plain_run(struct pf_view v, const char *const special[128])
{
	size_t n = 0;
	while (n < v.n && (uint8_t)v.p[n] < 0x80 && !special[(uint8_t)v.p[n]])
		n++;
	return n;
}

/* A control character of Latin 1. */
static void add_c1(struct pf_buf *b, uint32_t cp, const char *const c1[2])
{
	static const char digits[] = "0123456789abcdef";
	pf_buf_str(b, c1[0]);
	pf_buf_char(b, digits[cp >> 4]);
	pf_buf_char(b, digits[cp & 15]);
	pf_buf_str(b, c1[1]);
}

bool pf_text_escape(struct pf_buf *b, struct pf_view v, const char *const special[128], bool forbidden,
		    const char *const c1[2])
{
	bool lost = false;
	while (v.n > 0) {
		size_t run = plain_run(v, special);
		pf_buf_add(b, v.p, run);
		v.p += run;
		v.n -= run;
		if (v.n == 0)
			break;

		uint32_t cp = 0;
		bool ok;
		size_t n = pf_utf8_next(v, &cp, &ok);
		if (ok && cp < 0x80) {
			pf_buf_str(b, special[cp]);
			lost = lost || (uint8_t)special[cp][0] == 0xef;
		} else if (ok && c1 && cp < 0xa0) {
			add_c1(b, cp, c1);
		} else if (ok && cp >= 0xa0 && !(forbidden && (cp == 0xfffe || cp == 0xffff))) {
			pf_buf_add(b, v.p, n);
		} else {
			pf_buf_str(b, PF_UTF8_REPLACEMENT);
			lost = true;
		}
		v.p += n;
		v.n -= n;
	}
	return lost;
}

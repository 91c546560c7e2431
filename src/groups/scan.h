/* groups/scan.h - reading lines of /proc by pointer: what every parse function is made of. No copies, no allocation. */
#ifndef PF_GROUPS_SCAN_H
#define PF_GROUPS_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/view.h"
#include "model/builder.h"

/* [p, end) of one line. */
struct pf_scan {
	const char *p;
	const char *end;
};

enum pf_scan_result {
	PF_SCAN_NONE,  /* the line is over */
	PF_SCAN_OK,    /* a number */
	PF_SCAN_WRONG, /* a word that is no number, or too big a one; it is skipped */
};

/* pf_scan_line() - cut the next line off @text; false at its end. */
static inline bool pf_scan_line(struct pf_scan *text, struct pf_scan *ret_line)
{
	if (text->p >= text->end)
		return false;
	const char *nl = memchr(text->p, '\n', (size_t)(text->end - text->p));
	*ret_line = (struct pf_scan){ text->p, nl ? nl : text->end };
	text->p = nl ? nl + 1 : text->end;
	return true;
}

static inline void pf_scan_blanks(struct pf_scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

/* pf_scan_word() - next word, empty at the end of the line. */
static inline struct pf_view pf_scan_word(struct pf_scan *s)
{
	pf_scan_blanks(s);
	const char *from = s->p;
	while (s->p < s->end && *s->p != ' ' && *s->p != '\t')
		s->p++;
	return (struct pf_view){ from, (size_t)(s->p - from) };
}

/* pf_scan_u64() - next word as an unsigned decimal. @ret_v only changes on PF_SCAN_OK. */
static inline enum pf_scan_result pf_scan_u64(struct pf_scan *s, uint64_t *ret_v)
{
	pf_scan_blanks(s);
	if (s->p == s->end)
		return PF_SCAN_NONE;

	const char *p = s->p;
	uint64_t v = 0;
	while (p < s->end && (unsigned char)(*p - '0') < 10) {
		v = v * 10 + (uint64_t)(*p - '0');
		p++;
	}
	bool whole = p > s->p && (p == s->end || *p == ' ' || *p == '\t');
	if (whole && p - s->p < 20) {
		s->p = p;
		*ret_v = v;
		return PF_SCAN_OK;
	}
	return pf_view_u64(pf_scan_word(s), ret_v) == 0 ? PF_SCAN_OK : PF_SCAN_WRONG;
}

/* pf_scan_starts() - does the line begin with @literal, a string constant? */
#define pf_scan_starts(s, literal)                                                                                     \
	((size_t)((s)->end - (s)->p) >= sizeof(literal) - 1 && memcmp((s)->p, (literal), sizeof(literal) - 1) == 0)

/* pf_scan_skip() - past @literal if the line begins with it. */
#define pf_scan_skip(s, literal) (pf_scan_starts(s, literal) ? ((s)->p += sizeof(literal) - 1, true) : false)

/* pf_scan_value() - the next word becomes the value of @metric; a word that is no number is counted as failed. */
static inline bool pf_scan_value(struct pf_scan *s, struct pf_builder *b, unsigned metric, unsigned slot)
{
	uint64_t v = 0;
	enum pf_scan_result rc = pf_scan_u64(s, &v);
	if (rc == PF_SCAN_OK)
		pf_builder_u64(b, metric, slot, v);
	else if (rc == PF_SCAN_WRONG)
		pf_builder_fail(b);
	return rc == PF_SCAN_OK;
}

/* pf_scan_add() - add @v to a single value of this sample: sums and counts that grow line by line, in one text or in many. */
static inline void pf_scan_add(struct pf_builder *b, unsigned metric, uint64_t v)
{
	unsigned m = b->base + metric;
	uint64_t have = pf_sample_has(b->sample, m, 0) ? pf_sample_get(b->sample, m, 0).u : 0;
	pf_builder_u64(b, metric, 0, have + v);
}

/* pf_scan_got() - a single value that this sample has already; false if it has not. */
static inline bool pf_scan_got(const struct pf_builder *b, unsigned metric, uint64_t *ret_v)
{
	unsigned m = b->base + metric;
	if (!pf_sample_has(b->sample, m, 0))
		return false;
	*ret_v = pf_sample_get(b->sample, m, 0).u;
	return true;
}

#endif

/* model/cvt.h - short numbers: collectl's cvt() and fix(), which import modules call too (spec collectl-import, section 3). */
#ifndef PF_MODEL_CVT_H
#define PF_MODEL_CVT_H

#include <stdbool.h>

enum { PF_CVT_SIZE = 40 }; /* bytes that any result needs at most, with its NUL */

/* @wide: -w, no short forms at all. @big: 'g' or 'G' (-og, -oG): fractions for giga and above; 0: none. */
struct pf_cvt_style {
	bool wide;
	char big;
};

/**
 * pf_cvt() - @value in at most @width characters, with a letter of " KMGTP" where it had to be divided.
 * @unit: what @value is counted in: 0 ones, 1 K, 2 M ...; above 0 a letter is always there
 * @div1024: divide by 1024 instead of 1000
 * @style: NULL for the plain one
 * @buf: where the text goes
 *
 * A value above zero is rounded first, one below zero is not, and one that is divided down to nothing shows as 1 without its sign:
 * all three are collectl's. NaN counts as 0.
 *
 * Return: @buf.
 */
const char *pf_cvt(double value, int width, int unit, bool div1024, const struct pf_cvt_style *style,
		   char buf[PF_CVT_SIZE]);

/* pf_fix() - a difference that went below zero because a counter of 32 bits wrapped: 2^32 is added, once. */
static inline double pf_fix(double delta)
{
	return delta < 0 ? delta + 4294967296.0 : delta;
}

#endif

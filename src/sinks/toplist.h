/* sinks/toplist.h - the rows of a section that come first in the order of --top. */
#ifndef PF_SINKS_TOPLIST_H
#define PF_SINKS_TOPLIST_H

#include <stdbool.h>

struct pf_calc_step;
struct pf_section;

enum { PF_TOPLIST_KEY = 32 };

/* One row: what it is ordered by, and by @tie where that is equal. @text: collectl's form of the value, ordered as text. */
struct pf_toplist_row {
	double value;
	char text[PF_TOPLIST_KEY];
	long long tie;
	unsigned slot;
};

/* @rows: the first @n ones in order; room for @cap */
struct pf_toplist {
	struct pf_toplist_row *rows;
	unsigned n;
	unsigned cap;
};

/* pf_toplist_is() - is the section the one that --top orders? */
bool pf_toplist_is(const struct pf_section *s);

/**
 * pf_toplist_choose() - look at all rows of @s, which pf_section_prepare() has seen.
 * @max: as many as there is room for
 *
 * Return: 0 or -ENOMEM. Nothing is allocated once @max rows have been asked for.
 */
int pf_toplist_choose(struct pf_toplist *t, const struct pf_calc_step *calc, const struct pf_section *s, unsigned max);
void pf_toplist_done(struct pf_toplist *t);

#endif

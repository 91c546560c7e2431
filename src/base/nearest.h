/* base/nearest.h - which word was meant by one that is not known. */
#ifndef PF_BASE_NEAREST_H
#define PF_BASE_NEAREST_H

#include "base/view.h"

enum { PF_NEAREST_BYTES = 31 }; /* of a word; longer ones are never near */

/**
 * pf_nearest_distance() - how many slips of the hand lie between two words: a letter too much, one missing, a wrong one, two swapped.
 *
 * Return: the number; UINT_MAX for words that are longer than PF_NEAREST_BYTES.
 */
unsigned pf_nearest_distance(struct pf_view a, struct pf_view b);

/**
 * struct pf_nearest - the best of the words offered so far; begin with @word set and all else zero.
 * @best: n is 0 while none is near enough to be meant: at most a third of its letters, and at most two slips
 */
struct pf_nearest {
	struct pf_view word;
	struct pf_view best;
	unsigned slips;
};

/* pf_nearest_offer() - perhaps this one was meant? Of words that are equally near the first stays. */
void pf_nearest_offer(struct pf_nearest *n, struct pf_view candidate);

#endif

/* base/nearest.c - which word was meant: optimal string alignment with swaps of neighbours. */
#include "base/nearest.h"

#include <limits.h>

enum { WIDTH = PF_NEAREST_BYTES + 1, SLIPS_MAX = 2 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned pf_nearest_distance(struct pf_view a, struct pf_view b)
{
	unsigned d[WIDTH][WIDTH];
	if (a.n >= WIDTH || b.n >= WIDTH)
		return UINT_MAX;
	for (unsigned i = 0; i <= a.n; i++) {
		for (unsigned k = 0; k <= b.n; k++) {
			if (i == 0 || k == 0) {
				d[i][k] = i + k;
				continue;
			}
			unsigned wrong = a.p[i - 1] != b.p[k - 1];
			d[i][k] = least(d[i - 1][k - 1] + wrong, least(d[i - 1][k], d[i][k - 1]) + 1);
			if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1])
				d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
		}
	}
	return d[a.n][b.n];
}

void pf_nearest_offer(struct pf_nearest *n, struct pf_view candidate)
{
	unsigned slips = pf_nearest_distance(n->word, candidate);
	if (slips > SLIPS_MAX || slips * 3 > candidate.n || (n->best.n > 0 && slips >= n->slips))
		return;
	n->best = candidate;
	n->slips = slips;
}

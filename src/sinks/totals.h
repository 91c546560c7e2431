/* sinks/totals.h - sums over a recording for --stats. What is counted adds up, what is a level or a percentage is averaged. */
#ifndef PF_SINKS_TOTALS_H
#define PF_SINKS_TOTALS_H

#include <stdint.h>

#include "base/buf.h"
#include "sinks/calc.h"
#include "sinks/section.h"

/* @a, @b: sums of one column: of what is divided and of the divisor, or of the value alone. @each: by slot of the section's across, of a
 * column that stands for many. */
struct pf_total {
	double a, b;
	double *each;
	unsigned n_each;
};

/**
 * struct pf_totals - sums of the columns of several sections.
 * @columns: per section
 * @steps: how many; @seconds: their lengths together; @first_ns, @last_ns: their ends
 */
struct pf_totals {
	struct pf_total *columns[PF_SECTIONS_MAX];
	unsigned n_columns[PF_SECTIONS_MAX];
	uint64_t steps;
	double seconds;
	int64_t first_ns;
	int64_t last_ns;
};

/* pf_totals_open() - room for the columns of @sections. Return: 0 or -ENOMEM. */
int pf_totals_open(struct pf_totals *t, const struct pf_section *sections, unsigned n);
void pf_totals_close(struct pf_totals *t);

/* pf_totals_add() - one step. pf_totals_reset() - begin anew. */
void pf_totals_add(struct pf_totals *t, const struct pf_calc_step *c, const struct pf_section *sections, unsigned n);
void pf_totals_reset(struct pf_totals *t, const struct pf_section *sections, unsigned n);

/* pf_totals_row() - append the columns; what was counted is divided by @divisor. */
void pf_totals_row(const struct pf_totals *t, struct pf_buf *out, const struct pf_section *sections, unsigned n,
		   double divisor);

#endif

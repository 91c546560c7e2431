/* sinks/calc.h - what a column computes. All arithmetic of the text views is here; it is collectl's (spec collectl-data, section 3). */
#ifndef PF_SINKS_CALC_H
#define PF_SINKS_CALC_H

#include <stdbool.h>

#include "model/sample.h"

struct pf_column;
struct pf_section;
struct pf_view_options;

enum { PF_ROW_SUM = -1 }; /* instead of a slot: all instances that count */

/**
 * struct pf_calc_step - the step that columns are computed from.
 * @seconds: what rates are divided by: 1 with -on, and where it would be 0
 * @measured: the interval as it was
 */
struct pf_calc_step {
	const struct pf_step *step;
	double seconds;
	double measured;
};

void pf_calc_begin(struct pf_calc_step *c, const struct pf_step *step, const struct pf_view_options *view);

/**
 * pf_calc_value() - one number.
 * @slot: the row's slot in the section's domain, or PF_ROW_SUM
 * @index: running number of the row, from 0
 * @ret_gap: set if a counter that it needs was reset, or made no sense; the value is what the rest gives
 */
double pf_calc_value(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col, int slot,
		     unsigned index, bool *ret_gap);

/* pf_calc_parts() - of a column of PF_CALC_RATIO: what is divided, scaled, and by what; for sums over several steps. */
void pf_calc_parts(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col,
		   double *ret_num, double *ret_den);

/* pf_calc_spread() - the same of a column with @spread, for the instance in slot @across of the section's across. */
double pf_calc_spread(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col, int slot,
		      unsigned across, bool *ret_gap);

/* pf_calc_has() - does any instance, or the row's, have a value for the column? */
bool pf_calc_has(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col, int slot);

#endif

/* sinks/totals.c - sums over a recording. */
#include "sinks/totals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/layout.h"
#include "sinks/draw.h"
#include "sinks/sink.h"

int pf_totals_open(struct pf_totals *t, const struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		t->columns[i] = calloc(sections[i].n_columns ? sections[i].n_columns : 1, sizeof(*t->columns[i]));
		if (!t->columns[i]) {
			pf_totals_close(t);
			return -ENOMEM;
		}
	}
	return 0;
}

void pf_totals_close(struct pf_totals *t)
{
	for (unsigned i = 0; i < PF_SECTIONS_MAX; i++)
		free(t->columns[i]);
	*t = (struct pf_totals){ 0 };
}

void pf_totals_reset(struct pf_totals *t, const struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		memset(t->columns[i], 0, sections[i].n_columns * sizeof(*t->columns[i]));
	t->steps = 0;
	t->seconds = 0;
}

static bool is_counted(const struct pf_column *col)
{
	return col->calc == PF_CALC_RATE || col->calc == PF_CALC_DELTA;
}

/* What the totals of collectl 4.3.1 make of a column: percentages without the terms that it forgets, changes per interval. */
static double peer_value(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col)
{
	struct pf_column own = *col;
	struct pf_calc_step step = *c;
	bool gap = false;
	if (col->totals > 0)
		own.num.n = col->totals;
	if (col->calc == PF_CALC_CHANGE)
		step.seconds = 1;
	return pf_calc_value(&step, s, &own, PF_ROW_SUM, 0, &gap);
}

void pf_totals_add(struct pf_totals *t, const struct pf_calc_step *c, const struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < sections[i].n_columns; k++) {
			const struct pf_column *col = sections[i].columns[k];
			struct pf_total *total = &t->columns[i][k];
			double a = 0, b = 0;
			bool gap = false;
			if (col->calc == PF_CALC_RATIO)
				pf_calc_parts(c, &sections[i], col, &a, &b);
			else if (sections[i].view->variants & PF_AS_PEER)
				a = peer_value(c, &sections[i], col);
			else
				a = pf_calc_value(c, &sections[i], col, PF_ROW_SUM, 0, &gap);
			total->a += col->calc == PF_CALC_RATE ? a * c->seconds : a;
			total->b += b;
		}
	}
	if (t->steps++ == 0)
		t->first_ns = c->step->cur->time_ns;
	t->last_ns = c->step->cur->time_ns;
	t->seconds += c->measured;
}

void pf_totals_row(const struct pf_totals *t, struct pf_buf *out, const struct pf_section *sections, unsigned n,
		   double divisor)
{
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < sections[i].n_columns; k++) {
			const struct pf_column *col = sections[i].columns[k];
			const struct pf_total *total = &t->columns[i][k];
			double by = is_counted(col) ? divisor : (double)t->steps;
			bool peer = sections[i].view->variants & PF_AS_PEER;
			if (col->calc == PF_CALC_RATIO)
				by = total->b;
			double v = by > 0 ? total->a / by : 0;
			pf_draw_number(out, col, sections[i].view, col->calc == PF_CALC_CHANGE && peer ? trunc(v) : v);
		}
	}
}

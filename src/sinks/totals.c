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
		t->n_columns[i] = sections[i].n_columns;
	}
	return 0;
}

void pf_totals_close(struct pf_totals *t)
{
	for (unsigned i = 0; i < PF_SECTIONS_MAX; i++) {
		for (unsigned k = 0; k < t->n_columns[i]; k++)
			free(t->columns[i][k].each);
		free(t->columns[i]);
	}
	*t = (struct pf_totals){ 0 };
}

void pf_totals_reset(struct pf_totals *t, const struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < sections[i].n_columns; k++) {
			free(t->columns[i][k].each);
			t->columns[i][k] = (struct pf_total){ 0 };
		}
	}
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

/* A column that stands for many: one sum for each. Without memory the sums stay what they are. */
static void add_spread(struct pf_total *total, const struct pf_calc_step *c, const struct pf_section *s,
		       const struct pf_column *col)
{
	if (total->n_each < s->across->n) {
		double *more = reallocarray(total->each, s->across->n, sizeof(*more));
		if (!more)
			return;
		for (unsigned i = total->n_each; i < s->across->n; i++)
			more[i] = 0;
		total->each = more;
		total->n_each = s->across->n;
	}
	for (unsigned i = 0; i < s->n_spread; i++) {
		bool gap = false;
		double v = pf_calc_spread(c, s, col, PF_ROW_SUM, s->spread[i], &gap);
		total->each[s->spread[i]] += col->calc == PF_CALC_RATE ? v * c->seconds : v;
	}
}

static void add_column(struct pf_total *total, const struct pf_calc_step *c, const struct pf_section *s,
		       const struct pf_column *col)
{
	double a = 0, b = 0;
	bool gap = false;
	if (col->calc == PF_CALC_RATIO)
		pf_calc_parts(c, s, col, &a, &b);
	else if (s->view->variants & PF_AS_PEER)
		a = peer_value(c, s, col);
	else
		a = pf_calc_value(c, s, col, PF_ROW_SUM, 0, &gap);
	total->a += col->calc == PF_CALC_RATE ? a * c->seconds : a;
	total->b += b;
}

void pf_totals_add(struct pf_totals *t, const struct pf_calc_step *c, const struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < sections[i].n_columns; k++) {
			const struct pf_column *col = sections[i].columns[k];
			if (col->spread)
				add_spread(&t->columns[i][k], c, &sections[i], col);
			else
				add_column(&t->columns[i][k], c, &sections[i], col);
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
			for (unsigned e = 0; col->spread && by > 0 && e < sections[i].n_spread; e++) {
				unsigned slot = sections[i].spread[e];
				double v = slot < total->n_each ? total->each[slot] / by : 0;
				pf_draw_number(out, col, sections[i].view, v);
			}
			if (col->spread)
				continue;
			double v = by > 0 ? total->a / by : 0;
			pf_draw_number(out, col, sections[i].view, col->calc == PF_CALC_CHANGE && peer ? trunc(v) : v);
		}
	}
}

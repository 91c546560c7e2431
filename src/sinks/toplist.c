/* sinks/toplist.c - order rows by a value. Of many rows few are kept, so each new one is put in its place among these.
 * collectl 4.3.1 orders the digits of 999999999 minus the value, without fractions, as text; behind them stands the number of the process,
 * or the place of the slab in its file. */
#include "sinks/toplist.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinks/calc.h"
#include "sinks/draw.h"
#include "sinks/section.h"
#include "sinks/sink.h"

/* What collectl subtracts from, and what its numbers can hold. */
static const double PEER_WHOLE = 999999999;
static const double PEER_LIMIT = 9e18;
static const double PEER_ASCENDING = 99999;

bool pf_toplist_is(const struct pf_section *s)
{
	return s->view->top_key && s->view->top_letter == s->letter;
}

static void make_key(struct pf_toplist_row *row, const struct pf_calc_step *calc, const struct pf_section *s)
{
	const struct pf_sort_key *key = s->view->top_key;
	bool peer = s->view->variants & PF_AS_PEER;
	bool gap = false;
	row->value = peer && key->peer_ignores ? 0 : pf_calc_value(calc, s, &key->column, (int)row->slot, 0, &gap);
	if (key->absolute)
		row->value = fabs(row->value);
	if (!isfinite(row->value))
		row->value = 0;
	row->text[0] = '\0';
	if (!peer || key->by_name)
		return;
	double v = PEER_WHOLE - (key->ascending ? PEER_ASCENDING - row->value : row->value);
	v = v > PEER_LIMIT ? PEER_LIMIT : v < -PEER_LIMIT ? -PEER_LIMIT : v;
	bool numbered = s->layouts[0]->sort != PF_SORT_FOUND;
	int tie = numbered ? s->domain->instances[row->slot].id : (int)row->slot;
	(void)snprintf(row->text, sizeof(row->text), numbered ? "%09lld%05d" : "%09lld%d", (long long)v, tie);
}

static bool stands_before(const struct pf_section *s, const struct pf_toplist_row *a, const struct pf_toplist_row *b)
{
	const struct pf_sort_key *key = s->view->top_key;
	int order = 0;
	if (key->by_name)
		order = strcmp(s->domain->instances[a->slot].name, s->domain->instances[b->slot].name);
	else if (a->text[0] != '\0')
		order = strcmp(a->text, b->text);
	else if (a->value != b->value)
		order = (a->value < b->value) == key->ascending ? -1 : 1;
	return order != 0 ? order < 0 : a->tie < b->tie;
}

static void put_in_place(struct pf_toplist *t, const struct pf_section *s, const struct pf_toplist_row *row,
			 unsigned max)
{
	if (t->n == max && !stands_before(s, row, &t->rows[max - 1]))
		return;
	unsigned low = 0;
	unsigned high = t->n;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (stands_before(s, row, &t->rows[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	if (t->n < max)
		t->n++;
	memmove(&t->rows[low + 1], &t->rows[low], (t->n - 1 - low) * sizeof(*t->rows));
	t->rows[low] = *row;
}

int pf_toplist_choose(struct pf_toplist *t, const struct pf_calc_step *calc, const struct pf_section *s, unsigned max)
{
	t->n = 0;
	if (max > t->cap) {
		struct pf_toplist_row *more = reallocarray(t->rows, max, sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->rows = more;
		t->cap = max;
	}
	for (unsigned i = 0; max > 0 && i < s->n_order; i++) {
		int slot = pf_section_row(s, i);
		if (slot < 0 || pf_draw_hides(calc, s, slot) || !pf_section_shows(calc, s, slot))
			continue;
		struct pf_toplist_row row = { .slot = (unsigned)slot, .tie = i };
		make_key(&row, calc, s);
		if (s->view->top_hides_zeros && row.value == 0)
			continue;
		put_in_place(t, s, &row, max);
	}
	return 0;
}

void pf_toplist_done(struct pf_toplist *t)
{
	free(t->rows);
	*t = (struct pf_toplist){ 0 };
}

/* sinks/draw.c - columns as text. */
#include "sinks/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "model/cvt.h"
#include "model/layout.h"
#include "sinks/calc.h"
#include "sinks/section.h"
#include "sinks/sink.h"

/* Truncated toward zero, as %d of a Perl number. */
static long long whole(double v)
{
	if (isnan(v))
		return 0;
	if (v >= 9223372036854775807.0)
		return INT64_MAX;
	return v <= -9223372036854775808.0 ? INT64_MIN : (long long)v;
}

static void pad_to(struct pf_buf *out, size_t from, int width)
{
	size_t n = out->n - from;
	if (width < 0 || n >= (size_t)width)
		return;
	size_t missing = (size_t)width - n;
	if (!pf_buf_reserve(out, missing))
		return;
	memmove(out->p + from + missing, out->p + from, n);
	memset(out->p + from, ' ', missing);
	out->n += missing;
	out->p[out->n] = '\0';
}

static void number(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v,
		   int width)
{
	char text[PF_CVT_SIZE];
	switch (col->draw) {
	case PF_DRAW_INT: {
		size_t from = out->n;
		pf_buf_i64(out, whole(v));
		pad_to(out, from, width);
		return;
	}
	case PF_DRAW_ROUND:
		pf_buf_fmt(out, "%*.0f", width, v);
		return;
	case PF_DRAW_FIXED:
		pf_buf_fmt(out, "%*.*f", width, col->decimals, v);
		return;
	case PF_DRAW_PLOT:
		pf_buf_fmt(out, "%*.*f", width, (int)view->decimals, v);
		return;
	case PF_DRAW_CVT: {
		struct pf_cvt_style style = { .wide = view->wide, .big = view->big_numbers };
		size_t n = strlen(pf_cvt(v, col->width, col->unit, col->div1024, &style, text));
		if (width > 0 && n < (size_t)width)
			pf_buf_pad(out, ' ', (size_t)width - n);
		pf_buf_add(out, text, n);
		return;
	}
	case PF_DRAW_LEFT:
	case PF_DRAW_RIGHT:
		return;
	}
}

/* A counter that was reset has no rate: a dash says so. The peer's bytes know no such thing. */
static void dash(struct pf_buf *out, int width)
{
	pf_buf_fmt(out, "%*s", width, "-");
}

static void name(struct pf_buf *out, const struct pf_column *col, const struct pf_section *s, int slot, int width)
{
	size_t from = out->n;
	if (slot >= 0 && s->domain && (unsigned)slot < s->domain->n)
		pf_escape_text(out, pf_view_of(s->domain->instances[slot].name));
	if (col->calc == PF_CALC_LABEL)
		pf_buf_char(out, ':');
	if (col->draw == PF_DRAW_RIGHT) {
		pad_to(out, from, width);
	} else {
		size_t n = out->n - from;
		if (width > 0 && n < (size_t)width)
			pf_buf_pad(out, ' ', (size_t)width - n);
	}
}

static bool is_text(const struct pf_column *col)
{
	return col->calc == PF_CALC_NAME || col->calc == PF_CALC_LABEL;
}

static bool is_measure(const struct pf_column *col)
{
	return !col->is_rest && !is_text(col) && col->calc != PF_CALC_INDEX && col->calc != PF_CALC_ID &&
	       col->calc != PF_CALC_COUNT;
}

bool pf_draw_row(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s, int slot, unsigned index)
{
	bool any = false;
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *col = s->columns[i];
		int width = col->fill > 0 ? col->fill : col->width;
		if (width == PF_WIDTH_NAME)
			width = (int)pf_section_name_width(s);
		if (col->before)
			pf_buf_str(out, col->before);
		if (is_text(col)) {
			name(out, col, s, slot, width);
		} else {
			bool gap = false;
			double v = pf_calc_value(c, s, col, slot, index, &gap);
			any = any || (is_measure(col) && (v != 0 || gap));
			if (gap && v == 0)
				dash(out, width);
			else
				number(out, col, s->view, v, width);
		}
		if (col->after)
			pf_buf_str(out, col->after);
	}
	return any;
}

void pf_draw_number(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v)
{
	if (col->before)
		pf_buf_str(out, col->before);
	number(out, col, view, v, col->fill > 0 ? col->fill : col->width);
	if (col->after)
		pf_buf_str(out, col->after);
}

void pf_draw_plot_row(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s, int slot,
		      unsigned index)
{
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *col = s->columns[i];
		pf_buf_str(out, s->view->separator);
		if (is_text(col)) {
			name(out, col, s, slot, 0);
		} else {
			bool gap = false;
			double v = pf_calc_value(c, s, col, slot, index, &gap);
			number(out, col, s->view, v, col->width);
		}
	}
}

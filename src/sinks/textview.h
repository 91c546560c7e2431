/* sinks/textview.h - what brief, verbose and plot have in common: sections, the text being built, and when it is written. */
#ifndef PF_SINKS_TEXTVIEW_H
#define PF_SINKS_TEXTVIEW_H

#include "base/buf.h"
#include "base/outlet.h"
#include "sinks/calc.h"
#include "sinks/section.h"
#include "sinks/sink.h"

/**
 * struct pf_textview - first member of each text view.
 * @to: where text goes; @own: that, when it is only a descriptor
 * @lines: counts from 1 what --hr counts: lines of brief and plot, intervals of verbose
 */
struct pf_textview {
	struct pf_sink sink;
	struct pf_outlet *to;
	struct pf_outlet_fd own;
	const struct pf_view_options *view;
	struct pf_section sections[PF_SECTIONS_MAX];
	unsigned n_sections;
	struct pf_buf out;
	size_t whole; /* bytes of it that stay if a module ends the program while the sample is drawn */
	uint64_t lines;
	int failed; /* first write error */
};

/* pf_textview_open() - a view of @size bytes whose first member is struct pf_textview. @order as in pf_sections_open(). */
int pf_textview_open(struct pf_textview **ret_view, size_t size, const struct pf_sink_kind *sink,
		     const struct pf_sink_spec *spec, enum pf_view_kind kind, const char *order, struct pf_err *err);

/**
 * pf_textview_begin() - look at a new step.
 *
 * Return: 1 it is to be shown; 0 it is only a baseline for the next; or negative errno.
 */
/* pf_textview_begin() also says 0 where all that is to be shown is of the second interval and this sample has none of it. */
int pf_textview_begin(struct pf_textview *v, const struct pf_step *step, struct pf_calc_step *ret_calc);

/* pf_textview_end() - hand the text over; it is written when much has come together, or at pf_textview_flush(). pf_textview_written() - the
 * same by those who count their lines themselves. */
int pf_textview_end(struct pf_textview *v);
int pf_textview_written(struct pf_textview *v);
int pf_textview_flush(struct pf_sink *s);
int pf_textview_close(struct pf_sink *s, struct pf_err *err);

/* pf_textview_heading() - what stands in @v->out from @from on is the heading of the lines that follow; readers who come later get it. */
void pf_textview_heading(struct pf_textview *v, size_t from);

/* pf_textview_home() - --home: the next text is drawn from the top of the screen on; the first time the screen is cleared. */
void pf_textview_home(struct pf_textview *v);

/* pf_textview_header_due() - by --hr, for brief and plot: 1 always, 0 once, below 0 never, else every that many lines. */
bool pf_textview_header_due(const struct pf_textview *v);

#endif

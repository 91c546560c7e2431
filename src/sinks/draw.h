/* sinks/draw.h - a number or a name as the text of its column. */
#ifndef PF_SINKS_DRAW_H
#define PF_SINKS_DRAW_H

#include <stdbool.h>

#include "base/buf.h"

struct pf_calc_step;
struct pf_column;
struct pf_section;
struct pf_view_options;

/* pf_draw_row() - all columns of a section for one row. @slot, @index: see pf_calc_value(). Return: false if all its numbers are 0. */
bool pf_draw_row(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s, int slot,
		 unsigned index);

/* pf_draw_plot_row() - the same for a plot line: each column behind the separator, none padded. */
void pf_draw_plot_row(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s, int slot,
		      unsigned index);

/* pf_draw_hides() - is the row of that slot left out, as --slabopts and --procstate say? */
bool pf_draw_hides(const struct pf_calc_step *c, const struct pf_section *s, int slot);
/* pf_draw_text() - a column of text, not padded. pf_draw_value() - @v as the text of @col, without what stands around it. */
void pf_draw_text(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		  const struct pf_column *col, int slot);
void pf_draw_value(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v);

/* pf_draw_number() - @v as the text of @col, with what stands before and behind it. */
void pf_draw_number(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v);

#endif

/* sinks/plot.h - lines for programs that draw: all in one stream, or one kind of them for a file of its own. */
#ifndef PF_SINKS_PLOT_H
#define PF_SINKS_PLOT_H

#include "sinks/sink.h"

struct pf_buf;

/* Which modules a stream has, where it is not the details of one of them (its place in the list). */
enum { PF_PLOT_ALL = -1, PF_PLOT_SUMMARIES = -2, PF_PLOT_NONE = -3 };

/**
 * struct pf_plot_part - what of all that is shown a stream has.
 * @order: letters in the order of their columns
 * @exceptions: rows that are exceptions in place of lines for plots
 * @module: see above
 * @header: lines before each heading, NULL: none; it must live as long as the sink
 */
struct pf_plot_part {
	const char *order;
	bool exceptions;
	int module;
	const char *header;
};

/* pf_plot_open() - one stream; what pf_sink_plot opens is everything. */
int pf_plot_open(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, const struct pf_plot_part *part,
		 struct pf_err *err);

/* pf_plot_draw() - append the lines of a step to pf_plot_text(), and the heading when it is due. Return: 1 there are some; 0 none; or
 * negative errno. */
int pf_plot_draw(struct pf_sink *sink, const struct pf_step *step);
struct pf_buf *pf_plot_text(struct pf_sink *sink);

#endif

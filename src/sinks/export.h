/* sinks/export.h - what exporters have in common: values with names, folded over the intervals of a report, told or left out. */
#ifndef PF_SINKS_EXPORT_H
#define PF_SINKS_EXPORT_H

#include "sinks/export_options.h"
#include "sinks/textview.h"

enum { PF_EXPORT_TEXT = 64 }; /* bytes of any number as text */

/**
 * struct pf_export_item - one value of one report, and what is remembered of it.
 * @name: with the instance; made when the value is first seen
 * @of, @of_id: name and number of the instance that it is of; a slot can get another one
 * @text: the number as collectl writes it for this exporter
 * @sent: is it told? Not if it has not changed, with co
 * @rounded: @text is @value made whole; @told_value: @value when it was told last
 * @countdown: reports until it is told again all the same; @ttl: what it was before this report
 */
struct pf_export_item {
	char *name;
	const char *of;
	int32_t of_id;
	const char *units, *group, *title;
	char text[PF_EXPORT_TEXT];
	double value;
	long long whole; /* the same, for those who read along with d= */
	bool sent, rounded;

	double told_value;
	double sum, least, greatest;
	char told[PF_EXPORT_TEXT];
	unsigned n;
	unsigned countdown, ttl;
	bool ever;
	bool detail;
	char *copies[3]; /* of a module's units, group and title, taken when the value is first given */
};

struct pf_export_list {
	struct pf_export_item *items;
	unsigned n, cap;
};

/**
 * struct pf_export - first member of every exporter.
 * @seconds: nominal interval of the samples
 * @every: intervals of one report; @counted: of them so far; @waits: for the whole minute of align
 * @round: integers are rounded, else truncated
 * @items: per section, one per column and slot; @of_modules: in the order in which modules gave them
 * @tell: what an exporter does with each value of a report
 */
struct pf_export {
	struct pf_textview text;
	const struct pf_export_options *options;
	struct pf_view_options view; /* the sink's, with the exporter's own variants and letters */
	char letters[64];
	char module_kind;
	bool round;
	double seconds;
	unsigned every;
	unsigned counted;
	bool waits;
	struct pf_export_list items[PF_SECTIONS_MAX];
	struct pf_export_list of_modules;
	struct pf_buf module_text; /* of modules that write text of their own, kind 's' */
	unsigned at;		   /* item that a module gives next */
	const struct pf_calc_step *calc;
	void (*tell)(struct pf_export *x, const struct pf_export_item *item);
};

/**
 * struct pf_export_form - what makes an exporter.
 * @size: of its struct, whose first member is struct pf_export
 * @view, @order, @variants: its columns, the order of letters, variants beside the user's
 * @module_kind: what modules are asked for: 'l', 's' or 'g'; with 'l' and 's' details come behind all summaries
 * @round, @tell: see struct pf_export
 */
struct pf_export_form {
	const struct pf_sink_kind *sink;
	size_t size;
	enum pf_view_kind view;
	const char *order;
	uint64_t variants;
	char module_kind;
	bool round;
	void (*tell)(struct pf_export *x, const struct pf_export_item *item);
};

/* pf_export_open() - Return: 0; -EINVAL in a sentence where arguments and run do not fit; -ENOMEM. */
int pf_export_open(struct pf_export **ret, const struct pf_export_form *form, const struct pf_sink_spec *spec,
		   struct pf_err *err);

/**
 * pf_export_begin() - look at a new sample.
 *
 * Return: 1 a report is due; 0 none is yet; or negative errno. The values are taken in either case; pf_export_tell() hands them out.
 */
int pf_export_begin(struct pf_export *x, const struct pf_step *step, struct pf_calc_step *calc);

/* pf_export_tell() - every value of the report to x->tell, in order. */
void pf_export_tell(struct pf_export *x);

int pf_export_close(struct pf_sink *s, struct pf_err *err);

#endif

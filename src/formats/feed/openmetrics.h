/* formats/feed/openmetrics.h - the text that exporters give: OpenMetrics 1.0 and Prometheus 0.0.4. Text in, series out; no I/O, no policy.
 * Source: the OpenMetrics specification 1.0.0; Prometheus documentation, "Exposition formats". */
#ifndef PF_FORMATS_FEED_OPENMETRICS_H
#define PF_FORMATS_FEED_OPENMETRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"

struct pf_om;

enum pf_om_type {
	PF_OM_UNKNOWN, /* "untyped", too */
	PF_OM_COUNTER,
	PF_OM_GAUGE,
	PF_OM_HISTOGRAM,
	PF_OM_GAUGEHISTOGRAM,
	PF_OM_SUMMARY,
	PF_OM_INFO,
	PF_OM_STATESET,
};

enum { PF_OM_LABELS_MAX = 64 };

/* @value: without its escapes. */
struct pf_om_label {
	struct pf_view name;
	struct pf_view value;
};

/**
 * struct pf_om_series - one line with a value. All texts live until the callback returns.
 * @name: as the line has it; @family: the same without the suffix that its type allows
 * @counter: grows only (values of counters, buckets, counts and sums of histograms and summaries)
 * @created: seconds since 1970 at which another series of the family began
 * @counts: a number of happenings, whatever the unit of the family is
 * @value: may be NaN or infinite; @timed: the line has a @time, in seconds or (0.0.4) milliseconds
 * @help, @unit: of the family; empty if it has none
 */
struct pf_om_series {
	struct pf_view name;
	struct pf_view family;
	enum pf_om_type type;
	bool counter;
	bool created;
	bool counts;
	const struct pf_om_label *labels;
	unsigned n_labels;
	double value;
	bool timed;
	double time;
	struct pf_view help;
	struct pf_view unit;
};

/* @bad: a line that is left out, counted from 1; 0 is the text as a whole. */
struct pf_om_to {
	void (*series)(void *arg, const struct pf_om_series *series);
	void (*bad)(void *arg, unsigned line, const char *why);
	void *arg;
};

/* What one text may have; 0 is the default, which is the number behind. */
struct pf_om_limits {
	unsigned line;	   /* bytes of a line: 32768 */
	unsigned families; /* 4096 */
	unsigned series;   /* 50000 */
};

/* pf_om_new() - NULL without memory. What it allocates for one text serves the next. */
struct pf_om *pf_om_new(const struct pf_om_limits *limits);
struct pf_om *pf_om_free(struct pf_om *om); /* returns NULL */

/**
 * pf_om_begin(), pf_om_line(), pf_om_end() - one text, line by line.
 * @strict: it is known to be OpenMetrics and must end with "# EOF"; otherwise it must once it has shown what only OpenMetrics has.
 *
 * A bad line, and a series that was there before in this text (in whatever order its labels stand), is told to @to and left out.
 */
void pf_om_begin(struct pf_om *om, bool strict);
void pf_om_line(struct pf_om *om, struct pf_view line, const struct pf_om_to *to);
void pf_om_end(struct pf_om *om, const struct pf_om_to *to);

/* pf_om_text() - the three for a whole text. */
void pf_om_text(struct pf_om *om, struct pf_view text, bool strict, const struct pf_om_to *to);

/**
 * pf_om_instance() - replace @name by that of the instance for a set of labels: LABEL=VALUE,LABEL=VALUE in their order, with a backslash
 * before backslashes and commas in values, and \n for a line end; "-" for no labels. What is longer than @max bytes is cut and ends in ~ and 16
 * hexadecimal digits of a hash of the whole.
 */
void pf_om_instance(const struct pf_om_label *labels, unsigned n, unsigned max, struct pf_buf *name);

#endif

/* sinks/exposition.h - a sample as text for Prometheus, in both of its forms. Facts: OpenMetrics 1.0 specification, Prometheus exposition
 * formats. How names and units are made of PCP's: docs/formats.md. */
#ifndef PF_SINKS_EXPOSITION_H
#define PF_SINKS_EXPOSITION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/about.h"
#include "model/sample.h"

/* PF_EXPO_OPEN: OpenMetrics 1.0.0, with units and an end; PF_EXPO_PLAIN: Prometheus text 0.0.4. */
enum pf_expo_form { PF_EXPO_OPEN, PF_EXPO_PLAIN, PF_N_EXPO_FORMS };

/**
 * struct pf_expo_family - what never changes about a metric. @head: its lines of TYPE, UNIT and HELP; @line: help text of the recording, NULL for none; @sample: name of its lines of values
 * @multiply, @divide: from the metric's unit to bytes, seconds or a count; @scale: the same as one number, where whole numbers do not do
 */
struct pf_expo_family {
	bool made;
	const char *line;
	struct pf_view head[PF_N_EXPO_FORMS];
	struct pf_view sample;
	uint64_t multiply;
	uint64_t divide;
	double scale;
};

/* @families: by metric; @seen, @stamps: hashes of the label values of one family, open addressing. */
struct pf_expo {
	struct pf_expo_family *families;
	unsigned n_families;
	struct pf_arena arena;
	struct pf_buf label;
	struct pf_about_ear ear;
	uint64_t *seen;
	uint64_t *stamps;
	unsigned n_seen;
	uint64_t stamp;
};

/**
 * pf_expo_write() - append one exposition of all metrics of @step. The same series never comes twice.
 * @times: with the time of the sample behind each value
 *
 * Return: 0 or -ENOMEM.
 */
int pf_expo_write(struct pf_expo *e, struct pf_buf *out, enum pf_expo_form form, const struct pf_step *step,
		  bool times);

/* pf_expo_listen() - take help texts that recordings in @cat have, before the families are made. Return: 0 or -ENOMEM. */
int pf_expo_listen(struct pf_expo *e, const struct pf_catalog *cat);

/**
 * pf_expo_family() - what never changes about a metric, for whoever tells series one by one; valid until the next call.
 * pf_expo_tells() - is there a value that can be told? pf_expo_labels() - labels of its series, valid until the next call.
 * pf_expo_name(), pf_expo_value() - the two parts of a line of that family.
 *
 * Return: 0 or -ENOMEM.
 */
int pf_expo_family(struct pf_expo *e, const struct pf_catalog *cat, unsigned metric,
		   const struct pf_expo_family **ret_family);
bool pf_expo_tells(const struct pf_step *step, unsigned metric, unsigned slot);
int pf_expo_labels(struct pf_expo *e, const struct pf_step *step, unsigned metric, unsigned slot,
		   struct pf_view *ret_labels);
void pf_expo_name(struct pf_buf *out, const struct pf_expo_family *f, struct pf_view labels);
void pf_expo_value(struct pf_buf *out, const struct pf_expo_family *f, const struct pf_metric *m, union pf_value v);

void pf_expo_done(struct pf_expo *e);

/* pf_expo_type() - the media type of a form. */
const char *pf_expo_type(enum pf_expo_form form);

#endif

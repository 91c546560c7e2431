/* sinks/exposition.h - a sample as text for Prometheus, in both of its forms. Facts: OpenMetrics 1.0 specification, Prometheus exposition
 * formats. How names and units are made of PCP's: docs/formats.md. */
#ifndef PF_SINKS_EXPOSITION_H
#define PF_SINKS_EXPOSITION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/sample.h"

/* PF_EXPO_OPEN: OpenMetrics 1.0.0, with units and an end; PF_EXPO_PLAIN: Prometheus text 0.0.4. */
enum pf_expo_form { PF_EXPO_OPEN, PF_EXPO_PLAIN, PF_N_EXPO_FORMS };

/**
 * struct pf_expo_family - what never changes about a metric. @head: its lines of TYPE, UNIT and HELP; @sample: name of its lines of values
 * @multiply, @divide: from the metric's unit to bytes, seconds or a count; @scale: the same as one number, where whole numbers do not do
 */
struct pf_expo_family {
	bool made;
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

void pf_expo_done(struct pf_expo *e);

/* pf_expo_type() - the media type of a form. */
const char *pf_expo_type(enum pf_expo_form form);

#endif

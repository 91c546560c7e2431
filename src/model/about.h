/* model/about.h - what a recording tells besides values: what its metrics are, which instances there were when, labels and help texts.
 * A source that has such notes offers them to the catalog. Who wants them asks with pf_about_next(); who does not pays nothing. */
#ifndef PF_MODEL_ABOUT_H
#define PF_MODEL_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"

/* Who a set of labels belongs to; numbers as in PCP's archives. Those of a metric are the sets of all that it belongs to. */
enum pf_owner {
	PF_OF_CONTEXT = 1,    /* the whole recording */
	PF_OF_DOMAIN = 2,     /* metrics of one agent */
	PF_OF_INDOM = 4,      /* an instance domain */
	PF_OF_CLUSTER = 8,    /* metrics of one cluster of an agent */
	PF_OF_ITEM = 16,      /* one metric */
	PF_OF_INSTANCES = 32, /* each instance of a domain */
};

/* Flags of a label, beside its owner's number. */
enum { PF_LABEL_COMPOUND = 64, PF_LABEL_OPTIONAL = 128 };

/* @value: as JSON has it, strings with their quotes. Views point into the set's JSON. */
struct pf_label {
	struct pf_view name;
	struct pf_view value;
	uint8_t flags;
};

/* Labels of one owner, or of one instance, whose number is @inst. @error: a negative code in place of labels, else 0. */
struct pf_label_set {
	int32_t inst;
	int32_t error;
	struct pf_view json;
	const struct pf_label *labels;
	uint32_t n;
};

#endif

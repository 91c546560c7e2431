/* sinks/metricsfile.h - a recording as one file of OpenMetrics: what it could not hold. */
#ifndef PF_SINKS_METRICSFILE_H
#define PF_SINKS_METRICSFILE_H

#include <stdbool.h>
#include <stdint.h>

struct pf_sink;

/* Values of one kind that are left out; @what: a sentence goes on "17 values of 2 metrics " with it. */
struct pf_metricsfile_loss {
	const char *what;
	uint64_t values;
	unsigned metrics;
};

/* pf_metricsfile_loss() - kind @i of what was left out so far. Return: false past the last kind. */
bool pf_metricsfile_loss(const struct pf_sink *s, unsigned i, struct pf_metricsfile_loss *ret_loss);

#endif

/* sinks/metricsfile.h - a recording as one file of OpenMetrics: what it could not hold. */
#ifndef PF_SINKS_METRICSFILE_H
#define PF_SINKS_METRICSFILE_H

#include <stdint.h>

struct pf_sink;

/* pf_metricsfile_left_out() - values so far that the format cannot hold: no numbers, counters below zero, instances that look the same. */
uint64_t pf_metricsfile_left_out(const struct pf_sink *s);

#endif

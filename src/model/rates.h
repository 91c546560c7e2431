/* model/rates.h - the one place that subtracts counters. */
#ifndef PF_MODEL_RATES_H
#define PF_MODEL_RATES_H

#include "model/sample.h"

enum pf_reset {
	PF_RESET_SKIP,	   /* a counter that went back has no rate in this interval (ours) */
	PF_RESET_WRAP32,   /* add 2^32 once (collectl's fix()) */
	PF_RESET_NEGATIVE, /* leave it negative (collectl for interrupts and tcp) */
};

/**
 * pf_delta() - difference of one metric's instance between the two samples of a step.
 * @ret_delta: exact below 2^53 counts; 0 for an instance that the previous sample did not have
 *
 * Return: 1 a difference; 0 none (no value now, no previous sample, or a counter that went back under PF_RESET_SKIP).
 */
int pf_delta(const struct pf_step *step, unsigned metric, unsigned slot, enum pf_reset reset, double *ret_delta);

/* pf_rate() - delta per second of the measured interval. Return as pf_delta(). */
int pf_rate(const struct pf_step *step, unsigned metric, unsigned slot, double *ret_rate);

/* pf_number() - a value of any numeric type as double; 0 for strings. */
double pf_number(const struct pf_metric *m, union pf_value v);

#endif

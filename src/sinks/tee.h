/* sinks/tee.h - several sinks that get the same samples, as one. */
#ifndef PF_SINKS_TEE_H
#define PF_SINKS_TEE_H

#include "sinks/sink.h"

enum { PF_TEE_MAX = 4 };

/**
 * pf_tee_open() - open several sinks behind one.
 * @kinds: @n of them, at least 1, at most PF_TEE_MAX; of one alone no tee is made
 * @specs: one for each
 *
 * What is done to the sink is done to all, whatever one of them says, so a failing one takes nothing from the others; the first error
 * is told. -EPIPE counts when no other error is there.
 *
 * Return: 0, or the error of the one that could not be opened (then none is open).
 */
int pf_tee_open(struct pf_sink **ret_sink, const struct pf_sink_kind *const *kinds, const struct pf_sink_spec *specs,
		unsigned n, struct pf_err *err);

#endif

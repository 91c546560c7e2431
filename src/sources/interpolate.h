/* sources/interpolate.h - any recording as if it had been sampled at fixed steps. */
#ifndef PF_SOURCES_INTERPOLATE_H
#define PF_SOURCES_INTERPOLATE_H

#include "sources/source.h"

/**
 * pf_interpolate_open() - a source that wraps the recording of @spec; modules take no part.
 *
 * Return: as pf_source_open().
 */
int pf_interpolate_open(struct pf_source **ret_source, const struct pf_source_spec *spec, int64_t step_ns,
			struct pf_catalog *cat, struct pf_err *err);

/* pf_interpolate_from() - before the first next(): the first step is at @time_ns, not at the beginning of the recording. */
void pf_interpolate_from(struct pf_source *source, int64_t time_ns);

#endif

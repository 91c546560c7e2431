/* sources/numbered.h - rows of one file per process: one pass over a folder, descriptors held open from one sample to the next. */
#ifndef PF_SOURCES_NUMBERED_H
#define PF_SOURCES_NUMBERED_H

#include <stdbool.h>

#include "sources/dispatch.h"
#include "sources/source.h"

struct pf_err;
struct pf_numbered;

/* pf_numbered_open() - for the rows of @d that pf_row_numbered(); *ret_numbered is NULL if there are none. The caller closes. */
int pf_numbered_open(struct pf_numbered **ret_numbered, const struct pf_source_spec *spec, struct pf_dispatch *d,
		     struct pf_err *err);
struct pf_numbered *pf_numbered_close(struct pf_numbered *n); /* returns NULL */

/**
 * pf_numbered_sample() - read and parse what every process has to tell. One that ends meanwhile is left out.
 *
 * Return: 0, or negative errno if the folder cannot be read or there is no memory.
 */
int pf_numbered_sample(struct pf_numbered *n);

#endif

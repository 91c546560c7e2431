/* sources/pattern.h - rows whose path is a pattern, live: processes, threads, NUMA nodes, ports, a tree of cgroups. Folders come and go;
 * descriptors are held open from one sample to the next. */
#ifndef PF_SOURCES_PATTERN_H
#define PF_SOURCES_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "sources/dispatch.h"
#include "sources/source.h"

struct pf_err;
struct pf_holder;
struct pf_meter;
struct pf_patterns;

/* pf_patterns_open() - for the rows of @d that pf_row_is_pattern(); *ret_patterns is NULL if there are none. The caller closes, before
 * @holder is done. */
int pf_patterns_open(struct pf_patterns **ret_patterns, const struct pf_source_spec *spec, struct pf_dispatch *d,
		     struct pf_holder *holder, struct pf_err *err);
struct pf_patterns *pf_patterns_close(struct pf_patterns *p); /* returns NULL */

/* pf_patterns_meter() - count in @m what reading costs, each pattern a source. @m stays as long as the patterns. */
void pf_patterns_meter(struct pf_patterns *p, struct pf_meter *m);

/**
 * pf_patterns_sample() - read and parse what every folder has to tell, between pf_holder_begin() and pf_holder_end(). One that vanishes
 * meanwhile is left out; a file that keeps us waiting is left out for some samples.
 * @part: of folders that have anything of the first interval, or of the others; @second: rows of the second interval, too
 * @lost: folders that could not be looked into and files left out are counted here, and told once
 *
 * Return: 0 or -ENOMEM.
 */
int pf_patterns_sample(struct pf_patterns *p, enum pf_period part, bool second, uint64_t *lost);

#endif

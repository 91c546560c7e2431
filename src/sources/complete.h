/* sources/complete.h - values of groups that only our recorder has, made of those that other recorders have, too, so that views of theirs are whole. */
#ifndef PF_SOURCES_COMPLETE_H
#define PF_SOURCES_COMPLETE_H

#include "model/group.h"
#include "model/sample.h"

enum { PF_COMPLETE_MAX = 8 };

/* Groups of the catalog that have something to complete, with their first metrics. */
struct pf_complete {
	const struct pf_group *groups[PF_COMPLETE_MAX];
	unsigned bases[PF_COMPLETE_MAX];
	unsigned n;
};

/* pf_complete_init() - those of @groups (NULL-terminated) that @cat has. */
void pf_complete_init(struct pf_complete *c, const struct pf_group *const *groups, const struct pf_catalog *cat);

/* pf_complete_sample() - when all that was recorded is in it. Return: 0 or -ENOMEM. */
int pf_complete_sample(const struct pf_complete *c, struct pf_catalog *cat, struct pf_sample *sample);

#endif

/* sources/pmcdpick.h - what of a pmcd is fetched at a time: all that has a place, or what was chosen, with instances. */
#ifndef PF_SOURCES_PMCDPICK_H
#define PF_SOURCES_PMCDPICK_H

#include "model/pick.h"
#include "sources/pmcdask.h"

struct pf_source_named;

/* pf_pmcd_pick_list() - list what is fetched from now on, and say of which instances. Return: 0 or -ENOMEM. */
int pf_pmcd_pick_list(struct pf_pmcd_ask *a);

/* pf_pmcd_pick_watch() - values that came of metric number @i: when others have values than the last time, its domain is to be asked for again. */
void pf_pmcd_pick_watch(struct pf_pmcd_ask *a, unsigned i, const struct pf_pcp_set *set, struct pf_pmcd_domain *dom);

/* pf_pmcd_pick_instance() - as instance() of a source; waits for the answer. */
int pf_pmcd_pick_instance(struct pf_pmcd_ask *a, unsigned row, struct pf_pick_instance *inst);

/* pf_pmcd_pick_names() - as names() of a source. */
int pf_pmcd_pick_names(struct pf_pmcd_ask *a, const char *name,
		       int (*each)(void *arg, const struct pf_source_named *one), void *arg);

#endif

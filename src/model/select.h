/* model/select.h - the one place that decides which instances of a stream are wanted and which count in sums. Views, documents, exporters,
 * archives and the parsers that make sums all ask here. */
#ifndef PF_MODEL_SELECT_H
#define PF_MODEL_SELECT_H

#include "model/filter.h"
#include "model/group.h"

/* What an instance is for. PF_ROLE_JUDGED: somebody has asked, so the other bits hold until it gets another name. */
enum pf_role {
	PF_ROLE_JUDGED = 1 << 0,
	PF_ROLE_KEPT = 1 << 1,	  /* the filters want it */
	PF_ROLE_COUNTED = 1 << 2, /* part of the sums */
};

/* @filters: of the user; @groups: NULL-terminated, where owners of domains are looked for; @peer: rules of collectl 4.3.1. */
struct pf_select {
	const struct pf_instance_filter *filters;
	const struct pf_group *const *groups;
	bool peer;
};

/* pf_select_filter() - the filter that holds for instances of @dom, NULL: none. CPUs have one filter, whatever is shown of them. */
const struct pf_instance_filter *pf_select_filter(const struct pf_catalog *cat, struct pf_indom *dom);

/**
 * pf_select_role() - enum pf_role of an instance.
 * @group: whose it is, NULL: found by the domain
 * @sample: where the texts are that some filters look at beside the name (what an interrupt is for); NULL: the name alone
 */
unsigned pf_select_role(const struct pf_catalog *cat, const struct pf_group *group, struct pf_indom *dom, unsigned slot,
			const struct pf_sample *sample);

/* pf_select_sums() - what is to be done when a sample is whole: settle, then add up. @b: a builder of @group. */
void pf_select_sums(const struct pf_group *group, struct pf_builder *b);

/* pf_select_count() - how many of the instances of @sample the filter for @letter keeps. Return: false if it has no instances. */
bool pf_select_count(const struct pf_catalog *cat, char letter, const struct pf_sample *sample, unsigned *ret_kept,
		     unsigned *ret_all);

#endif

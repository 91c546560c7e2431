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
	PF_ROLE_OFFLINE = 1 << 4, /* a CPU that is not running (as peer) */
	PF_ROLE_SUSPECT = 1 << 5, /* moved more in this sample than it can (documents) */
	PF_ROLE_USUAL = 1 << 3,	  /* has a row of its own where nobody chose */
};

/* @filters: of the user; @groups: NULL-terminated, where owners of domains are looked for; @peer: rules of collectl 4.3.1; @chosen: the
 * user, or the peer, chose what is read, so all of it is shown; @archive: an archive of this host is made, which has what PCP's agent has. */
struct pf_select {
	const struct pf_instance_filter *filters;
	const struct pf_group *const *groups;
	bool peer;
	bool chosen;
	bool archive;
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

/* pf_select_renamed() - judge an instance that goes by another name than the kernel's, which is @name: filters look at the new name, what
 * kind of device it is follows from the old one. */
void pf_select_renamed(const struct pf_catalog *cat, const struct pf_group *group, struct pf_indom *dom, unsigned slot,
		       struct pf_view name);

/* pf_select_chooses() - are only some instances wanted? */
static inline bool pf_select_chooses(const struct pf_catalog *cat)
{
	return cat->instances || (cat->select && (cat->select->filters || cat->select->archive));
}

/* pf_select_names() - does whoever names instances want one of that name? */
bool pf_select_names(const struct pf_catalog *cat, const char *name);

/* pf_select_tells() - does whoever tells of everything, a document or an archive, tell of that value? */
static inline bool pf_select_tells(const struct pf_catalog *cat, unsigned metric, unsigned slot,
				   const struct pf_sample *sample)
{
	if (cat->hidden[metric])
		return false;
	struct pf_indom *dom = pf_select_chooses(cat) ? pf_catalog_domain_of(cat, metric) : NULL;
	return !dom || (pf_select_role(cat, NULL, dom, slot, sample) & PF_ROLE_KEPT);
}

/* pf_select_makes() - are these sums made here? */
bool pf_select_makes(const struct pf_catalog *cat, const struct pf_group *group, const struct pf_sums *sums);

/* pf_select_sums() - what is to be done when a sample is whole: settle, then add up. @b: a builder of @group. */
void pf_select_sums(const struct pf_group *group, struct pf_builder *b);

/* pf_select_count() - how many of the instances of @sample the filter for @letter keeps. Return: false if it has no instances. */
bool pf_select_count(const struct pf_catalog *cat, char letter, const struct pf_sample *sample, unsigned *ret_kept,
		     unsigned *ret_all);

#endif

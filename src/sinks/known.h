/* sinks/known.h - which instances an archive has been told of, so that only what changed is told again. */
#ifndef PF_SINKS_KNOWN_H
#define PF_SINKS_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/record.h"
#include "model/catalog.h"

/* One domain: instances in order of their numbers, names of our own. @written: it was told at all; @checked: sequence number of the sample that it
 * was last compared with. */
struct pf_known_domain {
	struct pf_pcp_instance *instances;
	unsigned n;
	unsigned cap;
	bool written;
	uint64_t checked;
};

/* Room for lists, which serves all domains in turn: what a sample has, and what changed. */
struct pf_known_scratch {
	struct pf_pcp_instance *present;
	unsigned n_present;
	unsigned cap_present;
	struct pf_pcp_instance *changes;
	unsigned cap_changes;
};

enum pf_known_result { PF_KNOWN_SAME, PF_KNOWN_CHANGES, PF_KNOWN_ALL };

/**
 * pf_known_compare() - the wanted instances of @dom that the sample @seq has, against what is known.
 * @ret_list, @ret_n: what is to be told: instances added and removed, in order of their numbers, or all of them, whichever is shorter; valid
 * until the next call
 *
 * Return: enum pf_known_result or -ENOMEM.
 */
int pf_known_compare(const struct pf_known_domain *k, struct pf_known_scratch *scratch, const struct pf_catalog *cat,
		     struct pf_indom *dom, uint64_t seq, struct pf_pcp_instance **ret_list, uint32_t *ret_n);

/* pf_known_remember() - it was told: what was compared last is known now. Return: 0 or -ENOMEM. */
int pf_known_remember(struct pf_known_domain *k, const struct pf_known_scratch *scratch);

void pf_known_done(struct pf_known_domain *k);
void pf_known_scratch_done(struct pf_known_scratch *scratch);

#endif

/* sinks/known.h - which instances an archive has been told of, so that only what changed is told again. */
#ifndef PF_SINKS_KNOWN_H
#define PF_SINKS_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/record.h"
#include "model/catalog.h"

/* One domain: instances in order of their numbers, names of our own. @written: it was told at all; @checked: sequence number of the sample that it
 * was last compared with. @since: by slot, of the sample in which its instance was told; @moved: of the last sample in which an instance was
 * told in vain, since another one had its number and name before. */
struct pf_known_domain {
	struct pf_pcp_instance *instances;
	unsigned n;
	unsigned cap;
	bool written;
	uint64_t checked;
	uint64_t *since;
	unsigned n_since;
	uint64_t moved;
};

/* Room for lists, which serves all domains in turn: what a sample has, and what changed. @moved: instances have other slots than before. */
struct pf_known_scratch {
	struct pf_pcp_instance *present;
	unsigned n_present;
	unsigned cap_present;
	struct pf_pcp_instance *changes;
	unsigned cap_changes;
	bool moved;
};

enum pf_known_result { PF_KNOWN_SAME, PF_KNOWN_CHANGES, PF_KNOWN_ALL };

/**
 * pf_known_compare() - the wanted instances of @dom that the sample @seq has, against what is known.
 * @ret_list, @ret_n: what is to be told, valid until the next call: all of them at first, then those added and removed, in order of their
 * numbers; of a domain that is empty at first nothing, since PCP 6.0.3 finds no whole set for changes of an empty one. All of them are never told again, even if that were shorter: PCP 6.0.3 (libpcp, pmGetInDomArchive) crashes on changes that are
 * older than a whole set of more than a few instances.
 *
 * Return: enum pf_known_result or -ENOMEM.
 */
int pf_known_compare(const struct pf_known_domain *k, struct pf_known_scratch *scratch, const struct pf_catalog *cat,
		     struct pf_indom *dom, uint64_t seq, struct pf_pcp_instance **ret_list, uint32_t *ret_n);

/* pf_known_remember() - it was told in the sample @seq: what was compared last is known now. Return: 0 or -ENOMEM. */
int pf_known_remember(struct pf_known_domain *k, const struct pf_known_scratch *scratch, uint64_t seq);

/* pf_known_since() - number of the sample since when the archive knows the instance that has the slot. */
static inline uint64_t pf_known_since(const struct pf_known_domain *k, unsigned slot)
{
	return slot < k->n_since ? k->since[slot] : UINT64_MAX;
}

void pf_known_done(struct pf_known_domain *k);
void pf_known_scratch_done(struct pf_known_scratch *scratch);

#endif

/* formats/pcp/domain.h - the instances of a domain that exist now. */
#ifndef PF_FORMATS_PCP_DOMAIN_H
#define PF_FORMATS_PCP_DOMAIN_H

#include <stdint.h>

#include "base/view.h"

/* One instance that exists now. @slot, @seen and @owner are the user's, kept as long as the instance keeps id and name; 0 at first. @serial: counted from 1, no other
 * instance of the domain had it before. */
struct pf_pcp_member {
	int32_t id;
	char *name;
	unsigned slot;
	uint64_t seen;
	const void *owner;
	uint64_t serial;
};

/* @members are sorted by id. @serial: of the one that came last; @changes: counts up when one comes, goes or gets another name. */
struct pf_pcp_domain {
	uint32_t indom;
	struct pf_pcp_member *members;
	unsigned n;
	unsigned cap;
	uint64_t serial;
	uint64_t changes;
};

/* pf_pcp_domain_add() - @id exists by that name; another name makes another instance of it. Return: 0 or -ENOMEM. */
int pf_pcp_domain_add(struct pf_pcp_domain *dom, int32_t id, struct pf_view name);
void pf_pcp_domain_remove(struct pf_pcp_domain *dom, int32_t id);

/* pf_pcp_domain_keep() - all that exist are those of @ids, which is sorted here. */
void pf_pcp_domain_keep(struct pf_pcp_domain *dom, int32_t *ids, uint32_t n);

/* pf_pcp_domain_find() - NULL when it is not known. @hint: in/out, position to look at first. */
struct pf_pcp_member *pf_pcp_domain_find(struct pf_pcp_domain *dom, int32_t id, unsigned *hint);
void pf_pcp_domain_done(struct pf_pcp_domain *dom);

#endif

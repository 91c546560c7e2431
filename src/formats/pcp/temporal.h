/* formats/pcp/temporal.h - the temporal index of an archive in memory. It only saves time: whoever follows it looks whether it was right. */
#ifndef PF_FORMATS_PCP_TEMPORAL_H
#define PF_FORMATS_PCP_TEMPORAL_H

#include "formats/pcp/file.h"
#include "formats/pcp/record.h"

struct pf_pcp_temporal {
	struct pf_pcp_entry *entries;
	unsigned n;
	unsigned cap;
};

/**
 * pf_pcp_temporal_load() - all entries of @f, which stands behind its label.
 *
 * Return: 0; -EBADMSG for one that makes no sense (@err names it): then none is kept; -ENOMEM.
 */
int pf_pcp_temporal_load(struct pf_pcp_temporal *t, struct pf_pcp_file *f, unsigned version, struct pf_err *err);
void pf_pcp_temporal_done(struct pf_pcp_temporal *t);

/* pf_pcp_temporal_find() - the last entry not later than @time_ns, NULL if there is none. */
const struct pf_pcp_entry *pf_pcp_temporal_find(const struct pf_pcp_temporal *t, int64_t time_ns);

#endif

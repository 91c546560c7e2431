/* sources/pcpabout.h - notes of a PCP archive: descriptors, instances, labels, help texts, read when they are asked for. */
#ifndef PF_SOURCES_PCPABOUT_H
#define PF_SOURCES_PCPABOUT_H

#include "formats/pcp/reader.h"
#include "model/about.h"
#include "model/catalog.h"

/**
 * struct pf_pcp_about - of one archive; stays where it is between join and leave.
 * @index_of: where metric @i of the reader's stands in the catalog, -1: nobody wants it
 */
struct pf_pcp_about {
	struct pf_about_teller base;
	struct pf_catalog *catalog;
	struct pf_pcp_reader *reader;
	int (*index_of)(const void *arg, unsigned i);
	const void *arg;
};

void pf_pcp_about_join(struct pf_pcp_about *a);
void pf_pcp_about_leave(struct pf_pcp_about *a);

#endif

/* sinks/eventblock.h - event records of a sample as a value of an archive. */
#ifndef PF_SINKS_EVENTBLOCK_H
#define PF_SINKS_EVENTBLOCK_H

#include <stdint.h>

#include "formats/pcp/record.h"
#include "model/sample.h"

/* Room for bytes while they are put together; {0} is empty. */
struct pf_eventblock {
	struct pf_buf records;
	struct pf_buf param;
};

void pf_eventblock_done(struct pf_eventblock *e);

/* pf_eventblock_put() - into the set that was begun in @build. Parameters have the PMIDs of the catalog's rows. */
void pf_eventblock_put(struct pf_eventblock *e, struct pf_pcp_build *build, int32_t inst, const struct pf_catalog *cat,
		       enum pf_type type, const struct pf_event_records *events);

/* pf_eventblock_next() - the metrics of all parameters in turn, those that nobody describes left out. Return: index in the catalog, -1 the end. */
struct pf_eventblock_params {
	const struct pf_event_records *events;
	uint32_t record;
	uint32_t param;
};
int pf_eventblock_next(struct pf_eventblock_params *p);

#endif

/* sources/pcpsteady.h - samples that have the same cells as the ones before, as those of most recordings do: of each nothing is done but to put its numbers
 * where those of the one before the last stand. */
#ifndef PF_SOURCES_PCPSTEADY_H
#define PF_SOURCES_PCPSTEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sample.h"
#include "sources/lasting.h"
#include "sources/pcpplan.h"

/* Slots of a domain that the samples have. */
struct pf_pcp_staying {
	struct pf_indom *domain;
	uint64_t taken;
	unsigned first;
	unsigned n;
};

/* Where the numbers of the plan go in one of the two tables. @moved: of the sample, when they were found; UINT64_MAX: they were not */
struct pf_pcp_found {
	union pf_value **cells;
	unsigned cap;
	uint64_t moved;
};

/**
 * struct pf_pcp_steady - samples that were made of one record of @plan and of what held.
 * @name: of their cells (pf_frames_made()), 0: there are none
 * @planned: how often the plan had been made; @version: of what held
 * @ready: @staying is known: instances that are in all of them, with their @slots
 */
struct pf_pcp_steady {
	uint64_t name;
	const struct pf_pcp_plan *plan;
	uint64_t planned;
	uint64_t version;
	bool ready;
	struct pf_pcp_staying *staying;
	unsigned n_staying, cap_staying;
	unsigned *slots;
	unsigned n_slots, cap_slots;
	struct pf_pcp_found found[2];
};

void pf_pcp_steady_done(struct pf_pcp_steady *s);

/* pf_pcp_steady_note() - the current sample is complete, and was made of one record of @plan, without texts of its own, and of what held. */
void pf_pcp_steady_note(struct pf_pcp_steady *s, const struct pf_pcp_plan *plan, const struct pf_lastings *lastings,
			struct pf_frames *frames);

/**
 * pf_pcp_steady_next() - a sample made of @rec, of @plan, which holds, and of what holds, if the last two were, too.
 *
 * Return: the sample, which is complete; NULL: it must be made as any other; nothing was done.
 */
struct pf_sample *pf_pcp_steady_next(struct pf_pcp_steady *s, const struct pf_pcp_plan *plan,
				     const struct pf_lastings *lastings, struct pf_frames *frames, struct pf_view rec,
				     int64_t time_ns);

#endif

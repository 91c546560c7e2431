/* sources/pmcdnotes.h - what a pmcd tells beside values, offered to whoever wants notes. */
#ifndef PF_SOURCES_PMCDNOTES_H
#define PF_SOURCES_PMCDNOTES_H

#include "model/about.h"
#include "model/catalog.h"
#include "sources/pmcdask.h"

/* Stays where it is between join and leave. */
struct pf_pmcd_notes {
	struct pf_about_teller base;
	struct pf_catalog *catalog;
	struct pf_pmcd_ask *ask;
};

void pf_pmcd_notes_join(struct pf_pmcd_notes *n);
void pf_pmcd_notes_leave(struct pf_pmcd_notes *n);

/* pf_pmcd_notes_look() - more may have become known. */
static inline void pf_pmcd_notes_look(struct pf_pmcd_notes *n)
{
	n->base.n = n->ask->n_notes;
}

/* pf_pmcd_note() - metric number @i has a place from now on. Return: 0 or -ENOMEM. */
int pf_pmcd_note(struct pf_pmcd_ask *a, unsigned i);

#endif

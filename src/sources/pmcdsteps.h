/* sources/pmcdsteps.h - what the files of the conversation with a pmcd have in common, and the steps that ask for notes. */
#ifndef PF_SOURCES_PMCDSTEPS_H
#define PF_SOURCES_PMCDSTEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "sources/pmcdask.h"

/* pf_pmcd_todo() - one more thing that the step at hand asks for. Return: 0 or -ENOMEM. */
int pf_pmcd_todo(struct pf_pmcd_ask *a, uint64_t what);

/* pf_pmcd_is_error() - does the answer say that there is none? */
bool pf_pmcd_is_error(const struct pf_pdu *pdu, int32_t *ret_code);

int pf_pmcd_texts_begin(struct pf_pmcd_ask *a);
int pf_pmcd_texts_ask(struct pf_pmcd_ask *a, uint32_t i);
int pf_pmcd_texts_take(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err);
int pf_pmcd_labels_begin(struct pf_pmcd_ask *a);
int pf_pmcd_labels_ask(struct pf_pmcd_ask *a, uint32_t i);
int pf_pmcd_labels_take(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err);

#endif

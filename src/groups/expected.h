/* groups/expected.h - metrics that a program of PCP wants to know before it shows anything else. */
#ifndef PF_GROUPS_EXPECTED_H
#define PF_GROUPS_EXPECTED_H

struct pf_metric;

/* The metrics, NULL-terminated names. An archive of a host describes each, also where it has no value. */
extern const char *const pf_expected[];

/* pf_expected_row() - the row of the group that has @name; NULL: none. */
const struct pf_metric *pf_expected_row(const char *name);

#endif

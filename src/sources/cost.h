/* sources/cost.h - the own cost of sampling as text, like that of any other source: the group of groups/cost.c reads it. */
#ifndef PF_SOURCES_COST_H
#define PF_SOURCES_COST_H

#include <stdbool.h>

#include "base/meter.h"
#include "base/notice.h"
#include "sources/dispatch.h"
#include "sources/source.h"

struct pf_cost;

/**
 * pf_cost_open() - measure, if the group is among those of @d; *ret_cost is NULL if it is not.
 * @late_ns: a sample that takes longer is told by a notice; 0: none
 *
 * Return: 0 or -ENOMEM.
 */
int pf_cost_open(struct pf_cost **ret_cost, struct pf_dispatch *d, int64_t late_ns, const struct pf_notice *notice);
struct pf_cost *pf_cost_close(struct pf_cost *c); /* returns NULL */

/* pf_cost_meter() - what counts; NULL for NULL. */
struct pf_meter *pf_cost_meter(struct pf_cost *c);

/* pf_cost_take() - the sample is taken: tell what it cost as raw text (@tap may be NULL) and as values. Return: 0 or -ENOMEM. */
int pf_cost_take(struct pf_cost *c, const struct pf_raw_tap *tap, bool no_parse);

#endif

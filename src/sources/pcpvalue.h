/* sources/pcpvalue.h - values of PCP archives as values of samples. */
#ifndef PF_SOURCES_PCPVALUE_H
#define PF_SOURCES_PCPVALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "formats/pcp/record.h"
#include "model/sample.h"

struct pf_pcp_metric;

/**
 * struct pf_pcp_into - what a value is to become.
 * @from: type in the archive; @to: type of the row, @scale: its units, @counter: its semantics
 * @metric_of: index of a metric in the catalog, -1: it has none; parameters of events are looked up there
 */
struct pf_pcp_into {
	int32_t from;
	enum pf_type to;
	struct pf_scale scale;
	bool counter;
	int (*metric_of)(const void *arg, uint32_t pmid);
	const void *arg;
};

/* pf_pcp_value_into() - Return: 1 a value, 0 none that fits, -ENOMEM. What it points to is in @room. */
int pf_pcp_value_into(const struct pf_pcp_value *v, const struct pf_pcp_into *into, struct pf_arena *room,
		      union pf_value *ret_v);

/* pf_pcp_row() - a row for a metric of an archive; @name must live as long as it. pf_pcp_row_fits() - do values of the metric make sense in that row? */
struct pf_metric pf_pcp_row(const struct pf_pcp_metric *m, const char *name);
bool pf_pcp_row_fits(const struct pf_metric *row, const struct pf_pcp_metric *m);

#endif

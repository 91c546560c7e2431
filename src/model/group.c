/* model/group.c - groups in a catalog. */
#include "model/group.h"

int pf_group_base(struct pf_catalog *cat, const struct pf_group *group, unsigned *ret_base, struct pf_err *err)
{
	for (unsigned i = 0; i < cat->n_metrics; i++) {
		if (cat->metrics[i] == group->metrics) {
			*ret_base = i;
			return 0;
		}
	}
	int rc = pf_catalog_add(cat, group->metrics, group->n_metrics, ret_base, err);
	for (unsigned i = 0; rc == 0 && i < group->n_metrics; i++)
		cat->metric_periods[*ret_base + i] = (uint8_t)group->period;
	cat->any_second |= group->period == PF_SECOND_INTERVAL;
	return rc;
}

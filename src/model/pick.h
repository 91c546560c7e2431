/* model/pick.h - which values are wanted of a sample: metrics, and of some of them only some instances. */
#ifndef PF_MODEL_PICK_H
#define PF_MODEL_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"

/* One instance: by its name, whole or up to its first blank; with @name NULL by the number that it has outside. */
struct pf_pick_instance {
	const char *name;
	int64_t id;
};

/* One metric, by its index in the catalog. @n 0: all instances */
struct pf_pick {
	unsigned metric;
	const struct pf_pick_instance *instances;
	unsigned n;
};

/* @list is sorted by metric, and each is there once. It belongs to whoever made it. */
struct pf_picks {
	const struct pf_pick *list;
	unsigned n;
};

/* pf_pick_instance_is() - is it the instance of that name and number? */
bool pf_pick_instance_is(const struct pf_pick_instance *want, const char *name, int32_t id);

/* pf_pick_find() - NULL: the metric is not wanted. */
const struct pf_pick *pf_pick_find(const struct pf_picks *picks, unsigned metric);

/* pf_picks_keep() - take out of @sample whatever is not wanted. */
void pf_picks_keep(const struct pf_picks *picks, struct pf_sample *sample);

/* pf_pick_keep() - the same of one metric that is wanted: its instances. */
void pf_pick_keep(const struct pf_pick *pick, struct pf_sample *sample);

#endif

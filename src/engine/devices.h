/* engine/devices.h - what there is to be said about devices and filters. */
#ifndef PF_ENGINE_DEVICES_H
#define PF_ENGINE_DEVICES_H

#include "engine/plan.h"

struct pf_buf;

/* CPUs of a host. @all: those that are offline included. */
struct pf_cpus {
	unsigned all;
	unsigned offline;
	bool hyper; /* two threads per core */
};

/* pf_devices_cpus() - of the host below @root_fd. */
struct pf_cpus pf_devices_cpus(int root_fd);

/**
 * pf_devices_offline() - count the CPUs that are there but not in the sample, for headings.
 * collectl shows them as if they went on without counting, so for it they are put into the sample as they were before, or as zeros.
 *
 * Return: 0 or -ENOMEM.
 */
int pf_devices_offline(struct pf_view_options *view, struct pf_catalog *cat, struct pf_frames *frames);

/* What a recording does not hold although it is to be shown. @letters: recorded; @cpus, @nodes: how many the host had. */
struct pf_unrecorded {
	const char *letters;
	unsigned cpus, nodes;
};

/**
 * pf_devices_unrecorded() - collectl shows zeros for each CPU and node of what was not recorded: put them into the sample.
 * @groups, @bases: those shown, the end is NULL
 *
 * Return: 0 or -ENOMEM.
 */
int pf_devices_unrecorded(const struct pf_unrecorded *u, const struct pf_group *const *groups, const unsigned *bases,
			  struct pf_catalog *cat, struct pf_frames *frames);

/* pf_devices_tell() - how much each filter of the user keeps of what @sample has; one that keeps nothing is a warning. */
void pf_devices_tell(const struct pf_plan *plan, const struct pf_catalog *cat, const struct pf_sample *sample);

#endif

/* groups/list.c - every built-in group, in the order in which collectl samples them. */
#include "groups/list.h"

#include <stddef.h>

/* clang-format off */
const struct pf_group *const pf_groups[] = {
	&pf_group_buddy,
	&pf_group_cpu,
	&pf_group_interrupts,
	&pf_group_softirqs,
	&pf_group_pressure,
	&pf_group_cgroup,
	&pf_group_disk,
	&pf_group_tcp,
	&pf_group_inodes,
	&pf_group_nfs,
	&pf_group_memory,
	&pf_group_numa,
	&pf_group_sockets,
	&pf_group_network,
	&pf_group_infiniband,
	&pf_group_environment,
	&pf_group_slab,
	&pf_group_process,
	&pf_group_host,
	&pf_group_kernel,
	&pf_group_processors,
	&pf_group_zones,
	&pf_group_softnet,
	&pf_group_interfaces,
	&pf_group_ip6,
	&pf_group_ipc,
	&pf_group_filesystems,
	&pf_group_runqueue,
	&pf_group_cost,
	NULL,
};
/* clang-format on */

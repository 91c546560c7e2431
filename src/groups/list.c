/* groups/list.c - every built-in group, in the order in which collectl samples them. */
#include "groups/list.h"

#include <stddef.h>

const struct pf_group *const pf_groups[] = {
	&pf_group_cpu,	  &pf_group_disk,    &pf_group_inodes,
	&pf_group_memory, &pf_group_sockets, &pf_group_network,
	&pf_group_slab,	  &pf_group_process, NULL,
};

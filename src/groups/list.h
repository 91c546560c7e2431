/* groups/list.h - every built-in group. */
#ifndef PF_GROUPS_LIST_H
#define PF_GROUPS_LIST_H

#include "model/group.h"

extern const struct pf_group *const pf_groups[]; /* NULL-terminated, in the order in which they are sampled */

extern const struct pf_group pf_group_cpu;
extern const struct pf_group pf_group_disk;
extern const struct pf_group pf_group_network;
extern const struct pf_group pf_group_memory;
extern const struct pf_group pf_group_sockets;
extern const struct pf_group pf_group_inodes;
extern const struct pf_group pf_group_slab;
extern const struct pf_group pf_group_process;
extern const struct pf_group pf_group_buddy;
extern const struct pf_group pf_group_interrupts;
extern const struct pf_group pf_group_softirqs;
extern const struct pf_group pf_group_tcp;
extern const struct pf_group pf_group_nfs;
extern const struct pf_group pf_group_numa;
extern const struct pf_group pf_group_pressure;
extern const struct pf_group pf_group_cost;
extern const struct pf_group pf_group_cgroup;
extern const struct pf_group pf_group_infiniband;
extern const struct pf_group pf_group_environment;
extern const struct pf_group pf_group_host;
extern const struct pf_group pf_group_kernel;
extern const struct pf_group pf_group_processors;
extern const struct pf_group pf_group_zones;
extern const struct pf_group pf_group_softnet;
extern const struct pf_group pf_group_interfaces;
extern const struct pf_group pf_group_ip6;
extern const struct pf_group pf_group_ipc;
extern const struct pf_group pf_group_filesystems;
extern const struct pf_group pf_group_runqueue;

#endif

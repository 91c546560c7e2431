/* groups/numbered.h - CPUs and nodes: instances that are named by a word and the kernel's number. Source: kernel
 * Documentation/admin-guide/cputopology.rst. */
#ifndef PF_GROUPS_NUMBERED_H
#define PF_GROUPS_NUMBERED_H

#include <stdint.h>

#include "base/view.h"

struct pf_builder;

/* pf_numbered_slot() - that of "cpu3" in the domain of @metric, @kind being "cpu"; -1 if there is no room, or no such number. */
int pf_numbered_slot(struct pf_builder *b, unsigned metric, const char *kind, uint64_t number);

/* pf_numbered_each() - @take each of a list: "0-3,8". Return: how many. */
unsigned pf_numbered_each(struct pf_view text, struct pf_builder *b,
			  void (*take)(struct pf_builder *b, uint64_t number));

#endif

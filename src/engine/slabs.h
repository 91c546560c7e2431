/* engine/slabs.h - which slab caches the kernel has put together: links of /sys/kernel/slab. */
#ifndef PF_ENGINE_SLABS_H
#define PF_ENGINE_SLABS_H

#include <stdbool.h>

#include "base/buf.h"

struct pf_err;

/**
 * struct pf_slabs_wish - what is wanted.
 * @roots: caches under their common name, else only those that several names share
 * @prefixes: beginnings of names, separated by commas, or NULL
 * @as_peer: in /sys/slab alone, names in the order of the folder
 */
struct pf_slabs_wish {
	bool roots;
	const char *prefixes;
	bool as_peer;
};

/**
 * pf_slabs_list() - a line for each cache: its common name and the names that stand for it.
 * @root_fd: folder that stands for "/"
 *
 * Return: 0; -ENOENT with a sentence where the kernel does not tell; another negative errno.
 */
int pf_slabs_list(int root_fd, const struct pf_slabs_wish *wish, struct pf_buf *out, struct pf_err *err);

#endif

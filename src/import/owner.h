/* import/owner.h - which process is the recorder: a module may fork, and a child that comes back out of it is not. Asked at each callback, so
 * without a system call: the answer stands in a page that the kernel empties in children (madvise(2), MADV_WIPEONFORK). */
#ifndef PF_IMPORT_OWNER_H
#define PF_IMPORT_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/* @mark: the page, 1 in the process that claimed it; NULL where there is none, then @pid is compared. */
struct pf_owner {
	char *mark;
	pid_t pid;
};

/* pf_owner_claim() - it is this process from now on; a child of ours that takes over claims again. */
void pf_owner_claim(struct pf_owner *o);
bool pf_owner_is_us(const struct pf_owner *o);
void pf_owner_done(struct pf_owner *o);

#endif

/* base/arena.h - memory that is given back all at once; after some rounds it has its size and allocates no more. */
#ifndef PF_BASE_ARENA_H
#define PF_BASE_ARENA_H

#include <stddef.h>

#include "base/view.h"

struct pf_arena_block;

/* {0} is an empty arena. @head: newest block; @used: bytes used in it. */
struct pf_arena {
	struct pf_arena_block *head;
	size_t used;
};

/* pf_arena_alloc() - zeroed, aligned for anything, valid until reset; NULL without memory. */
void *pf_arena_alloc(struct pf_arena *a, size_t n);

/* pf_arena_dup() - copy of @v with a NUL behind it; NULL without memory. */
char *pf_arena_dup(struct pf_arena *a, struct pf_view v);

/* pf_arena_reset() - forget everything, keep the memory (several blocks become one). */
void pf_arena_reset(struct pf_arena *a);
void pf_arena_done(struct pf_arena *a);

#endif

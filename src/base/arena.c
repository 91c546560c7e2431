/* base/arena.c - blocks in a chain, joined into one at reset. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>

enum { FIRST_BLOCK = 16 * 1024 };

struct pf_arena_block {
	struct pf_arena_block *older;
	size_t size;
	alignas(max_align_t) char bytes[];
};

static struct pf_arena_block *new_block(size_t size, struct pf_arena_block *older)
{
	size_t total;
	if (__builtin_add_overflow(size, sizeof(struct pf_arena_block), &total))
		return NULL;
	struct pf_arena_block *b = malloc(total);
	if (!b)
		return NULL;
	b->older = older;
	b->size = size;
	return b;
}

/* @align: a power of two */
static void *take(struct pf_arena *a, size_t n, size_t align)
{
	size_t from = (a->used + align - 1) & ~(align - 1);
	if (!a->head || a->head->size < from || a->head->size - from < n) {
		size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
		struct pf_arena_block *b = new_block(size < n ? n : size, a->head);
		if (!b)
			return NULL;
		a->head = b;
		from = 0;
	}
	a->used = from + n;
	return a->head->bytes + from;
}

void *pf_arena_alloc(struct pf_arena *a, size_t n)
{
	void *p = take(a, n, alignof(max_align_t));
	return p ? memset(p, 0, n) : NULL;
}

char *pf_arena_dup(struct pf_arena *a, struct pf_view v)
{
	char *s = take(a, v.n + 1, 1);
	if (!s)
		return NULL;
	if (v.n > 0)
		memcpy(s, v.p, v.n);
	s[v.n] = '\0';
	return s;
}

void pf_arena_reset(struct pf_arena *a)
{
	a->used = 0;
	if (!a->head || !a->head->older)
		return;

	size_t total = 0;
	for (struct pf_arena_block *b = a->head; b; b = b->older)
		total += b->size;
	pf_arena_done(a);
	a->head = new_block(total, NULL); /* NULL is fine: the next alloc tries again */
}

void pf_arena_done(struct pf_arena *a)
{
	for (struct pf_arena_block *b = a->head; b;) {
		struct pf_arena_block *older = b->older;
		free(b);
		b = older;
	}
	*a = (struct pf_arena){ 0 };
}

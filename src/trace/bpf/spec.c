/* bpf/spec.c - records of speculations, waiting for commit() or discard(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/bpf/consume.h"

/* Turns of one buffer that may be under way at once: a record may come a little later than the end of its turn, or its end be lost. */
enum { MOST_TURNS = 32 };

static unsigned id_of(uint32_t turn)
{
	return turn & ((1U << PF_SPEC_ID_BITS) - 1);
}

/* take() - the records of buffer @id for which @wanted says so leave the list; *@ret_taken is a list of them. */
static void take(struct pf_trace *t, unsigned id, bool (*wanted)(uint32_t have, uint32_t turn), uint32_t turn,
		 struct pf_spec_record **ret_taken)
{
	struct pf_spec_record **at = &t->specs[id];
	struct pf_spec_record **end = ret_taken;
	*ret_taken = NULL;
	while (*at) {
		struct pf_spec_record *r = *at;
		const struct pf_record_head *head = (const void *)r->bytes;
		if (!wanted(head->speculation, turn)) {
			at = &r->next;
			continue;
		}
		*at = r->next;
		t->spec_bytes[id] -= r->n;
		r->next = NULL;
		*end = r;
		end = &r->next;
	}
	t->spec_ends[id] = at;
}

static bool same(uint32_t have, uint32_t turn)
{
	return have == turn;
}

static bool old(uint32_t have, uint32_t turn)
{
	return (turn - have) >> PF_SPEC_ID_BITS > 2 * MOST_TURNS; /* the ids are the same */
}

static void free_all(struct pf_spec_record *list)
{
	while (list) {
		struct pf_spec_record *next = list->next;
		free(list);
		list = next;
	}
}

int pf_spec_keep(struct pf_trace *t, uint32_t turn, const uint8_t *record, uint32_t n)
{
	unsigned id = id_of(turn);
	const struct pf_record_head *first = t->specs[id] ? (const void *)t->specs[id]->bytes : NULL;
	if (first && old(first->speculation, turn)) {
		struct pf_spec_record *lost;
		take(t, id, old, turn, &lost);
		free_all(lost);
	}
	if (t->spec_bytes[id] + n > (uint64_t)t->options.value[PF_OPT_SPECSIZE]) {
		t->spec_drops++;
		return 0;
	}
	struct pf_spec_record *r = malloc(sizeof(*r) + n);
	if (!r)
		return -ENOMEM;
	memcpy(r->bytes, record, n);
	r->n = n;
	r->next = NULL;
	if (!t->specs[id])
		t->spec_ends[id] = &t->specs[id];
	*t->spec_ends[id] = r;
	t->spec_ends[id] = &r->next;
	t->spec_bytes[id] += n;
	return 0;
}

int pf_spec_end(struct pf_trace *t, uint32_t turn, int (*fn)(void *arg, const uint8_t *record, uint32_t n), void *arg)
{
	struct pf_spec_record *list;
	int rc = 0;
	take(t, id_of(turn), same, turn, &list);
	for (const struct pf_spec_record *r = list; r && fn && rc >= 0; r = r->next)
		rc = fn(arg, r->bytes, (uint32_t)r->n);
	free_all(list);
	return rc < 0 ? rc : 0;
}

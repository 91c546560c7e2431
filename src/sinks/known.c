/* sinks/known.c - two lists of instances in order of their numbers, walked side by side. */
#include "sinks/known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/select.h"

static int grow(struct pf_pcp_instance **list, unsigned *cap, unsigned need)
{
	if (need <= *cap)
		return 0;
	struct pf_pcp_instance *more = reallocarray(*list, need, sizeof(*more));
	if (!more)
		return -ENOMEM;
	*list = more;
	*cap = need;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	int32_t x = ((const struct pf_pcp_instance *)a)->id;
	int32_t y = ((const struct pf_pcp_instance *)b)->id;
	return (x > y) - (x < y);
}

/* The instances that the sample has and that are wanted. Mostly they are in order already. */
static int collect(struct pf_known_scratch *s, const struct pf_catalog *cat, struct pf_indom *dom, uint64_t seq)
{
	bool chosen = pf_select_chooses(cat);
	int rc = grow(&s->present, &s->cap_present, dom->cap);
	if (rc < 0)
		return rc;
	bool ordered = true;
	unsigned n = 0;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		const struct pf_instance *i = &dom->instances[slot];
		if (i->seen != seq || (chosen && !(pf_select_role(cat, NULL, dom, slot, NULL) & PF_ROLE_KEPT)))
			continue;
		ordered &= n == 0 || i->id > s->present[n - 1].id;
		s->present[n++] = (struct pf_pcp_instance){ .id = i->id, .name = pf_view_of(i->name), .slot = slot };
	}
	if (!ordered)
		qsort(s->present, n, sizeof(*s->present), by_number);
	s->n_present = n;
	return 0;
}

static bool is_same_name(const struct pf_pcp_instance *a, const struct pf_pcp_instance *b)
{
	return a->name.n == b->name.n && memcmp(a->name.p, b->name.p, a->name.n) == 0;
}

/* Added and removed instances. A number that means another instance now is removed and added at once. Return: how many. */
static unsigned compare(const struct pf_known_domain *k, struct pf_known_scratch *s)
{
	unsigned n = 0;
	for (unsigned a = 0, b = 0; a < k->n || b < s->n_present;) {
		bool more_old = a < k->n;
		bool more_now = b < s->n_present;
		int order = 0;
		if (!more_old || !more_now)
			order = more_old ? -1 : 1;
		else if (k->instances[a].id != s->present[b].id)
			order = k->instances[a].id < s->present[b].id ? -1 : 1;
		if (order == 0 && is_same_name(&k->instances[a], &s->present[b])) {
			s->moved |= k->instances[a++].slot != s->present[b++].slot;
			continue;
		}
		if (order <= 0)
			s->changes[n++] = (struct pf_pcp_instance){ .id = k->instances[a++].id, .removed = true };
		if (order >= 0)
			s->changes[n++] = s->present[b++];
	}
	return n;
}

int pf_known_compare(const struct pf_known_domain *k, struct pf_known_scratch *scratch, const struct pf_catalog *cat,
		     struct pf_indom *dom, uint64_t seq, struct pf_pcp_instance **ret_list, uint32_t *ret_n)
{
	int rc = collect(scratch, cat, dom, seq);
	if (rc == 0)
		rc = grow(&scratch->changes, &scratch->cap_changes, k->cap + scratch->cap_present);
	if (rc < 0)
		return rc;
	scratch->moved = false;
	unsigned n = k->written ? compare(k, scratch) : scratch->n_present;
	if (n == 0)
		return PF_KNOWN_SAME;
	*ret_list = k->written ? scratch->changes : scratch->present;
	*ret_n = n;
	return k->written ? PF_KNOWN_CHANGES : PF_KNOWN_ALL;
}

static void free_name(const struct pf_pcp_instance *i)
{
	char *name;
	memcpy(&name, &i->name.p, sizeof(name)); /* ours, though the view says const */
	free(name);
}

/* Names that stay are taken over, the others copied. An instance that is told anew counts from now on. */
static int take_over(struct pf_known_domain *k, const struct pf_known_scratch *scratch, struct pf_pcp_instance *next,
		     uint64_t seq)
{
	unsigned a = 0;
	for (unsigned b = 0; b < scratch->n_present; b++) {
		const struct pf_pcp_instance *now = &scratch->present[b];
		while (a < k->n && k->instances[a].id < now->id)
			a++;
		next[b] = *now;
		struct pf_pcp_instance *old = a < k->n && k->instances[a].id == now->id ? &k->instances[a] : NULL;
		bool stays = old && old->name.p && is_same_name(old, now);
		if (!stays || old->slot != now->slot)
			k->since[now->slot] = seq;
		if (stays && old->slot != now->slot)
			k->moved = seq;
		if (stays) {
			next[b].name = old->name;
			old->name.p = NULL;
			continue;
		}
		next[b].name.p = pf_view_dup(now->name);
		if (!next[b].name.p)
			return -ENOMEM;
	}
	return 0;
}

static int size_since(struct pf_known_domain *k, const struct pf_known_scratch *scratch)
{
	unsigned need = 0;
	for (unsigned b = 0; b < scratch->n_present; b++) {
		if (scratch->present[b].slot >= need)
			need = scratch->present[b].slot + 1;
	}
	if (need <= k->n_since)
		return 0;
	uint64_t *more = reallocarray(k->since, need, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + k->n_since, 0, (need - k->n_since) * sizeof(*more));
	k->since = more;
	k->n_since = need;
	return 0;
}

static void drop_instances(struct pf_known_domain *k)
{
	for (unsigned i = 0; i < k->n; i++)
		free_name(&k->instances[i]);
	free(k->instances);
	k->instances = NULL;
	k->n = k->cap = 0;
}

int pf_known_remember(struct pf_known_domain *k, const struct pf_known_scratch *scratch, uint64_t seq)
{
	struct pf_pcp_instance *next = calloc(scratch->n_present ? scratch->n_present : 1, sizeof(*next));
	int rc = next ? size_since(k, scratch) : -ENOMEM;
	if (rc == 0)
		rc = take_over(k, scratch, next, seq);
	drop_instances(k);
	k->instances = next;
	k->n = next && rc == 0 ? scratch->n_present : 0;
	k->cap = next ? scratch->n_present : 0;
	k->written = rc == 0;
	return rc;
}

void pf_known_done(struct pf_known_domain *k)
{
	drop_instances(k);
	free(k->since);
	k->since = NULL;
	k->n_since = 0;
}

void pf_known_scratch_done(struct pf_known_scratch *scratch)
{
	free(scratch->present);
	free(scratch->changes);
	*scratch = (struct pf_known_scratch){ 0 };
}

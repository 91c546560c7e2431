/* formats/pcp/domain.c - the instances of a domain that exist now. */
#include "formats/pcp/domain.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Position of @id, or where it would stand. */
static unsigned position(const struct pf_pcp_domain *dom, int32_t id, bool *ret_found)
{
	unsigned lo = 0;
	unsigned hi = dom->n;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;
		if (dom->members[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	*ret_found = lo < dom->n && dom->members[lo].id == id;
	return lo;
}

static int make_room(struct pf_pcp_domain *dom)
{
	if (dom->n < dom->cap)
		return 0;
	unsigned cap = dom->cap ? dom->cap * 2 : 16;
	struct pf_pcp_member *more = reallocarray(dom->members, cap, sizeof(*more));
	if (!more)
		return -ENOMEM;
	dom->members = more;
	dom->cap = cap;
	return 0;
}

int pf_pcp_domain_add(struct pf_pcp_domain *dom, int32_t id, struct pf_view name)
{
	bool found;
	unsigned at = position(dom, id, &found);
	if (found && pf_view_is(name, dom->members[at].name))
		return 0;
	char *copy = pf_view_dup(name);
	if (!copy)
		return -ENOMEM;
	if (found) {
		free(dom->members[at].name);
	} else {
		if (make_room(dom) < 0) {
			free(copy);
			return -ENOMEM;
		}
		memmove(dom->members + at + 1, dom->members + at, (dom->n - at) * sizeof(*dom->members));
		dom->n++;
	}
	dom->changes++;
	dom->members[at] = (struct pf_pcp_member){ .id = id, .name = copy, .serial = ++dom->serial };
	return 0;
}

void pf_pcp_domain_remove(struct pf_pcp_domain *dom, int32_t id)
{
	bool found;
	unsigned at = position(dom, id, &found);
	if (!found)
		return;
	free(dom->members[at].name);
	memmove(dom->members + at, dom->members + at + 1, (dom->n - at - 1) * sizeof(*dom->members));
	dom->n--;
	dom->changes++;
}

static int by_id(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a;
	int32_t y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

void pf_pcp_domain_keep(struct pf_pcp_domain *dom, int32_t *ids, uint32_t n)
{
	unsigned kept = 0;
	if (n > 0)
		qsort(ids, n, sizeof(*ids), by_id);
	for (unsigned i = 0; i < dom->n; i++) {
		if (n > 0 && bsearch(&dom->members[i].id, ids, n, sizeof(*ids), by_id))
			dom->members[kept++] = dom->members[i];
		else
			free(dom->members[i].name);
	}
	dom->changes += kept != dom->n;
	dom->n = kept;
}

struct pf_pcp_member *pf_pcp_domain_find(struct pf_pcp_domain *dom, int32_t id, unsigned *hint)
{
	if (*hint < dom->n && dom->members[*hint].id == id)
		return &dom->members[(*hint)++];
	bool found;
	unsigned at = position(dom, id, &found);
	if (!found)
		return NULL;
	*hint = at + 1;
	return &dom->members[at];
}

void pf_pcp_domain_done(struct pf_pcp_domain *dom)
{
	for (unsigned i = 0; i < dom->n; i++)
		free(dom->members[i].name);
	free(dom->members);
	*dom = (struct pf_pcp_domain){ 0 };
}

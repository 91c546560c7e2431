/* formats/pcp/check_table.c - a hash of numbers with open addressing. */
#include "formats/pcp/check_table.h"

#include <errno.h>
#include <stdlib.h>

enum { PLACES_MIN = 256, PLACES_MAX = 1 << 30 };

/* Where @key is, or the free place that it would take. */
static uint32_t place_of(const struct pf_pcp_check_table *t, uint64_t key)
{
	uint64_t hash = key;
	hash ^= hash >> 33;
	hash *= UINT64_C(0xff51afd7ed558ccd);
	hash ^= hash >> 33;
	uint32_t mask = t->n_places - 1;
	uint32_t at = (uint32_t)hash & mask;
	while (t->places[at] != 0 && t->keys[t->places[at] - 1] != key)
		at = (at + 1) & mask;
	return at;
}

static int grow(struct pf_pcp_check_table *t)
{
	uint32_t n_places = t->n_places ? 2 * t->n_places : PLACES_MIN;
	if (t->n_places >= PLACES_MAX)
		return -ENOMEM;
	uint64_t *keys = reallocarray(t->keys, n_places / 2, sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	t->keys = keys;
	uint32_t *places = calloc(n_places, sizeof(*places));
	if (!places)
		return -ENOMEM;
	free(t->places);
	t->places = places;
	t->n_places = n_places;
	for (uint32_t i = 0; i < t->n; i++)
		t->places[place_of(t, t->keys[i])] = i + 1;
	return 0;
}

int64_t pf_pcp_check_look(const struct pf_pcp_check_table *t, uint64_t key)
{
	return t->n_places > 0 ? (int64_t)t->places[place_of(t, key)] - 1 : -1;
}

int64_t pf_pcp_check_find(struct pf_pcp_check_table *t, uint64_t key)
{
	int64_t known = pf_pcp_check_look(t, key);
	if (known >= 0)
		return known;
	if (t->n >= t->n_places / 2) {
		int rc = grow(t);
		if (rc < 0)
			return rc;
	}
	t->keys[t->n] = key;
	t->places[place_of(t, key)] = ++t->n;
	return t->n - 1;
}

void pf_pcp_check_table_done(struct pf_pcp_check_table *t)
{
	free(t->keys);
	free(t->places);
	*t = (struct pf_pcp_check_table){ 0 };
}

/* formats/feed/family.c - tables of families and of series. */
#include "formats/feed/family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
uint64_t pf_feed_hash(struct pf_view v, uint64_t seed)
{
	uint64_t h = seed;
	for (size_t i = 0; i < v.n; i++)
		h = (h ^ (unsigned char)v.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* The row of that name, whatever text it is of. */
static struct pf_family *find_row(const struct pf_families *f, struct pf_view name, uint64_t hash)
{
	for (unsigned at = (unsigned)hash; f->n_heads > 0; at++) {
		unsigned head = f->heads[at & (f->n_heads - 1)];
		if (head == 0)
			return NULL;
		struct pf_family *row = &f->rows[head - 1];
		if (row->hash == hash && pf_view_is(name, row->name))
			return row;
	}
	return NULL;
}

struct pf_family *pf_family_find(const struct pf_families *f, struct pf_view name, uint32_t text)
{
	struct pf_family *row = find_row(f, name, pf_feed_hash(name, PF_FEED_SEED));
	return row && row->text == text ? row : NULL;
}

static void drop(struct pf_family *row)
{
	free(row->name);
	free(row->help);
	free(row->unit);
}

static void put(struct pf_families *f, unsigned row)
{
	unsigned at = (unsigned)f->rows[row].hash;
	while (f->heads[at & (f->n_heads - 1)] != 0)
		at++;
	f->heads[at & (f->n_heads - 1)] = row + 1;
}

static int rebuild(struct pf_families *f, unsigned n_heads)
{
	unsigned *heads = calloc(n_heads, sizeof(*heads));
	if (!heads)
		return -ENOMEM;
	free(f->heads);
	f->heads = heads;
	f->n_heads = n_heads;
	for (unsigned i = 0; i < f->n; i++)
		put(f, i);
	return 0;
}

/* Names that no longer come make room for those that do. */
static int make_room(struct pf_families *f, uint32_t text)
{
	if (f->n == f->max) {
		unsigned kept = 0;
		for (unsigned i = 0; i < f->n; i++) {
			if (f->rows[i].text == text)
				f->rows[kept++] = f->rows[i];
			else
				drop(&f->rows[i]);
		}
		bool any = kept < f->n;
		f->n = kept;
		int rc = any ? rebuild(f, f->n_heads) : -E2BIG;
		if (rc < 0)
			return rc;
	}
	if (f->n == f->cap) {
		unsigned cap = f->cap ? 2 * f->cap : 64;
		struct pf_family *rows = reallocarray(f->rows, cap, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		f->rows = rows;
		f->cap = cap;
	}
	return 2 * (f->n + 1) > f->n_heads ? rebuild(f, f->n_heads ? 2 * f->n_heads : 128) : 0;
}

struct pf_family *pf_family_get(struct pf_families *f, struct pf_view name, uint32_t text)
{
	uint64_t hash = pf_feed_hash(name, PF_FEED_SEED);
	struct pf_family *row = find_row(f, name, hash);
	if (!row) {
		if (make_room(f, text) < 0)
			return NULL;
		row = &f->rows[f->n];
		*row = (struct pf_family){ .name = pf_view_dup(name), .hash = hash };
		if (!row->name)
			return NULL;
		put(f, f->n++);
	}
	if (row->text != text) {
		row->text = text;
		row->type = PF_OM_UNKNOWN;
		row->typed = row->helped = row->united = row->sampled = false;
	}
	return row;
}

void pf_families_done(struct pf_families *f)
{
	for (unsigned i = 0; i < f->n; i++)
		drop(&f->rows[i]);
	free(f->rows);
	free(f->heads);
	*f = (struct pf_families){ .max = f->max };
}

static bool put_seen(struct pf_seen_row *rows, unsigned cap, uint64_t hash, uint32_t text)
{
	unsigned at = (unsigned)(hash ^ hash >> 32);
	for (; rows[at & (cap - 1)].text == text; at++) {
		if (rows[at & (cap - 1)].hash == hash)
			return false;
	}
	rows[at & (cap - 1)] = (struct pf_seen_row){ hash, text };
	return true;
}

int pf_seen_add(struct pf_seen *s, uint64_t hash, uint32_t text)
{
	if (2 * (s->n + 1) > s->cap) {
		unsigned cap = s->cap ? 2 * s->cap : 1024;
		struct pf_seen_row *rows = calloc(cap, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		for (unsigned i = 0; i < s->cap; i++) {
			if (s->rows[i].text == text)
				(void)put_seen(rows, cap, s->rows[i].hash, text);
		}
		free(s->rows);
		s->rows = rows;
		s->cap = cap;
	}
	if (!put_seen(s->rows, s->cap, hash, text))
		return 0;
	s->n++;
	return 1;
}

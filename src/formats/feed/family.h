/* formats/feed/family.h - what a text has said about its metric families, and which series were there. Memory is kept from text to text. */
#ifndef PF_FORMATS_FEED_FAMILY_H
#define PF_FORMATS_FEED_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"
#include "formats/feed/openmetrics.h"

/* @text: number of the text that named it last; older ones are as if they were not there. */
struct pf_family {
	char *name;
	uint64_t hash;
	uint32_t text;
	enum pf_om_type type;
	bool typed;
	bool helped;
	bool united;
	bool sampled;
	char *help;
	char *unit;
};

struct pf_families {
	struct pf_family *rows;
	unsigned n;
	unsigned cap;
	unsigned max;
	unsigned *heads; /* row + 1 by hash, 0: none; @n_heads is a power of two */
	unsigned n_heads;
};

/* A set of 64-bit hashes that is emptied by counting @text up. */
struct pf_seen {
	struct pf_seen_row {
		uint64_t hash;
		uint32_t text;
	} * rows;
	unsigned n;
	unsigned cap; /* a power of two */
};

uint64_t pf_feed_hash(struct pf_view v, uint64_t seed);
#define PF_FEED_SEED UINT64_C(0xcbf29ce484222325)

/* pf_family_find() - the one that this text has named, or NULL. */
struct pf_family *pf_family_find(const struct pf_families *f, struct pf_view name, uint32_t text);

/* pf_family_get() - the same, made if need be. NULL: there are too many, or no memory. */
struct pf_family *pf_family_get(struct pf_families *f, struct pf_view name, uint32_t text);
void pf_families_done(struct pf_families *f);

/* pf_seen_add() - Return: 1 it is new, 0 it was there, -ENOMEM. */
int pf_seen_add(struct pf_seen *s, uint64_t hash, uint32_t text);

#endif

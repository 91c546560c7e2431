/* sources/lasting.c - discrete values by slot, and which slots exist. */
#include "sources/lasting.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pcp/meta.h"

/* Return: index of the domain, added if it is new, or -ENOMEM. */
static int domain_of(struct pf_lastings *h, unsigned number, struct pf_indom *catalog)
{
	for (unsigned d = 0; d < h->n_domains; d++) {
		if (h->domains[d].number == number && h->domains[d].catalog == catalog)
			return (int)d;
	}
	struct pf_lasting_domain *more = reallocarray(h->domains, h->n_domains + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	h->domains = more;
	more[h->n_domains] = (struct pf_lasting_domain){ .number = number, .catalog = catalog };
	return (int)h->n_domains++;
}

int pf_lastings_add(struct pf_lastings *h, const struct pf_lasting *hold, unsigned number, struct pf_indom *catalog)
{
	int domain = catalog ? domain_of(h, number, catalog) : 0;
	struct pf_lasting *more = reallocarray(h->holds, h->n + 1, sizeof(*more));
	if (more)
		h->holds = more;
	if (!more || domain < 0)
		return -ENOMEM;
	more[h->n] = *hold;
	more[h->n].domain = catalog ? (unsigned)domain : UINT_MAX;
	return (int)h->n++;
}

void pf_lastings_done(struct pf_lastings *h)
{
	for (unsigned i = 0; i < h->n; i++) {
		for (unsigned slot = 0; slot < h->holds[i].n; slot++)
			free(h->holds[i].values[slot].text);
		free(h->holds[i].values);
	}
	for (unsigned d = 0; d < h->n_domains; d++) {
		free(h->domains[d].slots);
		free(h->domains[d].serials);
	}
	free(h->holds);
	free(h->domains);
	*h = (struct pf_lastings){ 0 };
}

static int keep_text(struct pf_lasting_value *v, const char *text)
{
	size_t n = strlen(text) + 1;
	if (n > v->room) {
		char *more = realloc(v->text, n);
		if (!more)
			return -ENOMEM;
		v->text = more;
		v->room = n;
	}
	memcpy(v->text, text, n);
	return 0;
}

static int size_values(struct pf_lasting *hold, unsigned need)
{
	unsigned n = hold->n ? hold->n : 1;
	while (n < need)
		n *= 2;
	if (n == hold->n)
		return 0;
	struct pf_lasting_value *more = reallocarray(hold->values, n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + hold->n, 0, (n - hold->n) * sizeof(*more));
	hold->values = more;
	hold->n = n;
	return 0;
}

/* The instance that has the slot is that of @serial. */
static int note_slot(struct pf_lasting_domain *d, unsigned slot, uint64_t serial)
{
	if (slot >= d->n_serials) {
		unsigned n = 2 * (slot + 1);
		uint64_t *more = reallocarray(d->serials, n, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + d->n_serials, 0, (n - d->n_serials) * sizeof(*more));
		d->serials = more;
		d->n_serials = n;
	}
	if (d->serials[slot] == 0) {
		if (d->n == d->cap) {
			unsigned cap = d->cap ? 2 * d->cap : 16;
			unsigned *more = reallocarray(d->slots, cap, sizeof(*more));
			if (!more)
				return -ENOMEM;
			d->slots = more;
			d->cap = cap;
		}
		d->slots[d->n++] = slot;
	}
	d->serials[slot] = serial;
	return 0;
}

int pf_lasting_take(struct pf_lastings *h, unsigned number, unsigned slot, uint64_t serial, union pf_value v)
{
	struct pf_lasting *hold = &h->holds[number];
	int rc = size_values(hold, slot + 1);
	if (rc == 0 && hold->type == PF_STRING)
		rc = keep_text(&hold->values[slot], v.s);
	if (rc == 0 && hold->domain != UINT_MAX)
		rc = note_slot(&h->domains[hold->domain], slot, serial);
	if (rc < 0)
		return rc;
	hold->values[slot].v = v;
	hold->values[slot].serial = serial;
	hold->any = true;
	h->version++;
	return 0;
}

void pf_lasting_forget(struct pf_lastings *h, unsigned number)
{
	struct pf_lasting *hold = &h->holds[number];
	for (unsigned slot = 0; slot < hold->n; slot++)
		hold->values[slot].serial = 0;
	hold->any = false;
	h->version++;
}

void pf_lastings_forget(struct pf_lastings *h)
{
	for (unsigned i = 0; i < h->n; i++)
		pf_lasting_forget(h, i);
}

bool pf_lastings_any(const struct pf_lastings *h)
{
	for (unsigned i = 0; i < h->n; i++) {
		if (h->holds[i].any)
			return true;
	}
	return false;
}

/* An instance that has no slot had no value, so none holds. */
static int follow(struct pf_lasting_domain *d, const struct pf_pcp_domain *now)
{
	for (unsigned i = 0; i < d->n; i++)
		d->serials[d->slots[i]] = 0;
	d->n = 0;
	int rc = 0;
	for (unsigned i = 0; i < now->n && rc == 0; i++) {
		const struct pf_pcp_member *m = &now->members[i];
		int slot = pf_indom_find(d->catalog, pf_view_of(m->name), m->slot);
		rc = slot < 0 ? 0 : note_slot(d, (unsigned)slot, m->serial);
	}
	return rc;
}

static bool follows(const struct pf_lasting_domain *d, const struct pf_pcp_meta *meta)
{
	return d->followed == meta->next_place || d->number >= meta->n_domains;
}

bool pf_lastings_follows(const struct pf_lastings *h, const struct pf_pcp_meta *meta)
{
	bool all = true;
	for (unsigned i = 0; i < h->n_domains && all; i++)
		all = follows(&h->domains[i], meta);
	return all;
}

int pf_lastings_follow(struct pf_lastings *h, const struct pf_pcp_meta *meta)
{
	int rc = 0;
	for (unsigned i = 0; i < h->n_domains && rc == 0; i++) {
		struct pf_lasting_domain *d = &h->domains[i];
		if (follows(d, meta))
			continue;
		d->followed = meta->next_place;
		h->version++;
		rc = follow(d, &meta->domains[d->number]);
	}
	return rc;
}

static int put(struct pf_sample *sample, const struct pf_lasting *hold, struct pf_indom *dom, unsigned slot)
{
	if (pf_sample_has(sample, hold->index, slot))
		return 0;
	union pf_value v = hold->values[slot].v;
	if (hold->type == PF_STRING) {
		v.s = pf_arena_dup(&sample->arenas[hold->period], pf_view_of(hold->values[slot].text));
		if (!v.s)
			return -ENOMEM;
	}
	if (dom)
		pf_indom_stays(dom, slot, sample->seq);
	return pf_sample_set(sample, hold->index, slot, v);
}

int pf_lastings_put(const struct pf_lastings *h, struct pf_sample *sample)
{
	int rc = 0;
	for (unsigned i = 0; i < h->n && rc == 0; i++) {
		const struct pf_lasting *hold = &h->holds[i];
		if (!hold->any)
			continue;
		if (hold->domain == UINT_MAX) {
			rc = put(sample, hold, NULL, 0);
			continue;
		}
		const struct pf_lasting_domain *d = &h->domains[hold->domain];
		for (unsigned k = 0; k < d->n && rc == 0; k++) {
			unsigned slot = d->slots[k];
			if (slot < hold->n && hold->values[slot].serial == d->serials[slot])
				rc = put(sample, hold, d->catalog, slot);
		}
	}
	return rc;
}

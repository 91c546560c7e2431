/* sinks/told.c - values told, by metric and slot. A slot that another instance has now counts from when it got it (sinks/known.h). */
#include "sinks/told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/select.h"
#include "sinks/known.h"

bool pf_told_has(const struct pf_step *step, unsigned metric, unsigned slot)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	return pf_sample_has(step->cur, metric, slot) && (!dom || dom->instances[slot].seen == step->cur->seq) &&
	       pf_select_tells(step->catalog, metric, slot, step->cur);
}

static unsigned slots_of(const struct pf_step *step, unsigned metric)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	return dom ? dom->n : 1;
}

bool pf_told_any(const struct pf_step *step, unsigned metric)
{
	unsigned n = slots_of(step, metric);
	for (unsigned slot = 0; slot < n; slot++) {
		if (pf_told_has(step, metric, slot))
			return true;
	}
	return false;
}

/* What was told of the slot and still holds, NULL if nothing. */
static const struct pf_told_value *told_of(const struct pf_told *h, unsigned slot, const struct pf_known_domain *known)
{
	if (slot >= h->n || h->told[slot].seq == 0 || h->told[slot].seq < h->since)
		return NULL;
	return known && h->told[slot].seq < pf_known_since(known, slot) ? NULL : &h->told[slot];
}

static const char *text_of(union pf_value v)
{
	return v.s ? v.s : "";
}

static bool is_same(const struct pf_told_value *t, enum pf_type type, union pf_value v)
{
	return type == PF_STRING ? strcmp(t->text, text_of(v)) == 0 : t->bits == v.u;
}

bool pf_told_is_told(const struct pf_told *h, const struct pf_step *step, unsigned metric, unsigned slot,
		     const struct pf_known_domain *known)
{
	const struct pf_told_value *t = told_of(h, slot, known);
	return t && is_same(t, step->catalog->metrics[metric]->type, pf_sample_get(step->cur, metric, slot));
}

struct pf_told_look pf_told_look(const struct pf_told *h, const struct pf_step *step, unsigned metric,
				 const struct pf_known_domain *known)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	unsigned n = slots_of(step, metric);
	struct pf_told_look look = { .gone = known && h->any && known->moved == step->cur->seq };
	for (unsigned slot = 0; slot < n; slot++) {
		if (dom && dom->instances[slot].seen != step->cur->seq)
			continue;
		if (!pf_told_has(step, metric, slot)) {
			look.gone |= told_of(h, slot, known) != NULL;
			continue;
		}
		look.any = true;
		look.news = look.news || !pf_told_is_told(h, step, metric, slot, known);
	}
	return look;
}

static int grow(struct pf_told *h, unsigned need)
{
	unsigned n = h->n ? h->n : 1;
	while (n < need)
		n *= 2;
	if (n == h->n)
		return 0;
	struct pf_told_value *more = reallocarray(h->told, n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + h->n, 0, (n - h->n) * sizeof(*more));
	h->told = more;
	h->n = n;
	return 0;
}

static int keep_text(struct pf_told_value *t, const char *text)
{
	size_t n = strlen(text) + 1;
	if (n > t->room) {
		char *more = realloc(t->text, n);
		if (!more)
			return -ENOMEM;
		t->text = more;
		t->room = n;
	}
	memcpy(t->text, text, n);
	return 0;
}

int pf_told_tell(struct pf_told *h, const struct pf_step *step, unsigned metric, unsigned slot)
{
	union pf_value v = pf_sample_get(step->cur, metric, slot);
	int rc = grow(h, slot + 1);
	if (rc == 0 && step->catalog->metrics[metric]->type == PF_STRING)
		rc = keep_text(&h->told[slot], text_of(v));
	if (rc < 0)
		return rc;
	h->told[slot].bits = v.u;
	h->told[slot].seq = step->cur->seq;
	h->any = true;
	return 0;
}

void pf_told_forget(struct pf_told *h, uint64_t seq)
{
	h->since = seq;
	h->any = false;
}

void pf_told_done(struct pf_told *h)
{
	for (unsigned i = 0; i < h->n; i++)
		free(h->told[i].text);
	free(h->told);
	*h = (struct pf_told){ 0 };
}

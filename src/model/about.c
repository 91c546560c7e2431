/* model/about.c - listening to those who have notes. */
#include "model/about.h"

#include <errno.h>
#include <stdlib.h>

#include "model/catalog.h"

void pf_about_join(struct pf_catalog *cat, struct pf_about_teller *teller)
{
	struct pf_about_teller **at = &cat->tellers;
	while (*at)
		at = &(*at)->next;
	teller->next = NULL;
	teller->serial = ++cat->n_tellers;
	*at = teller;
}

void pf_about_leave(struct pf_catalog *cat, struct pf_about_teller *teller)
{
	struct pf_about_teller **at = &cat->tellers;
	while (*at && *at != teller)
		at = &(*at)->next;
	if (*at)
		*at = teller->next;
}

static struct pf_about_heard *heard_of(struct pf_about_ear *ear, uint64_t serial)
{
	for (unsigned i = 0; i < ear->n; i++) {
		if (ear->heard[i].serial == serial)
			return &ear->heard[i];
	}
	struct pf_about_heard *more = reallocarray(ear->heard, ear->n + 1, sizeof(*more));
	if (!more)
		return NULL;
	ear->heard = more;
	more[ear->n] = (struct pf_about_heard){ .serial = serial };
	return &more[ear->n++];
}

int pf_about_next(struct pf_about_ear *ear, const struct pf_catalog *cat, unsigned kinds, int64_t time_ns,
		  struct pf_about *ret_about)
{
	for (struct pf_about_teller *t = cat->tellers; t; t = t->next) {
		struct pf_about_heard *heard = heard_of(ear, t->serial);
		if (!heard)
			return -ENOMEM;
		while (heard->next < t->n) {
			int64_t from_ns;
			enum pf_about_kind kind = t->head(t, heard->next, &from_ns);
			if (from_ns > time_ns)
				break;
			size_t i = heard->next++;
			if (!(kinds & kind))
				continue;
			pf_arena_reset(&ear->room);
			int rc = t->get(t, i, &ear->room, ret_about);
			if (rc != 0)
				return rc;
		}
	}
	return 0;
}

void pf_about_ear_done(struct pf_about_ear *ear)
{
	free(ear->heard);
	pf_arena_done(&ear->room);
	*ear = (struct pf_about_ear){ 0 };
}

/* sources/pcpsteady.c - the shortest way from a record to a sample. */
#include "sources/pcpsteady.h"

#include <errno.h>
#include <stdlib.h>

void pf_pcp_steady_done(struct pf_pcp_steady *s)
{
	free(s->staying);
	free(s->slots);
	free(s->found[0].cells);
	free(s->found[1].cells);
	*s = (struct pf_pcp_steady){ 0 };
}

static bool is_same(const struct pf_pcp_steady *s, const struct pf_pcp_plan *plan, const struct pf_lastings *lastings)
{
	return s->name != 0 && s->plan == plan && s->planned == plan->made && s->version == lastings->version;
}

/* Room for one more of @n. */
static int size_slots(struct pf_pcp_steady *s)
{
	if (s->n_slots < s->cap_slots)
		return 0;
	unsigned cap = s->cap_slots ? 2 * s->cap_slots : 64;
	unsigned *slots = reallocarray(s->slots, cap, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	s->slots = slots;
	s->cap_slots = cap;
	return 0;
}

/* The instances of the domain that the sample @seq has. */
static int list_domain(struct pf_pcp_steady *s, struct pf_indom *dom, uint64_t seq)
{
	struct pf_pcp_staying *staying = &s->staying[s->n_staying];
	*staying = (struct pf_pcp_staying){ dom, dom->taken, s->n_slots, 0 };
	for (unsigned slot = 0; slot < dom->n; slot++) {
		if (dom->instances[slot].seen != seq)
			continue;
		if (size_slots(s) < 0)
			return -ENOMEM;
		s->slots[s->n_slots++] = slot;
		staying->n++;
	}
	s->n_staying += staying->n > 0;
	return 0;
}

static int list_all(struct pf_pcp_steady *s, const struct pf_catalog *cat, uint64_t seq)
{
	s->n_staying = s->n_slots = 0;
	if (cat->n_domains > s->cap_staying) {
		struct pf_pcp_staying *more = reallocarray(s->staying, cat->n_domains, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->staying = more;
		s->cap_staying = cat->n_domains;
	}
	for (unsigned d = 0; d < cat->n_domains; d++) {
		if (list_domain(s, cat->domains[d], seq) < 0)
			return -ENOMEM;
	}
	return 0;
}

void pf_pcp_steady_note(struct pf_pcp_steady *s, const struct pf_pcp_plan *plan, const struct pf_lastings *lastings,
			struct pf_frames *frames)
{
	const struct pf_sample *cur = &frames->two[frames->seq % 2];
	const struct pf_sample *prev = &frames->two[(frames->seq + 1) % 2];
	if (!is_same(s, plan, lastings)) {
		s->name = pf_frames_name(frames);
		s->plan = plan;
		s->planned = plan->made;
		s->version = lastings->version;
		s->ready = false;
	}
	pf_frames_made(frames, s->name);
	if (cur->made != s->name || prev->made != s->name || s->ready)
		return;
	s->found[0].moved = s->found[1].moved = UINT64_MAX;
	s->ready = list_all(s, frames->catalog, cur->seq) == 0; /* without memory it takes longer */
}

static bool is_found(struct pf_pcp_found *f, const struct pf_pcp_plan *plan, const struct pf_sample *sample)
{
	if (f->moved == sample->moved)
		return true;
	if (plan->n_values > f->cap) {
		union pf_value **more = reallocarray(f->cells, plan->n_values, sizeof(union pf_value *));
		if (!more)
			return false;
		f->cells = more;
		f->cap = plan->n_values;
	}
	pf_pcp_plan_find(plan, sample, f->cells);
	f->moved = sample->moved;
	return true;
}

static bool slots_hold(const struct pf_pcp_steady *s)
{
	for (unsigned i = 0; i < s->n_staying; i++) {
		if (s->staying[i].taken != s->staying[i].domain->taken)
			return false;
	}
	return true;
}

struct pf_sample *pf_pcp_steady_next(struct pf_pcp_steady *s, const struct pf_pcp_plan *plan,
				     const struct pf_lastings *lastings, struct pf_frames *frames, struct pf_view rec,
				     int64_t time_ns)
{
	unsigned table = (frames->seq + 1) % 2;
	if (!s->ready || !is_same(s, plan, lastings) || !slots_hold(s) || !pf_pcp_plan_fits(plan, rec) ||
	    frames->two[table].made != s->name || !is_found(&s->found[table], plan, &frames->two[table]))
		return NULL;
	struct pf_sample *sample = pf_frames_again(frames, s->name, time_ns, time_ns);
	if (!sample)
		return NULL;
	pf_pcp_plan_put(plan, rec, s->found[table].cells, sample);
	for (unsigned i = 0; i < s->n_staying; i++) {
		const struct pf_pcp_staying *staying = &s->staying[i];
		for (unsigned k = 0; k < staying->n; k++)
			pf_indom_stays(staying->domain, s->slots[staying->first + k], sample->seq);
	}
	return sample;
}

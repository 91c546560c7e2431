/* sources/pcpplan.c - values copied from known places to known places. */
#include "sources/pcpplan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pcp/be.h"
#include "formats/pcp/meta.h"

void pf_pcp_plan_done(struct pf_pcp_plan *p)
{
	for (unsigned i = 0; i < p->cap_present; i++)
		free(p->present[i].slots);
	free(p->offs);
	free(p->cells);
	free(p->stretches);
	free(p->conversions);
	free(p->tellings);
	free(p->failings);
	free(p->present);
	free(p->targets);
	*p = (struct pf_pcp_plan){ 0 };
}

void pf_pcp_plan_begin(struct pf_pcp_plan *p, uint64_t serial)
{
	p->serial = serial;
	p->made++;
	p->ready = p->hopeless = p->texts = p->doubts = p->second = false;
	p->n_values = p->n_stretches = p->n_conversions = p->n_tellings = p->n_failings = p->n_present = p->n_targets =
		0;
}

/* Room for one more behind @n items of a list; what is new is zero. NULL without memory: the list stays as it is. */
static void *more(void *list, unsigned n, unsigned *cap, size_t size)
{
	if (n < *cap)
		return list;
	unsigned room = *cap ? 2 * *cap : 16;
	char *grown = reallocarray(list, room, size);
	if (!grown)
		return NULL;
	memset(grown + *cap * size, 0, (room - *cap) * size);
	*cap = room;
	return grown;
}

static int add_target(struct pf_pcp_plan *p, struct pf_pcp_target *t)
{
	struct pf_pcp_target **targets =
		more(p->targets, p->n_targets, &p->cap_targets, sizeof(struct pf_pcp_target *));
	if (!targets)
		return -ENOMEM;
	p->targets = targets;
	targets[p->n_targets++] = t;
	return 0;
}

static int add_form(struct pf_pcp_plan *p, enum pf_pcp_form form)
{
	if (p->n_stretches > 0 && p->stretches[p->n_stretches - 1].form == form) {
		p->stretches[p->n_stretches - 1].n++;
		return 0;
	}
	struct pf_pcp_stretch *stretches = more(p->stretches, p->n_stretches, &p->cap_stretches, sizeof(*stretches));
	if (!stretches)
		return -ENOMEM;
	p->stretches = stretches;
	stretches[p->n_stretches++] = (struct pf_pcp_stretch){ form, 1 };
	return 0;
}

/* Bits that are the same in the record and in the cell, but for their width, need no conversion. */
static enum pf_pcp_form form_of(const struct pf_pcp_into *into)
{
	enum pf_type to = into->to;
	if (into->scale.by != 1 || into->scale.over != 1)
		return PF_PCP_CONVERTED;
	switch (into->from) {
	case PF_S32:
		return to == PF_S32 || to == PF_S64 ? PF_PCP_SIGNED32 : PF_PCP_CONVERTED;
	case PF_U32:
		return to == PF_U32 || to == PF_S64 || to == PF_U64 ? PF_PCP_BITS32 : PF_PCP_CONVERTED;
	case PF_FLOAT:
		return to == PF_FLOAT || to == PF_DOUBLE ? PF_PCP_FLOAT32 : PF_PCP_CONVERTED;
	case PF_S64:
	case PF_U64:
	case PF_DOUBLE:
		return into->from == (int32_t)to ? PF_PCP_BITS64 : PF_PCP_CONVERTED;
	default:
		return PF_PCP_CONVERTED;
	}
}

/* Is there a value of the row for whatever is recorded? */
static bool always_can(const struct pf_pcp_into *into)
{
	return form_of(into) != PF_PCP_CONVERTED || into->to == PF_STRING || into->to == PF_DOUBLE ||
	       (into->to == PF_FLOAT && into->from <= PF_U64);
}

static int add_conversion(struct pf_pcp_plan *p, const struct pf_pcp_value *v, const struct pf_pcp_into *into,
			  uint8_t period)
{
	struct pf_pcp_conversion *all = more(p->conversions, p->n_conversions, &p->cap_conversions, sizeof(*all));
	if (!all)
		return -ENOMEM;
	p->conversions = all;
	all[p->n_conversions++] = (struct pf_pcp_conversion){ v->bytes.n, v->type, period, *into };
	p->texts |= !pf_type_is_number(into->to);
	p->doubts |= !always_can(into);
	return 0;
}

static uint64_t changes_of(const struct pf_pcp_meta *meta, unsigned number)
{
	return number < meta->n_domains ? meta->domains[number].changes : 0;
}

/* The present instances of the domain, which is that of number @number in the archive. */
static struct pf_pcp_present *present_of(struct pf_pcp_plan *p, struct pf_indom *domain, unsigned number)
{
	for (unsigned i = 0; i < p->n_present; i++) {
		if (p->present[i].domain == domain && p->present[i].number == number)
			return &p->present[i];
	}
	struct pf_pcp_present *all = more(p->present, p->n_present, &p->cap_present, sizeof(*all));
	if (!all)
		return NULL;
	p->present = all;
	struct pf_pcp_present *present = &all[p->n_present++];
	present->domain = domain;
	present->number = number;
	present->n = 0;
	return present;
}

/* Sets of a domain mostly have the same instances in the same order: @hint, in/out, is where the last one stood. */
static int add_present(struct pf_pcp_present *present, unsigned slot, unsigned *hint)
{
	if (*hint < present->n && present->slots[*hint] == slot) {
		++*hint;
		return 0;
	}
	for (unsigned i = 0; i < present->n; i++) {
		if (present->slots[i] == slot) {
			*hint = i + 1;
			return 0;
		}
	}
	unsigned *slots = more(present->slots, present->n, &present->cap, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	present->slots = slots;
	slots[present->n++] = slot;
	*hint = present->n;
	return 0;
}

static int add_value(struct pf_pcp_plan *p, const struct pf_pcp_value *v, const struct pf_pcp_into *into, size_t off,
		     struct pf_pcp_cell cell, uint8_t period)
{
	uint32_t *offs = more(p->offs, p->n_values, &p->cap_offs, sizeof(*offs));
	if (offs)
		p->offs = offs;
	struct pf_pcp_cell *cells = more(p->cells, p->n_values, &p->cap_cells, sizeof(*cells));
	if (cells)
		p->cells = cells;
	enum pf_pcp_form form = form_of(into);
	if (!offs || !cells || add_form(p, form) < 0 ||
	    (form == PF_PCP_CONVERTED && add_conversion(p, v, into, period) < 0))
		return -ENOMEM;
	offs[p->n_values] = (uint32_t)off;
	cells[p->n_values++] = cell;
	return 0;
}

static int add_telling(struct pf_pcp_plan *p, const struct pf_pcp_target *t, unsigned slot, uint64_t serial)
{
	struct pf_pcp_telling *all = more(p->tellings, p->n_tellings, &p->cap_tellings, sizeof(*all));
	if (!all)
		return -ENOMEM;
	p->tellings = all;
	all[p->n_tellings++] = (struct pf_pcp_telling){ t, slot, serial };
	return 0;
}

int pf_pcp_plan_set(struct pf_pcp_plan *p, const struct pf_pcp_set *set, const struct pf_pcp_metric *m,
		    const struct pf_pcp_meta *meta, struct pf_pcp_target *t, struct pf_sample *sample, bool tells)
{
	const struct pf_pcp_into into = { .from = m->type, .to = t->type, .scale = t->scale, .counter = t->counter };
	struct pf_pcp_domain *dom = m->domain < meta->n_domains ? &meta->domains[m->domain] : NULL;
	unsigned hint = 0;
	unsigned known = 0;
	if (t->type > PF_STRING)
		return 0;
	struct pf_pcp_present *present = t->domain ? present_of(p, t->domain, m->domain) : NULL;
	if ((t->domain && !present) || add_target(p, t) < 0)
		return -ENOMEM;
	if (present)
		present->changes = changes_of(meta, m->domain);
	p->second |= t->period == PF_SECOND_INTERVAL;
	for (int32_t i = 0; i < set->n; i++) {
		struct pf_pcp_value v;
		union pf_value value;
		if (pf_pcp_set_get(set, (uint32_t)i, &v, NULL) < 0)
			return 0; /* was checked; cannot be */
		if (!pf_pcp_value_fits(&v, m->type))
			continue; /* which is of the shape */
		int rc = pf_pcp_value_into(&v, &into, &sample->arenas[t->period], &value);
		if (rc <= 0)
			return rc;
		uint64_t serial = 1;
		int slot = t->domain ? pf_pcp_place_slot(t, dom, v.inst, &hint, sample->seq, &serial) : 0;
		if (slot < 0)
			return slot;
		struct pf_pcp_cell cell = { (unsigned)t->index, (unsigned)slot };
		rc = add_value(p, &v, &into, (size_t)(v.bytes.p - set->rec.p), cell, t->period);
		if (rc == 0 && t->domain)
			rc = add_present(present, cell.slot, &known);
		if (rc == 0 && tells)
			rc = add_telling(p, t, cell.slot, serial);
		if (rc < 0)
			return rc;
		if (!t->domain)
			break;
	}
	if (present)
		present->taken = t->domain->taken;
	return 1;
}

int pf_pcp_plan_fail(struct pf_pcp_plan *p, struct pf_pcp_target *t, int32_t code)
{
	struct pf_pcp_failing *all = more(p->failings, p->n_failings, &p->cap_failings, sizeof(*all));
	if (!all)
		return -ENOMEM;
	p->failings = all;
	all[p->n_failings++] = (struct pf_pcp_failing){ t, code };
	return 1;
}

bool pf_pcp_plan_holds(const struct pf_pcp_plan *p, const struct pf_pcp_meta *meta)
{
	if (!p->ready)
		return false;
	for (unsigned i = 0; i < p->n_present; i++) {
		const struct pf_pcp_present *present = &p->present[i];
		if (present->taken != present->domain->taken || present->changes != changes_of(meta, present->number))
			return false;
	}
	return true;
}

static uint64_t bits64(const char *p)
{
	uint64_t bits;
	memcpy(&bits, p, sizeof(bits));
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(bits) : bits;
}

static union pf_value float32(const char *p)
{
	float f;
	uint32_t bits = pf_be_word(p);
	memcpy(&f, &bits, sizeof(f));
	return (union pf_value){ .d = (double)f };
}

static union pf_value simple(enum pf_pcp_form form, const char *p)
{
	switch (form) {
	case PF_PCP_SIGNED32:
		return (union pf_value){ .i = (int32_t)pf_be_word(p) };
	case PF_PCP_BITS32:
		return (union pf_value){ .u = pf_be_word(p) };
	case PF_PCP_FLOAT32:
		return float32(p);
	default:
		return (union pf_value){ .u = bits64(p) };
	}
}

/* Return: 1; 0 there is none; -ENOMEM. */
static int convert(const struct pf_pcp_conversion *c, const char *p, struct pf_sample *sample, union pf_value *ret_v)
{
	const struct pf_pcp_value v = { .type = c->type, .bytes = { p, c->n } };
	return pf_pcp_value_into(&v, &c->into, sample ? &sample->arenas[c->period] : NULL, ret_v);
}

bool pf_pcp_plan_fits(const struct pf_pcp_plan *p, struct pf_view rec)
{
	const struct pf_pcp_conversion *c = p->conversions;
	const uint32_t *off = p->offs;
	for (unsigned i = 0; i < p->n_stretches && p->doubts; i++) {
		bool converts = p->stretches[i].form == PF_PCP_CONVERTED;
		for (unsigned k = 0; k < p->stretches[i].n && converts; k++, c++) {
			union pf_value v;
			if (!always_can(&c->into) && convert(c, rec.p + off[k], NULL, &v) != 1)
				return false;
		}
		off += p->stretches[i].n;
	}
	return true;
}

static void stay(const struct pf_pcp_plan *p, uint64_t seq)
{
	for (unsigned i = 0; i < p->n_present; i++) {
		const struct pf_pcp_present *present = &p->present[i];
		for (unsigned k = 0; k < present->n; k++)
			pf_indom_stays(present->domain, present->slots[k], seq);
	}
}

static int fail(const struct pf_pcp_plan *p, struct pf_sample *sample)
{
	int rc = 0;
	for (unsigned i = 0; i < p->n_failings && rc == 0; i++)
		rc = pf_sample_fail(sample, (unsigned)p->failings[i].to->index, p->failings[i].code);
	return rc;
}

int pf_pcp_plan_take(const struct pf_pcp_plan *p, struct pf_view rec, struct pf_sample *sample)
{
	const struct pf_pcp_conversion *c = p->conversions;
	const uint32_t *off = p->offs;
	const struct pf_pcp_cell *cell = p->cells;
	for (unsigned i = 0; i < p->n_stretches; i++) {
		const struct pf_pcp_stretch *s = &p->stretches[i];
		for (unsigned k = 0; k < s->n; k++, off++, cell++) {
			union pf_value v;
			int rc = 1;
			if (s->form == PF_PCP_CONVERTED)
				rc = convert(c++, rec.p + *off, sample, &v);
			else
				v = simple(s->form, rec.p + *off);
			if (rc == 1)
				rc = pf_sample_set(sample, cell->metric, cell->slot, v);
			if (rc < 0)
				return rc;
		}
	}
	sample->second |= p->second;
	stay(p, sample->seq);
	return fail(p, sample);
}

void pf_pcp_plan_find(const struct pf_pcp_plan *p, const struct pf_sample *sample, union pf_value **ret_cells)
{
	for (unsigned i = 0; i < p->n_values; i++)
		ret_cells[i] = &sample->cells[p->cells[i].metric].values[p->cells[i].slot];
}

void pf_pcp_plan_put(const struct pf_pcp_plan *p, struct pf_view rec, union pf_value *const *cells,
		     struct pf_sample *sample)
{
	const struct pf_pcp_conversion *c = p->conversions;
	const uint32_t *off = p->offs;
	for (unsigned i = 0; i < p->n_stretches; i++) {
		unsigned n = p->stretches[i].n;
		switch (p->stretches[i].form) {
		case PF_PCP_BITS64:
			for (unsigned k = 0; k < n; k++)
				cells[k]->u = bits64(rec.p + off[k]);
			break;
		case PF_PCP_BITS32:
			for (unsigned k = 0; k < n; k++)
				cells[k]->u = pf_be_word(rec.p + off[k]);
			break;
		case PF_PCP_SIGNED32:
			for (unsigned k = 0; k < n; k++)
				cells[k]->i = (int32_t)pf_be_word(rec.p + off[k]);
			break;
		case PF_PCP_FLOAT32:
			for (unsigned k = 0; k < n; k++)
				*cells[k] = float32(rec.p + off[k]);
			break;
		case PF_PCP_CONVERTED:
			for (unsigned k = 0; k < n; k++)
				(void)convert(c++, rec.p + off[k], NULL, cells[k]); /* was asked before */
			break;
		}
		off += n;
		cells += n;
	}
	(void)fail(p, sample); /* these have cells, too */
}

int pf_pcp_plan_stamp(const struct pf_pcp_plan *p, struct pf_sample *sample)
{
	for (unsigned i = 0; i < p->n_values; i++) {
		const struct pf_pcp_cell *c = &p->cells[i];
		int rc = pf_sample_set(sample, c->metric, c->slot, pf_sample_get(sample, c->metric, c->slot));
		if (rc < 0)
			return rc;
	}
	return fail(p, sample);
}

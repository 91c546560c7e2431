/* sources/pcpabout.c - notes of a PCP archive. The reader knows where their records stand; what is told is read then. */
#include "sources/pcpabout.h"

#include <errno.h>
#include <limits.h>

#include "formats/pcp/labels.h"
#include "model/select.h"

enum { DOMAIN_SHIFT = 22, CLUSTER_SHIFT = 10 };

static enum pf_about_kind kind_of(const struct pf_pcp_place *place)
{
	switch ((enum pf_pcp_kind)place->kind) {
	case PF_PCP_DESC:
		return PF_ABOUT_METRIC;
	case PF_PCP_TEXT:
		return PF_ABOUT_TEXT;
	case PF_PCP_LABELS2:
	case PF_PCP_LABELS3:
		return PF_ABOUT_LABELS;
	case PF_PCP_INDOM2:
	case PF_PCP_INDOM3:
	case PF_PCP_DELTA3:
		break;
	}
	return PF_ABOUT_DOMAIN;
}

/* What holds always is told from the archive's beginning on, so that of several archives each tells when its time comes. */
static int64_t time_of(const struct pf_pcp_about *a, const struct pf_pcp_place *place)
{
	int64_t start_ns = pf_pcp_reader_label(a->reader)->start_ns;
	return place->time_ns > start_ns ? place->time_ns : start_ns;
}

static enum pf_about_kind head(const struct pf_about_teller *t, size_t i, int64_t *ret_time_ns)
{
	const struct pf_pcp_about *a = (const struct pf_pcp_about *)t;
	const struct pf_pcp_place *place = &pf_pcp_reader_meta(a->reader)->places[i];
	*ret_time_ns = time_of(a, place);
	return kind_of(place);
}

/* Return: index in the catalog, -1 it is not wanted. */
static int wanted(const struct pf_pcp_about *a, unsigned metric)
{
	int index = a->index_of(a->arg, metric);
	return index < 0 || a->catalog->hidden[index] ? -1 : index;
}

static int metric_of(const struct pf_pcp_about *a, uint32_t pmid)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(a->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(meta, pmid);
	return m ? wanted(a, (unsigned)(m - meta->metrics)) : -1;
}

/* Does a metric that is wanted belong there? */
static bool any_metric(const struct pf_pcp_about *a, uint32_t ident, enum pf_owner owner)
{
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(a->reader);
	for (unsigned i = 0; i < meta->n_metrics; i++) {
		const struct pf_pcp_metric *m = &meta->metrics[i];
		bool belongs = owner == PF_OF_DOMAIN	? m->pmid >> DOMAIN_SHIFT == ident
			       : owner == PF_OF_CLUSTER ? m->pmid >> CLUSTER_SHIFT == ident >> CLUSTER_SHIFT
							: m->indom == ident;
		if (belongs && wanted(a, i) >= 0)
			return true;
	}
	return false;
}

static int get_metric(struct pf_pcp_about *a, struct pf_view rec, struct pf_arena *room, struct pf_about *ret)
{
	struct pf_pcp_desc d;
	struct pf_metric *row = pf_arena_alloc(room, sizeof(*row));
	ret->metric = metric_of(a, ret->ident);
	if (ret->metric < 0 || pf_pcp_desc_decode(rec, &d, NULL) < 0)
		return 0;
	struct pf_view *names = pf_arena_alloc(room, d.n_names * sizeof(*names));
	if (!row || !names)
		return -ENOMEM;
	*row = (struct pf_metric){ .name = a->catalog->metrics[ret->metric]->name,
				   .pmid = d.pmid,
				   .indom = d.indom,
				   .type = (enum pf_type)d.type,
				   .sem = (enum pf_semantics)d.sem,
				   .units = d.units };
	while (pf_pcp_name_next(&d.names, &names[ret->n_names]))
		ret->n_names++;
	ret->row = row;
	ret->names = names;
	return 1;
}

static int get_text(struct pf_pcp_about *a, struct pf_view rec, struct pf_about *ret)
{
	struct pf_pcp_text t;
	if (pf_pcp_text_decode(rec, &t, NULL) < 0)
		return 0;
	bool of_metric = t.type & PF_PCP_TEXT_OF_METRIC;
	ret->metric = of_metric ? metric_of(a, t.ident) : -1;
	ret->which = t.type & PF_PCP_TEXT_LINE ? PF_ABOUT_LINE : PF_ABOUT_HELP;
	ret->text = t.text;
	return of_metric ? ret->metric >= 0 : any_metric(a, t.ident, PF_OF_INDOM);
}

static int get_domain(struct pf_pcp_about *a, struct pf_view rec, struct pf_arena *room, struct pf_about *ret)
{
	struct pf_pcp_indom in;
	if (pf_pcp_indom_decode(rec, &in, NULL) < 0 || !any_metric(a, in.indom, PF_OF_INDOM))
		return 0;
	struct pf_about_instance *list = pf_arena_alloc(room, in.n * sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < in.n; i++) {
		struct pf_pcp_instance inst = pf_pcp_indom_get(&in, i);
		char *name = inst.removed ? NULL : pf_arena_dup(room, inst.name);
		if (!name && !inst.removed)
			return -ENOMEM;
		if (!name || pf_select_names(a->catalog, name))
			list[ret->n++] = (struct pf_about_instance){ inst.id, name };
	}
	ret->changes = in.delta;
	ret->instances = list;
	return 1;
}

/* Names of the instances whose labels those are, as far as they are known now. */
static int name_sets(struct pf_pcp_about *a, struct pf_arena *room, struct pf_about *ret)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(a->reader);
	struct pf_about_instance *list = pf_arena_alloc(room, ret->n * sizeof(*list));
	unsigned domain = 0;
	unsigned hint = 0;
	if (!list)
		return -ENOMEM;
	while (domain < meta->n_domains && meta->domains[domain].indom != ret->ident)
		domain++;
	for (uint32_t i = 0; i < ret->n; i++) {
		const struct pf_pcp_member *m = pf_pcp_meta_member(meta, domain, ret->sets[i].inst, &hint);
		list[i] = (struct pf_about_instance){ ret->sets[i].inst, m ? m->name : NULL };
	}
	ret->instances = list;
	return 1;
}

static int get_labels(struct pf_pcp_about *a, struct pf_view rec, struct pf_arena *room, struct pf_about *ret)
{
	struct pf_pcp_labels l;
	if (pf_pcp_labels_decode(rec, &l, NULL) < 0)
		return 0;
	ret->owner = (enum pf_owner)l.owner;
	ret->n = l.n;
	if (l.owner == PF_OF_ITEM)
		ret->metric = metric_of(a, l.ident);
	bool told = l.owner == PF_OF_ITEM ? ret->metric >= 0
					  : l.owner == PF_OF_CONTEXT || any_metric(a, l.ident, (enum pf_owner)l.owner);
	if (!told)
		return 0;
	int rc = pf_pcp_labels_unpack(&l, room, &ret->sets);
	if (rc < 0)
		return rc;
	return l.owner == PF_OF_INSTANCES ? name_sets(a, room, ret) : 1;
}

static int get(struct pf_about_teller *t, size_t i, struct pf_arena *room, struct pf_about *ret)
{
	struct pf_pcp_about *a = (struct pf_pcp_about *)t;
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(a->reader);
	const struct pf_pcp_place *place = &meta->places[i];
	struct pf_view rec;
	struct pf_view copy;
	int rc = pf_pcp_meta_read(meta, place, &rec, NULL);
	if (rc != 1)
		return rc == -ENOMEM ? rc : 0;
	copy = (struct pf_view){ pf_arena_dup(room, rec), rec.n };
	if (!copy.p)
		return -ENOMEM;
	*ret = (struct pf_about){
		.kind = kind_of(place), .time_ns = time_of(a, place), .metric = -1, .ident = place->ident
	};
	switch (ret->kind) {
	case PF_ABOUT_METRIC:
		return get_metric(a, copy, room, ret);
	case PF_ABOUT_TEXT:
		return get_text(a, copy, ret);
	case PF_ABOUT_DOMAIN:
		return get_domain(a, copy, room, ret);
	case PF_ABOUT_LABELS:
		return get_labels(a, copy, room, ret);
	}
	return 0;
}

void pf_pcp_about_join(struct pf_pcp_about *a)
{
	a->base.n = pf_pcp_reader_meta(a->reader)->n_places;
	a->base.head = head;
	a->base.get = get;
	pf_about_join(a->catalog, &a->base);
}

void pf_pcp_about_leave(struct pf_pcp_about *a)
{
	if (a->catalog)
		pf_about_leave(a->catalog, &a->base);
}

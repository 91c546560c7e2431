/* sinks/emit_about.c - what a recording tells beside values, as elements between samples: docs/samples.md. */
#include <errno.h>
#include <inttypes.h>

#include "formats/pcp/error.h"
#include "formats/pcp/labels.h"
#include "sinks/emit.h"

/* How PCP writes numbers of metrics and of what they belong to, from the whole recording down. */
static const char *add_number(struct pf_buf *b, enum pf_owner owner, uint32_t ident)
{
	b->n = 0;
	switch (owner) {
	case PF_OF_CONTEXT:
		break;
	case PF_OF_DOMAIN:
		pf_buf_fmt(b, "%" PRIu32, ident);
		break;
	case PF_OF_INDOM:
	case PF_OF_INSTANCES:
		pf_buf_fmt(b, "%" PRIu32 ".%" PRIu32, ident >> 22, ident & 0x3fffff);
		break;
	case PF_OF_CLUSTER:
		pf_buf_fmt(b, "%" PRIu32 ".%" PRIu32, ident >> 22, ident >> 10 & 4095);
		break;
	case PF_OF_ITEM:
		pf_buf_fmt(b, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, ident >> 22, ident >> 10 & 4095, ident & 1023);
		break;
	}
	return b->p ? b->p : "";
}

static void put_number(struct pf_doc *doc, const char *member, enum pf_owner owner, uint32_t ident)
{
	pf_doc_name(doc, member, add_number(pf_doc_scratch(doc), owner, ident));
}

static void put_metric(struct pf_doc *doc, const struct pf_about *a)
{
	char units[64];
	const struct pf_metric *m = a->row;
	pf_doc_object_begin(doc, NULL);
	pf_doc_name(doc, "name", m->name);
	pf_doc_name(doc, "semantics", pf_semantics_name(m->sem));
	pf_doc_name(doc, "units", pf_units_name(&m->units, units, sizeof(units)));
	pf_doc_name(doc, "type", pf_type_name(m->type));
	put_number(doc, "pmid", PF_OF_ITEM, m->pmid);
	if (m->indom != PF_INDOM_NONE)
		put_number(doc, "indom", PF_OF_INDOM, m->indom);
	if (a->n_names > 1) {
		pf_doc_list_begin(doc, "aliases");
		for (uint32_t i = 0; i < a->n_names; i++) {
			if (pf_view_is(a->names[i], m->name))
				continue;
			pf_doc_object_begin(doc, NULL);
			pf_doc_text(doc, "name", a->names[i]);
			pf_doc_object_end(doc);
		}
		pf_doc_list_end(doc);
	}
	pf_doc_object_end(doc);
}

static void put_instance(struct pf_doc *doc, const struct pf_about_instance *inst)
{
	pf_doc_int(doc, "id", inst->id);
	if (inst->name)
		pf_doc_text(doc, "instance", pf_view_of(inst->name));
}

static void put_instances(struct pf_doc *doc, const char *list, const struct pf_about *a, bool gone)
{
	pf_doc_list_begin(doc, list);
	for (uint32_t i = 0; i < a->n; i++) {
		if (gone != !a->instances[i].name)
			continue;
		pf_doc_object_begin(doc, NULL);
		put_instance(doc, &a->instances[i]);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static void put_domain(struct pf_doc *doc, const struct pf_about *a)
{
	pf_doc_object_begin(doc, "domain");
	put_number(doc, "indom", PF_OF_INDOM, a->ident);
	put_instances(doc, a->changes ? "added" : "instances", a, false);
	if (a->changes)
		put_instances(doc, "removed", a, true);
	pf_doc_object_end(doc);
}

/* A number and a truth as what they are, anything else as text. */
static void put_label_value(struct pf_doc *doc, struct pf_view v)
{
	uint64_t u;
	int64_t i;
	double d;
	if (pf_view_is(v, "true") || pf_view_is(v, "false")) {
		pf_doc_bool(doc, "value", v.n == 4);
	} else if (pf_view_u64(v, &u) == 0) {
		pf_doc_uint(doc, "value", u);
	} else if (pf_view_i64(v, &i) == 0) {
		pf_doc_int(doc, "value", i);
	} else if (v.n > 0 && v.p[0] != '"' && pf_view_double(v, &d) == 0) {
		pf_doc_real(doc, "value", d);
	} else {
		struct pf_buf *text = pf_doc_scratch(doc);
		pf_pcp_label_text(text, v);
		pf_doc_text(doc, "value", pf_buf_text(text));
	}
}

static void put_set(struct pf_doc *doc, const struct pf_label_set *set)
{
	if (set->error < 0) {
		pf_doc_int(doc, "error", set->error);
		pf_doc_name(doc, "msg", pf_pcp_error_text(set->error));
		return;
	}
	pf_doc_list_begin(doc, "labels");
	for (uint32_t i = 0; i < set->n; i++) {
		pf_doc_object_begin(doc, NULL);
		pf_doc_text(doc, "name", set->labels[i].name);
		put_label_value(doc, set->labels[i].value);
		if (set->labels[i].flags & PF_LABEL_OPTIONAL)
			pf_doc_bool(doc, "optional", true);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static const char *name_of(enum pf_owner owner)
{
	switch (owner) {
	case PF_OF_CONTEXT:
		return "context";
	case PF_OF_DOMAIN:
		return "domain";
	case PF_OF_INDOM:
		return "indom";
	case PF_OF_CLUSTER:
		return "cluster";
	case PF_OF_ITEM:
		return "item";
	case PF_OF_INSTANCES:
		return "instances";
	}
	return "unknown";
}

static void put_labels(struct pf_doc *doc, const struct pf_catalog *cat, const struct pf_about *a)
{
	pf_doc_object_begin(doc, "labels");
	pf_doc_name(doc, "of", name_of(a->owner));
	if (a->owner != PF_OF_CONTEXT)
		put_number(doc, "id", a->owner, a->ident);
	if (a->metric >= 0)
		pf_doc_name(doc, "name", cat->metrics[a->metric]->name);
	if (a->owner == PF_OF_INSTANCES) {
		pf_doc_list_begin(doc, "instances");
		for (uint32_t i = 0; i < a->n; i++) {
			pf_doc_object_begin(doc, NULL);
			put_instance(doc, &a->instances[i]);
			put_set(doc, &a->sets[i]);
			pf_doc_object_end(doc);
		}
		pf_doc_list_end(doc);
	} else if (a->n > 0) {
		put_set(doc, &a->sets[0]);
	}
	pf_doc_object_end(doc);
}

static void put_text(struct pf_doc *doc, const struct pf_catalog *cat, const struct pf_about *a)
{
	pf_doc_object_begin(doc, "text");
	pf_doc_name(doc, "of", a->metric >= 0 ? "item" : "indom");
	put_number(doc, "id", a->metric >= 0 ? PF_OF_ITEM : PF_OF_INDOM, a->ident);
	if (a->metric >= 0)
		pf_doc_name(doc, "name", cat->metrics[a->metric]->name);
	pf_doc_text(doc, a->which == PF_ABOUT_LINE ? "line" : "help", a->text);
	pf_doc_object_end(doc);
}

static void begin(struct pf_doc *doc, int64_t time_ns)
{
	pf_doc_piece_begin(doc);
	pf_doc_int(doc, "timestamp", time_ns);
}

static int put_other(struct pf_emit *e, const struct pf_catalog *cat, const struct pf_about *a)
{
	begin(e->doc, a->time_ns);
	if (a->kind == PF_ABOUT_DOMAIN)
		put_domain(e->doc, a);
	else if (a->kind == PF_ABOUT_LABELS)
		put_labels(e->doc, cat, a);
	else
		put_text(e->doc, cat, a);
	return pf_doc_piece_end(e->doc);
}

/* Descriptors that follow one another are one element. */
int pf_emit_about(struct pf_emit *e, const struct pf_catalog *cat, int64_t time_ns)
{
	struct pf_about a;
	bool listing = false;
	int rc = 0;
	while (rc == 0) {
		int more = pf_about_next(&e->ear, cat, e->about, time_ns, &a);
		bool metric = more == 1 && a.kind == PF_ABOUT_METRIC;
		if (listing && !metric) {
			pf_doc_list_end(e->doc);
			rc = pf_doc_piece_end(e->doc);
		}
		if (more <= 0 || rc < 0)
			return rc < 0 ? rc : more;
		if (metric && !listing) {
			begin(e->doc, a.time_ns);
			pf_doc_list_begin(e->doc, "described");
		}
		listing = metric;
		if (metric)
			put_metric(e->doc, &a);
		else
			rc = put_other(e, cat, &a);
	}
	return rc;
}

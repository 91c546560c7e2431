/* sinks/emit_records.c - event records of an archive as a member of an object: docs/samples.md. */
#include <inttypes.h>
#include <math.h>

#include "sinks/emit.h"

/* Names of the flags of an event record, as pmEventFlagsStr(3) has them. */
static const struct {
	uint32_t bit;
	const char *name;
} flags[] = {
	{ PF_EVENT_POINT, "point" }, { PF_EVENT_START, "start" },   { PF_EVENT_END, "end" },
	{ PF_EVENT_ID, "id" },	     { PF_EVENT_PARENT, "parent" }, { PF_EVENT_MISSED, "missed" },
};

static void add_flags(struct pf_buf *b, uint32_t bits)
{
	size_t start = b->n;
	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!(bits & flags[i].bit))
			continue;
		pf_buf_str(b, b->n > start ? "," : "");
		pf_buf_str(b, flags[i].name);
		bits &= ~flags[i].bit;
	}
	if (bits != 0)
		pf_buf_fmt(b, "%s0x%" PRIx32, b->n > start ? "," : "", bits);
}

static void add_param_name(struct pf_buf *b, const struct pf_catalog *cat, const struct pf_event_param *p)
{
	if (p->metric >= 0)
		pf_buf_str(b, cat->metrics[p->metric]->name);
	else
		pf_buf_fmt(b, "%u.%u.%u", p->pmid >> 22, p->pmid >> 10 & 4095, p->pmid & 1023);
}

static void put_params(struct pf_emit *e, const struct pf_catalog *cat, const struct pf_event_record *r)
{
	pf_doc_list_begin(e->doc, "parameters");
	for (uint32_t i = 0; i < r->n; i++) {
		const struct pf_event_param *p = &r->params[i];
		struct pf_buf *name = pf_doc_scratch(e->doc);
		add_param_name(name, cat, p);
		pf_doc_object_begin(e->doc, NULL);
		pf_doc_text(e->doc, "name", pf_buf_text(name));
		if ((p->type != PF_FLOAT && p->type != PF_DOUBLE) || isfinite(p->value.d))
			pf_emit_value(e, cat, p->type, p->value);
		pf_doc_object_end(e->doc);
	}
	pf_doc_list_end(e->doc);
}

static void put_events(struct pf_emit *e, const struct pf_catalog *cat, const struct pf_event_records *all)
{
	pf_doc_list_begin(e->doc, "events");
	for (uint32_t i = 0; i < all->n; i++) {
		const struct pf_event_record *r = &all->records[i];
		struct pf_buf *words = pf_doc_scratch(e->doc);
		add_flags(words, r->flags);
		pf_doc_object_begin(e->doc, NULL);
		pf_doc_int(e->doc, "timestamp", r->time_ns);
		pf_doc_text(e->doc, "flags", pf_buf_text(words));
		if (r->flags & PF_EVENT_MISSED)
			pf_doc_uint(e->doc, "missed", r->missed);
		if (r->n > 0)
			put_params(e, cat, r);
		pf_doc_object_end(e->doc);
	}
	pf_doc_list_end(e->doc);
}

static void add_param_value(struct pf_buf *b, const struct pf_event_param *p)
{
	switch (p->type) {
	case PF_S32:
	case PF_S64:
		pf_buf_i64(b, p->value.i);
		break;
	case PF_U32:
	case PF_U64:
		pf_buf_u64(b, p->value.u);
		break;
	case PF_FLOAT:
	case PF_DOUBLE:
		pf_buf_fmt(b, "%.*g", p->type == PF_FLOAT ? 9 : 17, p->value.d);
		break;
	case PF_STRING:
		pf_buf_fmt(b, "\"%s\"", p->value.s);
		break;
	case PF_AGGREGATE:
	case PF_EVENTS:
	case PF_HIGHRES_EVENTS:
		pf_buf_str(b, "0x");
		for (size_t i = 0; i < p->value.bytes->n; i++)
			pf_buf_fmt(b, "%02x", (unsigned char)p->value.bytes->p[i]);
		break;
	}
}

/* A table has one field for all of them: TIME FLAGS NAME=VALUE..., parted by semicolons. */
static void put_events_text(struct pf_emit *e, const struct pf_catalog *cat, const struct pf_event_records *all)
{
	struct pf_buf *b = pf_doc_scratch(e->doc);
	for (uint32_t i = 0; i < all->n; i++) {
		const struct pf_event_record *r = &all->records[i];
		pf_buf_str(b, i > 0 ? "; " : "");
		pf_buf_i64(b, r->time_ns);
		pf_buf_char(b, ' ');
		add_flags(b, r->flags);
		if (r->flags & PF_EVENT_MISSED)
			pf_buf_fmt(b, " %" PRIu32, r->missed);
		for (uint32_t k = 0; k < r->n; k++) {
			pf_buf_char(b, ' ');
			add_param_name(b, cat, &r->params[k]);
			pf_buf_char(b, '=');
			add_param_value(b, &r->params[k]);
		}
	}
	pf_doc_text(e->doc, "value", pf_buf_text(b));
}

void pf_emit_records(struct pf_emit *e, const struct pf_catalog *cat, const struct pf_event_records *all)
{
	if (e->can_nest)
		put_events(e, cat, all);
	else
		put_events_text(e, cat, all);
}

/* sinks/eventblock.c - event records of a sample as a value of an archive. */
#include "sinks/eventblock.h"

#include <errno.h>
#include <string.h>

#include "formats/pcp/events.h"

static void put_param(struct pf_buf *b, struct pf_buf *bytes, uint32_t pmid, const struct pf_event_param *p)
{
	pf_buf_clear(bytes);
	struct pf_view v = { "", 0 };
	if (p->type == PF_STRING) {
		v = pf_view_of(p->value.s);
	} else if (!pf_type_is_number(p->type)) {
		v = *p->value.bytes;
	} else {
		uint64_t bits = p->value.u;
		bool wide = p->type == PF_S64 || p->type == PF_U64 || p->type == PF_DOUBLE;
		if (p->type == PF_FLOAT) {
			float f = (float)p->value.d;
			uint32_t word;
			memcpy(&word, &f, sizeof(word));
			bits = word;
		} else if (p->type == PF_DOUBLE) {
			memcpy(&bits, &p->value.d, sizeof(bits));
		}
		if (wide)
			pf_be_put_u64(bytes, bits);
		else
			pf_be_put_u32(bytes, (uint32_t)bits);
		v = pf_buf_text(bytes);
	}
	pf_pcp_events_put_param(b, pmid, p->type, v);
}

void pf_eventblock_done(struct pf_eventblock *e)
{
	pf_buf_done(&e->records);
	pf_buf_done(&e->param);
}

void pf_eventblock_put(struct pf_eventblock *e, struct pf_pcp_build *build, int32_t inst, const struct pf_catalog *cat,
		       enum pf_type type, const struct pf_event_records *events)
{
	pf_buf_clear(&e->records);
	pf_pcp_events_put(&e->records, events->n);
	for (uint32_t i = 0; i < events->n; i++) {
		const struct pf_event_record *r = &events->records[i];
		const struct pf_pcp_event head = { r->time_ns, r->flags, r->missed, r->n };
		pf_pcp_events_put_record(&e->records, type == PF_HIGHRES_EVENTS, &head);
		for (uint32_t k = 0; k < r->n; k++) {
			const struct pf_event_param *p = &r->params[k];
			put_param(&e->records, &e->param, p->metric >= 0 ? cat->metrics[p->metric]->pmid : p->pmid, p);
		}
	}
	if (e->records.failed || e->param.failed)
		build->blocks.failed = -ENOMEM; /* seen when the record is complete */
	else
		pf_pcp_build_block(build, inst, pf_buf_text(&e->records));
}

int pf_eventblock_next(struct pf_eventblock_params *p)
{
	for (; p->record < p->events->n; p->record++, p->param = 0) {
		while (p->param < p->events->records[p->record].n) {
			int metric = p->events->records[p->record].params[p->param++].metric;
			if (metric >= 0)
				return metric;
		}
	}
	return -1;
}

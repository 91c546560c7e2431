/* sources/pcpvalue.c - values of PCP archives as values of samples: numbers in the row's type and units, texts, bytes and events in the arena. */
#include "sources/pcpvalue.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#include "formats/pcp/events.h"
#include "formats/pcp/meta.h"

/* What a row of type @to cannot hold is no value of it; but a narrower counter goes round, and its readers know that. */
static int from_integer(__int128 n, const struct pf_pcp_into *into, union pf_value *ret_v)
{
	static const struct {
		__int128 min, max;
	} ranges[] = {
		[PF_S32] = { INT32_MIN, INT32_MAX },
		[PF_U32] = { 0, UINT32_MAX },
		[PF_S64] = { INT64_MIN, INT64_MAX },
		[PF_U64] = { 0, UINT64_MAX },
	};
	if (into->counter && into->to == PF_U32 && n > UINT32_MAX)
		n = (uint32_t)n;
	if (n < ranges[into->to].min || n > ranges[into->to].max)
		return 0;
	*ret_v = (union pf_value){ .u = (uint64_t)n };
	return 1;
}

static int from_double(double d, const struct pf_pcp_into *into, union pf_value *ret_v)
{
	if (into->to != PF_FLOAT && into->to != PF_DOUBLE)
		return d > -1e19 && d < 1e20 ? from_integer((__int128)d, into, ret_v) : 0; /* no number is neither */
	if (into->to == PF_FLOAT && isfinite(d) && fabs(d) > (double)FLT_MAX)
		return 0;
	*ret_v = (union pf_value){ .d = d };
	return 1;
}

static int number_into(const struct pf_pcp_value *v, const struct pf_pcp_into *into, union pf_value *ret_v)
{
	struct pf_scale scale = into->scale;
	if (v->type >= 0 && v->type != into->from)
		return 0; /* it says itself that it is something else */
	if (into->from == PF_FLOAT || into->from == PF_DOUBLE) {
		double d;
		if (pf_pcp_value_double(v, into->from, &d) < 0)
			return 0;
		return from_double(d * (double)scale.by / (double)scale.over, into, ret_v);
	}
	uint64_t u;
	if (pf_pcp_value_u64(v, into->from, &u) < 0)
		return 0;
	if (into->from == (int32_t)into->to && scale.by == scale.over) {
		*ret_v = (union pf_value){ .u = u };
		return 1;
	}
	__int128 n = into->from == PF_S32 || into->from == PF_S64 ? (__int128)(int64_t)u : (__int128)u;
	if (into->to == PF_FLOAT || into->to == PF_DOUBLE) {
		*ret_v = (union pf_value){ .d = (double)n * (double)scale.by / (double)scale.over };
		return 1;
	}
	return from_integer(n * (__int128)scale.by / (__int128)scale.over, into, ret_v);
}

static int text_into(const struct pf_pcp_value *v, struct pf_arena *room, union pf_value *ret_v)
{
	const char *copy = pf_arena_dup(room, pf_pcp_value_text(v));
	*ret_v = (union pf_value){ .s = copy };
	return copy ? 1 : -ENOMEM;
}

static int bytes_into(const struct pf_pcp_value *v, struct pf_arena *room, union pf_value *ret_v)
{
	struct pf_view *bytes = pf_arena_alloc(room, sizeof(*bytes));
	const char *copy = bytes ? pf_arena_dup(room, v->bytes) : NULL;
	if (!copy)
		return -ENOMEM;
	*bytes = (struct pf_view){ copy, v->bytes.n };
	*ret_v = (union pf_value){ .bytes = bytes };
	return 1;
}

/* A parameter is of the type that stands with it; what is no number and no text stays bytes. */
static int param_into(const struct pf_pcp_value *v, const struct pf_pcp_into *events, struct pf_arena *room,
		      uint32_t pmid, struct pf_event_param *ret)
{
	*ret = (struct pf_event_param){ .pmid = pmid,
					.metric = events->metric_of(events->arg, pmid),
					.type = PF_AGGREGATE };
	const struct pf_pcp_into own = { .from = v->type, .to = (enum pf_type)v->type, .scale = { 1, 1 } };
	if (v->type == PF_STRING) {
		ret->type = PF_STRING;
		return text_into(v, room, &ret->value);
	}
	if (v->type < PF_STRING && number_into(v, &own, &ret->value) == 1) {
		ret->type = own.to;
		return 1;
	}
	return bytes_into(v, room, &ret->value);
}

/* Return: 1, 0 it makes no sense, -ENOMEM. */
static int record_into(struct pf_pcp_events *e, const struct pf_pcp_into *into, struct pf_arena *room,
		       struct pf_event_record *ret)
{
	struct pf_pcp_event event;
	if (pf_pcp_events_next(e, &event, NULL) != 1)
		return 0;
	struct pf_event_param *params = pf_arena_alloc(room, event.n * sizeof(*params));
	if (!params)
		return -ENOMEM;
	for (uint32_t i = 0; i < event.n; i++) {
		uint32_t pmid;
		struct pf_pcp_value v;
		if (pf_pcp_events_param(e, &pmid, &v, NULL) < 0)
			return 0;
		int rc = param_into(&v, into, room, pmid, &params[i]);
		if (rc < 0)
			return rc;
	}
	*ret = (struct pf_event_record){
		.time_ns = event.time_ns, .flags = event.flags, .missed = event.missed, .n = event.n, .params = params
	};
	return 1;
}

static int events_into(const struct pf_pcp_value *v, const struct pf_pcp_into *into, struct pf_arena *room,
		       union pf_value *ret_v)
{
	struct pf_pcp_events e;
	if (pf_pcp_events_check(v->bytes, into->to == PF_HIGHRES_EVENTS, NULL) < 0)
		return 0;
	(void)pf_pcp_events_decode(v->bytes, into->to == PF_HIGHRES_EVENTS, &e, NULL); /* was checked */
	uint32_t n = e.n;
	struct pf_event_records *all = pf_arena_alloc(room, sizeof(*all));
	struct pf_event_record *records = pf_arena_alloc(room, n * sizeof(*records));
	if (!all || !records)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		int rc = record_into(&e, into, room, &records[i]);
		if (rc <= 0)
			return rc;
	}
	*all = (struct pf_event_records){ n, records };
	*ret_v = (union pf_value){ .events = all };
	return 1;
}

int pf_pcp_value_into(const struct pf_pcp_value *v, const struct pf_pcp_into *into, struct pf_arena *room,
		      union pf_value *ret_v)
{
	if (pf_type_is_number(into->to))
		return number_into(v, into, ret_v);
	if (v->type != (int32_t)into->to)
		return 0;
	if (into->to == PF_STRING)
		return text_into(v, room, ret_v);
	if (into->to == PF_AGGREGATE)
		return bytes_into(v, room, ret_v);
	return events_into(v, into, room, ret_v);
}

struct pf_metric pf_pcp_row(const struct pf_pcp_metric *m, const char *name)
{
	return (struct pf_metric){ .name = name,
				   .pmid = m->pmid,
				   .indom = m->indom,
				   .type = (enum pf_type)m->type,
				   .sem = (enum pf_semantics)m->sem,
				   .units = m->units,
				   .help = "" };
}

/* Same name is not enough: a row that sums up must not be given instances, nor a string a number. Numbers and units convert; semantics are the
 * row's, since the group knows better than some collectors what its numbers do. */
bool pf_pcp_row_fits(const struct pf_metric *row, const struct pf_pcp_metric *m)
{
	struct pf_scale scale;
	return (row->indom == PF_INDOM_NONE) == (m->indom == PF_INDOM_NONE) &&
	       (pf_type_is_number(row->type) ? m->type <= PF_DOUBLE : m->type == (int32_t)row->type) &&
	       pf_units_scale(&m->units, &row->units, &scale);
}

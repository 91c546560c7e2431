/* sinks/emit_sample.c - one sample as an object: docs/samples.md. What never changes about a metric is escaped once; a sample of
 * known metrics allocates nothing. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/error.h"
#include "model/rates.h"
#include "model/select.h"
#include "sinks/emit.h"
#include "sinks/suspect.h"

/* Rates are told to six decimals; who wants more divides the values. Above this they are whole anyway. */
#define RATE_ROUND_MAX 1e9
#define RATE_PLACES    1e6

static int room_for_heads(struct pf_emit *e, unsigned n)
{
	if (n <= e->n_heads)
		return 0;
	struct pf_doc_members *heads = reallocarray(e->heads, n, sizeof(*heads));
	if (!heads)
		return -ENOMEM;
	memset(heads + e->n_heads, 0, (n - e->n_heads) * sizeof(*heads));
	e->heads = heads;
	e->n_heads = n;
	return 0;
}

/* First members of a metric's object. */
static int put_head(struct pf_emit *e, const struct pf_metric *m, struct pf_doc_members *head)
{
	if (head->n > 0) {
		pf_doc_paste(e->doc, head);
		return 0;
	}
	char units[64];
	struct pf_doc_members fresh;
	pf_doc_mark(e->doc);
	pf_doc_name(e->doc, "name", m->name);
	pf_doc_name(e->doc, "semantics", pf_semantics_name(m->sem));
	pf_doc_name(e->doc, "units", pf_units_name(&m->units, units, sizeof(units)));
	pf_doc_cut(e->doc, &fresh);
	fresh.bytes.p = pf_arena_dup(&e->arena, fresh.bytes);
	if (!fresh.bytes.p)
		return -ENOMEM;
	*head = fresh;
	return 0;
}

/* A value that is no number is no value, and what the filters do not want is not told. */
static bool has(const struct pf_step *step, unsigned metric, unsigned slot)
{
	if (!pf_sample_has(step->cur, metric, slot) || !pf_select_tells(step->catalog, metric, slot, step->cur))
		return false;
	enum pf_type type = step->catalog->metrics[metric]->type;
	return (type != PF_FLOAT && type != PF_DOUBLE) || isfinite(pf_sample_get(step->cur, metric, slot).d);
}

void pf_emit_value(struct pf_emit *e, const struct pf_catalog *cat, enum pf_type type, union pf_value v)
{
	struct pf_doc *doc = e->doc;
	switch (type) {
	case PF_S32:
	case PF_S64:
		pf_doc_int(doc, "value", v.i);
		break;
	case PF_U32:
	case PF_U64:
		pf_doc_uint(doc, "value", v.u);
		break;
	case PF_FLOAT:
		pf_doc_float(doc, "value", (float)v.d);
		break;
	case PF_DOUBLE:
		pf_doc_real(doc, "value", v.d);
		break;
	case PF_STRING:
		pf_doc_text(doc, "value", pf_view_of(v.s ? v.s : ""));
		break;
	case PF_AGGREGATE:
		pf_doc_hex(doc, e->can_nest ? "bytes" : "value", v.bytes->p, v.bytes->n);
		break;
	case PF_EVENTS:
	case PF_HIGHRES_EVENTS:
		pf_emit_records(e, cat, v.events);
		break;
	}
}

/* The group of a metric, NULL if that is not known. */
static const struct pf_group *group_of(const struct pf_emit *e, unsigned metric)
{
	for (unsigned g = 0; e->groups && e->groups[g]; g++) {
		if (metric >= e->bases[g] && metric - e->bases[g] < e->groups[g]->n_metrics)
			return e->groups[g];
	}
	return NULL;
}

static int find_speeds(struct pf_emit *e, const struct pf_indom *dom)
{
	if (e->cap_speeds < dom->n) {
		uint32_t *more = reallocarray(e->speeds, dom->cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		e->speeds = more;
		e->cap_speeds = dom->cap;
	}
	pf_suspect_speeds(e->view, dom, e->speeds);
	return 0;
}

/* Mark the interfaces and disks that moved more than they can. */
static int look_at_traffic(struct pf_emit *e, const struct pf_step *step)
{
	for (unsigned g = 0; e->view && step->prev && e->groups && e->groups[g]; g++) {
		const struct pf_group *group = e->groups[g];
		const struct pf_terms *terms = group->link_bytes.n > 0 ? &group->link_bytes : &group->disk_sectors;
		struct pf_indom *dom =
			terms->n > 0 ? pf_catalog_domain_of(step->catalog, e->bases[g] + terms->metric[0]) : NULL;
		bool known = group->link_bytes.n == 0;
		for (unsigned slot = 0; dom && slot < dom->n; slot++) {
			struct pf_instance *inst = &dom->instances[slot];
			double seconds = (double)e->nominal_ns / 1e9;
			/* Most move less than the slowest link could, and then it does not matter how fast theirs is. */
			bool suspect = pf_suspect_moved(step, e->view, group, e->bases[g], slot, 1, seconds);
			if (suspect && !known && find_speeds(e, dom) < 0)
				return -ENOMEM;
			known |= suspect;
			if (suspect && group->link_bytes.n > 0)
				suspect = pf_suspect_moved(step, e->view, group, e->bases[g], slot, e->speeds[slot],
							   seconds);
			inst->role =
				(uint8_t)((inst->role & ~(unsigned)PF_ROLE_SUSPECT) | (suspect ? PF_ROLE_SUSPECT : 0));
		}
	}
	return 0;
}

/* Only counters have a rate, and only if the instance was there before and did not start anew. What cannot be true is marked. */
static void put_rate(struct pf_emit *e, const struct pf_step *step, unsigned metric, unsigned slot)
{
	const struct pf_metric *m = step->catalog->metrics[metric];
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	double rate = 0;
	if (m->sem != PF_COUNTER || !pf_type_is_number(m->type) || !step->prev ||
	    !pf_sample_has(step->prev, metric, slot))
		return;
	int rc = pf_rate(step, metric, slot, &rate);
	if (rc > 0 && !isfinite(rate))
		return;
	const struct pf_group *group = rc > 0 && m->units.time == 1 ? group_of(e, metric) : NULL;
	if (rc <= 0 || (group && pf_suspect_time(step, group, metric, rate))) {
		if (pf_step_interval(step, metric) > 0)
			pf_doc_name(e->doc, "msg", "reset");
		return;
	}
	if (rate >= 0 && rate < RATE_ROUND_MAX)
		pf_doc_micros(e->doc, "rate", (uint64_t)nearbyint(rate * RATE_PLACES));
	else
		pf_doc_real(e->doc, "rate", nearbyint(rate));
	if (dom && (dom->instances[slot].role & PF_ROLE_SUSPECT))
		pf_doc_name(e->doc, "msg", "suspect");
}

static void put_cell(struct pf_emit *e, const struct pf_step *step, unsigned metric, unsigned slot)
{
	pf_emit_value(e, step->catalog, step->catalog->metrics[metric]->type, pf_sample_get(step->cur, metric, slot));
	put_rate(e, step, metric, slot);
}

static void put_instances(struct pf_emit *e, const struct pf_step *step, const struct pf_indom *dom, unsigned metric,
			  unsigned first)
{
	pf_doc_list_begin(e->doc, "instances");
	for (unsigned slot = first; slot < dom->n; slot++) {
		if (!has(step, metric, slot))
			continue;
		pf_doc_object_begin(e->doc, NULL);
		pf_doc_text(e->doc, "instance", pf_view_of(dom->instances[slot].name));
		put_cell(e, step, metric, slot);
		pf_doc_object_end(e->doc);
	}
	pf_doc_list_end(e->doc);
}

/* Was the metric asked for, and has no values? */
static bool is_error(const struct pf_step *step, unsigned metric, int32_t *ret_code)
{
	return pf_sample_failed(step->cur, metric, ret_code) && !step->catalog->hidden[metric];
}

static void put_error(struct pf_doc *doc, int32_t code)
{
	pf_doc_int(doc, "error", code);
	pf_doc_name(doc, "msg", pf_pcp_error_text(code));
}

/* Is there a rate over another time than that since the sample before? */
static void put_interval(struct pf_emit *e, const struct pf_step *step, unsigned metric)
{
	int64_t own_ns = pf_step_interval(step, metric);
	if (step->catalog->metrics[metric]->sem == PF_COUNTER && own_ns > 0 && own_ns != step->interval_ns)
		pf_doc_int(e->doc, "interval", own_ns);
}

static int put_metric(struct pf_emit *e, const struct pf_step *step, unsigned metric)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	unsigned n = dom ? dom->n : 1;
	unsigned first = 0;
	while (first < n && !has(step, metric, first))
		first++;
	int32_t code = 0;
	if (first == n && !is_error(step, metric, &code))
		return 0;

	pf_doc_object_begin(e->doc, NULL);
	int rc = put_head(e, step->catalog->metrics[metric], &e->heads[metric]);
	if (first < n && step->since)
		put_interval(e, step, metric);
	if (first == n)
		put_error(e->doc, code);
	else if (dom)
		put_instances(e, step, dom, metric, first);
	else
		put_cell(e, step, metric, 0);
	pf_doc_object_end(e->doc);
	return rc;
}

/* Between two samples that do not follow each other nothing is known. */
static int put_gap(struct pf_emit *e, int64_t from_ns, int64_t until_ns)
{
	pf_doc_piece_begin(e->doc);
	pf_doc_int(e->doc, "timestamp", until_ns);
	pf_doc_object_begin(e->doc, "gap");
	pf_doc_int(e->doc, "from", from_ns);
	pf_doc_int(e->doc, "until", until_ns);
	pf_doc_name(e->doc, "msg", "no samples in this time");
	pf_doc_object_end(e->doc);
	return pf_doc_piece_end(e->doc);
}

/* Times before and behind it are those of different clocks. */
static int put_step(struct pf_emit *e, int64_t time_ns, int64_t by_ns)
{
	char msg[80];
	double seconds = fabs((double)by_ns / 1e9);
	(void)snprintf(msg, sizeof(msg), "the clock was set %s by %.3f seconds", by_ns < 0 ? "back" : "forward",
		       seconds);
	pf_doc_piece_begin(e->doc);
	pf_doc_int(e->doc, "timestamp", time_ns);
	pf_doc_object_begin(e->doc, "step");
	pf_doc_int(e->doc, "by", by_ns);
	pf_doc_name(e->doc, "msg", msg);
	pf_doc_object_end(e->doc);
	return pf_doc_piece_end(e->doc);
}

static int put_drop(struct pf_emit *e, int64_t time_ns, uint64_t count)
{
	char msg[64];
	(void)snprintf(msg, sizeof(msg), "%" PRIu64 " read%s failed or came late", count, count == 1 ? "" : "s");
	e->lost += count;
	pf_doc_piece_begin(e->doc);
	pf_doc_int(e->doc, "timestamp", time_ns);
	pf_doc_object_begin(e->doc, "drop");
	pf_doc_uint(e->doc, "count", count);
	pf_doc_uint(e->doc, "total", e->lost);
	pf_doc_name(e->doc, "msg", msg);
	pf_doc_object_end(e->doc);
	return pf_doc_piece_end(e->doc);
}

static int put_metrics(struct pf_emit *e, const struct pf_step *step)
{
	int rc = look_at_traffic(e, step);
	if (rc < 0)
		return rc;
	pf_doc_piece_begin(e->doc);
	pf_doc_int(e->doc, "timestamp", step->cur->time_ns);
	if (step->prev)
		pf_doc_int(e->doc, "interval", step->interval_ns);
	pf_doc_list_begin(e->doc, "metrics");
	for (unsigned m = 0; m < step->catalog->n_metrics && rc == 0; m++)
		rc = put_metric(e, step, m);
	pf_doc_list_end(e->doc);
	if (rc < 0) {
		pf_doc_piece_drop(e->doc);
		return rc;
	}
	return pf_doc_piece_end(e->doc);
}

int pf_emit_sample(struct pf_emit *e, const struct pf_step *step, struct pf_err *err)
{
	int rc = room_for_heads(e, step->catalog->n_metrics);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for %u metrics", step->catalog->n_metrics);

	/* Samples follow each other if this one's predecessor is the last one shown; a baseline in between is not shown. */
	struct pf_step whole = *step;
	if (step->prev && pf_time_is_gap(step->interval_ns, e->nominal_ns))
		whole.prev =
			NULL; /* some are missing: rates over such a time would tell of a time that nobody watched */
	step = &whole;
	const struct pf_sample *start = step->prev ? step->prev : step->cur;
	if (e->any && start->time_ns != e->last_ns)
		rc = put_gap(e, e->last_ns, start->time_ns);
	if (rc == 0 && step->stepped_ns != 0)
		rc = put_step(e, step->cur->time_ns, step->stepped_ns);
	if (rc == 0 && step->lost > 0)
		rc = put_drop(e, step->cur->time_ns, step->lost);
	if (rc == 0 && step->catalog->tellers && e->about)
		rc = pf_emit_about(e, step->catalog, step->cur->time_ns);
	if (rc == 0)
		rc = put_metrics(e, step);
	e->any = true;
	e->last_ns = step->cur->time_ns;
	return rc;
}

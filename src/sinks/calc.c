/* sinks/calc.c - the arithmetic of columns. */
#include "sinks/calc.h"

#include <math.h>

#include "base/time.h"
#include "model/cvt.h"
#include "model/rates.h"
#include "sinks/section.h"
#include "sinks/sink.h"

/* A time counter that ran faster than this times the clock did not count time. */
static const double IMPOSSIBLE = 1.5;
static const double SLACK_MS = 1000;

/* @known: cells that had what was wanted of them; @missing: a metric that is needed had none. */
struct found {
	unsigned known;
	bool missing;
};

struct job {
	const struct pf_calc_step *c;
	const struct pf_section *s;
	const struct pf_column *col;
	bool peer;
	bool *gap;
	int across; /* slot of the section's across that a column with @spread stands for, or -1 */
	struct found *found;
};

/* Seconds as a Perl program has them: its two time stamps are doubles, and so is their difference. */
static double as_double(int64_t time_ns)
{
	return (double)((long double)time_ns / 1e9L);
}

/* With -i0, collectl divides by a second what two samples of the same millisecond tell. */
static bool is_moment(const struct pf_step *step, const struct pf_view_options *view)
{
	enum { NS_PER_MS = 1000000 };
	return step->prev && (view->variants & PF_AS_PEER) && !(view->variants & PF_AS_RECORDED) &&
	       step->cur->time_ns / NS_PER_MS == step->prev->time_ns / NS_PER_MS;
}

void pf_calc_begin(struct pf_calc_step *c, const struct pf_step *step, const struct pf_view_options *view)
{
	c->step = step;
	c->measured = (double)step->interval_ns / 1e9;
	if (step->prev && (view->variants & PF_AS_PEER) && (view->variants & PF_AS_RECORDED))
		c->measured = as_double(step->cur->time_ns) - as_double(step->prev->time_ns);
	c->seconds = view->no_divide || c->measured == 0 || is_moment(step, view) ? 1 : c->measured;
}

/* What rates of the section are divided by. The peer takes the second interval as it should have been, not as it was, and a second if
 * there was none (-i0). */
static double seconds_of(const struct job *j)
{
	if (j->s->group->period == PF_EACH_INTERVAL || j->s->view->no_divide)
		return j->c->seconds;
	double measured = (double)j->c->step->second_ns / 1e9;
	double nominal = (double)j->s->view->second_ns / 1e9;
	double seconds = j->peer ? nominal : measured;
	return seconds > 0 ? seconds : 1;
}

static bool is_gone(const struct job *j, unsigned slot)
{
	return slot < j->s->n_flags && (j->s->flags[slot] & PF_GONE);
}

static unsigned n_instances(const struct job *j, const struct pf_indom *dom)
{
	unsigned n = 0;
	for (unsigned i = 0; i < dom->n; i++)
		n += dom->instances[i].seen == j->c->step->cur->seq;
	return n;
}

/* Instances of the group's domain of times; at least 1. */
static unsigned n_cpus(const struct job *j)
{
	const struct pf_group *g = j->s->group;
	const struct pf_indom *dom = NULL;
	for (unsigned i = 0; i < g->n_metrics && !dom; i++) {
		if (g->metrics[i].units.time == 1 && !pf_metric_is_singular(&g->metrics[i]))
			dom = pf_catalog_domain_of(j->c->step->catalog, j->s->base + i);
	}
	unsigned n = dom ? n_instances(j, dom) : 0;
	return n > 0 ? n : 1;
}

/* Does a difference of CPU time exceed what the CPUs could do? Single values are of all CPUs together. */
static bool is_impossible(const struct job *j, const struct pf_metric *m, double d)
{
	if (j->s->group->tick_ms == 0 || m->units.time != 1 || m->sem != PF_COUNTER || j->c->measured <= 0)
		return false;
	double limit = j->c->measured * 1000 * IMPOSSIBLE;
	if (d <= limit + SLACK_MS)
		return false; /* one CPU could have done it */
	return !pf_metric_is_singular(m) || d > limit * n_cpus(j) + SLACK_MS;
}

static double value(const struct job *j, const struct pf_sample *sample, unsigned metric, unsigned slot, bool *ret_any)
{
	bool forgets = j->s->group->from_zero && j->peer && j->c->step->prev;
	if (forgets && sample && !pf_sample_has(sample, metric, slot))
		sample = j->c->step->prev; /* what a process that is ending tells no more, the peer still knows */
	if (!sample || !pf_sample_has(sample, metric, slot))
		return 0;
	*ret_any = true;
	j->found->known++;
	return pf_number(j->c->step->catalog->metrics[metric], pf_sample_get(sample, metric, slot));
}

/* The difference of one metric in one slot; 0 with the gap told where there is none. */
static double delta(const struct job *j, unsigned metric, unsigned slot, bool absolute)
{
	const struct pf_metric *m = j->c->step->catalog->metrics[metric];
	bool skip = !j->peer && !absolute;
	double d = 0;
	bool any = false;
	if (is_gone(j, slot))
		return value(j, j->c->step->prev, metric, slot, &any);
	if (j->s->group->from_zero && j->c->step->prev && !pf_sample_has(j->c->step->prev, metric, slot))
		return value(j, j->c->step->cur, metric, slot, &any);
	if (slot < j->s->n_flags && (j->s->flags[slot] & PF_BOGUS)) {
		*j->gap = !j->peer;
		return 0;
	}
	if (j->c->step->sparse && j->c->step->prev) {
		if (!pf_sample_has(j->c->step->prev, metric, slot))
			return 0;
		j->found->known += pf_sample_has(j->c->step->cur, metric, slot);
	}
	if (pf_delta(j->c->step, metric, slot, skip ? PF_RESET_SKIP : PF_RESET_NEGATIVE, &d) <= 0) {
		if (skip && j->c->step->prev && pf_sample_has(j->c->step->cur, metric, slot))
			*j->gap = true;
		return 0;
	}
	if (absolute)
		return fabs(d);
	if (!j->peer && is_impossible(j, m, d)) {
		*j->gap = true;
		return 0;
	}
	if (d < 0 && m->sem == PF_COUNTER && j->s->group->reset == PF_RESET_WRAP32) {
		bool ticks = j->s->group->tick_ms > 0 && m->units.time == 1;
		d += 4294967296.0 * (ticks ? j->s->group->tick_ms : 1);
	}
	return d;
}

/* A difference over another time than the step's, as if it were over that; -on takes what it is. */
static double as_of_step(const struct job *j, unsigned metric, double d)
{
	const struct pf_step *step = j->c->step;
	if (!step->since || j->s->view->no_divide || j->col->calc == PF_CALC_DELTA)
		return d;
	int64_t own_ns = pf_step_interval(step, metric);
	if (own_ns <= 0 || own_ns == step->interval_ns || j->s->group->period == PF_SECOND_INTERVAL)
		return d;
	return d * (double)step->interval_ns / (double)own_ns;
}

/* The slot of the instance with that external number, or -1. */
static int slot_of_id(const struct pf_indom *dom, int32_t id)
{
	for (unsigned i = 0; i < dom->n; i++) {
		if (dom->instances[i].id == id)
			return (int)i;
	}
	return -1;
}

enum what { WHAT_VALUE, WHAT_DELTA, WHAT_CHANGE };

static double cell(const struct job *j, enum what what, unsigned metric, unsigned slot, bool absolute, bool *any)
{
	switch (what) {
	case WHAT_VALUE:
		return value(j, is_gone(j, slot) ? j->c->step->prev : j->c->step->cur, metric, slot, any);
	case WHAT_DELTA:
		return as_of_step(j, metric, delta(j, metric, slot, absolute));
	case WHAT_CHANGE: {
		bool before = false;
		bool after = false;
		unsigned known = j->found->known;
		double now = value(j, j->c->step->cur, metric, slot, &after);
		double then = value(j, j->c->step->prev, metric, slot, &before);
		j->found->known = known + (before && after);
		*any |= after;
		return now - (j->col->from_zero && j->peer && j->s->first ? 0 : then);
	}
	}
	return 0;
}

/* What a column with a key shows: the cell of one row, or of all that count. */
static double cells(const struct job *j, enum what what, const struct pf_indom *dom, unsigned metric, int row,
		    bool *any)
{
	struct pf_view key =
		j->across >= 0 ? pf_view_of(j->s->across->instances[j->across].name) : pf_view_of(j->col->cell);
	if (row >= 0) {
		int slot = pf_section_cell(j->s, dom, (unsigned)row, key);
		return slot < 0 ? 0 : cell(j, what, metric, (unsigned)slot, false, any);
	}
	double sum = 0;
	for (unsigned i = 0; i < j->s->n_order; i++) {
		unsigned r = j->s->order[i];
		int slot = j->s->flags[r] & PF_COUNTED ? pf_section_cell(j->s, dom, r, key) : -1;
		sum += slot < 0 ? 0 : cell(j, what, metric, (unsigned)slot, false, any);
	}
	return sum;
}

/* What a column shows whose metric is of a domain with the same names as the rows, which mostly stand in the same slots. */
static double twins(const struct job *j, enum what what, const struct pf_indom *dom, unsigned metric, int row,
		    bool *any)
{
	const struct pf_indom *rows = j->s->domain;
	unsigned counts = j->col->everywhere ? PF_SHOWN : PF_COUNTED;
	double sum = 0;
	for (unsigned i = row >= 0 ? (unsigned)row : 0; i < rows->n && i < j->s->n_flags; i++) {
		int slot = row >= 0 || (j->s->flags[i] & counts)
				   ? pf_indom_find(dom, pf_view_of(rows->instances[i].name), i)
				   : -1;
		sum += slot < 0 ? 0 : cell(j, what, metric, (unsigned)slot, false, any);
		if (row >= 0)
			break;
	}
	return sum;
}

/* Over the slots that a term means. */
static double over_slots(const struct job *j, enum what what, unsigned metric, int slot, bool absolute, bool *any)
{
	struct pf_indom *dom = pf_catalog_domain_of(j->c->step->catalog, metric);
	if (!dom)
		return cell(j, what, metric, 0, absolute, any);
	if (j->across >= 0 && dom == j->s->across)
		return cell(j, what, metric, (unsigned)j->across, absolute, any);
	if (j->across >= 0 || j->col->cell)
		return j->s->domain ? cells(j, what, dom, metric, slot, any) : 0;
	if (j->col->instance != 0) {
		int one = slot_of_id(dom, j->col->instance - 1);
		return one < 0 ? 0 : cell(j, what, metric, (unsigned)one, absolute, any);
	}
	if (j->col->twin && j->s->domain && dom != j->s->domain)
		return twins(j, what, dom, metric, slot, any);
	if (slot >= 0)
		return cell(j, what, metric, (unsigned)slot, absolute, any);

	double sum = 0;
	unsigned counts = j->col->everywhere ? PF_SHOWN : PF_COUNTED;
	for (unsigned i = 0; i < dom->n; i++) {
		if (dom != j->s->domain || (i < j->s->n_flags && (j->s->flags[i] & counts)))
			sum += cell(j, what, metric, i, absolute, any);
	}
	return sum;
}

/* One term. */
static double term(const struct job *j, enum what what, unsigned metric, int slot, bool absolute, bool *any)
{
	unsigned known = j->found->known;
	double v = over_slots(j, what, metric, slot, absolute, any);
	j->found->missing |= j->found->known == known;
	return v;
}

static double sum_of(const struct job *j, enum what what, const struct pf_terms *terms, int slot, bool *any)
{
	double sum = 0;
	if (j->col->other)
		return j->s->other == UINT32_MAX ? 0 : term(j, what, j->s->other, slot, false, any);
	for (unsigned i = 0; i < terms->n; i++) {
		double v = term(j, what, j->s->base + terms->metric[i], slot, terms->absolute, any);
		sum += terms->minus >> i & 1 ? -v : v;
	}
	return sum;
}

/* Percent of one instance, or of the host's own sums (slot PF_ROW_SUM with single metrics). -on takes the whole as 100. */
static double share_of(const struct job *j, int slot)
{
	double tick = j->s->group->tick_ms > 0 ? j->s->group->tick_ms : 1;
	double whole = 100;
	bool any = false;
	if (!j->s->view->no_divide) {
		bool elsewhere = false; /* a gap in another part of the whole is told in that part's own column */
		struct found apart = { 0 };
		struct job den = *j;
		den.gap = &elsewhere;
		den.found = &apart;
		whole = sum_of(&den, WHAT_DELTA, &j->col->den, slot, &any) / tick;
		if (whole == 0)
			whole = 1;
	}
	const struct pf_terms *num = &j->col->num;
	double sums[2] = { 0, 0 };
	for (unsigned i = 0; i < num->n; i++)
		sums[num->split > 0 && i >= num->split] +=
			100 * (term(j, WHAT_DELTA, j->s->base + num->metric[i], slot, false, &any) / tick) / whole;
	return sums[0] + sums[1];
}

static double share(const struct job *j, int slot)
{
	const struct pf_indom *dom = pf_catalog_domain_of(j->c->step->catalog, j->s->base + j->col->num.metric[0]);
	if (!dom || slot >= 0)
		return share_of(j, slot);

	double sum = 0;
	unsigned n = 0;
	for (unsigned i = 0; i < dom->n && i < j->s->n_flags; i++) {
		if (!(j->s->flags[i] & PF_COUNTED) || !pf_sample_has(j->c->step->cur, j->s->key, i))
			continue;
		sum += share_of(j, (int)i);
		n++;
	}
	return n > 0 ? sum / n : 0;
}

static double last(const struct job *j, int slot, bool *any)
{
	double v = 0;
	for (unsigned i = 0; i < j->col->num.n; i++) {
		bool here = false;
		double got = term(j, WHAT_VALUE, j->s->base + j->col->num.metric[i], slot, false, &here);
		if (here) {
			v = got;
			*any = true;
		}
	}
	return v;
}

static double change(const struct job *j, int slot, bool *any)
{
	double sum = 0;
	for (unsigned i = 0; i < j->col->num.n; i++) {
		double v = term(j, WHAT_CHANGE, j->s->base + j->col->num.metric[i], slot, false, any);
		v /= j->col->num.undivided >> i & 1 ? 1 : seconds_of(j);
		sum += j->col->num.minus >> i & 1 ? -v : v;
	}
	return sum;
}

static double ratio(const struct job *j, int slot)
{
	bool any = false;
	double den = sum_of(j, WHAT_DELTA, &j->col->den, slot, &any);
	return den == 0 ? j->col->otherwise : sum_of(j, WHAT_DELTA, &j->col->num, slot, &any) / den;
}

/* Percent of the measured time that milliseconds are; more than all of it is a counter that was reset. */
static double util(const struct job *j, int slot)
{
	bool any = false;
	double d = sum_of(j, WHAT_DELTA, &j->col->num, slot, &any);
	if (j->c->measured <= 0)
		return 0;
	if (!j->peer && slot >= 0 && d > j->c->measured * 1000 * IMPOSSIBLE + SLACK_MS) {
		*j->gap = true;
		return 0;
	}
	return d * 10 / (j->c->measured * 100);
}

/* Values of one slot multiplied and divided. */
static double product_of(const struct job *j, unsigned slot)
{
	double v = 1;
	bool any = false;
	for (unsigned i = 0; i < j->col->num.n; i++)
		v *= cell(j, WHAT_VALUE, j->s->base + j->col->num.metric[i], slot, false, &any);
	for (unsigned i = 0; i < j->col->den.n && v != 0; i++) {
		double by = cell(j, WHAT_VALUE, j->s->base + j->col->den.metric[i], slot, false, &any);
		v = by == 0 ? 0 : v / by;
	}
	return v;
}

static double product(const struct job *j, int slot)
{
	if (slot >= 0)
		return product_of(j, (unsigned)slot);
	double sum = 0;
	for (unsigned i = 0; i < j->s->n_flags; i++)
		sum += j->s->flags[i] & PF_COUNTED ? product_of(j, i) : 0;
	return sum;
}

static double growth(const struct job *j, int slot)
{
	bool any = false;
	unsigned metric = j->s->base + j->col->num.metric[0];
	double then = slot >= 0 ? value(j, j->c->step->prev, metric, (unsigned)slot, &any) : 0;
	return then == 0 ? 0 : (value(j, j->c->step->cur, metric, (unsigned)slot, &any) - then) * 100 / then;
}

/* Does the row belong to another instance (a thread to its process)? @ret_owner: to which. */
static bool is_owned(const struct job *j, int slot, double *ret_owner)
{
	const uint16_t *metric = j->col->num.metric;
	bool any = false;
	*ret_owner = slot >= 0 ? term(j, WHAT_VALUE, j->s->base + metric[0], slot, false, &any) : 0;
	return any && *ret_owner != term(j, WHAT_VALUE, j->s->base + metric[1], slot, false, &any);
}

static double parent(const struct job *j, int slot)
{
	bool any = false;
	double owner;
	return is_owned(j, slot, &owner) ? owner
					 : term(j, WHAT_VALUE, j->s->base + j->col->num.metric[2], slot, false, &any);
}

static unsigned n_used(const struct job *j)
{
	unsigned n = 0;
	bool any = false;
	for (unsigned i = 0; i < j->s->n_flags; i++)
		n += value(j, j->c->step->cur, j->s->base + j->col->num.metric[0], i, &any) != 0;
	return n;
}

static double identity(const struct job *j, int slot, unsigned index)
{
	if (j->col->calc == PF_CALC_INDEX)
		return index;
	if (j->col->calc == PF_CALC_ID)
		return slot >= 0 && j->s->domain && (unsigned)slot < j->s->domain->n ? j->s->domain->instances[slot].id
										     : 0;
	unsigned metric = j->s->base + j->col->num.metric[0];
	const struct pf_indom *dom = pf_catalog_domain_of(j->c->step->catalog, metric);
	unsigned n = 0;
	for (unsigned i = 0; dom && i < dom->n; i++)
		n += pf_sample_has(j->c->step->cur, metric, i);
	j->found->known += n;
	bool online = dom && dom->id == PF_INDOM_CPU && j->peer && j->s->layouts[0]->view == PF_VIEW_VERBOSE;
	return n - (online && n > j->s->view->n_offline ? j->s->view->n_offline : 0);
}

static double compute(const struct job *job, int slot, unsigned index)
{
	const struct job j = *job;
	const struct pf_column *col = j.col;
	bool any = false;
	double v = 0;
	switch (col->calc) {
	case PF_CALC_VALUE:
		v = sum_of(&j, WHAT_VALUE, &col->num, slot, &any);
		break;
	case PF_CALC_LAST:
		v = last(&j, slot, &any);
		break;
	case PF_CALC_RATE: /* scaled before it is divided: KB are what the peer divides by the seconds */
		return sum_of(&j, WHAT_DELTA, &col->num, slot, &any) * (col->scale != 0 ? col->scale : 1) /
		       seconds_of(&j);
	case PF_CALC_DELTA:
		v = sum_of(&j, WHAT_DELTA, &col->num, slot, &any);
		break;
	case PF_CALC_CHANGE:
		v = change(&j, slot, &any);
		break;
	case PF_CALC_SHARE:
		v = share(&j, slot);
		break;
	case PF_CALC_RATIO:
		v = ratio(&j, slot);
		break;
	case PF_CALC_PERCENT:
		v = sum_of(&j, WHAT_VALUE, &col->den, slot, &any);
		v = v == 0 ? 0 : sum_of(&j, WHAT_VALUE, &col->num, slot, &any) * 100 / v;
		break;
	case PF_CALC_UTIL:
		v = util(&j, slot);
		break;
	case PF_CALC_BUSY: /* by way of seconds: 0.58 * 100 is less than 58, which the peer's digits show */
		v = sum_of(&j, WHAT_DELTA, &col->num, slot, &any) / 1000 * 100 / seconds_of(&j);
		break;
	case PF_CALC_PRODUCT:
		v = product(&j, slot);
		break;
	case PF_CALC_GROWTH:
		v = growth(&j, slot);
		break;
	case PF_CALC_USED:
		v = n_used(&j);
		break;
	case PF_CALC_PARENT:
		return parent(&j, slot);
	case PF_CALC_THREAD:
		return is_owned(&j, slot, &v);
	case PF_CALC_USER:
		v = sum_of(&j, WHAT_VALUE, &col->num, slot, &any);
		break;
	case PF_CALC_COUNT:
	case PF_CALC_INDEX:
	case PF_CALC_ID:
		return identity(&j, slot, index);
	case PF_CALC_NAME:
	case PF_CALC_LABEL:
	case PF_CALC_TEXT:
	case PF_CALC_COMMAND:
	case PF_CALC_ZERO:
		return 0;
	}
	v /= col->per_interval ? seconds_of(&j) : 1;
	return v * (col->scale != 0 ? col->scale : 1) + (any ? col->offset : 0);
}

/* Which of its metrics a column needs in order to have a value: of parts of a whole, and of those of which one is enough, none needs the
 * others. What is not named here always has one. */
enum { NEEDS_ALL = 1, NEEDS_ANY };
static const uint8_t needs[] = {
	[PF_CALC_VALUE] = NEEDS_ALL,   [PF_CALC_RATE] = NEEDS_ALL,  [PF_CALC_DELTA] = NEEDS_ALL,
	[PF_CALC_CHANGE] = NEEDS_ALL,  [PF_CALC_RATIO] = NEEDS_ALL, [PF_CALC_PERCENT] = NEEDS_ALL,
	[PF_CALC_UTIL] = NEEDS_ALL,    [PF_CALC_BUSY] = NEEDS_ALL,  [PF_CALC_LAST] = NEEDS_ANY,
	[PF_CALC_SHARE] = NEEDS_ANY,   [PF_CALC_USED] = NEEDS_ANY,  [PF_CALC_COUNT] = NEEDS_ANY,
	[PF_CALC_PRODUCT] = NEEDS_ANY, [PF_CALC_ZERO] = 0,
};

/* Does a recording lack what the column needs? */
static bool is_missing(const struct job *j)
{
	return j->c->step->sparse && ((needs[j->col->calc] == NEEDS_ALL && j->found->missing) ||
				      (needs[j->col->calc] == NEEDS_ANY && j->found->known == 0));
}

/* The number of a column, 0 with the gap told where it is not known. */
static double known_value(struct job *j, int slot, unsigned index)
{
	struct found found = { 0 };
	j->found = &found;
	double v = compute(j, slot, index);
	if (!is_missing(j))
		return v;
	const struct pf_column *col = j->col;
	if (col->instead != 0) {
		struct pf_column same = *col;
		same.num = (struct pf_terms)PF_SUM((uint16_t)(col->instead - 1));
		found = (struct found){ 0 };
		j->col = &same;
		v = compute(j, slot, index);
		bool missing = is_missing(j);
		j->col = col;
		if (!missing)
			return v;
	}
	*j->gap = true;
	return 0;
}

void pf_calc_parts(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col,
		   double *ret_num, double *ret_den)
{
	bool gap = false;
	bool any = false;
	struct found found = { 0 };
	struct job j = { c, s, col, s->view->variants & PF_AS_PEER, &gap, -1, &found };
	*ret_den = sum_of(&j, WHAT_DELTA, &col->den, PF_ROW_SUM, &any);
	*ret_num = sum_of(&j, WHAT_DELTA, &col->num, PF_ROW_SUM, &any) * (col->scale != 0 ? col->scale : 1);
}

double pf_calc_value(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col, int slot,
		     unsigned index, bool *ret_gap)
{
	return known_value(&(struct job){ c, s, col, s->view->variants & PF_AS_PEER, ret_gap, -1, NULL }, slot, index);
}

double pf_calc_spread(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col, int slot,
		      unsigned across, bool *ret_gap)
{
	return known_value(&(struct job){ c, s, col, s->view->variants & PF_AS_PEER, ret_gap, (int)across, NULL }, slot,
			   0);
}

bool pf_calc_has(const struct pf_calc_step *c, const struct pf_section *s, const struct pf_column *col, int slot)
{
	bool gap = false;
	bool any = false;
	struct found found = { 0 };
	struct job j = { c, s, col, s->view->variants & PF_AS_PEER, &gap, -1, &found };
	(void)sum_of(&j, WHAT_VALUE, &col->num, slot, &any);
	return any;
}

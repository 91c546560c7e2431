/* record/tasks.c - from statements to tasks. A claim is what one statement says of one metric, or of one instance of it. A later claim of the same
 * instance takes it away from the task that had it; claims of whole metrics stand side by side, as pmlogger has it. */
#include "record/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sources/source.h"

enum { NONE = -1 };

/* @next: claim of the same metric that came before it, NONE. @task: index, NONE if nothing is logged. @whole: all instances. @gone: another took it;
 * @strict: of one instance, the last mandatory claim of it until then, NONE */
struct claim {
	unsigned metric;
	int next;
	int task;
	int strict;
	bool mandatory;
	bool whole;
	bool gone;
	enum pf_log_state state;
	struct pf_pick_instance instance;
};

/* @places: by hash of metric and instance, 1 + its last claim, 0 free; a power of two of them, at least twice as many as claims.
 * By metric of the catalog: @heads its last claim, @mandatory its last mandatory one, @whole the last one that is of all instances, too. */
struct maker {
	const struct pf_tasks_spec *spec;
	struct pf_tasks *out;
	unsigned cap_tasks;
	struct claim *claims;
	unsigned n_claims;
	unsigned cap_claims;
	unsigned *places;
	unsigned n_places;
	int *heads;
	int *mandatory;
	int *whole;
	const struct pf_log_statement *statement;
	const struct pf_log_metric *metric;
	int task;
	int rc;
};

static void tell(const struct maker *m, const struct pf_task_problem *p)
{
	struct pf_task_problem full = *p;
	full.at = m->metric->at;
	full.wanted = m->statement->state;
	if (m->spec->problem)
		m->spec->problem(m->spec->arg, &full);
}

static bool is_same_instance(const struct pf_pick_instance *a, const struct pf_pick_instance *b)
{
	return a->name && b->name ? strcmp(a->name, b->name) == 0 : !a->name && !b->name && a->id == b->id;
}

static unsigned hash_of(unsigned metric, const struct pf_pick_instance *one)
{
	uint64_t h = (UINT64_C(14695981039346656037) ^ metric) * UINT64_C(1099511628211);
	for (const char *p = one->name; p && *p; p++)
		h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
	if (!one->name)
		h = (h ^ (uint64_t)one->id) * UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(h ^ h >> 32);
}

/* Where the last claim of that instance is, or would be. */
static unsigned *place_of(const struct maker *m, unsigned metric, const struct pf_pick_instance *one)
{
	unsigned at = hash_of(metric, one);
	for (;; at++) {
		unsigned *place = &m->places[at & (m->n_places - 1)];
		const struct claim *c = *place ? &m->claims[*place - 1] : NULL;
		if (!c || (c->metric == metric && is_same_instance(&c->instance, one)))
			return place;
	}
}

/* The last claim of that instance, NULL: nothing was said of it alone. */
static struct claim *last_claim(const struct maker *m, unsigned metric, const struct pf_pick_instance *one)
{
	unsigned at = m->n_places > 0 ? *place_of(m, metric, one) : 0;
	return at > 0 ? &m->claims[at - 1] : NULL;
}

/* The mandatory state that stands for the metric, or for one instance of it: the last that was said. PF_LOG_MAYBE if nothing was. */
static enum pf_log_state mandatory_state(const struct maker *m, unsigned metric, const struct pf_pick_instance *one)
{
	const struct claim *last = one ? last_claim(m, metric, one) : NULL;
	int i = one ? m->whole[metric] : m->mandatory[metric];
	if (last && last->strict > i)
		i = last->strict;
	return i == NONE ? PF_LOG_MAYBE : m->claims[i].state;
}

/* For one claim more, and for its place. */
static int make_room(struct maker *m)
{
	if (m->n_claims < m->cap_claims)
		return 0;
	unsigned cap = m->cap_claims ? m->cap_claims * 2 : 256;
	struct claim *more = reallocarray(m->claims, cap, sizeof(*more));
	m->claims = more ? more : m->claims;
	unsigned *places = more ? calloc(cap, 2 * sizeof(*places)) : NULL;
	if (!places)
		return -ENOMEM;
	free(m->places);
	m->places = places;
	m->n_places = 2 * cap;
	m->cap_claims = cap;
	for (unsigned i = 0; i < m->n_claims; i++) {
		if (!m->claims[i].whole)
			*place_of(m, m->claims[i].metric, &m->claims[i].instance) = i + 1;
	}
	return 0;
}

static void add_claim(struct maker *m, unsigned metric, const struct pf_pick_instance *one)
{
	bool mandatory = m->statement->mandatory;
	m->rc = make_room(m);
	if (m->rc < 0)
		return;
	int at = (int)m->n_claims++;
	struct claim *last = one ? last_claim(m, metric, one) : NULL;
	if (last)
		last->gone = true;
	m->claims[at] = (struct claim){ .metric = metric,
					.next = m->heads[metric],
					.task = m->statement->state == PF_LOG_ON ? m->task : NONE,
					.strict = one && mandatory ? at
						  : last	   ? last->strict
								   : NONE,
					.mandatory = mandatory,
					.whole = !one,
					.state = m->statement->state };
	if (one) {
		m->claims[at].instance = *one;
		*place_of(m, metric, one) = (unsigned)at + 1;
	}
	m->heads[metric] = at;
	if (mandatory)
		m->mandatory[metric] = at;
	if (mandatory && !one)
		m->whole[metric] = at;
}

static void claim_whole(struct maker *m, unsigned metric, const char *name)
{
	enum pf_log_state stands = m->statement->mandatory ? PF_LOG_MAYBE : mandatory_state(m, metric, NULL);
	if (stands == PF_LOG_MAYBE)
		add_claim(m, metric, NULL);
	else
		tell(m, &(struct pf_task_problem){
				.fault = PF_TASK_CONFLICT, .metric = name, .off = stands == PF_LOG_OFF });
}

/* The instance as the source knows it, by number. Return: 0, -ENOENT. */
static int find_instance(const struct maker *m, unsigned metric, struct pf_pick_instance *one)
{
	struct pf_source *s = m->spec->source;
	return s && s->kind->instance ? s->kind->instance(s, metric, one) : 0;
}

static void claim_instances(struct maker *m, unsigned metric, const char *name)
{
	for (unsigned i = 0; i < m->metric->n_instances && m->rc == 0; i++) {
		const struct pf_log_instance *told = &m->spec->config->instances[m->metric->first_instance + i];
		struct pf_pick_instance one = { .name = told->name, .id = told->id };
		if (find_instance(m, metric, &one) < 0) {
			tell(m, &(struct pf_task_problem){
					.fault = PF_TASK_NO_INSTANCE, .metric = name, .instance = told });
			continue;
		}
		enum pf_log_state stands = m->statement->mandatory ? PF_LOG_MAYBE : mandatory_state(m, metric, &one);
		if (stands == PF_LOG_MAYBE)
			add_claim(m, metric, &one);
		else
			tell(m, &(struct pf_task_problem){ .fault = PF_TASK_CONFLICT,
							   .metric = name,
							   .instance = told,
							   .off = stands == PF_LOG_OFF });
	}
}

static int take_named(void *arg, const struct pf_source_named *one)
{
	struct maker *m = arg;
	if (one->metric < 0)
		tell(m,
		     &(struct pf_task_problem){ .fault = PF_TASK_NO_METRIC, .metric = one->name, .code = one->code });
	else if (m->metric->n_instances > 0)
		claim_instances(m, (unsigned)one->metric, one->name);
	else
		claim_whole(m, (unsigned)one->metric, one->name);
	return m->rc;
}

static int each_of_catalog(struct maker *m, const char *name)
{
	const struct pf_catalog *cat = m->spec->catalog;
	int n = 0;
	for (unsigned i = 0; i < cat->n_metrics && m->rc == 0; i++) {
		if (!pf_catalog_names(name, cat->metrics[i]->name))
			continue;
		n++;
		(void)take_named(m, &(struct pf_source_named){ .name = cat->metrics[i]->name, .metric = (int)i });
	}
	return n;
}

static void take_metric(struct maker *m, const struct pf_log_metric *metric)
{
	struct pf_source *s = m->spec->source;
	m->metric = metric;
	int n = s && s->kind->names ? s->kind->names(s, metric->name, take_named, m) : each_of_catalog(m, metric->name);
	m->out->n_unknown += n == 0 && m->statement->state == PF_LOG_ON;
	if (n == 0)
		tell(m, &(struct pf_task_problem){
				.fault = PF_TASK_NO_NAME, .metric = metric->name, .code = PF_SOURCE_NO_NAME });
	else if (n < 0)
		m->rc = n;
}

/* Index of the task of a statement, which is made if there is none. */
static int task_of(struct maker *m, const struct pf_log_statement *s)
{
	int64_t ns = s->interval_ms < 0 ? m->spec->default_ns : s->interval_ms * INT64_C(1000000);
	for (unsigned i = 0; i < m->out->n; i++) {
		if (m->out->list[i].interval_ns == ns && m->out->list[i].mandatory == s->mandatory)
			return (int)i;
	}
	if (m->out->n == m->cap_tasks) {
		unsigned cap = m->cap_tasks ? m->cap_tasks * 2 : 8;
		struct pf_task *more = reallocarray(m->out->list, cap, sizeof(*more));
		if (!more) {
			m->rc = -ENOMEM;
			return NONE;
		}
		m->out->list = more;
		m->cap_tasks = cap;
	}
	m->out->list[m->out->n] = (struct pf_task){ .mandatory = s->mandatory, .interval_ns = ns };
	return (int)m->out->n++;
}

/* Instances of @metric that stay with the task; *ret_whole: all do. */
static unsigned count_instances(const struct maker *m, unsigned metric, int task, bool *ret_whole)
{
	unsigned n = 0;
	*ret_whole = false;
	for (int i = m->heads[metric]; i != NONE; i = m->claims[i].next) {
		const struct claim *c = &m->claims[i];
		*ret_whole |= c->task == task && c->whole;
		n += c->task == task && !c->whole && !c->gone;
	}
	return n;
}

static int fill_pick(struct maker *m, struct pf_pick *pick, unsigned metric, int task)
{
	bool whole;
	unsigned n = count_instances(m, metric, task, &whole);
	if (!whole && n == 0)
		return 0;
	*pick = (struct pf_pick){ .metric = metric };
	if (whole)
		return 1;
	struct pf_pick_instance *list = pf_arena_alloc(&m->out->memory, n * sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (int i = m->heads[metric]; i != NONE; i = m->claims[i].next) {
		const struct claim *c = &m->claims[i];
		if (c->task == task && !c->gone)
			list[pick->n++] = c->instance;
	}
	pick->instances = list;
	return 1;
}

static int fill_task(struct maker *m, int task)
{
	unsigned n_metrics = m->spec->catalog->n_metrics;
	struct pf_pick *list = pf_arena_alloc(&m->out->memory, (n_metrics + (size_t)1) * sizeof(*list));
	unsigned n = 0;
	for (unsigned k = 0; list && k < n_metrics; k++) {
		int rc = fill_pick(m, &list[n], k, task);
		if (rc < 0)
			return rc;
		n += (unsigned)rc;
	}
	m->out->list[task].picks = (struct pf_picks){ list, n };
	return list ? 0 : -ENOMEM;
}

/* Without those that nothing is left of; once before all else. */
static void order_tasks(struct pf_tasks *t)
{
	unsigned n = 0;
	for (unsigned i = 0; i < t->n; i++) {
		if (t->list[i].picks.n > 0)
			t->list[n++] = t->list[i];
	}
	t->n = n;
	for (unsigned done = 0, i = 0; i < n; i++) {
		struct pf_task one = t->list[i];
		if (one.interval_ns > 0)
			continue;
		memmove(&t->list[done + 1], &t->list[done], (i - done) * sizeof(one));
		t->list[done++] = one;
	}
}

static void make(struct maker *m)
{
	const struct pf_logconfig *c = m->spec->config;
	for (unsigned i = 0; i < c->n_statements && m->rc == 0; i++) {
		m->statement = &c->statements[i];
		m->task = m->statement->state == PF_LOG_ON ? task_of(m, m->statement) : NONE;
		for (unsigned k = 0; k < m->statement->n && m->rc == 0; k++)
			take_metric(m, &c->metrics[m->statement->first + k]);
	}
	for (unsigned i = 0; i < m->out->n && m->rc == 0; i++)
		m->rc = fill_task(m, (int)i);
	if (m->rc == 0)
		order_tasks(m->out);
}

int pf_tasks_make(struct pf_tasks *ret, const struct pf_tasks_spec *spec, struct pf_err *err)
{
	unsigned n = spec->catalog->n_metrics;
	struct maker m = { .spec = spec, .out = ret };
	*ret = (struct pf_tasks){ 0 };
	m.heads = calloc(3 * (size_t)n + 1, sizeof(*m.heads));
	if (!m.heads)
		return pf_err_set(err, -ENOMEM, "no memory for tasks");
	m.mandatory = m.heads + n;
	m.whole = m.mandatory + n;
	for (unsigned i = 0; i < n; i++)
		m.heads[i] = m.mandatory[i] = m.whole[i] = NONE;
	make(&m);
	free(m.heads);
	free(m.places);
	free(m.claims);
	if (m.rc < 0)
		pf_tasks_done(ret);
	return m.rc < 0 ? pf_err_set(err, m.rc, "no memory for tasks") : 0;
}

void pf_tasks_done(struct pf_tasks *t)
{
	free(t->list);
	pf_arena_done(&t->memory);
	*t = (struct pf_tasks){ 0 };
}

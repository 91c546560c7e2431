/* record/loggerlook.c - what of a configuration this host does not have: its instances are known when they were sampled once. */
#include "record/loggerstate.h"

static bool picks_instance(const struct pf_pick *pick, const struct pf_log_instance *want)
{
	for (unsigned i = 0; pick && i < pick->n; i++) {
		if (pick->instances[i].name == want->name && pick->instances[i].id == want->id)
			return true;
	}
	return false;
}

static bool has_instance(const struct pf_catalog *cat, unsigned metric, const struct pf_log_instance *want)
{
	const struct pf_pick_instance one = { .name = want->name, .id = want->id };
	const struct pf_indom *dom = pf_catalog_domain_of(cat, metric);
	for (unsigned slot = 0; dom && slot < dom->n; slot++) {
		if (pf_pick_instance_is(&one, dom->instances[slot].name, dom->instances[slot].id))
			return true;
	}
	return false;
}

static void look_at(const struct pf_logger *l, const struct pf_logger_task *t, const struct pf_log_metric *named,
		    const struct pf_log_instance *want, enum pf_log_state state)
{
	for (unsigned i = 0; i < t->picks->n; i++) {
		const struct pf_pick *pick = &t->picks->list[i];
		const char *name = l->catalog->metrics[pick->metric]->name;
		if (pf_catalog_names(named->name, name) && picks_instance(pick, want) &&
		    !has_instance(l->catalog, pick->metric, want))
			l->spec->watch->problem(l->spec->watch->arg,
						&(struct pf_task_problem){ .fault = PF_TASK_NO_INSTANCE,
									   .at = named->at,
									   .metric = name,
									   .instance = want,
									   .wanted = state });
	}
}

void pf_logger_look_at_instances(const struct pf_logger *l, const struct pf_logger_task *t)
{
	const struct pf_logconfig *c = l->spec->config;
	if (!c || !l->spec->watch || !l->spec->watch->problem || l->source)
		return;
	for (unsigned i = 0; i < c->n_statements; i++) {
		const struct pf_log_statement *s = &c->statements[i];
		for (unsigned k = s->first; s->state == PF_LOG_ON && k < s->first + s->n; k++) {
			const struct pf_log_metric *m = &c->metrics[k];
			for (unsigned n = 0; n < m->n_instances; n++)
				look_at(l, t, m, &c->instances[m->first_instance + n], s->state);
		}
	}
}

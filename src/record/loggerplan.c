/* record/loggerplan.c - who is asked for which task. A pmcd is asked by all of them; of this host each task reads the files of the groups that it needs,
 * by a source of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "groups/list.h"
#include "record/loggerstate.h"

static bool names_any(const struct pf_logconfig *c, const struct pf_group *g)
{
	for (unsigned i = 0; i < c->n_metrics; i++) {
		for (unsigned k = 0; k < g->n_metrics; k++) {
			if (pf_catalog_names(c->metrics[i].name, g->metrics[k].name))
				return true;
		}
	}
	return false;
}

/* Groups that the configuration names anything of become known. */
static int know_groups(struct pf_logger *l, struct pf_err *err)
{
	int rc = 0;
	for (unsigned i = 0; pf_groups[i] && rc == 0; i++) {
		unsigned base;
		if (names_any(l->spec->config, pf_groups[i]))
			rc = pf_group_base(l->catalog, pf_groups[i], &base, err);
	}
	return rc;
}

static bool picks_any(const struct pf_logger *l, const struct pf_picks *picks, const struct pf_group *g)
{
	for (unsigned k = 0; k < g->n_metrics; k++) {
		int m = pf_catalog_find(l->catalog, pf_view_of(g->metrics[k].name));
		if (m >= 0 && pf_pick_find(picks, (unsigned)m))
			return true;
	}
	return false;
}

static int open_own(struct pf_logger *l, struct pf_logger_task *t, struct pf_err *err)
{
	unsigned n = 0;
	for (unsigned i = 0; pf_groups[i] && n < PF_LOGGER_GROUPS; i++) {
		if (picks_any(l, t->picks, pf_groups[i]))
			t->groups[n++] = pf_groups[i];
	}
	t->groups[n] = NULL;
	const struct pf_source_spec from = {
		.root_fd = l->root_fd, .groups = t->groups, .interval_ns = t->interval_ns, .notice = l->spec->notice
	};
	t->owned = true;
	return pf_source_open(&t->source, &from, l->catalog, err);
}

/* The task that was planned before and is this one. */
static const struct pf_logger_task *find_before(const struct pf_logger_task *list, unsigned n,
						const struct pf_task *what)
{
	for (unsigned i = 0; i < n; i++) {
		if (list[i].interval_ns == what->interval_ns && list[i].what->mandatory == what->mandatory)
			return &list[i];
	}
	return NULL;
}

/* What is taken once is not taken again for the sake of a metric that is new, but that metric is. */
static struct pf_picks only_new(struct pf_picks picks, unsigned n_known)
{
	while (picks.n > 0 && picks.list[0].metric < n_known) {
		picks.list++;
		picks.n--;
	}
	return picks;
}

static int plan_task(struct pf_logger *l, struct pf_logger_task *t, struct pf_task *what,
		     const struct pf_logger_task *before, struct pf_err *err)
{
	if (before)
		*t = *before;
	else
		t->next_ns = l->tasks ? pf_time_mono_ns() : 0;
	if (before && before->taken && what->interval_ns == 0) {
		what->picks = only_new(what->picks, before->n_known);
		t->due = what->picks.n > 0;
	}
	t->what = what;
	t->picks = &what->picks;
	t->interval_ns = what->interval_ns;
	t->source = l->source;
	return l->source ? 0 : open_own(l, t, err);
}

static int adopt(struct pf_logger *l, struct pf_tasks *made, struct pf_err *err)
{
	struct pf_logger_task *list = calloc(made->n + (size_t)1, sizeof(*list));
	int rc = list ? 0 : pf_err_set(err, -ENOMEM, "no memory for tasks");
	for (unsigned i = 0; i < made->n && rc == 0; i++)
		rc = plan_task(l, &list[i], &made->list[i], find_before(l->tasks, l->n_tasks, &made->list[i]), err);
	if (rc < 0) {
		free(list);
		pf_tasks_done(made);
		return rc;
	}
	if (l->source)
		rc = l->source->kind->choose(l->source, NULL, err);
	free(l->tasks);
	pf_tasks_done(&l->made);
	l->made = *made;
	l->tasks = list;
	l->n_tasks = made->n;
	return rc;
}

int pf_logger_plan(struct pf_logger *l, bool told, struct pf_err *err)
{
	const struct pf_logger_watch *w = l->spec->watch;
	const struct pf_tasks_spec spec = { .config = l->spec->config,
					    .source = l->source,
					    .catalog = l->catalog,
					    .default_ns = l->spec->interval_ns,
					    .problem = told && w ? w->problem : NULL,
					    .arg = w ? w->arg : NULL };
	struct pf_tasks made;
	int rc = l->source ? 0 : know_groups(l, err);
	if (rc == 0)
		rc = pf_tasks_make(&made, &spec, err);
	l->n_metrics = l->catalog->n_metrics;
	return rc < 0 ? rc : adopt(l, &made, err);
}

/* engine/chosen.c - metrics and instances by name. */
#include "engine/chosen.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/notice.h"
#include "model/sample.h"
#include "model/select.h"

int pf_patterns_parse(struct pf_patterns *p, const char *name, const char *list, struct pf_err *err)
{
	unsigned n = 0;
	free(p->text);
	p->text = strdup(list);
	if (!p->text)
		return pf_err_set(err, -ENOMEM, "no memory");
	for (char *rest = p->text, *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
		if (word[0] == '\0' || n == PF_PATTERNS_MAX)
			return pf_err_set(err, -EINVAL, "%s takes 1 to %d names or patterns, separated by commas", name,
					  PF_PATTERNS_MAX);
		p->each[n++] = word;
	}
	p->each[n] = NULL;
	return 0;
}

void pf_patterns_done(struct pf_patterns *p)
{
	free(p->text);
	*p = (struct pf_patterns){ 0 };
}

void pf_chosen_open(struct pf_chosen *c, struct pf_catalog *catalog, const char *const *metrics,
		    const char *const *instances)
{
	*c = (struct pf_chosen){ .metrics = metrics, .instances = instances };
	catalog->wanted = metrics;
	catalog->instances = instances;
}

static unsigned count(const char *const *patterns)
{
	unsigned n = 0;
	while (patterns && patterns[n])
		n++;
	return n;
}

static uint64_t all_of(unsigned n)
{
	return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static bool is_complete(const char *const *patterns, uint64_t met)
{
	return met == all_of(count(patterns));
}

static int make_room(struct pf_chosen *c, unsigned n)
{
	if (n <= c->n_looked)
		return 0;
	bool *more = reallocarray(c->looked, n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + c->n_looked, 0, (n - c->n_looked) * sizeof(*more));
	c->looked = more;
	c->n_looked = n;
	return 0;
}

static void meet_metric(struct pf_chosen *c, const char *name)
{
	for (unsigned i = 0; c->metrics && c->metrics[i]; i++) {
		if (pf_catalog_names(c->metrics[i], name))
			c->met_metrics |= UINT64_C(1) << i;
	}
}

static void meet_instance(struct pf_chosen *c, const char *name)
{
	for (unsigned i = 0; c->instances && c->instances[i]; i++) {
		if (fnmatch(c->instances[i], name, 0) == 0)
			c->met_instances |= UINT64_C(1) << i;
	}
}

/* Instances of a metric that have values. Return: does the metric have one, or an error in place of all? */
static bool look_at_values(struct pf_chosen *c, const struct pf_step *step, unsigned metric)
{
	const struct pf_catalog *cat = step->catalog;
	const struct pf_indom *dom = pf_catalog_domain_of(cat, metric);
	int32_t code;
	bool any = pf_sample_failed(step->cur, metric, &code);
	bool names = dom && !is_complete(c->instances, c->met_instances);
	for (unsigned slot = 0; slot < (dom ? dom->n : 1) && (names || !any); slot++) {
		if (!pf_sample_has(step->cur, metric, slot))
			continue;
		any = true;
		if (names)
			meet_instance(c, dom->instances[slot].name);
	}
	return any;
}

int pf_chosen_look(struct pf_chosen *c, const struct pf_step *step)
{
	const struct pf_catalog *cat = step->catalog;
	bool all_metrics = is_complete(c->metrics, c->met_metrics);
	bool all_instances = is_complete(c->instances, c->met_instances);
	if (all_metrics && all_instances)
		return 0;
	int rc = make_room(c, cat->n_metrics);
	for (unsigned m = 0; m < cat->n_metrics && rc == 0; m++) {
		bool idle = c->looked[m] && (all_instances || !pf_catalog_domain_of(cat, m));
		if (cat->hidden[m] || idle || !look_at_values(c, step, m) || c->looked[m])
			continue;
		c->looked[m] = true;
		meet_metric(c, cat->metrics[m]->name);
	}
	return rc;
}

/* @what: "metric" or "instance", of which @in has none. */
static int tell(const char *const *patterns, uint64_t met, const char *what, const char *in,
		const struct pf_notice *notice, struct pf_err *err)
{
	struct pf_buf list = { 0 };
	for (unsigned i = 0; patterns && patterns[i]; i++) {
		if (met & UINT64_C(1) << i)
			continue;
		pf_buf_str(&list, list.n > 0 ? ", " : "");
		pf_buf_fmt(&list, "'%s'", patterns[i]);
	}
	int rc = 0;
	if (list.failed)
		rc = pf_err_set(err, list.failed, "no memory");
	else if (list.n > 0 && met == 0)
		rc = pf_err_set(err, -ENODATA,
				"%s: no %s with a value is called %s; perfolio info --metrics lists them", in, what,
				list.p);
	else if (list.n > 0)
		pf_notice(notice, PF_WARNING, "%s: no %s with a value is called %s", in, what, list.p);
	pf_buf_done(&list);
	return rc;
}

int pf_chosen_tell(const struct pf_chosen *c, const char *in, const struct pf_notice *notice, struct pf_err *err)
{
	int rc = tell(c->metrics, c->met_metrics, "metric", in, notice, err);
	return rc == 0 ? tell(c->instances, c->met_instances, "instance", in, notice, err) : rc;
}

void pf_chosen_done(struct pf_chosen *c)
{
	free(c->looked);
	*c = (struct pf_chosen){ 0 };
}

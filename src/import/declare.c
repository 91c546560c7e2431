/* import/declare.c - declared metrics of modules: rows of the catalog with PMIDs of their own domain, and values for them.
 * PMIDs: domain PF_DOMAIN_MODULE, cluster hashed from the key, item by order of declaration (docs/formats.md). */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "import/host.h"

enum { N_CLUSTERS = 4096 };

/* FNV-1a, folded to the 12 bits of a cluster; 0 is kept free. */
static unsigned cluster_of_key(const char *key)
{
	uint32_t h = UINT32_C(2166136261);
	for (const char *p = key; *p != '\0'; p++)
		h = (h ^ (unsigned char)*p) * UINT32_C(16777619);
	return ((h >> 12) ^ h) % (N_CLUSTERS - 1) + 1;
}

static bool cluster_is_taken(const struct pf_catalog *cat, unsigned cluster)
{
	for (unsigned i = 0; i < cat->n_metrics; i++) {
		if (cat->metrics[i]->pmid >> 10 == PF_PMID(PF_DOMAIN_MODULE, cluster, 0) >> 10)
			return true;
	}
	return false;
}

/* Words of units as PCP writes them. */
static int units_of(const char *word, struct pf_units *ret_units)
{
	static const struct {
		const char *word;
		struct pf_units units;
	} known[] = {
		{ "", PF_UNITS_NONE },
		{ "none", PF_UNITS_NONE },
		{ "count", PF_UNITS_COUNT },
		{ "byte", PF_UNITS_BYTE },
		{ "Kbyte", PF_UNITS_KBYTE },
		{ "Mbyte", { .space = 1, .space_scale = PF_SPACE_MBYTE } },
		{ "nanosec", { .time = 1, .time_scale = PF_TIME_NSEC } },
		{ "microsec", { .time = 1, .time_scale = PF_TIME_USEC } },
		{ "millisec", PF_UNITS_MSEC },
		{ "sec", PF_UNITS_SEC },
	};
	for (unsigned i = 0; i < PF_N(known); i++) {
		if (strcmp(word, known[i].word) == 0) {
			*ret_units = known[i].units;
			return 0;
		}
	}
	return -EINVAL;
}

/* Dotted parts of a letter and letters, digits, underscores: what PCP takes as a name. */
static bool is_metric_name(const char *name)
{
	bool start = true;
	for (const char *p = name; *p != '\0'; p++) {
		bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
		bool digit = *p >= '0' && *p <= '9';
		if (start ? !letter : !(letter || digit || *p == '_' || *p == '.'))
			return false;
		start = *p == '.';
	}
	return !start && strlen(name) < 80;
}

static bool is_type(enum perfolio_type type)
{
	return (int)type >= PERFOLIO_S32 && (int)type <= PERFOLIO_STRING;
}

static bool is_semantics(enum perfolio_semantics sem)
{
	return sem == PERFOLIO_COUNTER || sem == PERFOLIO_INSTANT || sem == PERFOLIO_DISCRETE;
}

/* At most 8 printable bytes: the heading given, or the last part of the name. */
static void take_heading(struct pf_declared *d, const char *heading, const char *name)
{
	if (!heading || heading[0] == '\0') {
		const char *dot = strrchr(name, '.');
		heading = dot ? dot + 1 : name;
	}
	size_t n = 0;
	for (; n < 8 && heading[n] != '\0'; n++)
		d->heading[n] = heading[n] > ' ' && heading[n] < 0x7f ? heading[n] : '_';
	d->heading[n] = '\0';
}

/* The number of a domain: they count in order of their first mention. -E2BIG: too many. */
static int domain_number(struct pf_module *m, const char *domain)
{
	for (unsigned i = 0; i < m->n_domains; i++) {
		if (strcmp(m->domains[i], domain) == 0)
			return (int)i;
	}
	if (m->n_domains == PF_MODULE_DOMAINS_MAX)
		return -E2BIG;
	m->domains[m->n_domains] = domain;
	return (int)m->n_domains++;
}

/* The cluster of the next metric. One that another module's key hashes to as well: the next free one. */
static unsigned cluster_of(struct pf_module *m)
{
	unsigned part = m->n_declared / PF_MODULE_ITEMS;
	if (m->n_declared % PF_MODULE_ITEMS == 0) {
		unsigned cluster = cluster_of_key(m->key);
		for (unsigned tries = 0; tries < N_CLUSTERS && cluster_is_taken(m->imp->catalog, cluster); tries++)
			cluster = cluster % (N_CLUSTERS - 1) + 1;
		m->clusters[part] = cluster;
	}
	return m->clusters[part];
}

static struct pf_declared *free_declared(struct pf_declared *d)
{
	if (d) {
		free(d->domain);
		free(d->help);
		free(d);
	}
	return NULL;
}

void pf_module_undeclare(struct pf_module *m)
{
	for (unsigned i = 0; i < m->n_declared; i++)
		(void)free_declared(m->declared[i]);
	free(m->declared);
	m->declared = NULL;
	m->n_declared = 0;
}

static int check_metric(const struct pf_module *m, const struct perfolio_metric *given, struct pf_err *err)
{
	if (!given->name || !is_metric_name(given->name))
		return pf_err_set(err, -EINVAL, "'%.80s' is no metric name (dotted words of letters, digits and _)",
				  given->name ? given->name : "");
	if (!is_type(given->type) || !is_semantics(given->semantics))
		return pf_err_set(err, -EINVAL, "metric %s: there is no such type or semantics", given->name);
	if (given->type == PERFOLIO_STRING && given->semantics == PERFOLIO_COUNTER)
		return pf_err_set(err, -EINVAL, "metric %s: a text cannot be a counter", given->name);
	if (m->n_declared == PF_MODULE_METRICS_MAX)
		return pf_err_set(err, -E2BIG, "metric %s: there are %d already", given->name, PF_MODULE_METRICS_MAX);
	return 0;
}

/* The row of the catalog, made of what was given. */
static int fill_row(struct pf_module *m, struct pf_declared *d, const struct perfolio_metric *given, struct pf_err *err)
{
	(void)snprintf(d->name, sizeof(d->name), "%s.%s", m->is.name, given->name);
	take_heading(d, given->heading, given->name);
	d->domain = given->domain ? strdup(given->domain) : NULL;
	d->help = strdup(given->help ? given->help : "");
	d->aside = given->heading && given->heading[0] == '\0';
	if ((given->domain && !d->domain) || !d->help)
		return pf_err_set(err, -ENOMEM, "no memory");
	unsigned cluster = cluster_of(m);
	d->row = (struct pf_metric){
		.name = d->name,
		.pmid = PF_PMID(PF_DOMAIN_MODULE, cluster, m->n_declared % PF_MODULE_ITEMS),
		.indom = PF_INDOM_NONE,
		.type = (enum pf_type)given->type,
		.sem = (enum pf_semantics)given->semantics,
		.help = d->help,
	};
	if (units_of(given->units ? given->units : "", &d->row.units) < 0)
		return pf_err_set(err, -EINVAL, "metric %s: there are no units '%.40s'", d->name, given->units);
	int number = d->domain ? domain_number(m, d->domain) : 0;
	if (number < 0)
		return pf_err_set(err, number, "metric %s: more than %d domains of instances", d->name,
				  PF_MODULE_DOMAINS_MAX);
	if (d->domain)
		d->row.indom = PF_INDOM(PF_DOMAIN_MODULE, m->clusters[0] << 10 | (unsigned)number);
	return 0;
}

static int declare(struct pf_module *m, const struct perfolio_metric *given, struct pf_err *err)
{
	int rc = check_metric(m, given, err);
	if (rc < 0)
		return rc;
	if (m->n_declared == m->cap_declared) {
		unsigned cap = m->cap_declared ? 2 * m->cap_declared : 16;
		struct pf_declared **more = reallocarray(m->declared, cap, sizeof(struct pf_declared *));
		if (!more)
			return pf_err_set(err, -ENOMEM, "no memory");
		m->declared = more;
		m->cap_declared = cap;
	}
	struct pf_declared *d = calloc(1, sizeof(*d));
	if (!d)
		return pf_err_set(err, -ENOMEM, "no memory");
	unsigned n_domains = m->n_domains;
	rc = fill_row(m, d, given, err);
	if (rc == 0 && pf_catalog_find(m->imp->catalog, pf_view_of(d->name)) >= 0)
		rc = pf_err_set(err, -EEXIST, "metric %s is declared twice", d->name);
	if (rc == 0)
		rc = pf_catalog_add(m->imp->catalog, &d->row, 1, &d->index, err);
	if (rc < 0) {
		m->n_domains = n_domains;
		(void)free_declared(d);
		return rc;
	}
	m->declared[m->n_declared++] = d;
	return 0;
}

/* Metrics may be of an older, shorter form: their size is the step of the array. */
static const struct perfolio_metric *metric_at(const struct perfolio_setup *setup, unsigned i)
{
	return (const struct perfolio_metric *)(const void *)((const char *)setup->metrics +
							      (size_t)setup->metrics[0].size * i);
}

static bool is_size(uint32_t size)
{
	return size >= sizeof(struct perfolio_metric) && size <= 1024;
}

int pf_module_declare_all(struct pf_module *m, const struct perfolio_setup *setup, struct pf_err *err)
{
	if (!setup->metrics || setup->n_metrics == 0)
		return 0;
	if (setup->n_metrics > PF_MODULE_METRICS_MAX)
		return pf_err_set(err, -E2BIG, "module %s: declares %u metrics, more than %d", m->is.name,
				  (unsigned)setup->n_metrics, PF_MODULE_METRICS_MAX);
	if (!is_size(setup->metrics[0].size))
		return pf_err_set(err, -EINVAL, "module %s: a declared metric of %u bytes", m->is.name,
				  (unsigned)setup->metrics[0].size);
	for (unsigned i = 0; i < setup->n_metrics; i++) {
		int rc = metric_at(setup, i)->size != setup->metrics[0].size
				 ? pf_err_set(err, -EINVAL, "declared metric %u: its size is not that of the first", i)
				 : declare(m, metric_at(setup, i), err);
		if (rc < 0)
			return pf_err_context(err, rc, "module %s", m->is.name);
	}
	return 0;
}

int pf_module_declare(struct perfolio_ctx *ctx, const struct perfolio_metric *metric)
{
	struct pf_module *m = pf_module_of(ctx);
	struct pf_err err = { 0 };
	int rc = !metric || !is_size(metric->size) || !m->key
			 ? pf_err_set(&err, -EINVAL, "a metric was declared the wrong way")
			 : declare(m, metric, &err);
	if (rc == 0)
		return (int)m->n_declared - 1;
	if (!m->told_metric)
		pf_notice(m->imp->notice, PF_WARNING, "module %s: %s, ignoring it", m->is.name, err.text);
	m->told_metric = true;
	return rc;
}

/* Turn a given number into the declared type. Return: false if it does not fit. */
static bool convert(enum pf_type type, enum perfolio_type given, union pf_value in, union pf_value *ret_v)
{
	double d = given == PERFOLIO_DOUBLE ? in.d : given == PERFOLIO_S64 ? (double)in.i : (double)in.u;
	switch (type) {
	case PF_S32:
	case PF_S64: {
		double top = type == PF_S32 ? 2147483648.0 : 9223372036854775808.0;
		if (!(d >= -top && d < top))
			return false;
		ret_v->i = given == PERFOLIO_DOUBLE ? (int64_t)in.d : in.i;
		return true;
	}
	case PF_U32:
	case PF_U64: {
		double top = type == PF_U32 ? 4294967296.0 : 18446744073709551616.0;
		if (given == PERFOLIO_U64 && type == PF_U64) {
			ret_v->u = in.u;
			return true;
		}
		if (!(d >= 0 && d < top))
			return false;
		ret_v->u = given == PERFOLIO_DOUBLE ? (uint64_t)in.d : in.u;
		return true;
	}
	case PF_FLOAT:
	case PF_DOUBLE:
		ret_v->d = d;
		return isfinite(d);
	case PF_STRING:
	case PF_AGGREGATE:
	case PF_EVENTS:
	case PF_HIGHRES_EVENTS:
		return false;
	}
	return false;
}

static void refuse_value(struct pf_module *m, uint32_t metric, const char *why)
{
	if (!m->told_value)
		pf_notice(m->imp->notice, PF_WARNING, "module %s: value of metric %s: %s, ignoring such values",
			  m->is.name, metric < m->n_declared ? m->declared[metric]->name : "that is not declared", why);
	m->told_value = true;
}

void pf_module_set(struct pf_module *m, uint32_t metric, const char *instance, enum perfolio_type given,
		   union pf_value v)
{
	struct pf_sample *sample = m->imp->sample;
	if (metric >= m->n_declared) {
		refuse_value(m, metric, "there is no such number");
		return;
	}
	if (!sample)
		return;
	struct pf_declared *d = m->declared[metric];
	const struct pf_metric *row = &d->row;
	if (!instance != pf_metric_is_singular(row)) {
		refuse_value(m, metric, instance ? "it has no instances" : "an instance must be named");
		return;
	}
	if ((row->type == PF_STRING) != (given == PERFOLIO_STRING)) {
		refuse_value(m, metric, "text and number are mixed up");
		return;
	}
	if (row->type == PF_STRING) {
		v.s = pf_arena_dup(&sample->arenas[PF_EACH_INTERVAL], pf_view_of(v.s));
		if (!v.s)
			return;
	} else if (!convert(row->type, given, v, &v)) {
		refuse_value(m, metric, "it does not fit the type");
		return;
	}

	unsigned slot = 0;
	if (instance) {
		struct pf_indom *dom = pf_catalog_domain_of(m->imp->catalog, d->index);
		int found = pf_indom_slot(dom, pf_view_of(instance), d->hint, -1, sample->seq);
		if (found < 0)
			return;
		slot = (unsigned)found;
		d->hint = slot + 1;
	}
	if (m->imp->watch && m->imp->watch->value)
		m->imp->watch->value(m->imp->watch->arg, d->index);
	pf_sample_touched(sample);
	(void)pf_sample_set(sample, d->index, slot, v); /* without memory this value is lost */
}

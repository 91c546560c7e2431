/* modules/feed/values.c - see values.h. */
#include "values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/feed/family.h"

enum { DOMAINS_OWN = 900 }; /* the host has 1000 domains for a module; past these, metrics share one */

int pf_values_init(struct pf_values *v, struct perfolio_ctx *ctx, const char *show, unsigned max, bool dotted)
{
	*v = (struct pf_values){ .ctx = ctx, .max = max, .dotted = dotted };
	if (!show)
		return 0;
	if (regcomp(&v->show, show, REG_EXTENDED | REG_NOSUB) != 0)
		return -EINVAL;
	v->shows = true;
	return 0;
}

void pf_values_done(struct pf_values *v)
{
	for (unsigned i = 0; i < v->n; i++)
		free(v->rows[i].given);
	for (unsigned i = 0; i < v->n_names; i++)
		free(v->names[i]);
	free(v->rows);
	free(v->heads);
	free(v->names);
	if (v->shows)
		regfree(&v->show);
	*v = (struct pf_values){ 0 };
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

void pf_values_name(struct pf_view given, const char *module, bool dotted, char ret_name[PF_VALUE_NAME_MAX + 1])
{
	struct pf_view rest = given;
	size_t skip = strlen(module);
	if (rest.n > skip + 1 && memcmp(rest.p, module, skip) == 0 && rest.p[skip] == '_') {
		rest.p += skip + 1;
		rest.n -= skip + 1;
	}
	size_t n = 0;
	bool start = true, cut = false;
	for (size_t i = 0; i < rest.n; i++) {
		bool last = i + 1 == rest.n;
		char c = is_word(rest.p[i]) || (dotted && rest.p[i] == '.' && !start && !last) ? rest.p[i] : '_';
		if (n + 2 > PF_VALUE_NAME_MAX) {
			cut = true;
			break;
		}
		if (start && !is_letter(c))
			ret_name[n++] = 'x';
		ret_name[n++] = c;
		start = c == '.';
	}
	if (n == 0)
		ret_name[n++] = 'x';
	if (cut) {
		n = PF_VALUE_NAME_MAX - 9;
		n -= ret_name[n - 1] == '.';
		n += (size_t)snprintf(ret_name + n, 10, "_%08x", (unsigned)pf_feed_hash(given, PF_FEED_SEED));
	}
	ret_name[n] = '\0';
	if (strcmp(ret_name, "scrape") == 0 || strncmp(ret_name, "scrape.", 7) == 0) {
		memmove(ret_name + 7, ret_name + 6, n - 6 < PF_VALUE_NAME_MAX - 7 ? n - 5 : PF_VALUE_NAME_MAX - 6);
		ret_name[6] = '_';
		ret_name[PF_VALUE_NAME_MAX] = '\0';
	}
}

static bool cut_end(struct pf_view *v, const char *end)
{
	size_t n = strlen(end);
	if (v->n <= n || memcmp(v->p + v->n - n, end, n) != 0)
		return false;
	v->n -= n;
	return true;
}

void pf_values_heading(const char *name, char ret_heading[9])
{
	struct pf_view v = pf_view_of(name);
	(void)cut_end(&v, "_total");
	if (!cut_end(&v, "_bytes"))
		(void)cut_end(&v, "_seconds");
	size_t from = v.n;
	for (size_t at = v.n; at-- > 0 && v.n - at <= 8;) {
		if (at == 0)
			from = 0;
		else if (v.p[at - 1] == '_' || v.p[at - 1] == '.')
			from = at;
	}
	if (from == v.n)
		from = v.n > 8 ? v.n - 8 : 0;
	memcpy(ret_heading, v.p + from, v.n - from);
	ret_heading[v.n - from] = '\0';
}

const char *pf_values_units(struct pf_view word)
{
	static const struct {
		const char *word, *units;
	} known[] = {
		{ "seconds", "sec" },
		{ "second", "sec" },
		{ "s", "sec" },
		{ "sec", "sec" },
		{ "milliseconds", "millisec" },
		{ "ms", "millisec" },
		{ "millisec", "millisec" },
		{ "microseconds", "microsec" },
		{ "us", "microsec" },
		{ "microsec", "microsec" },
		{ "nanoseconds", "nanosec" },
		{ "ns", "nanosec" },
		{ "nanosec", "nanosec" },
		{ "bytes", "byte" },
		{ "byte", "byte" },
		{ "B", "byte" },
		{ "kilobytes", "Kbyte" },
		{ "KB", "Kbyte" },
		{ "Kbyte", "Kbyte" },
		{ "megabytes", "Mbyte" },
		{ "MB", "Mbyte" },
		{ "Mbyte", "Mbyte" },
		{ "count", "count" },
	};
	for (unsigned i = 0; i < PF_N(known); i++) {
		if (pf_view_is(word, known[i].word))
			return known[i].units;
	}
	return "";
}

static void put(struct pf_values *v, unsigned row)
{
	unsigned at = (unsigned)v->rows[row].hash;
	while (v->heads[at & (v->n_heads - 1)] != 0)
		at++;
	v->heads[at & (v->n_heads - 1)] = row + 1;
}

static struct pf_value_metric *find(const struct pf_values *v, struct pf_view given, uint64_t hash)
{
	for (unsigned at = (unsigned)hash; v->n_heads > 0; at++) {
		unsigned head = v->heads[at & (v->n_heads - 1)];
		if (head == 0)
			return NULL;
		struct pf_value_metric *row = &v->rows[head - 1];
		if (row->hash == hash && pf_view_is(given, row->given))
			return row;
	}
	return NULL;
}

static struct pf_value_metric *add(struct pf_values *v, struct pf_view given, uint64_t hash)
{
	if (v->n == v->cap) {
		unsigned cap = v->cap ? 2 * v->cap : 64;
		struct pf_value_metric *rows = reallocarray(v->rows, cap, sizeof(*rows));
		if (!rows)
			return NULL;
		v->rows = rows;
		v->cap = cap;
	}
	if (2 * (v->n + 1) > v->n_heads) {
		unsigned n_heads = v->n_heads ? 2 * v->n_heads : 256;
		unsigned *heads = calloc(n_heads, sizeof(*heads));
		if (!heads)
			return NULL;
		free(v->heads);
		v->heads = heads;
		v->n_heads = n_heads;
		for (unsigned i = 0; i < v->n; i++)
			put(v, i);
	}
	char *copy = pf_view_dup(given);
	if (!copy)
		return NULL;
	v->rows[v->n] = (struct pf_value_metric){ copy, hash, -1, -1 };
	put(v, v->n++);
	return &v->rows[v->n - 1];
}

/* A name cannot be a value and have others below it. */
static bool is_below(const char *a, const char *b)
{
	size_t n = strlen(a);
	return strncmp(a, b, n) == 0 && (b[n] == '.' || b[n] == '\0');
}

static int keep_name(struct pf_values *v, const char *name)
{
	for (unsigned i = 0; i < v->n_names; i++) {
		if (is_below(v->names[i], name) || is_below(name, v->names[i]))
			return -EEXIST;
	}
	if (v->n_names == v->cap_names) {
		unsigned cap = v->cap_names ? 2 * v->cap_names : 64;
		char **names = reallocarray(v->names, cap, sizeof(*names));
		if (!names)
			return -ENOMEM;
		v->names = names;
		v->cap_names = cap;
	}
	v->names[v->n_names] = strdup(name);
	if (!v->names[v->n_names])
		return -ENOMEM;
	v->n_names++;
	return 0;
}

static int declare(struct pf_values *v, const struct perfolio_metric *metric)
{
	int rc = keep_name(v, metric->name);
	return rc < 0 ? rc : v->ctx->host->declare(v->ctx, metric);
}

int pf_values_own(struct pf_values *v, const char *name, const char *heading, bool counter, const char *units,
		  const char *help)
{
	const struct perfolio_metric metric = { .size = sizeof(metric),
						.name = name,
						.type = PERFOLIO_DOUBLE,
						.semantics = counter ? PERFOLIO_COUNTER : PERFOLIO_INSTANT,
						.units = units,
						.heading = v->shows || !heading ? "" : heading,
						.help = help };
	return declare(v, &metric);
}

/* The metric for values with or without an instance; names have room for the ending. */
static int declare_given(struct pf_values *v, const struct pf_value_in *in, bool instances, bool second)
{
	char name[PF_VALUE_NAME_MAX + 1], heading[9] = "";
	pf_values_name(in->name, v->ctx->name, v->dotted, name);
	size_t n = strlen(name);
	static const char ending[] = "_labels";
	if (second)
		(void)snprintf(name + (n + sizeof(ending) <= sizeof(name) ? n : sizeof(name) - sizeof(ending)),
			       sizeof(ending), "%s", ending);
	if (v->shows && regexec(&v->show, name, 0, NULL, 0) == 0)
		pf_values_heading(name, heading);
	pf_autofree char *help = pf_view_dup(in->help);
	const struct perfolio_metric metric = { .size = sizeof(metric),
						.name = name,
						.domain = !instances		     ? NULL
							  : v->n_names < DOMAINS_OWN ? name
										     : "others",
						.type = PERFOLIO_DOUBLE,
						.semantics = in->counter ? PERFOLIO_COUNTER : PERFOLIO_INSTANT,
						.units = in->units,
						.heading = heading,
						.help = help };
	return declare(v, &metric);
}

/* The number of the metric for this value, which is declared when it is first seen. */
static int number_of(struct pf_values *v, struct pf_value_metric *row, const struct pf_value_in *in,
		     const char **ret_why)
{
	bool instances = in->instance.n > 0;
	int *number = instances ? &row->labelled : &row->number;
	if (*number == -1) {
		*number = declare_given(v, in, instances, instances && row->number >= 0);
		*ret_why = *number == -EEXIST ? "another metric has the same name already, or one below or above it"
					      : "it cannot be declared";
		if (*number < 0) {
			int rc = *number;
			*number = -2;
			return rc;
		}
	}
	*ret_why = "it was refused before";
	return *number >= 0 ? *number : -EEXIST;
}

int pf_values_set(struct pf_values *v, const struct pf_value_in *in, const char **ret_why)
{
	uint64_t hash = pf_feed_hash(in->name, PF_FEED_SEED);
	struct pf_value_metric *row = find(v, in->name, hash);
	if (!row && v->n >= v->max) {
		*ret_why = "there are more metrics than allowed";
		return -E2BIG;
	}
	if (!row)
		row = add(v, in->name, hash);
	if (!row) {
		*ret_why = "no memory";
		return -ENOMEM;
	}
	/* Where there are instances already, the one value without gets a name, too. */
	struct pf_value_in use = *in;
	if (use.instance.n == 0 && row->labelled >= 0 && row->number < 0)
		use.instance = PF_VIEW("-");
	int number = number_of(v, row, &use, ret_why);
	if (number < 0 || !isfinite(use.value))
		return number < 0 ? number : 0;
	char instance[PF_VALUE_INSTANCE_MAX + 1];
	size_t n = use.instance.n < PF_VALUE_INSTANCE_MAX ? use.instance.n : PF_VALUE_INSTANCE_MAX;
	memcpy(instance, use.instance.p, n);
	instance[n] = '\0';
	v->ctx->host->set_double(v->ctx, (uint32_t)number, n > 0 ? instance : NULL, use.value);
	return 0;
}

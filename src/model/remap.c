/* model/remap.c - one name for another. */
#include "model/remap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/filter.h"

enum { MAX_RULES = 64 };

struct rule {
	regex_t regex;
	struct pf_view text;
};

struct pf_remap {
	char *words;
	struct rule rules[MAX_RULES];
	unsigned n;
};

/* PATTERN:TEXT; what stands behind a second colon is passed over, as in collectl. */
static int add_rule(struct pf_remap *r, struct pf_view rule, struct pf_err *err)
{
	const char *colon = memchr(rule.p, ':', rule.n);
	if (!colon)
		return pf_err_set(err, -EINVAL, "'%.*s' lacks the colon between the pattern and the new name",
				  (int)rule.n, rule.p);
	if (r->n == MAX_RULES)
		return pf_err_set(err, -EINVAL, "more than %d rules", MAX_RULES);
	struct pf_view text = { colon + 1, rule.n - (size_t)(colon + 1 - rule.p) };
	const char *more = memchr(text.p, ':', text.n);
	if (more)
		text.n = (size_t)(more - text.p);
	int rc = pf_filter_regex(&r->rules[r->n].regex, (struct pf_view){ rule.p, (size_t)(colon - rule.p) }, err);
	if (rc < 0)
		return rc;
	r->rules[r->n++].text = text;
	return 0;
}

int pf_remap_new(struct pf_remap **ret_remap, const char *text, struct pf_err *err)
{
	struct pf_remap *r = calloc(1, sizeof(*r));
	if (!r)
		return pf_err_set(err, -ENOMEM, "no memory for new names");
	r->words = strdup(text);
	int rc = r->words ? 0 : pf_err_set(err, -ENOMEM, "no memory for new names");
	struct pf_view rest = pf_view_of(r->words ? r->words : "");
	do {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct pf_view rule = { rest.p, comma ? (size_t)(comma - rest.p) : rest.n };
		rest = comma ? (struct pf_view){ comma + 1, rest.n - rule.n - 1 } : (struct pf_view){ rest.p, 0 };
		rc = rc < 0 ? rc : add_rule(r, rule, err);
	} while (rc == 0 && rest.n > 0);
	if (rc < 0) {
		(void)pf_remap_free(r);
		return rc;
	}
	*ret_remap = r;
	return 0;
}

struct pf_remap *pf_remap_free(struct pf_remap *r)
{
	for (unsigned i = 0; r && i < r->n; i++)
		regfree(&r->rules[i].regex);
	if (r)
		free(r->words);
	free(r);
	return NULL;
}

/* Put the rule's text in place of what matched; false if nothing did, or the result is too long. */
static bool apply(const struct rule *rule, char name[PF_REMAP_NAME_MAX])
{
	regmatch_t m;
	if (regexec(&rule->regex, name, 1, &m, 0) != 0)
		return false;
	size_t from = (size_t)m.rm_so;
	size_t to = (size_t)m.rm_eo;
	size_t n = strlen(name);
	if (from + rule->text.n + (n - to) >= PF_REMAP_NAME_MAX)
		return false;
	memmove(name + from + rule->text.n, name + to, n - to + 1);
	memcpy(name + from, rule->text.p, rule->text.n);
	return true;
}

struct pf_view pf_remap_name(const struct pf_remap *r, struct pf_view name, char buf[PF_REMAP_NAME_MAX])
{
	if (!r || name.n >= PF_REMAP_NAME_MAX)
		return name;
	memcpy(buf, name.p, name.n);
	buf[name.n] = '\0';
	bool any = false;
	for (unsigned i = 0; i < r->n; i++)
		any |= apply(&r->rules[i], buf);
	return any ? pf_view_of(buf) : name;
}

/* model/choice.c - expressions over lines. */
#include "model/choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/filter.h"

enum { LINE_MAX_BYTES = 512 };

struct pf_choice {
	bool has_want, has_ignore, add;
	regex_t want, ignore;
};

int pf_choice_new(struct pf_choice **ret_choice, const char *want, bool add, const char *ignore, struct pf_err *err)
{
	struct pf_choice *c = calloc(1, sizeof(*c));
	if (!c)
		return pf_err_set(err, -ENOMEM, "no memory for a filter");
	c->add = add;
	int rc = want ? pf_filter_regex(&c->want, pf_view_of(want), err) : 0;
	c->has_want = want && rc == 0;
	if (rc == 0 && ignore) {
		rc = pf_filter_regex(&c->ignore, pf_view_of(ignore), err);
		c->has_ignore = rc == 0;
	}
	if (rc < 0) {
		(void)pf_choice_free(c);
		return rc;
	}
	*ret_choice = c;
	return 0;
}

struct pf_choice *pf_choice_free(struct pf_choice *c)
{
	if (c && c->has_want)
		regfree(&c->want);
	if (c && c->has_ignore)
		regfree(&c->ignore);
	free(c);
	return NULL;
}

bool pf_choice_takes(const struct pf_choice *c, struct pf_view line, bool usual)
{
	char text[LINE_MAX_BYTES];
	size_t n = line.n < sizeof(text) ? line.n : sizeof(text) - 1;
	memcpy(text, line.p, n);
	text[n] = '\0';
	if (c->has_ignore && regexec(&c->ignore, text, 0, NULL, 0) == 0)
		return false;
	if (c->has_want && regexec(&c->want, text, 0, NULL, 0) == 0)
		return true;
	return usual && (!c->has_want || c->add);
}

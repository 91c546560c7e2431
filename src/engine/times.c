/* engine/times.c - intervals and lengths of time as people type them. */
#include <errno.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "engine/plan.h"

enum { SECONDS_MAX = 1000000000 };

/* @words: units may follow; else it is a number of seconds alone, which is all that collectl knows. */
static int duration_of(struct pf_view text, bool words, int64_t *ret_ns)
{
	int64_t ns;
	for (size_t i = 0; !words && i < text.n; i++) {
		if (!strchr("0123456789.eE+-", text.p[i]) || text.p[i] == '\0')
			return -EINVAL;
	}
	int rc = pf_duration_parse(text, &ns);
	if (rc < 0)
		return rc;
	if (ns > SECONDS_MAX * PF_NS_PER_SEC)
		return -ERANGE;
	*ret_ns = ns;
	return 0;
}

int pf_times_interval(const char *text, bool words, int64_t ret_ns[3], struct pf_err *err)
{
	int64_t ns[3] = { 0, -1, -1 };
	struct pf_view rest = pf_view_of(text);
	for (unsigned i = 0;; i++) {
		const char *colon = memchr(rest.p, ':', rest.n);
		struct pf_view part = { rest.p, colon ? (size_t)(colon - rest.p) : rest.n };
		if (i > 2 || (part.n == 0 && i == 0 && !colon) || (part.n > 0 && duration_of(part, words, &ns[i]) < 0))
			return pf_err_set(
				err, -EINVAL,
				"interval '%s' is not in seconds, as 5, 0.5 or 5:60 (processes and slabs every 60)%s",
				text, words ? ", nor with units, as 500msec or 1min" : "");
		if (part.n == 0 && i == 0)
			ns[0] = PF_NS_PER_SEC;
		if (!colon)
			break;
		rest = (struct pf_view){ colon + 1, rest.n - part.n - 1 };
	}
	memcpy(ret_ns, ns, sizeof(ns));
	return 0;
}

int pf_times_runtime(const char *text, bool words, int64_t *ret_ns, struct pf_err *err)
{
	size_t n = strlen(text);
	bool peer = n > 1 && strchr("wdhms", text[n - 1]) && strspn(text, "0123456789") == n - 1;
	int64_t ns;
	if ((words || peer) && duration_of(pf_view_of(text), true, &ns) == 0) {
		*ret_ns = ns;
		return 0;
	}
	return words ? pf_err_set(err, -EINVAL, "-R %s: a time is such as %s, 2w", text, PF_DURATION_FORMS)
		     : pf_err_set(err, -EINVAL, "invalid -R format");
}

int pf_times_span(const char *text, int64_t *ret_ns, struct pf_err *err)
{
	struct pf_view rest = pf_view_trim(pf_view_of(text));
	bool back = pf_view_starts(rest, "-");
	size_t sign = back || pf_view_starts(rest, "+");
	int64_t ns = 0;
	if (duration_of((struct pf_view){ rest.p + sign, rest.n - sign }, true, &ns) < 0)
		return pf_err_set(err, -EINVAL, "'%s' is no time, as " PF_DURATION_FORMS, text);
	*ret_ns = back ? -ns : ns;
	return 0;
}

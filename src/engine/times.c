/* engine/times.c - intervals, durations and moments as people type them. */
#include <errno.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "engine/plan.h"

enum { DAY_SECONDS = 86400 };

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

/* One or two digits up to a colon or the end; -1 if there are none. */
static int small_number(struct pf_view *rest)
{
	size_t n = 0;
	int v = 0;
	while (n < rest->n && n < 2 && rest->p[n] >= '0' && rest->p[n] <= '9') {
		v = v * 10 + (rest->p[n] - '0');
		n++;
	}
	if (n == 0 || (n < rest->n && rest->p[n] != ':'))
		return -1;
	size_t used = n < rest->n ? n + 1 : n;
	rest->p += used;
	rest->n -= used;
	return v;
}

static int parse_clock(struct pf_view rest, const char *what, int *ret_second, struct pf_err *err)
{
	int part[3] = { 0, 0, 0 };
	unsigned n = 0;
	while (rest.n > 0 && n < 3) {
		part[n] = small_number(&rest);
		if (part[n] < 0)
			return pf_err_set(err, -EINVAL, "%s time format must be hh:mm[:ss]", what);
		n++;
	}
	if (n < 2 || rest.n > 0)
		return pf_err_set(err, -EINVAL, "%s time format must be hh:mm[:ss]", what);
	if (part[0] > 23 || part[1] > 59 || part[2] > 59)
		return pf_err_set(err, -EINVAL, "%s specifies invalid time", what);
	*ret_second = part[0] * 3600 + part[1] * 60 + part[2];
	return 0;
}

int pf_times_moment(const char *text, const char *what, struct pf_moment *ret, struct pf_err *err)
{
	struct pf_moment m = { .given = true, .second = strcmp(what, "--thru") == 0 ? DAY_SECONDS - 1 : 0 };
	struct pf_view rest = pf_view_of(text);
	const char *colon = memchr(rest.p, ':', rest.n);
	size_t first = colon ? (size_t)(colon - rest.p) : rest.n;
	if (!colon && first != 8)
		return pf_err_set(err, -EINVAL, "%s time format must be hh:mm[:ss]", what);
	if (!colon || first > 2) { /* a day comes first */
		uint64_t day;
		if (first != 8 || pf_view_u64((struct pf_view){ rest.p, first }, &day) < 0)
			return pf_err_set(err, -EINVAL, "Date portion of %s must be exactly 8 digits", what);
		m.day = (int)day;
		rest = colon ? (struct pf_view){ colon + 1, rest.n - first - 1 } : (struct pf_view){ "", 0 };
	}
	if (colon) {
		int rc = parse_clock(rest, what, &m.second, err);
		if (rc < 0)
			return rc;
	}
	*ret = m;
	return 0;
}

int64_t pf_times_resolve(const struct pf_moment *m, int64_t day_of_ns, int64_t zone_ns)
{
	int64_t midnight;
	if (m->day) {
		struct tm tm = { .tm_year = m->day / 10000 - 1900,
				 .tm_mon = m->day / 100 % 100 - 1,
				 .tm_mday = m->day % 100 };
		midnight = (int64_t)timegm(&tm) * PF_NS_PER_SEC;
	} else {
		int64_t day_ns = DAY_SECONDS * PF_NS_PER_SEC;
		midnight = (day_of_ns + zone_ns) / day_ns * day_ns;
	}
	return midnight + m->second * PF_NS_PER_SEC - zone_ns;
}

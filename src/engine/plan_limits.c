/* engine/plan_limits.c - exceptions: -ox, -oX and the limits that make one. Words and texts are those of collectl 4.3.1. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/view.h"
#include "engine/plan.h"

enum { SERVICE_MS = 30, REQUESTS = 10 }; /* when --limits says nothing else */

static bool has_capital_or_slabs(const char *letters)
{
	for (const char *p = letters; *p != '\0'; p++) {
		if ((*p >= 'A' && *p <= 'Z') || *p == 'y')
			return true;
	}
	return false;
}

/* One "NAME:VALUE", "OR" or "AND". */
static int take_word(struct pf_limits *limits, struct pf_view word, struct pf_err *err)
{
	static const struct {
		const char *name;
		size_t offset;
		bool lustre;
	} names[] = { { "SVC", offsetof(struct pf_limits, service_ms), false },
		      { "IOS", offsetof(struct pf_limits, requests), false },
		      { "LusKBS", 0, true },
		      { "LusReints", 0, true } };
	if (pf_view_is(word, "OR") || pf_view_is(word, "AND")) {
		limits->both = pf_view_is(word, "AND");
		return 0;
	}
	const char *colon = word.n ? memchr(word.p, ':', word.n) : NULL;
	struct pf_view name = { word.p, colon ? (size_t)(colon - word.p) : 0 };
	unsigned i = 0;
	while (colon && i < PF_N(names) && !pf_view_is(name, names[i].name))
		i++;
	if (!colon || i == PF_N(names))
		return pf_err_set(err, -EINVAL, "invalid value for -l: %.*s", (int)word.n, word.p);
	uint64_t v;
	if (pf_view_u64((struct pf_view){ colon + 1, word.n - name.n - 1 }, &v) < 0)
		return pf_err_set(err, -EINVAL, "limit for %.*s not numeric", (int)word.n, word.p);
	if (names[i].lustre)
		return pf_err_set(err, -EINVAL, "-l LusKBS and LusReint only apply to -sL");
	double value = (double)v;
	memcpy((char *)limits + names[i].offset, &value, sizeof(value));
	return 0;
}

static int parse(struct pf_limits *limits, const char *text, struct pf_err *err)
{
	int rc = 0;
	while (rc == 0) {
		size_t n = strcspn(text, "-");
		rc = take_word(limits, (struct pf_view){ text, n }, err);
		if (text[n] == '\0')
			break;
		text += n + 1;
	}
	return rc;
}

/* In playback the peer asks for less: letters are only known when a file is open. */
static int check(const struct pf_plan *plan, const char *letters, bool playback, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	const char *wrong = NULL;
	if (!playback && !req->verbose && !has_capital_or_slabs(letters))
		wrong = "exception reporting requires --verbose";
	else if (!req->plot != !req->filename)
		wrong = "exception reporting must be to a terminal OR a file in -P format";
	else if (!playback && !strchr(letters, 'D'))
		wrong = "exception reporting only applies to -sD and lustre OST details or MDS/Client summary";
	return wrong ? pf_err_set(err, -EINVAL, "%s", wrong) : 0;
}

int pf_plan_limits(struct pf_plan *plan, const char *letters, bool playback, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	bool detail = strchr(playback && req->subsys ? req->subsys : playback ? "" : letters, 'D') || req->all_detail;
	bool only = req->options && strchr(req->options, 'x');
	bool also = req->options && strchr(req->options, 'X');
	plan->limits = (struct pf_limits){ .service_ms = SERVICE_MS, .requests = REQUESTS, .also_rest = also };
	if (req->limits && !detail)
		return pf_err_set(err, -EINVAL, "-l only makes sense for -s D/L/l");
	int rc = req->limits ? parse(&plan->limits, req->limits, err) : 0;
	if (rc == 0 && (only || also))
		rc = check(plan, letters, playback, err);
	if (rc == 0 && (only || also))
		plan->view.exceptions = &plan->limits;
	return rc;
}

/* engine/plan_cost.c - --cost: letters of the group that tells the own cost, and from when on a sample is late. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/view.h"
#include "engine/plan.h"

/* Half of the interval: then the next sample is not late yet. */
static const double warn_pct = 50;

static void add(char letters[PF_LETTERS_MAX], char letter)
{
	size_t n = strlen(letters);
	if (n + 1 < PF_LETTERS_MAX && !strchr(letters, letter)) {
		letters[n] = letter;
		letters[n + 1] = '\0';
	}
}

/* Brief has no room for a row of each source; whatever shows details anyway has. */
static bool has_rows(const struct pf_request *req, const char *letters)
{
	bool details = strpbrk(letters, "BCDEFJMNQTXYZ") != NULL && !req->filename;
	return req->verbose || req->full || req->plot || req->export || details;
}

void pf_plan_cost_letters(const struct pf_plan *plan, const char *recorded, char letters[PF_LETTERS_MAX])
{
	const struct pf_request *req = plan->req;
	if (!req->cost && !req->cost_warn)
		return; /* shown only if it was recorded */
	if (recorded && !strpbrk(recorded, "oO")) {
		pf_notice(plan->notice, PF_WARNING,
			  "the recording was made without --cost, so it does not tell its cost");
		return;
	}
	add(letters, 'o');
	if (has_rows(req, letters))
		add(letters, 'O');
}

int pf_plan_cost_limit(struct pf_plan *plan, struct pf_err *err)
{
	double pct = warn_pct;
	const char *text = plan->req->cost_warn;
	if (text && (pf_view_double(pf_view_of(text), &pct) < 0 || !(pct > 0) || pct > 100))
		return pf_err_set(err, -EINVAL, "--costwarn '%s' is not a percentage of the interval", text);
	plan->late_ns = (int64_t)((double)plan->interval_ns[0] * pct / 100);
	return 0;
}

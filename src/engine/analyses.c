/* engine/analyses.c - --procanalyze, --slabanalyze: which letters they need, and what goes where. */
#include "engine/analyses.h"

#include <string.h>

#include "engine/plan.h"

static bool analyzes(const struct pf_plan *plan, char letter)
{
	return (letter == 'Z' && plan->req->proc_analyze) || (letter == 'Y' && plan->req->slab_analyze);
}

/* Plots are only made of what was asked for; -P that was not typed asks for nothing. */
static bool plots(const struct pf_plan *plan, char letter)
{
	const char *subsys = plan->req->subsys;
	if (plan->req->plot_implied && !subsys)
		return false;
	return !analyzes(plan, letter) || (subsys && strchr(subsys, letter));
}

void pf_analyses_letters(const struct pf_plan *plan, const char *recorded, char letters[PF_LETTERS_MAX])
{
	static const char both[] = "ZY";
	size_t n = 0;
	if (!plan->req->proc_analyze && !plan->req->slab_analyze)
		return;
	for (const char *p = letters; *p != '\0'; p++) {
		if (plots(plan, *p))
			letters[n++] = *p;
	}
	letters[n] = '\0';
	for (const char *p = both; *p != '\0'; p++) {
		if (!analyzes(plan, *p) || !strchr(recorded, *p) || strchr(letters, *p) || n + 1 >= PF_LETTERS_MAX)
			continue;
		letters[n++] = *p;
		letters[n] = '\0';
	}
}

unsigned pf_analyses_sinks(const struct pf_plan *plan, const char *letters, char plot_letters[PF_LETTERS_MAX],
			   const struct pf_sink_kind *kinds[PF_TEE_MAX], const char *ret_letters[PF_TEE_MAX])
{
	unsigned n = 0;
	size_t n_plot = 0;
	for (const char *p = letters; *p != '\0'; p++) {
		if (plots(plan, *p))
			plot_letters[n_plot++] = *p;
	}
	plot_letters[n_plot] = '\0';
	if (n_plot > 0) {
		kinds[n] = &pf_sink_plotfiles;
		ret_letters[n++] = plot_letters;
	}
	static const char *const each[] = { "Z", "Y" };
	for (unsigned i = 0; i < 2; i++) {
		if (!strchr(letters, each[i][0]) || !analyzes(plan, each[i][0]))
			continue;
		kinds[n] = &pf_sink_analysis;
		ret_letters[n++] = each[i];
	}
	return n;
}

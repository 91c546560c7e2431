/* engine/scripts.h - what a run lends to import modules that are scripts: the variables of collectl, by their names there. */
#ifndef PF_ENGINE_SCRIPTS_H
#define PF_ENGINE_SCRIPTS_H

#include "import/door.h"

struct pf_plan;

enum { PF_SCRIPT_VARS = 64 };

/**
 * struct pf_scripts - the variables, and the values that are not kept elsewhere.
 * @same_columns: all lines of the view have the same columns; @first_pass: until the first interval ended. Both are kept by the run.
 */
struct pf_scripts {
	struct pf_script_var vars[PF_SCRIPT_VARS + 1];
	unsigned n;
	const char *texts[32];
	unsigned n_texts;
	int numbers[32];
	unsigned n_numbers;
	char host[65];
	char lower_host[65];
	char kernel[65];
	int same_columns;
	int first_pass;
};

/* pf_scripts_fill() - one row per variable of @plan and @state, both of which must stay where they are. */
void pf_scripts_fill(struct pf_scripts *s, const struct pf_plan *plan, struct perfolio_state *state);

#endif

/* engine/scripts.h - what a run lends to import modules that are scripts: the variables of collectl, by their names there. */
#ifndef PF_ENGINE_SCRIPTS_H
#define PF_ENGINE_SCRIPTS_H

#include "engine/facts.h"
#include "import/door.h"
#include "sinks/times.h"

struct pf_plan;

enum { PF_SCRIPT_VARS = 96 };

/**
 * struct pf_scripts - the variables, and the values that are not kept elsewhere.
 * @recorded_interval, @tcp_words, @last_seconds: of the recording or of this host, of the sample; see pf_scripts_update()
 * @time_title, @time_blanks: see pf_scripts_times()
 * @same_columns: all lines of the view have the same columns; @first_pass: until the first interval ended. Both are kept by the run.
 */
struct pf_scripts {
	struct pf_script_var vars[PF_SCRIPT_VARS + 1];
	unsigned n;
	const char *texts[48];
	unsigned n_texts;
	int numbers[48];
	unsigned n_numbers;
	char host[65];
	char lower_host[65];
	char kernel[65];
	char recorded[32];
	char tcp[8];
	char seconds[PF_TIMES_SECONDS];
	const char *recorded_interval;
	const char *tcp_words;
	const char *last_seconds;
	const char *time_title;
	const char *time_blanks;
	int64_t boot_ns;
	char distro[PF_FACTS_DISTRO];
	int n_cpus;
	int same_columns;
	int first_pass;
};

/* pf_scripts_fill() - one row per variable of @plan and @state, both of which must stay where they are. */
void pf_scripts_fill(struct pf_scripts *s, const struct pf_plan *plan, struct perfolio_state *state);

struct pf_view_options;

/* pf_scripts_times() - the title of the time column as modules put it into their headings, and blanks as wide. */
void pf_scripts_times(struct pf_scripts *s, const struct pf_view_options *view);

/* pf_scripts_update() - before scripts are called for the sample of @time_ns, whose intervals are @interval_ns apart, 0 unknown. */
void pf_scripts_update(struct pf_scripts *s, const struct pf_view_options *view, int64_t interval_ns, int64_t time_ns);

#endif

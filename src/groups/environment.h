/* groups/environment.h - what the user wants to see of fans, power and temperatures: --envopts, --envremap. */
#ifndef PF_GROUPS_ENVIRONMENT_H
#define PF_GROUPS_ENVIRONMENT_H

#include <regex.h>
#include <stdbool.h>

#include "base/notice.h"
#include "base/view.h"

enum { PF_ENV_REMAPS = 32, PF_ENV_NAME = 64 };

/* "/EXPRESSION/TEXT/": what matches first in a name becomes @text, in which $1 to $9 are parts of it. */
struct pf_env_remap {
	regex_t regex;
	char text[PF_ENV_NAME];
};

/**
 * struct pf_env_options - for the parser and whoever starts ipmitool.
 * @fans, @power, @temps: what is shown; @unit: 'C' or 'F' for temperatures, 0 as they are; @whole: without fractions
 * @rules: applied to the names of ipmitool, @remaps to those made of them
 * @keep: which lines of ipmitool are wanted at all (--envfilt), if @has_keep
 * @told: --envdebug: what was made of each line goes there
 */
struct pf_env_options {
	bool fans, power, temps;
	char unit;
	bool whole;
	unsigned device; /* of ipmitool, and one more; 0: its own choice */
	struct pf_env_remap rules[PF_ENV_REMAPS];
	unsigned n_rules;
	struct pf_env_remap remaps[PF_ENV_REMAPS];
	unsigned n_remaps;
	regex_t keep;
	bool has_keep;
	const struct pf_notice *told;
};

struct pf_instance;
struct pf_sample;

enum pf_env_kind { PF_ENV_FAN, PF_ENV_POWER, PF_ENV_TEMP, PF_ENV_KINDS };

/* pf_env_kind() - what a sensor of the group's domain measures. */
enum pf_env_kind pf_env_kind(const struct pf_instance *sensor);

/* pf_env_reading() - what the sensor in @slot says, as ipmitool writes it; @base: of the group in the catalog. NULL: nothing. */
const char *pf_env_reading(const struct pf_sample *sample, unsigned base, unsigned slot);

#endif

/* engine/chosen.h - metrics and instances by name: what somebody chose with --metrics and --instances, and whether there was any of it. */
#ifndef PF_ENGINE_CHOSEN_H
#define PF_ENGINE_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

struct pf_catalog;
struct pf_err;
struct pf_notice;
struct pf_step;

enum { PF_PATTERNS_MAX = 64 };

/* Patterns between commas, NULL-terminated: parts of @text, which is ours; {0} is none. */
struct pf_patterns {
	char *text;
	const char *each[PF_PATTERNS_MAX + 1];
};

/* pf_patterns_parse() - @name: of the switch. Return: 0; -EINVAL; -ENOMEM. */
int pf_patterns_parse(struct pf_patterns *p, const char *name, const char *list, struct pf_err *err);
void pf_patterns_done(struct pf_patterns *p);

/**
 * struct pf_chosen - which patterns have been met.
 * @metrics, @instances: NULL: all are wanted. @met_metrics, @met_instances: bits of patterns that something with a value was called as
 * @looked: by metric: it had a value and its name was looked at
 */
struct pf_chosen {
	const char *const *metrics;
	const char *const *instances;
	uint64_t met_metrics;
	uint64_t met_instances;
	bool *looked;
	unsigned n_looked;
};

/* pf_chosen_open() - before metrics are added to @catalog, which leaves out the others from now on; NULL: all are wanted. */
void pf_chosen_open(struct pf_chosen *c, struct pf_catalog *catalog, const char *const *metrics,
		    const char *const *instances);

/* pf_chosen_look() - at one sample; costs nothing once every pattern was met. Return: 0 or -ENOMEM. */
int pf_chosen_look(struct pf_chosen *c, const struct pf_step *step);

/* pf_chosen_tell() - a warning for each pattern that nothing in @in is called as. Return: 0; -ENODATA with a sentence: no pattern of a switch
 * was met. */
int pf_chosen_tell(const struct pf_chosen *c, const char *in, const struct pf_notice *notice, struct pf_err *err);
void pf_chosen_done(struct pf_chosen *c);

#endif

/* record/tasks.h - what a configuration of pmlogger asks for, as tasks: metrics that are recorded together, each time in one record.
 * Facts: pmlogger(1), pmlogger 6.0.3 as it is seen to decide. What has the same strength and the same interval is one task. */
#ifndef PF_RECORD_TASKS_H
#define PF_RECORD_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/logconfig.h"
#include "model/pick.h"

struct pf_err;
struct pf_source;

/* Why something is not logged; logging goes on. */
enum pf_task_fault {
	PF_TASK_NO_NAME,   /* nothing is called so: @code */
	PF_TASK_NO_METRIC, /* nobody describes it: @code */
	PF_TASK_NO_INSTANCE,
	PF_TASK_CONFLICT, /* an advisory request for what is mandatory: @state; of one @instance, or of all */
};

/* @code: PCP's; @off: the mandatory state that stands is that it is off */
struct pf_task_problem {
	enum pf_task_fault fault;
	struct pf_preproc_place at;
	const char *metric;
	const struct pf_log_instance *instance;
	int32_t code;
	bool off;
	enum pf_log_state wanted;
};

/**
 * struct pf_task - one of them.
 * @interval_ns: 0: once
 * @picks: of the catalog
 */
struct pf_task {
	bool mandatory;
	int64_t interval_ns;
	struct pf_picks picks;
};

/* Those that are taken once come first, the others in the order of the configuration. @n_unknown: names to be logged that nothing is called by now. @memory: what they point to, with names of @config. */
struct pf_tasks {
	struct pf_task *list;
	unsigned n;
	unsigned n_unknown;
	struct pf_arena memory;
};

/**
 * struct pf_tasks_spec - who is asked.
 * @source: knows names and instances if its kind does; NULL: the catalog knows all, and of instances nothing before the first sample
 * @default_ns: the interval that has none of its own
 * @problem: is told of each, in order; NULL: nobody is
 */
struct pf_tasks_spec {
	const struct pf_logconfig *config;
	struct pf_source *source;
	const struct pf_catalog *catalog;
	int64_t default_ns;
	void (*problem)(void *arg, const struct pf_task_problem *problem);
	void *arg;
};

/* pf_tasks_make() - which tasks there are by what is known now. Return: 0 or -ENOMEM. Done with pf_tasks_done(). */
int pf_tasks_make(struct pf_tasks *ret, const struct pf_tasks_spec *spec, struct pf_err *err);
void pf_tasks_done(struct pf_tasks *t);

#endif

/* formats/pcp/logconfig.h - pmlogger's configuration: what is to be logged, how often, and who may change that. Facts: pmlogger(1) and pmlogger 6.0.3, as
 * it is seen to read. Names are not looked up here. */
#ifndef PF_FORMATS_PCP_LOGCONFIG_H
#define PF_FORMATS_PCP_LOGCONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/view.h"
#include "formats/pcp/preproc.h"

/* A day has fewer milliseconds than an interval may. */
enum { PF_LOGCONFIG_MS_MAX = 0x0fffffff };

enum pf_log_state { PF_LOG_ON, PF_LOG_OFF, PF_LOG_MAYBE };

/* @name: external name, NULL: the one with the number @id; @text: as it was written */
struct pf_log_instance {
	const char *name;
	int64_t id;
	const char *text;
};

/* A name, of a metric or of what is above some, and the instances that are wanted: none of them stands for all. @at: where it was told, as pmlogger has it:
 * the word behind it. */
struct pf_log_metric {
	const char *name;
	struct pf_preproc_place at;
	unsigned first_instance;
	unsigned n_instances;
};

/* What is said of some metrics. @interval_ms: 0 once, -1 whatever the default is; only with ON. Its metrics are [@first, @first + @n) */
struct pf_log_statement {
	bool mandatory;
	enum pf_log_state state;
	int64_t interval_ms;
	unsigned first;
	unsigned n;
};

enum { PF_LOG_ADVISORY = 1, PF_LOG_MANDATORY = 2, PF_LOG_ENQUIRE = 4, PF_LOG_ALL = 7 };

/* One host of a rule of [access]; later ones win. @operations: PF_LOG_ADVISORY... */
struct pf_log_access {
	bool allow;
	const char *host;
	unsigned operations;
};

/* What ended the reading. @what NULL: nothing did. */
struct pf_log_error {
	struct pf_preproc_place at;
	const char *what;
	char text[128]; /* where @what points to, if it is none of the fixed texts */
};

/**
 * struct pf_logconfig - what was read. All of it is freed by pf_logconfig_done().
 * @preproc: why nothing more was read than up to there; its what NULL: all was
 * @error: why it makes no sense from there on; what is before was read. Then nothing is to be logged
 */
struct pf_logconfig {
	struct pf_preproc source;
	struct pf_preproc_error preproc;
	struct pf_log_error error;
	struct pf_log_statement *statements;
	unsigned n_statements;
	unsigned cap_statements;
	struct pf_log_metric *metrics;
	unsigned n_metrics;
	unsigned cap_metrics;
	struct pf_log_instance *instances;
	unsigned n_instances;
	unsigned cap_instances;
	struct pf_log_access *access;
	unsigned n_access;
	unsigned cap_access;
	struct pf_arena arena;
};

/**
 * pf_logconfig_read() - read it.
 *
 * Return: 0, with @ret->preproc and @ret->error looked at by the caller; -ENOMEM; -EFBIG more than PF_PREPROC_MAX.
 */
int pf_logconfig_read(struct pf_logconfig *ret, const struct pf_preproc_input *in);
void pf_logconfig_done(struct pf_logconfig *c);

#endif

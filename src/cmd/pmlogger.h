/* cmd/pmlogger.h - `pmlogger` by name. */
#ifndef PF_CMD_PMLOGGER_H
#define PF_CMD_PMLOGGER_H

#include <stdbool.h>

#include "record/logger.h"

/**
 * struct pf_pmlogger - what its switches say beside what a logger has.
 * @config: file, NULL standard input; @log: file, "-" standard output, NULL pmlogger.log; @logged: it was opened
 * @host: as it was said, NULL it was not; @told: as the pmcd calls it, empty before it was asked
 * @until: of -T; @local: -y, its zone
 */
struct pf_pmlogger {
	struct pf_logger_spec spec;
	const char *config;
	const char *log;
	const char *host;
	char told[256];
	const char *until;
	const char *user;
	const char *names;
	bool local;
	bool primary;
	bool report;
	bool notify;
	bool logged;
};

int pf_pmlogger(int argc, char **argv);

/* Texts of its log (cmd/pmlogger_log.c). */
void pf_pmlogger_log_open(struct pf_pmlogger *p);
void pf_pmlogger_log_close(const struct pf_pmlogger *p);
void pf_pmlogger_log_info(const char *severity, const char *text);
void pf_pmlogger_log_end(const struct pf_pmlogger *p, const struct pf_logger_end *end, int rc, const char *text);
void pf_pmlogger_log_watch(struct pf_pmlogger *p, struct pf_logger_watch *watch);

#endif

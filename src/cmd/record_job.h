/* cmd/record_job.h - what the parts of `perfolio record` share: switches (record_options.c), the time while it runs (record_run.c), the end (record.c). */
#ifndef PF_CMD_RECORD_JOB_H
#define PF_CMD_RECORD_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cmd/progress.h"
#include "cmd/record.h"

struct pf_err;
struct pf_session;

enum { PF_RECORD_HOSTS = 64, PF_RECORD_ARGS = 32 + 2 * PF_RECORD_METRICS };

/* Where a host was when it was first asked for its numbers, which tells how many samples it should have by now. */
struct pf_record_pace {
	int64_t mono_ns;
	uint64_t samples;
};

/**
 * struct pf_record_job - what is going on.
 * @hosts: as typed; @default_host: the one that comes first in the folio, NULL: the first; @args: switches for the loggers; @interval_ns: theirs
 * @command: argv behind --, or NULL; @command_pid 0: not running (any more); @command_status as from waitpid(2)
 * @started: every logger was; @isolate: modules run in processes of their own; @plain: complete files are not compressed
 * @paces: of the hosts; @asked_ns: when they were asked last
 * @detach: leave them when every host has its first sample; @detached: that was done
 * @interrupted: how often a signal said to stop; @stopped_ns: when one was obeyed; @endless: nothing but a signal ends it, and that is told once it runs;
 * @grows: how fast is to be told, too
 */
struct pf_record_job {
	const char *folio;
	const char *hosts[PF_RECORD_HOSTS];
	unsigned n_hosts;
	const char *default_host;
	const char *metrics[PF_RECORD_METRICS + 1];
	const char *args[PF_RECORD_ARGS];
	unsigned n_args;
	int64_t interval_ns;
	char **command;
	pid_t command_pid;
	int command_status;
	struct pf_session *session;
	struct pf_progress progress;
	struct pf_record_pace paces[PF_RECORD_HOSTS];
	int64_t asked_ns;
	int signal_fd;
	bool started;
	bool isolate;
	bool plain;
	bool detach;
	bool detached;
	unsigned interrupted;
	int64_t stopped_ns;
	bool endless;
	bool grows;
};

/* pf_record_options() - take switches and words. Return: 0, 1 help was asked for, -EINVAL or -ENOTSUP with a sentence. */
int pf_record_options(struct pf_record_job *job, int argc, char **argv, struct pf_err *err);

/* pf_record_usage() - the text of --help. */
const char *pf_record_usage(void);

/* pf_record_check_command(), pf_record_watch_signals() - before anything is created: would the command be found, and may signals come through a
 * descriptor? Return: 0 or negative errno. */
int pf_record_check_command(const char *name, struct pf_err *err);
int pf_record_watch_signals(struct pf_record_job *job, struct pf_err *err);

/* pf_record_supervise() - until every logger has ended, and the command, or all were left alone. Return: 0 or negative errno. */
int pf_record_supervise(struct pf_record_job *job, struct pf_err *err);

/* pf_record_tell() - a line on standard error. */
void pf_record_tell(struct pf_record_job *job, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

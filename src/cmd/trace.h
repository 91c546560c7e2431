/* cmd/trace.h - what the parts of `perfolio trace` share: the command line, the processes of -c and -p, lists, programs that are run. */
#ifndef PF_CMD_TRACE_H
#define PF_CMD_TRACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "trace/trace.h"

struct pf_err;

enum { PF_TRACE_MOST_TEXTS = 256, PF_TRACE_MOST_PIDS = 64 };

/* One -n, -s, -P, -m, -f or -i. */
struct pf_trace_word {
	enum pf_d_origin origin;
	const char *given;
	struct pf_buf file; /* of -s */
	unsigned probes;
};

/* A process of -p. @fd: tells its end; -1 when it ended, or when the kernel has no such descriptors. */
struct pf_trace_process {
	pid_t pid; /* 0: ended */
	int fd;
};

/**
 * struct pf_trace_args - a command line.
 * @called: name for messages; @ours: `perfolio trace`, not a peer's name
 * @mode: 'l', 'e', 'V', or 0: trace
 * @child: process of -c, waiting at @child_gate to be let run; -1 when it ended
 */
struct pf_trace_args {
	const char *called;
	bool ours;
	struct pf_trace_word texts[PF_TRACE_MOST_TEXTS];
	unsigned n_texts;
	const char *output, *command;
	char mode;
	bool cpp, verbose, listing, all_aggregations;
	struct pf_trace_process processes[PF_TRACE_MOST_PIDS];
	unsigned n_processes;
	pid_t child;
	int child_gate;
};

/* pf_trace_say() - one line on standard error. */
void pf_trace_say(const struct pf_trace_args *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* trace_options.c: the whole command line with the environment. Return: 0; an exit status above 0: it has been said;
 * -ECANCELED: done, with status 0. */
int pf_trace_options(struct pf_trace_args *a, struct pf_trace *t, int argc, char **argv);
int pf_trace_usage(const struct pf_trace_args *a, bool asked);

/* trace_process.c */

/* pf_trace_add_pid() - -p. Return: 0 or negative, said already. */
int pf_trace_add_pid(struct pf_trace_args *a, const char *text);

/* pf_trace_start() - -c: fork; the child waits until it is let run. Return: 0 or negative, said already. */
int pf_trace_start(struct pf_trace_args *a);
void pf_trace_let_run(struct pf_trace_args *a);

/* pf_trace_ended() - have all of -c and -p gone? False if there were none. */
bool pf_trace_ended(struct pf_trace_args *a, bool quiet);
void pf_trace_processes_done(struct pf_trace_args *a);

/* trace_list.c: -l. Return: exit status. */
int pf_trace_print_list(const struct pf_trace_args *a, struct pf_trace *t);

/* pf_trace_print_stability() - -v: of the text that was just compiled. */
void pf_trace_print_stability(const struct pf_trace *t, const struct pf_trace_word *text);

/* pf_cpp_option() - -D, -I, -U, -H: for the preprocessor. -E2BIG: too many. */
int pf_cpp_option(char letter, const char *value);

/* pf_cpp_path() - the preprocessor to run instead of cpp. */
void pf_cpp_path(const char *path);

/* pf_cpp_run() - replace @text by what the preprocessor makes of script @path. */
int pf_cpp_run(const char *path, struct pf_buf *text, struct pf_err *err);

/* pf_system() - `sh -c @command`. @to_stderr: its output must not meet ours.
 * Return: exit status, 128 + signal, -1 if it could not start. */
int pf_system(const char *command, bool to_stderr);

#endif

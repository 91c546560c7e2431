/* engine/lab.h - import modules looked at in a process of their own, for `perfolio modules`: what one declares, and what it does when it is
 * called. Whatever a module does to its process, the one who asks learns of it. */
#ifndef PF_ENGINE_LAB_H
#define PF_ENGINE_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct pf_err;

/* Where the module is just now; the one who asks reads it when the process is gone. */
struct pf_lab_where {
	int64_t since_ns; /* monotonic; 0: no callback is being called */
	char callback[32];
};

/**
 * struct pf_lab - the reporting end, in the child.
 * @fd: of the report; lines of words with tabs between
 */
struct pf_lab {
	int fd;
	struct pf_lab_where *where;
};

/* How the child came to its end. @signal: 0 if it ended by itself with @status. @late: it was ended since @callback took too long. */
struct pf_lab_end {
	int signal;
	int status;
	bool late;
	char callback[32];
};

/* pf_lab_say() - one line: @word, a tab, the text, in which control bytes but tabs become '?'. */
void pf_lab_say(const struct pf_lab *lab, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * pf_lab_run() - call @work in a child process and collect what it says.
 * @wait_ns: how long one callback, and anything outside of callbacks, may take
 * @out: gets the lines
 *
 * Return: 0, however the child ended, or negative errno.
 */
int pf_lab_run(void (*work)(void *arg, const struct pf_lab *lab), void *arg, int64_t wait_ns, struct pf_buf *out,
	       struct pf_lab_end *ret_end, struct pf_err *err);

/**
 * pf_lab_look() - load the module at @path and run its Init. Lines:
 * name, version, kind (C, Perl), key, options (s, d, sd), callback NAME, metric NAME TYPE SEMANTICS UNITS DOMAIN,
 * withdrawn (Init took it back), refused SENTENCE.
 */
int pf_lab_look(const char *path, const char *args, struct pf_buf *out, struct pf_err *err);

/* Phases of a check, each in a process of its own. */
enum pf_lab_phase { PF_LAB_LIVE, PF_LAB_RECORD, PF_LAB_PLAYBACK, PF_LAB_LONG, PF_N_LAB_PHASES };

/**
 * pf_lab_check() - one phase. Lines beside those of refusals:
 * callback NAME CALLS NS MAX-NS, records COUNT BYTES, metric NAME INSTANCES VALUE, misuse SENTENCE, note SENTENCE, said SEVERITY TEXT,
 * intervals COUNT, line RECORD and mark (the end of an interval) of the recording.
 * @recorded: for playback: the lines `line` and `mark` of the phase before
 */
int pf_lab_check(const char *path, const char *args, enum pf_lab_phase phase, struct pf_view recorded,
		 struct pf_buf *out, struct pf_lab_end *ret_end, struct pf_err *err);

#endif

/* cmd/progress.h - one line on a terminal that is written again and again, and gives way to every other message. While loggers run, their messages come
 * through a pipe that is their standard error, so that the line can be erased before them. */
#ifndef PF_CMD_PROGRESS_H
#define PF_CMD_PROGRESS_H

#include <stdbool.h>

/* @term: the terminal, -1: there is no such line; @pipe: where messages of others come from, -1: nowhere; @shown: the line stands there */
struct pf_progress {
	int term;
	int pipe;
	bool shown;
};

/* pf_progress_none() - no line. */
void pf_progress_none(struct pf_progress *p);

/* pf_progress_open() - if standard error is a terminal that we may write to, it is a pipe from now on, for those that are started. */
void pf_progress_open(struct pf_progress *p);

/* pf_progress_started() - they are: standard error is ours again. */
void pf_progress_started(struct pf_progress *p);

/* pf_progress_draw() - @text instead of what stands there, cut to the width of the terminal. Nothing while we are in the background. */
void pf_progress_draw(struct pf_progress *p, const char *text);

/* pf_progress_erase() - before anything else is printed. */
void pf_progress_erase(struct pf_progress *p);

/* pf_progress_pass() - without waiting: hand on what came through the pipe. */
void pf_progress_pass(struct pf_progress *p);

/* pf_progress_close() - hand on the rest; no line any more. */
void pf_progress_close(struct pf_progress *p);

#endif

/* sources/helper.h - a program whose output is a source: started when it is due, asked without waiting, ended when it takes too long. */
#ifndef PF_SOURCES_HELPER_H
#define PF_SOURCES_HELPER_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

/* @pid 0: it does not run. */
struct pf_helper {
	pid_t pid;
	int fd;
	int64_t until_ns;
	struct pf_buf text;
};

enum { PF_HELPER_OUTPUT_MAX = 1 << 20 };

/**
 * pf_helper_start() - run @argv (its first word is looked for in PATH); nothing happens if it still runs.
 * @wait_ns: after this it is ended with all its children
 *
 * Return: 0 or negative errno: it cannot be started.
 */
int pf_helper_start(struct pf_helper *h, const char *const *argv, int64_t wait_ns);

/**
 * pf_helper_poll() - has it come to its end? h->text is what it wrote then, until the next start.
 *
 * Return: 1 yes; 0 not yet, or it does not run; -ETIMEDOUT it was ended; -EFBIG the same, for what it wrote; other negative errno.
 */
int pf_helper_poll(struct pf_helper *h);

/* pf_helper_done() - end it, and free. */
void pf_helper_done(struct pf_helper *h);

#endif

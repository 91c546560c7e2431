/* sources/commands.h - rows that are the output of a program, live: started at the third interval, taken when it has come to its end. */
#ifndef PF_SOURCES_COMMANDS_H
#define PF_SOURCES_COMMANDS_H

#include <stdint.h>

#include "sources/dispatch.h"
#include "sources/source.h"

struct pf_commands;
struct pf_err;

/* pf_commands_open() - for the rows of @d that have a command; *ret is NULL if there are none. The caller closes. */
int pf_commands_open(struct pf_commands **ret, const struct pf_source_spec *spec, struct pf_dispatch *d,
		     struct pf_err *err);
struct pf_commands *pf_commands_close(struct pf_commands *c); /* returns NULL */

/* pf_commands_sample() - start what is due, take what has ended. What failed is counted in @lost and told once. Return: 0 or -ENOMEM. */
int pf_commands_sample(struct pf_commands *c, uint64_t *lost);

#endif

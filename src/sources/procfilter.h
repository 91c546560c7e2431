/* sources/procfilter.h - which processes are read at all: --procfilt. */
#ifndef PF_SOURCES_PROCFILTER_H
#define PF_SOURCES_PROCFILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"

struct pf_err;
struct pf_process_filter;
struct pf_users;

/**
 * pf_procfilter_new() - take a list apart: "csh,p1,u0-99"; a process that one part wants is read.
 *
 * Letters: c part of the name, C its beginning, f part of the command line, p number, P number of the parent, u number of the user or a
 * range, U name of the user; a '+' behind the letter wants the threads as well. Parts may be in a file, one a line, whose name is given
 * instead of the list. A command line is never that of this process, which has the list among its arguments.
 * @as_peer: as collectl has it: names are regular expressions, numbers of processes no ranges, no part of a list is empty
 *
 * Return: 0, -EINVAL naming the part that makes no sense, or -ENOMEM. The caller frees.
 */
int pf_procfilter_new(struct pf_process_filter **ret_filter, const char *list, bool as_peer,
		      const struct pf_users *users, struct pf_err *err);
struct pf_process_filter *pf_procfilter_free(struct pf_process_filter *filter); /* returns NULL */

enum pf_procfilter_choice { PF_PROCFILTER_NONE, PF_PROCFILTER_PROCESS, PF_PROCFILTER_THREADS };

/* pf_procfilter_keeps() - by the texts of stat, status and cmdline of one process: is it read, and its threads too? */
enum pf_procfilter_choice pf_procfilter_keeps(const struct pf_process_filter *filter, int32_t pid, struct pf_view stat,
					      struct pf_view status, struct pf_view cmdline);

/* pf_procfilter_threads() - does any part want threads? */
bool pf_procfilter_threads(const struct pf_process_filter *filter);

/* pf_procfilter_has_threads() - does the text of stat tell of more than one? Most have one, so their folders of threads need no look. */
bool pf_procfilter_has_threads(struct pf_view stat);

#endif

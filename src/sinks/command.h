/* sinks/command.h - command lines and CPU times of processes as text: spec collectl-data section 5. */
#ifndef PF_SINKS_COMMAND_H
#define PF_SINKS_COMMAND_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/layout.h"

struct pf_view_options;

/**
 * pf_draw_command() - append a command line, harmless for terminals.
 * @args: the command line, "" if the process has none (a thread of the kernel); @name: then this is shown
 * @full: as it is (plot); else as --procopts w r k say, with a blank behind the first word
 */
void pf_draw_command(struct pf_buf *out, const struct pf_view_options *view, const char *args, const char *name,
		     bool full);

/* pf_draw_time() - milliseconds as PF_DRAW_CENTIS, PF_DRAW_CLOCK or PF_DRAW_HOURS. @peer: with its rounding: 3.58 s is 3.57. */
void pf_draw_time(struct pf_buf *out, enum pf_draw form, double ms, int width, bool peer);

#endif

/* import/lines.h - which lines of a file or of a command's output become records, and how they look: the kinds of collectl's getProc and
 * getExec (spec collectl-import, section 3). Text in, records out; no I/O. */
#ifndef PF_IMPORT_LINES_H
#define PF_IMPORT_LINES_H

#include <stdbool.h>

#include "base/view.h"

struct pf_key;
struct pf_line_filter;

/* Gets one record; @tag is empty where the line brings its own. The texts live until it returns. */
struct pf_lines_to {
	void (*line)(void *arg, struct pf_view tag, struct pf_view line);
	void *arg;
};

/* pf_lines_known() - is there such a kind of getProc, of getExec? pf_lines_quiet(): a missing file is not worth a word. pf_lines_second(): its
 * records are of processes, so of the second interval. */
bool pf_lines_known(int kind);
bool pf_lines_second(int kind);
bool pf_lines_quiet(int kind);
bool pf_exec_known(int kind);

/**
 * pf_lines_proc() - records of @text as getProc makes them.
 * @skip: lines at the front that are dropped; @max: at most so many after them, 0 for no limit
 * @last: a line that matches ends it and is not recorded; NULL: none
 * @filter: what the user chose of the recorder's own files; kinds that are those files keep to it
 */
void pf_lines_proc(int kind, struct pf_view text, struct pf_view tag, unsigned skip, unsigned max,
		   const struct pf_key *last, const struct pf_line_filter *filter, const struct pf_lines_to *to);

/* pf_lines_exec() - records of @text as getExec makes them. */
void pf_lines_exec(int kind, struct pf_view text, struct pf_view tag, const struct pf_line_filter *filter,
		   const struct pf_lines_to *to);

#endif

/* record/tools.h - programs that can look at archives of a folio, and how they take them. Source: pmafm(1), and its files in PCP_VAR_DIR/config/pmafm and
 * $HOME/.pcp/pmafm: assignments of a shell, of which only MULTI, SINGLE, SPECIAL and REPLAY mean something. They are read, never run. */
#ifndef PF_RECORD_TOOLS_H
#define PF_RECORD_TOOLS_H

#include <stdbool.h>

#include "base/view.h"

struct pf_err;

/* How a program takes archives: several behind one -a each; one behind -a; one as its last word. And: it can show a folio that it made. */
enum pf_tool_class { PF_TOOL_MULTI = 1, PF_TOOL_SINGLE = 2, PF_TOOL_SPECIAL = 4, PF_TOOL_REPLAY = 8 };

struct pf_tool {
	char *name;
	unsigned classes;
};

/* In order of their names. @configured: the host has some file, in @folder */
struct pf_tools {
	struct pf_tool *tools;
	unsigned n;
	bool configured;
	char *folder;
};

/* pf_tools_read() - from all files. A file that cannot be read is left out. Return: 0 or -ENOMEM. pf_tools_done() in any case. */
int pf_tools_read(struct pf_tools *t, struct pf_err *err);
void pf_tools_done(struct pf_tools *t);

/* pf_tools_take() - from the text of one file. Return: 0 or -ENOMEM. */
int pf_tools_take(struct pf_tools *t, struct pf_view text);

/* pf_tools_classes() - of the program of that name; 0: unknown, or not said how it takes archives. */
unsigned pf_tools_classes(const struct pf_tools *t, const char *name);

#endif

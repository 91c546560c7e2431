/* cmd/trace.h - programs that `perfolio trace` runs: the C preprocessor and system(). */
#ifndef PF_CMD_TRACE_H
#define PF_CMD_TRACE_H

#include <stdbool.h>

struct pf_buf;
struct pf_err;

/* pf_cpp_option() - -D, -I, -U: for the preprocessor. -X and -L are taken and mean nothing here. */
int pf_cpp_option(char letter, const char *value);

/* pf_cpp_run() - replace @text, the contents of script @path, by what the preprocessor makes of it. */
int pf_cpp_run(const char *path, struct pf_buf *text, struct pf_err *err);

/* pf_system() - `sh -c @command`. @to_stderr: its output must not meet ours.
 * Return: exit status, 128 + signal, -1 if it could not start. */
int pf_system(const char *command, bool to_stderr);

#endif

/* base/program.h - is there a program of that name? Asked before anything is created or attached for its sake. */
#ifndef PF_BASE_PROGRAM_H
#define PF_BASE_PROGRAM_H

/**
 * pf_program_find() - would execvp(3) find @name, with a slash as it is, else in the folders of $PATH?
 *
 * Return: 0, -ENOENT, -EACCES when a file is there that may not be run, or another negative errno.
 */
int pf_program_find(const char *name);

/**
 * pf_program_run() - run a program in the foreground and wait for it, as a shell does: it has our standard files, and what is typed to interrupt it does not
 * end us.
 * @argv: its words, ended by NULL; without a slash the first is looked for in $PATH
 * @out: descriptor that becomes its standard output, -1: ours
 * @ret_status: as from waitpid(2)
 *
 * Return: 0, or negative errno if it could not be started.
 */
int pf_program_run(const char *const *argv, int out, int *ret_status);

#endif

/* base/program.h - is there a program of that name? Asked before anything is created or attached for its sake. */
#ifndef PF_BASE_PROGRAM_H
#define PF_BASE_PROGRAM_H

/**
 * pf_program_find() - would execvp(3) find @name, with a slash as it is, else in the folders of $PATH?
 *
 * Return: 0, -ENOENT, -EACCES when a file is there that may not be run, or another negative errno.
 */
int pf_program_find(const char *name);

#endif

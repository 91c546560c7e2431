/* api/libexec.h - where a library finds the programs that it starts. */
#ifndef PF_API_LIBEXEC_H
#define PF_API_LIBEXEC_H

/**
 * pf_libexec_find() - path of a program.
 * @name: below the folder of our programs: "compat/pmlogger" or "perfolio"
 *
 * Looked for in $PERFOLIO_LIBEXEC (not by programs with the rights of somebody else), then beside the file of this library, in its build tree or
 * where it is installed, then where it was configured to be. The last is returned when there is none.
 *
 * Return: the caller's to free; NULL without memory.
 */
char *pf_libexec_find(const char *name);

#endif

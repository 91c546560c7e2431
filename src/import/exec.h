/* import/exec.h - the output of a command, which the shell runs as getExec's contract says. */
#ifndef PF_IMPORT_EXEC_H
#define PF_IMPORT_EXEC_H

#include <stdint.h>

#include "base/buf.h"

struct pf_err;

/**
 * pf_exec_shell() - replace @out by what @command writes to standard output. Its standard input and error are /dev/null.
 * @limit: kill it with -EFBIG when it writes more bytes than this
 * @wait_ns: kill it and its children with -ETIMEDOUT when it takes longer than this
 *
 * What the command says about its success is not looked at: collectl does not, either.
 *
 * Return: 0 or negative errno.
 */
int pf_exec_shell(const char *command, size_t limit, int64_t wait_ns, struct pf_buf *out, struct pf_err *err);

#endif

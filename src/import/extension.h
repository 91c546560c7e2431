/* import/extension.h - --export lexpr,x=MODULE: an import module that extends the values of an exporter. */
#ifndef PF_IMPORT_EXTENSION_H
#define PF_IMPORT_EXTENSION_H

#include <stdbool.h>

#include "base/buf.h"

struct pf_err;

/**
 * pf_import_extend() - append the module of x= to a list of modules, as its last.
 * @list: the text behind --import so far
 * @extension: NAME[,ARGS]; only shared objects are looked for: NAME itself or NAME.so here, then in the folders of @path
 * @as_peer: a missing one is told in collectl's words
 *
 * Return: 0; -ENOENT, -ENOTSUP (it is a script), -EINVAL with a sentence; -ENOMEM.
 */
int pf_import_extend(struct pf_buf *list, const char *extension, const char *const *path, bool as_peer,
		     struct pf_err *err);

#endif

/* cmd/modules.h - the parts of `perfolio modules`. */
#ifndef PF_CMD_MODULES_H
#define PF_CMD_MODULES_H

#include "formats/text/doc.h"

/* pf_modules_list() - what can be found. pf_modules_check() - @what: FILE[,ARGS]. @options: NULL: text.
 * Return: exit status. */
int pf_modules_list(const struct pf_doc_options *options);
int pf_modules_check(const char *what, const struct pf_doc_options *options);

#endif

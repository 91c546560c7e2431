/* model/remap.h - other names for disks: --dskremap. Names change before anything looks at them: filters, sums, views, documents. */
#ifndef PF_MODEL_REMAP_H
#define PF_MODEL_REMAP_H

#include "base/view.h"

struct pf_err;
struct pf_remap;

enum { PF_REMAP_NAME_MAX = 256 };

/**
 * pf_remap_new() - rules PATTERN:TEXT, separated by commas, applied in order.
 * The first place of a name where PATTERN, a regular expression, matches becomes TEXT as it stands.
 *
 * Return: 0, -EINVAL with a sentence, or -ENOMEM.
 */
int pf_remap_new(struct pf_remap **ret_remap, const char *text, struct pf_err *err);
struct pf_remap *pf_remap_free(struct pf_remap *r); /* returns NULL */

/* pf_remap_name() - the name to be used for @name, in @buf where it changed; @r NULL: @name itself. */
struct pf_view pf_remap_name(const struct pf_remap *r, struct pf_view name, char buf[PF_REMAP_NAME_MAX]);

#endif

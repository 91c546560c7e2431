/* import/spec.h - the text behind --import, cut up: NAME[,ARGS][:NAME[,ARGS]...]. */
#ifndef PF_IMPORT_SPEC_H
#define PF_IMPORT_SPEC_H

#include <stdbool.h>

#include "base/view.h"

struct pf_err;

/* One module of the list. @has_args: there was a comma; what follows it is one opaque text, which may be empty. */
struct pf_import_item {
	struct pf_view name;
	struct pf_view args;
	bool has_args;
};

/**
 * pf_import_item_next() - cut the next item off the front of @rest, up to a ':'.
 *
 * Return: 1 an item, 0 no more, -EINVAL an item without a name.
 */
int pf_import_item_next(struct pf_view *rest, struct pf_import_item *ret_item, struct pf_err *err);

#endif

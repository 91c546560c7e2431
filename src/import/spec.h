/* import/spec.h - the text behind --import, cut up: NAME[=ALIAS][,ARGS][:NAME...]. */
#ifndef PF_IMPORT_SPEC_H
#define PF_IMPORT_SPEC_H

#include <stdbool.h>

#include "base/view.h"

struct pf_err;

/* One module of the list. @alias: empty if none was given; @has_args: there was a comma; what follows it is one opaque text, which may be
 * empty, and in which pf_import_unescape() makes "\:" a colon. */
struct pf_import_item {
	struct pf_view name;
	struct pf_view alias;
	struct pf_view args;
	bool has_args;
};

/**
 * pf_import_item_next() - cut the next item off the front of @rest, up to a ':' that separates. These do not:
 *   - "\:";
 *   - the one of "://", and up to the next '/' or ',' what belongs to the host there: brackets ([::1]), a name before '@', a port, which is
 *     digits only and not followed by anything but '/', '?', ',', ':' or the end;
 *   - the one of ",exec:".
 *
 * Return: 1 an item, 0 no more, -EINVAL an item without a name.
 */
int pf_import_item_next(struct pf_view *rest, struct pf_import_item *ret_item, struct pf_err *err);

/* pf_import_unescape() - "\:" becomes ':', in place. */
void pf_import_unescape(char *args);

#endif

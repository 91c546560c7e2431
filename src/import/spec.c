/* import/spec.c - cutting the text behind --import. */
#include "import/spec.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

int pf_import_item_next(struct pf_view *rest, struct pf_import_item *ret_item, struct pf_err *err)
{
	if (!rest->p)
		return 0;
	const char *end = memchr(rest->p, ':', rest->n);
	struct pf_view item = { rest->p, end ? (size_t)(end - rest->p) : rest->n };
	const char *comma = item.n > 0 ? memchr(item.p, ',', item.n) : NULL;
	struct pf_import_item found = { .name = item };
	if (comma) {
		found.name.n = (size_t)(comma - item.p);
		found.args = (struct pf_view){ comma + 1, item.n - found.name.n - 1 };
		found.has_args = true;
	}
	if (found.name.n == 0)
		return pf_err_set(err, -EINVAL, "--import: a module without a name; give NAME[,ARGS][:NAME[,ARGS]...]");

	if (end)
		*rest = (struct pf_view){ end + 1, rest->n - item.n - 1 };
	else
		*rest = (struct pf_view){ NULL, 0 };
	*ret_item = found;
	return 1;
}

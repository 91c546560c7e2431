/* sources/open.c - find the kind of source for a path. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "sources/list.h"

int pf_source_open(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		   struct pf_err *err)
{
	if (!spec->path)
		return pf_source_live.open(ret_source, spec, cat, err);
	for (unsigned i = 0; pf_source_kinds[i]; i++) {
		if (pf_source_kinds[i]->accepts && pf_source_kinds[i]->accepts(spec->path))
			return pf_source_kinds[i]->open(ret_source, spec, cat, err);
	}
	struct stat st;
	if (access(spec->path, R_OK) < 0 || stat(spec->path, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", spec->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return pf_err_set(err, -EISDIR,
				  "%s is a folder; name the recordings in it: raw files, folios, archives", spec->path);
	return pf_err_set(err, -EINVAL, "%s: no kind of recording that is known here: raw file, folio, archive",
			  spec->path);
}

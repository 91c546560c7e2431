/* sources/open.c - find the kind of source for a path. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "sources/list.h"

/* Recordings of several hosts choose by themselves. */
static int check_host(struct pf_source **source, const struct pf_source_spec *spec, struct pf_err *err)
{
	const struct pf_source_kind *kind = (*source)->kind;
	const char *host = kind->info(*source)->host;
	if (!spec->host || kind->list || (host && strcmp(host, spec->host) == 0))
		return 0;
	(void)pf_err_set(err, -ENODATA, "%s: it is of host %s, not of %s", spec->path, host ? host : "unknown",
			 spec->host);
	*source = kind->close(*source);
	return -ENODATA;
}

int pf_source_open(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		   struct pf_err *err)
{
	if (spec->pmcd)
		return pf_source_pmcd.open(ret_source, spec, cat, err);
	if (!spec->path)
		return pf_source_live.open(ret_source, spec, cat, err);
	if (spec->more)
		return pf_source_series.open(ret_source, spec, cat, err);
	for (unsigned i = 0; pf_source_kinds[i]; i++) {
		const struct pf_source_kind *kind = pf_source_kinds[i];
		if (!kind->accepts || !kind->accepts(spec->path))
			continue;
		if (kind->live)
			return pf_err_set(err, -EINVAL, "%s: a pmcd is no recording; perfolio --host %s shows it",
					  spec->path, spec->path);
		int rc = kind->open(ret_source, spec, cat, err);
		return rc == 0 ? check_host(ret_source, spec, err) : rc;
	}
	if (access(spec->path, R_OK) < 0)
		return pf_err_set(err, -errno, "%s: %s", spec->path, strerror(errno));
	return pf_err_set(err, -EINVAL, "%s: no kind of recording that is known here: raw file, folio, archive",
			  spec->path);
}

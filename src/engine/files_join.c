/* engine/files_join.c - recordings that were named one by one and are one in time: those of one host, unless they are raw files, which are played
 * as collectl plays them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "engine/files.h"
#include "model/catalog.h"
#include "sources/source.h"

/* The host of a recording that may be joined with others, "" of one that may not, or that cannot be opened, which is told later. NULL without
 * memory. */
static char *host_of(const struct pf_play_file *f)
{
	struct pf_catalog *catalog = pf_catalog_new();
	const struct pf_source_spec spec = { .path = f->path, .root_fd = -1 };
	struct pf_source *source;
	char *host = NULL;
	if (!catalog)
		return NULL;
	if (!f->known && pf_source_open(&source, &spec, catalog, NULL) == 0) {
		const struct pf_source_info *info = source->kind->info(source);
		host = strdup(info->host && !info->is_raw ? info->host : "");
		(void)source->kind->close(source);
	} else {
		host = strdup("");
	}
	(void)pf_catalog_free(catalog);
	return host;
}

/* @f is emptied. */
static int add_more(struct pf_play_file *to, struct pf_play_file *f)
{
	char **more = reallocarray(to->more, to->n_more + 2, sizeof(*more));
	if (!more)
		return -ENOMEM;
	more[to->n_more++] = f->path;
	more[to->n_more] = NULL;
	to->more = more;
	f->path = NULL;
	return 0;
}

static int join(struct pf_play_files *files, char *const *hosts)
{
	unsigned kept = 0;
	int rc = 0;
	for (unsigned i = 0; i < files->n; i++) {
		unsigned with = 0;
		while (with < i &&
		       (hosts[i][0] == '\0' || !files->files[with].path || strcmp(hosts[with], hosts[i]) != 0))
			with++;
		if (rc == 0 && with < i)
			rc = add_more(&files->files[with], &files->files[i]);
	}
	for (unsigned i = 0; i < files->n; i++) {
		struct pf_play_file f = files->files[i];
		if (f.path)
			files->files[kept++] = f;
	}
	files->n = kept;
	return rc;
}

int pf_files_join(struct pf_play_files *files, struct pf_err *err)
{
	int rc = 0;
	if (files->n < 2)
		return 0;
	char **hosts = calloc(files->n, sizeof(*hosts));
	unsigned n = files->n;
	for (unsigned i = 0; hosts && i < n && rc == 0; i++) {
		hosts[i] = host_of(&files->files[i]);
		rc = hosts[i] ? 0 : -ENOMEM;
	}
	if (hosts && rc == 0)
		rc = join(files, hosts);
	for (unsigned i = 0; hosts && i < n; i++)
		free(hosts[i]);
	free(hosts);
	return hosts && rc == 0 ? 0 : pf_err_set(err, -ENOMEM, "no memory");
}

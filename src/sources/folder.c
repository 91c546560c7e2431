/* sources/folder.c - a folder: the archives or the raw files in it, by name. Folios name archives that lie in the same folder as a rule, so they
 * are passed over, as is whatever else is there. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "formats/pcp/reader.h"
#include "sources/joined.h"
#include "sources/list.h"

static bool accepts(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Of the files of an archive its .meta stands for all; a volume or index alone is none. */
static bool is_recording(const char *path)
{
	const char *name = strrchr(path, '/');
	if (pf_pcp_reader_accepts(path))
		return strstr(name ? name : path, ".meta") != NULL;
	return pf_source_raw.accepts(path);
}

static int list_folder(struct pf_joined_list *list, const char *path, struct pf_err *err)
{
	struct dirent **names = NULL;
	unsigned before = list->n;
	int n = scandir(path, &names, is_visible, alphasort);
	if (n < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	int rc = 0;
	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = pf_joined_add(list, pf_view_of(path), pf_view_of(names[i]->d_name), PF_VIEW(""));
		if (rc == 0 && !is_recording(list->entries[list->n - 1].path))
			pf_joined_drop(list);
		free(names[i]);
	}
	free(names);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: no memory", path);
	return list->n > before ? 0 : pf_err_set(err, -ENODATA, "%s: there is no recording in this folder", path);
}

static int open_folder(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		       struct pf_err *err)
{
	return pf_joined_open(ret_source, &pf_source_folder, spec, cat, err);
}

const struct pf_source_kind pf_source_folder = {
	.name = "folder",
	.title = "folder",
	.accepts = accepts,
	.list = list_folder,
	.open = open_folder,
	.next = pf_joined_next,
	.untold = pf_joined_untold,
	.skip = pf_joined_skip,
	.begins = pf_joined_begins,
	.info = pf_joined_info,
	.fd = pf_joined_fd,
	.close = pf_joined_close,
};

/* import/find.c - where a module is: the place that was named, then the folders of the path; in each the shared object before the script,
 * so that a module which perfolio brings in C takes the place of collectl's own, and whoever has his own in this folder gets that. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "import/host.h"

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

static int open_found(struct pf_module *m, const char *found, struct pf_err *err)
{
	m->path = realpath(found, NULL);
	if (!m->path)
		return pf_err_set(err, -errno, "%s: %s", found, strerror(errno));
	return ends_with(found, ".so") ? pf_module_open_native(m, err) : pf_module_open_script(m, err);
}

/* Try one file. Return: 1 it is there and opened, 0 not there, or why it was refused. */
static int try_file(struct pf_module *m, const char *folder, const char *name, const char *ending, struct pf_buf *tried,
		    struct pf_err *err)
{
	char path[PATH_MAX];
	int n = folder ? snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending)
		       : snprintf(path, sizeof(path), "%s%s%s", strchr(name, '/') ? "" : "./", name, ending);
	if (n < 0 || (size_t)n >= sizeof(path))
		return pf_err_set(err, -ENAMETOOLONG, "%.60s...: the name is too long", name);
	if (access(path, F_OK) < 0) {
		pf_buf_fmt(tried, "%s%s", tried->n > 0 ? ", " : "", path);
		return 0;
	}
	int rc = open_found(m, path, err);
	return rc < 0 ? rc : 1;
}

static int try_folder(struct pf_module *m, const char *folder, const char *name, struct pf_buf *tried,
		      struct pf_err *err)
{
	const char *slash = strrchr(name, '/');
	if (strchr(slash ? slash : name, '.'))
		return try_file(m, folder, name, "", tried, err);
	int rc = m->exports ? 0 : try_file(m, folder, name, ".so", tried, err);
	return rc == 0 ? try_file(m, folder, name, ".ph", tried, err) : rc;
}

int pf_module_load(struct pf_module *m, const char *name, const char *const *path, struct pf_err *err)
{
	struct pf_buf tried = { 0 };
	int rc = try_folder(m, NULL, name, &tried, err);
	for (unsigned i = 0; rc == 0 && name[0] != '/' && path && path[i]; i++)
		rc = try_folder(m, path[i], name, &tried, err);
	if (rc == 0 && m->imp->exit_on_error)
		rc = pf_err_set(err, -ENOENT, "can't find %s file '%s%s' in ./ OR %s/",
				m->exports ? "export" : "import", name, strchr(name, '.') ? "" : ".ph",
				PF_IMPORT_COLLECTL_FOLDER);
	else if (rc == 0)
		rc = pf_err_set(err, -ENOENT, "can't find %s '%s': there is no %s",
				m->exports ? "exporter" : "import module", name, pf_buf_text(&tried).p);
	pf_buf_done(&tried);
	return rc < 0 ? rc : 0;
}

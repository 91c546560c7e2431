/* import/path.c - the folders that modules are searched in. A build tree is known by its build.ninja beside or above the program; an
 * installation by the configured place, or by the same place relative to the program if the whole was moved. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "import/import.h"

enum { FOLDERS_MAX = 32 };

struct path {
	char **folders;
	unsigned n;
};

static int add(struct path *path, const char *folder, size_t len)
{
	if (len == 0 || path->n == FOLDERS_MAX)
		return 0;
	for (unsigned i = 0; i < path->n; i++) {
		if (strlen(path->folders[i]) == len && memcmp(path->folders[i], folder, len) == 0)
			return 0;
	}
	path->folders[path->n] = strndup(folder, len);
	return path->folders[path->n++] ? 0 : -ENOMEM;
}

/* Cut the last part off. */
static bool up(char *folder)
{
	char *slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return false;
	*slash = '\0';
	return true;
}

static int add_build_tree(struct path *path, const char *exe)
{
	char folder[PATH_MAX];
	char probe[PATH_MAX + 16];
	(void)snprintf(folder, sizeof(folder), "%s", exe);
	for (int level = 0; level < 3 && up(folder); level++) {
		(void)snprintf(probe, sizeof(probe), "%s/build.ninja", folder);
		if (access(probe, F_OK) < 0)
			continue;
		(void)snprintf(probe, sizeof(probe), "%s/modules", folder);
		return add(path, probe, strlen(probe));
	}
	return 0;
}

static int add_variable(struct path *path, const char *text)
{
	while (text && *text != '\0') {
		size_t n = strcspn(text, ":");
		int rc = add(path, text, n);
		if (rc < 0)
			return rc;
		text += text[n] == ':' ? n + 1 : n;
	}
	return 0;
}

/* bin/perfolio of an installation that was moved: ../LIBDIR/perfolio/modules. */
static int add_moved(struct path *path, const char *exe)
{
	char folder[PATH_MAX];
	char place[PATH_MAX + sizeof(PF_MODULES_FROM_BIN)];
	(void)snprintf(folder, sizeof(folder), "%s", exe);
	if (!up(folder))
		return 0;
	(void)snprintf(place, sizeof(place), "%s/%s", folder, PF_MODULES_FROM_BIN);
	pf_autofree char *real = realpath(place, NULL);
	return real ? add(path, real, strlen(real)) : 0;
}

char **pf_import_path_free(char **folders)
{
	for (unsigned i = 0; folders && folders[i]; i++)
		free(folders[i]);
	free(folders);
	return NULL;
}

int pf_import_path(char ***ret_folders, struct pf_err *err)
{
	struct path path = { calloc(FOLDERS_MAX + 1, sizeof(char *)), 0 };
	if (!path.folders)
		return pf_err_set(err, -ENOMEM, "no memory");

	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	int rc = add_build_tree(&path, exe);
	if (rc == 0)
		rc = add_variable(&path, getenv("PERFOLIO_MODULES"));
	if (rc == 0)
		rc = add_moved(&path, exe);
	if (rc == 0)
		rc = add(&path, PF_MODULEDIR, strlen(PF_MODULEDIR));
	if (rc == 0)
		rc = add(&path, PF_IMPORT_COLLECTL_FOLDER, strlen(PF_IMPORT_COLLECTL_FOLDER));
	if (rc < 0) {
		(void)pf_import_path_free(path.folders);
		return pf_err_set(err, rc, "no memory");
	}
	*ret_folders = path.folders;
	return 0;
}

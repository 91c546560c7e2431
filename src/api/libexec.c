/* api/libexec.c - where a library finds the programs that it starts. Is linked into each library, and so knows which one it is. */
#include "api/libexec.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* From the folder of the library's file to that of the programs: in the build tree, and for a library among those of the compat folder; and
 * for one in the usual folder of libraries. */
static const char *const ways[] = { "../..", PF_LIBEXEC_FROM_LIB };

/* The path of @name if it can be run there. */
static char *try(const char *folder, const char *way, const char *name)
{
	char *path;
	if (asprintf(&path, "%s/%s%s%s", folder, way, way[0] ? "/" : "", name) < 0)
		return NULL;
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* The folder of our file, with a name that holds when the working folder changes. */
static char *own_folder(void)
{
	static const char here; /* an address in this library */
	Dl_info info;
	if (dladdr(&here, &info) == 0 || !info.dli_fname)
		return NULL;
	char *file = realpath(info.dli_fname, NULL);
	char *slash = file ? strrchr(file, '/') : NULL;
	if (slash)
		*slash = '\0';
	return file;
}

char *pf_libexec_find(const char *name)
{
	const char *told = secure_getenv("PERFOLIO_LIBEXEC");
	pf_autofree char *there = told && told[0] ? realpath(told, NULL) : NULL; /* loggers start in another folder */
	char *path = there ? try(there, "", name) : NULL;
	pf_autofree char *folder = path ? NULL : own_folder();
	for (unsigned i = 0; !path && folder && i < PF_N(ways); i++)
		path = try(folder, ways[i], name);
	if (!path && asprintf(&path, "%s/%s", PF_LIBEXECDIR, name) < 0)
		return NULL;
	return path;
}

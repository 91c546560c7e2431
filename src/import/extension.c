/* import/extension.c - find the shared object of an extension. Whether it may be used is decided where all modules are loaded. */
#include "import/extension.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "import/import.h"

/* Return: is NAME with @ending in @folder (NULL: where NAME says)? If so its path is in @ret. */
static bool is_there(struct pf_buf *ret, const char *folder, const char *name, const char *ending)
{
	pf_buf_clear(ret);
	if (folder)
		pf_buf_fmt(ret, "%s/%s%s", folder, name, ending);
	else
		pf_buf_fmt(ret, "%s%s%s", strchr(name, '/') ? "" : "./", name, ending);
	return !ret->failed && access(ret->p, F_OK) == 0;
}

static bool find(struct pf_buf *ret, const char *name, const char *ending, const char *const *path)
{
	bool found = is_there(ret, NULL, name, ending);
	for (unsigned i = 0; !found && name[0] != '/' && path && path[i]; i++)
		found = is_there(ret, path[i], name, ending);
	return found;
}

static int refuse(struct pf_buf *at, const char *name, bool dot, const char *const *path, bool as_peer,
		  struct pf_err *err)
{
	if (find(at, name, dot ? "" : ".ph", path))
		return pf_err_set(
			err, -ENOTSUP,
			"x=%s: %s is a script, and here only a module in C can extend lexpr (see perfolio-module(3))",
			name, at->p);
	if (as_peer)
		return pf_err_set(err, -ENOENT, "can't find lexpr extension file '%s%s' in ./ OR %s/", name,
				  dot ? "" : ".ph", PF_IMPORT_COLLECTL_FOLDER);
	return pf_err_set(err, -ENOENT, "x=%s: there is no module %s%s, neither here nor where modules are installed",
			  name, name, dot ? "" : ".so");
}

static int extend(struct pf_buf *list, struct pf_buf *at, const char *name, const char *args, const char *const *path,
		  bool as_peer, struct pf_err *err)
{
	const char *slash = strrchr(name, '/');
	const char *dot = strrchr(slash ? slash : name, '.');
	bool script = dot && strcmp(dot, ".so") != 0;
	if (script || !find(at, name, dot ? "" : ".so", path))
		return at->failed ? -ENOMEM : refuse(at, name, dot != NULL, path, as_peer, err);
	if (strpbrk(at->p, ",:="))
		return pf_err_set(err, -EINVAL,
				  "x=%s: a folder with a comma, colon or = in its name cannot be used: %s", name,
				  at->p);
	pf_buf_fmt(list, "%s%s%s", list->n > 0 ? ":" : "", at->p, args);
	return list->failed;
}

int pf_import_extend(struct pf_buf *list, const char *extension, const char *const *path, bool as_peer,
		     struct pf_err *err)
{
	size_t n = strcspn(extension, ",");
	struct pf_buf at = { 0 }, name = { 0 };
	pf_buf_fmt(&name, "%.*s", (int)n, extension);
	int rc = name.failed ? name.failed : extend(list, &at, name.p, extension + n, path, as_peer, err);
	if (rc == -ENOMEM)
		(void)pf_err_set(err, rc, "no memory");
	pf_buf_done(&at);
	pf_buf_done(&name);
	return rc;
}

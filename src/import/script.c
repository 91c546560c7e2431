/* import/script.c - modules that are scripts: the shared object with their interpreter is opened when the first is asked for, and what
 * scripts need beyond the interface of modules is lent here. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "import/door.h"
#include "import/host.h"

static void changed(void *arg, const char *name, const char *value)
{
	struct pf_import *imp = arg;
	if (imp->scripts.changed)
		imp->scripts.changed(imp->scripts.arg, name, value);
}

static void line(struct perfolio_ctx *ctx, const char *text, size_t n, bool second)
{
	pf_module_record(pf_module_of(ctx), pf_view_of(""), (struct pf_view){ text, n }, second);
}

static void say(void *arg, const char *text, size_t n)
{
	struct pf_import *imp = arg;
	if (imp->scripts.say)
		imp->scripts.say(imp->scripts.arg, text, n);
}

static void send(void *arg, const char *text, size_t n, bool ends)
{
	struct pf_import *imp = arg;
	if (imp->scripts.send)
		imp->scripts.send(imp->scripts.arg, text, n, ends);
}

static unsigned n_modules(void *arg)
{
	return ((const struct pf_import *)arg)->n;
}

static void give(void *arg, unsigned module, char kind, struct perfolio_export *to)
{
	struct pf_import *imp = arg;
	if (module < imp->n && imp->step)
		pf_module_give(imp, module, kind, imp->step, to);
}

static const char *text(const struct perfolio_text *text, size_t *ret_n)
{
	struct pf_view v = pf_buf_text(text->buf);
	*ret_n = v.n;
	return v.p;
}

static void replace(struct perfolio_text *text, const char *with, size_t n)
{
	struct pf_view have = pf_buf_text(text->buf);
	if (have.n <= n && memcmp(have.p, with, have.n) == 0) {
		pf_buf_add(text->buf, with + have.n, n - have.n); /* mostly it was appended to */
		return;
	}
	pf_buf_clear(text->buf);
	pf_buf_add(text->buf, with, n);
}

static void ended(struct perfolio_ctx *ctx, const struct pf_script_end *end)
{
	struct pf_module *m = pf_module_of(ctx);
	if (m->failed.rc < 0)
		return;
	const char *words = end->text ? end->text : "";
	(void)pf_err_set(&m->failed, -ECANCELED, "%.*s", (int)strcspn(words, "\n"), words);
	m->failed.ends = true;
	m->failed.status = end->status;
}

/* The shared object lies beside the modules. */
static int open_door(struct pf_import *imp, struct pf_err *err)
{
	for (unsigned i = 0; imp->path && imp->path[i] && !imp->door_handle; i++) {
		char file[PATH_MAX];
		int n = snprintf(file, sizeof(file), "%s/perl/perl.so", imp->path[i]);
		if (n < 0 || (size_t)n >= sizeof(file) || access(file, F_OK) < 0)
			continue;
		int rc = pf_module_check_file(file, true, err);
		if (rc < 0)
			return rc;
		/* Global, since Perl's own extensions take the interpreter's functions from there. */
		imp->door_handle = dlopen(file, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
		if (!imp->door_handle)
			return pf_err_set(err, -ENOEXEC, "%s: cannot be loaded: %s", file, dlerror());
	}
	if (!imp->door_handle)
		return pf_err_set(
			err, -ENOTSUP,
			"modules in Perl need perfolio's perl/perl.so beside its modules; it is not installed");
	imp->door = dlsym(imp->door_handle, "pf_script_door");
	if (!imp->door || imp->door->size != sizeof(*imp->door) || strcmp(imp->door->build, PF_VERSION) != 0)
		return pf_err_set(err, -EPROTO,
				  "perl/perl.so belongs to another version of perfolio; install both anew");
	return 0;
}

static int open_script(struct pf_import *imp, struct pf_err *err)
{
	int rc = open_door(imp, err);
	if (rc < 0)
		return rc;
	imp->script_host = (struct pf_script_host){
		.size = sizeof(imp->script_host),
		.lent = &imp->host,
		.vars = imp->scripts.vars,
		.folder = PF_IMPORT_COLLECTL_FOLDER,
		.arg = imp,
		.changed = changed,
		.line = line,
		.say = say,
		.send = send,
		.n_modules = n_modules,
		.give = give,
		.text = text,
		.replace = replace,
		.ended = ended,
		.strict = imp->exit_on_error,
	};
	char why[256] = "no memory";
	rc = imp->door->open(&imp->script, &imp->script_host, why, sizeof(why));
	return rc < 0 ? pf_err_set(err, rc, "perl/perl.so: %s", why) : 0;
}

/* Functions are named after the file, up to its first dot. */
static int prefix_of(const char *path, char ret_prefix[PF_MODULE_NAME_MAX], struct pf_err *err)
{
	const char *name = strrchr(path, '/');
	name = name ? name + 1 : path;
	size_t n = strcspn(name, ".");
	if (n == 0 || n >= PF_MODULE_NAME_MAX)
		return pf_err_set(err, -EINVAL, "%s: a module is named by up to %d letters", path,
				  PF_MODULE_NAME_MAX - 1);
	memcpy(ret_prefix, name, n);
	ret_prefix[n] = '\0';
	return 0;
}

int pf_module_open_script(struct pf_module *m, struct pf_err *err)
{
	char prefix[PF_MODULE_NAME_MAX];
	int rc = pf_module_check_file(m->path, false, err);
	if (rc == 0)
		rc = prefix_of(m->path, prefix, err);
	if (rc == 0 && !m->imp->script)
		rc = open_script(m->imp, err);
	if (rc < 0)
		return rc;
	struct perfolio_module given;
	char why[PF_ERR_TEXT / 2] = "it ended while it was loaded";
	rc = m->imp->door->load(m->imp->script, m->path, prefix, &m->ctx, &given, why, sizeof(why));
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", m->path, why);
	m->script = true;
	if (m->exports)
		return 0; /* its functions are not those of a module */
	if (given.init && !given.get_data && !given.analyze)
		return pf_err_set(err, -ENOEXEC, "%s: it has no GetData and no Analyze; an exporter is for --export",
				  m->path);
	rc = pf_module_accept(&m->is, &given, err);
	return rc < 0 ? pf_err_context(err, rc, "%s", m->path) : 0;
}

void pf_module_scripts_done(struct pf_import *imp)
{
	if (imp->script)
		imp->door->close(imp->script);
	imp->script = NULL;
}

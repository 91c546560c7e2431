/* import/exporter.c - an exporter in Perl: found and loaded like a module, which it is not: it reads variables that its host fills from the
 * sample and asks the modules itself. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "import/door.h"
#include "import/host.h"

/* What its end leaves to be said; without it nothing would be left to do. */
static int ended(struct pf_module *m, int rc, struct pf_err *err)
{
	if (m->failed.rc < 0)
		*err = m->failed;
	else if (rc < 0)
		return pf_err_set(err, rc, "the exporter %s failed", m->path);
	return m->failed.rc;
}

int pf_module_open_exporter(struct pf_import *imp, const char *text, const char *const *path, struct pf_err *err)
{
	const char *comma = strchr(text, ',');
	struct pf_module *m = calloc(1, sizeof(*m));
	if (!m)
		return pf_err_set(err, -ENOMEM, "no memory");
	imp->exporter = m;
	m->ctx = (struct perfolio_ctx){ .size = sizeof(m->ctx), .host = &imp->host };
	m->imp = imp;
	m->exports = true;
	pf_autofree char *name = comma ? strndup(text, (size_t)(comma - text)) : strdup(text);
	if (!name)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = pf_module_load(m, name, path, err);
	if (rc < 0)
		return m->failed.rc < 0 ? ended(m, rc, err) : rc;
	if (!m->script)
		return pf_err_set(err, -ENOEXEC, "%s: only exporters in Perl can be loaded", m->path);
	m->args = comma ? strdup(comma + 1) : NULL;
	return comma && !m->args ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

int pf_import_start_exporter(struct pf_import *imp, struct pf_err *err)
{
	struct pf_module *m = imp->exporter;
	if (!m || m->initialised)
		return 0;
	m->initialised = true;
	return ended(m, imp->door->start(imp->script, &m->ctx, m->args), err);
}

void pf_module_close_exporter(struct pf_import *imp)
{
	struct pf_module *m = PF_TAKE(imp->exporter);
	if (!m)
		return;
	pf_module_files_done(m);
	free(m->args);
	free(m->path);
	free(m);
}

struct pf_script_cell *pf_import_cell(struct pf_import *imp, const char *name, bool array)
{
	return imp->exporter ? imp->door->cell(imp->script, name, array) : NULL;
}

void pf_import_set(struct pf_import *imp, struct pf_script_cell *cell, int index, const char *field, double number)
{
	if (cell)
		imp->door->set(imp->script, cell, index, field, number, NULL);
}

void pf_import_set_text(struct pf_import *imp, struct pf_script_cell *cell, int index, const char *field,
			const char *text)
{
	if (cell)
		imp->door->set(imp->script, cell, index, field, 0, text);
}

void pf_import_empty(struct pf_import *imp, struct pf_script_cell *cell)
{
	if (cell)
		imp->door->empty(imp->script, cell);
}

int pf_import_run_exporter(struct pf_import *imp, const struct pf_step *step, struct pf_err *err)
{
	imp->step = step;
	int rc = imp->door->run(imp->script, &imp->exporter->ctx);
	imp->step = NULL;
	return ended(imp->exporter, rc, err);
}

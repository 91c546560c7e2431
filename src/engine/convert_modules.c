/* engine/convert_modules.c - the state that modules read, as in playback. */
#include "engine/convert_modules.h"

#include "base/err.h"
#include "import/import.h"

int pf_convert_modules_open(struct pf_convert_modules *m, const char *list, struct pf_catalog *cat,
			    const struct pf_notice *notice, struct pf_err *err)
{
	*m = (struct pf_convert_modules){ .request = { .import = list, .interval = "1" } };
	if (!list)
		return 0;
	int rc = pf_plan_make(&m->plan, &m->request, notice, err);
	if (rc < 0)
		return rc;
	m->planned = true;
	m->state = (struct perfolio_state){ .size = sizeof(m->state),
					    .datetime = "",
					    .mini_filler = "",
					    .rate = "/sec",
					    .separator = " ",
					    .int_secs = 1,
					    .interval = "1",
					    .host = "",
					    .playback = true };
	pf_scripts_fill(&m->scripts, &m->plan, &m->state);
	char **folders = NULL;
	rc = pf_import_path(&folders, err);
	if (rc < 0)
		return rc;
	const struct pf_import_setup setup = { .spec = list,
					       .path = (const char *const *)folders,
					       .state = &m->state,
					       .scripts = { .vars = m->scripts.vars },
					       .notice = notice };
	rc = pf_import_open(&m->import, &setup, cat, err);
	(void)pf_import_path_free(folders);
	return rc;
}

void pf_convert_modules_header(struct pf_convert_modules *m, const char *host, const char *header)
{
	if (!m->import)
		return;
	m->state.host = host ? host : "";
	pf_import_get_header(m->import, header ? header : "");
	pf_import_init_interval(m->import);
}

void pf_convert_modules_end(struct pf_convert_modules *m, int64_t time_ns)
{
	m->state.time_ns = time_ns;
	if (m->import)
		pf_import_interval_end(m->import);
}

void pf_convert_modules_begin(struct pf_convert_modules *m)
{
	if (m->import)
		pf_import_init_interval(m->import);
}

void pf_convert_modules_close(struct pf_convert_modules *m)
{
	m->state.host = "";
	m->import = m->import ? pf_import_close(m->import) : NULL;
	if (m->planned)
		pf_plan_done(&m->plan);
	m->planned = false;
}

/* import/facts.c - what a loaded module says of itself. */
#include "base/cleanup.h"
#include "import/host.h"

bool pf_import_facts(const struct pf_import *imp, unsigned i, struct pf_import_facts *ret_facts)
{
	if (i >= imp->n)
		return false;
	const struct pf_module *m = &imp->modules[i];
	const struct {
		const char *name;
		bool has;
	} callbacks[] = {
		{ "init", m->is.init },
		{ "get_data", m->is.get_data },
		{ "analyze", m->is.analyze },
		{ "init_interval", m->is.init_interval },
		{ "interval_end", m->is.interval_end },
		{ "get_header", m->is.get_header },
		{ "update_header", m->is.update_header },
		{ "print_brief", m->is.print_brief },
		{ "print_verbose", m->is.print_verbose },
		{ "print_plot", m->is.print_plot },
		{ "print_export", m->is.print_export },
		{ "done", m->is.done },
	};
	*ret_facts = (struct pf_import_facts){
		.name = m->is.name,
		.version = m->is.version ? m->is.version : "",
		.path = m->path,
		.key = m->key ? m->key : "",
		.script = m->script,
		.summary = m->summary,
		.detail = m->detail,
		.withdrawn = m->off,
	};
	for (unsigned k = 0, n = 0; k < PF_N(callbacks); k++) {
		if (callbacks[k].has)
			ret_facts->callbacks[n++] = callbacks[k].name;
	}
	return true;
}

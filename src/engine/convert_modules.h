/* engine/convert_modules.h - import modules beside a conversion: they take their lines out of a raw file. */
#ifndef PF_ENGINE_CONVERT_MODULES_H
#define PF_ENGINE_CONVERT_MODULES_H

#include "engine/plan.h"
#include "engine/scripts.h"
#include "perfolio/module.h"

struct pf_catalog;
struct pf_import;

/* @import: NULL if there are none. */
struct pf_convert_modules {
	struct pf_request request;
	struct pf_plan plan;
	struct perfolio_state state;
	struct pf_scripts scripts;
	struct pf_import *import;
	bool planned;
};

/* pf_convert_modules_open() - @list: as behind --import, NULL: none. On failure, too, they are to be closed: before the catalog is freed. */
int pf_convert_modules_open(struct pf_convert_modules *m, const char *list, struct pf_catalog *cat,
			    const struct pf_notice *notice, struct pf_err *err);

/* pf_convert_modules_header() - what a raw file says of itself, before its first sample. */
void pf_convert_modules_header(struct pf_convert_modules *m, const char *host, const char *header);

/* pf_convert_modules_end() - a sample is whole; pf_convert_modules_begin() - the next one comes. */
void pf_convert_modules_end(struct pf_convert_modules *m, int64_t time_ns);
void pf_convert_modules_begin(struct pf_convert_modules *m);
void pf_convert_modules_close(struct pf_convert_modules *m);

#endif

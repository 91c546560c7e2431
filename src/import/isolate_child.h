/* import/isolate_child.h - the module's end of the wire: what answers the recorder's calls, apart from the process that it runs in. */
#ifndef PF_IMPORT_ISOLATE_CHILD_H
#define PF_IMPORT_ISOLATE_CHILD_H

#include "import/isolate.h"

/**
 * struct pf_iso_side - this end.
 * @m: the module as it is here, with callbacks of its own; first, so that a ctx leads here
 * @notice: of @m's host, where messages go over the wire
 * @acknowledge: each record is answered, since it is analysed at once; @n_answered in this interval
 */
struct pf_iso_side {
	struct pf_module m;
	struct pf_wire wire;
	struct pf_notice notice;
	struct perfolio_state *state;
	struct pf_iso_texts texts;
	struct pf_buf text;
	struct pf_buf args[2 * PF_MODULE_DEPTH_MAX + 2];
	unsigned depth;
	bool acknowledge;
	unsigned n_answered;
};

/* pf_iso_side_init() - @s, zeroed, is the end of the wire at @fd; what @imp lends to modules goes over the wire from now on. */
void pf_iso_side_init(struct pf_iso_side *s, struct pf_import *imp, int fd);

/* pf_iso_side_serve() - answer calls until the recorder is gone or says what cannot be; then the process ends. */
_Noreturn void pf_iso_side_serve(struct pf_iso_side *s);

#endif

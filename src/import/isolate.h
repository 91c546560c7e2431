/* import/isolate.h - modules in a process of their own. In the recorder their callbacks are stand-ins that send a message and do what comes
 * back, until the callback has returned or its time is over (ARCHITECTURE.md, "A module in a process of its own"). */
#ifndef PF_IMPORT_ISOLATE_H
#define PF_IMPORT_ISOLATE_H

#include "base/arena.h"
#include "import/host.h"
#include "import/wire.h"

/* Callbacks by number, in the order of struct perfolio_module. */
enum pf_call {
	PF_CALL_INIT,
	PF_CALL_GET_DATA,
	PF_CALL_ANALYZE,
	PF_CALL_INIT_INTERVAL,
	PF_CALL_INTERVAL_END,
	PF_CALL_GET_HEADER,
	PF_CALL_UPDATE_HEADER,
	PF_CALL_BRIEF,
	PF_CALL_VERBOSE,
	PF_CALL_PLOT,
	PF_CALL_EXPORT,
	PF_CALL_DONE,
	PF_N_CALLS
};

extern const char *const pf_call_names[PF_N_CALLS];

/* @LATE: the time of a callback was over and it has not returned yet; @DOWN: it will be started again; @STARTING: it is, up to the end of its
 * Init; @GIVEN_UP: it will not be. */
enum pf_iso_state { PF_ISO_UP, PF_ISO_LATE, PF_ISO_DOWN, PF_ISO_STARTING, PF_ISO_GIVEN_UP };

/**
 * struct pf_iso - the recorder's end.
 * @mask: callbacks that the module has, a bit each
 * @depth: calls that have not returned; the time of all ends with that of the outermost, at @until_ns
 * @call: the innermost one, @outer: the outermost; @since_ns: when the state was entered; @again_ns: when it is started again
 * @restarts: how often that was; @careful: calls that get less time, since one was late
 * @arena: texts that live as long as the module
 * @loaded: one that is starting has been loaded, and its Init runs
 * @setup: what Init said the first time; later ones must say the same
 * @drawn: bytes or columns that a callback made the last time, so that lines keep their shape
 */
struct pf_iso {
	struct pf_wire wire;
	pid_t pid;
	enum pf_iso_state state;
	uint64_t mask;
	unsigned depth;
	int64_t until_ns;
	int64_t deadline_ns;
	enum pf_call call;
	enum pf_call outer;
	int64_t since_ns;
	int64_t again_ns;
	unsigned restarts;
	unsigned careful;
	bool slow_told;
	struct pf_arena arena;
	struct perfolio_setup setup;
	struct perfolio_metric *metrics;
	struct perfolio_export *to;
	struct perfolio_text *text;
	int rc;
	int statm_fd;
	unsigned brief_n[PERFOLIO_BRIEF_TOTALS + 1];
	unsigned plot_n[PERFOLIO_PLOT_DET + 1];
	bool lost;
	bool loaded;
};

/* isolate.c: load @name in a process; m->is gets the stand-ins. pf_iso_close() - end it; NULL is allowed. */
int pf_iso_load(struct pf_module *m, const char *name, const char *const *path, int64_t deadline_ns,
		struct pf_err *err);
/* pf_iso_meet() - whoever is at the other end of m->iso->wire says what was loaded; m->is gets the stand-ins. */
int pf_iso_meet(struct pf_module *m, struct pf_err *err);
void pf_iso_close(struct pf_module *m);
void pf_iso_root(struct pf_module *m); /* the root has changed */

/* isolate_child.c: the other end; never returns. */
_Noreturn void pf_iso_child(struct pf_module *m, int fd, const char *name, const char *const *path);

/* isolate_state.c: what modules see of the run, as fields. */
void pf_iso_put_state(struct pf_wire *w, const struct pf_module *m);

struct pf_iso_texts {
	struct pf_buf texts[PF_WIRE_STATE_TEXTS];
};

void pf_iso_get_state(struct pf_wire_fields *f, struct pf_import *imp, struct perfolio_state *to,
		      struct pf_iso_texts *texts);

#endif

/* engine/lab_room.h - what a module needs around it while it is looked at: one loaded module with a state, a catalog and two samples. */
#ifndef PF_ENGINE_LAB_ROOM_H
#define PF_ENGINE_LAB_ROOM_H

#include "base/notice.h"
#include "engine/lab.h"
#include "engine/plan.h"
#include "engine/scripts.h"
#include "import/import.h"
#include "model/sample.h"
#include "perfolio/module.h"

struct pf_lab_room {
	struct pf_request request;
	struct pf_plan plan;
	struct perfolio_state state;
	struct pf_scripts scripts;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	struct pf_import *import;
	bool planned;
};

/**
 * pf_lab_room_open() - load the module at @path and run its Init.
 * @phase: what the state says; @watch, @notice: may be NULL
 * On failure, too, the room is to be closed.
 */
int pf_lab_room_open(struct pf_lab_room *room, const char *path, const char *args, enum pf_lab_phase phase,
		     const struct pf_import_watch *watch, const struct pf_notice *notice, struct pf_err *err);
void pf_lab_room_close(struct pf_lab_room *room);

#endif

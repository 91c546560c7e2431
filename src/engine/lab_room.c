/* engine/lab_room.c - a module with what it needs around it. */
#include "engine/lab_room.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/err.h"

int pf_lab_room_open(struct pf_lab_room *room, const char *path, const char *args, enum pf_lab_phase phase,
		     const struct pf_import_watch *watch, const struct pf_notice *notice, struct pf_err *err)
{
	*room = (struct pf_lab_room){ .request = { .import = path, .interval = "1" } };
	int rc = pf_plan_make(&room->plan, &room->request, notice, err);
	if (rc < 0)
		return rc;
	room->planned = true;
	room->catalog = pf_catalog_new();
	if (!room->catalog)
		return pf_err_set(err, -ENOMEM, "no memory");
	pf_frames_init(&room->frames, room->catalog);
	room->state = (struct perfolio_state){
		.size = sizeof(room->state),
		.separator = " ",
		.int_secs = 1,
		.interval = "1",
		.playback = phase == PF_LAB_PLAYBACK,
		.recording = phase == PF_LAB_RECORD,
		.host = "localhost",
	};
	pf_scripts_fill(&room->scripts, &room->plan, &room->state);
	char **folders = NULL;
	rc = pf_import_path(&folders, err);
	if (rc < 0)
		return rc;
	const struct pf_import_setup setup = {
		.file = path,
		.args = args,
		.watch = watch,
		.path = (const char *const *)folders,
		.state = &room->state,
		.scripts = { .vars = room->scripts.vars },
		.notice = notice,
	};
	rc = pf_import_open(&room->import, &setup, room->catalog, err);
	(void)pf_import_path_free(folders);
	return rc;
}

void pf_lab_room_close(struct pf_lab_room *room)
{
	room->import = pf_import_close(room->import);
	if (room->catalog)
		pf_frames_done(&room->frames);
	room->catalog = pf_catalog_free(room->catalog);
	if (room->planned)
		pf_plan_done(&room->plan);
	room->planned = false;
}

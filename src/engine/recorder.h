/* engine/recorder.h - raw files while they are written: one, or two with --tworaw; begun anew when it is time to roll. */
#ifndef PF_ENGINE_RECORDER_H
#define PF_ENGINE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "engine/plan.h"
#include "sources/source.h"

struct pf_err;
struct pf_import;
struct pf_recorder;

enum { PF_RECORDER_FILES = 2 };

/* One raw file. @rc: its first error; @roll: with the next marker a new file begins;
 * @tag: that --utime has stamped last; @tap: what the source tells its text to */
struct pf_record_file {
	struct pf_recorder *recorder;
	struct pf_sink *raw;
	char letters[PF_LETTERS_MAX];
	const char *ending;
	int rc;
	bool roll;
	struct pf_view tag;
	struct pf_raw_tap tap;
};

/**
 * struct pf_recorder - what is being recorded.
 * @stamp_ns: in the names of the files that are written now
 * @note: text for a diagnostic line behind the next marker, "" for none
 */
struct pf_recorder {
	const struct pf_plan *plan;
	struct pf_import *import;
	int root_fd;
	const char *host;
	struct pf_record_file files[PF_RECORDER_FILES];
	int64_t stamp_ns;
	int64_t last_mark_ns;
	char note[128];
};

/* pf_recorder_init() - nothing is open yet, but the taps can be handed to a source. */
void pf_recorder_init(struct pf_recorder *r, const struct pf_plan *plan, int root_fd, struct pf_import *import);

/* pf_recorder_purge() - -r: remove what is too old. */
void pf_recorder_purge(const struct pf_plan *plan, const char *host);

/* pf_recorder_open() - the first files. */
int pf_recorder_open(struct pf_recorder *r, const char *host, struct pf_err *err);

static inline bool pf_recorder_is_open(const struct pf_recorder *r)
{
	return r->files[0].raw != NULL;
}

/* pf_recorder_roll() - the next sample begins new files: its marker ends the old ones and begins the new ones. */
void pf_recorder_roll(struct pf_recorder *r);

/* pf_recorder_note() - "### SECONDS.MICROSECONDS TEXT" behind the next marker; readers pass over it. */
void pf_recorder_note(struct pf_recorder *r, const char *text);

/* pf_recorder_line() - the same at once. */
void pf_recorder_line(struct pf_recorder *r, const char *text);

/* pf_recorder_flush() - hand what was taken to the files if @due; the first error so far. */
int pf_recorder_flush(struct pf_recorder *r, bool due);

/* pf_recorder_close() - the last marker; close. Return: @rc, or the first error if that is none. */
int pf_recorder_close(struct pf_recorder *r, int rc, struct pf_err *err);

#endif

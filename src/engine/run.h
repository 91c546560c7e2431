/* engine/run.h - do what a plan says: turn the handle between sources and sinks. */
#ifndef PF_ENGINE_RUN_H
#define PF_ENGINE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "engine/plan.h"

struct pf_err;

/* Moments that a command may want to tell; each may be NULL. @ready: all is open, the first sample comes. @file: playback goes to it. */
struct pf_run_hooks {
	void (*ready)(void *arg);
	void (*file)(void *arg, const char *path);
	void *arg;
};

/**
 * struct pf_run_result - how a run ended.
 * @signal: the signal that ended it, 0 if none
 * @lost: something in the input was damaged and left out, which was told as a warning
 * @closed: the reader of our output went away
 * @n_files: recordings that were played back; @n_matched: files whose names fit; @n_shown: intervals shown
 * @reached: a sample at or behind --from was there, be it the first or one behind --thru
 * @documented: a document has a sample that no interval leads to
 */
struct pf_run_result {
	int signal;
	bool lost;
	bool closed;
	unsigned n_files;
	unsigned n_matched;
	uint64_t n_shown;
	bool reached;
	bool documented;
};

/* pf_run_live() - sample this host and show or record it. Return: 0 or negative errno with a sentence. */
int pf_run_live(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		struct pf_err *err);

/* pf_run_playback() - show recordings. Return: as pf_run_live(). */
int pf_run_playback(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		    struct pf_err *err);

/* pf_run_extract() - copy a span out of raw files into others. */
int pf_run_extract(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		   struct pf_err *err);

/* pf_run_header() - append the header that a raw file made now would have. pf_run_file_headers() - name and header of each file to play. */
int pf_run_header(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err);
int pf_run_file_headers(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err);

/* pf_run_headings() - append the column headings that the plan would show. pf_run_file_headings() - those of the recordings to play. */
int pf_run_headings(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err);
int pf_run_file_headings(const struct pf_plan *plan, struct pf_buf *out, struct pf_run_result *ret, struct pf_err *err);

#endif

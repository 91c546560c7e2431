/* sinks/snapshot.h - a file that always holds the latest values, whole: readers see the old ones or the new ones. */
#ifndef PF_SINKS_SNAPSHOT_H
#define PF_SINKS_SNAPSHOT_H

#include "base/buf.h"

struct pf_err;

/* @path: NULL: no file was asked for; @draft: where the next text is written, beside it */
struct pf_snapshot {
	char *path;
	char *draft;
};

/**
 * pf_snapshot_choose() - the file @file or, if that is "", FOLDER/NAME; none if there is neither.
 *
 * Return: 0; -ENOTDIR if @folder is none; -ENOMEM.
 */
int pf_snapshot_choose(struct pf_snapshot *s, const char *folder, const char *name, const char *file,
		       struct pf_err *err);

/* pf_snapshot_write() - replace the file; what is a device or a pipe is written into. */
int pf_snapshot_write(const struct pf_snapshot *s, struct pf_view text, struct pf_err *err);

void pf_snapshot_done(struct pf_snapshot *s);

#endif

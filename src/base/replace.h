/* base/replace.h - a file is made anew beside the old one and takes its name when it is whole and on disk; nobody ever sees half of it. */
#ifndef PF_BASE_REPLACE_H
#define PF_BASE_REPLACE_H

#include <stdbool.h>

struct pf_err;

/**
 * struct pf_replace - one file that is being made; {.fd = -1} is none.
 * @fd: where its bytes go. @path: what it will be called, @part: what it is called until then. @old: what it stands in for, NULL if that is not there
 */
struct pf_replace {
	int fd;
	char *path;
	char *part;
	char *old;
};

/**
 * pf_replace_begin() - PATH.sealing is made, with the mode and owner of what it will replace. A stale one is emptied.
 * @old: what it replaces, if that is called otherwise than @path; NULL for the same. It need not exist
 *
 * Return: 0; -EBUSY when somebody else makes one just now; other negative errno. The error is a sentence that names the file.
 */
int pf_replace_begin(struct pf_replace *r, const char *path, const char *old, struct pf_err *err);

/* pf_replace_sync() - all bytes are on disk and the file is whole; nothing is replaced yet. */
int pf_replace_sync(struct pf_replace *r, struct pf_err *err);

/**
 * pf_replace_commit() - the new file takes its name.
 * @keep: the old one stays, as OLD.orig-N with the first free N; @ret_kept: that name, to be freed, NULL if none was kept
 *
 * Return: 0 or negative errno: then the old file is as it was.
 */
int pf_replace_commit(struct pf_replace *r, bool keep, char **ret_kept, struct pf_err *err);

/* pf_replace_done() - release; what was not committed is removed. */
void pf_replace_done(struct pf_replace *r);

/**
 * pf_replace_may() - is nobody writing to @path now?
 * The kernel is asked for a read lease (fcntl(2)), which it gives only while nobody on this host has the file open for writing. Where there are no
 * leases (some network file systems, files of others), a file that was written to within the last minute counts as being written.
 *
 * Return: 0 (also when there is no such file); -EBUSY with a sentence.
 */
int pf_replace_may(const char *path, struct pf_err *err);

#endif

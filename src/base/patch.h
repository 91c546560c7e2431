/* base/patch.h - a new file as parts of an old one with other bytes between them. */
#ifndef PF_BASE_PATCH_H
#define PF_BASE_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct pf_err;

/* @n bytes from @from on, of the old file or (@made) of what was added. */
struct pf_patch_part {
	uint64_t from;
	uint64_t n;
	bool made;
};

/* {0} is an empty file. @size: of all parts. @failed: no memory, once and for all. */
struct pf_patch {
	struct pf_patch_part *parts;
	size_t n;
	size_t cap;
	struct pf_buf made;
	uint64_t size;
	int failed;
};

/* pf_patch_keep() - @n bytes of the old file follow. pf_patch_put() - other bytes do. */
void pf_patch_keep(struct pf_patch *p, uint64_t from, uint64_t n);
void pf_patch_put(struct pf_patch *p, const void *bytes, size_t n);

/* pf_patch_is_same() - does the new file hold the old one's @size bytes and nothing else? */
bool pf_patch_is_same(const struct pf_patch *p, uint64_t size);

/* pf_patch_only_cuts() - does it begin like the old file and keep nothing of it behind that? Then what was left out is a tail. */
bool pf_patch_only_cuts(const struct pf_patch *p);

/* How old bytes are read (up to @n, at least one, at @off) and new ones written. Return: 0 or negative errno, with a sentence. */
struct pf_patch_io {
	int (*read)(void *arg, uint64_t off, size_t n, struct pf_view *ret_bytes, struct pf_err *err);
	int (*write)(void *arg, struct pf_view bytes, struct pf_err *err);
	void *arg;
};

int pf_patch_write(const struct pf_patch *p, const struct pf_patch_io *io, struct pf_err *err);
void pf_patch_done(struct pf_patch *p);

/**
 * pf_patch_replace() - @path, open as @fd, becomes what the patch says, as base/replace.h does it.
 * @keep: the old file stays; @ret_kept: under that name, to be freed, NULL if it does not
 *
 * Return: 0; -EBUSY when somebody writes to it; other negative errno; each with a sentence, and nothing is changed.
 */
int pf_patch_replace(const struct pf_patch *p, const char *path, int fd, bool keep, char **ret_kept,
		     struct pf_err *err);

#endif

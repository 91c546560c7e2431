/* sources/joined.h - several recordings of one host as one in time: what a folder, a folio or a list of names stands for.
 *
 * They are played by their beginnings. What was given is not given again: where two overlap, the one that began earlier is shown to its end,
 * and the other one goes on behind it, so that each time has one set of metrics. Between two of them nothing is known, unless the later one
 * covers the place where the earlier one ends. */
#ifndef PF_SOURCES_JOINED_H
#define PF_SOURCES_JOINED_H

#include "sources/source.h"

/* One recording. @kind: which it must be, NULL: any. @host: who is said to have made it, NULL: the recording tells. @why: what is wrong with
 * it; @path is NULL where there is nothing to open. */
struct pf_joined_entry {
	const struct pf_source_kind *kind;
	char *path;
	char *host;
	char *why;
};

struct pf_joined_list {
	struct pf_joined_entry *entries;
	unsigned n;
};

/**
 * pf_joined_add() - one more, at the end.
 * @folder: where @name is looked for unless it begins with '/'; may be empty
 * @host: may be empty
 *
 * Return: 0 or -ENOMEM. The same for pf_joined_complain(), which notes a sentence about something that is missing. pf_joined_drop() takes the
 * last one away.
 */
int pf_joined_add(struct pf_joined_list *list, struct pf_view folder, struct pf_view name, struct pf_view host);
int pf_joined_complain(struct pf_joined_list *list, const char *why);
void pf_joined_drop(struct pf_joined_list *list);
void pf_joined_done(struct pf_joined_list *list);

/**
 * pf_joined_list_of() - the recordings that @path stands for: itself, if it is one.
 *
 * Return: 0, with at least one entry; -ENODATA for a folder or folio without recordings; other negative errno.
 */
int pf_joined_list_of(struct pf_joined_list *list, const char *path, struct pf_err *err);

/* A source of @kind that plays what kind->list() gives; its other functions are the ones below. */
int pf_joined_open(struct pf_source **ret_source, const struct pf_source_kind *kind, const struct pf_source_spec *spec,
		   struct pf_catalog *cat, struct pf_err *err);
int pf_joined_next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err);
int pf_joined_untold(struct pf_source *source, struct pf_err *err);
void pf_joined_skip(struct pf_source *source, int64_t before_ns);
int64_t pf_joined_begins(struct pf_source *source);
const struct pf_source_info *pf_joined_info(struct pf_source *source);
int pf_joined_fd(struct pf_source *source);
struct pf_source *pf_joined_close(struct pf_source *source);

#endif

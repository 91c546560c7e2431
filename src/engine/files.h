/* engine/files.h - which raw files a playback means: lists, wildcards, TODAY and YESTERDAY, names with host, date and time. */
#ifndef PF_ENGINE_FILES_H
#define PF_ENGINE_FILES_H

#include <stdint.h>

#include "formats/collectl/header.h"

struct pf_err;
struct pf_notice;
struct pf_plan;

/**
 * struct pf_play_file - one file to play.
 * @set: length of the part of @path that files of one recording share: folder, prefix and date; 0 for files without such a name
 * @more: of a recording of any kind: further ones of the same host that are played with it as one, NULL-terminated; NULL: none
 * @other: it is no raw file
 * @second: the part of --tworaw with processes and slabs (.rawp), which is shown for itself
 * @known: @header holds the parsed header of a raw file; its views are not valid
 */
struct pf_play_file {
	char *path;
	char **more;
	unsigned n_more;
	size_t set;
	bool other;
	bool second;
	bool known;
	struct pf_collectl_header header;
};

struct pf_play_files {
	struct pf_play_file *files;
	unsigned n;
};

/**
 * pf_files_find() - expand what was asked for into files, in order; those that cannot be used are told and left out.
 *
 * Return: 0, perhaps with no file; -EINVAL for words that cannot name raw files; -ENOENT when a word matches nothing (collectl: when all match
 * nothing, names without wildcards, date and time apart, which it never looks for).
 */
int pf_files_find(struct pf_play_files *files, const struct pf_plan *plan, struct pf_err *err);
/* pf_files_check() - -EINVAL if a word of the list cannot name raw files, nor is another recording. */
int pf_files_check(const char *list, struct pf_err *err);
void pf_files_done(struct pf_play_files *files);

/* pf_files_join() - of recordings of any kind those of one host become one. Return: 0 or -ENOMEM. */
int pf_files_join(struct pf_play_files *files, struct pf_err *err);

/* pf_files_same_set() - do two files belong to one recording? */
bool pf_files_same_set(const struct pf_play_file *a, const struct pf_play_file *b);

#endif

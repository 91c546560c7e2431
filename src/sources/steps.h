/* sources/steps.h - rows whose path is a pattern, as a tree of steps: "proc/[0-9]*" with its files, below it "task/[0-9]*" with its own. What
 * several rows have in common is walked once. Used by sources/folders.c and sources/pattern.c only. */
#ifndef PF_SOURCES_STEPS_H
#define PF_SOURCES_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "sources/dispatch.h"

struct pf_err;
struct pf_folder;
struct pf_source_spec;

/* What a wildcard stands for: the numbers, the names that begin with what is before it, or all folders of a tree, its top included. */
enum pf_wild { PF_WILD_NUMBER, PF_WILD_NAME, PF_WILD_TREE };

/* One file of every folder that the step finds. @name: below the folder; @text: of the folder at hand, if @read. */
struct pf_path_file {
	struct pf_target *target;
	const char *name;
	struct pf_buf text;
	bool read;
};

/**
 * struct pf_path_step - one wildcard.
 * @up, @below, @beside: the step around it, the first one inside, the next one with the same @up; @slot: number among these, of @n_below
 * @from: folders between those of @up (or the root folder) and the wildcard, "" none; on the heap
 * @prefix: what names begin with, before the wildcard
 * @once: looked for when the source is opened and never again
 * @second: all files are of the second interval
 * @optional: nothing is said if there is no such folder
 * @marker: a file that the folder of @from must have, else @instead stands for @from; NULL: none
 * @processes: it is proc/[0-9]*, where a filter of processes says what is read
 * @by_links: a folder with two links has no folders in it (cgroup2), which saves looking
 * @spare: folders that are gone, to be used again
 */
struct pf_path_step {
	struct pf_path_step *up;
	struct pf_path_step *below;
	struct pf_path_step *beside;
	unsigned n_below;
	unsigned slot;
	unsigned level;
	char *from;
	struct pf_view prefix;
	const char *marker;
	const char *instead;
	enum pf_wild wild;
	struct pf_path_file *files;
	unsigned n_files;
	bool once;
	bool second;
	bool optional;
	bool processes;
	bool by_links;
	struct pf_folder *spare;
};

/* pf_steps_make() - for the rows of @d that are patterns and chosen by @spec; *ret_first is NULL if there are none. Steps without @up are
 * a list through @beside. The caller frees. Return: 0, -ENOMEM, or -EINVAL for a pattern that is none (our own mistake). */
int pf_steps_make(struct pf_path_step **ret_first, const struct pf_source_spec *spec, struct pf_dispatch *d,
		  struct pf_err *err);
struct pf_path_step *pf_steps_free(struct pf_path_step *first); /* returns NULL */

/* pf_path_step_text() - of the file of that name in the folder at hand; empty if it was not read. */
struct pf_view pf_path_step_text(const struct pf_path_step *step, const char *name);

#endif

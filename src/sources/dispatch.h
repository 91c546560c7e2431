/* sources/dispatch.h - which row of which group understands a line of raw text: by its first word, looked up once per word. */
#ifndef PF_SOURCES_DISPATCH_H
#define PF_SOURCES_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"
#include "model/group.h"

struct pf_err;
struct pf_import;

/* A row with the builder that its values go through. */
struct pf_target {
	const struct pf_group *group;
	const struct pf_row *row;
	struct pf_builder b;
};

/* Rows of a pattern share a tag with wildcards: @target is the first of them, they stand side by side; @lead: length of the tag up to its
 * first wildcard. PF_PART_MAX: longest path in a tree. */
enum { PF_PATTERNS_MAX = 32, PF_PART_MAX = 4096 };

struct pf_tag_pattern {
	unsigned target;
	unsigned lead;
};

enum { PF_WORD_MAX = 39, PF_WORDS_SLOTS = 2048, PF_WORDS_MAX = 1536 };

/* What is known about a first word: @target is an index into targets or -1; @module: an import module wants such lines. */
struct pf_word {
	char text[PF_WORD_MAX];
	uint8_t n;
	int16_t target;
	bool module;
};

/* Words are learned as they come, up to PF_WORDS_MAX; later ones (a hostile file) are searched each time. */
struct pf_dispatch {
	struct pf_target *targets;
	unsigned n_targets;
	struct pf_tag_pattern patterns[PF_PATTERNS_MAX];
	unsigned n_patterns;
	const struct pf_import *import;
	unsigned
		tree_depth; /* lines of folders further down in a tree are passed over; 0: none; whoever opens it may set it */
	struct pf_word words[PF_WORDS_SLOTS];
	unsigned n_words;
	char parts[PF_PARTS_MAX][PF_PART_MAX]; /* where escapes had to be undone */
};

/**
 * pf_dispatch_new() - targets for all rows of @groups (NULL-terminated), whose metrics are added to @cat if they are not there.
 * The caller frees with pf_dispatch_free().
 */
int pf_dispatch_new(struct pf_dispatch **ret_dispatch, const struct pf_group *const *groups, struct pf_catalog *cat,
		    const struct pf_import *import, int page_size, struct pf_err *err);
struct pf_dispatch *pf_dispatch_free(struct pf_dispatch *d); /* returns NULL */

/* pf_dispatch_env() - what is wanted of sensors, for whoever parses them. */
void pf_dispatch_env(struct pf_dispatch *d, const struct pf_env_options *env);

/* pf_dispatch_begin() - a new sample: all builders write there. pf_dispatch_end() - 0 or -ENOMEM; adds unreadable values to @lost. */
void pf_dispatch_begin(struct pf_dispatch *d, struct pf_sample *sample);
int pf_dispatch_end(struct pf_dispatch *d, uint64_t *lost);

/* pf_dispatch_find() - what is known about @word. */
struct pf_word pf_dispatch_find(struct pf_dispatch *d, struct pf_view word);

/**
 * pf_dispatch_pattern() - the row that a line of one of many files belongs to: "proc:123 stat ...".
 * @word: its first word; @data: in/out, what stands behind it; on success without the kind
 *
 * Return: the target, with its builder's parts set, which live until the next call; NULL if the line is not of such a file.
 */
struct pf_target *pf_dispatch_pattern(struct pf_dispatch *d, struct pf_view word, struct pf_view *data);

/* pf_row_is_pattern() - does its path stand for many files? */
bool pf_row_is_pattern(const struct pf_row *row);

#endif

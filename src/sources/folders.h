/* sources/folders.h - the folders that a wildcard stands for, kept from one sample to the next with their open descriptors. */
#ifndef PF_SOURCES_FOLDERS_H
#define PF_SOURCES_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sources/steps.h"

struct pf_folder;
struct pf_patience;

/* Descriptors of files that are not held. PF_FD_SLOW - N: it kept us waiting, so it is left out for N more samples. */
enum { PF_FD_CLOSED = -1, PF_FD_DENIED = -2, PF_FD_ABSENT = -3, PF_FD_SLOW = -1000 };

/* What was found in one folder. @fd: of that folder, PF_FD_CLOSED if it is not held; @known: looked at before; @gone: told that it is not
 * there. */
struct pf_listing {
	int fd;
	bool known;
	bool gone;
	struct pf_folder **list;
	unsigned n;
	unsigned cap;
};

/* One folder that matches. @seen: number of the last look that found it; @below: what is in it, for each step below; @number: for
 * PF_WILD_NUMBER; @next: among those that are gone; @fds: by file of the step. */
struct pf_folder {
	struct pf_folder *next;
	struct pf_listing *below;
	uint64_t seen;
	uint32_t hash;
	int32_t number;
	uint16_t n_name;
	uint16_t cap_name;
	char *name;
	int fds[];
};

enum { PF_ENTRIES_SIZE = 32 * 1024 };

/* @fds: held, of @fds_max at most; @looks: how often folders were looked at; @no_new: processes that come later are left out. */
struct pf_folders {
	size_t fds;
	size_t fds_max;
	uint64_t looks;
	bool no_new;
	struct pf_folder **found;
	unsigned n_found;
	unsigned cap_found;
	unsigned *table;
	unsigned n_table;
	_Alignas(8) char entries[PF_ENTRIES_SIZE];
};

void pf_folders_init(struct pf_folders *f);
void pf_folders_done(struct pf_folders *f);

/* pf_folders_fit() - may one more descriptor be held? It is counted then. */
bool pf_folders_fit(struct pf_folders *f);
void pf_folders_close_fd(struct pf_folders *f, int *fd);

/* pf_folder_close() - close the files of a folder and the folders in it; it can be read again. */
void pf_folder_close(struct pf_folders *f, const struct pf_path_step *step, struct pf_folder *folder);

/**
 * pf_listing_look() - what is there now? Folders that were there keep what they have open; those that are gone are closed.
 * @fd: the folder to look into
 *
 * Return: 0 or negative errno.
 */
int pf_listing_look(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l, int fd);

/* pf_listing_only() - it is this one folder. Return: 0 or -ENOMEM. */
int pf_listing_only(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l, const char *name);

/* pf_listing_forget() - close and drop all. pf_listing_done() frees, too. */
void pf_listing_forget(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l);
void pf_listing_done(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l);

/* pf_folders_spare_done() - free what is kept for use again, of a step and those beside and below it. */
void pf_folders_spare_done(struct pf_path_step *first);

/* pf_folder_open() - open NAME/@rest below the folder @at; of "A|B" the first that is there. Return: descriptor or negative errno. */
int pf_folder_open(int at, const struct pf_folder *folder, const char *rest, int flags);

/* pf_folder_read() - the whole file, or as much of it as is of use, mostly by one read: what is shorter than was asked for is all. Return: 0,
 * -ETIMEDOUT if @patience came to its end, or other negative errno. */
int pf_folder_read(int fd, struct pf_buf *text, const struct pf_patience *patience);

/* pf_path_step_at() - the step of folder->below[@slot]. */
struct pf_path_step *pf_path_step_at(const struct pf_path_step *step, unsigned slot);

#endif

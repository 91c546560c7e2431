/* record/folio.h - a folio on disk: its archives and which of them are chosen. What its text means: formats/pcp/folio.h. */
#ifndef PF_RECORD_FOLIO_H
#define PF_RECORD_FOLIO_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

struct pf_err;

/* One archive. @base: as the folio has it; @path: where it is. */
struct pf_folio_member {
	char *host;
	char *base;
	char *path;
};

/**
 * struct pf_folio_file - a folio.
 * @path: as it was named; @name: without folders
 * @folder: its folder from the root on, ending in '/'; NULL if it was named in the current one: then names stay as the folio has them
 * @head: its lines "Created:" and "Creator:" as they are
 * @creator, @replay: words behind "Creator:": who made it, and the file from which that can show it; NULL: not there. @creator_extra: more words follow
 * @broken: a sentence for each line that makes no sense
 * @hosts: names that were chosen, NULL-terminated, or NULL for all; @archives: positions that were chosen, in that order, each as often as it was said
 */
struct pf_folio_file {
	char *path;
	char *name;
	char *folder;
	struct pf_buf head;
	char *creator;
	char *replay;
	bool creator_extra;
	struct pf_folio_member *members;
	unsigned n;
	char **broken;
	unsigned n_broken;
	char **hosts;
	unsigned n_hosts;
	unsigned *archives;
	unsigned n_archives;
};

/**
 * pf_folio_open() - read a folio, all of whose archives are chosen.
 *
 * Return: 0, also if it names no archive; -EBADMSG or -EPROTO when it is no folio that is known here; other negative errno. pf_folio_close() in any case.
 */
int pf_folio_open(struct pf_folio_file *f, const char *path, struct pf_err *err);
void pf_folio_close(struct pf_folio_file *f);

/* pf_folio_from_root() - a folder from the root on, without "." and "..", ending in '/', as `cd FOLDER; pwd` would tell it; "" is the current one.
 * The caller frees; NULL without memory. */
char *pf_folio_from_root(struct pf_view folder);

/* pf_folio_beside() - where a file is that a folio names; the caller frees. NULL without memory. */
char *pf_folio_beside(const struct pf_folio_file *f, const char *name);

/* pf_folio_choose_all() - every host, every archive. */
void pf_folio_choose_all_hosts(struct pf_folio_file *f);
void pf_folio_choose_all_archives(struct pf_folio_file *f);

/* pf_folio_choose_host(), pf_folio_choose_archive() - one more: a host by its name, an archive by its base name or its position from 1. What is chosen
 * is what both allow. Return: 0; -ENOENT: the folio does not have it; -ENOMEM. */
int pf_folio_choose_host(struct pf_folio_file *f, const char *word);
int pf_folio_choose_archive(struct pf_folio_file *f, const char *word);

/* pf_folio_chosen() - the archives that are chosen, NULL-terminated; the caller frees the list. @ret_all: these are all there are, in their order.
 * NULL without memory. */
const struct pf_folio_member **pf_folio_chosen(const struct pf_folio_file *f, bool *ret_all);

#endif

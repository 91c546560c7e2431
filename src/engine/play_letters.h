/* engine/play_letters.h - which subsystems of a recording are shown. */
#ifndef PF_ENGINE_PLAY_LETTERS_H
#define PF_ENGINE_PLAY_LETTERS_H

#include "engine/plan.h"

struct pf_import;
struct pf_play_file;
struct pf_play_files;

/**
 * pf_play_letters() - letters to show of the file @f, one of @files.
 * @modules: import modules that are shown as well, NULL for none
 * @ret_verbose: what was asked for needs the verbose view, though the file may not have it
 *
 * What was asked for and not recorded is left out and told, except under the peer's name.
 *
 * Return: is there anything to show?
 */
bool pf_play_letters(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
		     const struct pf_import *modules, char ret_letters[PF_LETTERS_MAX], bool *ret_verbose);

/* pf_play_recorded() - letters recorded in the files of one set, that of @f, in order of appearance. @both: of both parts of --tworaw */
void pf_play_recorded(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
		      bool both, char ret_letters[PF_LETTERS_MAX]);

/* pf_play_everything() - a document of a recording shows all that is in it, unless letters were chosen or, with -s-all, none. */
bool pf_play_everything(const struct pf_plan *plan, const struct pf_play_file *f);

/* pf_play_same_day() - are they of one prefix and day, whichever part of --tworaw? */
bool pf_play_same_day(const struct pf_play_file *a, const struct pf_play_file *b);

/* pf_play_leaves_out() - lines of plots with details cannot have new headings on a terminal: of files of one day and prefix collectl shows the
 * first alone. @before: the file before @f */
bool pf_play_leaves_out(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
			const struct pf_play_file *before);

#endif

/* engine/play_letters.h - which subsystems of a recording are shown. */
#ifndef PF_ENGINE_PLAY_LETTERS_H
#define PF_ENGINE_PLAY_LETTERS_H

#include "engine/plan.h"

struct pf_play_file;
struct pf_play_files;

/**
 * pf_play_letters() - letters to show of the file @f, one of @files.
 * @modules: import modules are shown as well
 *
 * What was asked for and not recorded is left out and told, except under the peer's name.
 *
 * Return: is there anything to show?
 */
bool pf_play_letters(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
		     bool modules, char ret_letters[PF_LETTERS_MAX]);

/* pf_play_recorded() - letters recorded in the files of one set, that of @f, in order of appearance. */
void pf_play_recorded(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
		      char ret_letters[PF_LETTERS_MAX]);

/* pf_play_everything() - a document of a recording shows all that is in it, unless letters were chosen or, with -s-all, none. */
bool pf_play_everything(const struct pf_plan *plan, const struct pf_play_file *f);

#endif

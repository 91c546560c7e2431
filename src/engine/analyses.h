/* engine/analyses.h - one row for each process or slab of a recording: --procanalyze, --slabanalyze. */
#ifndef PF_ENGINE_ANALYSES_H
#define PF_ENGINE_ANALYSES_H

#include "engine/plan.h"

/* pf_analyses_letters() - those that plots and analyses need of a recording that has @recorded: in/out @letters. Untouched if nothing is
 * analysed. */
void pf_analyses_letters(const struct pf_plan *plan, const char *recorded, char letters[PF_LETTERS_MAX]);

/* pf_analyses_sinks() - plot files, if any are asked for, and a file for each analysis. @plot_letters: set, must stay; @ret_letters: for
 * each sink. Return: how many. */
unsigned pf_analyses_sinks(const struct pf_plan *plan, const char *letters, char plot_letters[PF_LETTERS_MAX],
			   const struct pf_sink_kind *kinds[PF_TEE_MAX], const char *ret_letters[PF_TEE_MAX]);

#endif

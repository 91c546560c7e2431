/* model/choice.h - which lines of a file are read and recorded: --rawdskfilt, --rawdskignore, --rawnetfilt, --rawnetignore. Expressions look
 * at the whole line as the kernel writes it. */
#ifndef PF_MODEL_CHOICE_H
#define PF_MODEL_CHOICE_H

#include <stdbool.h>

#include "base/view.h"

struct pf_choice;
struct pf_err;

/**
 * pf_choice_new() - a choice of lines.
 * @want: expression of the lines that are wanted, NULL: those that the group itself takes; @add: these, too
 * @ignore: expression of lines that are not wanted in any case, or NULL
 *
 * Return: 0, -EINVAL with a sentence, or -ENOMEM.
 */
int pf_choice_new(struct pf_choice **ret_choice, const char *want, bool add, const char *ignore, struct pf_err *err);
struct pf_choice *pf_choice_free(struct pf_choice *c); /* returns NULL */

/* pf_choice_takes() - is the line one of them? @usual: what the group itself says of it. */
bool pf_choice_takes(const struct pf_choice *c, struct pf_view line, bool usual);

#endif

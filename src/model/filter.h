/* model/filter.h - which instances the user wants to see: --cpufilt, --dskfilt, --netfilt. Display only; recording has filters of its own. */
#ifndef PF_MODEL_FILTER_H
#define PF_MODEL_FILTER_H

#include <regex.h>
#include <stdbool.h>

#include "base/view.h"

struct pf_err;

/* One filter, for the subsystem letter it was made for. @next: the filter of another subsystem, or NULL; lists belong to the caller. */
struct pf_instance_filter;

/**
 * pf_filter_new() - put a filter before the list @next.
 * @letter: lower case letter of the subsystem: 'c', 'd', 'n'
 * @text: for 'c' numbers and ranges "1,3-5"; else regular expressions, separated by commas, that a name must match somewhere. A '^' in
 *        front of all turns the choice round
 *
 * A '^' that is meant as the beginning of a name needs "\^" or a second '^'.
 *
 * Return: 0, -EINVAL naming the part that is no expression or number, or -ENOMEM. *ret_filter only changes on success.
 */
int pf_filter_new(char letter, const char *text, struct pf_instance_filter *next,
		  struct pf_instance_filter **ret_filter, struct pf_err *err);

/* pf_filter_free() - the whole list; returns NULL. */
struct pf_instance_filter *pf_filter_free(struct pf_instance_filter *list);

/* pf_filter_find() - the filter for that letter, or NULL. */
const struct pf_instance_filter *pf_filter_find(const struct pf_instance_filter *list, char letter);

/* pf_filter_keeps() - is the instance of that name one of those wanted? */
bool pf_filter_keeps(const struct pf_instance_filter *filter, struct pf_view name);

/* pf_filter_negates() - does it name those that are not wanted? */
bool pf_filter_negates(const struct pf_instance_filter *filter);

/* pf_filter_regex() - compile an expression as Perl users write it. Return: 0, or -EINVAL with a sentence, or -ENOMEM; then there is nothing
 * to free. */
int pf_filter_regex(regex_t *ret_regex, struct pf_view text, struct pf_err *err);

#endif

/* sinks/told.h - which discrete values an archive has been told, so that they are told again only when they changed. What is not told goes on
 * to hold: until another value, until its instance is gone, or until the metric is told to have none. */
#ifndef PF_SINKS_TOLD_H
#define PF_SINKS_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sample.h"

struct pf_known_domain;

/* @seq: number of the sample in which it was told, 0 never. @text, @room: a string, which is ours. */
struct pf_told_value {
	uint64_t seq;
	uint64_t bits;
	char *text;
	size_t room;
};

/* One metric, @told by slot. @since: what was told in earlier samples counts for nothing; @any: something was told since. */
struct pf_told {
	struct pf_told_value *told;
	unsigned n;
	uint64_t since;
	bool any;
};

/* What a sample has of a metric. @any: a value at all; @news: one that was not told; @gone: one that was told is not there any more, though its
 * instance is. */
struct pf_told_look {
	bool any;
	bool news;
	bool gone;
};

/* pf_told_has() - does the sample have a value that an archive is told? */
bool pf_told_has(const struct pf_step *step, unsigned metric, unsigned slot);

/* pf_told_any() - is there one of any instance? */
bool pf_told_any(const struct pf_step *step, unsigned metric);

/* pf_told_look() - @known: the metric's domain as the archive was told of it for this sample, NULL for a single value. */
struct pf_told_look pf_told_look(const struct pf_told *h, const struct pf_step *step, unsigned metric,
				 const struct pf_known_domain *known);

/* pf_told_is_told() - does the archive have this very value? */
bool pf_told_is_told(const struct pf_told *h, const struct pf_step *step, unsigned metric, unsigned slot,
		     const struct pf_known_domain *known);

/* pf_told_tell() - it is told in this sample. Return: 0 or -ENOMEM. */
int pf_told_tell(struct pf_told *h, const struct pf_step *step, unsigned metric, unsigned slot);

/* pf_told_forget() - nothing was told before the sample @seq. */
void pf_told_forget(struct pf_told *h, uint64_t seq);
void pf_told_done(struct pf_told *h);

#endif

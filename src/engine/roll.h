/* engine/roll.h - when recordings begin a new file (-r), and which old ones are removed then. */
#ifndef PF_ENGINE_ROLL_H
#define PF_ENGINE_ROLL_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;
struct pf_notice;

/**
 * struct pf_roll - -r HH:MM[,DAYS[:MONTHS][,MIN]]
 * @first_min: minute of the day of the first boundary; @every_min: from one to the next, a divisor of a day
 * @days: recordings that are older are removed; @months: the same for message logs
 */
struct pf_roll {
	int first_min;
	int every_min;
	int days;
	int months;
};

/* pf_roll_parse() - check and take apart. Return: 0 or -EINVAL with a sentence. */
int pf_roll_parse(struct pf_roll *ret_roll, const char *text, struct pf_err *err);

/**
 * pf_roll_next() - the first boundary after @after_ns, in the zone of $TZ.
 * Boundaries more than an hour apart stand on the local clock, each once: one in the hour that a clock change leaves out is at that change,
 * one in the hour that comes twice is in the first of the two. Closer ones are elapsed time.
 *
 * Return: nanoseconds UTC, a whole second.
 */
int64_t pf_roll_next(const struct pf_roll *roll, int64_t after_ns);

/**
 * pf_roll_purge() - remove files that are too old by their names: "...-YYYYMMDD[-HHMMSS].*" and "...-YYYYMM.log".
 * @target: as in -f; the folder that it means is looked through
 * @own: names must begin so; "" for whoever's they are, as in collectl
 *
 * Return: how many were removed; what cannot be removed is told.
 */
unsigned pf_roll_purge(const struct pf_roll *roll, const char *target, const char *own, int64_t now_ns,
		       const struct pf_notice *notice);

#endif

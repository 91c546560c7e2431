/* engine/moment.h - moments as people type them. Sources of the forms: collectl(1), --from; PCPIntro(1), TIME WINDOW SPECIFICATION. */
#ifndef PF_ENGINE_MOMENT_H
#define PF_ENGINE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;

/* What stands for a moment. PF_MOMENT_DATE: calendar and clock, of which the parts that are missing follow from the recording; PF_MOMENT_EPOCH: since
 * 1970; PF_MOMENT_AFTER: behind the beginning; PF_MOMENT_BEFORE: before the end. */
enum pf_moment_kind { PF_MOMENT_DATE, PF_MOMENT_EPOCH, PF_MOMENT_AFTER, PF_MOMENT_BEFORE };

/**
 * struct pf_moment - a moment, not yet on a time line.
 * @given: there is one
 * @year, @month, @day: 0: not said
 * @ns: of the day, since 1970, or the length of time, by @kind
 * @exact: it is a point in time, as whatever has a fraction or an "@"; else @ns names a whole second, all of which --thru takes
 * @onward: a day that is missing is that of the beginning, or the next one for an earlier hour; else it is that of the file that is played
 * @has_zone: @zone_ns is what its clock is ahead of UTC; else it is the recording's
 */
struct pf_moment {
	bool given;
	enum pf_moment_kind kind;
	int year, month, day;
	int64_t ns;
	bool exact;
	bool onward;
	bool has_zone;
	int64_t zone_ns;
};

/**
 * struct pf_time_line - the recording that moments are of.
 * @start_ns, @end_ns: its first and last time; the end is only asked for where pf_moment_needs_end() says so
 * @day_of_ns: a time of the day that a clock time without a date is on
 * @zone_ns: what its clock was ahead of UTC
 */
struct pf_time_line {
	int64_t start_ns, end_ns;
	int64_t day_of_ns;
	int64_t zone_ns;
};

/**
 * pf_moment_parse() - "18:41", "18:41:05.5", "20261130:18:41", "2026-11-30 18:41", "2026-11-30T18:41:05Z", "Nov 30 18:41", "Mon Nov 30 18:41:05 2026",
 * "11/30/2026", "6:41pm", "today", "yesterday", "1796062860.5"; "@" before any of these for PCP's rules about what is missing; "5min" behind the
 * beginning; "-5min" before the end.
 * @what: the option, for sentences; that of --thru without a time means the end of its day
 * @as_peer: collectl's forms alone: clock, date, date and clock
 *
 * Return: 0, or -EINVAL with a sentence that names the part that is wrong.
 */
int pf_moment_parse(const char *text, const char *what, bool as_peer, struct pf_moment *ret, struct pf_err *err);

/* pf_moment_span() - the two moments of "A-B", or the one of "A", whatever dashes are in them. Return: as above; @ret_thru is given if there are two. */
int pf_moment_span(const char *text, bool as_peer, struct pf_moment *ret_from, struct pf_moment *ret_thru,
		   struct pf_err *err);

/* pf_moment_needs_line(), pf_moment_needs_end() - does it take the beginning, or the end, of the whole recording to resolve it? */
bool pf_moment_needs_line(const struct pf_moment *m);
bool pf_moment_needs_end(const struct pf_moment *m);

/* pf_moment_resolve() - nanoseconds UTC. pf_moment_last() - what must be added to have the last nanosecond of what was named. */
int64_t pf_moment_resolve(const struct pf_moment *m, const struct pf_time_line *line);
int64_t pf_moment_last(const struct pf_moment *m);

#endif

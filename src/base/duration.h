/* base/duration.h - lengths of time as people type them. Source of the form: pmParseInterval(3) and PCPIntro(1), INTERVAL SPECIFICATION. */
#ifndef PF_BASE_DURATION_H
#define PF_BASE_DURATION_H

#include <stdint.h>

#include "base/view.h"

/**
 * pf_duration_parse() - "5", "0.5", "500msec", "1.5min", "1hour 30min", "4d6h30m": numbers with units, which are added up.
 * @text: a number without a unit is seconds; units are ns, us, ms, s, m, h, d, w and their longer spellings (msec, milliseconds, sec, min,
 *   hours, days, weeks ...) in any case; blanks may stand anywhere but in a word. "5ms" is milliseconds, which PCP takes for 5 m.
 * @ret_ns: 0 or more
 *
 * Return: 0; -EINVAL if it is none, as is everything with a sign; -ERANGE beyond 292 years. *ret_ns only changes on success.
 */
int pf_duration_parse(struct pf_view text, int64_t *ret_ns);

/* pf_duration_unit() - nanoseconds of one unit in any of its spellings, 0: there is none of that name. */
int64_t pf_duration_unit(struct pf_view name);

/* For sentences that refuse a text. */
#define PF_DURATION_FORMS "5 (seconds), 0.5, 500msec, 1.5min or 1hour 30min"

#endif

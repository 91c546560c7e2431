/* cmd/pmlogcheck_text.h - findings in the words of pmlogcheck. */
#ifndef PF_CMD_PMLOGCHECK_TEXT_H
#define PF_CMD_PMLOGCHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/pcp/check.h"

struct pf_buf;

/* @base: of the archive; @days: times need their day. */
struct pf_peer_text {
	const char *base;
	bool days;
};

/* pf_peer_finding() - append what pmlogcheck says of it; nothing if it does not look at that. */
void pf_peer_finding(struct pf_buf *b, const struct pf_peer_text *text, const struct pf_finding *f);

/* pf_peer_time() - "04:01:09.001", or with the day "Mon Nov 30 04:01:09.001 2026", in the zone of $TZ. */
void pf_peer_time(char *to, size_t size, int64_t time_ns, bool day);

/**
 * pf_peer_window() - a word of -S or -T: "2sec", "+1 min", "-3", "@HH:MM:SS" and whatever else engine/moment.h knows.
 * @from_ns, @until_ns: what it counts from, and back from with a minus
 *
 * Return: 0 or -EINVAL.
 */
int pf_peer_window(const char *word, int64_t from_ns, int64_t until_ns, int64_t *ret_ns);

#endif

/* engine/span.h - from when to when of a recording is wanted. */
#ifndef PF_ENGINE_SPAN_H
#define PF_ENGINE_SPAN_H

#include "engine/moment.h"

struct pf_err;

/**
 * struct pf_span_asked - what was asked for, and the recording that it is of.
 * @offset_ns: behind @from or the beginning; below 0 before @thru or the end
 * @path, @more, @host: of the recording, or of its last file, for the end; as of struct pf_source_spec
 */
struct pf_span_asked {
	const struct pf_moment *from;
	const struct pf_moment *thru;
	int64_t offset_ns;
	const char *path;
	const char *const *more;
	const char *host;
};

/**
 * struct pf_span - bounds, both included; INT64_MIN / 2 (intervals can be taken from it) and INT64_MAX where there is none.
 * @line: what moments are resolved by; whoever asks sets its beginning, day and zone, pf_span_choose() its end, once (@have_end)
 * @origin_ns: the first of fixed steps, if @spans: it does not begin with the recording
 */
struct pf_span {
	int64_t from_ns, thru_ns;
	int64_t origin_ns;
	bool spans;
	struct pf_time_line line;
	bool have_end;
};

/* pf_span_choose() - Return: 0; what looking for the end of the recording gives. */
int pf_span_choose(struct pf_span *span, const struct pf_span_asked *asked, struct pf_err *err);

#endif

/* engine/span.c - from when to when of a recording is wanted. */
#include "engine/span.h"

#include "base/time.h"
#include "engine/ends.h"

static int find_end(struct pf_span *span, const struct pf_span_asked *asked, struct pf_err *err)
{
	bool back = asked->offset_ns < 0 && !asked->thru->given;
	if (span->have_end || (!back && !pf_moment_needs_end(asked->from) && !pf_moment_needs_end(asked->thru)))
		return 0;
	int rc = pf_recording_end(asked->path, asked->more, asked->host, &span->line.end_ns, err);
	span->have_end = rc == 0;
	return rc;
}

int pf_span_choose(struct pf_span *span, const struct pf_span_asked *asked, struct pf_err *err)
{
	int rc = find_end(span, asked, err);
	if (rc < 0)
		return rc;
	bool from_given = asked->from->given, thru_given = asked->thru->given;
	struct pf_time_line line = span->line;
	int64_t from = from_given ? pf_moment_resolve(asked->from, &line) : line.day_of_ns;
	if (asked->from->onward && from < line.start_ns)
		from = line.start_ns; /* PCP's window begins with the recording, and so do its steps */
	if (from_given && from > line.start_ns)
		line.start_ns = from; /* PCP's rule: the end of a window is so long behind its beginning */
	int64_t thru = thru_given ? pf_moment_resolve(asked->thru, &line) : INT64_MAX;
	int64_t until = thru_given ? thru : line.end_ns;
	span->spans = from_given || asked->offset_ns != 0;
	span->origin_ns = (asked->offset_ns < 0 ? until : from) + asked->offset_ns;
	span->from_ns = from_given ? from : INT64_MIN / 2;
	span->thru_ns = thru_given ? thru + pf_moment_last(asked->thru) : thru;
	if (asked->offset_ns != 0) {
		bool exact = asked->from->exact || asked->thru->exact || asked->offset_ns < 0;
		span->from_ns = exact ? span->origin_ns : span->origin_ns / PF_NS_PER_SEC * PF_NS_PER_SEC;
	}
	return 0;
}

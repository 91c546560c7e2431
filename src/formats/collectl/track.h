/* formats/collectl/track.h - where in the text of a raw file its header ends and its intervals begin, told while the text goes by in pieces. */
#ifndef PF_FORMATS_COLLECTL_TRACK_H
#define PF_FORMATS_COLLECTL_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PF_TRACK_LINE = 80 };

/**
 * struct pf_track - {0} is the beginning. All places count unpacked bytes.
 * @pos: what went by. @header_end: behind the leading lines that begin with '#', once @in_text
 * @first_at, @mark_at: where the first and the last interval begin, once there are @marks. @first_ns, @last_ns: their times; 0: none
 * @before_ns: the time of the interval before the last one, 0: none
 * @line_at, @line, @line_n: the line that is not over yet, and how it begins
 * @zeros: the last interval has zero bytes; @before_zeros: the one before had
 */
struct pf_track {
	uint64_t pos;
	uint64_t header_end;
	uint64_t first_at;
	uint64_t mark_at;
	uint64_t marks;
	int64_t first_ns;
	int64_t last_ns;
	int64_t before_ns;
	bool in_text;
	bool zeros;
	bool before_zeros;
	uint64_t line_at;
	size_t line_n;
	char line[PF_TRACK_LINE];
};

/* pf_track_text() - the next @n bytes, at most up to the end of the next marker line, so that the caller can look at each interval. Return: how many. */
size_t pf_track_text(struct pf_track *t, const char *text, size_t n);

#endif

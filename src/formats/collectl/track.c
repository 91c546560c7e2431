/* formats/collectl/track.c - lines, as far as their beginnings matter. */
#include "formats/collectl/track.h"

#include <string.h>

#include "base/view.h"
#include "formats/collectl/header.h"

/* The line is over. Return: is it a marker? */
static bool end_line(struct pf_track *t)
{
	int64_t ns = 0;
	struct pf_view line = { t->line, t->line_n };
	bool mark = pf_collectl_marker(line, &ns) == 1;
	if (!t->in_text && (line.n == 0 || line.p[0] != '#')) {
		t->in_text = true;
		t->header_end = t->line_at;
	}
	if (mark) {
		t->before_ns = t->last_ns;
		t->last_ns = ns;
		t->mark_at = t->line_at;
		t->before_zeros = t->zeros;
		t->zeros = false;
		if (t->marks++ == 0) {
			t->first_ns = ns;
			t->first_at = t->line_at;
		}
	}
	t->line_at = t->pos;
	t->line_n = 0;
	return mark;
}

size_t pf_track_text(struct pf_track *t, const char *text, size_t n)
{
	size_t done = 0;
	while (done < n) {
		const char *end = memchr(text + done, '\n', n - done);
		size_t k = end ? (size_t)(end - (text + done)) : n - done;
		size_t room = PF_TRACK_LINE - t->line_n;
		size_t copy = k < room ? k : room;
		memcpy(t->line + t->line_n, text + done, copy);
		t->line_n += copy;
		t->zeros |= memchr(text + done, '\0', k) != NULL;
		t->pos += k + (end != NULL);
		done += k + (end != NULL);
		if (end && end_line(t))
			break;
	}
	return done;
}

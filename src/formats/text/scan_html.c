/* formats/text/scan_html.c - HTML as html.c writes it: a fragment of divs, each outermost one an element. There are no other tags, and text stands only
 * inside. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "formats/text/scan.h"

#define BEGINNING "<div class=\"line\">"

enum { TAG_MAX = 128, NUMBER_MAX = 24, DEPTH_MAX = 64 };

/**
 * struct html
 * @depth: divs that are open; @in_tag: and a tag, which begins with @tag
 * @is_time: the text of the innermost div is the time of the element, the first digits of which are @number
 */
struct html {
	struct pf_scan base;
	unsigned depth;
	bool in_tag;
	bool is_time;
	char tag[TAG_MAX];
	size_t n_tag;
	char number[NUMBER_MAX];
	size_t n_number;
	int64_t time_ns;
};

static int tag_ends(struct html *h, struct pf_err *err)
{
	struct pf_view tag = { h->tag, h->n_tag };
	h->in_tag = false;
	if (pf_view_starts(tag, "div ")) {
		if (h->depth == DEPTH_MAX)
			return pf_scan_fail(&h->base, err, "depth", "more than %d divs inside one another", DEPTH_MAX);
		h->depth++;
		h->is_time = memmem(tag.p, tag.n, "data-tag=\"timestamp\"", 20) != NULL;
		h->n_number = 0;
		return 0;
	}
	if (!pf_view_is(tag, "/div"))
		return pf_scan_fail(&h->base, err, "tag", "a tag <%.*s> that is no div", (int)tag.n, tag.p);
	if (h->depth == 0)
		return pf_scan_fail(&h->base, err, "tag", "</div> ends nothing");
	int64_t ns = 0;
	if (h->is_time && h->time_ns == 0 && pf_view_i64((struct pf_view){ h->number, h->n_number }, &ns) == 0)
		h->time_ns = ns;
	h->is_time = false;
	h->depth--;
	if (h->depth > 0)
		return 0;
	pf_scan_element(&h->base, h->base.byte + 1, h->time_ns);
	h->time_ns = 0;
	return 0;
}

static int take(struct pf_scan *s, char c, bool *ret_again, struct pf_err *err)
{
	struct html *h = (struct html *)s;
	(void)ret_again;
	if ((unsigned char)c < ' ' && c != '\n' && c != '\t')
		return pf_scan_fail(s, err, "control", "a control character");
	if (h->in_tag) {
		if (c == '>')
			return tag_ends(h, err);
		if (c == '<' || h->n_tag == TAG_MAX)
			return pf_scan_fail(s, err, "tag", "a tag that does not end");
		h->tag[h->n_tag++] = c;
		return 0;
	}
	if (c == '<') {
		h->in_tag = true;
		h->n_tag = 0;
		return 0;
	}
	if (h->depth == 0 && c != '\n' && c != ' ')
		return pf_scan_fail(s, err, "text", "text outside of all divs");
	if (h->is_time && h->n_number < NUMBER_MAX)
		h->number[h->n_number++] = c;
	return 0;
}

static int wide(struct pf_scan *s, struct pf_view bytes, struct pf_err *err)
{
	const struct html *h = (const struct html *)s;
	(void)bytes;
	if (h->depth == 0 || h->in_tag)
		return pf_scan_fail(s, err, "text", "text outside of all divs");
	return 0;
}

static void give_up(struct pf_scan *s)
{
	struct html *h = (struct html *)s;
	h->depth = 0;
	h->in_tag = false;
	h->time_ns = 0;
}

static int end(struct pf_scan *s, struct pf_err *err)
{
	const struct html *h = (const struct html *)s;
	if (h->depth == 0 && !h->in_tag)
		return 0;
	return pf_scan_fail(s, err, "cut", "the file ends inside an element, which is lost");
}

static struct pf_scan *open_scan(void)
{
	struct html *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->base.scanner = &pf_scanner_html;
	h->base.line = 1;
	return &h->base;
}

static struct pf_scan *close_scan(struct pf_scan *s)
{
	free(s);
	return NULL;
}

static bool looks_like(struct pf_view head)
{
	return pf_view_starts(head, BEGINNING);
}

const struct pf_scanner pf_scanner_html = {
	.name = "html",
	.looks_like = looks_like,
	.open = open_scan,
	.take = take,
	.wide = wide,
	.give_up = give_up,
	.end = end,
	.close = close_scan,
};

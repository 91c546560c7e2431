/* formats/text/scan_xml.c - XML. Source: Extensible Markup Language 1.0, fifth edition, of which our documents use little: a declaration, elements
 * without attributes, text, references. Whatever else XML has is not ours. An element of the list is a child of the root that has children. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "formats/text/scan.h"

#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

enum { DEPTH_MAX = 64, NAME_MAX_BYTES = 256, TEXT_MAX = 32, REFERENCE_MAX = 10 };

enum state {
	HEAD, /* the declaration */
	CONTENT,
	OPENING, /* behind '<' */
	NAME,
	CLOSING, /* behind "</" */
	REFERENCE,
};

/**
 * struct xml
 * @names: of the elements that are open, one after another; @at: by depth: where its name begins
 * @parent: by depth: it has children
 * @name: the name that is read; @text: the first bytes of a leaf; @reference: what stands behind '&'
 * @head: bytes of the declaration so far; @ended: the root is closed
 */
struct xml {
	struct pf_scan base;
	enum state state;
	unsigned depth;
	struct pf_buf names;
	size_t at[DEPTH_MAX];
	bool parent[DEPTH_MAX];
	struct pf_buf name;
	char text[TEXT_MAX];
	size_t n_text;
	char reference[REFERENCE_MAX];
	size_t n_reference;
	size_t head;
	bool ended;
	int64_t time_ns;
};

static int fail(struct xml *x, struct pf_err *err, const char *what)
{
	return pf_scan_fail(&x->base, err, "syntax", "%s", what);
}

static struct pf_view open_name(const struct xml *x)
{
	size_t from = x->at[x->depth - 1];
	return (struct pf_view){ x->names.p + from, x->names.n - from };
}

static int element_begins(struct xml *x, struct pf_err *err)
{
	if (x->depth == DEPTH_MAX)
		return pf_scan_fail(&x->base, err, "depth", "elements are nested too deeply");
	if (x->depth > 0) {
		x->parent[x->depth - 1] = true;
		if (x->depth == 1 && x->base.elements == 0)
			x->base.good = x->base.byte - x->name.n - 1;
	}
	x->at[x->depth] = x->names.n;
	x->parent[x->depth] = false;
	x->depth++;
	pf_buf_view(&x->names, pf_buf_text(&x->name));
	x->n_text = 0;
	if (x->depth == 2)
		x->time_ns = 0;
	x->state = CONTENT;
	return x->names.failed ? x->names.failed : x->name.failed;
}

static int element_ends(struct xml *x, struct pf_err *err)
{
	struct pf_view open = open_name(x);
	if (x->name.n != open.n || memcmp(x->name.p, open.p, open.n) != 0)
		return pf_scan_fail(&x->base, err, "syntax", "the element %.*s ends where %.*s is open", (int)x->name.n,
				    x->name.p, (int)open.n, open.p);
	struct pf_view text = { x->text, x->n_text < TEXT_MAX ? x->n_text : TEXT_MAX };
	int64_t ns;
	if (x->depth == 3 && pf_view_is(open, "timestamp") && pf_view_i64(text, &ns) == 0)
		x->time_ns = ns;
	x->depth--;
	if (x->depth == 1 && x->parent[1] && !pf_view_is(open, "clock"))
		pf_scan_element(&x->base, x->base.byte + 1, x->time_ns);
	x->names.n = x->at[x->depth];
	x->n_text = 0;
	x->ended = x->depth == 0;
	x->state = CONTENT;
	return 0;
}

/* Behind '&': one of the five names, or the number of a character that XML has. */
static bool is_reference(struct pf_view name)
{
	static const char *const names[] = { "amp", "lt", "gt", "quot", "apos" };
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (pf_view_is(name, names[i]))
			return true;
	}
	bool hex = pf_view_starts(name, "#x");
	uint32_t cp = 0;
	size_t i = hex ? 2 : 1;
	if (!pf_view_starts(name, "#") || i == name.n)
		return false;
	for (; i < name.n && cp < 0x110000; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *at = memchr(digits, pf_ascii_lower(name.p[i]), hex ? 16 : 10);
		if (!at)
			return false;
		cp = cp * (hex ? 16 : 10) + (uint32_t)(at - digits);
	}
	bool surrogate = cp >= 0xd800 && cp <= 0xdfff;
	return cp == 9 || cp == 10 || cp == 13 ||
	       (cp >= 0x20 && cp < 0x110000 && !surrogate && cp != 0xfffe && cp != 0xffff);
}

static int in_content(struct xml *x, char c, struct pf_err *err)
{
	bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
	if (c == '<') {
		x->state = OPENING;
		return x->ended ? fail(x, err, "something stands behind the end of the document") : 0;
	}
	if (x->depth == 0 && !blank)
		return fail(x, err,
			    x->ended ? "something stands behind the end of the document" : "text outside of the root");
	if ((unsigned char)c < 0x20 && !blank)
		return pf_scan_fail(&x->base, err, "control", "a control character");
	if (c == '&') {
		x->state = REFERENCE;
		x->n_reference = 0;
	}
	if (x->n_text < TEXT_MAX)
		x->text[x->n_text] = c;
	x->n_text++;
	return 0;
}

static int in_reference(struct xml *x, char c, struct pf_err *err)
{
	if (c != ';' && x->n_reference < REFERENCE_MAX) {
		x->reference[x->n_reference++] = c;
		return 0;
	}
	x->state = CONTENT;
	if (c == ';' && is_reference((struct pf_view){ x->reference, x->n_reference }))
		return 0;
	return pf_scan_fail(&x->base, err, "reference", "&%.*s is no reference", (int)x->n_reference, x->reference);
}

static bool in_name(char c, bool first)
{
	char l = pf_ascii_lower(c);
	return (l >= 'a' && l <= 'z') || c == '_' || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

static int in_tag(struct xml *x, char c, struct pf_err *err)
{
	if (x->state == OPENING) {
		pf_buf_clear(&x->name);
		x->state = c == '/' ? CLOSING : NAME;
		if (c == '/')
			return x->depth == 0 ? fail(x, err, "an element ends, and none is open") : 0;
	}
	if (c == '>' && x->name.n > 0)
		return x->state == CLOSING ? element_ends(x, err) : element_begins(x, err);
	if (!in_name(c, x->name.n == 0) || x->name.n == NAME_MAX_BYTES)
		return fail(x, err, "'<' does not begin an element of ours");
	pf_buf_char(&x->name, c);
	return 0;
}

static int take(struct pf_scan *s, char c, bool *ret_again, struct pf_err *err)
{
	struct xml *x = (struct xml *)s;
	*ret_again = false;
	switch (x->state) {
	case HEAD:
		if (c != DECLARATION[x->head])
			return fail(x, err, "the declaration is another one than " DECLARATION);
		if (DECLARATION[++x->head] == '\0')
			x->state = CONTENT;
		return 0;
	case CONTENT:
		return in_content(x, c, err);
	case REFERENCE:
		return in_reference(x, c, err);
	default:
		return in_tag(x, c, err);
	}
}

static int wide(struct pf_scan *s, struct pf_view bytes, struct pf_err *err)
{
	struct xml *x = (struct xml *)s;
	x->n_text += bytes.n;
	return x->state == CONTENT && x->depth > 0 ? 0 : fail(x, err, "a character that has no place here");
}

static void give_up(struct pf_scan *s)
{
	(void)s; /* nothing can be said of what follows */
}

static int end(struct pf_scan *s, struct pf_err *err)
{
	struct xml *x = (struct xml *)s;
	if (x->ended && x->state == CONTENT)
		return 0;
	return pf_scan_fail(s, err, "cut", "the document ends before its end: %u elements are open", x->depth);
}

static struct pf_scan *open_scan(void)
{
	struct xml *x = calloc(1, sizeof(*x));
	if (!x)
		return NULL;
	x->base.scanner = &pf_scanner_xml;
	x->base.line = 1;
	return &x->base;
}

static struct pf_scan *close_scan(struct pf_scan *s)
{
	struct xml *x = (struct xml *)s;
	if (!x)
		return NULL;
	pf_buf_done(&x->names);
	pf_buf_done(&x->name);
	free(x);
	return NULL;
}

static bool looks_like(struct pf_view head)
{
	return pf_view_starts(head, "<?xml ");
}

const struct pf_scanner pf_scanner_xml = {
	.name = "xml",
	.looks_like = looks_like,
	.open = open_scan,
	.take = take,
	.wide = wide,
	.give_up = give_up,
	.end = end,
	.close = close_scan,
};

/* formats/text/html.c - an HTML fragment: a line for each piece, a div for each leaf. Structure is flattened, except that each object
 * in a list of the piece itself (a record) has a div, so that records can be told apart. */
#include "formats/text/form.h"
#include "formats/text/utf8.h"

#define BAD PF_UTF8_REPLACEMENT

/* As XML. Attribute values are fixed words that need no escaping. */
static const char *const special[128] = {
	[0x00] = BAD, [0x01] = BAD, [0x02] = BAD,    [0x03] = BAD,   [0x04] = BAD,     [0x05] = BAD, [0x06] = BAD,
	[0x07] = BAD, [0x08] = BAD, [0x0b] = BAD,    [0x0c] = BAD,   [0x0d] = "&#13;", [0x0e] = BAD, [0x0f] = BAD,
	[0x10] = BAD, [0x11] = BAD, [0x12] = BAD,    [0x13] = BAD,   [0x14] = BAD,     [0x15] = BAD, [0x16] = BAD,
	[0x17] = BAD, [0x18] = BAD, [0x19] = BAD,    [0x1a] = BAD,   [0x1b] = BAD,     [0x1c] = BAD, [0x1d] = BAD,
	[0x1e] = BAD, [0x1f] = BAD, ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;",
};

#define LINE	"<div class=\"line\">"
#define RECORD	"<div class=\"record\">"
#define BETWEEN "<div class=\"text\"> </div>"
#define END	"</div>"

static bool escape(struct pf_buf *b, struct pf_view v)
{
	return pf_text_escape(b, v, special, true, NULL); /* HTML reads such numbers as other characters */
}

static void html_open(struct pf_doc *doc)
{
	(void)doc; /* a fragment begins with nothing */
}

/* The header's members, if there are any, are a line of their own. */
static void html_begin(struct pf_doc *doc)
{
	if (doc->out.n == 0)
		return;
	pf_doc_indent(doc, 0);
	pf_buf_str(&doc->out, END "\n");
}

static void html_end(struct pf_doc *doc)
{
	(void)doc; /* every line is closed already */
}

static bool is_piece(const struct pf_doc *doc)
{
	return doc->in_piece && doc->depth == PF_LEVEL_PIECE + 1;
}

static bool is_record(const struct pf_doc *doc)
{
	return doc->in_piece && doc->depth == PF_LEVEL_MEMBER + 2 && doc->levels[PF_LEVEL_MEMBER].is_list;
}

static void object_begin(struct pf_doc *doc)
{
	if (is_piece(doc)) {
		pf_buf_str(&doc->out, LINE);
	} else if (is_record(doc)) {
		pf_doc_indent(doc, 1);
		pf_buf_str(&doc->out, RECORD);
	}
}

static void object_end(struct pf_doc *doc)
{
	if (is_piece(doc)) {
		pf_doc_indent(doc, 0);
		pf_buf_str(&doc->out, END "\n");
	} else if (is_record(doc)) {
		pf_doc_indent(doc, 1);
		pf_buf_str(&doc->out, END);
	}
}

static void no_mark(struct pf_doc *doc)
{
	(void)doc; /* lists leave none */
}

static struct pf_buf *leaf_begin(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)quoted;
	unsigned level = doc->depth >= PF_LEVEL_MEMBER + 2 && doc->levels[PF_LEVEL_MEMBER].is_list ? 2 : 1;
	if (!doc->in_piece && doc->out.n == 0)
		pf_buf_str(&doc->out, LINE);
	if (pf_doc_top(doc)->leaf_last) {
		pf_doc_indent(doc, level);
		pf_buf_str(&doc->out, BETWEEN);
	}
	pf_doc_indent(doc, level);
	pf_buf_str(&doc->out, "<div class=\"data\" data-tag=\"");
	pf_buf_str(&doc->out, name);
	pf_buf_str(&doc->out, "\">");
	return &doc->out;
}

static void leaf_end(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)name;
	(void)quoted;
	pf_buf_str(&doc->out, END);
}

const struct pf_doc_form pf_doc_form_html = {
	.open = html_open,
	.begin = html_begin,
	.end = html_end,
	.object_begin = object_begin,
	.object_end = object_end,
	.list_begin = no_mark,
	.list_end = no_mark,
	.leaf_begin = leaf_begin,
	.leaf_end = leaf_end,
	.escape = escape,
};

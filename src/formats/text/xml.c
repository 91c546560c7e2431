/* formats/text/xml.c - XML 1.0. A list is a run of elements that bear its name; an empty list is nothing. */
#include "formats/text/form.h"
#include "formats/text/utf8.h"

#define BAD PF_UTF8_REPLACEMENT

/* Char of XML 1.0 allows TAB, LF and CR below the space; a literal CR would be read as LF. */
static const char *const special[128] = {
	[0x00] = BAD, [0x01] = BAD, [0x02] = BAD,    [0x03] = BAD,   [0x04] = BAD,     [0x05] = BAD, [0x06] = BAD,
	[0x07] = BAD, [0x08] = BAD, [0x0b] = BAD,    [0x0c] = BAD,   [0x0d] = "&#13;", [0x0e] = BAD, [0x0f] = BAD,
	[0x10] = BAD, [0x11] = BAD, [0x12] = BAD,    [0x13] = BAD,   [0x14] = BAD,     [0x15] = BAD, [0x16] = BAD,
	[0x17] = BAD, [0x18] = BAD, [0x19] = BAD,    [0x1a] = BAD,   [0x1b] = BAD,     [0x1c] = BAD, [0x1d] = BAD,
	[0x1e] = BAD, [0x1f] = BAD, ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;",
};

static bool escape(struct pf_buf *b, struct pf_view v)
{
	static const char *const c1[2] = { "&#x", ";" };
	return pf_text_escape(b, v, special, true, c1);
}

static void tag(struct pf_doc *doc, const char *opening, const char *name)
{
	pf_buf_str(&doc->out, opening);
	pf_buf_str(&doc->out, name);
	pf_buf_char(&doc->out, '>');
}

/* Indentation of something inside the innermost @levels levels: lists have no element, unless they are elements themselves. */
static void indent(struct pf_doc *doc, unsigned levels)
{
	unsigned n = 0;
	for (unsigned i = 0; i < levels; i++)
		n += !doc->levels[i].is_list || (i > 0 && doc->levels[i - 1].is_list);
	pf_doc_indent(doc, n);
}

static void xml_open(struct pf_doc *doc)
{
	pf_buf_str(&doc->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	tag(doc, "<", doc->root);
}

static void xml_begin(struct pf_doc *doc)
{
	if (!doc->options.pretty)
		pf_buf_char(&doc->out, '\n');
}

static void xml_end(struct pf_doc *doc)
{
	pf_doc_indent(doc, 0);
	tag(doc, "</", doc->root);
	pf_buf_char(&doc->out, '\n');
}

static void object_begin(struct pf_doc *doc)
{
	indent(doc, doc->depth - 1);
	tag(doc, "<", pf_doc_top(doc)->name);
}

static void object_end(struct pf_doc *doc)
{
	if (pf_doc_top(doc)->n > 0)
		indent(doc, doc->depth - 1);
	tag(doc, "</", pf_doc_top(doc)->name);
	if (doc->in_piece && doc->depth == PF_LEVEL_PIECE + 1 && !doc->options.pretty)
		pf_buf_char(&doc->out, '\n');
}

/* A list inside a list is an element of the outer list's name, whose own elements are called "item". */
static void list_begin(struct pf_doc *doc)
{
	if (!pf_doc_parent(doc)->is_list)
		return;
	indent(doc, doc->depth - 1);
	tag(doc, "<", pf_doc_parent(doc)->name);
	pf_doc_top(doc)->name = "item";
}

static void list_end(struct pf_doc *doc)
{
	if (!pf_doc_parent(doc)->is_list)
		return;
	if (pf_doc_top(doc)->n > 0)
		indent(doc, doc->depth - 1);
	tag(doc, "</", pf_doc_parent(doc)->name);
}

static struct pf_buf *leaf_begin(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)quoted;
	indent(doc, doc->depth);
	tag(doc, "<", name);
	return &doc->out;
}

static void leaf_end(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)quoted;
	tag(doc, "</", name);
}

const struct pf_doc_form pf_doc_form_xml = {
	.open = xml_open,
	.begin = xml_begin,
	.end = xml_end,
	.object_begin = object_begin,
	.object_end = object_end,
	.list_begin = list_begin,
	.list_end = list_end,
	.leaf_begin = leaf_begin,
	.leaf_end = leaf_end,
	.escape = escape,
};

/* formats/text/json.c - JSON (RFC 8259): one document, or one object a line (json lines).
 * Compact layout: the beginning on a line, each piece on a line with its comma before it, the end on a line. */
#include <string.h>

#include "formats/text/form.h"
#include "formats/text/number.h"

static const char *const special[128] = {
	[0x00] = "\\u0000", [0x01] = "\\u0001", [0x02] = "\\u0002", [0x03] = "\\u0003", [0x04] = "\\u0004",
	[0x05] = "\\u0005", [0x06] = "\\u0006", [0x07] = "\\u0007", [0x08] = "\\b",	[0x09] = "\\t",
	[0x0a] = "\\n",	    [0x0b] = "\\u000b", [0x0c] = "\\f",	    [0x0d] = "\\r",	[0x0e] = "\\u000e",
	[0x0f] = "\\u000f", [0x10] = "\\u0010", [0x11] = "\\u0011", [0x12] = "\\u0012", [0x13] = "\\u0013",
	[0x14] = "\\u0014", [0x15] = "\\u0015", [0x16] = "\\u0016", [0x17] = "\\u0017", [0x18] = "\\u0018",
	[0x19] = "\\u0019", [0x1a] = "\\u001a", [0x1b] = "\\u001b", [0x1c] = "\\u001c", [0x1d] = "\\u001d",
	[0x1e] = "\\u001e", [0x1f] = "\\u001f", ['"'] = "\\\"",	    ['\\'] = "\\\\",
};

static bool escape(struct pf_buf *b, struct pf_view v)
{
	static const char *const c1[2] = { "\\u00", "" };
	return pf_text_escape(b, v, special, false, c1);
}

/* Comma, white space and name before an item of @level: with pretty. */
static void before_pretty(struct pf_doc *doc, const struct pf_level *level, unsigned indent, const char *name)
{
	if (level->n > 0)
		pf_buf_char(&doc->out, ',');
	pf_doc_indent(doc, indent);
	if (level->is_list)
		return;
	pf_buf_char(&doc->out, '"');
	pf_buf_str(&doc->out, name);
	pf_buf_str(&doc->out, "\": ");
}

/* The same, compact: room is looked for once. A blank stands around what has brackets. */
static void before(struct pf_doc *doc, const struct pf_level *level, unsigned indent, const char *name, bool is_leaf)
{
	if (doc->options.pretty) {
		before_pretty(doc, level, indent, name);
		return;
	}
	size_t n = level->is_list ? 0 : strlen(name);
	char *start = pf_buf_reserve(&doc->out, n + sizeof(", \"\": "));
	if (!start)
		return;
	char *p = start;
	if (level->n > 0) {
		*p++ = ',';
		if (!is_leaf)
			*p++ = ' ';
	}
	if (!level->is_list) {
		*p++ = '"';
		p = mempcpy(p, name, n);
		*p++ = '"';
		*p++ = ':';
		if (!is_leaf)
			*p++ = ' ';
	}
	doc->out.n += (size_t)(p - start);
}

static void begin_level(struct pf_doc *doc, char bracket)
{
	before(doc, pf_doc_parent(doc), doc->depth, pf_doc_top(doc)->name, false);
	pf_buf_char(&doc->out, bracket);
}

static void end_level(struct pf_doc *doc, char bracket)
{
	if (pf_doc_top(doc)->n > 0)
		pf_doc_indent(doc, doc->depth);
	pf_buf_char(&doc->out, bracket);
}

static void object_begin(struct pf_doc *doc)
{
	begin_level(doc, '{');
}

static void object_end(struct pf_doc *doc)
{
	end_level(doc, '}');
	if (doc->depth == PF_LEVEL_PIECE + 1 && doc->in_piece && !doc->options.pretty)
		pf_buf_char(&doc->out, '\n');
}

static void list_begin(struct pf_doc *doc)
{
	begin_level(doc, '[');
}

static void list_end(struct pf_doc *doc)
{
	end_level(doc, ']');
}

static char *number_at(struct pf_doc *doc, const char *name)
{
	const struct pf_level *level = pf_doc_top(doc);
	size_t n = level->is_list ? 0 : strlen(name);
	char *start = pf_buf_reserve(&doc->out, n + sizeof(",\"\":") + PF_NUMBER_SIZE);
	if (!start)
		return NULL;
	char *p = start;
	if (level->n > 0)
		*p++ = ',';
	if (!level->is_list) {
		*p++ = '"';
		p = mempcpy(p, name, n);
		*p++ = '"';
		*p++ = ':';
	}
	doc->out.n += (size_t)(p - start);
	return p;
}

static struct pf_buf *leaf_begin(struct pf_doc *doc, const char *name, bool quoted)
{
	before(doc, pf_doc_top(doc), doc->depth + 1, name, true);
	if (quoted)
		pf_buf_char(&doc->out, '"');
	return &doc->out;
}

static void leaf_end(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)name;
	if (quoted)
		pf_buf_char(&doc->out, '"');
}

static void json_open(struct pf_doc *doc)
{
	pf_buf_char(&doc->out, '{');
	pf_doc_indent(doc, 1);
	pf_buf_char(&doc->out, '"');
	pf_buf_str(&doc->out, doc->root);
	pf_buf_str(&doc->out, "\": {");
}

static void json_begin(struct pf_doc *doc)
{
	before(doc, pf_doc_top(doc), 2, doc->list, false);
	pf_buf_char(&doc->out, '[');
	if (!doc->options.pretty)
		pf_buf_char(&doc->out, '\n');
}

static void json_end(struct pf_doc *doc)
{
	if (pf_doc_top(doc)->n > 0)
		pf_doc_indent(doc, 2);
	pf_buf_char(&doc->out, ']');
	pf_doc_indent(doc, 1);
	pf_buf_char(&doc->out, '}');
	pf_doc_indent(doc, 0);
	pf_buf_str(&doc->out, "}\n");
}

/* The header, if there is one, is the first line: {"ROOT": {...}}. */
static void jsonl_open(struct pf_doc *doc)
{
	doc->options.pretty = false;
	json_open(doc);
}

static void jsonl_begin(struct pf_doc *doc)
{
	if (pf_doc_top(doc)->n == 0)
		pf_buf_clear(&doc->out);
	else
		pf_buf_str(&doc->out, "}}\n");
}

static void jsonl_object_begin(struct pf_doc *doc)
{
	if (doc->in_piece && doc->depth == PF_LEVEL_PIECE + 1)
		pf_buf_char(&doc->out, '{');
	else
		begin_level(doc, '{');
}

static void jsonl_end(struct pf_doc *doc)
{
	(void)doc; /* every line is whole */
}

const struct pf_doc_form pf_doc_form_json = {
	.open = json_open,
	.begin = json_begin,
	.end = json_end,
	.object_begin = object_begin,
	.object_end = object_end,
	.list_begin = list_begin,
	.list_end = list_end,
	.number_at = number_at,
	.leaf_begin = leaf_begin,
	.leaf_end = leaf_end,
	.escape = escape,
	.commas = true,
	.has_bigstr = true,
};

const struct pf_doc_form pf_doc_form_jsonl = {
	.open = jsonl_open,
	.begin = jsonl_begin,
	.end = jsonl_end,
	.object_begin = jsonl_object_begin,
	.object_end = object_end,
	.list_begin = list_begin,
	.list_end = list_end,
	.number_at = number_at,
	.leaf_begin = leaf_begin,
	.leaf_end = leaf_end,
	.escape = escape,
	.has_bigstr = true,
};

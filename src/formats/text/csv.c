/* formats/text/csv.c - flat rows (RFC 4180 with LF line ends): a heading, then a row for each innermost object with the leaves of the
 * objects around it, or a row for each leaf. Numbers are bare; fields are quoted only where they must be. */
#include <string.h>

#include "formats/text/form.h"
#include "formats/text/number.h"
#include "formats/text/utf8.h"

#define BAD PF_UTF8_REPLACEMENT

/* Controls mean something to terminals and nothing to readers of tables; line feeds and tabs are kept, inside quotes. */
static const char *const special[128] = {
	[0x00] = BAD, [0x01] = BAD, [0x02] = BAD, [0x03] = BAD,	  [0x04] = BAD, [0x05] = BAD, [0x06] = BAD,
	[0x07] = BAD, [0x08] = BAD, [0x0b] = BAD, [0x0c] = BAD,	  [0x0d] = BAD, [0x0e] = BAD, [0x0f] = BAD,
	[0x10] = BAD, [0x11] = BAD, [0x12] = BAD, [0x13] = BAD,	  [0x14] = BAD, [0x15] = BAD, [0x16] = BAD,
	[0x17] = BAD, [0x18] = BAD, [0x19] = BAD, [0x1a] = BAD,	  [0x1b] = BAD, [0x1c] = BAD, [0x1d] = BAD,
	[0x1e] = BAD, [0x1f] = BAD, [0x7f] = BAD, ['"'] = "\"\"",
};

static bool escape(struct pf_buf *b, struct pf_view v)
{
	bool quote = false;
	for (size_t i = 0; i < v.n && !quote; i++)
		quote = v.p[i] == '"' || v.p[i] == ',' || v.p[i] == '\n';
	if (quote)
		pf_buf_char(b, '"');
	bool lost = pf_text_escape(b, v, special, false, NULL);
	if (quote)
		pf_buf_char(b, '"');
	return lost;
}

static void csv_nothing(struct pf_doc *doc)
{
	(void)doc; /* no brackets here */
}

static void csv_begin(struct pf_doc *doc)
{
	for (unsigned i = 0; i < doc->csv.n; i++) {
		pf_buf_add(&doc->out, ",", i > 0);
		pf_buf_str(&doc->out, doc->csv.columns[i]);
	}
	if (doc->csv.by_leaf)
		pf_buf_str(&doc->out, doc->csv.n > 0 ? ",path,value" : "path,value");
	pf_buf_char(&doc->out, '\n');
}

/* A column that is not set is an empty field. */
static void row(struct pf_doc *doc, struct pf_view path, struct pf_view value)
{
	for (unsigned i = 0; i < doc->csv.n; i++) {
		pf_buf_add(&doc->out, ",", i > 0);
		if (doc->csv.set[i])
			pf_buf_view(&doc->out, pf_buf_text(&doc->csv.cells[i]));
	}
	if (doc->csv.by_leaf) {
		pf_buf_add(&doc->out, ",", doc->csv.n > 0);
		pf_buf_view(&doc->out, path);
		pf_buf_char(&doc->out, ',');
		pf_buf_view(&doc->out, value);
	}
	pf_buf_char(&doc->out, '\n');
	for (unsigned i = 0; i < doc->depth; i++)
		doc->levels[i].rows = true;
}

/* The text of a column and the one that stands aside change places. */
static void swap_outer(struct pf_doc *doc, unsigned column, unsigned set)
{
	struct pf_buf text = doc->csv.cells[column];
	doc->csv.cells[column] = doc->csv.outer;
	doc->csv.outer = text;
	doc->csv.outer_column = column;
	doc->csv.outer_set = set;
}

static void object_begin(struct pf_doc *doc)
{
	pf_doc_top(doc)->rows = false;
}

static void object_end(struct pf_doc *doc)
{
	if (!doc->in_piece)
		return;
	bool is_piece = doc->depth == PF_LEVEL_PIECE + 1;
	const struct pf_level *top = pf_doc_top(doc);
	if (!top->rows && (is_piece || (!doc->csv.by_leaf && top->n > 0)))
		row(doc, PF_VIEW(""), PF_VIEW(""));
	for (unsigned i = 0; i < doc->csv.n; i++) {
		if (doc->csv.set[i] < doc->depth)
			continue;
		bool back = doc->csv.outer_set > 0 && doc->csv.outer_column == i;
		doc->csv.set[i] = back ? doc->csv.outer_set : 0;
		if (back)
			swap_outer(doc, i, 0);
	}
}

static unsigned column_of(const struct pf_doc *doc, const char *name)
{
	unsigned i = 0;
	while (i < doc->csv.n && doc->csv.columns[i] != name && strcmp(doc->csv.columns[i], name) != 0)
		i++;
	return i;
}

/* Does a leaf at this place fill a column? */
static bool fills(const struct pf_doc *doc, unsigned column)
{
	return column < doc->csv.n && doc->in_piece && (!doc->csv.by_leaf || doc->depth == PF_LEVEL_PIECE + 1);
}

static struct pf_buf *leaf_begin(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)quoted;
	unsigned column = column_of(doc, name);
	bool fill = fills(doc, column);
	if (fill && doc->csv.set[column] > 0 && doc->csv.set[column] < doc->depth && doc->csv.outer_set == 0)
		swap_outer(doc, column, doc->csv.set[column]);
	struct pf_buf *to = fill ? &doc->csv.cells[column] : &doc->csv.leaf;
	pf_buf_clear(to);
	return to;
}

/* Names and positions from the piece down: "output.0.keys.1.value". */
static struct pf_view path_to(struct pf_doc *doc, const char *name)
{
	struct pf_buf *path = &doc->csv.path;
	pf_buf_clear(path);
	for (unsigned i = PF_LEVEL_PIECE; i < doc->depth; i++) {
		const struct pf_level *level = &doc->levels[i];
		const char *below = i + 1 < doc->depth ? doc->levels[i + 1].name : name;
		pf_buf_add(path, ".", path->n > 0);
		if (level->is_list)
			pf_buf_u64(path, level->n);
		else
			pf_buf_str(path, below);
	}
	return pf_buf_text(path);
}

static void leaf_end(struct pf_doc *doc, const char *name, bool quoted)
{
	(void)quoted;
	unsigned column = column_of(doc, name);
	if (fills(doc, column))
		doc->csv.set[column] = doc->depth;
	else if (doc->csv.by_leaf && doc->in_piece)
		row(doc, path_to(doc, name), pf_buf_text(&doc->csv.leaf));
}

/* Members that are pasted: for each column its number, its length, its text. */
static void cut(struct pf_doc *doc, struct pf_doc_members *ret_members)
{
	struct pf_buf *b = &doc->csv.path;
	pf_buf_clear(b);
	for (unsigned i = 0; i < doc->csv.n; i++) {
		if (doc->csv.set[i] != doc->depth)
			continue;
		size_t n = doc->csv.cells[i].n;
		pf_buf_add(b, &i, sizeof(i));
		pf_buf_add(b, &n, sizeof(n));
		pf_buf_add(b, doc->csv.cells[i].p, n);
	}
	ret_members->bytes = pf_buf_text(b);
}

static void paste(struct pf_doc *doc, const struct pf_doc_members *members)
{
	struct pf_view rest = members->bytes;
	unsigned i;
	size_t n;
	while (rest.n >= sizeof(i) + sizeof(n)) {
		memcpy(&i, rest.p, sizeof(i));
		memcpy(&n, rest.p + sizeof(i), sizeof(n));
		rest.p += sizeof(i) + sizeof(n);
		rest.n -= sizeof(i) + sizeof(n);
		pf_buf_clear(&doc->csv.cells[i]);
		pf_buf_add(&doc->csv.cells[i], rest.p, n);
		doc->csv.set[i] = doc->depth;
		rest.p += n;
		rest.n -= n;
	}
}

void pf_csv_done(struct pf_csv *csv)
{
	for (unsigned i = 0; i < PF_DOC_COLUMNS; i++)
		pf_buf_done(&csv->cells[i]);
	pf_buf_done(&csv->outer);
	pf_buf_done(&csv->leaf);
	pf_buf_done(&csv->path);
}

const struct pf_doc_form pf_doc_form_csv = {
	.open = csv_nothing,
	.begin = csv_begin,
	.end = csv_nothing,
	.object_begin = object_begin,
	.object_end = object_end,
	.list_begin = csv_nothing,
	.list_end = csv_nothing,
	.leaf_begin = leaf_begin,
	.leaf_end = leaf_end,
	.cut = cut,
	.paste = paste,
	.escape = escape,
};

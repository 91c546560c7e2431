/* formats/text/form.h - inside of the document writer: what a format is, and the state that all of them share.
 * A new format is a file with one struct pf_doc_form and a line in options.c. */
#ifndef PF_FORMATS_TEXT_FORM_H
#define PF_FORMATS_TEXT_FORM_H

#include "base/outlet.h"
#include "formats/text/doc.h"

enum { PF_DOC_DEPTH = 32, PF_DOC_COLUMNS = 16 };

/* Levels that are always there once they are: the root object, the list of pieces, the piece. Below them what callers nest. */
enum { PF_LEVEL_ROOT, PF_LEVEL_LIST, PF_LEVEL_PIECE, PF_LEVEL_MEMBER };

/**
 * struct pf_level - an object or list that is open.
 * @name: its name; elements of a list bear the list's; kept as a pointer until it is closed
 * @n: members or elements so far
 * @leaf_last: the newest of them is a leaf
 * @raw: has a member "raw" already
 * @rows: csv: something below has become a row
 */
struct pf_level {
	bool is_list;
	const char *name;
	unsigned n;
	bool leaf_last;
	bool raw;
	bool rows;
};

/* csv: @cells[i] is the text of column i, set at depth @set[i] (0: empty). @path: scratch for by_leaf. @outer: what
 * column @outer_column was set to at depth @outer_set (0: nothing) before an object in there told another value. */
struct pf_csv {
	const char *const *columns;
	unsigned n;
	bool by_leaf;
	struct pf_buf cells[PF_DOC_COLUMNS];
	unsigned set[PF_DOC_COLUMNS];
	struct pf_buf outer;
	unsigned outer_column;
	unsigned outer_set;
	struct pf_buf leaf;
	struct pf_buf path;
};

enum pf_doc_phase { PF_DOC_HEADER, PF_DOC_BEGUN, PF_DOC_ENDED };

struct pf_doc_form;

/**
 * struct pf_doc - one document.
 * @to: where it goes; @own: that, when it is only a descriptor
 * @out: bytes not yet written; those from @piece_at on belong to the piece being built
 * @marked: where pf_doc_mark() was called
 * @depth: levels open; @skipped: levels begun beyond PF_DOC_DEPTH, or outside a piece, and not ended yet
 * @misuses: calls that made no sense where they came and were repaired or ignored
 * @rc: first error; nothing is written after it
 */
struct pf_doc {
	struct pf_doc_options options;
	const struct pf_doc_form *form;
	struct pf_outlet *to;
	struct pf_outlet_fd own;
	const char *root;
	const char *list;
	enum pf_doc_phase phase;
	bool in_piece;
	struct pf_buf out;
	struct pf_buf scratch;
	size_t piece_at;
	size_t marked;
	struct pf_level levels[PF_DOC_DEPTH];
	unsigned depth;
	unsigned skipped;
	unsigned misuses;
	int rc;
	unsigned n_written; /* pieces in what has been handed over */
	struct pf_csv csv;
};

/**
 * struct pf_doc_form - one format. Separators are placed by looking at the top level, which holds the state before the new item;
 * counting is done by the caller.
 * @open: the root's beginning; @begin: up to where pieces start; @end: all that is open then
 * @object_begin, @list_begin: called when the new level is on top already; @object_end, @list_end: while it still is
 * @number_at: the same as leaf_begin for a number in the compact layout, with room for it. Return: where its digits go, at the end of @out;
 *             NULL without memory. NULL: leaf_begin does
 * @leaf_begin: everything before the value. Return: where the value goes
 * @leaf_end: everything behind it
 * @cut, @paste: see pf_doc_cut(); NULL: bytes of @out since @marked do
 * @escape: @v as this format writes it. Return: whether something could not be kept as it was
 * @commas: a comma in front divides a piece from the one before
 * @has_bigstr: large integers become strings with that modifier
 */
struct pf_doc_form {
	void (*open)(struct pf_doc *doc);
	void (*begin)(struct pf_doc *doc);
	void (*end)(struct pf_doc *doc);
	void (*object_begin)(struct pf_doc *doc);
	void (*object_end)(struct pf_doc *doc);
	void (*list_begin)(struct pf_doc *doc);
	void (*list_end)(struct pf_doc *doc);
	char *(*number_at)(struct pf_doc *doc, const char *name);
	struct pf_buf *(*leaf_begin)(struct pf_doc *doc, const char *name, bool quoted);
	void (*leaf_end)(struct pf_doc *doc, const char *name, bool quoted);
	void (*cut)(struct pf_doc *doc, struct pf_doc_members *ret_members);
	void (*paste)(struct pf_doc *doc, const struct pf_doc_members *members);
	bool (*escape)(struct pf_buf *b, struct pf_view v);
	bool commas;
	bool has_bigstr;
};

extern const struct pf_doc_form pf_doc_form_json;
extern const struct pf_doc_form pf_doc_form_jsonl;
extern const struct pf_doc_form pf_doc_form_xml;
extern const struct pf_doc_form pf_doc_form_html;
extern const struct pf_doc_form pf_doc_form_csv;

/* pf_doc_form_of() - NULL for PF_FORMAT_TEXT, which is no document. */
const struct pf_doc_form *pf_doc_form_of(enum pf_format format);

/* pf_csv_done() - free what csv keeps. */
void pf_csv_done(struct pf_csv *csv);

static inline struct pf_level *pf_doc_top(struct pf_doc *doc)
{
	return &doc->levels[doc->depth - 1];
}

/* pf_doc_parent() - the level around the top one, which is not the root. */
static inline struct pf_level *pf_doc_parent(struct pf_doc *doc)
{
	return &doc->levels[doc->depth - 2];
}

/* pf_doc_indent() - with pretty: a new line, indented for @level; else nothing. */
void pf_doc_indent(struct pf_doc *doc, unsigned level);

/**
 * pf_text_escape() - copy @v: ill-formed UTF-8 becomes U+FFFD, bytes for which @special is set are replaced.
 * @special: by ASCII byte: NULL as it is, else what stands for it; @forbidden: U+FFFE and U+FFFF are not allowed either
 * @c1: what stands around the two hexadecimal digits of U+0080 to U+009F, which terminals obey like ESC; NULL: they are lost
 * A replacement that is U+FFFD counts as a loss.
 *
 * Return: whether something was lost.
 */
bool pf_text_escape(struct pf_buf *b, struct pf_view v, const char *const special[128], bool forbidden,
		    const char *const c1[2]);

#endif

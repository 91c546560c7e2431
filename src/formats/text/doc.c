/* formats/text/doc.c - the state of a document: what is open, what may come next, what has been handed over. */
#include "formats/text/doc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outlet.h"
#include "formats/text/form.h"
#include "formats/text/number.h"

enum { PENDING_MAX = 64 * 1024 };

#define EXACT_MAX ((INT64_C(1) << 53) - 1) /* largest integer that a double holds together with its neighbours */

int pf_doc_open(struct pf_doc **ret_doc, const struct pf_doc_options *options, int fd, const char *root,
		const char *list, struct pf_err *err)
{
	const struct pf_doc_form *form = pf_doc_form_of(options->format);
	if (!form)
		return pf_err_set(err, -EINVAL, "text output is no document");

	struct pf_doc *doc = calloc(1, sizeof(*doc));
	if (!doc)
		return pf_err_set(err, -ENOMEM, "no memory for a document");
	*doc = (struct pf_doc){ .options = *options, .form = form, .root = root, .list = list };
	doc->to = pf_outlet_or_fd(NULL, &doc->own, fd);
	doc->levels[PF_LEVEL_ROOT] = (struct pf_level){ .name = root };
	doc->depth = 1;
	form->open(doc);
	*ret_doc = doc;
	return 0;
}

void pf_doc_columns(struct pf_doc *doc, const char *const *names, unsigned n, bool by_leaf)
{
	doc->csv.columns = names;
	doc->csv.n = n < PF_DOC_COLUMNS ? n : PF_DOC_COLUMNS;
	doc->csv.by_leaf = by_leaf;
}

struct pf_buf *pf_doc_scratch(struct pf_doc *doc)
{
	pf_buf_clear(&doc->scratch);
	return &doc->scratch;
}

unsigned pf_doc_misuses(const struct pf_doc *doc)
{
	return doc->misuses;
}

void pf_doc_outlet(struct pf_doc *doc, struct pf_outlet *to)
{
	doc->to = to ? to : doc->to;
}

/* Write the first @n bytes of what is pending. */
static int hand_over(struct pf_doc *doc, size_t n)
{
	if (doc->out.failed && doc->rc == 0)
		doc->rc = doc->out.failed;
	if (doc->rc < 0)
		return doc->rc;
	if (n == 0)
		return 0;

	size_t divider = doc->form->commas && doc->out.p[0] == ',';
	int rc = pf_outlet_put(doc->to, (struct pf_view){ doc->out.p, n }, divider);
	if (rc < 0) {
		doc->rc = rc;
		return rc;
	}
	memmove(doc->out.p, doc->out.p + n, doc->out.n - n);
	doc->out.n -= n;
	doc->piece_at -= doc->in_piece ? n : 0;
	doc->n_written = doc->depth > PF_LEVEL_ROOT + 1 ? doc->levels[PF_LEVEL_ROOT + 1].n : 0;
	return 0;
}

bool pf_doc_recover(struct pf_doc *doc)
{
	bool disk = doc->rc == -ENOSPC || doc->rc == -EDQUOT || doc->rc == -EIO;
	bool is_file = doc->to == &doc->own.base && doc->own.is_file;
	if (!disk || !is_file || doc->phase != PF_DOC_BEGUN || doc->in_piece)
		return false;
	pf_buf_clear(&doc->out);
	doc->levels[PF_LEVEL_ROOT + 1].n = doc->n_written;
	doc->rc = 0;
	return true;
}

int pf_doc_flush(struct pf_doc *doc)
{
	if (doc->phase == PF_DOC_HEADER)
		return doc->rc;
	return hand_over(doc, doc->in_piece ? doc->piece_at : doc->out.n);
}

int pf_doc_begin(struct pf_doc *doc)
{
	if (doc->phase != PF_DOC_HEADER) {
		doc->misuses++;
		return doc->rc;
	}
	while (doc->depth > 1) {
		doc->misuses++;
		doc->skipped = 0;
		pf_doc_top(doc)->is_list ? pf_doc_list_end(doc) : pf_doc_object_end(doc);
	}
	doc->form->begin(doc);
	doc->levels[doc->depth++] = (struct pf_level){ .is_list = true, .name = doc->list };
	doc->phase = PF_DOC_BEGUN;
	(void)pf_outlet_remind(doc->to, pf_buf_text(&doc->out)); /* what has no memory now is told below */
	if (pf_doc_flush(doc) < 0)
		doc->phase = PF_DOC_ENDED; /* without a beginning there is nothing to close */
	return doc->rc;
}

int pf_doc_end(struct pf_doc *doc)
{
	if (doc->phase != PF_DOC_BEGUN)
		return doc->rc;
	if (doc->in_piece)
		pf_doc_piece_drop(doc);

	/* A full disk may still have room for the closing brackets, once the broken piece has been taken back. */
	int first = doc->rc;
	if (first < 0 && first != -EPIPE) {
		doc->rc = 0;
		pf_buf_done(&doc->out);
	}
	doc->form->end(doc);
	doc->phase = PF_DOC_ENDED;
	(void)hand_over(doc, doc->out.n); /* kept in doc->rc */
	doc->rc = first < 0 ? first : doc->rc;
	return doc->rc;
}

int pf_doc_close(struct pf_doc *doc)
{
	if (!doc)
		return 0;
	int rc = pf_doc_end(doc);
	pf_buf_done(&doc->out);
	pf_buf_done(&doc->scratch);
	pf_csv_done(&doc->csv);
	free(doc);
	return rc;
}

void pf_doc_piece_begin(struct pf_doc *doc)
{
	if (doc->phase != PF_DOC_BEGUN || doc->in_piece) {
		doc->misuses++;
		return;
	}
	doc->in_piece = true;
	doc->piece_at = doc->out.n;
	doc->levels[doc->depth++] = (struct pf_level){ .name = doc->list };
	doc->form->object_begin(doc);
}

int pf_doc_piece_end(struct pf_doc *doc)
{
	if (!doc->in_piece) {
		doc->misuses++;
		return doc->rc;
	}
	while (doc->depth > PF_LEVEL_MEMBER) {
		doc->misuses++;
		doc->skipped = 0;
		pf_doc_top(doc)->is_list ? pf_doc_list_end(doc) : pf_doc_object_end(doc);
	}
	doc->form->object_end(doc);
	doc->depth--;
	pf_doc_top(doc)->n++;
	doc->in_piece = false;
	if (doc->out.n >= PENDING_MAX || doc->out.failed)
		return hand_over(doc, doc->out.n);
	return doc->rc;
}

void pf_doc_piece_drop(struct pf_doc *doc)
{
	if (!doc->in_piece) {
		doc->misuses++;
		return;
	}
	doc->out.n = doc->piece_at;
	doc->depth = PF_LEVEL_PIECE;
	doc->skipped = 0;
	doc->in_piece = false;
	memset(doc->csv.set, 0, sizeof(doc->csv.set));
}

/* May anything come here? Inside a piece, or in the header. */
static bool admit(struct pf_doc *doc)
{
	bool here = doc->in_piece || doc->phase == PF_DOC_HEADER;
	if (here && doc->skipped == 0)
		return true;
	doc->misuses++;
	return false;
}

/* Elements are named by their list; members have a name of their own. */
static const char *name_here(struct pf_doc *doc, const char *name)
{
	const struct pf_level *top = pf_doc_top(doc);
	if (top->is_list != !name)
		doc->misuses++;
	if (top->is_list)
		return top->name;
	return name ? name : "value";
}

static void push(struct pf_doc *doc, const char *name, bool is_list)
{
	if (!admit(doc) || doc->depth == PF_DOC_DEPTH) {
		doc->skipped++;
		return;
	}
	name = name_here(doc, name);
	doc->levels[doc->depth++] = (struct pf_level){ .name = name, .is_list = is_list };
	is_list ? doc->form->list_begin(doc) : doc->form->object_begin(doc);
}

static void pop(struct pf_doc *doc, bool is_list)
{
	if (doc->skipped > 0) {
		doc->skipped--;
		return;
	}
	unsigned fixed = doc->phase == PF_DOC_HEADER ? PF_LEVEL_ROOT + 1 : PF_LEVEL_PIECE + 1;
	if (doc->depth <= fixed || pf_doc_top(doc)->is_list != is_list) {
		doc->misuses++;
		return;
	}
	is_list ? doc->form->list_end(doc) : doc->form->object_end(doc);
	doc->depth--;
	pf_doc_top(doc)->n++;
	pf_doc_top(doc)->leaf_last = false;
}

void pf_doc_object_begin(struct pf_doc *doc, const char *name)
{
	push(doc, name, false);
}

void pf_doc_object_end(struct pf_doc *doc)
{
	pop(doc, false);
}

void pf_doc_list_begin(struct pf_doc *doc, const char *name)
{
	push(doc, name, true);
}

void pf_doc_list_end(struct pf_doc *doc)
{
	pop(doc, true);
}

static void count_leaf(struct pf_doc *doc)
{
	pf_doc_top(doc)->n++;
	pf_doc_top(doc)->leaf_last = true;
}

/* A value whose characters need no escaping in any format. */
static void plain(struct pf_doc *doc, const char *name, bool quoted, const char *text, size_t n)
{
	if (!admit(doc))
		return;
	name = name_here(doc, name);
	pf_buf_add(doc->form->leaf_begin(doc, name, quoted), text, n);
	doc->form->leaf_end(doc, name, quoted);
	count_leaf(doc);
}

/* The short way for numbers, where the format has one: NULL if it has not. */
static char *digits_at(struct pf_doc *doc, const char *name)
{
	bool here = (doc->in_piece || doc->phase == PF_DOC_HEADER) && doc->skipped == 0;
	if (!here || !doc->form->number_at || doc->options.pretty)
		return NULL;
	return doc->form->number_at(doc, name_here(doc, name));
}

static void digits_end(struct pf_doc *doc, size_t n)
{
	doc->out.n += n;
	count_leaf(doc);
}

void pf_doc_int(struct pf_doc *doc, const char *name, int64_t v)
{
	char text[PF_NUMBER_SIZE];
	bool quoted = doc->options.bigstr && doc->form->has_bigstr && (v > EXACT_MAX || v < -EXACT_MAX);
	char *at = quoted ? NULL : digits_at(doc, name);
	if (at)
		digits_end(doc, pf_number_i64(at, v));
	else
		plain(doc, name, quoted, text, pf_number_i64(text, v));
}

void pf_doc_uint(struct pf_doc *doc, const char *name, uint64_t v)
{
	char text[PF_NUMBER_SIZE];
	bool quoted = doc->options.bigstr && doc->form->has_bigstr && v > EXACT_MAX;
	char *at = quoted ? NULL : digits_at(doc, name);
	if (at)
		digits_end(doc, pf_number_u64(at, v));
	else
		plain(doc, name, quoted, text, pf_number_u64(text, v));
}

void pf_doc_micros(struct pf_doc *doc, const char *name, uint64_t v)
{
	char text[PF_NUMBER_SIZE];
	char *at = digits_at(doc, name);
	if (at)
		digits_end(doc, pf_number_micros(at, v));
	else
		plain(doc, name, false, text, pf_number_micros(text, v));
}

void pf_doc_real(struct pf_doc *doc, const char *name, double v)
{
	char text[PF_NUMBER_SIZE];
	plain(doc, name, !isfinite(v), text, pf_number_real(text, v));
}

void pf_doc_float(struct pf_doc *doc, const char *name, float v)
{
	char text[PF_NUMBER_SIZE];
	plain(doc, name, !isfinite(v), text, pf_number_float(text, v));
}

void pf_doc_bool(struct pf_doc *doc, const char *name, bool v)
{
	plain(doc, name, false, v ? "true" : "false", v ? 4 : 5);
}

void pf_doc_address(struct pf_doc *doc, const char *name, uint64_t v)
{
	char text[PF_NUMBER_SIZE];
	plain(doc, name, true, text, pf_number_hex(text, v));
}

void pf_doc_hex(struct pf_doc *doc, const char *name, const void *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	if (!admit(doc))
		return;
	name = name_here(doc, name);
	struct pf_buf *to = doc->form->leaf_begin(doc, name, true);
	pf_buf_add(to, "0x", 2);
	char *p = pf_buf_reserve(to, 2 * n);
	for (size_t i = 0; i < n && p; i++) {
		uint8_t byte = ((const uint8_t *)bytes)[i];
		*p++ = digits[byte >> 4];
		*p++ = digits[byte & 15];
	}
	to->n += p ? 2 * n : 0;
	doc->form->leaf_end(doc, name, true);
	count_leaf(doc);
}

static bool text(struct pf_doc *doc, const char *name, struct pf_view v)
{
	if (!admit(doc))
		return false;
	name = name_here(doc, name);
	bool lost = doc->form->escape(doc->form->leaf_begin(doc, name, true), v);
	doc->form->leaf_end(doc, name, true);
	count_leaf(doc);
	return lost;
}

void pf_doc_text(struct pf_doc *doc, const char *name, struct pf_view v)
{
	if (!text(doc, name, v))
		return;
	struct pf_level *top = pf_doc_top(doc);
	if (top->is_list || top->raw)
		return; /* no place beside an element; and no two members of one name */
	pf_doc_hex(doc, "raw", v.p, v.n);
	top->raw = true;
}

void pf_doc_name(struct pf_doc *doc, const char *name, const char *v)
{
	(void)text(doc, name, pf_view_of(v ? v : ""));
}

void pf_doc_indent(struct pf_doc *doc, unsigned level)
{
	if (!doc->options.pretty)
		return;
	pf_buf_char(&doc->out, '\n');
	pf_buf_pad(&doc->out, ' ', (size_t)level * doc->options.indent);
}

void pf_doc_mark(struct pf_doc *doc)
{
	if (!doc->in_piece || pf_doc_top(doc)->n > 0)
		doc->misuses++;
	doc->marked = doc->out.n;
}

void pf_doc_cut(struct pf_doc *doc, struct pf_doc_members *ret_members)
{
	*ret_members = (struct pf_doc_members){ .n = pf_doc_top(doc)->n };
	if (doc->form->cut)
		doc->form->cut(doc, ret_members);
	else
		ret_members->bytes = (struct pf_view){ doc->out.p + doc->marked, doc->out.n - doc->marked };
}

void pf_doc_paste(struct pf_doc *doc, const struct pf_doc_members *members)
{
	if (!admit(doc))
		return;
	if (pf_doc_top(doc)->n > 0) {
		doc->misuses++;
		return;
	}
	if (doc->form->paste)
		doc->form->paste(doc, members);
	else
		pf_buf_view(&doc->out, members->bytes);
	pf_doc_top(doc)->n = members->n;
	pf_doc_top(doc)->leaf_last = members->n > 0;
}

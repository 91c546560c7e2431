/* formats/text/doc.h - one writer for json, jsonl, xml, html and csv. Callers say what there is; this knows brackets, separators and
 * escaping, so that no caller ever places a comma or a quote.
 *
 * Contract: after any piece has been flushed, the bytes written so far followed by the closing brackets ("]}}" for json, the open end
 * tags for xml) are a valid document. Therefore a piece - one sample, one event - is built whole in memory and written at once, with
 * its separator before it and a newline behind it. Strict UTF-8: ill-formed bytes become U+FFFD and the object that holds the string gets
 * a member "raw" with all bytes in hex. Numbers are in the C locale; NaN and infinity never appear as numbers. */
#ifndef PF_FORMATS_TEXT_DOC_H
#define PF_FORMATS_TEXT_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct pf_err;
struct pf_outlet;

/* formats/text/options.c has their words. */
enum pf_format { PF_FORMAT_TEXT, PF_FORMAT_JSON, PF_FORMAT_XML, PF_FORMAT_HTML, PF_FORMAT_JSONL, PF_FORMAT_CSV };

/* What `--oformat FORMAT[,MODIFIER...]` says. */
struct pf_doc_options {
	enum pf_format format;
	bool pretty;
	unsigned indent; /* 0..16 with pretty; 2 by default */
	bool bigstr;	 /* json: integers outside +-(2^53-1) become strings */
	bool header;	 /* members format-version and clock before the list */
	bool texts;	 /* help texts of recordings, too */
};

/**
 * pf_doc_options_parse() - the words of perfolio-oformat(7), plus jsonl and csv when @all_formats.
 *
 * Return: 0, or -EINVAL naming the word that is wrong and the words that would be right.
 */
int pf_doc_options_parse(const char *words, bool all_formats, struct pf_doc_options *ret_options, struct pf_err *err);

struct pf_doc;

/**
 * pf_doc_open() - a document {"ROOT": {header members..., "LIST": [pieces...]}} on descriptor @fd (not closed by us).
 * Nothing is written before pf_doc_begin().
 */
int pf_doc_open(struct pf_doc **ret_doc, const struct pf_doc_options *options, int fd, const char *root,
		const char *list, struct pf_err *err);

/* pf_doc_outlet() - between open and begin: where the document goes instead, unless NULL. */
void pf_doc_outlet(struct pf_doc *doc, struct pf_outlet *to);

/**
 * pf_doc_columns() - csv only, between open and begin: the columns of the table. Other formats ignore it.
 * @names: member names, valid as long as the document
 * @by_leaf: false: a row for each innermost object, with the leaves of the objects around it; members that are no column are left out.
 *           true: the columns hold the piece's own leaves; every other leaf is a row of its own, with "path" (names and positions
 *           joined by dots) and "value" as last columns.
 */
void pf_doc_columns(struct pf_doc *doc, const char *const *names, unsigned n, bool by_leaf);

/* pf_doc_begin() - everything up to the list's opening bracket, flushed. Header members are written between open and begin
 * with the member functions below, outside any piece. */
int pf_doc_begin(struct pf_doc *doc);

/* pf_doc_end() - close all that is open and flush; once. pf_doc_close() also frees; it ends a begun document if that was not done.
 * Return: 0 or the first write error of the whole document. */
int pf_doc_end(struct pf_doc *doc);
int pf_doc_close(struct pf_doc *doc);

/* One element of the list. pf_doc_piece_end() hands it over; it reaches the descriptor when 64 KiB are pending or at pf_doc_flush(). */
void pf_doc_piece_begin(struct pf_doc *doc);
int pf_doc_piece_end(struct pf_doc *doc);
void pf_doc_piece_drop(struct pf_doc *doc); /* forget the piece being built */
int pf_doc_flush(struct pf_doc *doc);

/* pf_doc_recover() - after a write to a file failed because the disk is full or broken: forget the pieces that are pending and go on behind
 * the last one that was written. Return: false if this is not such a case; then the document ends with its error. */
bool pf_doc_recover(struct pf_doc *doc);

/* Nesting inside a piece, at most 28 deep. @name NULL inside a list; it must stay valid until the end. Lists of objects have no wrapper element in xml: each object is an element <name>. */
void pf_doc_object_begin(struct pf_doc *doc, const char *name);
void pf_doc_object_end(struct pf_doc *doc);
void pf_doc_list_begin(struct pf_doc *doc, const char *name);
void pf_doc_list_end(struct pf_doc *doc);

/* Leaves. @name: fixed ASCII words; NULL inside a list. */
void pf_doc_int(struct pf_doc *doc, const char *name, int64_t v);
void pf_doc_uint(struct pf_doc *doc, const char *name, uint64_t v);
void pf_doc_real(struct pf_doc *doc, const char *name,
		 double v); /* shortest form; NaN and infinities as strings "nan" "inf" "-inf" */
void pf_doc_micros(struct pf_doc *doc, const char *name, uint64_t v); /* @v / 10^6, written as by pf_doc_real() */
void pf_doc_float(struct pf_doc *doc, const char *name, float v);     /* the same for single precision */
void pf_doc_bool(struct pf_doc *doc, const char *name, bool v);
void pf_doc_text(struct pf_doc *doc, const char *name, struct pf_view v); /* with "raw" beside it if ill-formed */
void pf_doc_name(struct pf_doc *doc, const char *name, const char *v);	  /* never a "raw" beside it */
void pf_doc_hex(struct pf_doc *doc, const char *name, const void *bytes, size_t n);
void pf_doc_address(struct pf_doc *doc, const char *name, uint64_t v); /* "0x..." */

/* Members that are the same in every piece are written once and pasted later, at the same place: as first members of an object
 * as deep. Between pf_doc_mark() and pf_doc_cut() only leaves of one object, its first. What was written stays in the piece.
 * pf_doc_cut() sets *ret_members to bytes that the caller copies; pf_doc_paste() takes them. */
struct pf_doc_members {
	struct pf_view bytes;
	unsigned n;
};

void pf_doc_mark(struct pf_doc *doc);
void pf_doc_cut(struct pf_doc *doc, struct pf_doc_members *ret_members);
void pf_doc_paste(struct pf_doc *doc, const struct pf_doc_members *members);

/* pf_doc_scratch() - an empty buffer for a caller that composes a text before handing it over; valid until the next call. */
struct pf_buf *pf_doc_scratch(struct pf_doc *doc);

/* pf_doc_misuses() - calls so far that made no sense where they came (a name inside a list, an end without a beginning ...).
 * They were repaired or ignored, so that the document is well-formed anyway; tests want 0. */
unsigned pf_doc_misuses(const struct pf_doc *doc);

#endif

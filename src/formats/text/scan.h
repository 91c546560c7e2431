/* formats/text/scan.h - documents read strictly, as a stream: are they well-formed, and how far? One row per syntax. Nothing is kept but what the
 * rules need, so a document of any length is scanned in the memory of its largest object. */
#ifndef PF_FORMATS_TEXT_SCAN_H
#define PF_FORMATS_TEXT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"

struct pf_err;
struct pf_scanner;

/**
 * struct pf_scan - how far a document was read; first member of every scanner's own struct.
 * @byte: read so far; after an error: where it is. @line: counted from 1
 * @elements: whole ones of the list, or lines of their own
 * @good: the byte behind the last whole element, or behind what stands before the first
 * @from_ns, @until_ns: times of the first and last whole element that has one; 0 none. @back: elements whose time is before that of the one
 *                     before them
 * @rule: after an error: a word for what is wrong
 * @moments: elements whose time is not that of the one before
 * @partial: bytes of a character that goes on in the next bytes
 * @skipping: up to the end of a line that is bad
 * @in_line: the last byte did not end a line
 * @over: after an error: nothing can be said of what follows
 * @lines: each line stands for itself (jsonl, csv)
 */
struct pf_scan {
	const struct pf_scanner *scanner;
	uint64_t byte;
	uint64_t line;
	uint64_t elements;
	uint64_t good;
	int64_t from_ns;
	int64_t until_ns;
	uint64_t back;
	uint64_t moments;
	char partial[4];
	size_t n_partial;
	const char *rule;
	bool skipping;
	bool in_line;
	bool over;
	bool lines;
};

/**
 * struct pf_scanner - a syntax.
 * @looks_like: do the first bytes of a file begin such a document of ours?
 * @open: NULL without memory
 * @take: the next character, of ASCII; *ret_again: it does not belong to what ended before it, and is to be given again
 * @wide: the next character, beyond ASCII, well-formed
 * @give_up: after an error: forget what was begun: what comes next is the beginning of a line
 * @end: there are no more. Return: 0 the document is complete; -EBADMSG it is cut off, @err says where; -ENOMEM
 *
 * @take and @wide return 0, -EBADMSG with what is wrong, or -ENOMEM.
 */
struct pf_scanner {
	const char *name;
	bool (*looks_like)(struct pf_view head);
	struct pf_scan *(*open)(void);
	int (*take)(struct pf_scan *s, char c, bool *ret_again, struct pf_err *err);
	int (*wide)(struct pf_scan *s, struct pf_view bytes, struct pf_err *err);
	void (*give_up)(struct pf_scan *s);
	int (*end)(struct pf_scan *s, struct pf_err *err);
	struct pf_scan *(*close)(struct pf_scan *s); /* returns NULL */
};

/**
 * pf_scan_feed() - the next bytes, taken off the front of @rest.
 *
 * Return: 0 all were taken; -EBADMSG, @err says what is wrong at s->byte: unless s->over one goes on with @rest; -ENOMEM.
 */
int pf_scan_feed(struct pf_scan *s, struct pf_view *rest, struct pf_err *err);

/* pf_scan_end() - there are no more bytes: as @end of the scanner, and every document of ours ends with the end of a line. */
int pf_scan_end(struct pf_scan *s, struct pf_err *err);

extern const struct pf_scanner *const pf_scanners[]; /* NULL-terminated */
extern const struct pf_scanner pf_scanner_csv;
extern const struct pf_scanner pf_scanner_html;
extern const struct pf_scanner pf_scanner_json;
extern const struct pf_scanner pf_scanner_xml;

/* pf_scan_fail() - what is wrong at scan->byte. Return: -EBADMSG. */
int pf_scan_fail(struct pf_scan *s, struct pf_err *err, const char *rule, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* pf_scan_element() - a whole one ends before @end; @time_ns 0: it has no time. */
void pf_scan_element(struct pf_scan *s, uint64_t end, int64_t time_ns);

#endif

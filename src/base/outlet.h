/* base/outlet.h - where text goes: a descriptor, one program at the other end of a connection, or any number of clients. Views, documents
 * and exporters hand pieces over and do not know which. */
#ifndef PF_BASE_OUTLET_H
#define PF_BASE_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/view.h"

struct pf_err;
struct pf_loop;
struct pf_notice;
struct pf_outlet;

/* A reader that is behind by more than this loses its connection (of many) or whole pieces (the only one). */
enum { PF_OUTLET_BEHIND_MAX = 1 << 20, PF_OUTLET_CLIENTS_MAX = 256 };

/**
 * struct pf_outlet_kind
 * @put: one piece, whole: lines, or elements of a document. @divider: bytes at its front that only divide it from what came before it
 * @preface: what everybody gets before the first piece, also those who come later; it replaces the preface before it. Functions that a
 *           kind has no use for are NULL.
 * @attach: from now on readers are served while @loop is; NULL: no more
 * Return of each: 0 or negative errno; -EPIPE: nobody reads any more.
 */
struct pf_outlet_kind {
	int (*put)(struct pf_outlet *o, struct pf_view text, size_t divider);
	int (*preface)(struct pf_outlet *o, struct pf_view text);
	int (*attach)(struct pf_outlet *o, struct pf_loop *loop);
	void (*close)(struct pf_outlet *o);
};

/**
 * struct pf_outlet - first member of each kind.
 * @framed: readers see one endless stream, so that records of an exporter need a mark at their end
 * @one_reader: who is there from beginning to end, so that it can be told why nothing comes
 * @latecomers: there are readers that miss the beginning, which is their preface
 */
struct pf_outlet {
	const struct pf_outlet_kind *kind;
	bool framed;
	bool latecomers;
	bool one_reader;
};

/* The plain kind, in place: pf_outlet_fd() makes it. A piece that was written half is taken back, if that can be done. */
struct pf_outlet_fd {
	struct pf_outlet base;
	int fd;
	bool is_file;
};

/* pf_outlet_or_fd() - @given, or @own made for @fd (which nobody here closes) if that is NULL. */
struct pf_outlet *pf_outlet_or_fd(struct pf_outlet *given, struct pf_outlet_fd *own, int fd);

static inline int pf_outlet_put(struct pf_outlet *o, struct pf_view text, size_t divider)
{
	return text.n > 0 ? o->kind->put(o, text, divider) : 0;
}

/* pf_outlet_begin() - @text goes out now, and to latecomers as their first. pf_outlet_remind() - only to latecomers. */
int pf_outlet_begin(struct pf_outlet *o, struct pf_view text);
int pf_outlet_remind(struct pf_outlet *o, struct pf_view text);

/* pf_outlet_close() - complete what is under way, within a second or two, and free. NULL is fine. Return: NULL. */
struct pf_outlet *pf_outlet_close(struct pf_outlet *o);

/**
 * pf_outlet_connect() - be a client: one reader, which must be there.
 * @host: name or address; @timeout_ns: for connecting
 * @prefix: stands before every line, "" for none; @bare: a line that gets none all the same
 *
 * Return: 0 or negative errno without a sentence: -EINVAL for a name that cannot be resolved.
 */
int pf_outlet_connect(struct pf_outlet **ret, const char *host, const char *port, int64_t timeout_ns,
		      const char *prefix, const char *bare, const struct pf_notice *notice);

/* pf_outlet_listen() - be a server on @port of all addresses. @reminds: latecomers get prefaces. Return: as pf_outlet_connect(). */
int pf_outlet_listen(struct pf_outlet **ret, const char *port, bool reminds, const struct pf_notice *notice);

/* pf_outlet_plain() - no prefix from now on: what comes is a document. */
void pf_outlet_plain(struct pf_outlet *o);

#endif

/* sinks/series.h - what was told of each series, kept together until all is known: text grows by series, and comes out series by series.
 * Only the newest piece of each is in memory, the others are in a file without a name. */
#ifndef PF_SINKS_SERIES_H
#define PF_SINKS_SERIES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/view.h"

struct pf_err;

struct pf_piece {
	off_t off;
	size_t n;
};

/* One series. @key: of whoever keeps it, below @of; @next: index + 1 of the next one of equal hash, @after: of the next one of the same
 * @of; @seq: the user's. @text: what is not in the file yet */
struct pf_series {
	struct pf_view key;
	unsigned of;
	unsigned next;
	unsigned after;
	uint64_t seq;
	struct pf_buf text;
	struct pf_piece *pieces;
	unsigned n_pieces;
};

/* @folder: where the file is made; @fd: of it, -1 at first; @first, @last: index + 1 of the first and last series by @of; @pending: bytes in memory */
struct pf_series_set {
	const char *folder;
	int fd;
	off_t end;
	struct pf_series *series;
	unsigned n;
	unsigned cap;
	unsigned *heads;
	unsigned n_heads;
	unsigned *first;
	unsigned *last;
	unsigned n_of;
	struct pf_arena keys;
	size_t pending;
	struct pf_buf block;
};

/* pf_series_find() - the series of that key, made when first asked for; valid until the next call. Return: 0 or -ENOMEM. */
int pf_series_find(struct pf_series_set *set, unsigned of, struct pf_view key, struct pf_series **ret_series);

/* pf_series_grown() - text was added to it, @n bytes. Return: 0 or negative errno with a sentence. */
int pf_series_grown(struct pf_series_set *set, struct pf_series *s, size_t n, struct pf_err *err);

/* pf_series_each() - hand all text of a series to @put, in order, in pieces that end where text was added. */
int pf_series_each(struct pf_series_set *set, const struct pf_series *s,
		   int (*put)(void *arg, const struct pf_series *s, struct pf_view text), void *arg,
		   struct pf_err *err);

void pf_series_done(struct pf_series_set *set);

#endif

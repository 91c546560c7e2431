/* sources/held.h - one file of the host, held open and read once a sample; opened anew when what it was has gone; read aside, by a process
 * of its own, while it keeps us waiting. */
#ifndef PF_SOURCES_HELD_H
#define PF_SOURCES_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/patience.h"

struct pf_aside;
struct pf_notice;

enum { PF_HELD_LIMIT = 16 << 20 };

/* What the files of a source share. Stays where it is between init and done. */
struct pf_holder {
	int root_fd;
	struct pf_patience patience;
	struct pf_aside *aside;
	const struct pf_notice *notice;
};

/**
 * struct pf_held - one file.
 * @path: below the root folder; the owner's
 * @fd: -1: opened anew for each read (descriptors ran out, or it has gone)
 * @keep: it may stay open between reads
 * @had: there was text once: an empty file means that something else is there now
 * @gone: it could not be read, which was told
 * @aside: its number there, -1: it is read as usual
 * @text: what was read last
 */
struct pf_held {
	const char *path;
	int fd;
	bool keep;
	bool had;
	bool gone;
	int aside;
	struct pf_buf text;
	struct pf_io_end end;
};

/* pf_holder_init() - @interval_ns: between samples, 0: they follow one another; it tells how long a read may take. */
void pf_holder_init(struct pf_holder *h, int root_fd, int64_t interval_ns, const struct pf_notice *notice);
void pf_holder_done(struct pf_holder *h);

/* pf_holder_begin(), pf_holder_end() - around the reads of one sample. pf_holder_again() - go on with the same one after an end. */
void pf_holder_begin(struct pf_holder *h);
void pf_holder_again(struct pf_holder *h);
void pf_holder_end(struct pf_holder *h);

/* pf_held_open() - the first time. Return: 0, also when descriptors ran out; negative errno: it cannot be read. */
int pf_held_open(struct pf_holder *h, struct pf_held *f, const char *path);
void pf_held_close(struct pf_held *f);

/* pf_held_aside() - does it have to be read by pf_held_collect(), behind all others? */
static inline bool pf_held_aside(const struct pf_held *f)
{
	return f->aside >= 0;
}

/**
 * pf_held_read() - read it as usual. pf_held_collect() - take what was read aside, between begin and end, too.
 * What cannot be read, and that it can be again, is told once.
 *
 * Return: 0 and @text is new; negative errno.
 */
int pf_held_read(struct pf_holder *h, struct pf_held *f);
int pf_held_collect(struct pf_holder *h, struct pf_held *f);

#endif

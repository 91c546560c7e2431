/* formats/collectl/writer.h - raw files written so that a kill at any moment costs at most what was not handed over: gzip, flushed after
 * each interval, with a new member every few intervals so that damage costs little. */
#ifndef PF_FORMATS_COLLECTL_WRITER_H
#define PF_FORMATS_COLLECTL_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct pf_buf;
struct pf_err;
struct pf_collectl_writer;

enum {
	PF_COLLECTL_MEMBER_FLUSHES = 16,     /* intervals in one member ... */
	PF_COLLECTL_MEMBER_BYTES = 64 << 10, /* ... or this many unpacked bytes, whatever comes first */
	PF_COLLECTL_BACKLOG_MAX = 4 << 20,   /* packed bytes kept while the disk takes none */
};

/* pf_collectl_create() - make the file, or append to it if it is there. Mode 0644 less the umask. pf_collectl_create_as() - the same with
 * PF_WRITER_PLAIN: not packed; PF_WRITER_NEW: -EEXIST if it is there; PF_WRITER_EMPTY: without what is in it. */
enum { PF_WRITER_PLAIN = 1, PF_WRITER_NEW = 2, PF_WRITER_EMPTY = 4 };
int pf_collectl_create(struct pf_collectl_writer **ret_writer, const char *path, struct pf_err *err);
int pf_collectl_create_as(struct pf_collectl_writer **ret_writer, const char *path, int how, struct pf_err *err);

/**
 * pf_collectl_write() - pack and write one interval (or the header).
 * A disk that takes nothing is survived: what could not be written is kept and tried again with the next interval, up to
 * PF_COLLECTL_BACKLOG_MAX; beyond that whole intervals are dropped, so the file stays well-formed.
 *
 * Return: 0; 1 nothing is lost yet but the disk took nothing (@err says why); 2 this interval was dropped; negative errno: over.
 */
int pf_collectl_write(struct pf_collectl_writer *w, const void *bytes, size_t n, struct pf_err *err);

/* pf_collectl_finish() - end the member, write what is left, close and free. Return: 0 or the first error that lost something. */
int pf_collectl_finish(struct pf_collectl_writer *w, struct pf_err *err);

/* pf_collectl_name() - append "BASE-YYYYMMDD-HHMMSS.rawENDING.gz": BASE is TARGET/HOST if TARGET is a folder or ends in '/', else TARGET-HOST. */
void pf_collectl_name(struct pf_buf *out, const char *target, const char *host, const char *ending, int64_t time_ns);

#endif

/* formats/collectl/reader.h - the bytes of a raw file as whole lines: plain or gzip, several members, cut or damaged. */
#ifndef PF_FORMATS_COLLECTL_READER_H
#define PF_FORMATS_COLLECTL_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"

struct pf_err;
struct pf_collectl_reader;

enum { PF_COLLECTL_LINE_MAX = 1 << 20 }; /* longer lines are dropped as damage */

/* pf_collectl_looks_like() - do the first bytes of the file (plain or unpacked) begin as a raw file does? Errors say no. */
bool pf_collectl_looks_like(const char *path);

/**
 * pf_collectl_open() - open a raw file and read its header.
 *
 * Return: 0; -ENODATA for a file without bytes; -EINVAL for one that does not begin with a header; other negative errno.
 */
int pf_collectl_open(struct pf_collectl_reader **ret_reader, const char *path, struct pf_err *err);
struct pf_collectl_reader *pf_collectl_close(struct pf_collectl_reader *r); /* returns NULL */

/**
 * pf_collectl_skip() - before the first lines are asked for: pass over what lies before the last member (of a file that is not packed: the
 * last marker) that begins earlier than @before_ns, without reading it. Does nothing where that cannot be found. What is passed over is not
 * looked at for damage.
 */
void pf_collectl_skip(struct pf_collectl_reader *r, int64_t before_ns);

/* pf_collectl_header_text() - all leading '#' lines with a NUL behind them; lives as long as the reader. */
struct pf_view pf_collectl_header_text(const struct pf_collectl_reader *r);

/**
 * pf_collectl_lines() - the next whole lines, as many as are at hand, each with its newline.
 * @ret_lines: valid until the next call; empty if megabytes went by without the end of a line, so that one can stop
 *
 * Return: 1 there are some, or there may be; -ENODATA the end; -EBADMSG: bytes were skipped, @err says which, and reading can go on: what follows begins
 * at the start of a line but not of an interval; other negative errno: over.
 */
int pf_collectl_lines(struct pf_collectl_reader *r, struct pf_view *ret_lines, struct pf_err *err);

/* pf_collectl_is_over() - after -EBADMSG: did the lines before it end with a whole gzip member? Then so does an interval, for whoever writes members
 * ends them there. */
bool pf_collectl_is_over(const struct pf_collectl_reader *r);

/* pf_collectl_damage() - where in the file that which was told last began, and how many of its bytes were passed over so far. */
void pf_collectl_damage(const struct pf_collectl_reader *r, uint64_t *ret_at, uint64_t *ret_lost);

#endif

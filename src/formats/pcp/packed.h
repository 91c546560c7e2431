/* formats/pcp/packed.h - compressed files, read at any place without a copy of them on disk or whole in memory: xz, lzma, gz, zst.
 * Files of xz that have an index of blocks which are small enough are read block by block, as pmlogger's housekeeping and the writer of this
 * folder make them. All others are streams: reading on is cheap, going back by more than PF_PACKED_REACH begins again at the front.
 * Facts: the xz file format 1.1.0, RFC 1952, RFC 8878. */
#ifndef PF_FORMATS_PCP_PACKED_H
#define PF_FORMATS_PCP_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pf_err;
struct pf_packed;

/* Bytes that a stream can go back for nothing. */
enum { PF_PACKED_REACH = 1 << 20 };

/* pf_packed_suffix() - ".xz" and its like, numbered from 0; NULL behind the last. Those that can only be refused are among them. */
const char *pf_packed_suffix(unsigned i);

/**
 * pf_packed_open() - judge by the first bytes whether the file behind @fd is compressed.
 * @fd: stays the caller's, and open until pf_packed_close()
 * @name: for messages; ".lzma" has nothing else to be known by
 * @ret_packed: NULL if it is not
 *
 * Return: 0; -EPROTO when it is compressed in a way that is not read here (@err says what to do); other negative errno.
 */
int pf_packed_open(struct pf_packed **ret_packed, int fd, const char *name, struct pf_err *err);
struct pf_packed *pf_packed_close(struct pf_packed *p); /* returns NULL */

/* pf_packed_size() - bytes when unpacked; UINT64_MAX while that is unknown. pf_packed_measure() - the same, found out by unpacking all of it. */
uint64_t pf_packed_size(const struct pf_packed *p);
uint64_t pf_packed_measure(struct pf_packed *p);

/* Does a jump forward and back cost no more than what lies between? */
bool pf_packed_jumps(const struct pf_packed *p);

/**
 * pf_packed_read() - @n bytes at @off of what is unpacked; fewer before the end or a damaged part, and negative errno in one.
 *
 * Return: how many; -EBADMSG: damaged, pf_packed_why() says how.
 */
ssize_t pf_packed_read(struct pf_packed *p, uint64_t off, char *to, size_t n);

/* pf_packed_why() - what is broken, as the rest of a sentence; NULL so far nothing. A stream ends where it is broken. */
const char *pf_packed_why(const struct pf_packed *p);

#endif

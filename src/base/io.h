/* base/io.h - whole files in, whole buffers out. */
#ifndef PF_BASE_IO_H
#define PF_BASE_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct pf_err;
struct pf_patience;

/**
 * pf_io_pread_all() - replace the contents of @b by the whole file behind @fd, read from offset 0.
 * Meant for /proc and /sys: one pread in the common case, memory kept between calls.
 * @limit: refuse more bytes than this with -EFBIG
 *
 * A pipe gives what has been written to it so far.
 *
 * Return: 0 or negative errno; -EAGAIN: a non-blocking pipe that has nothing now.
 */
int pf_io_pread_all(int fd, size_t limit, struct pf_buf *b);

/**
 * struct pf_io_end - how the end of a file that is read again and again is recognised without an empty read each time.
 * @word: hash of the first word of its last line when the end was last made sure of; @trusted: reads since then
 */
struct pf_io_end {
	uint32_t word;
	uint32_t trusted;
};

/**
 * pf_io_pread_again() - as pf_io_pread_all(), for files of lines that keep their order: a read that ends with the line that was the last
 * one before is taken for the whole file; that is made sure of every 16th time.
 * @end, @patience: NULL for none
 *
 * Return: as pf_io_pread_all(); -ETIMEDOUT: @patience was over before there was an answer.
 */
int pf_io_pread_again(int fd, size_t limit, struct pf_buf *b, struct pf_io_end *end,
		      const struct pf_patience *patience);

/* pf_io_read_file() - open, read, close a file below @root_fd (AT_FDCWD: the current folder). The error names the path. */
int pf_io_read_file(int root_fd, const char *path, size_t limit, struct pf_buf *b, struct pf_err *err);

/**
 * pf_io_open_regular() - open a file that must have an end: a recording. Devices, pipes and sockets, which may have none or make one wait
 * for ever, are refused without touching them.
 *
 * Return: a descriptor or negative errno; the error names the path.
 */
int pf_io_open_regular(const char *path, struct pf_err *err);

/* pf_io_write_all() - write every byte, continuing after short writes and EINTR, waiting on EAGAIN. Return: 0 or negative errno (-EPIPE if the reader is gone). */
int pf_io_write_all(int fd, const void *bytes, size_t n);

#endif

/* formats/pcp/file.h - records out of one file of an archive, compressed or not, through a window; damage is stepped over.
 * The window grows to the record that is asked for and never beyond what the file holds. */
#ifndef PF_FORMATS_PCP_FILE_H
#define PF_FORMATS_PCP_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"

struct pf_err;
struct pf_packed;

/* @off, @number: the record that comes next, counted from 0 for the label. @align: records begin at multiples of it.
 * @size: where the file ends for us, UINT64_MAX while nobody knows; all places are of what is unpacked. @packed: NULL if it is not compressed.
 * @end_told: that the file was cut off by its compression */
struct pf_pcp_file {
	int fd;
	struct pf_packed *packed;
	char *name;
	uint64_t size;
	uint64_t off;
	uint64_t number;
	unsigned align;
	bool end_told;
	char *window;
	size_t cap;
	uint64_t window_off;
	size_t window_n;
};

/* pf_pcp_file_init() - takes over @fd, also when it fails; @name is for messages. Its size now is where it ends for us. */
int pf_pcp_file_init(struct pf_pcp_file *f, int fd, const char *name, unsigned align, struct pf_err *err);
void pf_pcp_file_done(struct pf_pcp_file *f);

/**
 * pf_pcp_file_peek() - the record at f->off, not yet taken.
 * @ret_rec: the whole record with both length words; valid until the next call
 *
 * Return: 1; 0 at the end of the file; -EBADMSG when there is no whole record (@err says why, without place); other negative errno.
 */
int pf_pcp_file_peek(struct pf_pcp_file *f, struct pf_view *ret_rec, struct pf_err *err);

/* pf_pcp_file_bytes() - @n bytes at @off, without framing. Return: 1, 0 when the file ends before, or negative errno. */
int pf_pcp_file_bytes(struct pf_pcp_file *f, uint64_t off, size_t n, struct pf_view *ret_bytes, struct pf_err *err);

/* pf_pcp_file_look() - @n bytes at @off, without forgetting what was read last. Return: are they all there? */
bool pf_pcp_file_look(struct pf_pcp_file *f, uint64_t off, char *to, size_t n);

/* pf_pcp_file_why() - why something is missing: @plain, if no compression is to blame. */
const char *pf_pcp_file_why(const struct pf_pcp_file *f, const char *plain);

static inline void pf_pcp_file_take(struct pf_pcp_file *f, struct pf_view rec)
{
	f->off += rec.n;
	f->number++;
}

/* Does @rec make sense as a record of this file? */
typedef bool pf_pcp_sane_fn(const void *arg, struct pf_view rec);

/**
 * pf_pcp_file_resync() - step over damage: to the next place from f->off + 1 on where a sane record begins, or to the end.
 * The record that the damaged one's length leads to is tried first.
 */
void pf_pcp_file_resync(struct pf_pcp_file *f, pf_pcp_sane_fn *sane, const void *arg);

#endif

/* formats/pcp/reader.h - an archive, versions 2 and 3, read from front to end: records of values in order, with the metrics and instances
 * that they speak of. Damage is named and stepped over; whatever is whole before and behind it is given. */
#ifndef PF_FORMATS_PCP_READER_H
#define PF_FORMATS_PCP_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/notice.h"
#include "formats/pcp/meta.h"
#include "formats/pcp/record.h"

struct pf_err;
struct pf_pcp_reader;

/* pf_pcp_reader_accepts() - is @path (BASE, BASE.meta, BASE.index or BASE.N) an archive, to judge by the files that are there? */
bool pf_pcp_reader_accepts(const char *path);

/**
 * pf_pcp_reader_open() - open an archive by any of its names.
 * A missing or damaged index only gives a notice. @notice is copied: of values whose instances have no names it hears at the end. Volumes that are missing in front are passed over; between others they are damage.
 *
 * Return: 0; -ENODATA when nothing was ever recorded or a file is missing; -EBADMSG when it is no archive; -EPROTO when it is compressed
 * in a way that is not read here or of an unknown version; other negative errno.
 */
int pf_pcp_reader_open(struct pf_pcp_reader **ret_reader, const char *path, const struct pf_notice *notice,
		       struct pf_err *err);

/* pf_pcp_reader_open_fds() - the same from open files, which it takes over: .meta and one volume, .index may be -1. @name for messages. */
int pf_pcp_reader_open_fds(struct pf_pcp_reader **ret_reader, const char *name, int meta_fd, int data_fd, int index_fd,
			   const struct pf_notice *notice, struct pf_err *err);
struct pf_pcp_reader *pf_pcp_reader_close(struct pf_pcp_reader *r); /* returns NULL */

const struct pf_pcp_label *pf_pcp_reader_label(const struct pf_pcp_reader *r);

/* pf_pcp_reader_holds() - is it an archive of ours, where discrete values that are not told have not changed? */
bool pf_pcp_reader_holds(struct pf_pcp_reader *r);

/* pf_pcp_reader_files() - how many files there are, and their bytes on disk; those that cannot be looked at are not among them. */
void pf_pcp_reader_files(const struct pf_pcp_reader *r, unsigned *ret_n, uint64_t *ret_bytes);

/* pf_pcp_reader_ends_before() - is its last record, as far as the index tells, before that time? False, too, if nobody knows. */
bool pf_pcp_reader_ends_before(const struct pf_pcp_reader *r, int64_t time_ns);

/* pf_pcp_reader_meta() - metrics and instances; instances as of the record that next() gave last. */
struct pf_pcp_meta *pf_pcp_reader_meta(struct pf_pcp_reader *r);

/**
 * pf_pcp_reader_next() - the next record of values, checked as a whole; valid until the next call.
 *
 * Return: 1; -ENODATA at the end; -EBADMSG when damage was stepped over (@err says which file, record, byte and time) and reading can
 * go on; other negative errno: over.
 */
int pf_pcp_reader_next(struct pf_pcp_reader *r, struct pf_pcp_result *ret_result, struct pf_err *err);

/**
 * pf_pcp_reader_untold() - nothing more will be read: what there is to tell of all that was. At the end pf_pcp_reader_next() tells it by itself.
 *
 * Return: 0 nothing more; -EBADMSG a loss (@err), and there may be another one.
 */
int pf_pcp_reader_untold(struct pf_pcp_reader *r, struct pf_err *err);

/**
 * pf_pcp_reader_skip() - go on at a record that the index has and that is not later than @before_ns, or stay. What is passed over is not looked at.
 * Instances are known all the same. @whole: only at a record that has all discrete values, as those of archives of ours
 * that begin with one of them.
 *
 * Return: is something passed over?
 */
bool pf_pcp_reader_skip(struct pf_pcp_reader *r, int64_t before_ns, bool whole);

#endif

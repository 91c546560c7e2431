/* formats/pcp/writer.h - one PCP archive, version 2 or 3, being written.
 * At any moment the files hold whole records only: each record is one write, .meta before values before .index, and a write that
 * failed half way is taken back. So a killed recorder, a full disk and a reader of a growing archive all see a sound archive. */
#ifndef PF_FORMATS_PCP_WRITER_H
#define PF_FORMATS_PCP_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/context.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/record.h"

struct pf_err;
struct pf_pcp_writer;

/* @path: base name, ".meta", ".index" and the number of each volume are appended. @host, @zone, @zoneinfo go into the labels; @zoneinfo may be "".
 * @version: 2 or 3, 0: the newest. @file_bytes: no file becomes larger; 0: only the version's own limit holds, which is 2^31-1 for version 2 */
struct pf_pcp_writer_spec {
	unsigned version;
	uint64_t file_bytes;
	const char *path;
	const char *host;
	const char *zone;
	const char *zoneinfo;
};

/* pf_pcp_writer_open() - create the files; -EEXIST if one is there already: nothing is ever overwritten. */
int pf_pcp_writer_open(struct pf_pcp_writer **ret_writer, const struct pf_pcp_writer_spec *spec, struct pf_err *err);

/* pf_pcp_writer_hold() - from now on whoever asks with F_GETLK (fcntl(2)) for a record lock on .index learns that this process writes the archive. The lock
 * goes with the process, however that ends, and with the writer; so nothing is to be tidied up, and no other descriptor of .index may be closed meanwhile.
 * A file system without locks gives none. */
void pf_pcp_writer_hold(const struct pf_pcp_writer *w);

/* pf_pcp_writer_tick() - what times are multiples of: version 2 has microseconds. Samples further apart keep times of their own. */
int64_t pf_pcp_writer_tick(const struct pf_pcp_writer *w);

/* pf_pcp_writer_has_deltas() - can it be told what changed in a domain? If not, all of its instances are. */
bool pf_pcp_writer_has_deltas(const struct pf_pcp_writer *w);

/* pf_pcp_writer_fits() - is there room for these values in the volume that is being written? */
bool pf_pcp_writer_fits(const struct pf_pcp_writer *w, const struct pf_pcp_build *values);

/**
 * pf_pcp_writer_begin() - a sample of that time begins; the first one makes the labels.
 * Times must not go back: an earlier one is raised to the last; what is below a tick is cut off. Return: the time to use in the sample's records, or negative errno.
 */
int64_t pf_pcp_writer_begin(struct pf_pcp_writer *w, int64_t time_ns, struct pf_err *err);

/* What the sample brings along, then its values. What pf_pcp_writer_may_recover() from leaves the archive as it was before that record, and
 * the next may come; after any other failure everything further is refused with the same error. */
int pf_pcp_writer_desc(struct pf_pcp_writer *w, const struct pf_metric *m, struct pf_err *err);
int pf_pcp_writer_names(struct pf_pcp_writer *w, const struct pf_metric *m, const struct pf_view *names, uint32_t n,
			struct pf_err *err); /* a descriptor with all its names */
int pf_pcp_writer_text(struct pf_pcp_writer *w, const struct pf_pcp_text *text, struct pf_err *err);
int pf_pcp_writer_labels(struct pf_pcp_writer *w, int64_t time_ns, const struct pf_about *labels, struct pf_err *err);
int pf_pcp_writer_context(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_context *context, struct pf_err *err);
int pf_pcp_writer_indom(struct pf_pcp_writer *w, int64_t time_ns, uint32_t indom,
			const struct pf_pcp_instance *instances, uint32_t n, struct pf_err *err);
int pf_pcp_writer_delta(struct pf_pcp_writer *w, int64_t time_ns, uint32_t indom,
			const struct pf_pcp_instance *instances, uint32_t n, struct pf_err *err);
int pf_pcp_writer_part(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_build *values, struct pf_err *err);
int pf_pcp_writer_result(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_build *values, bool entry,
			 struct pf_err *err);

/* pf_pcp_writer_entry_due() - is it time for an entry of the index? The result with @entry gets one; readers begin there, so it should hold
 * everything. pf_pcp_writer_part(): a record of the same sample before its result, which never gets one. */
bool pf_pcp_writer_entry_due(const struct pf_pcp_writer *w);

/**
 * pf_pcp_writer_switch() - what comes from now on goes into the next volume.
 * @ret_closed: path of the one that was closed, to be freed; NULL: it has no values yet, and nothing was done
 *
 * Return: 0; negative errno when there can be no next volume: then the old one goes on.
 */
int pf_pcp_writer_switch(struct pf_pcp_writer *w, char **ret_closed, struct pf_err *err);

/* pf_pcp_writer_volume() - number of the volume that is being written; pf_pcp_writer_volume_bytes() - its size. pf_pcp_writer_data_path() - its path, pf_pcp_writer_path() - that of
 * another file, "meta"; to be freed, NULL without memory. */
unsigned pf_pcp_writer_volume(const struct pf_pcp_writer *w);
uint64_t pf_pcp_writer_volume_bytes(const struct pf_pcp_writer *w);
char *pf_pcp_writer_data_path(const struct pf_pcp_writer *w);
char *pf_pcp_writer_path(const struct pf_pcp_writer *w, const char *suffix);

/* pf_pcp_writer_mark() - nothing is known between the last record and @time_ns, which is behind it and before the next one. */
int pf_pcp_writer_mark(struct pf_pcp_writer *w, int64_t time_ns, struct pf_err *err);

/* pf_pcp_writer_may_recover() - is it a disk that is full or broken for a while? */
bool pf_pcp_writer_may_recover(int rc);

/* pf_pcp_writer_bytes() - size of all files together. pf_pcp_writer_data_bytes() - of all volumes. pf_pcp_writer_samples() - records of values
 * written. */
uint64_t pf_pcp_writer_bytes(const struct pf_pcp_writer *w);
uint64_t pf_pcp_writer_data_bytes(const struct pf_pcp_writer *w);
uint64_t pf_pcp_writer_samples(const struct pf_pcp_writer *w);

/* pf_pcp_writer_discard() - nothing more is written, and all of its files are removed, also volumes that were compressed with xz. */
void pf_pcp_writer_discard(struct pf_pcp_writer *w);

/* pf_pcp_writer_close() - last index entry, close, free. An archive without any value is removed. Return: 0 or the first error; -ESTALE: of the files that
 * were open, @err names those that somebody has removed or put others in the place of. */
int pf_pcp_writer_close(struct pf_pcp_writer *w, struct pf_err *err);

#endif

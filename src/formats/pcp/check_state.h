/* formats/pcp/check_state.h - what the passes of a check share. */
#ifndef PF_FORMATS_PCP_CHECK_STATE_H
#define PF_FORMATS_PCP_CHECK_STATE_H

#include "base/arena.h"
#include "formats/pcp/check.h"
#include "formats/pcp/check_table.h"
#include "formats/pcp/file.h"
#include "formats/pcp/meta.h"

/* An entry of the index as it stands there: times may be impossible. @seconds, @nanos: its time in two parts */
struct pf_pcp_check_entry {
	int64_t seconds;
	int64_t nanos;
	int32_t volume;
	int64_t meta;
	int64_t data;
};

/* A volume: @size unpacked, 0 as long as it is not known. */
struct pf_pcp_check_volume {
	unsigned number;
	uint64_t size;
};

/* A metric as .meta describes it. @names: all, with " or " between them; @first: of the first of them; @again: it was described a second
 * time. */
struct pf_pcp_check_metric {
	const char *names;
	const char *first;
	uint32_t indom;
	int32_t type;
	int32_t sem;
	struct pf_units units;
	bool again;
};

/**
 * struct pf_pcp_check
 * @entries: those of the index, in its order, and which of them pass 1 found good
 * @pmids: by which @metrics are found; @text: their names
 * @meta_size: of .meta, unpacked; @last_change_ns: time of the latest instance domain
 * @bad_frames: a file failed pass 0; @bad_open: what else keeps it from being opened
 */
struct pf_pcp_check {
	const char *base;
	const struct pf_pcp_check_options *options;
	const struct pf_findings *to;
	struct pf_pcp_check_result *result;
	struct pf_pcp_check_volume *volumes;
	unsigned n_volumes;
	struct pf_pcp_check_entry *entries;
	size_t n_entries;
	size_t cap_entries;
	struct pf_pcp_check_table pmids;
	struct pf_pcp_check_metric *metrics;
	size_t cap_metrics;
	struct pf_arena text;
	uint64_t meta_size;
	int64_t last_change_ns;
	bool no_index;
	bool bad_frames;
	const char *bad_open;
	bool stopped;
};

/* pf_pcp_check_at() - a finding at the record of @f that comes next. */
struct pf_finding pf_pcp_check_at(const struct pf_pcp_file *f, enum pf_grade grade, const char *rule);

/* A PMID as people write it: "60.0.20". */
struct pf_pcp_check_pmid {
	char text[24];
};
struct pf_pcp_check_pmid pf_pcp_check_pmid(uint32_t pmid);

/* pf_pcp_check_step() - tell how far it is. Return: is it to stop? */
bool pf_pcp_check_step(struct pf_pcp_check *c, const struct pf_pcp_file *f);

/* What can be wrong with the frame of a record. */
enum pf_pcp_frame {
	PF_PCP_FRAME_OK,
	PF_PCP_FRAME_END,
	PF_PCP_FRAME_HEAD_CUT,
	PF_PCP_FRAME_LENGTH,
	PF_PCP_FRAME_BODY_CUT,
	PF_PCP_FRAME_TRAILER_CUT,
	PF_PCP_FRAME_TRAILER_LENGTH,
	PF_PCP_FRAME_TRAILER,
	PF_PCP_FRAME_PACKED,
};

/**
 * pf_pcp_check_frame() - the record at f->off, by its two lengths alone.
 * @ret_numbers: the two numbers that tell what is wrong with it
 *
 * Return: enum pf_pcp_frame, or -ENOMEM, -EIO with @err.
 */
int pf_pcp_check_frame(struct pf_pcp_file *f, struct pf_view *ret_rec, int64_t ret_numbers[2], struct pf_err *err);

/* pf_pcp_check_tell_frame() - report it; @lost: bytes that are passed over; @last_ns, @next_ns: times around it, 0 not known */
void pf_pcp_check_tell_frame(struct pf_pcp_check *c, struct pf_finding f, enum pf_pcp_frame frame,
			     const int64_t numbers[2], const char *why);

/**
 * pf_pcp_check_label() - the label at the beginning of @f, which is taken; volume numbers must be @volume.
 * What is wrong with it is reported unless @quiet.
 *
 * Return: 1 it can be used; 0 it cannot (the file then stands where records begin, if that is known); negative errno.
 */
int pf_pcp_check_label(struct pf_pcp_check *c, struct pf_pcp_file *f, int32_t volume, bool quiet, struct pf_err *err);

/* The passes. Return: 0 or negative errno. */
int pf_pcp_check_files(struct pf_pcp_check *c, struct pf_err *err);
int pf_pcp_check_index(struct pf_pcp_check *c, struct pf_err *err);
int pf_pcp_check_meta(struct pf_pcp_check *c, struct pf_err *err);
int pf_pcp_check_values(struct pf_pcp_check *c, struct pf_err *err);

#endif

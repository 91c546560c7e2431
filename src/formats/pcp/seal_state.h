/* formats/pcp/seal_state.h - inside of sealing: what is known of an archive, and what its files shall become. First everything is read and decided
 * (labels, which records of values stay, .meta, volumes, index, in this order), then everything is written. What a check (formats/pcp/check.h) calls
 * an error is mended or left out, and nothing else is touched: each rule of the one has its part in the other. */
#ifndef PF_FORMATS_PCP_SEAL_STATE_H
#define PF_FORMATS_PCP_SEAL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/patch.h"
#include "base/replace.h"
#include "formats/pcp/check_table.h"
#include "formats/pcp/file.h"
#include "formats/pcp/record.h"
#include "model/finding.h"
#include "model/sealed.h"

struct pf_err;

/* No record may be older than the archive's beginning by more than this. */
enum { PF_SEAL_SLACK_NS = 1000000 };

/**
 * struct pf_seal_file - one file of the archive.
 * @volume: its number in the label. @file: open if file.name. @path: what it is called. @patch: what it shall hold
 * @label, @has_label: what its own label says
 * @steps, @n_steps: of a volume, place and number in struct pf_seal's
 * @packed: it is compressed; @lost: something of it is; @keeps_old: not only a broken tail; @changes: it is written anew
 */
struct pf_seal_file {
	int32_t volume;
	char *path;
	struct pf_pcp_file file;
	struct pf_pcp_label label;
	bool has_label;
	size_t steps;
	size_t n_steps;
	bool packed;
	bool lost;
	bool keeps_old;
	bool changes;
	struct pf_patch patch;
	struct pf_replace replace;
};

/* Bytes of a volume: a record that stays, or (@why) what is left out. @number: of its first record; @time_ns: of the record */
struct pf_seal_step {
	uint64_t from;
	uint64_t to;
	uint64_t number;
	int64_t time_ns;
	const char *why;
};

/* A record of .meta that stays: where it stands, as @kind tells what @ident is (PMID or instance domain). @time_ns: of changes of instances */
struct pf_seal_record {
	uint64_t off;
	uint32_t n;
	uint32_t kind;
	uint32_t ident;
	int64_t time_ns;
};

/* A record of .meta with a time, where it stands in the new .meta. */
struct pf_seal_change {
	int64_t time_ns;
	uint64_t off;
	bool indom;
};

/* A metric that is described. @desc: without names; @form: how its values are stored: 0 none came yet, else 1 more; @named: a name is left to it */
struct pf_seal_metric {
	struct pf_pcp_desc desc;
	uint32_t form;
	bool named;
};

/**
 * struct pf_seal - @label: what all files' labels should say, its length is @label_n.
 * @starts_early: the label's time was later than that of its first records, and is set right
 * @steps: of all volumes in order; @text: why something is left out
 * @records: of .meta, in the order of the old file
 * @pmids: what is described, by which @metrics is found. @changes: in the order of the file
 * @wanted: entries that the index gets if it is made anew; @last: one for the last record. @last_ns, @n_kept: of those that are kept, @n_samples
 *	     of which have values
 */
struct pf_seal {
	char *base;
	struct pf_pcp_label label;
	size_t label_n;
	bool starts_early;
	struct pf_seal_file meta;
	struct pf_seal_file index;
	bool odd_index; /* what is called so is no regular file */
	struct pf_seal_file *volumes;
	unsigned n_volumes;
	struct pf_seal_step *steps;
	size_t n_steps;
	size_t cap_steps;
	struct pf_arena text;
	struct pf_seal_record *records;
	size_t n_records;
	size_t cap_records;
	struct pf_pcp_check_table pmids;
	struct pf_seal_metric *metrics;
	size_t cap_metrics;
	struct pf_seal_change *changes;
	size_t n_changes;
	size_t cap_changes;
	struct pf_pcp_entry *wanted;
	size_t n_wanted;
	size_t cap_wanted;
	struct pf_pcp_entry last;
	int64_t last_ns;
	uint64_t n_kept;
	uint64_t n_samples;
	const struct pf_findings *to;
	enum pf_sealed result;
};

/* pf_seal_grow() - room for one more item behind @n. Return: 0 or -ENOMEM. */
int pf_seal_grow(void **array, size_t *cap, size_t n, size_t item);

/* pf_seal_label() - the label that @f should have goes to the front of what it will hold; its file stands behind its own. Told if it differs. */
void pf_seal_label(struct pf_seal *s, struct pf_seal_file *f);

/* pf_seal_plan() - which records of the volumes stay: those that are whole and in order of time. */
int pf_seal_plan(struct pf_seal *s, struct pf_err *err);

/* pf_seal_meta(), pf_seal_volume(), pf_seal_index() - decide what becomes of a file. Return: 0 or negative errno. */
int pf_seal_meta(struct pf_seal *s, struct pf_err *err);
int pf_seal_volume(struct pf_seal *s, struct pf_seal_file *f, bool is_last, struct pf_err *err);
int pf_seal_index(struct pf_seal *s, struct pf_err *err);

/* pf_seal_order() - the changes of each instance domain among s->records into the order of their times; other records stay where they are.
 * @ret_moved: so many stand elsewhere then. Return: 0 or -ENOMEM. */
int pf_seal_order(struct pf_seal *s, uint64_t *ret_moved);

/**
 * struct pf_seal_domains - instances as they were told so far, by the rules of a check.
 * @indoms: by which @full is found: the number of the change that told all of them last
 * @members: domain and instance, by which @added is found: the change that added it, 0: it is not there
 * @changes: so far; @mended: of those so many say something else than before, and nothing less; @lost: instances that were left out
 */
struct pf_seal_domains {
	struct pf_pcp_check_table indoms;
	uint32_t *full;
	size_t cap_full;
	struct pf_pcp_check_table members;
	uint32_t *added;
	size_t cap_added;
	uint32_t changes;
	uint64_t mended;
	uint64_t lost;
};

/* pf_seal_indom() - the next change, whole record @rec of the old file at @off, goes to the new .meta. Return: 0 or negative errno. */
int pf_seal_indom(struct pf_seal *s, struct pf_seal_domains *d, uint64_t off, struct pf_view rec);
void pf_seal_domains_done(struct pf_seal_domains *d);

/* Values that were left out. @undescribed: nothing says what they are; @strange: they are not what their metric is said to be */
struct pf_seal_lost {
	uint64_t undescribed;
	uint64_t strange;
};

/**
 * pf_seal_values() - a record without what a check would not take.
 * @ret_rec: the new one is appended there; @lost: what is not in it is added there
 *
 * Return: 0 it is as it should be; 1 it is made anew; 2 nothing is left of it; negative errno.
 */
int pf_seal_values(struct pf_seal *s, const struct pf_pcp_result *r, struct pf_buf *ret_rec, struct pf_seal_lost *lost);

/* pf_seal_index_knows() - does the index have entries of volumes from @first up to @end? */
bool pf_seal_index_knows(struct pf_seal *s, int32_t first, int32_t end);

/* pf_seal_metric() - what .meta says of a metric; NULL: nothing. */
struct pf_seal_metric *pf_seal_metric(const struct pf_seal *s, uint32_t pmid);

#endif

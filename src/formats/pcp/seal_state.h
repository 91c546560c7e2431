/* formats/pcp/seal_state.h - inside of sealing: what is known of an archive, and what its files shall become. First everything is read and decided
 * (labels, .meta, volumes, index, in this order), then everything is written. */
#ifndef PF_FORMATS_PCP_SEAL_STATE_H
#define PF_FORMATS_PCP_SEAL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/patch.h"
#include "base/replace.h"
#include "formats/pcp/file.h"
#include "formats/pcp/record.h"
#include "model/finding.h"
#include "model/sealed.h"

struct pf_err;

/**
 * struct pf_seal_file - one file of the archive.
 * @volume: its number in the label. @file: open if file.name. @path: what it is called. @patch: what it shall hold
 * @label, @has_label: what its own label says
 * @packed: it is compressed; @lost: something of it is; @keeps_old: not only a broken tail; @changes: it is written anew
 */
struct pf_seal_file {
	int32_t volume;
	char *path;
	struct pf_pcp_file file;
	struct pf_pcp_label label;
	bool has_label;
	bool packed;
	bool lost;
	bool keeps_old;
	bool changes;
	struct pf_patch patch;
	struct pf_replace replace;
};

/* A record of .meta with a time, where it stands in the new .meta. */
struct pf_seal_change {
	int64_t time_ns;
	uint64_t off;
	bool indom;
};

/**
 * struct pf_seal - @label: what all files' labels should say, its length is @label_n.
 * @pmids: what is described, sorted. @changes: in the order of the file
 * @wanted: entries that the index gets if it is made anew; @last: one for the last record. @last_ns, @n_records: of those that are kept
 */
struct pf_seal {
	char *base;
	struct pf_pcp_label label;
	size_t label_n;
	struct pf_seal_file meta;
	struct pf_seal_file index;
	struct pf_seal_file *volumes;
	unsigned n_volumes;
	uint32_t *pmids;
	size_t n_pmids;
	size_t cap_pmids;
	struct pf_seal_change *changes;
	size_t n_changes;
	size_t cap_changes;
	struct pf_pcp_entry *wanted;
	size_t n_wanted;
	size_t cap_wanted;
	struct pf_pcp_entry last;
	int64_t last_ns;
	uint64_t n_records;
	const struct pf_findings *to;
	enum pf_sealed result;
};

/* pf_seal_grow() - room for one more item behind @n. Return: 0 or -ENOMEM. */
int pf_seal_grow(void **array, size_t *cap, size_t n, size_t item);

/* pf_seal_label() - the label that @f should have goes to the front of what it will hold; its file stands behind its own. Told if it differs. */
void pf_seal_label(struct pf_seal *s, struct pf_seal_file *f);

/* pf_seal_meta(), pf_seal_volume(), pf_seal_index() - decide what becomes of a file. Return: 0 or negative errno. */
int pf_seal_meta(struct pf_seal *s, struct pf_err *err);
int pf_seal_volume(struct pf_seal *s, struct pf_seal_file *f, bool is_last, struct pf_err *err);
int pf_seal_index(struct pf_seal *s, struct pf_err *err);

/* pf_seal_index_knows() - does the index have entries of volumes from @first up to @end? */
bool pf_seal_index_knows(struct pf_seal *s, int32_t first, int32_t end);

/* pf_seal_is_described() - does .meta describe the metric? */
bool pf_seal_is_described(const struct pf_seal *s, uint32_t pmid);

#endif

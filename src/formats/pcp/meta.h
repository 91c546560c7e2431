/* formats/pcp/meta.h - the .meta file of an archive: what its metrics mean and which instances existed when.
 * Descriptors are kept; of instance domains, labels and help texts only place and time of each record, which is read when it is wanted. */
#ifndef PF_FORMATS_PCP_META_H
#define PF_FORMATS_PCP_META_H

#include <stdint.h>

#include "base/arena.h"
#include "formats/pcp/damage.h"
#include "formats/pcp/domain.h"
#include "formats/pcp/file.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/record.h"

struct pf_err;

/* @name: the shortest of its names. @domain: index for pf_pcp_meta_member(), UINT32_MAX for a single value. */
struct pf_pcp_metric {
	const char *name;
	uint32_t pmid;
	uint32_t indom;
	int32_t type;
	int32_t sem;
	struct pf_units units;
	unsigned domain;
};

/* Where a record stands. @time_ns: INT64_MIN for descriptors and texts, which hold always. @ident: PMID, indom or whatever labels belong to.
 * @type: enum pf_owner of labels, the type of a text. */
struct pf_pcp_place {
	int64_t time_ns;
	uint64_t off;
	uint64_t number;
	uint32_t ident;
	uint8_t kind; /* enum pf_pcp_kind */
	uint8_t type;
};

/* @metrics are sorted by PMID, @places by time. */
struct pf_pcp_meta {
	struct pf_pcp_file file;
	struct pf_pcp_metric *metrics;
	unsigned n_metrics;
	unsigned cap_metrics;
	struct pf_pcp_domain *domains;
	unsigned n_domains;
	struct pf_pcp_place *places;
	size_t n_places;
	size_t cap_places;
	size_t next_place; /* whose instances are not known yet */
	struct pf_arena names;
	unsigned hint; /* metric after the one found last */
};

/* pf_pcp_meta_check() - is a record of .meta whole, as far as its structure tells? Return: 0 or -EBADMSG. pf_pcp_meta_is_sane() - the same for
 * pf_pcp_file_resync(), without argument. */
int pf_pcp_meta_check(struct pf_view rec, struct pf_err *err);
bool pf_pcp_meta_is_sane(const void *arg, struct pf_view rec);

/* pf_pcp_meta_kind_fits() - do records of that kind belong in an archive of that version? What is none is none of both. */
bool pf_pcp_meta_kind_fits(uint32_t kind, unsigned version);

/* pf_pcp_meta_name_is_good() - can it be the name of a metric? Letters, digits and underscores between dots, letters in front.
 * pf_pcp_meta_name_mend() - put letters or underscores where it has something else, in place. */
bool pf_pcp_meta_name_is_good(struct pf_view name);
void pf_pcp_meta_name_mend(char *name, size_t n);

/* pf_pcp_meta_load() - read the whole file behind its label; m->file is open and stands there. Damage is stepped over and noted. */
int pf_pcp_meta_load(struct pf_pcp_meta *m, struct pf_pcp_damage *damage, struct pf_err *err);
void pf_pcp_meta_done(struct pf_pcp_meta *m);

/* pf_pcp_meta_advance() - bring the instance domains to @time_ns. Time only goes forward. */
int pf_pcp_meta_advance(struct pf_pcp_meta *m, int64_t time_ns, struct pf_pcp_damage *damage, struct pf_err *err);

/* pf_pcp_meta_read() - the record at one of its places; valid until the next that is read. Return: 1; -EBADMSG when it is gone or damaged by now;
 * other negative errno. */
int pf_pcp_meta_read(struct pf_pcp_meta *m, const struct pf_pcp_place *place, struct pf_view *ret_rec,
		     struct pf_err *err);

/**
 * pf_pcp_meta_label() - the value of label @name in the newest set of the whole archive (its context), as text.
 * @ret_value: it is appended there
 *
 * Return: 1; 0 there is no such label; negative errno.
 */
int pf_pcp_meta_label(struct pf_pcp_meta *m, const char *name, struct pf_buf *ret_value, struct pf_err *err);

/* pf_pcp_meta_metric() - NULL when the archive does not describe @pmid. */
const struct pf_pcp_metric *pf_pcp_meta_metric(struct pf_pcp_meta *m, uint32_t pmid);

/* pf_pcp_meta_member() - the instance @id of a domain, NULL when it is not known now. @hint: in/out, position to look at first. */
struct pf_pcp_member *pf_pcp_meta_member(struct pf_pcp_meta *m, unsigned domain, int32_t id, unsigned *hint);

#endif

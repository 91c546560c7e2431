/* formats/pcp/seal_volume.c - what becomes of a damaged volume. Whole records stay as they are; a mark stands where some are missing and others follow;
 * values of metrics that nothing describes any more are left out, since pmlogcheck of PCP 6.0.3 complains about each of them. */
#include <errno.h>

#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/scan.h"
#include "formats/pcp/seal_state.h"

enum { INDEX_EVERY = 100000 };

/**
 * struct walk - one volume being read.
 * @hole: something was left out since the last record that is kept
 * @missing: the first of the volumes that are not there in front of this one, 0 none
 * @change: next of s->changes; @indexed: what the new volume held at its last index entry; @begun: it has a record
 * @values: of undescribed metrics that were left out, in @records records of which these are the first place and the times
 */
struct walk {
	struct pf_seal *s;
	struct pf_seal_file *f;
	bool hole;
	bool begun;
	int32_t missing;
	size_t change;
	uint64_t indexed;
	uint64_t values;
	uint64_t records;
	uint64_t first_record;
	uint64_t first_byte;
	int64_t from_ns;
	int64_t until_ns;
};

static int add_entry(struct pf_seal *s, const struct pf_pcp_entry *e)
{
	void *array = s->wanted;
	int rc = pf_seal_grow(&array, &s->cap_wanted, s->n_wanted, sizeof(*s->wanted));
	s->wanted = array;
	if (rc == 0)
		s->wanted[s->n_wanted++] = *e;
	return rc;
}

/* The record that is about to be added has this time: does the index get an entry? What .meta has for it begins at its first record of that time. */
static int index_record(struct walk *w, int64_t time_ns)
{
	struct pf_seal *s = w->s;
	bool due = !w->begun || w->f->patch.size - w->indexed >= INDEX_EVERY;
	uint64_t meta = s->meta.patch.size;
	size_t at = w->change;
	while (at < s->n_changes && s->changes[at].time_ns < time_ns)
		at++;
	if (at < s->n_changes)
		meta = s->changes[at].off;
	w->change = at;
	for (; at < s->n_changes && s->changes[at].time_ns == time_ns; at++)
		due |= s->changes[at].indom;
	s->last = (struct pf_pcp_entry){
		.time_ns = time_ns, .volume = w->f->volume, .meta = meta, .data = w->f->patch.size
	};
	if (due && s->n_wanted == 0)
		s->last.meta = s->label_n;
	if (!due)
		return 0;
	w->indexed = w->f->patch.size;
	return add_entry(s, &s->last);
}

/* A millisecond behind the last record, as PCP's loggers do it, but never behind the next one. */
static int put_mark(struct walk *w, int64_t next_ns)
{
	struct pf_pcp_build nothing = { 0 };
	struct pf_buf b = { 0 };
	int64_t time_ns = (w->s->last_ns > 0 ? w->s->last_ns : w->s->label.start_ns) + PF_NS_PER_MS;
	if (next_ns > 0 && time_ns > next_ns)
		time_ns = next_ns;
	int rc = pf_pcp_build_end(&nothing, w->s->label.version, time_ns, &b);
	if (rc == 0 && !w->begun)
		rc = index_record(w, time_ns);
	pf_patch_put(&w->f->patch, b.p, b.n);
	w->s->last_ns = time_ns;
	w->begun = true;
	w->hole = false;
	pf_buf_done(&b);
	return rc;
}

/* The record without values of metrics that nothing describes. Return: how many value sets are in @out, negative errno. */
static int without_undescribed(const struct pf_seal *s, struct pf_pcp_result r, struct pf_buf *out, uint64_t *lost)
{
	struct pf_pcp_build b = { 0 };
	struct pf_pcp_set set;
	int n = 0;
	pf_pcp_build_begin(&b);
	while (pf_pcp_result_next(&r, &set, NULL) == 1) {
		if (!pf_seal_is_described(s, set.pmid)) {
			*lost += set.n > 0 ? (uint64_t)set.n : 0;
			continue;
		}
		pf_pcp_build_copy(&b, &set);
		n++;
	}
	int rc = n > 0 ? pf_pcp_build_end(&b, s->label.version, r.time_ns, out) : 0;
	pf_pcp_build_done(&b);
	return rc < 0 ? rc : n;
}

static bool all_described(const struct pf_seal *s, struct pf_pcp_result r)
{
	struct pf_pcp_set set;
	while (pf_pcp_result_next(&r, &set, NULL) == 1) {
		if (!pf_seal_is_described(s, set.pmid))
			return false;
	}
	return true;
}

/* A mark stands for them, and the index forgets them. */
static void tell_missing(struct walk *w, int64_t before_ns)
{
	int32_t n = w->f->volume - w->missing;
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "sealed-missing",
				.file = w->f->path,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE,
				.from_ns = w->s->last_ns,
				.until_ns = before_ns };
	if (n > 1)
		pf_finding_tell(w->s->to, f, "the volumes %d to %d in front of it are missing; a mark stands for them",
				w->missing, w->f->volume - 1);
	else
		pf_finding_tell(w->s->to, f, "the volume %d in front of it is missing; a mark stands for it",
				w->missing);
	w->missing = 0;
	w->hole = w->f->lost = true;
}

static int take_record(struct walk *w, struct pf_view rec, const struct pf_pcp_result *r)
{
	struct pf_seal *s = w->s;
	struct pf_buf made = { 0 };
	if (w->missing > 0 && (r->n > 0 || pf_seal_index_knows(s, w->missing, w->f->volume)))
		tell_missing(w, r->time_ns);
	w->missing = 0;
	int rc = w->hole && r->n > 0 && s->n_records > 0 ? put_mark(w, r->time_ns) : 0;
	w->hole = false;
	if (rc == 0 && r->n > 0 && !all_described(s, *r)) {
		if (w->records++ == 0) {
			w->first_record = w->f->file.number;
			w->first_byte = w->f->file.off;
			w->from_ns = r->time_ns;
		}
		w->until_ns = r->time_ns;
		rc = without_undescribed(s, *r, &made, &w->values);
		if (rc == 0)
			return 0; /* nothing is left of it */
		rc = rc < 0 ? rc : 0;
	}
	if (rc == 0)
		rc = index_record(w, r->time_ns);
	if (made.n > 0)
		pf_patch_put(&w->f->patch, made.p, made.n);
	else
		pf_patch_keep(&w->f->patch, w->f->file.off, rec.n);
	pf_buf_done(&made);
	w->begun = true;
	s->last_ns = r->time_ns;
	s->n_records++;
	return rc;
}

static void tell_hole(const struct walk *w, const struct pf_pcp_hole *hole, const struct pf_err *why)
{
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = hole->to >= w->f->file.size ? "sealed-tail" : "sealed-middle",
				.file = w->f->path,
				.record = hole->number,
				.byte = hole->from,
				.lost = hole->to - hole->from,
				.from_ns = w->s->last_ns,
				.until_ns = hole->before_ns };
	pf_finding_tell(w->s->to, f, "%s; %s", why->text,
			hole->to >= w->f->file.size ? "cut off there" : "a mark stands in its place");
}

static void tell_undescribed(const struct walk *w)
{
	if (w->records == 0)
		return;
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "sealed-undescribed",
				.file = w->f->path,
				.record = w->first_record,
				.byte = w->first_byte,
				.from_ns = w->from_ns,
				.until_ns = w->until_ns };
	pf_finding_tell(w->s->to, f,
			"%llu values in %llu records are of metrics that nothing describes and were left out",
			(unsigned long long)w->values, (unsigned long long)w->records);
}

static int walk(struct walk *w, struct pf_err *err)
{
	struct pf_seal *s = w->s;
	for (;;) {
		struct pf_pcp_scan scan = { &w->f->file, s->label.version, s->label.start_ns, s->last_ns };
		struct pf_view rec;
		struct pf_pcp_result result;
		struct pf_pcp_hole hole;
		struct pf_err why = { 0 };
		int rc = pf_pcp_scan_next(&scan, &rec, &result, &hole, &why);
		if (rc == 0)
			return 0;
		if (rc == -EBADMSG) {
			tell_hole(w, &hole, &why);
			w->hole = w->f->lost = true;
			w->f->keeps_old |= hole.to < w->f->file.size || w->f->packed;
			continue;
		}
		if (rc == 1) {
			rc = take_record(w, rec, &result);
			pf_pcp_file_take(&w->f->file, rec);
		}
		if (rc < 0)
			return pf_err_set(err, rc, "%s: %s", w->f->path, why.text[0] ? why.text : "no memory");
	}
}

int pf_seal_volume(struct pf_seal *s, struct pf_seal_file *f, bool is_last, struct pf_err *err)
{
	struct walk w = { .s = s, .f = f, .indexed = s->label_n };
	if (f > s->volumes && f->volume > f[-1].volume + 1 && s->n_records > 0)
		w.missing = f[-1].volume + 1;
	pf_seal_label(s, f);
	int rc = walk(&w, err);
	if (rc == 0 && w.missing > 0)
		tell_missing(&w, 0);
	/* PCP's tools refuse a volume without any record. */
	if (rc == 0 && (!w.begun || (w.hole && !is_last && s->n_records > 0)))
		rc = put_mark(&w, 0);
	tell_undescribed(&w);
	if (w.records > 0)
		f->lost = f->keeps_old = true;
	return rc < 0 && !(err && err->rc) ? pf_err_set(err, rc, "%s: no memory", f->path) : rc;
}

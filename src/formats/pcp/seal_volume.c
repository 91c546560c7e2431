/* formats/pcp/seal_volume.c - what becomes of a damaged volume. Whole records stay as they are; a mark stands where some are missing and others follow;
 * values of metrics that nothing describes any more, or in another way, are left out, since pmlogcheck of PCP 6.0.3 complains about each of them. */
#include <errno.h>

#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/seal_state.h"

enum { INDEX_EVERY = 100000 };

/**
 * struct walk - one volume being read.
 * @hole: something was left out since the last record that is kept
 * @missing: the first of the volumes that are not there in front of this one, 0 none
 * @change: next of s->changes; @indexed: what the new volume held at its last index entry; @begun: it has a record
 * @lost: values that were left out; @records: that were made anew, from @first up to @until_ns
 */
struct walk {
	struct pf_seal *s;
	struct pf_seal_file *f;
	bool hole;
	bool begun;
	int32_t missing;
	size_t change;
	uint64_t indexed;
	struct pf_seal_lost lost;
	uint64_t records;
	struct pf_seal_step first;
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

static int take_record(struct walk *w, const struct pf_seal_step *step, struct pf_view rec,
		       const struct pf_pcp_result *r)
{
	struct pf_seal *s = w->s;
	struct pf_buf made = { 0 };
	if (w->missing > 0 && (r->n > 0 || pf_seal_index_knows(s, w->missing, w->f->volume)))
		tell_missing(w, r->time_ns);
	w->missing = 0;
	int rc = r->n > 0 ? pf_seal_values(s, r, &made, &w->lost) : 0;
	if (rc > 0) {
		if (w->records++ == 0)
			w->first = *step;
		w->until_ns = r->time_ns;
		if (rc == 2)
			return 0;
	}
	if (rc >= 0 && w->hole && r->n > 0 && s->n_kept > 0)
		rc = put_mark(w, r->time_ns);
	w->hole = false;
	if (rc >= 0)
		rc = index_record(w, r->time_ns);
	if (made.n > 0)
		pf_patch_put(&w->f->patch, made.p, made.n);
	else
		pf_patch_keep(&w->f->patch, step->from, rec.n);
	pf_buf_done(&made);
	w->begun = true;
	s->last_ns = r->time_ns;
	s->n_kept++;
	s->n_samples += r->n > 0;
	return rc;
}

/* @before_ns: of the record behind it, 0: none follows. */
static void tell_hole(const struct walk *w, const struct pf_seal_step *from, uint64_t to, int64_t before_ns)
{
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = to >= w->f->file.size ? "sealed-tail" : "sealed-middle",
				.file = w->f->path,
				.record = from->number,
				.byte = from->from,
				.lost = to - from->from,
				.from_ns = w->s->last_ns,
				.until_ns = before_ns };
	pf_finding_tell(w->s->to, f, "%s; %s", from->why,
			to >= w->f->file.size ? "cut off there" : "a mark stands in its place");
}

static void tell_values(const struct walk *w)
{
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "sealed-undescribed",
				.file = w->f->path,
				.record = w->first.number,
				.byte = w->first.from,
				.from_ns = w->first.time_ns,
				.until_ns = w->until_ns };
	if (w->lost.undescribed > 0)
		pf_finding_tell(w->s->to, f,
				"%llu values in %llu records are of metrics that nothing describes and were left out",
				(unsigned long long)w->lost.undescribed, (unsigned long long)w->records);
	f.rule = "sealed-values";
	if (w->lost.strange > 0)
		pf_finding_tell(w->s->to, f,
				"%llu values in %llu records are not what their metrics are and were left out",
				(unsigned long long)w->lost.strange, (unsigned long long)w->records);
	f.rule = "sealed-form";
	f.grade = PF_GRADE_NOTE;
	if (w->records > 0 && w->lost.undescribed == 0 && w->lost.strange == 0)
		pf_finding_tell(w->s->to, f, "%llu records were stored in another way and hold what they held",
				(unsigned long long)w->records);
}

/* The time of the record that stays and follows step @i, 0 there is none. */
static int64_t time_behind(const struct pf_seal *s, size_t i)
{
	while (i < s->n_steps && s->steps[i].why)
		i++;
	return i < s->n_steps ? s->steps[i].time_ns : 0;
}

/* Record number @i of all, which is whole. */
static int take_step(struct walk *w, size_t i, struct pf_err *err)
{
	const struct pf_seal_step *step = &w->s->steps[i];
	struct pf_view rec;
	struct pf_pcp_result result;
	int rc = pf_pcp_file_bytes(&w->f->file, step->from, (size_t)(step->to - step->from), &rec, err);
	if (rc == 1 && pf_pcp_result_decode(rec, w->s->label.version, &result, NULL) == 0)
		return take_record(w, step, rec, &result);
	return rc < 0 ? rc : pf_err_set(err, -EIO, "%s became shorter; nothing was changed", w->f->path);
}

static int walk(struct walk *w, struct pf_err *err)
{
	const struct pf_seal *s = w->s;
	size_t end = w->f->steps + w->f->n_steps;
	int rc = 0;
	for (size_t i = w->f->steps; i < end && rc == 0;) {
		const struct pf_seal_step *step = &s->steps[i];
		if (!step->why) {
			rc = take_step(w, i++, err);
			continue;
		}
		while (i < end && s->steps[i].why == step->why)
			i++;
		tell_hole(w, step, s->steps[i - 1].to, time_behind(s, i));
		w->hole = w->f->lost = true;
		w->f->keeps_old |= i < end || w->f->packed;
	}
	return rc;
}

int pf_seal_volume(struct pf_seal *s, struct pf_seal_file *f, bool is_last, struct pf_err *err)
{
	struct walk w = { .s = s, .f = f, .indexed = s->label_n };
	if (f > s->volumes && f->volume > f[-1].volume + 1 && s->n_kept > 0)
		w.missing = f[-1].volume + 1;
	pf_seal_label(s, f);
	int rc = walk(&w, err);
	int64_t next_ns = time_behind(s, f->steps + f->n_steps);
	if (rc == 0 && w.missing > 0)
		tell_missing(&w, next_ns);
	/* PCP's tools refuse a volume without any record. */
	if (rc == 0 && (!w.begun || (w.hole && !is_last && s->n_kept > 0)))
		rc = put_mark(&w, next_ns);
	tell_values(&w);
	f->lost |= w.lost.undescribed + w.lost.strange > 0;
	f->keeps_old |= w.records > 0;
	return rc < 0 && !(err && err->rc) ? pf_err_set(err, rc, "%s: no memory", f->path) : rc;
}

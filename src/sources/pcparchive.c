/* sources/pcparchive.c - PCP archives. A metric that a built-in group knows by name lands in that group's row, so that every view of the group
 * works; the others are added as described in the archive. Numbers and instances are looked up once per record at most; what does not change
 * is found where it was last time.
 *
 * As recorded, each record of values is one sample (those of the very same time are one). pmlogger however writes a record per fetch group,
 * so for the views of chosen groups a sample is made of the records that follow one another as long as no metric comes twice; its time is
 * that of its largest record, and a discrete value holds until another one comes.
 *
 * Archives of our own leave out discrete values that have not changed, and say so in a label of their context. There all of them
 * hold until something else is told (sinks/pcparchive.c). */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/damage.h"
#include "formats/pcp/reader.h"
#include "formats/pcp/zone.h"
#include "groups/list.h"
#include "sources/complete.h"
#include "sources/lasting.h"
#include "sources/list.h"
#include "sources/pcpabout.h"
#include "sources/pcpplace.h"

enum { LETTERS = 32 };

/* Loggers record once at the beginning what never changes. */
enum { FIRST_RECORDS = 16 };

/* Where values of one metric of the archive go. @seq: sample that it was in last. @lasting: its number among those whose values hold until other ones
 * come, -1: they do not. @strange: it had values that are not its, which was told */
struct target {
	struct pf_pcp_target to;
	uint64_t seq;
	int lasting;
	bool strange;
};

/**
 * struct archive_source - @targets run parallel to the reader's metrics.
 * @joins: records are joined for views, as told above; @holds: what is not told has not changed; @voids: also what only ends; @moves: the sample has what is
 * not discrete; @first: it is the first one of all or behind a mark; @largest: metrics in its largest record
 * @skip_ns: records before may be passed over once the first ones were read, which may have what is recorded only once; INT64_MIN: none
 * @n_read: records; @taken_ns: time of the one that is being taken
 * @damage: values that were left out, still to be told
 * @ahead: a record was read that belongs to the next sample: @next; or what ended the last one: @next_rc with @next_err
 */
struct archive_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_pcp_reader *reader;
	struct pf_pcp_about about;
	struct target *targets;
	struct pf_lastings lastings;
	struct pf_complete complete;
	char letters[LETTERS];
	bool joins, holds, voids;
	bool moves, first;
	uint32_t largest;
	int64_t skip_ns;
	unsigned n_read;
	int64_t taken_ns;
	struct pf_pcp_damage damage;
	bool ahead;
	struct pf_pcp_result next;
	int next_rc;
	struct pf_err next_err;
};

static int metric_of(const void *arg, uint32_t pmid)
{
	const struct archive_source *s = arg;
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(pf_pcp_reader_meta(s->reader), pmid);
	return m ? s->targets[m - meta->metrics].to.index : -1;
}

/* What is told only once. */
static int keep(void *arg, const struct pf_pcp_target *to, unsigned slot, uint64_t serial, union pf_value value)
{
	struct archive_source *s = arg;
	const struct target *t = (const struct target *)to;
	return t->lasting >= 0 && serial > 0 ? pf_lasting_take(&s->lastings, (unsigned)t->lasting, slot, serial, value)
					     : 0;
}

/* Once for each metric. */
static void tell_strange(void *arg, const struct pf_pcp_target *to, const char *why)
{
	struct archive_source *s = arg;
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	struct target *t = &s->targets[(const struct target *)to - s->targets];
	char when[32];
	struct tm tm = pf_time_utc(s->taken_ns);
	if (t->strange || strftime(when, sizeof(when), "%F %T UTC", &tm) == 0)
		return;
	t->strange = true;
	pf_pcp_damage_add(&s->damage, "%s, %s: %s; such values are left out", meta->metrics[t - s->targets].name, when,
			  why);
}

static int take_set(struct archive_source *s, const struct pf_pcp_set *set, const struct pf_pcp_metric *m,
		    const struct target *t, struct pf_sample *sample)
{
	const struct pf_pcp_taker taker = { .metric_of = metric_of, .kept = keep, .strange = tell_strange, .arg = s };
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	struct pf_pcp_domain *dom = m->domain < meta->n_domains ? &meta->domains[m->domain] : NULL;
	return pf_pcp_take_set(&taker, set, m->type, &t->to, dom, sample);
}

static struct target *target_of(const struct archive_source *s, uint32_t pmid, const struct pf_pcp_metric **ret_metric)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(meta, pmid);
	if (!m)
		return NULL;
	*ret_metric = m;
	struct target *t = &s->targets[m - meta->metrics];
	return t->to.index < 0 ? NULL : t;
}

/* Does the set say anything to samples? Views show only values; what has none is told as recorded, unless it only ends what held. */
static bool says(const struct archive_source *s, const struct pf_pcp_set *set, const struct target *t)
{
	return set->n > 0 || s->voids || (!s->joins && (set->n < 0 || !s->holds || t->lasting < 0));
}

/* Does the record hold a value that anybody wants? */
static bool has_values(const struct archive_source *s, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct target *t = target_of(s, set.pmid, &m);
		if (t && says(s, &set, t))
			return true;
	}
	return false;
}

/* May a set without values end what the metric had? Not what views keep of loggers that record it only once. */
static bool may_end(const struct archive_source *s, const struct target *t)
{
	return s->holds && t->lasting >= 0 && (!s->joins || t->to.domain || t->to.type == PF_STRING);
}

/* Does it end what holds? */
static bool has_ends(const struct archive_source *s, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct target *t = set.n <= 0 ? target_of(s, set.pmid, &m) : NULL;
		if (t && may_end(s, t))
			return true;
	}
	return false;
}

/* Where nothing is joined, each record stands for what holds. */
static bool is_wanted(const struct archive_source *s, struct pf_pcp_result result)
{
	return has_values(s, result) || (s->holds && (s->joins ? has_ends(s, result) : pf_lastings_any(&s->lastings)));
}

static int take_record(struct archive_source *s, struct pf_pcp_result result, struct pf_sample *sample)
{
	struct pf_pcp_set set;
	s->taken_ns = result.time_ns;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_pcp_metric *m;
		struct target *t = target_of(s, set.pmid, &m);
		if (t && set.n <= 0 && may_end(s, t))
			pf_lasting_forget(&s->lastings, (unsigned)t->lasting);
		if (!t || !says(s, &set, t))
			continue;
		int rc = set.n > 0 ? take_set(s, &set, m, t, sample)
				   : pf_sample_fail(sample, (unsigned)t->to.index, set.n);
		if (rc < 0)
			return rc;
		t->seq = sample->seq;
		s->moves |= set.n > 0 && m->sem != PF_DISCRETE;
	}
	return pf_lastings_follow(&s->lastings, pf_pcp_reader_meta(s->reader));
}

/* Does the record belong to the sample that was begun with one of @time_ns? What holds until told otherwise may come twice, but where nothing
 * else was told so far, a record of such metrics is one by itself. Loggers tell once at first what does not change, some of
 * which comes again with all the rest right behind it: these are one sample, too. */
static bool belongs(const struct archive_source *s, struct pf_pcp_result result, int64_t time_ns, uint64_t seq)
{
	if (!s->joins)
		return result.time_ns == time_ns;
	if (s->first && result.n > 2 * s->largest)
		return true;
	struct pf_pcp_set set;
	const struct pf_pcp_metric *m;
	bool more = s->moves;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct target *t = target_of(s, set.pmid, &m);
		if (!t || set.n <= 0 || m->sem == PF_DISCRETE)
			continue;
		if (t->seq == seq)
			return false;
		more = true;
	}
	return more;
}

/* The next record that somebody wants; a mark comes as one without metrics. */
static int read_record(struct archive_source *s, struct pf_pcp_result *ret_result, struct pf_err *err)
{
	for (;;) {
		s->n_read++;
		int rc = pf_pcp_reader_next(s->reader, ret_result, err);
		if (rc != 1 || ret_result->n == 0 || is_wanted(s, *ret_result))
			return rc;
	}
}

/* Nothing is known between what is before and what comes after. */
static void part(struct archive_source *s, struct pf_frames *frames)
{
	pf_frames_cut(frames);
	s->first = true;
	pf_lastings_forget(&s->lastings);
}

/* The record that begins a sample: the one that was read too far, or another one. */
static int first_record(struct archive_source *s, struct pf_frames *frames, struct pf_err *err)
{
	for (;;) {
		int rc = s->next_rc;
		if (!s->ahead)
			rc = read_record(s, &s->next, err);
		else if (rc != 1 && rc != -ENODATA)
			(void)pf_err_set(err, rc, "%s", s->next_err.text);
		s->ahead = false;
		if (rc == -EBADMSG || (rc == 1 && s->next.n == 0))
			part(s, frames);
		if (rc != 1 || s->next.n > 0)
			return rc;
	}
}

/* Between two samples, to where what is wanted begins. The record that was read too far is one of those that are passed over. */
static void jump(struct archive_source *s)
{
	if (s->skip_ns == INT64_MIN || s->n_read < FIRST_RECORDS || (s->ahead && s->next_rc != 1))
		return;
	if (pf_pcp_reader_skip(s->reader, s->skip_ns, s->holds)) {
		s->ahead = false;
		for (unsigned i = 0; i < pf_pcp_reader_meta(s->reader)->n_metrics; i++) {
			const struct target *t = &s->targets[i];
			if (t->to.index >= 0 && may_end(s, t))
				pf_lasting_forget(&s->lastings, (unsigned)t->lasting);
		}
	}
	s->skip_ns = INT64_MIN;
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct archive_source *s = (struct archive_source *)source;
	const char *damage = pf_pcp_damage_next(&s->damage);
	if (damage)
		return pf_err_set(err, -EBADMSG, "%s", damage);
	jump(s);
	int rc = first_record(s, frames, err);
	if (rc != 1)
		return rc;
	int64_t begun_ns = s->next.time_ns;
	frames->sparse = frames->apart = true;
	struct pf_sample *sample = pf_frames_begin(frames, begun_ns, begun_ns);
	if (!sample)
		return pf_err_set(err, -ENOMEM, "no memory for a sample");

	s->largest = 0;
	s->moves = false;
	do {
		/* What holds is what held at the time of the first one. */
		rc = s->next.time_ns == begun_ns ? 0 : pf_lastings_put(&s->lastings, sample);
		if (s->next.n > s->largest && (!s->joins || has_values(s, s->next))) {
			s->largest = s->next.n;
			sample->time_ns = s->next.time_ns;
			sample->mono_ns = s->next.time_ns;
		}
		if (rc == 0)
			rc = take_record(s, s->next, sample);
		if (rc < 0)
			return pf_err_set(err, rc, "no memory for a sample");
		s->next_err = (struct pf_err){ 0 };
		s->next_rc = read_record(s, &s->next, &s->next_err);
		s->ahead = true;
	} while (s->next_rc == 1 && s->next.n > 0 && belongs(s, s->next, begun_ns, sample->seq));

	s->first = false;
	rc = pf_lastings_put(&s->lastings, sample);
	if (rc == 0)
		rc = pf_complete_sample(&s->complete, frames->catalog, sample);
	pf_frames_settle(frames);
	return rc < 0 ? pf_err_set(err, rc, "no memory for a sample") : 1;
}

static void skip(struct pf_source *source, int64_t before_ns)
{
	((struct archive_source *)source)->skip_ns = before_ns;
}

static bool ends_before(struct pf_source *source, int64_t time_ns)
{
	const struct archive_source *s = (struct archive_source *)source;
	return pf_pcp_reader_ends_before(s->reader, time_ns);
}

static const struct pf_source_info *info(struct pf_source *source)
{
	return &((struct archive_source *)source)->info;
}

static int wait_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* a file never makes one wait */
}

static struct pf_source *close_archive(struct pf_source *source)
{
	struct archive_source *s = (struct archive_source *)source;
	if (!s)
		return NULL;
	pf_pcp_about_leave(&s->about);
	s->reader = pf_pcp_reader_close(s->reader);
	pf_lastings_done(&s->lastings);
	pf_pcp_damage_done(&s->damage);
	free(s->targets);
	free(s);
	return NULL;
}

/* Places of the metrics that are wanted and that nobody knows yet. */
struct own {
	const struct pf_pcp_metric **metrics;
	struct pf_pcp_target **targets;
	unsigned n;
};

/* A place for each metric that is wanted. */
static int place_each(struct archive_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
		      struct own *own, struct pf_err *err)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_placing placing = {
		.groups = spec->groups	      ? spec->groups
			  : spec->as_recorded ? NULL
					      : pf_groups,
		.catalog = cat,
		.letters = s->letters,
		.size = sizeof(s->letters),
	};
	unsigned left_out = 0;
	for (unsigned i = 0; i < meta->n_metrics; i++) {
		struct pf_pcp_target *t = &s->targets[i].to;
		t->index = -1;
		if (!pf_pcp_place_can(&meta->metrics[i])) {
			left_out++;
			continue;
		}
		struct pf_err why = { 0 };
		int rc = pf_pcp_place(&placing, &meta->metrics[i], t, &why);
		if (rc == -EEXIST)
			pf_notice(spec->notice, PF_WARNING, "%s: %s, ignoring it", spec->path, why.text);
		else if (rc < 0)
			return pf_err_set(err, rc, "%s: %s", spec->path, why.text);
		if (rc != 0 || spec->groups)
			continue;
		own->metrics[own->n] = &meta->metrics[i];
		own->targets[own->n++] = t;
	}
	if (left_out > 0)
		pf_notice(spec->notice, PF_INFO,
			  "%s: %u metrics have a type or semantics that are not known here, ignoring them", spec->path,
			  left_out);
	return pf_pcp_place_own(cat, own->metrics, own->targets, own->n, err);
}

/* Views that join records of pmlogger need what it told once; archives of ours leave out whatever has not changed. */
static int let_last(struct archive_source *s, const struct pf_pcp_metric *m, struct target *t)
{
	if (m->sem != PF_DISCRETE || t->to.type > PF_STRING ||
	    !(s->holds || (s->joins && !t->to.domain && t->to.type != PF_STRING)))
		return 0;
	const struct pf_lasting lasting = { .index = (unsigned)t->to.index,
					    .type = t->to.type,
					    .period = t->to.period };
	t->lasting = pf_lastings_add(&s->lastings, &lasting, m->domain, t->to.domain);
	return t->lasting < 0 ? t->lasting : 0;
}

static int place_metrics(struct archive_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
			 struct pf_err *err)
{
	unsigned n = pf_pcp_reader_meta(s->reader)->n_metrics;
	pf_autofree const struct pf_pcp_metric **metrics = calloc(n ? n : 1, sizeof(*metrics));
	pf_autofree struct pf_pcp_target **targets = calloc(n ? n : 1, sizeof(*targets));
	s->targets = calloc(n ? n : 1, sizeof(*s->targets));
	if (!s->targets || !metrics || !targets)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	struct own own = { metrics, targets, 0 };
	int rc = place_each(s, spec, cat, &own, err);
	if (rc < 0)
		return rc;
	/* Domains only now: adding metrics may move the catalog's table of them. */
	for (unsigned i = 0; i < n && rc == 0; i++) {
		struct target *t = &s->targets[i];
		t->lasting = -1;
		if (t->to.index < 0)
			continue;
		pf_pcp_place_domain(cat, &t->to);
		rc = let_last(s, &pf_pcp_reader_meta(s->reader)->metrics[i], t);
	}
	return rc < 0 ? pf_err_set(err, rc, "%s: no memory", spec->path) : 0;
}

static int index_of(const void *arg, unsigned i)
{
	return ((const struct archive_source *)arg)->targets[i].to.index;
}

static int open_archive(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
			struct pf_err *err)
{
	struct archive_source *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	s->base.kind = &pf_source_pcparchive;
	s->voids = spec->each_record;
	s->first = true;
	s->skip_ns = INT64_MIN;
	int rc = pf_pcp_reader_open(&s->reader, spec->path, spec->notice, err);
	s->holds = rc == 0 && pf_pcp_reader_holds(s->reader);
	s->joins = spec->groups && !spec->each_record;
	if (rc == 0)
		rc = place_metrics(s, spec, cat, err);
	if (s->joins)
		pf_complete_init(&s->complete, spec->groups, cat);
	if (rc < 0) {
		(void)close_archive(&s->base);
		return rc;
	}
	const struct pf_pcp_label *label = pf_pcp_reader_label(s->reader);
	s->info = (struct pf_source_info){ .host = label->host,
					   .zone = label->zone[0] ? label->zone : NULL,
					   .place = label->zoneinfo[0] ? label->zoneinfo : NULL,
					   .start_ns = label->start_ns,
					   .version = label->version,
					   .letters = s->letters };
	s->info.has_zone = pf_pcp_zone_offset(label->zone, &s->info.zone_ns);
	pf_pcp_reader_files(s->reader, &s->info.n_files, &s->info.bytes);
	s->about = (struct pf_pcp_about){ .catalog = cat, .reader = s->reader, .index_of = index_of, .arg = s };
	pf_pcp_about_join(&s->about);
	*ret_source = &s->base;
	return 0;
}

const struct pf_source_kind pf_source_pcparchive = {
	.name = "pcparchive",
	.title = "PCP archive",
	.accepts = pf_pcp_reader_accepts,
	.open = open_archive,
	.next = next,
	.skip = skip,
	.ends_before = ends_before,
	.info = info,
	.fd = wait_fd,
	.close = close_archive,
};

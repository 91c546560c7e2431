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
#include "formats/pcp/reader.h"
#include "formats/pcp/zone.h"
#include "groups/list.h"
#include "sources/complete.h"
#include "sources/lasting.h"
#include "sources/list.h"
#include "sources/pcpabout.h"
#include "sources/pcpvalue.h"

enum { LETTERS = 32 };

/* Loggers record once at the beginning what never changes. */
enum { FIRST_RECORDS = 16 };

/* Where values of one metric of the archive go: @index -1: nowhere. @type, @scale: of the row, which may differ from the archive's. @seq: sample that
 * it was in last. @lasting: its number among those whose values hold until other ones come, -1: they do not. */
struct target {
	int index;
	enum pf_type type;
	uint8_t period;
	struct pf_scale scale;
	struct pf_indom *domain;
	uint64_t seq;
	int lasting;
};

/**
 * struct archive_source - @targets run parallel to the reader's metrics.
 * @joins: records are joined for views, as told above; @holds: what is not told has not changed; @voids: also what only ends; @moves: the sample has what is
 * not discrete; @first: it is the first one of all or behind a mark; @largest: metrics in its largest record
 * @skip_ns: records before may be passed over once the first ones were read, which may have what is recorded only once; INT64_MIN: none
 * @n_read: records
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
	bool ahead;
	struct pf_pcp_result next;
	int next_rc;
	struct pf_err next_err;
};

/* Slot of the instance in the catalog; an instance that the archive does not name is called by its number, and has the serial 0. */
static int slot_of(const struct archive_source *s, const struct pf_pcp_metric *m, const struct target *t, int32_t id,
		   unsigned *hint, uint64_t seq, uint64_t *ret_serial)
{
	*ret_serial = 0;
	struct pf_pcp_member *member = pf_pcp_meta_member(pf_pcp_reader_meta(s->reader), m->domain, id, hint);
	if (!member) {
		struct pf_buf name = { 0 };
		pf_buf_fmt(&name, "?%d", id);
		int slot = name.failed ? -ENOMEM : pf_indom_slot(t->domain, pf_buf_text(&name), 0, id, seq);
		pf_buf_done(&name);
		return slot;
	}
	/* It is there where we saw it last, unless somebody else has been seen there since. */
	if (member->owner == t->domain && member->seen == t->domain->instances[member->slot].seen) {
		pf_indom_stays(t->domain, member->slot, seq);
		member->seen = seq;
		*ret_serial = member->serial;
		return (int)member->slot;
	}
	int slot = pf_indom_slot(t->domain, pf_view_of(member->name), member->slot, id, seq);
	if (slot < 0)
		return slot;
	member->slot = (unsigned)slot;
	member->owner = t->domain;
	member->seen = seq;
	*ret_serial = member->serial;
	return slot;
}

static int metric_of(const void *arg, uint32_t pmid)
{
	const struct archive_source *s = arg;
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(pf_pcp_reader_meta(s->reader), pmid);
	return m ? s->targets[m - meta->metrics].index : -1;
}

static int take_set(struct archive_source *s, const struct pf_pcp_set *set, const struct pf_pcp_metric *m,
		    const struct target *t, struct pf_sample *sample)
{
	unsigned hint = 0;
	const struct pf_pcp_into into = {
		.from = m->type, .to = t->type, .scale = t->scale, .metric_of = metric_of, .arg = s
	};
	sample->second |= t->period == PF_SECOND_INTERVAL && set->n > 0;
	for (int32_t i = 0; i < set->n; i++) {
		struct pf_pcp_value v;
		union pf_value value;
		if (pf_pcp_set_get(set, (uint32_t)i, &v, NULL) < 0)
			return 0; /* was checked; cannot be */
		int rc = pf_pcp_value_into(&v, &into, &sample->arenas[t->period], &value);
		if (rc <= 0) {
			if (rc < 0)
				return rc;
			continue;
		}
		uint64_t serial = 1;
		int slot = t->domain ? slot_of(s, m, t, v.inst, &hint, sample->seq, &serial) : 0;
		if (slot < 0)
			return slot;
		rc = pf_sample_set(sample, (unsigned)t->index, (unsigned)slot, value);
		if (rc == 0 && t->lasting >= 0 && serial > 0)
			rc = pf_lasting_take(&s->lastings, (unsigned)t->lasting, (unsigned)slot, serial, value);
		if (rc < 0)
			return rc;
		if (!t->domain)
			return 0;
	}
	return 0;
}

static struct target *target_of(const struct archive_source *s, uint32_t pmid, const struct pf_pcp_metric **ret_metric)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(meta, pmid);
	if (!m)
		return NULL;
	*ret_metric = m;
	struct target *t = &s->targets[m - meta->metrics];
	return t->index < 0 ? NULL : t;
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
	return s->holds && t->lasting >= 0 && (!s->joins || t->domain || t->type == PF_STRING);
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
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_pcp_metric *m;
		struct target *t = target_of(s, set.pmid, &m);
		if (t && set.n <= 0 && may_end(s, t))
			pf_lasting_forget(&s->lastings, (unsigned)t->lasting);
		if (!t || !says(s, &set, t))
			continue;
		int rc =
			set.n > 0 ? take_set(s, &set, m, t, sample) : pf_sample_fail(sample, (unsigned)t->index, set.n);
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
			if (t->index >= 0 && may_end(s, t))
				pf_lasting_forget(&s->lastings, (unsigned)t->lasting);
		}
	}
	s->skip_ns = INT64_MIN;
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct archive_source *s = (struct archive_source *)source;
	jump(s);
	int rc = first_record(s, frames, err);
	if (rc != 1)
		return rc;
	int64_t begun_ns = s->next.time_ns;
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
	free(s->targets);
	free(s);
	return NULL;
}

static const struct pf_metric *find_row(const struct pf_group *const *groups, const char *name,
					const struct pf_group **ret_group)
{
	for (unsigned g = 0; groups[g]; g++) {
		for (unsigned i = 0; i < groups[g]->n_metrics; i++) {
			if (strcmp(groups[g]->metrics[i].name, name) == 0) {
				*ret_group = groups[g];
				return &groups[g]->metrics[i];
			}
		}
	}
	return NULL;
}

/* Only what has a view: what is recorded beside all that must not choose it. */
static void add_letter(struct archive_source *s, const struct pf_group *group)
{
	size_t n = strlen(s->letters);
	unsigned i = 0;
	while (i < group->n_layouts && group->layouts[i].letter != group->letters[0])
		i++;
	if (i == group->n_layouts)
		return;
	if (!strchr(s->letters, group->letters[0]) && n + 1 < LETTERS)
		s->letters[n] = group->letters[0];
}

static void point_at(struct target *t, const struct pf_catalog *cat, unsigned index, const struct pf_pcp_metric *m)
{
	if (!pf_units_scale(&m->units, &cat->metrics[index]->units, &t->scale))
		return; /* cannot be: it fits */
	t->index = (int)index;
	t->type = cat->metrics[index]->type;
}

/* Into the row that is there, of a module or an earlier archive. Return: as below. */
static int place_found(const struct pf_catalog *cat, const struct pf_pcp_metric *m, struct target *t,
		       struct pf_err *err)
{
	int have = pf_catalog_find(cat, pf_view_of(m->name));
	if (have < 0) {
		struct pf_metric row = pf_pcp_row(m, m->name);
		const struct pf_metric *clash = pf_catalog_clash(cat, &row);
		return clash ? pf_err_set(err, -EEXIST, "metric %s has the number of %s", m->name, clash->name) : 0;
	}
	if (!pf_pcp_row_fits(cat->metrics[have], m) ||
	    (cat->metrics[have]->sem == PF_COUNTER) != (m->sem == PF_COUNTER))
		return pf_err_set(err, -EEXIST, "metric %s means something else here", m->name);
	point_at(t, cat, (unsigned)have, m);
	return 1;
}

/* Into the row of a group (@groups NULL: none), or of a module or earlier archive that knows the metric. Return: 1 done, 0 it needs a row of its own, negative errno. */
static int place_metric(struct archive_source *s, const struct pf_group *const *groups, struct pf_catalog *cat,
			const struct pf_pcp_metric *m, struct target *t, struct pf_err *err)
{
	const struct pf_group *group;
	const struct pf_metric *row = groups ? find_row(groups, m->name, &group) : NULL;
	if (row && pf_pcp_row_fits(row, m)) {
		unsigned base;
		int rc = pf_group_base(cat, group, &base, err);
		if (rc < 0 && rc != -EEXIST) /* an earlier archive may have a row in its way */
			return rc;
		if (rc == 0) {
			point_at(t, cat, base + (unsigned)(row - group->metrics), m);
			add_letter(s, group);
			return 1;
		}
	}
	return place_found(cat, m, t, err);
}

/* Rows as the archive describes them for the @n metrics whose numbers are in @own; all at once, since each addition looks at all before. */
static int add_own(struct archive_source *s, struct pf_catalog *cat, const unsigned *own, unsigned n,
		   struct pf_err *err)
{
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	struct pf_metric *rows = n ? pf_arena_alloc(&cat->owned, n * sizeof(*rows)) : NULL;
	if (n > 0 && !rows)
		return pf_err_set(err, -ENOMEM, "no memory for %u metrics", n);
	for (unsigned i = 0; i < n; i++) {
		const struct pf_pcp_metric *m = &meta->metrics[own[i]];
		char *name = pf_arena_dup(&cat->owned, pf_view_of(m->name));
		if (!name)
			return pf_err_set(err, -ENOMEM, "no memory for metric %s", m->name);
		rows[i] = pf_pcp_row(m, name);
	}
	unsigned base = 0;
	int rc = n ? pf_catalog_add(cat, rows, n, &base, err) : 0;
	for (unsigned i = 0; rc == 0 && i < n; i++)
		point_at(&s->targets[own[i]], cat, base + i, &meta->metrics[own[i]]);
	return rc;
}

static bool is_for_samples(const struct pf_pcp_metric *m)
{
	return m->type >= PF_S32 && m->type <= PF_HIGHRES_EVENTS && m->type != PF_PCP_STATIC_AGGREGATE &&
	       (m->sem == PF_COUNTER || m->sem == PF_INSTANT || m->sem == PF_DISCRETE);
}

/* A place for each metric that is wanted. @own: room for a number per metric. */
static int place_each(struct archive_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
		      unsigned *own, struct pf_err *err)
{
	struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	const struct pf_group *const *groups = spec->groups ? spec->groups : spec->as_recorded ? NULL : pf_groups;
	unsigned left_out = 0;
	unsigned n_own = 0;
	for (unsigned i = 0; i < meta->n_metrics; i++) {
		s->targets[i].index = -1;
		if (!is_for_samples(&meta->metrics[i])) {
			left_out++;
			continue;
		}
		struct pf_err why = { 0 };
		int rc = place_metric(s, groups, cat, &meta->metrics[i], &s->targets[i], &why);
		if (rc == -EEXIST)
			pf_notice(spec->notice, PF_WARNING, "%s: %s, ignoring it", spec->path, why.text);
		else if (rc < 0)
			return pf_err_set(err, rc, "%s: %s", spec->path, why.text);
		else if (rc == 0 && !spec->groups)
			own[n_own++] = i;
	}
	if (left_out > 0)
		pf_notice(spec->notice, PF_INFO,
			  "%s: %u metrics have a type or semantics that are not known here, ignoring them", spec->path,
			  left_out);
	return add_own(s, cat, own, n_own, err);
}

/* Views that join records of pmlogger need what it told once; archives of ours leave out whatever has not changed. */
static int let_last(struct archive_source *s, const struct pf_pcp_metric *m, struct target *t)
{
	if (m->sem != PF_DISCRETE || t->type > PF_STRING ||
	    !(s->holds || (s->joins && !t->domain && t->type != PF_STRING)))
		return 0;
	const struct pf_lasting lasting = { .index = (unsigned)t->index, .type = t->type, .period = t->period };
	t->lasting = pf_lastings_add(&s->lastings, &lasting, m->domain, t->domain);
	return t->lasting < 0 ? t->lasting : 0;
}

static int place_metrics(struct archive_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
			 struct pf_err *err)
{
	unsigned n = pf_pcp_reader_meta(s->reader)->n_metrics;
	pf_autofree unsigned *own = calloc(n ? n : 1, sizeof(*own));
	s->targets = calloc(n ? n : 1, sizeof(*s->targets));
	if (!s->targets || !own)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	int rc = place_each(s, spec, cat, own, err);
	if (rc < 0)
		return rc;
	/* Domains only now: adding metrics may move the catalog's table of them. */
	for (unsigned i = 0; i < n && rc == 0; i++) {
		struct target *t = &s->targets[i];
		t->lasting = -1;
		if (t->index < 0)
			continue;
		t->period = cat->metric_periods[t->index];
		t->domain = pf_catalog_domain_of(cat, (unsigned)t->index);
		rc = let_last(s, &pf_pcp_reader_meta(s->reader)->metrics[i], t);
	}
	return rc < 0 ? pf_err_set(err, rc, "%s: no memory", spec->path) : 0;
}

static int index_of(const void *arg, unsigned i)
{
	return ((const struct archive_source *)arg)->targets[i].index;
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

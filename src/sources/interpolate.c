/* sources/interpolate.c - fixed steps. Another source is read into tables of its own, each record a sample, until what is behind a step is known
 * of every metric; then the values at the step are computed (sources/observed.c). A metric that did not come for long is looked for by a second
 * reader (sources/scout.c), so that what was recorded only once does not make us keep the whole recording. */
#include "sources/interpolate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "groups/list.h"
#include "model/catalog.h"
#include "sources/complete.h"
#include "sources/list.h"
#include "sources/observed.h"
#include "sources/scout.h"

/* So many samples are read ahead before the second reader is asked. */
enum { AHEAD = 64 };

/* Two samples that are so far apart, and so many times farther than others and than steps, have nothing between them: a time that is false, or years
 * without a recorder, do not make values of every step. */
enum { FAR_DAYS = 30, FAR_TIMES = 100 };

/* One metric of the recording. @to: its number where we write, -1: nowhere. @slots: ours by the recording's. @over: it does not come again. */
struct track {
	struct pf_observed seen;
	int to;
	bool over;
	unsigned *slots;
	unsigned n_slots;
};

/**
 * struct interpolate_source - @inner reads into @frames of its own @own catalog, whose slots are never used again.
 * @next_ns: the next step; @last_ns: time of the last sample read; @ahead: samples read that are later than the step
 * @longest_ns: longest time between two samples, if that was not far
 */
struct interpolate_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_source_spec spec;
	const struct pf_group **groups;
	struct pf_source *inner;
	struct pf_catalog *own;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	struct pf_scout scout;
	struct pf_complete complete;
	struct track *tracks;
	unsigned n_tracks;
	unsigned ahead;
	bool ended;
	int64_t step_ns;
	int64_t next_ns;
	int64_t last_ns;
	int64_t longest_ns;
};

static const struct pf_group *group_of(const struct interpolate_source *s, const struct pf_metric *m)
{
	const struct pf_group *const *groups = s->groups ? (const struct pf_group *const *)s->groups : pf_groups;
	for (unsigned g = 0; groups[g]; g++) {
		if (m >= groups[g]->metrics && m < groups[g]->metrics + groups[g]->n_metrics)
			return groups[g];
	}
	return NULL;
}

/* A row like the recording's, for as long as the catalog lives. */
static int add_row(struct interpolate_source *s, const struct pf_metric *m, unsigned *ret_index, struct pf_err *err)
{
	struct pf_metric *row = pf_arena_alloc(&s->catalog->owned, sizeof(*row));
	char *name = pf_arena_dup(&s->catalog->owned, pf_view_of(m->name));
	if (!row || !name)
		return pf_err_set(err, -ENOMEM, "no memory for metric %s", m->name);
	*row = *m;
	row->name = name;
	row->help = "";
	return pf_catalog_add(s->catalog, row, 1, ret_index, err);
}

static int place(struct interpolate_source *s, const struct pf_metric *m, int *ret_to, struct pf_err *err)
{
	const struct pf_group *group = group_of(s, m);
	unsigned at = 0;
	int rc;
	if (group) {
		rc = pf_group_base(s->catalog, group, &at, err);
		at += (unsigned)(m - group->metrics);
	} else {
		int have = pf_catalog_find(s->catalog, pf_view_of(m->name));
		at = have >= 0 ? (unsigned)have : 0;
		rc = have >= 0 ? 0 : add_row(s, m, &at, err);
	}
	if (rc == -EEXIST) { /* of a recording that was played before */
		*ret_to = -1;
		return 0;
	}
	if (rc == 0)
		*ret_to = (int)at;
	return rc;
}

/* Every metric of the recording gets a track. */
static int keep_up(struct interpolate_source *s, struct pf_err *err)
{
	unsigned n = s->own->n_metrics;
	if (n <= s->n_tracks)
		return 0;
	struct track *more = reallocarray(s->tracks, n, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "no memory for %u metrics", n);
	s->tracks = more;
	while (s->n_tracks < n) {
		struct track *t = &more[s->n_tracks];
		*t = (struct track){ .to = -1 };
		const struct pf_metric *m = s->own->metrics[s->n_tracks];
		int rc = pf_type_is_events(m->type) ? 0 : place(s, m, &t->to, err); /* events have no value between */
		if (rc < 0)
			return rc;
		s->n_tracks++;
	}
	return 0;
}

/* Nothing is known between the last sample and what comes now. */
static int part(struct interpolate_source *s)
{
	int rc = 0;
	for (unsigned m = 0; rc == 0 && m < s->n_tracks; m++) {
		if (s->tracks[m].seen.n > 0)
			rc = pf_observed_end(&s->tracks[m].seen, s->last_ns + PF_NS_PER_MS);
	}
	return rc;
}

/* Is @time_ns far behind the last sample? That is told. */
static bool is_far(struct interpolate_source *s, int64_t time_ns)
{
	int64_t away_ns = 0, usual_ns = s->longest_ns > s->step_ns ? s->longest_ns : s->step_ns;
	if (__builtin_sub_overflow(time_ns, s->last_ns, &away_ns))
		away_ns = INT64_MAX;
	int64_t days = away_ns / (86400 * PF_NS_PER_SEC);
	if (days < FAR_DAYS || away_ns / FAR_TIMES < usual_ns) {
		s->longest_ns = away_ns > s->longest_ns ? away_ns : s->longest_ns;
		return false;
	}
	struct tm from = pf_time_utc(s->last_ns), until = pf_time_utc(time_ns);
	pf_notice(
		s->spec.notice, PF_WARNING,
		"%s: nothing is recorded between %04d-%02d-%02d and %04d-%02d-%02d, %lld days, in which there are no steps",
		s->spec.path, from.tm_year + 1900, from.tm_mon + 1, from.tm_mday, until.tm_year + 1900,
		until.tm_mon + 1, until.tm_mday, (long long)days);
	return true;
}

static int take_sample(struct interpolate_source *s, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&s->frames);
	int64_t time_ns = step.cur->time_ns;
	bool first = s->last_ns == INT64_MIN;
	if (!first && time_ns < s->last_ns)
		return 0; /* its clock was set back: what comes twice is taken the first time */
	int rc = keep_up(s, err);
	bool apart = !first && (is_far(s, time_ns) || !step.prev);
	if (rc == 0 && apart && time_ns > s->last_ns + PF_NS_PER_MS)
		rc = part(s);
	for (unsigned m = 0; rc == 0 && m < s->n_tracks; m++)
		rc = s->tracks[m].to < 0 ? 0 : pf_observed_add(&s->tracks[m].seen, step.cur, m);
	s->last_ns = time_ns;
	s->ahead += time_ns > s->next_ns;
	return rc < 0 && !err->text[0] ? pf_err_set(err, rc, "no memory for a sample") : rc;
}

/* Must what follows the step be known of it, and is it not? */
static bool is_open(const struct interpolate_source *s, unsigned m)
{
	const struct track *t = &s->tracks[m];
	int64_t last_ns = pf_observed_last_ns(&t->seen);
	return t->to >= 0 && !t->over && t->seen.n > 0 && last_ns < s->next_ns &&
	       s->own->metrics[m]->sem != PF_DISCRETE && !pf_observed_at(&t->seen, t->seen.n - 1)->ends;
}

/* Is all known that the step needs? Return: 1 yes, 0 read on, negative errno. */
static int is_ready(struct interpolate_source *s, struct pf_err *err)
{
	if (s->ended)
		return 1;
	if (s->last_ns < s->next_ns)
		return 0;
	for (unsigned m = 0; m < s->n_tracks; m++) {
		if (!is_open(s, m))
			continue;
		if (s->ahead < AHEAD)
			return 0;
		int rc = pf_scout_comes(&s->scout, &s->spec, m, s->next_ns, err);
		if (rc != 0)
			return rc < 0 ? rc : 0;
		s->tracks[m].over = true;
	}
	return 1;
}

/* Return: 1 the step can be computed; 0 nothing now; negative errno, -EBADMSG: damage was skipped. */
static int read_ahead(struct interpolate_source *s, struct pf_err *err)
{
	for (;;) {
		int rc = is_ready(s, err);
		if (rc != 0)
			return rc;
		rc = s->inner->kind->next(s->inner, &s->frames, err);
		s->ended = rc == -ENODATA;
		if (rc < 0 && !s->ended)
			return rc;
		if (rc == 1)
			rc = take_sample(s, err);
		if (rc < 0 && !s->ended)
			return rc;
	}
}

/* Our slot for one of the recording's. */
static int slot_of(struct interpolate_source *s, struct track *t, unsigned m, unsigned slot, uint64_t seq)
{
	struct pf_indom *to = pf_catalog_domain_of(s->catalog, (unsigned)t->to);
	const struct pf_indom *from = pf_catalog_domain_of(s->own, m);
	if (!to || !from || slot >= from->n)
		return to ? -ENOMEM : 0;
	if (slot >= t->n_slots) {
		unsigned *more = reallocarray(t->slots, from->cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + t->n_slots, 0, (from->cap - t->n_slots) * sizeof(*more));
		t->slots = more;
		t->n_slots = from->cap;
	}
	const struct pf_instance *inst = &from->instances[slot];
	int ours = pf_indom_slot(to, pf_view_of(inst->name), t->slots[slot], inst->id, seq);
	if (ours >= 0)
		t->slots[slot] = (unsigned)ours;
	return ours;
}

/* Strings and bytes become the sample's own. */
static int copy_text(struct pf_arena *room, enum pf_type type, struct pf_view text, union pf_value *v)
{
	if (pf_type_is_number(type))
		return 0;
	const char *copy = pf_arena_dup(room, text);
	struct pf_view *bytes = type == PF_AGGREGATE ? pf_arena_alloc(room, sizeof(*bytes)) : NULL;
	if (!copy || (type == PF_AGGREGATE && !bytes))
		return -ENOMEM;
	if (bytes) {
		*bytes = (struct pf_view){ copy, text.n };
		*v = (union pf_value){ .bytes = bytes };
	} else {
		*v = (union pf_value){ .s = copy };
	}
	return 0;
}

/* Values of one metric at the step. Return: how many, or -ENOMEM. */
static int put_metric(struct interpolate_source *s, unsigned m, struct pf_sample *sample)
{
	struct track *t = &s->tracks[m];
	const struct pf_metric *metric = s->own->metrics[m];
	unsigned hint = 0;
	int n = 0;
	if (t->to < 0)
		return 0;
	pf_observed_go(&t->seen, s->next_ns);
	if (t->seen.n == 0)
		return 0;
	const struct pf_observed_set *set = pf_observed_at(&t->seen, 0);
	if (set->ends || set->time_ns > s->next_ns)
		return 0;
	unsigned period = s->catalog->metric_periods[t->to];
	for (unsigned i = 0; i < set->n; i++) {
		union pf_value v;
		if (!pf_observed_value(&t->seen, metric, i, s->next_ns, &hint, &v))
			continue;
		int slot = slot_of(s, t, m, set->values[i].slot, sample->seq);
		if (slot < 0 ||
		    copy_text(&sample->arenas[period], metric->type, pf_observed_text(&t->seen, i), &v) < 0 ||
		    pf_sample_set(sample, (unsigned)t->to, (unsigned)slot, v) < 0)
			return -ENOMEM;
		sample->second |= period == PF_SECOND_INTERVAL;
		n++;
	}
	return n;
}

/* Return: 1 a sample, 0 there is nothing at that time, -ENOMEM. What only holds until told otherwise does not make one for views. */
static int put_sample(struct interpolate_source *s, struct pf_frames *frames)
{
	frames->sparse = s->frames.sparse;
	frames->apart = false;
	struct pf_sample *sample = pf_frames_begin(frames, s->next_ns, s->next_ns);
	bool any = false;
	if (!sample)
		return -ENOMEM;
	for (unsigned m = 0; m < s->n_tracks; m++) {
		int n = put_metric(s, m, sample);
		if (n < 0)
			return n;
		any |= n > 0 && (!s->groups || s->own->metrics[m]->sem != PF_DISCRETE);
	}
	return any ? pf_complete_sample(&s->complete, s->catalog, sample) < 0 ? -ENOMEM : 1 : 0;
}

/* To the first step that is not before @time_ns, but one step at least. */
static void go_on(struct interpolate_source *s, int64_t time_ns)
{
	int64_t away = 0, way = 0;
	bool over = __builtin_sub_overflow(time_ns, s->next_ns, &away);
	int64_t steps = away > s->step_ns ? (away - 1) / s->step_ns + 1 : 1;
	over |= __builtin_mul_overflow(steps, s->step_ns, &way);
	if (over || __builtin_add_overflow(s->next_ns, way, &s->next_ns))
		s->next_ns = INT64_MAX; /* behind all that a clock can tell */
}

/* When there may be a value again, if there was none at this step: nothing changes until somebody has another set. */
static int64_t when_next(const struct interpolate_source *s)
{
	int64_t time_ns = s->last_ns;
	for (unsigned m = 0; m < s->n_tracks; m++) {
		const struct pf_observed *o = &s->tracks[m].seen;
		for (unsigned i = 0; s->tracks[m].to >= 0 && i < o->n && i < 2; i++) {
			int64_t set_ns = pf_observed_at(o, i)->time_ns;
			time_ns = set_ns > s->next_ns && set_ns < time_ns ? set_ns : time_ns;
		}
	}
	return time_ns;
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct interpolate_source *s = (struct interpolate_source *)source;
	int rc = read_ahead(s, err);
	if (rc != 1)
		return rc;
	if (s->next_ns > s->last_ns)
		return -ENODATA;
	rc = put_sample(s, frames);
	go_on(s, rc == 0 ? when_next(s) : s->next_ns);
	s->ahead = s->last_ns > s->next_ns ? s->ahead : 0;
	if (rc == 0)
		pf_frames_cut(frames);
	return rc < 0 ? pf_err_set(err, rc, "no memory for a sample") : rc;
}

static int untold(struct pf_source *source, struct pf_err *err)
{
	return pf_source_untold(((struct interpolate_source *)source)->inner, err);
}

static bool accepts(const char *path)
{
	(void)path;
	return false; /* nothing is one by itself */
}

static int64_t begins(struct pf_source *source)
{
	return ((struct interpolate_source *)source)->next_ns;
}

static const struct pf_source_info *info(struct pf_source *source)
{
	return &((struct interpolate_source *)source)->info;
}

static int wait_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* a file never makes one wait */
}

static struct pf_source *close_interpolate(struct pf_source *source)
{
	struct interpolate_source *s = (struct interpolate_source *)source;
	if (!s)
		return NULL;
	if (s->inner)
		s->inner = s->inner->kind->close(s->inner);
	pf_scout_done(&s->scout);
	for (unsigned i = 0; i < s->n_tracks; i++) {
		pf_observed_done(&s->tracks[i].seen);
		free(s->tracks[i].slots);
	}
	free(s->tracks);
	pf_frames_done(&s->frames);
	(void)pf_catalog_free(s->own);
	free(s->groups);
	free(s);
	return NULL;
}

static int copy_groups(struct interpolate_source *s)
{
	unsigned n = 0;
	while (s->spec.groups && s->spec.groups[n])
		n++;
	if (!s->spec.groups)
		return 0;
	s->groups = calloc(n + 1, sizeof(*s->groups));
	if (!s->groups)
		return -ENOMEM;
	memcpy(s->groups, s->spec.groups, n * sizeof(*s->groups));
	s->spec.groups = s->groups;
	return 0;
}

static int open_inner(struct interpolate_source *s, struct pf_err *err)
{
	s->own = pf_catalog_new();
	if (!s->own || copy_groups(s) < 0)
		return pf_err_set(err, -ENOMEM, "%s: no memory", s->spec.path);
	s->own->keeps_slots = true;
	s->own->select = s->catalog->select;
	s->own->remap = s->catalog->remap;
	s->own->device = s->catalog->device;
	pf_frames_init(&s->frames, s->own);
	int rc = pf_source_open(&s->inner, &s->spec, s->own, err);
	if (rc == 0)
		rc = keep_up(s, err);
	if (rc == 0)
		pf_complete_init(&s->complete, s->spec.groups, s->catalog);
	return rc;
}

int pf_interpolate_open(struct pf_source **ret_source, const struct pf_source_spec *spec, int64_t step_ns,
			struct pf_catalog *cat, struct pf_err *err)
{
	struct interpolate_source *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	s->base.kind = &pf_source_interpolate;
	s->spec = *spec;
	s->spec.import = NULL;
	s->spec.each_record = true;
	s->catalog = cat;
	s->step_ns = step_ns;
	s->last_ns = INT64_MIN;
	int rc = open_inner(s, err);
	if (rc < 0) {
		(void)close_interpolate(&s->base);
		return rc;
	}
	const struct pf_source_kind *kind = s->inner->kind;
	s->info = *kind->info(s->inner);
	s->info.interval_ns = s->info.second_ns = step_ns;
	s->next_ns = kind->begins ? kind->begins(s->inner) : s->info.start_ns;
	*ret_source = &s->base;
	return 0;
}

void pf_interpolate_from(struct pf_source *source, int64_t time_ns)
{
	struct interpolate_source *s = (struct interpolate_source *)source;
	s->next_ns = time_ns;
	if (s->inner->kind->list && s->inner->kind->skip)
		s->inner->kind->skip(s->inner, time_ns); /* whole recordings before */
}

const struct pf_source_kind pf_source_interpolate = {
	.name = "interpolate",
	.title = "interpolated recording",
	.accepts = accepts,
	.next = next,
	.untold = untold,
	.begins = begins,
	.info = info,
	.fd = wait_fd,
	.close = close_interpolate,
};

/* sources/pcparchive.c - PCP archives. A metric that a built-in group knows by name lands in that group's row, so that every view of the group
 * works; the others are added as described in the archive. Numbers and instances are looked up once per record at most; what does not change
 * is found where it was last time.
 *
 * As recorded, each record of values is one sample (those of the very same time are one). pmlogger however writes a record per fetch group,
 * so for the views of chosen groups a sample is made of the records that follow one another as long as no metric comes twice; its time is
 * that of its largest record, and a discrete value holds until another one comes.
 *
 * Records that are of one shape are taken apart once: all that can be said of them is in the plan of the shape (sources/pcpplan.h), and where also the
 * samples stay alike, only numbers are copied (sources/pcpsteady.h).
 *
 * Archives of our own leave out discrete values that have not changed, and say so in a label of their context. There all of them
 * hold until something else is told (sinks/pcparchive.c). */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/zone.h"
#include "groups/list.h"
#include "sources/list.h"
#include "sources/pcprecord.h"

/* Loggers record once at the beginning what never changes. */
enum { FIRST_RECORDS = 16 };

/* The next record that somebody wants; a mark comes as one without metrics. */
static int read_record(struct pf_archive_source *s, struct pf_pcp_result *ret_result, struct pf_err *err)
{
	for (;;) {
		s->n_read++;
		int rc = pf_pcp_reader_next(s->reader, ret_result, err);
		if (rc != 1 || ret_result->n == 0 || pf_archive_wants(s, ret_result))
			return rc;
	}
}

/* Nothing is known between what is before and what comes after. */
static void part(struct pf_archive_source *s, struct pf_frames *frames)
{
	pf_frames_cut(frames);
	s->first = true;
	pf_lastings_forget(&s->lastings);
}

/* The record that begins a sample: the one that was read too far, or another one. */
static int first_record(struct pf_archive_source *s, struct pf_frames *frames, struct pf_err *err)
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
static void jump(struct pf_archive_source *s)
{
	if (s->skip_ns == INT64_MIN || s->n_read < FIRST_RECORDS || (s->ahead && s->next_rc != 1))
		return;
	if (pf_pcp_reader_skip(s->reader, s->skip_ns, s->holds)) {
		s->ahead = false;
		for (unsigned i = 0; i < pf_pcp_reader_meta(s->reader)->n_metrics; i++) {
			const struct pf_archive_target *t = &s->targets[i];
			if (t->to.index >= 0 && pf_archive_may_end(s, t))
				pf_lasting_forget(&s->lastings, (unsigned)t->lasting);
		}
	}
	s->skip_ns = INT64_MIN;
}

/* The record that was read becomes part of the sample, whose time is that of its largest one. */
static int add_record(struct pf_archive_source *s, struct pf_sample *sample)
{
	if (s->next.n > s->largest && (!s->joins || pf_archive_has_values(s, &s->next))) {
		s->largest = s->next.n;
		sample->time_ns = s->next.time_ns;
		sample->mono_ns = s->next.time_ns;
	}
	return pf_archive_take(s, &s->next, sample);
}

/* A sample that has the record that was read; NULL without memory. */
static struct pf_sample *begin(struct pf_archive_source *s, struct pf_frames *frames)
{
	struct pf_pcp_plan *plan = pf_archive_plan(s, &s->next);
	const struct pf_pcp_meta *meta = pf_pcp_reader_meta(s->reader);
	int64_t time_ns = s->next.time_ns;
	s->largest = 0;
	s->moves = false;
	s->untold = false;
	s->alone = plan;
	if (plan && pf_pcp_plan_holds(plan, meta) && pf_lastings_follows(&s->lastings, meta)) {
		struct pf_sample *again =
			pf_pcp_steady_next(&s->steady, plan, &s->lastings, frames, s->next.rec, time_ns);
		if (again) {
			s->largest = !s->joins || plan->has_values ? s->next.n : 0;
			s->moves = plan->moves;
			s->untold = true;
			return again;
		}
	}
	struct pf_sample *sample = pf_frames_begin(frames, time_ns, time_ns);
	return sample && add_record(s, sample) == 0 ? sample : NULL;
}

/* A steady sample gets another record: from here on it is made as any other. */
static int renew(struct pf_archive_source *s, struct pf_frames *frames, struct pf_sample *sample)
{
	pf_frames_renew(frames);
	if (s->untold)
		pf_archive_tell(s->alone, sample->seq);
	s->untold = false;
	return pf_pcp_plan_stamp(s->alone, sample);
}

/* All records of the sample are in it. Return: 0 or -ENOMEM. */
static int complete(struct pf_archive_source *s, struct pf_frames *frames, struct pf_sample *sample)
{
	const struct pf_pcp_plan *plan = s->alone;
	int rc = pf_lastings_put(&s->lastings, sample);
	if (rc == 0)
		rc = pf_complete_sample(&s->complete, frames->catalog, sample);
	pf_frames_settle(frames);
	if (rc == 0 && plan && plan->ready && !plan->texts && s->complete.n == 0)
		pf_pcp_steady_note(&s->steady, plan, &s->lastings, frames);
	return rc;
}

/* Return: is there a record of values behind? */
static bool read_ahead(struct pf_archive_source *s)
{
	s->next_err = (struct pf_err){ 0 };
	s->next_rc = read_record(s, &s->next, &s->next_err);
	s->ahead = true;
	return s->next_rc == 1 && s->next.n > 0;
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct pf_archive_source *s = (struct pf_archive_source *)source;
	const char *damage = pf_pcp_damage_next(&s->damage);
	if (damage)
		return pf_err_set(err, -EBADMSG, "%s", damage);
	jump(s);
	int rc = first_record(s, frames, err);
	if (rc != 1)
		return rc;
	int64_t begun_ns = s->next.time_ns;
	frames->sparse = frames->apart = true;
	struct pf_sample *sample = begin(s, frames);
	if (!sample)
		return pf_err_set(err, -ENOMEM, "no memory for a sample");

	bool made = sample->made != 0;
	while (read_ahead(s) && pf_archive_belongs(s, s->next, begun_ns, sample->seq)) {
		rc = made ? renew(s, frames, sample) : 0;
		made = false;
		s->alone = NULL;
		/* What holds is what held at the time of the first one. */
		if (rc == 0 && s->next.time_ns != begun_ns)
			rc = pf_lastings_put(&s->lastings, sample);
		if (rc == 0)
			rc = add_record(s, sample);
		if (rc < 0)
			return pf_err_set(err, rc, "no memory for a sample");
	}
	s->first = false;
	return made || complete(s, frames, sample) == 0 ? 1 : pf_err_set(err, -ENOMEM, "no memory for a sample");
}

/* What was read too far counts: it is in the file. */
static int untold(struct pf_source *source, struct pf_err *err)
{
	return pf_pcp_reader_untold(((struct pf_archive_source *)source)->reader, err);
}

static void skip(struct pf_source *source, int64_t before_ns)
{
	((struct pf_archive_source *)source)->skip_ns = before_ns;
}

static bool ends_before(struct pf_source *source, int64_t time_ns)
{
	const struct pf_archive_source *s = (struct pf_archive_source *)source;
	return pf_pcp_reader_ends_before(s->reader, time_ns);
}

static const struct pf_source_info *info(struct pf_source *source)
{
	return &((struct pf_archive_source *)source)->info;
}

static int wait_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* a file never makes one wait */
}

static struct pf_source *close_archive(struct pf_source *source)
{
	struct pf_archive_source *s = (struct pf_archive_source *)source;
	if (!s)
		return NULL;
	pf_pcp_about_leave(&s->about);
	s->reader = pf_pcp_reader_close(s->reader);
	pf_lastings_done(&s->lastings);
	pf_pcp_damage_done(&s->damage);
	for (unsigned i = 0; i < PF_PCP_SHAPES; i++)
		pf_pcp_plan_done(&s->plans[i]);
	pf_pcp_steady_done(&s->steady);
	free(s->targets);
	free(s);
	return NULL;
}

/* A place for each metric that is wanted. */
static int place_each(struct pf_archive_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
		      struct pf_pcp_own *own, struct pf_err *err)
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
	return pf_pcp_place_own(cat, own, spec->path, spec->notice, err);
}

/* Views that join records of pmlogger need what it told once; archives of ours leave out whatever has not changed. */
static int let_last(struct pf_archive_source *s, const struct pf_pcp_metric *m, struct pf_archive_target *t)
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

static int place_metrics(struct pf_archive_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
			 struct pf_err *err)
{
	unsigned n = pf_pcp_reader_meta(s->reader)->n_metrics;
	pf_autofree const struct pf_pcp_metric **metrics = calloc(n ? n : 1, sizeof(*metrics));
	pf_autofree struct pf_pcp_target **targets = calloc(n ? n : 1, sizeof(*targets));
	s->targets = calloc(n ? n : 1, sizeof(*s->targets));
	if (!s->targets || !metrics || !targets)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	struct pf_pcp_own own = { metrics, targets, 0 };
	int rc = place_each(s, spec, cat, &own, err);
	if (rc < 0)
		return rc;
	/* Domains only now: adding metrics may move the catalog's table of them. */
	for (unsigned i = 0; i < n && rc == 0; i++) {
		struct pf_archive_target *t = &s->targets[i];
		t->lasting = -1;
		t->discrete = pf_pcp_reader_meta(s->reader)->metrics[i].sem == PF_DISCRETE;
		if (t->to.index < 0)
			continue;
		pf_pcp_place_domain(cat, &t->to);
		rc = let_last(s, &pf_pcp_reader_meta(s->reader)->metrics[i], t);
	}
	return rc < 0 ? pf_err_set(err, rc, "%s: no memory", spec->path) : 0;
}

static int index_of(const void *arg, unsigned i)
{
	return ((const struct pf_archive_source *)arg)->targets[i].to.index;
}

static int open_archive(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
			struct pf_err *err)
{
	struct pf_archive_source *s = calloc(1, sizeof(*s));
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
	.untold = untold,
	.skip = skip,
	.ends_before = ends_before,
	.info = info,
	.fd = wait_fd,
	.close = close_archive,
};

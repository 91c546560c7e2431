/* engine/survey.c - samples counted as they go by. */
#include "engine/survey.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/stop.h"
#include "formats/pcp/labels.h"
#include "model/about.h"

static int room_for_metrics(struct pf_survey *s)
{
	unsigned n = s->catalog->n_metrics;
	if (n <= s->n_metrics)
		return 0;
	struct pf_survey_metric *more = reallocarray(s->metrics, n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + s->n_metrics, 0, (n - s->n_metrics) * sizeof(*more));
	s->metrics = more;
	s->n_metrics = n;
	return 0;
}

/* Those of samples that had the same cells as the one counted last. */
static void count_repeated(struct pf_survey *s)
{
	for (unsigned m = 0; m < s->n_metrics && s->repeated > 0; m++)
		s->metrics[m].values += s->repeated * s->metrics[m].last;
	s->repeated = 0;
}

/* Values of this sample; those of the second interval count in the sample in which they were taken. */
static void count_values(struct pf_survey *s, const struct pf_sample *cur)
{
	if (cur->made != 0 && cur->made == s->made) {
		s->repeated++;
		return;
	}
	count_repeated(s);
	s->made = cur->made;
	for (unsigned m = 0; m < s->n_metrics; m++) {
		const struct pf_indom *dom = pf_catalog_domain_of(s->catalog, m);
		unsigned slots = dom ? dom->n : 1;
		unsigned n = 0;
		s->metrics[m].last = 0;
		if (s->catalog->metric_periods[m] == PF_SECOND_INTERVAL && !cur->second)
			continue;
		for (unsigned slot = 0; slot < slots; slot++)
			n += pf_sample_has(cur, m, slot);
		s->metrics[m].values += n;
		s->metrics[m].last = n;
		if (n > s->metrics[m].instances)
			s->metrics[m].instances = n;
	}
}

static void count_length(struct pf_survey *s, int64_t ns)
{
	int64_t ms = (ns + PF_NS_PER_MS / 2) / PF_NS_PER_MS;
	if (s->shortest_ns == 0 || ns < s->shortest_ns)
		s->shortest_ns = ns;
	if (ns > s->longest_ns)
		s->longest_ns = ns;
	for (unsigned i = 0; i < s->n_lengths; i++) {
		if (s->lengths[i].ms == ms) {
			s->lengths[i].times++;
			return;
		}
	}
	if (ms > 0 && s->n_lengths < PF_SURVEY_LENGTHS)
		s->lengths[s->n_lengths++] = (struct pf_survey_length){ ms, 1 };
}

static void add_gap(struct pf_survey *s, int64_t from_ns, int64_t until_ns)
{
	if (s->n_gaps < PF_SURVEY_KEPT)
		s->gaps[s->n_gaps] = (struct pf_survey_gap){ from_ns, until_ns };
	s->n_gaps++;
}

static int count_sample(struct pf_survey *s, const struct pf_frames *frames)
{
	struct pf_step step = pf_frames_step(frames);
	int rc = room_for_metrics(s);
	if (rc < 0)
		return rc;
	count_values(s, step.cur);
	s->lost += step.lost;
	bool first = s->samples++ == 0;
	if (first)
		s->from_ns = step.cur->time_ns;
	else if (!step.prev || pf_time_is_gap(step.interval_ns, pf_survey_interval(s)))
		add_gap(s, s->until_ns, step.cur->time_ns);
	else
		count_length(s, step.interval_ns);
	s->until_ns = step.cur->time_ns;
	return 0;
}

static int add_damage(struct pf_survey *s, const char *text)
{
	if (s->n_damage < PF_SURVEY_KEPT) {
		s->damage[s->n_damage] = strdup(text);
		if (!s->damage[s->n_damage])
			return -ENOMEM;
	}
	s->n_damage++;
	return 0;
}

static int read_all(struct pf_survey *s, struct pf_frames *frames, struct pf_stop *stop, struct pf_err *err)
{
	int rc = 0;
	while (rc == 0 && !(stop && pf_stop_glance(stop))) {
		struct pf_err why = { 0 };
		rc = s->source->kind->next(s->source, frames, &why);
		if (rc == 1)
			rc = count_sample(s, frames);
		else if (rc == -EBADMSG)
			rc = add_damage(s, why.text);
		else if (rc < 0 && rc != -ENODATA)
			return pf_err_set(err, rc, "%s", why.text);
		if (rc == -ENOMEM)
			return pf_err_set(err, rc, "no memory");
	}
	return 0;
}

static void forget_labels(struct pf_survey *s)
{
	for (unsigned i = 0; i < s->n_labels; i++) {
		free(s->labels[i].name);
		free(s->labels[i].value);
	}
	free(s->labels);
	s->labels = NULL;
	s->n_labels = 0;
}

static int keep_labels(struct pf_survey *s, const struct pf_label_set *set)
{
	forget_labels(s);
	s->labels = calloc(set->n ? set->n : 1, sizeof(*s->labels));
	if (!s->labels)
		return -ENOMEM;
	for (uint32_t i = 0; i < set->n; i++) {
		struct pf_buf text = { 0 };
		pf_pcp_label_text(&text, set->labels[i].value);
		struct pf_survey_label *label = &s->labels[s->n_labels++];
		label->name = pf_view_dup(set->labels[i].name);
		label->value = text.failed ? NULL : pf_view_dup(pf_buf_text(&text));
		pf_buf_done(&text);
		if (!label->name || !label->value)
			return -ENOMEM;
	}
	return 0;
}

/* What the recording says of itself. */
static int read_labels(struct pf_survey *s)
{
	struct pf_about_ear ear = { 0 };
	struct pf_about a;
	int rc = pf_about_next(&ear, s->catalog, PF_ABOUT_LABELS, INT64_MAX, &a);
	while (rc == 1) {
		rc = a.owner == PF_OF_CONTEXT && a.n > 0 ? keep_labels(s, &a.sets[0]) : 0;
		if (rc == 0)
			rc = pf_about_next(&ear, s->catalog, PF_ABOUT_LABELS, INT64_MAX, &a);
	}
	pf_about_ear_done(&ear);
	return rc;
}

int pf_survey_take(struct pf_survey *s, const char *path, const struct pf_notice *notice, struct pf_stop *stop,
		   struct pf_err *err)
{
	*s = (struct pf_survey){ .catalog = pf_catalog_new() };
	if (!s->catalog)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	struct pf_source_spec spec = { .path = path, .root_fd = -1, .notice = notice };
	int rc = pf_source_open(&s->source, &spec, s->catalog, err);
	if (rc < 0)
		return rc;
	s->info = s->source->kind->info(s->source);
	struct pf_frames frames;
	pf_frames_init(&frames, s->catalog);
	rc = read_all(s, &frames, stop, err);
	count_repeated(s);
	pf_frames_done(&frames);
	if (rc == 0 && read_labels(s) < 0)
		rc = pf_err_set(err, -ENOMEM, "%s: no memory", path);
	return rc;
}

void pf_survey_done(struct pf_survey *s)
{
	if (s->source)
		s->source = s->source->kind->close(s->source);
	s->catalog = pf_catalog_free(s->catalog);
	for (unsigned i = 0; i < PF_SURVEY_KEPT; i++)
		free(s->damage[i]);
	free(s->metrics);
	forget_labels(s);
	*s = (struct pf_survey){ 0 };
}

int64_t pf_survey_interval(const struct pf_survey *s)
{
	if (s->info->interval_ns > 0)
		return s->info->interval_ns;
	struct pf_survey_length most = { 0 };
	for (unsigned i = 0; i < s->n_lengths; i++) {
		if (s->lengths[i].times * (uint64_t)s->lengths[i].ms > most.times * (uint64_t)most.ms)
			most = s->lengths[i];
	}
	return most.ms * PF_NS_PER_MS;
}

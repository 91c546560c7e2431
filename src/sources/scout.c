/* sources/scout.c - a second reader of the same recording, opened once it is needed. */
#include "sources/scout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/catalog.h"

static int open_scout(struct pf_scout *s, const struct pf_source_spec *spec, struct pf_err *err)
{
	struct pf_source_spec quiet = *spec;
	quiet.notice = NULL;
	quiet.tap = NULL;
	s->catalog = pf_catalog_new();
	if (!s->catalog)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	pf_frames_init(&s->frames, s->catalog);
	return pf_source_open(&s->source, &quiet, s->catalog, err);
}

static int room_for(struct pf_scout *s, unsigned n)
{
	if (n <= s->n)
		return 0;
	int64_t *more = reallocarray(s->last_ns, n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	for (unsigned i = s->n; i < n; i++)
		more[i] = INT64_MIN;
	s->last_ns = more;
	s->n = n;
	return 0;
}

static bool has_any(const struct pf_sample *sample, unsigned metric)
{
	for (unsigned slot = 0; slot < sample->cells[metric].cap; slot++) {
		if (pf_sample_has(sample, metric, slot))
			return true;
	}
	int32_t why;
	return pf_sample_failed(sample, metric, &why);
}

/* Return: 0 go on, negative errno. */
static int read_on(struct pf_scout *s, struct pf_err *err)
{
	struct pf_err own = { 0 };
	int rc = s->source->kind->next(s->source, &s->frames, &own);
	s->ended = rc == -ENODATA;
	if (rc < 0 && rc != -ENODATA && rc != -EBADMSG) /* damage is told by whoever reads in earnest */
		return pf_err_set(err, rc, "%s", own.text);
	if (rc != 1)
		return 0;
	const struct pf_sample *sample = pf_frames_step(&s->frames).cur;
	rc = room_for(s, sample->n_metrics);
	for (unsigned m = 0; rc == 0 && m < sample->n_metrics; m++) {
		if (has_any(sample, m))
			s->last_ns[m] = sample->time_ns;
	}
	return rc < 0 ? pf_err_set(err, rc, "no memory") : 0;
}

int pf_scout_comes(struct pf_scout *s, const struct pf_source_spec *spec, unsigned metric, int64_t time_ns,
		   struct pf_err *err)
{
	int rc = s->source ? 0 : open_scout(s, spec, err);
	if (rc == 0)
		rc = room_for(s, metric + 1);
	while (rc == 0 && !s->ended && s->last_ns[metric] <= time_ns)
		rc = read_on(s, err);
	return rc < 0 ? rc : s->last_ns[metric] > time_ns;
}

void pf_scout_done(struct pf_scout *s)
{
	if (s->source)
		s->source = s->source->kind->close(s->source);
	pf_frames_done(&s->frames);
	s->catalog = pf_catalog_free(s->catalog);
	free(s->last_ns);
	*s = (struct pf_scout){ 0 };
}

/* sinks/tee.c - hand everything to several sinks. */
#include "sinks/tee.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/notice.h"

struct tee {
	struct pf_sink base;
	struct pf_sink *sinks[PF_TEE_MAX];
	unsigned n;
	const struct pf_notice *notice;
	struct pf_err failed; /* first reason why a sink was given up */
};

/* The first error counts, but that a reader is gone says less than anything else. */
static int worse(int rc, int more)
{
	if (more >= 0 || (rc < 0 && rc != -EPIPE))
		return rc;
	return rc == 0 || more != -EPIPE ? more : rc;
}

static struct pf_err *only_first(int rc, struct pf_err *err)
{
	return rc < 0 && rc != -EPIPE ? NULL : err;
}

/* A sink failed with @rc. As long as there are others they go on without it, unless the reader of the output is gone, which ends all.
 * Return: @rc if it was the last one. */
static int give_up(struct tee *t, unsigned i, int rc, const struct pf_err *why)
{
	if (rc == -EPIPE || t->n == 1)
		return rc;
	const char *text = why->text[0] != '\0' ? why->text : strerror(-rc);
	pf_notice(t->notice, PF_WARNING, "%s, going on with the other outputs", text);
	if (t->failed.rc == 0)
		(void)pf_err_set(&t->failed, rc, "%s", text);
	(void)t->sinks[i]->kind->close(t->sinks[i], NULL); /* completes what it can; the reason is told */
	t->n--;
	memmove(&t->sinks[i], &t->sinks[i + 1], (t->n - i) * sizeof(t->sinks[0]));
	return 0;
}

static int mark(struct pf_sink *sink, int64_t time_ns)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++)
		rc = worse(rc, t->sinks[i]->kind->mark ? t->sinks[i]->kind->mark(t->sinks[i], time_ns) : 0);
	return rc;
}

static int raw(struct pf_sink *sink, struct pf_view tag, struct pf_view line)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++)
		rc = worse(rc, t->sinks[i]->kind->raw ? t->sinks[i]->kind->raw(t->sinks[i], tag, line) : 0);
	return rc;
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++) {
		struct pf_sink *s = t->sinks[i];
		struct pf_err why = { 0 };
		int one = s->kind->sample ? s->kind->sample(s, step, &why) : 0;
		if (one >= 0)
			continue;
		unsigned before = t->n;
		one = give_up(t, i, one, &why);
		i -= t->n < before;
		if (one < 0 && why.text[0] != '\0')
			(void)pf_err_set(only_first(rc, err), one, "%s", why.text);
		rc = worse(rc, one);
	}
	return rc;
}

static int event(struct pf_sink *sink, const struct pf_event *e, struct pf_err *err)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++) {
		struct pf_sink *s = t->sinks[i];
		rc = worse(rc, s->kind->event ? s->kind->event(s, e, only_first(rc, err)) : 0);
	}
	return rc;
}

static int key(struct pf_sink *sink, int key, const struct pf_step *step, struct pf_err *err)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++) {
		struct pf_sink *s = t->sinks[i];
		rc = worse(rc, s->kind->key ? s->kind->key(s, key, step, only_first(rc, err)) : 0);
	}
	return rc;
}

static int flush(struct pf_sink *sink)
{
	struct tee *t = (struct tee *)sink;
	static const struct pf_err unknown = { 0 };
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++) {
		int one = t->sinks[i]->kind->flush ? t->sinks[i]->kind->flush(t->sinks[i]) : 0;
		if (one >= 0)
			continue;
		unsigned before = t->n;
		rc = worse(rc, give_up(t, i, one, &unknown));
		i -= t->n < before;
	}
	return rc;
}

static int part(struct pf_sink *sink, int64_t end_ns)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++)
		rc = worse(rc, t->sinks[i]->kind->part ? t->sinks[i]->kind->part(t->sinks[i], end_ns) : 0);
	return rc;
}

static int close_tee(struct pf_sink *sink, struct pf_err *err)
{
	struct tee *t = (struct tee *)sink;
	int rc = 0;
	for (unsigned i = 0; i < t->n; i++)
		rc = worse(rc, t->sinks[i]->kind->close(t->sinks[i], only_first(rc, err)));
	if (rc == 0 && t->failed.rc < 0)
		rc = pf_err_set(err, t->failed.rc, "%s", t->failed.text);
	free(t);
	return rc;
}

static const struct pf_sink_kind tee_kind = {
	.name = "tee",
	.mark = mark,
	.raw = raw,
	.sample = sample,
	.event = event,
	.key = key,
	.flush = flush,
	.part = part,
	.close = close_tee,
};

int pf_tee_open(struct pf_sink **ret_sink, const struct pf_sink_kind *const *kinds, const struct pf_sink_spec *specs,
		unsigned n, struct pf_err *err)
{
	assert(n > 0 && n <= PF_TEE_MAX);
	if (n == 1)
		return kinds[0]->open(ret_sink, &specs[0], err);
	struct tee *t = calloc(1, sizeof(*t));
	if (!t)
		return pf_err_set(err, -ENOMEM, "no memory");
	t->base.kind = &tee_kind;
	t->notice = specs[0].notice;
	int rc = 0;
	while (rc == 0 && t->n < n) {
		rc = kinds[t->n]->open(&t->sinks[t->n], &specs[t->n], err);
		t->n += rc == 0;
	}
	if (rc < 0)
		(void)close_tee(&t->base, NULL); /* why it could not be opened is what counts */
	else
		*ret_sink = &t->base;
	return rc;
}

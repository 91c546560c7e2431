/* sinks/raw.c - collectl raw files of what is sampled, text as it was read. The real collectl 4.3.1 plays them back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "formats/collectl/header.h"
#include "formats/collectl/writer.h"
#include "sinks/sink.h"

enum { PENDING_MAX = 32 * 1024 };

/* @text: the interval being built, after those that nobody has flushed; @stuck: the disk takes nothing, which was told */
struct raw_sink {
	struct pf_sink base;
	struct pf_collectl_writer *writer;
	struct pf_buf text;
	const struct pf_notice *notice;
	bool stuck;
};

static int write_interval(struct raw_sink *s)
{
	if (s->text.failed)
		return s->text.failed;
	if (s->text.n == 0)
		return 0;
	struct pf_err err = { 0 };
	int rc = pf_collectl_write(s->writer, s->text.p, s->text.n, &err);
	pf_buf_clear(&s->text);
	if (rc < 0)
		return rc;
	if (rc > 0 && !s->stuck)
		pf_notice(s->notice, PF_WARNING, "%s", err.text);
	else if (rc == 0 && s->stuck)
		pf_notice(s->notice, PF_INFO, "the raw file can be written again");
	s->stuck = rc > 0;
	return 0;
}

static int mark(struct pf_sink *sink, int64_t time_ns)
{
	struct raw_sink *s = (struct raw_sink *)sink;
	int rc = s->text.n >= PENDING_MAX ? write_interval(s) : 0;
	pf_collectl_marker_build(&s->text, time_ns);
	return rc;
}

static int raw(struct pf_sink *sink, struct pf_view tag, struct pf_view line)
{
	struct raw_sink *s = (struct raw_sink *)sink;
	char *to = pf_buf_reserve(&s->text, tag.n + line.n + 2);
	if (!to)
		return s->text.failed;
	if (tag.n > 0) {
		memcpy(to, tag.p, tag.n);
		to += tag.n;
		*to++ = ' ';
		s->text.n += tag.n + 1;
	}
	memcpy(to, line.p, line.n);
	to[line.n] = '\n';
	s->text.n += line.n + 1;
	return 0;
}

static int flush(struct pf_sink *sink)
{
	return write_interval((struct raw_sink *)sink);
}

static int close_raw(struct pf_sink *sink, struct pf_err *err)
{
	struct raw_sink *s = (struct raw_sink *)sink;
	if (!s)
		return 0;
	int rc = s->writer ? write_interval(s) : 0;
	if (rc < 0)
		(void)pf_err_set(err, rc, "raw file: %s", strerror(-rc));
	if (s->writer) {
		int frc = pf_collectl_finish(s->writer, rc < 0 ? NULL : err);
		rc = rc < 0 ? rc : frc;
	}
	pf_buf_done(&s->text);
	free(s);
	return rc;
}

static int open_raw(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct raw_sink *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "no memory");
	s->base.kind = &pf_sink_raw;
	s->notice = spec->notice;
	int rc = pf_collectl_create(&s->writer, spec->path, err);
	if (rc < 0) {
		free(s);
		return rc;
	}
	pf_buf_str(&s->text, spec->header);
	rc = write_interval(s);
	if (rc < 0) {
		(void)close_raw(&s->base, NULL);
		return pf_err_set(err, rc, "%s: %s", spec->path, strerror(-rc));
	}
	*ret_sink = &s->base;
	return 0;
}

const struct pf_sink_kind pf_sink_raw = {
	.name = "raw",
	.open = open_raw,
	.mark = mark,
	.raw = raw,
	.flush = flush,
	.close = close_raw,
};

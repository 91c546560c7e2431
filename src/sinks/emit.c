/* sinks/emit.c - samples and events as documents: docs/samples.md, perfolio-oformat(7). */
#include "sinks/emit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"

static const char *const sample_columns[] = {
	"timestamp", "interval", "name", "semantics", "units", "instance", "value", "rate", "msg", "raw",
};

static const char *const event_columns[] = {
	"timestamp", "cpu", "id", "provider", "module", "function", "name", "flow", "depth",
};

static struct pf_emit *emit_of(struct pf_sink *s)
{
	return (struct pf_emit *)s;
}

/* Both clocks, read together. */
static void clock_members(struct pf_doc *doc)
{
	pf_doc_object_begin(doc, "clock");
	pf_doc_int(doc, "timestamp", pf_time_mono_ns());
	pf_doc_int(doc, "walltimestamp", pf_time_wall_ns());
	pf_doc_object_end(doc);
}

static int begin(struct pf_emit *e, const struct pf_sink_spec *spec)
{
	bool header = spec->doc->header;
	if (header || !e->events)
		pf_doc_int(e->doc, "format-version", PF_EMIT_VERSION);
	if (!e->events && spec->view && spec->view->host)
		pf_doc_name(e->doc, "host", spec->view->host);
	if (!e->events && spec->interval_ns > 0)
		pf_doc_int(e->doc, "interval", spec->interval_ns);
	if (header)
		clock_members(e->doc);
	if (e->events)
		pf_doc_columns(e->doc, event_columns, PF_N(event_columns), true);
	else
		pf_doc_columns(e->doc, sample_columns, PF_N(sample_columns), false);
	return pf_doc_begin(e->doc);
}

/* What a write has come to. A live recording waits for room on the disk: samples in between are lost, and a gap is told. */
static int written(struct pf_emit *e, int rc)
{
	if (rc < 0 && e->live && pf_doc_recover(e->doc)) {
		if (!e->stuck)
			pf_notice(e->notice, PF_WARNING, "writing the output failed: %s, trying again with each sample",
				  strerror(-rc));
		e->stuck = true;
		e->disk_rc = rc;
		e->unwritten += e->pending;
		e->pending = 0;
		e->last_ns = e->written_ns;
		e->any = e->written_ns != 0;
		return 0;
	}
	return rc;
}

static int emit_flush(struct pf_sink *s)
{
	struct pf_emit *e = emit_of(s);
	int rc = written(e, pf_doc_flush(e->doc));
	if (rc < 0 || e->pending == 0)
		return rc;
	if (e->stuck)
		pf_notice(e->notice, PF_INFO, "the output can be written again");
	e->stuck = false;
	e->written_ns = e->last_ns;
	e->pending = 0;
	return 0;
}

/* -EPIPE is the reader's business and needs no sentence. */
static int told(int rc, struct pf_err *err)
{
	if (rc < 0 && rc != -EPIPE)
		(void)pf_err_set(err, rc, "writing the output failed: %s", strerror(-rc));
	return rc;
}

static int emit_close(struct pf_sink *s, struct pf_err *err)
{
	struct pf_emit *e = emit_of(s);
	int rc = e->live ? emit_flush(s) : 0;
	int crc = pf_doc_close(e->doc);
	rc = rc < 0 ? rc : crc;
	if (rc == 0 && e->unwritten > 0)
		rc = pf_err_set(err, e->disk_rc, "writing the output failed: %s; %llu samples are lost",
				strerror(-e->disk_rc), (unsigned long long)e->unwritten);
	else
		rc = told(rc, err);
	pf_arena_done(&e->arena);
	pf_about_ear_done(&e->ear);
	free(e->heads);
	free(e->speeds);
	free(e);
	return rc;
}

static int emit_open(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	if (!spec->doc)
		return pf_err_set(err, -EINVAL, "no output format was chosen");

	struct pf_emit *e = calloc(1, sizeof(*e));
	if (!e)
		return pf_err_set(err, -ENOMEM, "no memory for the output");
	e->sink.kind = &pf_sink_emit;
	e->events = spec->events;
	e->live = spec->live && !spec->events;
	e->nominal_ns = spec->interval_ns;
	e->notice = spec->notice;
	e->view = spec->view;
	e->groups = spec->groups;
	e->bases = spec->bases;
	e->can_nest = spec->doc->format != PF_FORMAT_CSV;
	if (e->can_nest)
		e->about = PF_ABOUT_METRIC | PF_ABOUT_DOMAIN | PF_ABOUT_LABELS | (spec->doc->texts ? PF_ABOUT_TEXT : 0);
	e->wall_offset_ns = pf_time_wall_ns() - pf_time_mono_ns();

	int rc = pf_doc_open(&e->doc, spec->doc, spec->fd, spec->events ? "dtrace" : "perfolio",
			     spec->events ? "probes" : "samples", err);
	if (rc == 0)
		pf_doc_outlet(e->doc, spec->outlet);
	if (rc == 0)
		rc = told(begin(e, spec), err);
	if (rc < 0) {
		(void)emit_close(&e->sink, NULL); /* the first error is the one to tell */
		return rc;
	}
	*ret_sink = &e->sink;
	return 0;
}

static int emit_sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct pf_emit *e = emit_of(s);
	e->pending++;
	return told(written(e, pf_emit_sample(e, step, err)), err);
}

static int emit_event(struct pf_sink *s, const struct pf_event *event, struct pf_err *err)
{
	struct pf_emit *e = emit_of(s);
	if (!e->events && !e->can_nest)
		return pf_err_set(err, -ENOTSUP,
				  "csv cannot hold events between samples: use json, jsonl, xml or html");
	return told(pf_emit_event(e, event, err), err);
}

const struct pf_sink_kind pf_sink_emit = {
	.name = "emit",
	.open = emit_open,
	.sample = emit_sample,
	.event = emit_event,
	.flush = emit_flush,
	.close = emit_close,
};

/* sinks/openmetrics.c - all metrics for Prometheus: printed, as a file that is replaced, or served over HTTP. Counters stay counters, so
 * nothing is lost between two scrapes, however far apart. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outlet.h"
#include "formats/text/pack.h"
#include "sinks/export_options.h"
#include "sinks/exposition.h"
#include "sinks/http.h"
#include "sinks/sink.h"
#include "sinks/snapshot.h"

/* An exposition as it was last asked for; @seq: of its sample. */
struct page {
	struct pf_buf text;
	uint64_t seq;
};

/**
 * struct openmetrics
 * @step: the sample that is served, valid until the next one is taken; @known: there is one
 * @pages: by form, plain and packed, made when they are asked for
 */
struct openmetrics {
	struct pf_sink sink;
	struct pf_outlet *to;
	struct pf_outlet_fd own;
	struct pf_snapshot file;
	enum pf_expo_form file_form;
	struct pf_http *http;
	struct pf_step step;
	bool known;
	struct pf_expo expo;
	struct pf_buf text;
	struct page pages[PF_N_EXPO_FORMS][2];
};

/* The text of a form, packed if wanted, made once for each sample. */
static const struct pf_buf *page_of(struct openmetrics *o, enum pf_expo_form form, bool packed)
{
	struct page *page = &o->pages[form][packed];
	if (page->seq == o->step.cur->seq)
		return &page->text;
	page->seq = 0;
	pf_buf_clear(&page->text);
	const struct pf_buf *plain = packed ? page_of(o, form, false) : NULL;
	if (packed && !plain)
		return NULL;
	int rc = packed ? pf_pack_gzip(&page->text, pf_buf_text(plain))
			: pf_expo_write(&o->expo, &page->text, form, &o->step, false);
	if (rc < 0)
		return NULL;
	page->seq = o->step.cur->seq;
	return &page->text;
}

static int find_page(void *arg, const struct pf_http_request *request, struct pf_http_page *ret)
{
	struct openmetrics *o = arg;
	if (pf_view_is(request->path, "/")) {
		ret->type = "text/html; charset=utf-8";
		ret->body = PF_VIEW("<!DOCTYPE html><title>perfolio</title><p><a href=\"/metrics\">metrics</a></p>\n");
		return 200;
	}
	if (!pf_view_is(request->path, "/metrics"))
		return 404;
	if (!o->known)
		return 503;
	enum pf_expo_form form = request->wants_open ? PF_EXPO_OPEN : PF_EXPO_PLAIN;
	const struct pf_buf *text = page_of(o, form, request->gzip);
	if (!text)
		return 500;
	ret->type = pf_expo_type(form);
	ret->encoding = request->gzip ? "gzip" : NULL;
	ret->body = pf_buf_text(text);
	return 200;
}

static int close_openmetrics(struct pf_sink *s, struct pf_err *err)
{
	struct openmetrics *o = (struct openmetrics *)s;
	(void)err;
	o->http = pf_http_close(o->http);
	pf_snapshot_done(&o->file);
	pf_expo_done(&o->expo);
	pf_buf_done(&o->text);
	for (unsigned i = 0; i < PF_N_EXPO_FORMS; i++) {
		pf_buf_done(&o->pages[i][0].text);
		pf_buf_done(&o->pages[i][1].text);
	}
	free(o);
	return 0;
}

static int open_server(struct openmetrics *o, const struct pf_sink_spec *spec, struct pf_err *err)
{
	const struct pf_export_options *x = spec->export;
	if (x->port[0] == '\0')
		return 0;
	if (!spec->loop)
		return pf_err_set(err, -EINVAL, "openmetrics can only be served live; use f=FILE or standard output");
	const struct pf_http_site site = { find_page, o };
	int rc = pf_http_open(&o->http, x->host[0] != '\0' ? x->host : NULL, x->port, &site, spec->loop, err);
	return rc < 0 ? pf_err_context(err, rc, "openmetrics") : 0;
}

/* The textfile collector reads files that end in .prom, and only the older form. */
static enum pf_expo_form form_of(const struct pf_snapshot *file)
{
	size_t n = file->path ? strlen(file->path) : 0;
	return n > 5 && strcmp(file->path + n - 5, ".prom") == 0 ? PF_EXPO_PLAIN : PF_EXPO_OPEN;
}

static int open_openmetrics(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct openmetrics *o = calloc(1, sizeof(*o));
	if (!o)
		return pf_err_set(err, -ENOMEM, "no memory for the exporter");
	o->sink.kind = &pf_sink_openmetrics;
	o->to = pf_outlet_or_fd(spec->outlet, &o->own, spec->fd);
	int rc = pf_snapshot_choose(&o->file, spec->path, "perfolio.prom", spec->export->file, err);
	o->file_form = form_of(&o->file);
	if (rc == 0)
		rc = open_server(o, spec, err);
	if (rc < 0)
		(void)close_openmetrics(&o->sink, NULL);
	else
		*ret_sink = &o->sink;
	return rc;
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct openmetrics *o = (struct openmetrics *)s;
	o->step = *step;
	o->known = true;
	if (o->http)
		pf_http_tidy(o->http);
	pf_buf_clear(&o->text);
	if (o->file.path) {
		int rc = pf_expo_write(&o->expo, &o->text, o->file_form, step, false);
		return rc < 0 ? rc : pf_snapshot_write(&o->file, pf_buf_text(&o->text), err);
	}
	if (o->http || !step->prev)
		return 0;
	int rc = pf_expo_write(&o->expo, &o->text, PF_EXPO_OPEN, step, true);
	return rc < 0 ? rc : pf_outlet_put(o->to, pf_buf_text(&o->text), 0);
}

const struct pf_sink_kind pf_sink_openmetrics = {
	.name = "openmetrics",
	.open = open_openmetrics,
	.sample = sample,
	.close = close_openmetrics,
	.levels = true,
	.snapshot = true,
};

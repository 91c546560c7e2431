/* sinks/textview.c - the frame of the text views. */
#include "sinks/textview.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "import/import.h"

/* Text that is kept back while nobody waits for it. */
enum { WRITE_AT = 32 * 1024 };

int pf_textview_open(struct pf_textview **ret_view, size_t size, const struct pf_sink_kind *sink,
		     const struct pf_sink_spec *spec, enum pf_view_kind kind, const char *order, struct pf_err *err)
{
	struct pf_textview *v = calloc(1, size);
	if (!v)
		return pf_err_set(err, -ENOMEM, "no memory for the %s view", sink->name);
	v->sink.kind = sink;
	v->to = pf_outlet_or_fd(spec->outlet, &v->own, spec->fd);
	v->view = spec->view;
	v->lines = 1;
	int n = pf_sections_open(spec, kind, order, v->sections);
	if (n < 0) {
		free(v);
		return pf_err_set(err, n, "no memory for the %s view", sink->name);
	}
	v->n_sections = (unsigned)n;
	*ret_view = v;
	return 0;
}

/* Blocks of the second interval that have nothing to show now, and nothing else; the summary line of plots has zeros instead. */
static bool is_quiet(const struct pf_textview *v)
{
	for (unsigned i = 0; i < v->n_sections; i++) {
		const struct pf_section *s = &v->sections[i];
		if (s->due || (s->layouts[0]->view == PF_VIEW_PLOT && !s->layouts[0]->each))
			return false;
	}
	return v->n_sections > 0 && !v->view->import;
}

int pf_textview_begin(struct pf_textview *v, const struct pf_step *step, struct pf_calc_step *ret_calc)
{
	v->whole = v->out.n;
	for (unsigned i = 0; i < v->n_sections; i++) {
		v->sections[i].first = v->lines == 1;
		int rc = pf_section_prepare(&v->sections[i], step);
		if (rc < 0)
			return rc;
	}
	if (!step->prev || is_quiet(v))
		return 0;
	pf_calc_begin(ret_calc, step, v->view);
	return 1;
}

int pf_textview_flush(struct pf_sink *s)
{
	struct pf_textview *v = (struct pf_textview *)s;
	int rc = v->out.failed;
	if (v->view->import && pf_import_fatal(v->view->import) && v->out.n > v->whole)
		v->out.n = v->whole;
	if (rc == 0)
		rc = pf_outlet_put(v->to, pf_buf_text(&v->out), 0);
	pf_buf_clear(&v->out);
	v->whole = 0;
	if (rc < 0 && v->failed == 0)
		v->failed = rc;
	return rc;
}

int pf_textview_end(struct pf_textview *v)
{
	v->lines++;
	return pf_textview_written(v);
}

int pf_textview_written(struct pf_textview *v)
{
	return v->out.n >= WRITE_AT || v->out.failed ? pf_textview_flush(&v->sink) : 0;
}

int pf_textview_close(struct pf_sink *s, struct pf_err *err)
{
	struct pf_textview *v = (struct pf_textview *)s;
	(void)pf_textview_flush(s); /* the first error is kept in failed */
	int rc = v->failed;
	if (rc < 0)
		(void)pf_err_set(err, rc, "writing the %s view: %s", s->kind->name, strerror(-rc));
	pf_sections_close(v->sections, v->n_sections);
	pf_buf_done(&v->out);
	free(v);
	return rc;
}

void pf_textview_heading(struct pf_textview *v, size_t from)
{
	if (v->to->latecomers && !v->out.failed)
		(void)pf_outlet_remind(v->to, (struct pf_view){ v->out.p + from, v->out.n - from });
}

bool pf_textview_header_due(const struct pf_textview *v)
{
	int hr = v->view->header_repeat;
	if (hr == 1)
		return true;
	if (hr <= 0)
		return hr == 0 && v->lines == 1;
	return v->lines % (uint64_t)hr == 1;
}

void pf_textview_home(struct pf_textview *v)
{
	pf_buf_str(&v->out, v->lines == 1 ? "\033[H\033[J\033[H\033[J" : "\033[H\033[H"); /* twice, as collectl does */
}

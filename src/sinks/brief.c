/* sinks/brief.c - one line a sample. Layout: spec collectl-data section 4. */
#include "sinks/textview.h"

#include "import/import.h"
#include "sinks/draw.h"
#include "sinks/times.h"

/* Groups stand in this order whatever the user's; modules come last. */
static const char order[] = "cjmbydntsixfl";

static int open_brief(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_textview *v = NULL;
	int rc = pf_textview_open(&v, sizeof(*v), &pf_sink_brief, spec, PF_VIEW_BRIEF, order, err);
	if (rc == 0)
		*ret_sink = &v->sink;
	return rc;
}

static void header(struct pf_textview *v, const struct pf_step *step)
{
	for (int line = 1; line <= 2; line++) {
		pf_buf_char(&v->out, '#');
		if (line == 1)
			pf_buf_pad(&v->out, ' ', pf_times_width(v->view));
		else
			pf_times_title(&v->out, v->view);
		for (unsigned i = 0; i < v->n_sections; i++) {
			for (unsigned k = 0; k < v->sections[i].n_layouts; k++) {
				const struct pf_layout *l = v->sections[i].layouts[k];
				pf_section_text(&v->sections[i], &v->out, line == 1 ? l->head1 : l->head2);
			}
		}
		if (v->view->import)
			pf_import_brief(v->view->import, line, step, &v->out);
		pf_buf_char(&v->out, '\n');
	}
}

/* What modules expect beside the values: types of perfolio/module.h. */
enum { IMPORT_VALUES = 3, IMPORT_COUNT = 5 };

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct pf_textview *v = (struct pf_textview *)s;
	struct pf_calc_step calc;
	(void)err;
	int rc = pf_textview_begin(v, step, &calc);
	if (rc <= 0)
		return rc;

	if (v->view->home)
		pf_buf_str(&v->out, "\033[H\033[J");
	if (pf_textview_header_due(v))
		header(v, step);
	size_t line = v->out.n;
	pf_times_add(&v->out, v->view, step->cur->time_ns);
	pf_buf_char(&v->out, ' ');
	for (unsigned i = 0; i < v->n_sections; i++)
		(void)pf_draw_row(&v->out, &calc, &v->sections[i], PF_ROW_SUM, 0);

	size_t before = v->out.n;
	if (v->view->import) {
		pf_import_brief(v->view->import, IMPORT_VALUES, step, &v->out);
		pf_import_brief(v->view->import, IMPORT_COUNT, step, &v->out);
	}
	if (v->view->import && v->n_sections == 0 && v->out.n == before)
		v->out.n = line; /* modules alone, and none had anything to say */
	else
		pf_buf_char(&v->out, '\n');
	return pf_textview_end(v);
}

const struct pf_sink_kind pf_sink_brief = {
	.name = "brief",
	.open = open_brief,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = pf_textview_close,
};

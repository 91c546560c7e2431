/* sinks/vmstat.c - one line a sample in the columns of vmstat(8). */
#include "sinks/textview.h"

#include "sinks/draw.h"
#include "sinks/times.h"

static int open_vmstat(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_textview *v = NULL;
	int rc = pf_textview_open(&v, sizeof(*v), &pf_sink_vmstat, spec, PF_VIEW_VMSTAT, "cm", err);
	if (rc < 0)
		return rc;
	struct pf_section end[PF_SECTIONS_MAX];
	rc = pf_sections_open(spec, PF_VIEW_VMSTAT_END, "c", end);
	if (rc < 0) {
		(void)pf_textview_close(&v->sink, NULL);
		return rc;
	}
	if (rc == 1)
		v->sections[v->n_sections++] = end[0];
	*ret_sink = &v->sink;
	return 0;
}

/* In playback collectl 4.3.1 prints it once. */
static bool header_due(const struct pf_textview *v)
{
	bool once = (v->view->variants & PF_AS_PEER) && (v->view->variants & PF_AS_RECORDED);
	return once ? v->lines == 1 && v->view->header_repeat >= 0 : pf_textview_header_due(v);
}

static void header(struct pf_textview *v)
{
	size_t from = v->out.n;
	pf_buf_char(&v->out, '#');
	pf_buf_pad(&v->out, ' ', pf_times_width(v->view));
	pf_buf_str(&v->out,
		   "procs ---------------memory (KB)--------------- --swaps-- -----io---- --system-- ----cpu-----\n#");
	pf_times_title(&v->out, v->view);
	pf_buf_str(&v->out,
		   " r  b   swpd   free   buff  cache  inact active   si   so    bi    bo   in    cs us sy  id wa\n");
	pf_textview_heading(v, from);
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct pf_textview *v = (struct pf_textview *)s;
	struct pf_calc_step calc;
	(void)err;
	int rc = pf_textview_begin(v, step, &calc);
	if (rc <= 0)
		return rc;
	if (header_due(v))
		header(v);
	struct pf_view_options clock = *v->view;
	if (clock.times == PF_TIMES_NONE && clock.millis && (clock.variants & PF_AS_PEER))
		clock.times = PF_TIMES_HMS;
	pf_times_add(&v->out, &clock, step->cur->time_ns);
	for (unsigned i = 0; i < v->n_sections; i++)
		(void)pf_draw_row(&v->out, &calc, &v->sections[i], PF_ROW_SUM, 0);
	pf_buf_char(&v->out, '\n');
	return pf_textview_end(v);
}

const struct pf_sink_kind pf_sink_vmstat = {
	.name = "vmstat",
	.open = open_vmstat,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = pf_textview_close,
};

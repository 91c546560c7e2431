/* sinks/brief.c - one line a sample. Layout: spec collectl-data section 4. */
#include "sinks/textview.h"

#include <string.h>

#include "base/err.h"
#include "groups/list.h"
#include "import/import.h"
#include "sinks/draw.h"
#include "sinks/times.h"
#include "sinks/totals.h"

/* Groups stand in this order whatever the user's; modules come last. */
static const char order[] = "cjmbydntsixflqpgo";

/**
 * struct brief
 * @end_ns: last marker of the recording, 0: not known; @nominal: seconds between samples as planned
 * @totals_wanted: somebody typed RETURN, so the totals so far come before the next line
 */
struct brief {
	struct pf_textview text;
	struct pf_totals totals;
	int64_t end_ns;
	double nominal;
	bool totals_wanted;
	unsigned declared; /* columns of modules under the last heading */
};

static int open_brief(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_textview *v = NULL;
	int rc = pf_textview_open(&v, sizeof(struct brief), &pf_sink_brief, spec, PF_VIEW_BRIEF, order, err);
	if (rc < 0)
		return rc;
	struct brief *b = (struct brief *)v;
	b->nominal = (double)spec->interval_ns / 1e9;
	if (v->view->stats || spec->keys)
		rc = pf_totals_open(&b->totals, v->sections, v->n_sections);
	if (rc < 0) {
		(void)pf_textview_close(&v->sink, NULL);
		return pf_err_set(err, rc, "no memory for totals");
	}
	*ret_sink = &v->sink;
	return 0;
}

static void header(struct pf_textview *v, const struct pf_step *step)
{
	if (pf_section_offline(v->view))
		pf_buf_str(&v->out, "# *** One or more CPUs disabled ***\n");
	for (int line = 1; line <= 2; line++) {
		pf_buf_char(&v->out, '#');
		if (line == 1)
			pf_buf_pad(&v->out, ' ', pf_times_width(v->view));
		else
			pf_times_title(&v->out, v->view);
		for (unsigned i = 0; i < v->n_sections; i++) {
			for (unsigned k = 0; k < v->sections[i].n_layouts; k++) {
				const struct pf_layout *l = v->sections[i].layouts[k];
				if (line == 1)
					pf_section_head1(&v->sections[i], &v->out, l);
				else
					pf_section_text(&v->sections[i], &v->out, l->head2);
			}
		}
		if (v->view->import)
			pf_import_brief(v->view->import, line, step, &v->out);
		pf_buf_char(&v->out, '\n');
	}
}

/* What modules expect beside the values: types of perfolio/module.h. */
enum { IMPORT_VALUES = 3, IMPORT_COUNT = 5, IMPORT_TOTALS = 6 };

static void values(struct pf_textview *v, const struct pf_step *step, const struct pf_calc_step *calc)
{
	size_t line = v->out.n;
	pf_times_add(&v->out, v->view, step->cur->time_ns);
	pf_buf_char(&v->out, ' ');
	for (unsigned i = 0; i < v->n_sections; i++)
		(void)pf_draw_row(&v->out, calc, &v->sections[i], PF_ROW_SUM, 0);

	size_t before = v->out.n;
	if (v->view->import)
		pf_import_brief(v->view->import, IMPORT_VALUES, step, &v->out);
	bool peer = v->view->variants & PF_AS_PEER;
	if (v->view->import && v->n_sections == 0 && v->out.n == before && !peer)
		v->out.n = line; /* modules alone, and none had anything to say */
	else
		pf_buf_char(&v->out, '\n');
}

static void totals_line(struct brief *b, char mark, double divisor);

static void totals_so_far(struct brief *b)
{
	bool peer = b->text.view->variants & PF_AS_PEER;
	if (b->totals.steps > 0)
		totals_line(b, 'T', peer && b->nominal > 0 ? b->nominal : 1);
	b->totals_wanted = false;
}

static int key(struct pf_sink *s, int key, const struct pf_step *step, struct pf_err *err)
{
	(void)step;
	(void)err;
	((struct brief *)s)->totals_wanted |= key == '\n';
	return 0;
}

/* Modules may have declared more since the last heading, which needs another then, unless there are none at all. */
static bool has_grown(struct brief *b)
{
	const struct pf_view_options *view = b->text.view;
	unsigned n = view->import ? pf_import_n_columns(view->import) : 0;
	bool grown = n != b->declared && b->text.lines > 1 && view->header_repeat >= 0;
	b->declared = n;
	return grown;
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct brief *b = (struct brief *)s;
	struct pf_textview *v = &b->text;
	struct pf_calc_step calc;
	(void)err;
	int rc = pf_textview_begin(v, step, &calc);
	if (rc <= 0)
		return rc;

	if (pf_sections_quiet(&calc, v->sections, v->n_sections)) {
		v->lines--;
		return pf_textview_end(v);
	}
	bool lines = !v->view->stats || v->view->stats_intervals;
	if (v->view->home && !v->view->home_bare)
		pf_buf_str(&v->out, v->lines == 1 ? "\033[H\033[J\033[H\033[J" : "\033[H\033[J");
	if (b->totals_wanted)
		totals_so_far(b);
	bool grown = has_grown(b);
	if (lines ? grown || pf_textview_header_due(v) : v->lines == 1) {
		size_t from = v->out.n;
		header(v, step);
		pf_textview_heading(v, from);
	}
	if (lines)
		values(v, step, &calc);
	if (v->view->import)
		pf_import_brief(v->view->import, IMPORT_COUNT, step, &v->out);
	if (v->view->stats || b->totals.columns[0])
		pf_totals_add(&b->totals, &calc, v->sections, v->n_sections);
	return pf_textview_end(v);
}

static void empty_layout(struct pf_textview *v, const struct pf_layout *layout)
{
	for (unsigned i = 0; i < layout->n_columns; i++) {
		const struct pf_column *col = &layout->columns[i];
		if (pf_section_allows(col->when, col->unless, col->any, v->view->variants))
			pf_draw_number(&v->out, col, v->view, 0);
	}
}

static void empty_group(struct pf_textview *v, const struct pf_group *group, char letter)
{
	for (unsigned i = 0; i < group->n_layouts; i++) {
		const struct pf_layout *l = &group->layouts[i];
		if (l->view == PF_VIEW_BRIEF && l->letter == letter &&
		    pf_section_allows(l->when, l->unless, l->any, v->view->variants))
			empty_layout(v, l);
	}
}

/* collectl 4.3.1 has columns of what was recorded in its totals although -s-all took them away, all of them zero. */
static void empty_columns(struct pf_textview *v)
{
	const char *letters = v->view->stats_extra ? v->view->stats_extra : "";
	for (const char *letter = order; *letter != '\0'; letter++) {
		for (unsigned g = 0; strchr(letters, *letter) && pf_groups[g]; g++)
			empty_group(v, pf_groups[g], *letter);
	}
}

static void totals_line(struct brief *b, char mark, double divisor)
{
	struct pf_textview *v = &b->text;
	if (v->view->stats_files || !v->view->stats_averages)
		pf_times_add(&v->out, v->view, b->totals.last_ns);
	else if (v->view->times != PF_TIMES_NONE)
		pf_buf_pad(&v->out, ' ', pf_times_width(v->view));
	pf_buf_char(&v->out, mark);
	empty_columns(v);
	pf_totals_row(&b->totals, &v->out, v->sections, v->n_sections, divisor);
	if (v->view->import)
		pf_import_brief(v->view->import, IMPORT_TOTALS, NULL, &v->out);
	pf_buf_char(&v->out, '\n');
}

/* collectl divides what was counted by the nominal interval, so that its totals are those of the host only at one second; and its
 * averages by the time from the first line to the last marker, which also counts the rest behind the last line. */
static void totals(struct brief *b)
{
	struct pf_totals *t = &b->totals;
	bool peer = b->text.view->variants & PF_AS_PEER;
	double seconds = t->seconds;
	if (peer && b->end_ns > t->first_ns) /* so inexactly: they are seconds of the epoch with a fraction there */
		seconds = (double)b->end_ns / 1e9 - (double)t->first_ns / 1e9;
	if (t->steps == 0)
		return;
	if (b->text.view->stats_averages)
		totals_line(b, 'A', seconds);
	totals_line(b, 'T', peer && b->nominal > 0 ? b->nominal : 1);
	pf_totals_reset(t, b->text.sections, b->text.n_sections);
}

static int part(struct pf_sink *s, int64_t end_ns)
{
	struct brief *b = (struct brief *)s;
	b->end_ns = end_ns;
	if (b->text.view->stats_files)
		totals(b);
	return 0;
}

static int close_brief(struct pf_sink *s, struct pf_err *err)
{
	struct brief *b = (struct brief *)s;
	if (b->text.view->stats)
		totals(b);
	pf_totals_close(&b->totals);
	return pf_textview_close(s, err);
}

const struct pf_sink_kind pf_sink_brief = {
	.name = "brief",
	.open = open_brief,
	.sample = sample,
	.key = key,
	.flush = pf_textview_flush,
	.part = part,
	.close = close_brief,
};

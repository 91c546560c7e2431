/* sinks/verbose.c - a block of lines for each subsystem. Layout: spec collectl-data section 5. */
#include "sinks/textview.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "import/import.h"
#include "sinks/draw.h"
#include "sinks/times.h"
#include "sinks/toplist.h"

/* Sections stand in this order whatever the user's; modules come before the last two. */
static const char order[] = "cCjJqQgGdDHfFilLmMbBpnNstExXyYZoO";
static const char after_modules[] = "YZ";

/**
 * struct verbose - the view.
 * @second: there are processes or slabs to show; collectl then heads what it has none of, too
 * @plain: with times only where every line has the same columns; collectl has them live whatever the columns
 * @same: every line has the same columns, so the time stands on it, and headings only come now and then; else each interval has a
 *        line of its own (RECORD) and all headings
 */
struct verbose {
	struct pf_textview text;
	struct pf_view_options plain;
	bool same, second;
	size_t line_from, line_n; /* the last line that collectl's modules find where they write; see modules() */
	struct pf_toplist top;
};

/* -sCj is the one pair that counts as the same columns. */
static bool same_columns(const struct pf_view_options *view)
{
	const char *letters = view->letters ? view->letters : "";
	size_t n = strlen(letters);
	if (!view->import)
		return n == 1 || strcmp(letters, "Cj") == 0 || strcmp(letters, "jC") == 0;
	for (size_t i = 0; i < n; i++) {
		if (isupper((unsigned char)letters[i]))
			return false;
	}
	return n + pf_import_n_summary(view->import) + pf_import_n_detail(view->import) == 1;
}

static int open_verbose(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_textview *t = NULL;
	int rc = pf_textview_open(&t, sizeof(struct verbose), &pf_sink_verbose, spec, PF_VIEW_VERBOSE, order, err);
	if (rc < 0)
		return rc;
	struct verbose *v = (struct verbose *)t;
	v->plain = *spec->view;
	v->same = same_columns(spec->view) && !spec->view->top_key;
	bool live_peer = (spec->view->variants & PF_AS_PEER) && !(spec->view->variants & PF_AS_RECORDED);
	if (!v->same && (!live_peer || spec->view->top_key)) {
		v->plain.times = PF_TIMES_NONE;
		v->plain.millis = false;
	}
	*ret_sink = &t->sink;
	return 0;
}

/* "### RECORD    1 >>> vm <<< (1796010964.002) (Mon Nov 30 03:56:04 2026) ###" */
static void record_line(struct verbose *v, const struct pf_step *step)
{
	const struct pf_view_options *view = v->text.view;
	struct pf_buf *out = &v->text.out;
	unsigned long long number = view->records_before + v->text.lines;
	pf_buf_fmt(out, "%s### RECORD %4llu >>> ", view->home ? "" : "\n", number);
	for (const char *p = view->host ? view->host : ""; *p; p++) {
		char lower = pf_ascii_lower(*p);
		pf_escape_text(out, (struct pf_view){ &lower, 1 });
	}
	pf_buf_str(out, " <<< (");
	pf_times_seconds(out, view, step->cur->time_ns);
	if (view->full)
		pf_buf_fmt(out, ":%s", view->letters ? view->letters : "");
	pf_buf_str(out, ") (");
	pf_times_ctime(out, view, step->cur->time_ns);
	pf_buf_str(out, ") ###\n");
}

/* Rows of processes and slabs come with a RECORD line and headings, unless they are few chosen ones. */
static bool has_lists(const struct verbose *v)
{
	for (unsigned i = 0; i < v->text.n_sections; i++) {
		if (v->text.sections[i].layouts[0]->each && !v->text.view->rows_chosen)
			return true;
	}
	return false;
}

static bool header_due(const struct verbose *v)
{
	const struct pf_view_options *view = v->text.view;
	int hr = view->header_repeat;
	if (hr == 1 || has_lists(v))
		return true;
	if (hr > -1 && (!v->same || v->text.lines == 1 || view->home))
		return true;
	return hr > 0 && v->text.lines % (uint64_t)hr == 1;
}

/* One heading line made of those of all layouts; the time title stands before the second. */
static void heading(struct verbose *v, const struct pf_section *s, bool second)
{
	struct pf_buf *out = &v->text.out;
	pf_buf_char(out, '#');
	if (second && !s->layouts[0]->blank_time)
		pf_times_title(out, &v->plain);
	else
		pf_buf_pad(out, ' ', pf_times_width(&v->plain));
	for (unsigned i = 0; i < s->n_layouts; i++) {
		const struct pf_layout *l = s->layouts[i];
		if (second && l->head2)
			pf_section_text(s, out, l->head2);
		else if (!second && l->head1)
			pf_section_head1(s, out, l);
	}
	pf_buf_char(out, '\n');
}

static void headings(struct verbose *v, const struct pf_section *s, int64_t time_ns)
{
	if (!s->layouts[0]->title)
		return; /* it goes on with the rows of the section before */
	struct pf_buf *out = &v->text.out;
	bool titled = s->layouts[0]->title[0] != '\0';
	if (titled && !v->text.view->home)
		pf_buf_char(out, '\n');
	if (titled) {
		pf_buf_str(out, "# ");
		pf_section_text(s, out, s->layouts[0]->title);
		if (pf_toplist_is(s))
			pf_times_of_day(out, v->text.view, time_ns);
		pf_buf_char(out, '\n');
	}
	if (s->layouts[0]->head1)
		heading(v, s, false);
	if (s->layouts[0]->head2)
		heading(v, s, true);
}

/* A data line; it is taken back if nothing happened and the user does not want to see that. */
static void line(struct verbose *v, const struct pf_calc_step *calc, const struct pf_section *s, int slot,
		 unsigned index)
{
	struct pf_buf *out = &v->text.out;
	size_t from = out->n;
	pf_times_add(out, &v->plain, calc->step->cur->time_ns);
	if (s->layouts[0]->lead)
		pf_buf_str(out, s->layouts[0]->lead);
	bool any = pf_draw_row(out, calc, s, slot, index);
	bool hide = s->layouts[0]->only_active || (s->letter == 'D' && v->text.view->hide_zero_disks) ||
		    (s->letter == 'C' && v->text.view->hide_idle_cpus) ||
		    (s->letter == 'F' && v->text.view->hide_idle_nfs);
	if (!any && hide)
		out->n = from;
	else
		pf_buf_char(out, '\n');
	if (out->n > from && !strchr("jJbBMYZ", s->letter)) {
		v->line_from = from;
		v->line_n = out->n - from - (s->letter == 'C'); /* collectl prints the newline of these by itself */
	}
}

static void top(struct verbose *v, const struct pf_calc_step *calc, const struct pf_section *s)
{
	if (pf_toplist_choose(&v->top, calc, s, v->text.view->top_rows) < 0)
		v->text.out.failed = -ENOMEM;
	for (unsigned i = 0; i < v->top.n; i++)
		line(v, calc, s, (int)v->top.rows[i].slot, i);
}

static void section(struct verbose *v, const struct pf_calc_step *calc, const struct pf_section *s, bool with_headings)
{
	bool empty = (s->group->period == PF_SECOND_INTERVAL && s->n_order == 0 && !v->second) ||
		     (s->stacked && s->across && s->n_spread == 0);
	if (!s->due || empty)
		return;
	if (!s->detail && s->layouts[0]->shown_when && !pf_section_shows(calc, s, PF_ROW_SUM))
		return;
	if (with_headings)
		headings(v, s, calc->step->cur->time_ns);
	if (pf_toplist_is(s)) {
		top(v, calc, s);
		return;
	}
	if (!s->detail || s->stacked) {
		if (pf_section_shows(calc, s, PF_ROW_SUM))
			line(v, calc, s, PF_ROW_SUM, 0);
		return;
	}
	unsigned index = 0;
	for (unsigned i = 0; i < s->n_order; i++) {
		int slot = pf_section_row(s, i);
		if (slot < 0 || pf_draw_hides(calc, s, slot))
			continue;
		if (pf_section_shows(calc, s, slot))
			line(v, calc, s, slot, index);
		index++;
	}
}

static bool second_shown(const struct verbose *v)
{
	bool any = false;
	for (unsigned i = 0; i < v->text.n_sections; i++) {
		const struct pf_section *s = &v->text.sections[i];
		any |= s->due && s->group->period == PF_SECOND_INTERVAL && s->n_order > 0;
	}
	return any && (v->text.view->variants & PF_AS_PEER);
}

/* collectl hands modules the variable in which most of its own sections built their last line, with that line still in it. */
static void modules(struct verbose *v, const struct pf_step *step, bool with_headings)
{
	struct pf_buf *out = &v->text.out;
	struct pf_view last = { out->p + v->line_from, v->line_n };
	pf_import_verbose(v->text.view->import, with_headings, v->text.view->home, step, last, out);
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct verbose *v = (struct verbose *)sink;
	struct pf_calc_step calc;
	(void)err;
	int rc = pf_textview_begin(&v->text, step, &calc);
	if (rc <= 0)
		return rc;

	const struct pf_view_options *view = v->text.view;
	if (v->same && v->text.n_sections == 1 && !v->text.sections[0].detail &&
	    pf_sections_quiet(&calc, v->text.sections, 1)) {
		v->text.lines--;
		return pf_textview_end(&v->text);
	}
	bool with_headings = header_due(v);
	if (view->home && !view->home_bare)
		pf_textview_home(&v->text);
	if (!view->top_scrolls && (!v->same || view->full || view->home || has_lists(v)))
		record_line(v, step);

	v->line_n = 0;
	v->second = second_shown(v);
	unsigned i = 0;
	for (; i < v->text.n_sections && !strchr(after_modules, v->text.sections[i].letter); i++)
		section(v, &calc, &v->text.sections[i], with_headings);
	if (view->import)
		modules(v, step, with_headings);
	for (; i < v->text.n_sections; i++)
		section(v, &calc, &v->text.sections[i], with_headings);
	if (view->home && !view->home_bare)
		pf_buf_str(&v->text.out, "\033[J");
	return pf_textview_end(&v->text);
}

static int close_verbose(struct pf_sink *sink, struct pf_err *err)
{
	pf_toplist_done(&((struct verbose *)sink)->top);
	return pf_textview_close(sink, err);
}

const struct pf_sink_kind pf_sink_verbose = {
	.name = "verbose",
	.open = open_verbose,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = close_verbose,
};

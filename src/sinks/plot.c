/* sinks/plot.c - one line of numbers a sample, for programs that draw. Layout: spec collectl-data section 6. */
#include "sinks/plot.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "import/import.h"
#include "sinks/draw.h"
#include "sinks/textview.h"
#include "sinks/times.h"

/* On a terminal all is one line: summaries first, then details, whatever the user's order; modules come last. */
static const struct pf_plot_part everything = { .order = "cmsndiflxtybqpgoCDHEMFNLTXBQGYZO", .module = PF_PLOT_ALL };

/* Types of perfolio/module.h. */
enum { IMPORT_SUM_NAMES = 1, IMPORT_DET_NAMES = 2, IMPORT_SUM = 3, IMPORT_DET = 4 };

/* @headed: the peer's empty heading of an interval without rows was given. @shown: instances that the last heading named, as a
 * fingerprint; a line with others needs a new heading. @listed: letters of the lists among other sections that had their heading. */
struct plot {
	struct pf_textview text;
	struct pf_plot_part part;
	bool headed;
	uint64_t shown;
	char listed[4];
};

int pf_plot_open(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, const struct pf_plot_part *part,
		 struct pf_err *err)
{
	struct pf_textview *t = NULL;
	int rc = pf_textview_open(&t, sizeof(struct plot), &pf_sink_plot, spec,
				  part->exceptions ? PF_VIEW_EXCEPTIONS : PF_VIEW_PLOT, part->order, err);
	if (rc < 0)
		return rc;
	((struct plot *)t)->part = *part;
	*ret_sink = &t->sink;
	return 0;
}

static int open_plot(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	return pf_plot_open(ret_sink, spec, &everything, err);
}

/* What modules add to headings or lines. */
static void modules(struct plot *p, int type, const struct pf_step *step)
{
	const struct pf_view_options *view = p->text.view;
	bool detail = type == IMPORT_DET_NAMES || type == IMPORT_DET;
	int which = p->part.module;
	if (!view->import || which == PF_PLOT_NONE || (which == PF_PLOT_SUMMARIES && detail) || (which >= 0 && !detail))
		return;
	pf_import_plot(view->import, which >= 0 ? which : -1, type, step, &p->text.out);
}

/* Headings are cut at the separator: in a name it becomes '_', but for the peer, whose names have none. */
static void put_instance(struct pf_buf *out, const struct pf_section *s, struct pf_view instance)
{
	size_t from = out->n;
	pf_escape_text(out, instance);
	for (size_t i = from; i < out->n && !(s->view->variants & PF_AS_PEER); i++) {
		if (out->p[i] == s->view->separator[0])
			out->p[i] = '_';
	}
}

/* "[CPU]User%", or in detail "[CPU:0]User%", each with the separator behind it. @slot: of the row, or PF_ROW_SUM. */
static void names(struct plot *p, const struct pf_section *s, const struct pf_calc_step *calc, struct pf_view instance,
		  int slot)
{
	struct pf_buf *out = &p->text.out;
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *col = s->columns[i];
		if (col->optional && !pf_calc_has(calc, s, col, slot))
			continue;
		for (unsigned k = 0; k < (col->spread ? s->n_spread : 1); k++) {
			if (s->layouts[0]->label) {
				pf_buf_fmt(out, "[%s", s->layouts[0]->label);
				put_instance(out, s, instance);
				pf_buf_char(out, ']');
			}
			pf_buf_str(out, col->name);
			if (col->spread)
				pf_buf_i64(out, s->across->instances[s->spread[k]].id);
			if (col->per_second)
				pf_buf_str(out, s->view->no_divide ? "/int" : "/sec");
			pf_buf_str(out, s->view->separator);
		}
	}
}

/* The heading that a layout of rows has itself, NULL: none. */
static const char *own_heading(const struct plot *p)
{
	return p->text.n_sections == 1 ? p->text.sections[0].layouts[0]->head1 : NULL;
}

/* The name in a heading: without what is known, "DMA-0" for "DMA::node0". */
static struct pf_view heading_name(const char *name, const char *strip, struct pf_buf *buf)
{
	struct pf_view v = pf_view_of(name);
	const char *colons = strstr(name, "::");
	const char *tail = colons ? colons + 2 : name;
	if (strip && pf_view_starts(pf_view_of(tail), strip))
		tail += strlen(strip);
	if (!colons)
		return pf_view_of(tail);
	pf_buf_clear(buf);
	pf_buf_add(buf, v.p, (size_t)(colons - name));
	pf_buf_char(buf, '-');
	pf_buf_str(buf, tail);
	return pf_buf_text(buf);
}

/* Processes and slabs have a line for each. */
static bool is_list(const struct pf_section *s)
{
	return s->layouts[0]->each;
}

static bool lists_rows(const struct plot *p)
{
	return p->text.n_sections == 1 && is_list(&p->text.sections[0]);
}

/* A list among other sections, which has lines and a heading of its own. */
static bool is_aside(const struct plot *p, const struct pf_section *s)
{
	return p->text.n_sections > 1 && is_list(s);
}

static void section_names(struct plot *p, const struct pf_section *s, const struct pf_calc_step *calc)
{
	if (!s->detail || s->layouts[0]->each || s->stacked || !s->domain) {
		names(p, s, calc, (struct pf_view){ "", 0 }, PF_ROW_SUM);
		return;
	}
	struct pf_buf buf = { 0 };
	for (unsigned i = 0; i < s->n_order; i++) {
		int slot = pf_section_row(s, i);
		if (slot >= 0)
			names(p, s, calc, heading_name(s->domain->instances[slot].name, s->layouts[0]->strip, &buf),
			      slot);
	}
	pf_buf_done(&buf);
}

/* A heading that the layout has itself; words are separated as columns are. */
static void given_heading(struct pf_buf *out, const char *text, const char *separator)
{
	for (; *text != '\0'; text++) {
		if (*text == ' ')
			pf_buf_str(out, separator);
		else
			pf_buf_char(out, *text);
	}
	pf_buf_char(out, '\n');
}

static void time_heading(struct plot *p)
{
	const char *separator = p->text.view->separator;
	if (p->text.view->utc)
		pf_buf_fmt(&p->text.out, "#UTC%s", separator);
	else
		pf_buf_fmt(&p->text.out, "#Date%sTime%s", separator, separator);
}

/* No separator ends a heading; but collectl leaves it in files of details that have no columns. @columns: where they begin */
static void end_heading(struct plot *p, size_t columns)
{
	struct pf_buf *out = &p->text.out;
	size_t n = strlen(p->text.view->separator);
	bool summary = p->part.module == PF_PLOT_SUMMARIES || p->part.module == PF_PLOT_ALL;
	bool bare = out->n == columns && p->part.header && !summary && (p->text.view->variants & PF_AS_PEER);
	if (!bare && out->n >= n && memcmp(out->p + out->n - n, p->text.view->separator, n) == 0)
		out->n -= n;
	pf_buf_char(out, '\n');
}

static void header(struct plot *p, const struct pf_step *step, const struct pf_calc_step *calc)
{
	const struct pf_view_options *view = p->text.view;
	struct pf_buf *out = &p->text.out;
	size_t from = out->n;
	pf_buf_str(out, p->part.header ? p->part.header : "");
	time_heading(p);
	size_t columns = out->n;
	if (own_heading(p)) {
		given_heading(out, own_heading(p), view->separator);
		pf_buf_char(out, '\n');
		return;
	}
	for (int detail = 0; detail < 2; detail++) {
		for (unsigned i = 0; i < p->text.n_sections; i++) {
			const struct pf_section *s = &p->text.sections[i];
			if (s->detail == (detail == 1) && !is_aside(p, s))
				section_names(p, s, calc);
		}
		modules(p, detail ? IMPORT_DET_NAMES : IMPORT_SUM_NAMES, step);
	}
	end_heading(p, columns);
	pf_textview_heading(&p->text, from);
}

/* FNV-1a over the slots that have columns. */
static uint64_t fingerprint(const struct plot *p)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (unsigned i = 0; i < p->text.n_sections; i++) {
		const struct pf_section *s = &p->text.sections[i];
		for (unsigned k = 0; s->detail && !s->layouts[0]->each && k < s->n_order; k++) {
			int slot = pf_section_row(s, k);
			if (slot < 0)
				continue;
			for (const char *c = s->domain->instances[slot].name; *c; c++)
				h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
			h = (h ^ i) * UINT64_C(1099511628211);
		}
	}
	return p->text.view->import ? h + pf_import_n_instances(p->text.view->import) : h;
}

/* Summaries of groups, then of modules; details in the same order behind them. */
static void summaries(struct plot *p, const struct pf_step *step, struct pf_calc_step *calc)
{
	for (unsigned i = 0; i < p->text.n_sections; i++) {
		if (!p->text.sections[i].detail)
			pf_draw_plot_row(&p->text.out, calc, &p->text.sections[i], PF_ROW_SUM, 0);
	}
	modules(p, IMPORT_SUM, step);
}

static void details(struct plot *p, const struct pf_step *step, struct pf_calc_step *calc)
{
	for (unsigned i = 0; i < p->text.n_sections; i++) {
		const struct pf_section *s = &p->text.sections[i];
		unsigned index = 0;
		if (is_aside(p, s))
			continue;
		if (s->detail && (s->stacked || !s->domain))
			pf_draw_plot_row(&p->text.out, calc, s, PF_ROW_SUM, 0);
		for (unsigned k = 0; s->detail && k < s->n_order; k++) {
			int slot = pf_section_row(s, k);
			if (slot >= 0)
				pf_draw_plot_row(&p->text.out, calc, s, slot, index++);
		}
	}
	modules(p, IMPORT_DET, step);
}

/* Take @n bytes out at @at. */
static void cut(struct pf_buf *out, size_t at, size_t n)
{
	if (out->failed || out->n < at + n)
		return;
	memmove(out->p + at, out->p + at + n, out->n - at - n);
	out->n -= n;
}

static void rows(struct plot *p, const struct pf_section *s, const struct pf_calc_step *calc)
{
	unsigned index = 0;
	const struct pf_view_options *view = p->text.view;
	/* the peer takes away separators, which may be blanks */
	bool trims = p->part.header && (!(view->variants & PF_AS_PEER) || strcmp(view->separator, " ") == 0);
	for (unsigned k = 0; k < s->n_order; k++) {
		int slot = pf_section_row(s, k);
		if (slot < 0 || pf_draw_hides(calc, s, slot))
			continue;
		pf_times_plot(&p->text.out, p->text.view, calc->step->cur->time_ns);
		size_t at = p->text.out.n;
		pf_draw_plot_row(&p->text.out, calc, s, slot, index++);
		if (own_heading(p))
			cut(&p->text.out, at, strlen(p->text.view->separator));
		while (trims && p->text.out.n > 0 && p->text.out.p[p->text.out.n - 1] == ' ')
			p->text.out.n--; /* in files nothing stands behind a command */
		pf_buf_char(&p->text.out, '\n');
	}
}

/* Lists among other sections come before the line of their interval, with a heading the first time that they have rows. */
static void lists_aside(struct plot *p, const struct pf_calc_step *calc)
{
	struct pf_buf *out = &p->text.out;
	for (unsigned i = 0; i < p->text.n_sections; i++) {
		const struct pf_section *s = &p->text.sections[i];
		size_t n = strlen(p->listed);
		if (!is_aside(p, s) || !s->due)
			continue;
		size_t from = out->n;
		bool headed = strchr(p->listed, s->letter) != NULL || n + 1 >= sizeof(p->listed);
		if (!headed) {
			time_heading(p);
			section_names(p, s, calc);
			end_heading(p, 0);
		}
		size_t head = out->n;
		rows(p, s, calc);
		if (out->n == head)
			out->n = from; /* no rows, no heading */
		else if (!headed)
			p->listed[n] = s->letter;
	}
}

/* The peer has a heading without columns for a first interval that has no rows. */
static void empty_heading(struct plot *p)
{
	const struct pf_view_options *view = p->text.view;
	if (p->headed || p->text.lines > 1 || !(view->variants & PF_AS_PEER) || p->part.header)
		return;
	p->headed = true;
	if (view->utc)
		pf_buf_str(&p->text.out, "#UTC\n");
	else
		pf_buf_fmt(&p->text.out, "#Date%sTime\n", view->separator);
}

/* collectl counts lines modulo the repetition, which leaves nothing if that is 1: no heading at all. */
static bool heading_due(const struct plot *p)
{
	const struct pf_view_options *view = p->text.view;
	if (view->header_repeat == 1 && (view->variants & PF_AS_PEER))
		return false;
	return pf_textview_header_due(&p->text);
}

int pf_plot_draw(struct pf_sink *sink, const struct pf_step *step)
{
	struct plot *p = (struct plot *)sink;
	struct pf_calc_step calc;
	int rc = pf_textview_begin(&p->text, step, &calc);
	if (rc == 0 && step->prev && lists_rows(p))
		empty_heading(p);
	if (rc <= 0)
		return rc;

	const struct pf_view_options *view = p->text.view;
	if (pf_sections_quiet(&calc, p->text.sections, p->text.n_sections)) {
		p->text.lines--;
		return pf_textview_end(&p->text);
	}
	lists_aside(p, &calc);
	uint64_t shown = fingerprint(p);
	bool changed = p->text.lines > 1 && shown != p->shown && !(view->variants & PF_AS_PEER);
	if (heading_due(p) || (changed && view->header_repeat >= 0))
		header(p, step, &calc);
	p->shown = shown;

	p->text.lines++;
	if (lists_rows(p)) {
		rows(p, &p->text.sections[0], &calc);
		return 1;
	}
	struct pf_buf *out = &p->text.out;
	size_t from = out->n;
	pf_times_plot(out, view, step->cur->time_ns);
	size_t columns = out->n;
	summaries(p, step, &calc);
	details(p, step, &calc);
	if (out->n == columns && view->import && p->text.n_sections == 0 && !p->part.header)
		out->n = from; /* modules alone, and they have nothing to say */
	else
		pf_buf_char(out, '\n');
	return 1;
}

struct pf_buf *pf_plot_text(struct pf_sink *sink)
{
	return &((struct plot *)sink)->text.out;
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	(void)err;
	int rc = pf_plot_draw(sink, step);
	return rc > 0 ? pf_textview_written(&((struct plot *)sink)->text) : rc;
}

const struct pf_sink_kind pf_sink_plot = {
	.name = "plot",
	.open = open_plot,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = pf_textview_close,
};

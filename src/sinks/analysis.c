/* sinks/analysis.c - one row for each process or slab over a whole recording: least, most, sum. Files as those of collectl 4.3.1. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "formats/collectl/writer.h"
#include "sinks/draw.h"
#include "sinks/plotfiles.h"
#include "sinks/textview.h"
#include "sinks/times.h"

/* @a, @b: least and most, or first and last, or a sum in @a; @text: of the last sample that had one */
struct cell {
	double a, b;
	char *text;
};

/* One process or slab. @seen: how many samples had it; @early: the first that is shown did */
struct entry {
	char *name;
	int64_t from_ns, thru_ns;
	unsigned seen;
	bool early;
	struct cell *cells;
};

/* @rows: the entry of each slot, behind by one, 0: none; @entries: in order of appearance */
struct analysis {
	struct pf_textview text;
	struct pf_collectl_writer *writer;
	unsigned *rows;
	unsigned n_rows;
	struct entry *entries;
	unsigned n_entries;
	bool second; /* a sample was taken, so sums begin; the first only says where from */
};

static const struct pf_section *section_of(const struct analysis *s)
{
	return &s->text.sections[0];
}

static struct entry *new_entry(struct analysis *s, const char *name, int64_t time_ns)
{
	struct entry *more = reallocarray(s->entries, s->n_entries + 1, sizeof(*more));
	if (!more)
		return NULL;
	s->entries = more;
	struct entry *e = &more[s->n_entries];
	*e = (struct entry){ .from_ns = time_ns, .early = !s->second };
	e->name = strdup(name);
	e->cells = calloc(section_of(s)->n_columns, sizeof(*e->cells));
	if (!e->name || !e->cells) {
		free(e->name);
		free(e->cells);
		return NULL;
	}
	s->n_entries++;
	return e;
}

/* The entry of a slot; a slot that has another name now is another process. */
static struct entry *entry_of(struct analysis *s, unsigned slot, int64_t time_ns)
{
	const struct pf_section *sec = section_of(s);
	if (slot >= s->n_rows) {
		unsigned n = sec->domain->n;
		unsigned *more = reallocarray(s->rows, n, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + s->n_rows, 0, (n - s->n_rows) * sizeof(*more));
		s->rows = more;
		s->n_rows = n;
	}
	const char *name = sec->domain->instances[slot].name;
	struct entry *e = s->rows[slot] ? &s->entries[s->rows[slot] - 1] : NULL;
	if (e && strcmp(e->name, name) == 0)
		return e;
	e = new_entry(s, name, time_ns);
	if (e)
		s->rows[slot] = s->n_entries;
	return e;
}

static int keep_text(struct cell *cell, struct pf_buf *buf, const struct pf_calc_step *calc, const struct pf_section *s,
		     const struct pf_column *col, int slot)
{
	pf_buf_clear(buf);
	pf_draw_text(buf, calc, s, col, slot);
	while (buf->n > 0 && buf->p[buf->n - 1] == ' ')
		buf->p[--buf->n] = '\0';
	if (buf->failed)
		return buf->failed;
	if (buf->n == 0 && cell->text)
		return 0;
	if (cell->text && strcmp(cell->text, buf->p ? buf->p : "") == 0)
		return 0;
	char *copy = strdup(buf->n ? buf->p : "");
	if (!copy)
		return -ENOMEM;
	free(cell->text);
	cell->text = copy;
	return 0;
}

static void fold(struct cell *cell, const struct pf_column *col, double v, bool first, bool counts)
{
	switch (col->fold) {
	case PF_OVER_SUM:
	case PF_OVER_PERCENT:
		cell->a += counts ? v : 0;
		break;
	case PF_OVER_FIRST:
		cell->a = first ? v : cell->a;
		break;
	case PF_OVER_LEAST:
	case PF_OVER_MOST:
	case PF_OVER_RANGE:
	case PF_OVER_GROWTH:
		cell->a = first || v < cell->a ? v : cell->a;
		cell->b = first || v > cell->b ? v : cell->b;
		break;
	default:
		cell->a = v;
		break;
	}
}

static int take_row(struct analysis *s, const struct pf_calc_step *calc, unsigned slot)
{
	const struct pf_section *sec = section_of(s);
	int64_t now = calc->step->cur->time_ns;
	struct entry *e = entry_of(s, slot, now);
	int rc = e ? 0 : -ENOMEM;
	for (unsigned i = 0; rc == 0 && i < sec->n_columns; i++) {
		const struct pf_column *col = sec->columns[i];
		bool gap = false;
		if (col->fold == PF_OVER_TEXT)
			rc = keep_text(&e->cells[i], &s->text.out, calc, sec, col, (int)slot);
		else
			fold(&e->cells[i], col, pf_calc_value(calc, sec, col, (int)slot, 0, &gap), e->seen == 0,
			     s->second);
	}
	if (rc == 0) {
		e->seen++;
		e->thru_ns = now;
	}
	return rc;
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct analysis *s = (struct analysis *)sink;
	const struct pf_section *sec = section_of(s);
	struct pf_calc_step calc;
	if (s->text.n_sections == 0)
		return 0;
	int rc = pf_textview_begin(&s->text, step, &calc);
	if (rc <= 0)
		return rc;
	rc = 0;
	for (unsigned k = 0; rc == 0 && k < sec->n_order; k++) {
		int slot = pf_section_row(sec, k);
		if (slot >= 0)
			rc = take_row(s, &calc, (unsigned)slot);
	}
	s->second |= sec->n_order > 0;
	return rc < 0 ? pf_err_set(err, rc, "analysis: %s", strerror(-rc)) : 0;
}

static double result(const struct analysis *s, const struct entry *e, const struct pf_column *col,
		     const struct cell *cell)
{
	int64_t whole_s = e->thru_ns / 1000000000 - e->from_ns / 1000000000;
	double seconds = (double)whole_s;
	bool peer = s->text.view->variants & PF_AS_PEER;
	switch (col->fold) {
	case PF_OVER_MOST:
		return cell->b;
	case PF_OVER_RANGE:
		return cell->b - cell->a;
	case PF_OVER_GROWTH:
		return cell->a > 0 ? 100 * (cell->b - cell->a) / cell->a : 0;
	case PF_OVER_PERCENT: /* collectl 4.3.1 divides by the number of samples as well */
		return seconds > 0 ? cell->a / 10 / seconds / (peer ? e->seen : 1) : 0;
	default:
		return cell->a;
	}
}

/* Date and time of the first sample, time of the last one. */
static void span(struct analysis *s, const struct entry *e)
{
	struct pf_buf *out = &s->text.out;
	const struct pf_view_options *view = s->text.view;
	pf_times_plot(out, view, e->from_ns);
	pf_buf_str(out, view->separator);
	size_t at = out->n;
	pf_times_plot(out, view, e->thru_ns);
	const char *time = out->failed || view->utc
				   ? NULL
				   : memmem(out->p + at, out->n - at, view->separator, strlen(view->separator));
	if (time) {
		time += strlen(view->separator);
		size_t n = out->n - (size_t)(time - out->p);
		memmove(out->p + at, time, n);
		out->n = at + n;
	}
}

static void write_entry(struct analysis *s, const struct entry *e)
{
	const struct pf_section *sec = section_of(s);
	struct pf_buf *out = &s->text.out;
	bool own = sec->layouts[0]->head1 != NULL;
	if (!own)
		span(s, e);
	for (unsigned i = 0; i < sec->n_columns; i++) {
		const struct pf_column *col = sec->columns[i];
		if (!own)
			pf_buf_str(out, s->text.view->separator);
		else if (col->before)
			pf_buf_str(out, col->before);
		bool never =
			col->fold == PF_OVER_USED && e->early && e->seen == 1 && (s->text.view->variants & PF_AS_PEER);
		if (col->fold == PF_OVER_TEXT && own)
			pf_buf_fmt(out, "%-*s", col->width, e->cells[i].text ? e->cells[i].text : "");
		else if (col->fold == PF_OVER_TEXT)
			pf_buf_str(out, e->cells[i].text ? e->cells[i].text : "");
		else if (never)
			pf_buf_char(out, '0'); /* as the peer has what was seen but once */
		else
			pf_draw_value(out, col, s->text.view, result(s, e, col, &e->cells[i]));
	}
	pf_buf_char(out, '\n');
}

static void write_heading(struct analysis *s)
{
	const struct pf_section *sec = section_of(s);
	struct pf_buf *out = &s->text.out;
	const char *sep = s->text.view->separator;
	if (sec->layouts[0]->head1) {
		pf_buf_str(out, sec->layouts[0]->head1);
	} else {
		pf_buf_fmt(out, "Date%sFrom%sThru", sep, sep);
		for (unsigned i = 0; i < sec->n_columns; i++)
			pf_buf_fmt(out, "%s%s", sep, sec->columns[i]->name);
	}
	pf_buf_char(out, '\n');
}

/* Slabs that never had any memory say nothing. */
static bool is_empty(const struct analysis *s, const struct entry *e)
{
	const struct pf_section *sec = section_of(s);
	for (unsigned i = 0; i < sec->n_columns; i++) {
		if (sec->columns[i]->fold == PF_OVER_MOST && sec->columns[i]->hides == 's' && e->cells[i].b <= 0)
			return true;
	}
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static int write_all(struct analysis *s, struct pf_err *err)
{
	struct pf_buf *out = &s->text.out;
	pf_buf_clear(out);
	if (s->n_entries > 0)
		write_heading(s);
	if (s->n_entries > 0 && section_of(s)->layouts[0]->sort == PF_SORT_NAME)
		qsort(s->entries, s->n_entries, sizeof(*s->entries), by_name);
	for (unsigned i = 0; i < s->n_entries; i++) {
		if (!is_empty(s, &s->entries[i]))
			write_entry(s, &s->entries[i]);
	}
	if (out->failed)
		return pf_err_set(err, out->failed, "no memory");
	int rc = out->n ? pf_collectl_write(s->writer, out->p, out->n, err) : 0;
	pf_buf_clear(out);
	return rc < 0 ? rc : 0; /* what the disk did not take is tried again at the end, and told there */
}

static int close_analysis(struct pf_sink *sink, struct pf_err *err)
{
	struct analysis *s = (struct analysis *)sink;
	int rc = s->writer ? write_all(s, err) : 0;
	int frc = s->writer ? pf_collectl_finish(s->writer, rc < 0 ? NULL : err) : 0;
	rc = rc < 0 ? rc : frc;
	for (unsigned i = 0; i < s->n_entries; i++) {
		for (unsigned k = 0; k < section_of(s)->n_columns; k++)
			free(s->entries[i].cells[k].text);
		free(s->entries[i].cells);
		free(s->entries[i].name);
	}
	free(s->entries);
	free(s->rows);
	pf_sections_close(s->text.sections, s->text.n_sections);
	pf_buf_done(&s->text.out);
	free(s);
	return rc;
}

static int open_analysis(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_textview *t = NULL;
	int rc = pf_textview_open(&t, sizeof(struct analysis), &pf_sink_analysis, spec, PF_VIEW_ANALYSIS, spec->letters,
				  err);
	if (rc < 0)
		return rc;
	struct analysis *s = (struct analysis *)t;
	const char *extension = t->n_sections ? t->sections[0].layouts[0]->file : spec->letters;
	rc = pf_plot_file_create(&s->writer, spec->files, extension, spec->notice, err);
	if (rc < 0)
		(void)close_analysis(&t->sink, NULL); /* why it could not be opened is what counts */
	else
		*ret_sink = &t->sink;
	return rc;
}

const struct pf_sink_kind pf_sink_analysis = {
	.name = "analysis",
	.open = open_analysis,
	.sample = sample,
	.close = close_analysis,
};

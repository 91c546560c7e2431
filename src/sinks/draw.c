/* sinks/draw.c - columns as text. */
#include "sinks/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/users.h"
#include "model/cvt.h"
#include "model/layout.h"
#include "sinks/calc.h"
#include "sinks/command.h"
#include "sinks/section.h"
#include "sinks/sink.h"
#include "sinks/times.h"

/* Truncated toward zero, as %d of a Perl number. */
static long long whole(double v)
{
	if (isnan(v))
		return 0;
	if (v >= 9223372036854775807.0)
		return INT64_MAX;
	return v <= -9223372036854775808.0 ? INT64_MIN : (long long)v;
}

static void pad_to(struct pf_buf *out, size_t from, int width)
{
	size_t n = out->n - from;
	if (width < 0 || n >= (size_t)width)
		return;
	size_t missing = (size_t)width - n;
	if (!pf_buf_reserve(out, missing))
		return;
	memmove(out->p + from + missing, out->p + from, n);
	memset(out->p + from, ' ', missing);
	out->n += missing;
	out->p[out->n] = '\0';
}

static char digit(double v)
{
	long long n = whole(v);
	if (n < 0)
		n = 0;
	if (n < 10)
		return (char)('0' + n);
	if (n < 100)
		return (char)('a' + n / 10 - 1);
	if (n < 1000)
		return (char)('j' + n / 100 - 1);
	char c = 's';
	for (; n >= 10000 && c < 'z'; n /= 10)
		c++;
	return c;
}

static void number(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v,
		   int width)
{
	char text[PF_CVT_SIZE];
	switch (col->draw) {
	case PF_DRAW_INT: {
		size_t from = out->n;
		pf_buf_i64(out, whole(v));
		pad_to(out, from, width);
		return;
	}
	case PF_DRAW_ROUND:
		pf_buf_fmt(out, "%*.0f", width, v);
		return;
	case PF_DRAW_FIXED:
		pf_buf_fmt(out, "%*.*f", width, col->decimals, v);
		return;
	case PF_DRAW_PLOT:
		pf_buf_fmt(out, "%*.*f", width, (int)view->decimals, v);
		return;
	case PF_DRAW_CVT: {
		struct pf_cvt_style style = { .wide = view->wide, .big = view->big_numbers };
		size_t n = strlen(pf_cvt(v, col->width, col->unit, col->div1024, &style, text));
		if (width > 0 && n < (size_t)width)
			pf_buf_pad(out, ' ', (size_t)width - n);
		pf_buf_add(out, text, n);
		return;
	}
	case PF_DRAW_GENERAL:
		pf_buf_fmt(out, "%*.10g", width, v);
		return;
	case PF_DRAW_CENTIS:
	case PF_DRAW_CLOCK:
	case PF_DRAW_HOURS:
		pf_draw_time(out, col->draw, v, width, view->variants & PF_AS_PEER);
		return;
	case PF_DRAW_SINCE_BOOT:
	case PF_DRAW_DAY_SINCE_BOOT:
		pf_times_since_boot(out, view, v, col->draw == PF_DRAW_DAY_SINCE_BOOT);
		return;
	case PF_DRAW_PRIORITY:
		if (v < 0)
			pf_buf_str(out, "RT");
		else
			pf_buf_fmt(out, "%*lld", width, whole(v));
		return;
	case PF_DRAW_DIGIT:
		pf_buf_char(out, digit(v));
		return;
	case PF_DRAW_LEFT:
	case PF_DRAW_RIGHT:
	case PF_DRAW_KEY:
	case PF_DRAW_GLUED:
	case PF_DRAW_NONE:
		return;
	}
}

/* A counter that was reset has no rate: a dash says so. The peer's bytes know no such thing. */
static void dash(struct pf_buf *out, int width)
{
	pf_buf_fmt(out, "%*s", width, "-");
}

/* Blanks are left out, and a last word "interrupts". */
static void glued(struct pf_buf *out, struct pf_view text)
{
	static const char last[] = "interrupts";
	size_t n = sizeof(last) - 1;
	if (text.n >= n && memcmp(text.p + text.n - n, last, n) == 0)
		text.n -= n;
	struct pf_view word;
	while (pf_view_word(&text, &word) == 0)
		pf_escape_text(out, word);
}

static struct pf_view part_of(struct pf_view name, const struct pf_column *col, const struct pf_section *s)
{
	const char *colons = col->part ? strstr(name.p, "::") : NULL;
	if (!colons)
		return name;
	if (col->part == 1)
		return (struct pf_view){ name.p, (size_t)(colons - name.p) };
	struct pf_view tail = pf_view_of(colons + 2);
	const char *strip = s->layouts[0]->strip;
	size_t n = strip && pf_view_starts(tail, strip) ? strlen(strip) : 0;
	return (struct pf_view){ tail.p + n, tail.n - n };
}

static void styled(struct pf_buf *out, const struct pf_column *col, struct pf_view v)
{
	char buf[4];
	if (col->draw == PF_DRAW_GLUED)
		glued(out, v);
	else
		pf_escape_text(out, col->draw == PF_DRAW_KEY ? pf_section_key(v, buf) : v);
}

/* Text of a string metric in the row; NULL if it has none. */
static const char *text_of(const struct pf_calc_step *c, const struct pf_section *s, int slot, unsigned metric)
{
	if (slot < 0 && pf_metric_is_singular(&s->group->metrics[metric]))
		slot = 0;
	bool gone = slot >= 0 && (unsigned)slot < s->n_flags && (s->flags[slot] & PF_GONE);
	const struct pf_sample *sample = gone ? c->step->prev : c->step->cur;
	bool keeps = s->group->from_zero && (s->view->variants & PF_AS_PEER) && c->step->prev;
	if (keeps && slot >= 0 && !pf_sample_has(sample, s->base + metric, (unsigned)slot))
		sample = c->step->prev;
	if (slot < 0 || !pf_sample_has(sample, s->base + metric, (unsigned)slot))
		return NULL;
	return pf_sample_get(sample, s->base + metric, (unsigned)slot).s;
}

static void user(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		 const struct pf_column *col, int slot)
{
	bool gap = false;
	double uid = pf_calc_value(c, s, col, slot, 0, &gap);
	struct pf_view name = pf_users_name(s->view->users, uid >= 0 && uid <= UINT32_MAX ? (uint32_t)uid : 0);
	size_t from = out->n;
	if (name.n > 0)
		pf_escape_text(out, name);
	else
		pf_buf_fmt(out, "%.0f", uid);
	unsigned width = s->view->user_width > PF_USER_WIDTH_MIN ? s->view->user_width : PF_USER_WIDTH_MIN;
	if (out->n - from > width)
		out->n = from + width;
}

static const char *text_or_empty(const struct pf_calc_step *c, const struct pf_section *s, int slot, unsigned metric)
{
	const char *text = text_of(c, s, slot, metric);
	return text ? text : "";
}

static void text(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		 const struct pf_column *col, int slot)
{
	const uint16_t *metric = col->num.metric;
	bool gap = false;
	switch (col->calc) {
	case PF_CALC_TEXT:
		styled(out, col, pf_view_of(text_or_empty(c, s, slot, metric[0])));
		return;
	case PF_CALC_USER:
		user(out, c, s, col, slot);
		return;
	case PF_CALC_THREAD:
		pf_buf_char(out, pf_calc_value(c, s, col, slot, 0, &gap) != 0 ? '+' : ' ');
		return;
	case PF_CALC_COMMAND:
		pf_draw_command(out, s->view, text_or_empty(c, s, slot, metric[0]),
				text_or_empty(c, s, slot, metric[1]),
				s->layouts[0]->view == PF_VIEW_PLOT || s->layouts[0]->view == PF_VIEW_ANALYSIS);
		return;
	default:
		if (slot >= 0 && s->domain && (unsigned)slot < s->domain->n)
			styled(out, col, part_of(pf_view_of(s->domain->instances[slot].name), col, s));
		if (col->calc == PF_CALC_LABEL)
			pf_buf_char(out, ':');
	}
}

static void padded(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		   const struct pf_column *col, int slot, int width)
{
	size_t from = out->n;
	text(out, c, s, col, slot);
	if (col->draw == PF_DRAW_RIGHT) {
		pad_to(out, from, width);
	} else {
		size_t n = out->n - from;
		if (width > 0 && n < (size_t)width)
			pf_buf_pad(out, ' ', (size_t)width - n);
	}
}

static bool is_text(const struct pf_column *col)
{
	return col->calc == PF_CALC_NAME || col->calc == PF_CALC_LABEL || col->calc == PF_CALC_TEXT ||
	       col->calc == PF_CALC_USER || col->calc == PF_CALC_COMMAND || col->calc == PF_CALC_THREAD;
}

static bool is_measure(const struct pf_column *col)
{
	return !col->is_rest && !is_text(col) && col->calc != PF_CALC_INDEX && col->calc != PF_CALC_ID &&
	       col->calc != PF_CALC_COUNT;
}

/* One number between its texts. Return: is it a sign of activity? */
static bool cell(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_column *col,
		 const struct pf_section *s, double v, bool gap, int width)
{
	if (col->before)
		pf_buf_str(out, col->before);
	if (gap && v == 0)
		dash(out, width);
	else
		number(out, col, s->view, v, width);
	if (col->after)
		pf_buf_str(out, col->after);
	return is_measure(col) && (v != 0 || (gap && !c->step->sparse));
}

static void text_cell(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		      const struct pf_column *col, int slot, int width)
{
	if (col->calc == PF_CALC_TEXT && col->optional && !text_of(c, s, slot, col->num.metric[0]))
		return;
	if (col->before)
		pf_buf_str(out, col->before);
	padded(out, c, s, col, slot, width);
	if (col->after)
		pf_buf_str(out, col->after);
}

bool pf_draw_row(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s, int slot, unsigned index)
{
	bool any = false;
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *col = s->columns[i];
		int width = col->fill > 0 ? col->fill : col->width;
		if (width == PF_WIDTH_NAME)
			width = (int)pf_section_name_width(s);
		if (width == PF_WIDTH_USER)
			width = s->view->user_width > PF_USER_WIDTH_MIN ? (int)s->view->user_width : PF_USER_WIDTH_MIN;
		for (unsigned k = 0; is_text(col) && k < (col->spread ? s->n_spread : 1); k++)
			text_cell(out, c, s, col, col->spread ? (int)s->spread[k] : slot, width);
		if (is_text(col))
			continue;
		for (unsigned k = 0; k < (col->spread ? s->n_spread : 1); k++) {
			bool gap = false;
			double v = col->spread ? pf_calc_spread(c, s, col, slot, s->spread[k], &gap)
					       : pf_calc_value(c, s, col, slot, index, &gap);
			any = cell(out, c, col, s, v, gap, width) || any;
		}
	}
	return any;
}

void pf_draw_number(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v)
{
	if (col->before)
		pf_buf_str(out, col->before);
	number(out, col, view, v, col->fill > 0 ? col->fill : col->width);
	if (col->after)
		pf_buf_str(out, col->after);
}

/* A plot has no place for a dash. */
static void plot_cell(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		      const struct pf_column *col, int slot, unsigned index)
{
	for (unsigned k = 0; k < (col->spread ? s->n_spread : 1); k++) {
		bool gap = false;
		double v = col->spread ? pf_calc_spread(c, s, col, slot, s->spread[k], &gap)
				       : pf_calc_value(c, s, col, slot, index, &gap);
		pf_buf_str(out, s->view->separator);
		number(out, col, s->view, v, col->draw == PF_DRAW_CVT ? 0 : col->width);
	}
}

void pf_draw_plot_row(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s, int slot,
		      unsigned index)
{
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *col = s->columns[i];
		if (col->optional && !pf_calc_has(c, s, col, slot))
			continue;
		if (is_text(col)) {
			pf_buf_str(out, s->view->separator);
			text(out, c, s, col, slot);
		} else {
			plot_cell(out, c, s, col, slot, index);
		}
	}
}

/* Is a limit reached in any of the columns of that kind? @ret_any: there are such. */
static bool reaches(const struct pf_calc_step *c, const struct pf_section *s, int slot, char kind, double limit,
		    bool *ret_any)
{
	bool reached = false;
	/* collectl 4.3.1 compares hundredths of a millisecond in files. */
	double scale = kind == 'S' && (s->view->variants & PF_AS_PEER) ? 100 : 1;
	for (unsigned i = 0; i < s->n_columns; i++) {
		bool gap = false;
		if (s->columns[i]->limit != kind)
			continue;
		*ret_any = true;
		reached |= pf_calc_value(c, s, s->columns[i], slot, 0, &gap) * scale >= limit;
	}
	return reached;
}

static bool is_no_exception(const struct pf_calc_step *c, const struct pf_section *s, int slot)
{
	const struct pf_limits *limits = s->view->exceptions;
	bool any = false;
	bool slow = reaches(c, s, slot, 'S', limits->service_ms, &any);
	bool busy = reaches(c, s, slot, 'I', limits->requests, &any);
	if ((s->view->variants & PF_AS_PEER) && s->layouts[0]->view == PF_VIEW_VERBOSE)
		return any && !busy; /* collectl 4.3.1 looks at requests alone here */
	return any && !(limits->both ? slow && busy : slow || busy);
}

bool pf_draw_hides(const struct pf_calc_step *c, const struct pf_section *s, int slot)
{
	const struct pf_view_options *view = s->view;
	bool all = view->exceptions && view->exceptions->also_rest && s->layouts[0]->view == PF_VIEW_VERBOSE;
	if (view->exceptions && !all && is_no_exception(c, s, slot))
		return true;
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *col = s->columns[i];
		bool gap = false;
		if (col->hides == '\0')
			continue;
		if (is_text(col) && view->process_states && view->process_states[0] != '\0' &&
		    !strchr(view->process_states, text_or_empty(c, s, slot, col->num.metric[0])[0]))
			return true;
		if (!is_text(col) && view->row_options && strchr(view->row_options, col->hides) &&
		    pf_calc_value(c, s, col, slot, 0, &gap) == 0)
			return true;
	}
	return false;
}

void pf_draw_text(struct pf_buf *out, const struct pf_calc_step *c, const struct pf_section *s,
		  const struct pf_column *col, int slot)
{
	text(out, c, s, col, slot);
}

void pf_draw_value(struct pf_buf *out, const struct pf_column *col, const struct pf_view_options *view, double v)
{
	number(out, col, view, v, col->width);
}

/* import/draw.c - views of declared metrics, for modules that do not draw for themselves. Counters are shown as rates, levels as they
 * are; in the views that have one row for all, the instances of a metric are added up. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/time.h"
#include "import/host.h"
#include "model/rates.h"

enum { BRIEF_WIDTH = 6, VERBOSE_WIDTH = 8, NAME_WIDTH_MIN = 8, NAME_WIDTH_MAX = 24, CELL_SIZE = 64 };

static bool is_counter(const struct pf_module *m, unsigned i)
{
	return m->declared[i]->row.sem == PF_COUNTER;
}

static bool is_text(const struct pf_module *m, unsigned i)
{
	return m->declared[i]->row.type == PF_STRING;
}

/* Has it a column in brief? */
static bool is_column(const struct pf_module *m, unsigned i)
{
	return !is_text(m, i) && !m->declared[i]->aside;
}

static bool is_bytes(const struct pf_module *m, unsigned i)
{
	return m->declared[i]->row.units.space != 0;
}

/* Seconds that rates are divided by: the run's own figure, which is 1 with -on. */
static double seconds(const struct pf_module *m, const struct pf_step *step)
{
	double s = m->imp->host.state->int_secs;
	if (s > 0)
		return s;
	return step->interval_ns > 0 ? (double)step->interval_ns / (double)PF_NS_PER_SEC : 1;
}

/* The number of one cell. Return: false if there is none. */
bool pf_module_value(const struct pf_module *m, const struct pf_step *step, unsigned i, unsigned slot, double *ret_v)
{
	unsigned metric = m->declared[i]->index;
	if (is_text(m, i) || !pf_sample_has(step->cur, metric, slot))
		return false;
	if (!is_counter(m, i)) {
		*ret_v = pf_number(&m->declared[i]->row, pf_sample_get(step->cur, metric, slot));
		return true;
	}
	double d;
	if (pf_delta(step, metric, slot, PF_RESET_SKIP, &d) <= 0)
		return false;
	*ret_v = d / seconds(m, step);
	return true;
}

static const struct pf_indom *domain_of(const struct pf_module *m, unsigned i)
{
	return pf_catalog_domain_of(m->imp->catalog, m->declared[i]->index);
}

/* Of all instances together. Return: false if none has a value. */
static bool sum_value(const struct pf_module *m, const struct pf_step *step, unsigned i, double *ret_v)
{
	if (!step)
		return false;
	const struct pf_indom *dom = domain_of(m, i);
	unsigned n = dom ? dom->n : 1;
	double sum = 0;
	bool any = false;
	for (unsigned slot = 0; slot < n; slot++) {
		double v;
		if (!pf_module_value(m, step, i, slot, &v))
			continue;
		sum += v;
		any = true;
	}
	*ret_v = sum;
	return any;
}

static unsigned column_width(const struct pf_module *m, unsigned i, unsigned least)
{
	size_t n = strlen(m->declared[i]->heading);
	return n > least ? (unsigned)n : least;
}

static const char *rate_text(const struct pf_module *m)
{
	return m->imp->host.state->rate ? m->imp->host.state->rate : "";
}

static const char *safe(const char *text)
{
	return text ? text : "";
}

/* <---Name---> in @width bytes; the name begins with a capital. */
static void title(const struct pf_module *m, unsigned width, struct pf_buf *out)
{
	unsigned room = width - 2;
	unsigned n = (unsigned)strlen(m->is.name);
	n = n < room ? n : room;
	pf_buf_char(out, '<');
	pf_buf_pad(out, '-', (room - n) / 2);
	pf_buf_char(out, (char)toupper((unsigned char)m->is.name[0]));
	pf_buf_add(out, m->is.name + 1, n - 1);
	pf_buf_pad(out, '-', room - n - (room - n) / 2);
	pf_buf_char(out, '>');
}

static void brief_values(struct pf_module *m, const struct pf_step *step, struct pf_buf *out)
{
	for (unsigned i = 0; i < m->n_declared; i++) {
		if (!is_column(m, i))
			continue;
		char text[PF_CVT_SIZE] = "";
		double v;
		if (sum_value(m, step, i, &v))
			(void)pf_cvt(v, BRIEF_WIDTH, 0, is_bytes(m, i), &m->imp->style, text);
		pf_buf_fmt(out, "%*s ", (int)column_width(m, i, BRIEF_WIDTH), text);
	}
}

/* Counters add up to what was counted, levels to their average. */
static void brief_count(struct pf_module *m, const struct pf_step *step)
{
	for (unsigned i = 0; i < m->n_declared; i++) {
		double v;
		if (!is_column(m, i) || !sum_value(m, step, i, &v))
			continue;
		m->declared[i]->total += is_counter(m, i) ? v * seconds(m, step) : v;
		m->declared[i]->counted++;
	}
}

static void brief_totals(const struct pf_module *m, struct pf_buf *out)
{
	for (unsigned i = 0; i < m->n_declared; i++) {
		const struct pf_declared *d = m->declared[i];
		if (!is_column(m, i))
			continue;
		double v = d->total;
		if (!is_counter(m, i) && d->counted > 0)
			v /= (double)d->counted;
		char text[PF_CVT_SIZE];
		pf_buf_fmt(out, "%*s ", (int)column_width(m, i, BRIEF_WIDTH),
			   pf_cvt(v, BRIEF_WIDTH, 0, is_bytes(m, i), &m->imp->style, text));
	}
}

void pf_module_brief(struct pf_module *m, int type, const struct pf_step *step, struct pf_buf *out)
{
	unsigned width = 0;
	for (unsigned i = 0; i < m->n_declared; i++)
		width += is_column(m, i) ? column_width(m, i, BRIEF_WIDTH) + 1 : 0;
	if (width == 0)
		return;
	switch (type) {
	case PERFOLIO_BRIEF_TITLE:
		title(m, width, out);
		break;
	case PERFOLIO_BRIEF_NAMES:
		for (unsigned i = 0; i < m->n_declared; i++) {
			if (is_column(m, i))
				pf_buf_fmt(out, "%*s ", (int)column_width(m, i, BRIEF_WIDTH), m->declared[i]->heading);
		}
		break;
	case PERFOLIO_BRIEF_VALUES:
		brief_values(m, step, out);
		break;
	case PERFOLIO_BRIEF_RESET:
		for (unsigned i = 0; i < m->n_declared; i++) {
			m->declared[i]->total = 0;
			m->declared[i]->counted = 0;
		}
		break;
	case PERFOLIO_BRIEF_COUNT:
		brief_count(m, step);
		break;
	case PERFOLIO_BRIEF_TOTALS:
		brief_totals(m, out);
		break;
	default:
		break;
	}
}

static void upper(const char *name, struct pf_buf *out)
{
	for (; *name != '\0'; name++)
		pf_buf_char(out, (char)toupper((unsigned char)*name));
}

/* What stands between the text of a column in a list and its neighbours must not be in it. */
static void one_word(struct pf_buf *out, const char *text, char separator)
{
	size_t from = out->n;
	pf_escape_text(out, pf_view_of(text));
	for (size_t i = from; !out->failed && i < out->n; i++) {
		if (out->p[i] == ' ' || out->p[i] == separator)
			out->p[i] = '_';
	}
}

static void verbose_cell(const struct pf_module *m, const struct pf_step *step, unsigned i, unsigned slot, bool sum,
			 struct pf_buf *out)
{
	struct pf_buf *text = &m->imp->cell;
	double v;
	pf_buf_clear(text);
	if (is_text(m, i)) {
		if (pf_sample_has(step->cur, m->declared[i]->index, slot))
			pf_escape_text(text, pf_view_of(pf_sample_get(step->cur, m->declared[i]->index, slot).s));
	} else if (sum ? sum_value(m, step, i, &v) : pf_module_value(m, step, i, slot, &v)) {
		char number[PF_CVT_SIZE];
		if (m->declared[i]->row.type == PF_FLOAT || m->declared[i]->row.type == PF_DOUBLE)
			pf_buf_fmt(text, "%.2f", v);
		else
			pf_buf_str(text, pf_cvt(v, VERBOSE_WIDTH - 1, 0, is_bytes(m, i), &m->imp->style, number));
	}
	pf_buf_fmt(out, " %*s", (int)column_width(m, i, VERBOSE_WIDTH), text->n > 0 ? text->p : "");
}

static void verbose_heading(const struct pf_module *m, const char *what, const char *domain, bool home,
			    struct pf_buf *out)
{
	bool rates = false;
	for (unsigned i = 0; i < m->n_declared; i++)
		rates |= is_counter(m, i) &&
			 (!domain || (m->declared[i]->domain && !strcmp(m->declared[i]->domain, domain)));
	if (!home)
		pf_buf_char(out, '\n');
	pf_buf_str(out, "# ");
	upper(m->is.name, out);
	pf_buf_char(out, ' ');
	if (domain) {
		upper(domain, out);
		pf_buf_char(out, ' ');
	}
	pf_buf_str(out, what);
	if (rates)
		pf_buf_fmt(out, " (%s)", rate_text(m));
	pf_buf_fmt(out, "\n#%s", safe(m->imp->host.state->mini_filler));
}

static void verbose_summary(const struct pf_module *m, bool header, bool home, const struct pf_step *step,
			    struct pf_buf *out)
{
	if (header) {
		verbose_heading(m, "STATISTICS", NULL, home, out);
		const char *blank = "";
		for (unsigned i = 0; i < m->n_declared; i++) {
			if (is_text(m, i) && domain_of(m, i))
				continue;
			pf_buf_fmt(out, "%s%*s", blank, (int)column_width(m, i, VERBOSE_WIDTH),
				   m->declared[i]->heading);
			blank = " ";
		}
		pf_buf_char(out, '\n');
	}
	if (m->imp->host.state->show_col_headers || !step)
		return;
	pf_buf_str(out, safe(m->imp->host.state->datetime));
	for (unsigned i = 0; i < m->n_declared; i++) {
		if (!is_text(m, i) || !domain_of(m, i))
			verbose_cell(m, step, i, 0, true, out);
	}
	pf_buf_char(out, '\n');
}

static bool is_of(const struct pf_module *m, unsigned i, const char *domain)
{
	return m->declared[i]->domain && strcmp(m->declared[i]->domain, domain) == 0;
}

/* Has the instance any value of this domain's metrics now? */
static bool is_there(const struct pf_module *m, const struct pf_step *step, const char *domain, unsigned slot)
{
	for (unsigned i = 0; i < m->n_declared; i++) {
		if (is_of(m, i, domain) && pf_sample_has(step->cur, m->declared[i]->index, slot))
			return true;
	}
	return false;
}

static void verbose_domain(const struct pf_module *m, unsigned first, bool header, bool home,
			   const struct pf_step *step, struct pf_buf *out)
{
	const char *domain = m->declared[first]->domain;
	const struct pf_indom *dom = domain_of(m, first);
	if (!dom)
		return;
	size_t width = NAME_WIDTH_MIN;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		size_t n = strlen(dom->instances[slot].name);
		if (n > width)
			width = n < NAME_WIDTH_MAX ? n : NAME_WIDTH_MAX;
	}
	if (header) {
		verbose_heading(m, "DETAIL", domain, home, out);
		pf_buf_fmt(out, "%-*s", (int)width - 1, "Name");
		for (unsigned i = 0; i < m->n_declared; i++) {
			if (is_of(m, i, domain))
				pf_buf_fmt(out, " %*s", (int)column_width(m, i, VERBOSE_WIDTH),
					   m->declared[i]->heading);
		}
		pf_buf_char(out, '\n');
	}
	if (m->imp->host.state->show_col_headers || !step)
		return;
	struct pf_buf *name = &m->imp->cell;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		if (!is_there(m, step, domain, slot))
			continue;
		pf_buf_clear(name);
		pf_escape_text(name, pf_view_of(dom->instances[slot].name));
		pf_buf_fmt(out, "%s%-*s", safe(m->imp->host.state->datetime), (int)width, name->n > 0 ? name->p : "");
		for (unsigned i = 0; i < m->n_declared; i++) {
			if (is_of(m, i, domain))
				verbose_cell(m, step, i, slot, false, out);
		}
		pf_buf_char(out, '\n');
	}
}

/* Is metric @i the first of its domain? */
static bool is_first(const struct pf_module *m, unsigned i)
{
	if (!m->declared[i]->domain)
		return false;
	for (unsigned k = 0; k < i; k++) {
		if (is_of(m, k, m->declared[i]->domain))
			return false;
	}
	return true;
}

void pf_module_verbose(struct pf_module *m, bool print_header, bool home, const struct pf_step *step,
		       struct pf_buf *out)
{
	if (m->n_declared == 0)
		return;
	if (m->lists) {
		pf_module_list(m, print_header, home, step, out);
		return;
	}
	if (m->summary)
		verbose_summary(m, print_header, home, step, out);
	for (unsigned i = 0; m->detail && i < m->n_declared; i++) {
		if (is_first(m, i))
			verbose_domain(m, i, print_header, home, step, out);
	}
}

static char separator_of(const struct pf_module *m)
{
	const char *text = m->imp->host.state->separator;
	return text && text[0] != '\0' ? text[0] : ' ';
}

static void plot_name(const struct pf_module *m, unsigned i, const char *instance, struct pf_buf *out)
{
	char separator = separator_of(m);
	pf_buf_char(out, '[');
	upper(m->is.name, out);
	if (instance) {
		pf_buf_char(out, ':');
		one_word(out, instance, separator);
	}
	pf_buf_fmt(out, "]%s%c", m->declared[i]->heading, separator);
}

static void plot_value(const struct pf_module *m, const struct pf_step *step, unsigned i, unsigned slot, bool sum,
		       struct pf_buf *out)
{
	double v = 0;
	pf_buf_char(out, separator_of(m));
	if (is_text(m, i)) {
		bool has = step && pf_sample_has(step->cur, m->declared[i]->index, slot);
		one_word(out, has ? pf_sample_get(step->cur, m->declared[i]->index, slot).s : "-", separator_of(m));
		return;
	}
	if (step && (sum ? !sum_value(m, step, i, &v) : !pf_module_value(m, step, i, slot, &v)))
		v = 0;
	bool whole = m->declared[i]->row.type != PF_FLOAT && m->declared[i]->row.type != PF_DOUBLE;
	pf_buf_fmt(out, "%.*f", whole ? 0 : 2, v);
}

void pf_module_plot(struct pf_module *m, int type, const struct pf_step *step, struct pf_buf *out)
{
	bool names = type == PERFOLIO_PLOT_SUM_NAMES || type == PERFOLIO_PLOT_DET_NAMES;
	bool detail = type == PERFOLIO_PLOT_DET_NAMES || type == PERFOLIO_PLOT_DET;
	for (unsigned i = 0; i < m->n_declared; i++) {
		const struct pf_indom *dom = domain_of(m, i);
		if (m->declared[i]->aside || (!detail && dom && is_text(m, i)))
			continue;
		if (!detail && names)
			plot_name(m, i, NULL, out);
		else if (!detail)
			plot_value(m, step, i, 0, true, out);
		for (unsigned slot = 0; detail && dom && slot < dom->n; slot++) {
			if (names)
				plot_name(m, i, dom->instances[slot].name, out);
			else
				plot_value(m, step, i, slot, false, out);
		}
	}
}

static void export_one(struct pf_module *m, char kind, unsigned i, const char *instance, double v,
		       struct perfolio_export *to)
{
	bool whole = m->declared[i]->row.type != PF_FLOAT && m->declared[i]->row.type != PF_DOUBLE;
	struct pf_buf *name = &m->imp->cell;
	char units[64];
	pf_buf_clear(name);
	pf_buf_str(name, m->declared[i]->name);
	if (instance) {
		pf_buf_char(name, '.');
		one_word(name, instance, ' ');
	}
	if (name->failed)
		return;
	if (kind == 's') {
		struct pf_buf text = { 0 };
		pf_buf_fmt(&text, "  (%s %.*f)\n", name->p, whole ? 0 : 3, v);
		if (!text.failed && to->text)
			to->text(to, text.p);
		pf_buf_done(&text);
		return;
	}
	void (*give)(struct perfolio_export *, const char *, const char *, double, int, const char *, const char *,
		     const char *) = instance ? to->detail : to->summary;
	if (give)
		give(to, name->p, pf_units_name(&m->declared[i]->row.units, units, sizeof(units)), v, !is_counter(m, i),
		     whole ? NULL : "%.3f", m->is.name, NULL);
}

void pf_module_export(struct pf_module *m, char kind, const struct pf_step *step, struct perfolio_export *to)
{
	for (unsigned i = 0; step && i < m->n_declared; i++) {
		const struct pf_indom *dom = domain_of(m, i);
		double v;
		if (!dom && pf_module_value(m, step, i, 0, &v))
			export_one(m, kind, i, NULL, v, to);
		for (unsigned slot = 0; dom && m->detail && slot < dom->n; slot++) {
			if (pf_module_value(m, step, i, slot, &v))
				export_one(m, kind, i, dom->instances[slot].name, v, to);
		}
	}
}

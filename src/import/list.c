/* import/list.c - verbose of modules whose metrics are too many to be columns: one line per value. */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "import/host.h"

enum { NAME_MIN = 8, NAME_MAX_WIDTH = 48, INSTANCE_MIN = 8, INSTANCE_MAX = 60, VALUE_WIDTH = 16 };

static const char *short_name(const struct pf_module *m, unsigned i)
{
	return m->declared[i]->name + strlen(m->is.name) + 1;
}

static const struct pf_indom *domain_of(const struct pf_module *m, unsigned i)
{
	return pf_catalog_domain_of(m->imp->catalog, m->declared[i]->index);
}

/* Columns as wide as the names known up to now. */
static void widths(const struct pf_module *m, int *ret_name, int *ret_instance)
{
	size_t name = NAME_MIN, instance = 0;
	for (unsigned i = 0; i < m->n_declared; i++) {
		const struct pf_indom *dom = domain_of(m, i);
		size_t n = strlen(short_name(m, i));
		name = n > name ? n : name;
		if (dom && instance < INSTANCE_MIN)
			instance = INSTANCE_MIN;
		for (unsigned slot = 0; dom && slot < dom->n; slot++) {
			n = strlen(dom->instances[slot].name);
			instance = n > instance ? n : instance;
		}
	}
	*ret_name = (int)(name < NAME_MAX_WIDTH ? name : NAME_MAX_WIDTH);
	*ret_instance = (int)(instance < INSTANCE_MAX ? instance : INSTANCE_MAX);
}

/* Whole numbers as they are, others with up to six digits behind the point. */
static void add_value(struct pf_buf *out, double v)
{
	bool whole = fabs(v) < 1e15 && v == rint(v);
	if (whole)
		pf_buf_fmt(out, " %*.0f", VALUE_WIDTH, v);
	else
		pf_buf_fmt(out, " %*.*g", VALUE_WIDTH, fabs(v) < 1e6 ? 6 : 10, v);
}

static void one_line(const struct pf_module *m, const struct pf_step *step, unsigned i, unsigned slot,
		     const int width[2], struct pf_buf *out)
{
	const struct pf_declared *d = m->declared[i];
	const struct pf_indom *dom = domain_of(m, i);
	bool text = d->row.type == PF_STRING;
	double v = 0;
	if (text ? !pf_sample_has(step->cur, d->index, slot) : !pf_module_value(m, step, i, slot, &v))
		return;
	const char *datetime = m->imp->host.state->datetime;
	struct pf_buf *name = &m->imp->cell;
	pf_buf_clear(name);
	if (dom)
		pf_escape_text(name, pf_view_of(dom->instances[slot].name));
	pf_buf_fmt(out, "%s%-*s", datetime ? datetime : "", width[0], short_name(m, i));
	if (width[1] > 0)
		pf_buf_fmt(out, " %-*s", width[1], name->n > 0 ? name->p : "");
	if (text) {
		pf_buf_char(out, ' ');
		pf_escape_text(out, pf_view_of(pf_sample_get(step->cur, d->index, slot).s));
	} else {
		add_value(out, v);
	}
	if (d->row.sem == PF_COUNTER && m->imp->host.state->rate)
		pf_buf_str(out, m->imp->host.state->rate);
	pf_buf_char(out, '\n');
}

void pf_module_list(struct pf_module *m, bool print_header, bool home, const struct pf_step *step, struct pf_buf *out)
{
	int width[2];
	widths(m, &width[0], &width[1]);
	if (print_header) {
		const char *filler = m->imp->host.state->mini_filler;
		pf_buf_str(out, home ? "# " : "\n# ");
		for (const char *p = m->is.name; *p != '\0'; p++)
			pf_buf_char(out, pf_ascii_upper(*p));
		pf_buf_fmt(out, " METRICS\n#%s%-*s", filler ? filler : "", width[0] - 1, "Name");
		if (width[1] > 0)
			pf_buf_fmt(out, " %-*s", width[1], "Instance");
		pf_buf_fmt(out, " %*s\n", VALUE_WIDTH, "Value");
	}
	if (m->imp->host.state->show_col_headers || !step)
		return;
	for (unsigned i = 0; i < m->n_declared; i++) {
		const struct pf_indom *dom = domain_of(m, i);
		unsigned n = dom ? dom->n : 1;
		for (unsigned slot = 0; slot < n; slot++)
			one_line(m, step, i, slot, width, out);
	}
}

/* sinks/script.c - exporters in Perl: their variables are filled from the columns of the sample, then their function is called. What they
 * write goes out from there. */
#include "sinks/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "groups/environment.h"
#include "import/import.h"
#include "sinks/textview.h"

/* The views that the table names. */
static const enum pf_view_kind views[] = { PF_VIEW_LEXPR, PF_VIEW_PLOT, PF_VIEW_VMSTAT };
enum { N_VIEWS = sizeof(views) / sizeof(views[0]) };
static const char order[] = "cdfimnstxCDEMNX";

/* One variable: @column of @section, both looked up once. */
struct filled {
	const struct pf_script_name *name;
	const struct pf_script_list *list;
	struct pf_section *section;
	const struct pf_column *column;
	struct pf_script_cell *cell;
};

/* A list of instances with its cells. */
struct listed {
	const struct pf_script_list *list;
	struct pf_section *section;
	struct pf_script_cell *names, *seen, *count;
};

struct script {
	struct pf_textview text; /* its sections are those of the first view */
	struct pf_import *import;
	struct pf_section more[N_VIEWS - 1][PF_SECTIONS_MAX];
	unsigned n_more[N_VIEWS - 1];
	struct pf_script_cell *header_due; /* what printHeader() says */
	struct filled *filled;
	unsigned n_filled;
	struct listed lists[8];
	unsigned n_lists;
	struct pf_section *sensors; /* NULL: they are not shown */
	struct pf_script_cell *sensor_cells[PF_ENV_KINDS];
};

static struct pf_section *find_section(struct script *s, enum pf_view_kind view, char letter)
{
	for (unsigned v = 0; v < N_VIEWS; v++) {
		struct pf_section *sections = v == 0 ? s->text.sections : s->more[v - 1];
		unsigned n = v == 0 ? s->text.n_sections : s->n_more[v - 1];
		for (unsigned i = 0; views[v] == view && i < n; i++) {
			if (sections[i].letter == letter)
				return &sections[i];
		}
	}
	return NULL;
}

static const struct pf_column *find_column(const struct pf_section *section, const char *name)
{
	for (unsigned i = 0; section && i < section->n_columns; i++) {
		if (section->columns[i]->name && strcmp(section->columns[i]->name, name) == 0)
			return section->columns[i];
	}
	return NULL;
}

static bool is_detail(char letter)
{
	return letter >= 'A' && letter <= 'Z';
}

static const struct pf_script_list *list_of(char letter)
{
	const struct pf_script_list *l = pf_script_lists;
	while (l->letter && l->letter != letter)
		l++;
	return l->letter ? l : NULL;
}

static void open_lists(struct script *s)
{
	for (const struct pf_script_list *l = pf_script_lists; l->letter; l++) {
		struct pf_section *section = find_section(s, PF_VIEW_LEXPR, l->letter);
		if (!section)
			continue;
		s->lists[s->n_lists++] = (struct listed){
			.list = l,
			.section = section,
			.names = l->names ? pf_import_cell(s->import, l->names, true) : NULL,
			.seen = l->seen ? pf_import_cell(s->import, l->seen, true) : NULL,
			.count = l->count ? pf_import_cell(s->import, l->count, false) : NULL,
		};
	}
}

/* Arrays by kind, in which each sensor is a hash. */
static void open_sensors(struct script *s)
{
	static const char *const names[PF_ENV_KINDS] = { "ipmiData{fan}", "ipmiData{power}", "ipmiData{temp}" };
	s->sensors = find_section(s, PF_VIEW_LEXPR, 'E');
	for (unsigned i = 0; s->sensors && i < PF_ENV_KINDS; i++)
		s->sensor_cells[i] = pf_import_cell(s->import, names[i], true);
}

/* Only variables whose letters are shown. */
static int open_variables(struct script *s)
{
	unsigned n = 0;
	while (pf_script_names[n].letter)
		n++;
	s->filled = calloc(n, sizeof(*s->filled));
	if (!s->filled)
		return -ENOMEM;
	for (const struct pf_script_name *name = pf_script_names; name->letter; name++) {
		struct pf_section *section = find_section(s, name->view, name->letter);
		const struct pf_column *column = find_column(section, name->column);
		bool array = is_detail(name->letter) || name->kind == PF_SCRIPT_ALL;
		if (column)
			s->filled[s->n_filled++] = (struct filled){ name, list_of(name->letter), section, column,
								    pf_import_cell(s->import, name->variable, array) };
	}
	for (const struct pf_script_name *flag = pf_script_flags; flag->letter; flag++) {
		bool there = find_column(find_section(s, flag->view, flag->letter), flag->column) != NULL;
		pf_import_set(s->import, pf_import_cell(s->import, flag->variable, false), -1, NULL, there);
	}
	open_lists(s);
	open_sensors(s);
	s->header_due = pf_import_cell(s->import, "perfolioHeaderDue", false);
	return 0;
}

static int close_script(struct pf_sink *sink, struct pf_err *err)
{
	struct script *s = (struct script *)sink;
	for (unsigned v = 0; v + 1 < N_VIEWS; v++)
		pf_sections_close(s->more[v], s->n_more[v]);
	free(s->filled);
	return pf_textview_close(sink, err);
}

static int open_script(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_textview *text = NULL;
	int rc = pf_textview_open(&text, sizeof(struct script), &pf_sink_script, spec, views[0], order, err);
	if (rc < 0)
		return rc;
	struct script *s = (struct script *)text;
	s->import = spec->view->import;
	for (unsigned v = 0; rc >= 0 && v + 1 < N_VIEWS; v++) {
		rc = pf_sections_open(spec, views[v + 1], order, s->more[v]);
		s->n_more[v] = rc > 0 ? (unsigned)rc : 0;
	}
	if (rc >= 0)
		rc = open_variables(s);
	if (rc < 0) {
		(void)close_script(&text->sink, NULL);
		return pf_err_set(err, rc, "no memory for the exporter");
	}
	*ret_sink = &text->sink;
	return 0;
}

/* A difference divided by one second is what it is; levels of the same columns keep to the interval. */
static void fill(const struct script *s, const struct filled *f, const struct pf_calc_step *calc, int slot, int index)
{
	struct pf_calc_step undivided = *calc;
	undivided.seconds = 1;
	bool gap = false;
	const struct pf_calc_step *by = f->name->kind == PF_SCRIPT_DIFFERENCE ? &undivided : calc;
	double v = pf_calc_value(by, f->section, f->column, slot, 0, &gap);
	pf_import_set(s->import, f->cell, index, f->name->field, v);
}

/* All instances of the sample, also those that a filter hides from views, under their own numbers. */
static void fill_numbered(const struct script *s, const struct filled *f, const struct pf_calc_step *calc)
{
	const struct pf_indom *dom = f->section->domain;
	for (unsigned i = 0; dom && i < dom->n; i++) {
		if (dom->instances[i].seen == calc->step->cur->seq && dom->instances[i].id >= 0)
			fill(s, f, calc, (int)i, dom->instances[i].id);
	}
}

static void fill_rows(const struct script *s, const struct filled *f, const struct pf_calc_step *calc)
{
	int row = 0;
	if (f->name->kind != PF_SCRIPT_FIELD)
		pf_import_empty(s->import, f->cell);
	if (f->list && f->list->by_id) {
		fill_numbered(s, f, calc);
		return;
	}
	for (unsigned i = 0; i < f->section->n_order; i++) {
		int slot = pf_section_row(f->section, i);
		if (slot < 0)
			continue;
		fill(s, f, calc, slot, row);
		row++;
	}
}

static unsigned count_instances(const struct pf_section *section, uint64_t seq)
{
	unsigned n = 0;
	for (unsigned i = 0; section->domain && i < section->domain->n; i++)
		n += section->domain->instances[i].seen == seq;
	return n;
}

/* What the head of the recording says, where nothing of them was recorded. */
static unsigned count_nodes(const struct pf_view_options *view)
{
	const char *at = view->recorded_header ? strstr(view->recorded_header, " Nodes: ") : NULL;
	const char *number = at ? at + strlen(" Nodes:") : "";
	struct pf_view rest = { number, strcspn(number, "\n") };
	uint64_t n = 0;
	return pf_view_next_u64(&rest, &n) == 0 && n < UINT16_MAX ? (unsigned)n : 0;
}

static void fill_list(const struct script *s, const struct listed *l, const struct pf_step *step)
{
	pf_import_empty(s->import, l->names);
	pf_import_empty(s->import, l->seen);
	int row = 0;
	for (unsigned i = 0; (l->names || l->seen) && i < l->section->n_order; i++) {
		int slot = pf_section_row(l->section, i);
		if (slot < 0)
			continue;
		pf_import_set_text(s->import, l->names, row, NULL, l->section->domain->instances[slot].name);
		pf_import_set_text(s->import, l->seen, row, NULL, l->section->domain->instances[slot].name);
		row++;
	}
	unsigned n = count_instances(l->section, step->cur->seq);
	if (n == 0 && l->list->letter == 'M')
		n = count_nodes(s->text.view);
	pf_import_set(s->import, l->count, -1, NULL, n);
}

/* A sensor's name ends where its number begins. What was said last stays until something is said anew. */
static void fill_sensors(const struct script *s, const struct pf_step *step)
{
	const struct pf_indom *dom = s->sensors->domain;
	int n[PF_ENV_KINDS] = { 0 };
	for (unsigned i = 0; dom && i < dom->n; i++) {
		const struct pf_instance *sensor = &dom->instances[i];
		const char *reading = pf_env_reading(step->cur, s->sensors->base, i);
		char name[PF_ENV_NAME];
		enum pf_env_kind kind = pf_env_kind(sensor);
		if (sensor->seen != step->cur->seq || !reading)
			continue;
		size_t length = strcspn(sensor->name, "0123456789");
		(void)snprintf(name, sizeof(name), "%.*s", (int)length, sensor->name);
		struct pf_script_cell *cell = s->sensor_cells[kind];
		if (n[kind] == 0)
			pf_import_empty(s->import, cell);
		pf_import_set_text(s->import, cell, n[kind], "name", name);
		pf_import_set_text(s->import, cell, n[kind], "inst", sensor->name + length);
		pf_import_set_text(s->import, cell, n[kind], "value", reading);
		n[kind]++;
	}
}

/* In playback collectl 4.3.1 says so once. */
static bool header_due(const struct pf_textview *v)
{
	bool once = (v->view->variants & PF_AS_PEER) && (v->view->variants & PF_AS_RECORDED);
	return once ? v->lines == 1 && v->view->header_repeat >= 0 : pf_textview_header_due(v);
}

/* The text view prepares its own sections; the others follow. */
static int prepare(struct script *s, const struct pf_step *step)
{
	int rc = 0;
	for (unsigned v = 0; v + 1 < N_VIEWS; v++) {
		for (unsigned i = 0; rc == 0 && i < s->n_more[v]; i++)
			rc = pf_section_prepare(&s->more[v][i], step);
	}
	return rc;
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct script *s = (struct script *)sink;
	struct pf_calc_step calc;
	int rc = pf_textview_begin(&s->text, step, &calc);
	int prc = rc >= 0 ? prepare(s, step) : 0;
	if (rc <= 0 || prc < 0)
		return rc <= 0 ? rc : prc;
	for (unsigned i = 0; i < s->n_filled; i++) {
		const struct filled *f = &s->filled[i];
		if (is_detail(f->name->letter))
			fill_rows(s, f, &calc);
	}
	for (unsigned i = 0; i < s->n_filled; i++) {
		const struct filled *f = &s->filled[i];
		if (!is_detail(
			    f->name->letter)) /* behind the rows, since that of all CPUs is an element of the same array */
			fill(s, f, &calc, PF_ROW_SUM, f->name->kind == PF_SCRIPT_ALL ? (int)s->text.view->n_cpus : -1);
	}
	for (unsigned i = 0; i < s->n_lists; i++)
		fill_list(s, &s->lists[i], step);
	if (s->sensors)
		fill_sensors(s, step);
	pf_import_set(s->import, s->header_due, -1, NULL, header_due(&s->text));
	s->text.lines++;
	return pf_import_run_exporter(s->import, step, err);
}

const struct pf_sink_kind pf_sink_script = {
	.name = "script",
	.open = open_script,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = close_script,
	.snapshot = true,
};

/* sinks/export.c - the values of a report: from columns and modules, over one or more intervals. */
#include "sinks/export.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/time.h"
#include "import/import.h"
#include "model/layout.h"
#include "perfolio/module.h"

static const double LLONG_LIMIT = 9.2e18;

static bool is_peer(const struct pf_export *x)
{
	return x->view.variants & PF_AS_PEER;
}

/* Letters of s= that are shown; refused if one is not. */
static int choose_letters(struct pf_export *x, const struct pf_sink_spec *spec, struct pf_err *err)
{
	const char *shown = spec->view->letters ? spec->view->letters : "";
	const char *wanted = x->options->subsys[0] ? x->options->subsys : shown;
	if (strspn(wanted, shown) != strlen(wanted) || strlen(wanted) >= sizeof(x->letters))
		return pf_err_set(err, -EINVAL, "%s subsys options '%s' not a proper subset of '%s'",
				  x->options->kind->name, wanted, shown);
	memcpy(x->letters, wanted, strlen(wanted) + 1);
	return 0;
}

/* What the interval is called that i= does not fit. */
static const char *interval_of(const struct pf_export *x)
{
	if (x->view.variants & PF_AS_RECORDED)
		return "recorded ";
	return x->view.variants & PF_AS_PEER ? "collectl " : "";
}

static int choose_interval(struct pf_export *x, int64_t interval_ns, struct pf_err *err)
{
	int64_t wanted = x->options->interval_ns;
	x->seconds = interval_ns > 0 ? (double)interval_ns / (double)PF_NS_PER_SEC : 0;
	x->every = 1;
	if (wanted > 0 && interval_ns > 0) {
		if (wanted % interval_ns != 0 || wanted / interval_ns > INT32_MAX)
			return pf_err_set(err, -EINVAL,
					  "%s interval of '%g' is not a multiple of %sinterval of '%g' seconds",
					  x->options->kind->name, (double)wanted / (double)PF_NS_PER_SEC,
					  interval_of(x), x->seconds);
		x->every = (unsigned)(wanted / interval_ns);
	}
	if (x->options->fold != PF_FOLD_LAST && x->every == 1)
		return pf_err_set(err, -EINVAL, "'min', 'max', 'avg' & 'tot' require %s 'i' that is > collectl's -i",
				  x->options->kind->name);
	return 0;
}

static void free_list(struct pf_export_list *list)
{
	for (unsigned i = 0; i < list->n; i++) {
		free(list->items[i].name);
		for (unsigned k = 0; k < 3; k++)
			free(list->items[i].copies[k]);
	}
	free(list->items);
	*list = (struct pf_export_list){ 0 };
}

/* Room for at least @n items. */
static bool grow(struct pf_export_list *list, unsigned n)
{
	if (n > list->cap) {
		unsigned cap = list->cap ? list->cap : 16;
		while (cap < n)
			cap *= 2;
		struct pf_export_item *more = reallocarray(list->items, cap, sizeof(*more));
		if (!more)
			return false;
		list->items = more;
		list->cap = cap;
	}
	if (n > list->n) {
		memset(list->items + list->n, 0, (n - list->n) * sizeof(*list->items));
		list->n = n;
	}
	return true;
}

static int open_sections(struct pf_export *x, const struct pf_export_form *form, const struct pf_sink_spec *spec,
			 struct pf_err *err)
{
	struct pf_sink_spec own = *spec;
	own.view = &x->view;
	int n = pf_sections_open(&own, form->view, form->order, x->text.sections);
	if (n < 0)
		return pf_err_set(err, n, "no memory for the exporter");
	x->text.n_sections = (unsigned)n;
	return 0;
}

int pf_export_open(struct pf_export **ret, const struct pf_export_form *form, const struct pf_sink_spec *spec,
		   struct pf_err *err)
{
	struct pf_export *x = calloc(1, form->size);
	if (!x)
		return pf_err_set(err, -ENOMEM, "no memory for the exporter");
	x->options = spec->export;
	x->waits = x->options->align;
	x->module_kind = form->module_kind;
	x->round = form->round;
	x->tell = form->tell;
	x->view = *spec->view;
	x->view.variants |= form->variants;
	x->text.lines = 1;
	x->text.sink.kind = form->sink;
	x->text.to = pf_outlet_or_fd(spec->outlet, &x->text.own, spec->fd);
	x->text.view = &x->view;
	int rc = choose_letters(x, spec, err);
	x->view.letters = x->letters;
	if (rc == 0)
		rc = choose_interval(x, spec->interval_ns, err);
	if (rc == 0)
		rc = open_sections(x, form, spec, err);
	if (rc < 0) {
		free(x);
		return rc;
	}
	*ret = x;
	return 0;
}

int pf_export_close(struct pf_sink *s, struct pf_err *err)
{
	struct pf_export *x = (struct pf_export *)s;
	for (unsigned i = 0; i < PF_SECTIONS_MAX; i++)
		free_list(&x->items[i]);
	free_list(&x->of_modules);
	pf_buf_done(&x->module_text);
	return pf_textview_close(s, err);
}

/* "NAME", or "NAME.INSTANCE" as one word; a '*' in the name is where the instance goes instead. */
static char *full_name(const char *name, const char *instance)
{
	struct pf_buf b = { 0 };
	const char *star = strchr(name, '*');
	pf_buf_add(&b, name, star ? (size_t)(star - name) : strlen(name));
	if (instance) {
		if (!star)
			pf_buf_char(&b, '.');
		size_t from = b.n;
		pf_escape_text(&b, pf_view_of(instance));
		for (size_t i = from; !b.failed && i < b.n; i++) {
			if (b.p[i] == ' ')
				b.p[i] = '_';
		}
	}
	pf_buf_str(&b, star ? star + 1 : "");
	if (b.failed) {
		pf_buf_done(&b);
		return NULL;
	}
	return b.p;
}

/* Towards ganglia collectl 4.3.1 cuts every value off at its point, load averages too. */
static bool only_integers(const struct pf_export *x)
{
	return x->module_kind == 'g' && is_peer(x) && !(x->view.variants & PF_FOR_GRAPHITE);
}

/* @rate: so much a second, so that a total is a sum; else a level, whose total is its average. Towards ganglia collectl 4.3.1 adds levels
 * up, too; and the greatest and least level that its lexpr tells is 0. */
static void add_value(struct pf_export *x, struct pf_export_item *item, double v, bool rate)
{
	bool extreme = x->options->fold == PF_FOLD_MAX || x->options->fold == PF_FOLD_MIN;
	if (is_peer(x) && x->module_kind == 'g')
		rate = true;
	if (is_peer(x) && x->module_kind == 'l' && extreme && !rate)
		v = 0;
	if (only_integers(x))
		v = trunc(v);
	if (x->options->fold == PF_FOLD_TOTAL && rate)
		v *= is_peer(x) ? x->seconds : x->calc->seconds;
	item->sum += v;
	item->least = item->n == 0 || v < item->least ? v : item->least;
	item->greatest = item->n == 0 || v > item->greatest ? v : item->greatest;
	item->value = v;
	item->n++;
	if (x->options->fold == PF_FOLD_AVERAGE || (x->options->fold == PF_FOLD_TOTAL && !rate))
		item->value = item->sum / item->n;
	else if (x->options->fold == PF_FOLD_TOTAL)
		item->value = item->sum;
	else if (x->options->fold == PF_FOLD_MAX)
		item->value = item->greatest;
	else if (x->options->fold == PF_FOLD_MIN)
		item->value = item->least;
}

static void write_whole(const struct pf_export *x, struct pf_export_item *item)
{
	double v = item->value;
	v += x->round ? 0.5 : 0;
	long long whole = isnan(v) ? 0 : v >= LLONG_LIMIT ? INT64_MAX : v <= -LLONG_LIMIT ? INT64_MIN : (long long)v;
	(void)snprintf(item->text, sizeof(item->text), "%lld", whole);
	item->whole = whole;
	item->rounded = true;
}

static void write_column(const struct pf_export *x, struct pf_export_item *item, const struct pf_column *col)
{
	item->whole = fabs(item->value) < LLONG_LIMIT ? (long long)item->value : 0;
	if (col->draw == PF_DRAW_GENERAL && !only_integers(x))
		(void)snprintf(item->text, sizeof(item->text), "%.10g", item->value);
	else if (col->draw == PF_DRAW_FIXED && !only_integers(x))
		(void)snprintf(item->text, sizeof(item->text), "%.*f", col->decimals, item->value);
	else
		write_whole(x, item);
}

/* A module's format: one conversion of a number and no more. '\0' if it is something else. */
static char conversion(const char *format)
{
	const char *p = format;
	while (*p && *p != '%')
		p++;
	if (*p++ != '%')
		return '\0';
	p += strspn(p, "+- #0");
	p += strspn(p, "0123456789");
	if (*p == '.')
		p += 1 + strspn(p + 1, "0123456789");
	char c = *p;
	bool good = c != '\0' && strchr("dieEfFgG", c) && !strchr(p + 1, '%');
	return (char)(good ? c : '\0');
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void write_formatted(const struct pf_export *x, struct pf_export_item *item, const char *format)
{
	item->whole = fabs(item->value) < LLONG_LIMIT ? (long long)item->value : 0;
	char c = '\0';
	if (format && !only_integers(x))
		c = conversion(format);
	if (c == '\0' || c == 'd' || c == 'i')
		write_whole(x, item);
	else
		(void)snprintf(item->text, sizeof(item->text), format, item->value);
}
#pragma GCC diagnostic pop

/* Values that nobody gave in this report are not told. */
static void forget(struct pf_export_list *list)
{
	for (unsigned i = 0; i < list->n; i++) {
		list->items[i].n = 0;
		list->items[i].sum = 0;
	}
}

static bool is_rate(const struct pf_column *col)
{
	return col->calc == PF_CALC_RATE || col->calc == PF_CALC_DELTA || col->per_interval;
}

/* What is told about a column in general: its units, and the group of the layout that it stands in. */
static int describe(struct pf_export_item *item, const struct pf_section *s, const struct pf_column *col,
		    const char *instance)
{
	const char *strip = s->layouts[0]->strip;
	const char *shown = instance;
	if (strip && instance && pf_view_starts(pf_view_of(instance), strip))
		shown += strlen(strip);
	free(item->name);
	*item = (struct pf_export_item){ .of = instance, .units = col->units, .detail = instance != NULL };
	item->name = full_name(col->name, shown);
	for (unsigned l = 0; l < s->n_layouts; l++) {
		const struct pf_layout *layout = s->layouts[l];
		if (col >= layout->columns && col < layout->columns + layout->n_columns)
			item->group = layout->label;
	}
	return item->name ? 0 : -ENOMEM;
}

static int take_row(struct pf_export *x, unsigned section, int slot)
{
	const struct pf_section *s = &x->text.sections[section];
	const struct pf_indom *dom = slot >= 0 ? s->domain : NULL;
	unsigned first = (unsigned)(slot >= 0 ? slot : 0) * s->n_columns;
	if (!grow(&x->items[section], first + s->n_columns))
		return -ENOMEM;
	for (unsigned i = 0; i < s->n_columns; i++) {
		struct pf_export_item *item = &x->items[section].items[first + i];
		const struct pf_column *col = s->columns[i];
		bool gap = false;
		double v = pf_calc_value(x->calc, s, col, slot, 0, &gap);
		if (gap && v == 0)
			continue;
		const char *instance = dom ? dom->instances[slot].name : NULL;
		int32_t id = dom ? dom->instances[slot].id : 0;
		if (!item->name || item->of != instance || item->of_id != id) {
			int rc = describe(item, s, col, instance);
			item->of_id = id;
			if (rc < 0)
				return rc;
		}
		add_value(x, item, v, is_rate(col));
		write_column(x, item, col);
	}
	return 0;
}

/* The row of slot @i of the order, if exporters tell of it; else -1. */
static int exported_slot(const struct pf_export *x, const struct pf_section *s, unsigned i)
{
	int slot = pf_section_row(s, i);
	if (slot < 0 || !s->group->in_export)
		return slot;
	return s->group->in_export(pf_view_of(s->domain->instances[slot].name), is_peer(x)) ? slot : -1;
}

static int take_section(struct pf_export *x, unsigned section)
{
	const struct pf_section *s = &x->text.sections[section];
	int rc = s->detail ? 0 : take_row(x, section, PF_ROW_SUM);
	for (unsigned i = 0; rc == 0 && s->detail && i < s->n_order; i++) {
		int slot = exported_slot(x, s, i);
		if (slot >= 0)
			rc = take_row(x, section, slot);
	}
	return rc;
}

/* A module's texts live as long as its call. */
static const char *copy(struct pf_export_item *item, unsigned k, const char *text)
{
	item->copies[k] = text ? strdup(text) : NULL;
	return item->copies[k];
}

/* The module's item of that name: mostly the next of the list. */
static struct pf_export_item *find_item(struct pf_export *x, const char *name, bool detail, const char *const about[3])
{
	struct pf_export_list *list = &x->of_modules;
	for (unsigned k = 0; k < list->n; k++) {
		unsigned i = (x->at + k) % list->n;
		if (list->items[i].detail == detail && strcmp(list->items[i].name, name) == 0) {
			x->at = i + 1;
			return &list->items[i];
		}
	}
	char *own = full_name(name, NULL);
	if (!own || !grow(list, list->n + 1)) {
		free(own);
		return NULL;
	}
	struct pf_export_item *item = &list->items[list->n - 1];
	item->name = own;
	item->detail = detail;
	item->units = copy(item, 0, about[0]);
	item->group = copy(item, 1, about[1]);
	item->title = copy(item, 2, about[2]);
	x->at = list->n;
	return item;
}

/* What a module gives: arguments of struct perfolio_export. @about: units, group, title. */
struct given {
	const char *name;
	const char *about[3];
	double value;
	bool gauge;
	const char *format;
};

static void from_module(struct pf_export *x, bool detail, const struct given *g)
{
	struct pf_export_item *item = g->name ? find_item(x, g->name, detail, g->about) : NULL;
	if (!item)
		return;
	add_value(x, item, g->value, !g->gauge);
	write_formatted(x, item, g->format);
}

/* NOLINTBEGIN(readability-function-size): the module interface has that many arguments */
static void give_summary(struct perfolio_export *to, const char *name, const char *units, double value, int gauge,
			 const char *format, const char *group, const char *title)
{
	const struct given g = { name, { units, group, title }, value, gauge != 0, format };
	from_module(to->host, false, &g);
}

static void give_detail(struct perfolio_export *to, const char *name, const char *units, double value, int gauge,
			const char *format, const char *group, const char *title)
{
	const struct given g = { name, { units, group, title }, value, gauge != 0, format };
	from_module(to->host, true, &g);
}
/* NOLINTEND(readability-function-size) */

static void give_text(struct perfolio_export *to, const char *text)
{
	struct pf_export *x = to->host;
	if (text && x->module_kind == 's')
		pf_buf_str(&x->module_text, text);
}

static void take_modules(struct pf_export *x, const struct pf_step *step)
{
	struct perfolio_export to = {
		.size = sizeof(to), .host = x, .summary = give_summary, .detail = give_detail, .text = give_text
	};
	x->at = 0;
	pf_buf_clear(&x->module_text);
	pf_import_export(x->view.import, x->module_kind, step, &to);
}

int pf_export_begin(struct pf_export *x, const struct pf_step *step, struct pf_calc_step *calc)
{
	int rc = pf_textview_begin(&x->text, step, calc);
	if (rc <= 0)
		return rc;
	const int64_t minute = 60 * PF_NS_PER_SEC;
	if (x->waits && step->cur->time_ns / minute == step->prev->time_ns / minute)
		return 0;
	x->waits = false;
	x->text.lines++; /* no sample is the first any more */
	x->calc = calc;
	for (unsigned i = 0; i < x->text.n_sections; i++) {
		if (x->options->fold == PF_FOLD_LAST || x->counted == 0)
			forget(&x->items[i]);
	}
	if (x->options->fold == PF_FOLD_LAST || x->counted == 0)
		forget(&x->of_modules);
	for (unsigned i = 0; i < x->text.n_sections; i++) {
		rc = take_section(x, i);
		if (rc < 0)
			return rc;
	}
	if (x->view.import)
		take_modules(x, step);
	if (++x->counted < x->every)
		return 0;
	x->counted = 0;
	return 1;
}

/* Did it not change since it was told? lexpr of collectl 4.3.1 compares a rounded value, to which a half was added, with the last one, to
 * which a half was added twice. */
static bool is_same(const struct pf_export *x, const struct pf_export_item *item)
{
	if (is_peer(x) && x->module_kind == 'l' && item->rounded)
		return item->value == item->told_value + 0.5;
	return strcmp(item->told, item->text) == 0;
}

/* Is it told? With co only what changed, or was not told for long. lexpr of collectl 4.3.1 tells all that modules give. */
static bool is_news(const struct pf_export *x, struct pf_export_item *item, bool of_module)
{
	bool all = !x->options->changes || (is_peer(x) && x->module_kind == 'l' && of_module);
	item->ttl = item->ever ? item->countdown : x->options->ttl;
	bool same = item->ever && is_same(x, item);
	if (!all && same && item->countdown > 1) {
		item->countdown--;
		return false;
	}
	memcpy(item->told, item->text, sizeof(item->told));
	item->told_value = item->value;
	item->ever = true;
	item->countdown = x->options->ttl;
	return true;
}

static void tell_item(struct pf_export *x, struct pf_export_item *item, bool of_module)
{
	if (item->n == 0)
		return;
	item->sent = is_news(x, item, of_module);
	x->tell(x, item);
}

static void tell_section(struct pf_export *x, unsigned section)
{
	const struct pf_section *s = &x->text.sections[section];
	struct pf_export_list *list = &x->items[section];
	for (unsigned i = 0; !s->detail && i < s->n_columns; i++)
		tell_item(x, &list->items[i], false);
	for (unsigned i = 0; s->detail && i < s->n_order; i++) {
		int slot = exported_slot(x, s, i);
		for (unsigned c = 0; slot >= 0 && c < s->n_columns; c++)
			tell_item(x, &list->items[(unsigned)slot * s->n_columns + c], false);
	}
}

static void tell_modules(struct pf_export *x, bool detail)
{
	for (unsigned i = 0; i < x->of_modules.n; i++) {
		if (x->of_modules.items[i].detail == detail)
			tell_item(x, &x->of_modules.items[i], true);
	}
}

void pf_export_tell(struct pf_export *x)
{
	bool details_last = x->module_kind != 'g';
	for (unsigned i = 0; i < x->text.n_sections; i++) {
		if (!details_last || !x->text.sections[i].detail)
			tell_section(x, i);
	}
	tell_modules(x, false);
	for (unsigned i = 0; details_last && i < x->text.n_sections; i++) {
		if (x->text.sections[i].detail)
			tell_section(x, i);
	}
	tell_modules(x, true);
}

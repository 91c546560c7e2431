/* sinks/section.c - choosing the blocks of a view. */
#include "sinks/section.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "model/filter.h"
#include "model/rates.h"
#include "model/select.h"
#include "sinks/across.h"
#include "sinks/calc.h"
#include "sinks/sink.h"
#include "sinks/suspect.h"

bool pf_section_allows(uint64_t when, uint64_t unless, uint64_t any, uint64_t variants)
{
	return (variants & when) == when && (variants & unless) == 0 && (any == 0 || (variants & any) != 0);
}

/* The domain that rows or sums run over, and the metric that tells whether a slot has data. */
static void find_domain(struct pf_section *s, const struct pf_catalog *cat)
{
	s->key = UINT32_MAX;
	s->across_key = UINT32_MAX;
	if (s->layouts[0]->across) {
		s->across_key = s->base + s->layouts[0]->across - 1;
		s->across = pf_catalog_domain_of(cat, s->across_key);
	}
	if (s->stacked)
		return;
	if (s->layouts[0]->rows) {
		s->key = s->base + s->layouts[0]->rows - 1;
		s->domain = pf_catalog_domain_of(cat, s->key);
		return;
	}
	for (unsigned i = 0; i < s->n_columns; i++) {
		const struct pf_column *c = s->columns[i];
		if (c->num.n == 0 || c->instance != 0 || c->calc == PF_CALC_COUNT || c->spread || c->cell)
			continue;
		unsigned metric = s->base + c->num.metric[0];
		struct pf_indom *domain = metric < cat->n_metrics ? pf_catalog_domain_of(cat, metric) : NULL;
		if (domain) {
			s->domain = domain;
			s->key = metric;
			return;
		}
	}
}

static int choose_columns(struct pf_section *s, uint64_t variants)
{
	unsigned n = 0;
	for (unsigned i = 0; i < s->n_layouts; i++)
		n += s->layouts[i]->n_columns;
	s->columns = calloc(n ? n : 1, sizeof(*s->columns));
	if (!s->columns)
		return -ENOMEM;
	for (unsigned i = 0; i < s->n_layouts; i++) {
		for (unsigned k = 0; k < s->layouts[i]->n_columns; k++) {
			const struct pf_column *c = &s->layouts[i]->columns[k];
			if (pf_section_allows(c->when, c->unless, c->any, variants))
				s->columns[s->n_columns++] = c;
		}
	}
	return 0;
}

/* The one metric of another group that columns name. */
static void find_other(struct pf_section *s, const struct pf_catalog *cat)
{
	s->other = UINT32_MAX;
	for (unsigned i = 0; i < s->n_columns; i++) {
		int found = s->columns[i]->other ? pf_catalog_find(cat, pf_view_of(s->columns[i]->other)) : -1;
		if (found >= 0)
			s->other = (unsigned)found;
	}
}

/* CPUs are chosen by one filter, whatever is shown of them. */
static char filter_letter(const struct pf_section *s)
{
	bool cpus = s->domain && s->domain->id == PF_INDOM_CPU;
	return cpus ? 'c' : s->group->letters[0];
}

static int complete(struct pf_section *s, const struct pf_sink_spec *spec)
{
	int rc = choose_columns(s, spec->view->variants);
	s->hint = calloc(1, sizeof(*s->hint));
	if (rc < 0 || !s->hint)
		return -ENOMEM;
	find_domain(s, spec->catalog);
	find_other(s, spec->catalog);
	s->catalog = spec->catalog;
	s->filter = pf_filter_find(spec->view->filters, filter_letter(s));
	return 0;
}

/* Sections of @letter: that of the layouts which stand side by side, then one for each stacked one. Return: how many, or -ENOMEM. */
static int choose(struct pf_section *sections, unsigned room, const struct pf_sink_spec *spec, enum pf_view_kind kind,
		  unsigned group, char letter)
{
	const struct pf_group *g = spec->groups[group];
	unsigned n = 0;
	for (unsigned i = 0; i < g->n_layouts; i++) {
		const struct pf_layout *l = &g->layouts[i];
		if (l->view != kind || l->letter != letter ||
		    !pf_section_allows(l->when, l->unless, l->any, spec->view->variants))
			continue;
		if (n == 0 || l->stacked) {
			if (n == room)
				break;
			sections[n++] = (struct pf_section){ .letter = letter,
							     .detail = letter >= 'A' && letter <= 'Z',
							     .stacked = l->stacked,
							     .group = g,
							     .base = spec->bases[group],
							     .view = spec->view,
							     .interval = (double)spec->interval_ns / 1e9 };
		}
		struct pf_section *s = &sections[n - 1];
		if (s->n_layouts < PF_SECTION_LAYOUTS)
			s->layouts[s->n_layouts++] = l;
	}
	for (unsigned i = 0; i < n; i++) {
		if (complete(&sections[i], spec) < 0) {
			pf_sections_close(sections, n);
			return -ENOMEM;
		}
	}
	return (int)n;
}

int pf_sections_open(const struct pf_sink_spec *spec, enum pf_view_kind kind, const char *order,
		     struct pf_section sections[PF_SECTIONS_MAX])
{
	unsigned n = 0;
	for (const char *letter = order; *letter && n < PF_SECTIONS_MAX; letter++) {
		const char *letters = spec->letters ? spec->letters : spec->view->letters;
		if (!letters || !strchr(letters, *letter))
			continue;
		for (unsigned g = 0; spec->groups && spec->groups[g]; g++) {
			if (!strchr(spec->groups[g]->letters, *letter))
				continue;
			int rc = choose(&sections[n], PF_SECTIONS_MAX - n, spec, kind, g, *letter);
			if (rc < 0) {
				pf_sections_close(sections, n);
				return rc;
			}
			n += (unsigned)rc;
			break;
		}
	}
	return (int)n;
}

void pf_sections_close(struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		free(sections[i].columns);
		free(sections[i].spread);
		free(sections[i].hint);
		free(sections[i].flags);
		free(sections[i].speeds);
		free(sections[i].order);
		sections[i] = (struct pf_section){ 0 };
	}
}

/* Rows are those that the user named, or that are worth one; of what was recorded or read by choice, all. */
static uint8_t judge(const struct pf_section *s, const struct pf_sample *sample, unsigned slot)
{
	unsigned role = pf_select_role(s->catalog, s->group, s->domain, slot, sample);
	bool named = s->filter && !pf_filter_negates(s->filter);
	bool chosen = (s->view->variants & PF_AS_RECORDED) || (s->catalog->select && s->catalog->select->chosen);
	bool shown = (role & PF_ROLE_KEPT) && (named || chosen || (role & PF_ROLE_USUAL));
	return (uint8_t)((shown ? PF_SHOWN : 0) | (role & PF_ROLE_COUNTED ? PF_COUNTED : 0));
}

static int look_at_instances(struct pf_section *s, const struct pf_sample *sample)
{
	const struct pf_indom *dom = s->domain;
	if (!dom || (dom->changed == s->changed && dom->n == s->n_flags))
		return 0;
	if (dom->n > s->cap_flags) {
		uint8_t *more = realloc(s->flags, dom->cap);
		if (!more)
			return -ENOMEM;
		s->flags = more;
		uint32_t *speeds = reallocarray(s->speeds, dom->cap, sizeof(*speeds));
		if (!speeds)
			return -ENOMEM;
		s->speeds = speeds;
		unsigned *order = reallocarray(s->order, dom->cap, 2 * sizeof(*order));
		if (!order)
			return -ENOMEM;
		s->order = order;
		s->cap_flags = dom->cap;
	}
	for (unsigned i = 0; i < dom->n; i++) {
		s->flags[i] = judge(s, sample, i);
		s->speeds[i] = 0;
	}
	if (s->group->link_bytes.n > 0)
		pf_suspect_speeds(s->view, dom, s->speeds);
	s->n_flags = dom->n;
	s->changed = dom->changed;
	s->name_width = 0;
	s->name_width = pf_section_name_width(s);
	return 0;
}

/* The peer does not look at links in the first interval. */
static void look_at_traffic(struct pf_section *s, const struct pf_step *step)
{
	bool later = (s->view->variants & PF_AS_PEER) && s->first && s->group->link_bytes.n > 0;
	for (unsigned slot = 0; s->domain && slot < s->n_flags; slot++) {
		bool bogus = !later &&
			     pf_suspect_moved(step, s->view, s->group, s->base, slot, s->speeds[slot], s->interval);
		s->flags[slot] = (uint8_t)((s->flags[slot] & ~(unsigned)PF_BOGUS) | (bogus ? PF_BOGUS : 0));
	}
}

static unsigned digits_of(uint64_t v)
{
	unsigned n = 1;
	for (; v >= 10; v /= 10)
		n++;
	return n;
}

/* Does @a stand behind @b in the order of text: 1, 10, 2? As if the shorter one had zeros behind it. */
static bool digits_behind(uint64_t a, uint64_t b)
{
	uint64_t x = a;
	uint64_t y = b;
	for (unsigned n = digits_of(a); n < digits_of(b); n++)
		x *= 10;
	for (unsigned n = digits_of(b); n < digits_of(a); n++)
		y *= 10;
	return x != y ? x > y : a > b;
}

struct pf_view pf_section_key(struct pf_view name, char buf[4])
{
	size_t digits = 0;
	while (digits < name.n && name.p[digits] >= '0' && name.p[digits] <= '9')
		digits++;
	if (digits == 0 || digits < name.n || name.n >= 3)
		return name;
	memset(buf, '0', 3);
	memcpy(buf + 3 - name.n, name.p, name.n);
	return (struct pf_view){ buf, 3 };
}

static int compare_keys(const struct pf_instance *a, const struct pf_instance *b)
{
	char abuf[4], bbuf[4];
	struct pf_view x = pf_section_key(pf_view_of(a->name), abuf);
	struct pf_view y = pf_section_key(pf_view_of(b->name), bbuf);
	int c = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
	return c != 0 ? c : (x.n > y.n) - (x.n < y.n);
}

/* collectl pads numbers of processes to five digits and compares them as text; as long as none has more that is their order. */
static bool padded_behind(int32_t a, int32_t b, bool peer)
{
	enum { FIVE_DIGITS = 99999 };
	char x[16], y[16];
	if (!peer || (a <= FIVE_DIGITS && b <= FIVE_DIGITS))
		return a > b;
	(void)snprintf(x, sizeof(x), "%05d", a);
	(void)snprintf(y, sizeof(y), "%05d", b);
	return strcmp(x, y) > 0;
}

static bool stands_behind(const struct pf_section *s, unsigned a, unsigned b)
{
	const struct pf_instance *of = s->domain->instances;
	if (s->layouts[0]->sort == PF_SORT_NAME)
		return strcmp(of[a].name, of[b].name) > 0;
	if (s->layouts[0]->sort == PF_SORT_KEY)
		return compare_keys(&of[a], &of[b]) > 0;
	if (s->layouts[0]->sort == PF_SORT_PADDED)
		return padded_behind(of[a].id, of[b].id, s->view->variants & PF_AS_PEER);
	if (s->layouts[0]->sort == PF_SORT_DIGITS)
		return digits_behind((uint64_t)of[a].id, (uint64_t)of[b].id);
	return of[a].id > of[b].id;
}

/* Make one sorted run of two that follow each other, @left and @n - @left long; of equals the one that stood first stays first. */
static void merge_runs(struct pf_section *s, unsigned *at, unsigned left, unsigned n)
{
	unsigned *aside = s->order + s->cap_flags;
	unsigned i = 0, j = left, k = 0;
	if (!stands_behind(s, at[left - 1], at[left]))
		return;
	memcpy(aside, at, left * sizeof(*at));
	while (i < left && j < n)
		at[k++] = stands_behind(s, aside[i], at[j]) ? at[j++] : aside[i++];
	while (i < left)
		at[k++] = aside[i++];
}

/* Sort the rows from the @from-th on. Most stand in order already, where this only looks at each pair of neighbours. */
static void sort_rows(struct pf_section *s, unsigned from)
{
	unsigned n = s->n_order - from;
	unsigned *at = n > 0 ? s->order + from : NULL; /* without rows there is no list */
	for (unsigned run = 1; run < n; run *= 2) {
		for (unsigned i = 0; i + run < n; i += 2 * run)
			merge_runs(s, at + i, run, n - i < 2 * run ? n - i : 2 * run);
	}
}

/* Has the slot a row? The peer forgets processes only after it has shown some, so those of the first sample show once. */
static bool has_row(struct pf_section *s, const struct pf_step *step, unsigned slot)
{
	if (pf_sample_has(step->cur, s->key, slot))
		return true;
	bool gone = s->group->from_zero && (s->view->variants & PF_AS_PEER) && s->due && !s->begun && step->prev &&
		    pf_sample_has(step->prev, s->key, slot);
	if (gone)
		s->flags[slot] |= PF_GONE;
	return gone;
}

static void list_instances(struct pf_section *s, const struct pf_step *step)
{
	unsigned n = 0;
	for (unsigned i = 0; i < s->n_flags; i++)
		s->flags[i] &= (uint8_t) ~(PF_LISTED | PF_GONE);
	for (unsigned i = 0; i < s->n_order; i++) {
		unsigned slot = s->order[i];
		if (slot >= s->n_flags || !has_row(s, step, slot))
			continue;
		s->flags[slot] |= PF_LISTED;
		s->order[n++] = slot;
	}
	s->n_order = n;
	for (unsigned slot = 0; slot < s->n_flags; slot++) {
		if (!(s->flags[slot] & PF_LISTED) && has_row(s, step, slot))
			s->order[s->n_order++] = slot;
	}
	sort_rows(s, s->layouts[0]->sort == PF_SORT_FOUND ? n : 0);
}

/* Instances that columns stand for, by their numbers. */
static int list_across(struct pf_section *s, const struct pf_sample *sample)
{
	const struct pf_indom *dom = s->across;
	const struct pf_instance_filter *filter =
		dom->id == PF_INDOM_CPU ? pf_filter_find(s->view->filters, 'c') : NULL;
	if (dom->n > s->cap_spread) {
		unsigned *more = reallocarray(s->spread, dom->cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->spread = more;
		s->cap_spread = dom->cap;
	}
	s->n_spread = 0;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		if (!pf_sample_has(sample, s->across_key, slot) ||
		    (filter && !pf_filter_keeps(filter, pf_view_of(dom->instances[slot].name))))
			continue;
		unsigned at = s->n_spread++;
		while (at > 0 && dom->instances[s->spread[at - 1]].id > dom->instances[slot].id) {
			s->spread[at] = s->spread[at - 1];
			at--;
		}
		s->spread[at] = slot;
	}
	return 0;
}

int pf_section_cell(const struct pf_section *s, const struct pf_indom *cells, unsigned row, struct pf_view key)
{
	const char *name = s->domain->instances[row].name;
	const char *tail = strstr(name, "::");
	size_t head = tail ? (size_t)(tail - name) : strlen(name);
	char text[2 * PF_NAME_MAX];
	int n = snprintf(text, sizeof(text), "%.*s::%.*s%s", (int)head, name, (int)key.n, key.p, tail ? tail : "");
	if (n < 0 || (size_t)n >= sizeof(text))
		return -1;
	int slot = pf_indom_find(cells, (struct pf_view){ text, (size_t)n }, *s->hint);
	if (slot >= 0)
		*s->hint = (unsigned)slot + 1;
	return slot;
}

int pf_section_prepare(struct pf_section *s, const struct pf_step *step)
{
	bool rare = s->group->period == PF_SECOND_INTERVAL;
	s->begun |= rare && s->due;
	s->due = !rare || step->second_ns > 0;
	int rc = look_at_instances(s, step->cur);
	if (rc == 0 && s->domain && (s->due || step->cur->second))
		list_instances(s, step);
	if (rc == 0 && s->across)
		rc = list_across(s, step->cur);
	*s->hint = 0;
	if (rc == 0 && (s->group->link_bytes.n > 0 || s->group->disk_sectors.n > 0))
		look_at_traffic(s, step);
	return rc;
}

bool pf_section_shows(const struct pf_calc_step *calc, const struct pf_section *s, int slot)
{
	const struct pf_layout *l = s->layouts[0];
	bool gap = false;
	if (!l->shown_if || (l->shown_when && !(s->view->variants & l->shown_when)))
		return true;
	return pf_calc_value(calc, s, l->shown_if, slot, 0, &gap) != 0;
}

bool pf_sections_quiet(const struct pf_calc_step *calc, const struct pf_section *sections, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (sections[i].layouts[0]->shown_when && !pf_section_shows(calc, &sections[i], PF_ROW_SUM))
			return true;
	}
	return false;
}

bool pf_section_offline(const struct pf_view_options *view)
{
	return view->n_offline > 0 && view->letters && strchr(view->letters, 'c');
}

unsigned pf_section_name_width(const struct pf_section *s)
{
	if (s->name_width > 0)
		return s->name_width;
	size_t longest = s->view->net_name_width > PF_NAME_WIDTH_MIN ? s->view->net_name_width : PF_NAME_WIDTH_MIN;
	for (unsigned i = 0; s->domain && i < s->domain->n; i++) {
		size_t n = strlen(s->domain->instances[i].name);
		if (n > longest)
			longest = n;
	}
	return (unsigned)longest + 1;
}

/* Parts of headings that variants choose between: the last row that holds. */
static const struct {
	char brace;
	uint64_t when;
	const char *text;
} parts[] = {
	{ 'R', 0, "PR" },
	{ 'R', PF_WITH_PRIORITY, "PRIO" },
	{ 'S', 0, "" },
	{ 'S', PF_WITH_START, "StrtTime " },
	{ 'S', PF_WITH_START_DAY, "StartTime      " },
	{ 'h', 0, "" },
	{ 'h', PF_WITH_HYPER, "[HYPER]" },
	{ 'x', 0, "" },
	{ 'x', PF_WITH_SWITCHES, "VCtx NCtx " },
	{ 'T', 0, "PROCESS SUMMARY" },
	{ 'T', PF_FOR_TOP, "TOP PROCESSES sorted by " },
};

static void heading_part(const struct pf_section *s, struct pf_buf *out, char brace)
{
	const char *text = "";
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].brace == brace && pf_section_allows(parts[i].when, 0, 0, s->view->variants))
			text = parts[i].text;
	}
	pf_buf_str(out, text);
}

/* @dashes: how many {-} and {+} share; below 0: as if there were no dashes, not even {d}. */
static void expand(const struct pf_section *s, struct pf_buf *out, const char *text, int dashes)
{
	const char *words = s->view->nfs_filter;
	while (*text) {
		const char *brace = strchr(text, '{');
		if (!brace || brace[1] == '\0' || brace[2] != '}') {
			pf_buf_str(out, text);
			return;
		}
		pf_buf_add(out, text, (size_t)(brace - text));
		switch (brace[1]) {
		case 'r':
			pf_buf_str(out, s->view->no_divide ? "/int" : "/sec");
			break;
		case 'F':
			pf_buf_str(out, s->view->variants & PF_WITH_FAULTS ? "cumulative"
					: s->view->no_divide		   ? "/int"
									   : "/sec");
			break;
		case 't':
			pf_buf_str(out, s->view->top_key ? s->view->top_key->name : "");
			break;
		case 'u':
			pf_buf_pad(out, ' ',
				   s->view->user_width > PF_USER_WIDTH_MIN ? s->view->user_width - PF_USER_WIDTH_MIN
									   : 0);
			break;
		case 'p':
			pf_buf_pad(out, ' ', pf_section_name_width(s) - PF_NAME_WIDTH_MIN);
			break;
		case 'c':
		case 'v':
			pf_across_cpus(s, out, brace[1] == 'v');
			break;
		case 'o':
			pf_buf_str(out, pf_section_offline(s->view) ? ": *** One or more CPUs disabled ***" : "");
			break;
		case 'e':
			pf_across_names(s, out);
			break;
		case 'f':
			pf_buf_str(out, words ? "Filters: " : "");
			pf_buf_str(out, words ? words : "");
			break;
		case 'n':
			pf_buf_str(out, words ? words : "");
			break;
		case '-':
			pf_buf_pad(out, '-', dashes > 0 ? (size_t)dashes / 2 : 0);
			break;
		case '+':
			pf_buf_pad(out, '-', dashes > 0 ? (size_t)(dashes - dashes / 2) : 0);
			break;
		case 'd':
			pf_buf_pad(out, '-', dashes >= 0);
			break;
		default:
			heading_part(s, out, brace[1]);
			break;
		}
		text = brace + 3;
	}
}

void pf_section_text(const struct pf_section *s, struct pf_buf *out, const char *text)
{
	expand(s, out, text, 0);
}

void pf_section_head1(const struct pf_section *s, struct pf_buf *out, const struct pf_layout *layout)
{
	if (!layout->head1 || (!strstr(layout->head1, "{-}") && !strstr(layout->head1, "{d}"))) {
		expand(s, out, layout->head1 ? layout->head1 : "", 0);
		return;
	}
	/* Both are made where there is room already, and only measured: headings are repeated. */
	size_t at = out->n;
	expand(s, out, layout->head1, -1);
	size_t first = out->n - at;
	out->n = at;
	for (unsigned i = 0; i < s->n_layouts; i++)
		expand(s, out, s->layouts[i]->head2 ? s->layouts[i]->head2 : "", -1);
	size_t second = out->n - at;
	out->n = at;
	expand(s, out, layout->head1, second > first ? (int)(second - first) : 0);
}

/* engine/lab_check.c - a module called as a run would call it: three intervals with every view, recording, playback of what was recorded,
 * and many intervals for what only shows after a while. What breaks the rules of perfolio-module(3) is told as misuse, what is allowed
 * but odd as a note. */
#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "engine/lab_room.h"

enum {
	WAIT_S = 5,	/* a callback that takes longer is ended */
	SLOW_MS = 1000, /* a callback that takes longer would make samples late */
	INTERVALS = 3,
	WARM_UP = 200,
	LONG = 2000,		  /* intervals of the long phase, at most */
	LONG_NS = 2,		  /* its seconds */
	GROWTH_LEAST = 64 * 1024, /* bytes, less can be chance */
	DEPTH = 8,
	CALLBACKS = 16
};

struct timing {
	const char *name;
	uint64_t calls;
	int64_t ns;
	int64_t max_ns;
};

/**
 * struct check - one phase.
 * @stack: callbacks that are being called, with their beginning and what nested ones took of them
 * @given: metrics that had a value, by index
 * @told: a hash of each misuse that was told, so that each is heard once
 */
struct check {
	const struct pf_lab *lab;
	const char *path;
	const char *args;
	enum pf_lab_phase phase;
	struct pf_view recorded;
	struct pf_lab_room room;
	struct timing timings[CALLBACKS];
	unsigned n_timings;
	struct {
		const char *name;
		int64_t began;
		int64_t nested;
	} stack[DEPTH];
	unsigned depth;
	uint64_t n_records;
	uint64_t n_bytes;
	uint64_t n_values;
	bool other_type;
	bool *given;
	unsigned n_given;
	uint32_t told[64];
	unsigned n_told;
};

static void misuse(struct check *c, const char *text)
{
	uint32_t h = UINT32_C(2166136261);
	for (const char *p = text; *p != '\0'; p++)
		h = (h ^ (unsigned char)*p) * UINT32_C(16777619);
	for (unsigned i = 0; i < c->n_told; i++) {
		if (c->told[i] == h)
			return;
	}
	if (c->n_told < PF_N(c->told)) {
		c->told[c->n_told++] = h;
		pf_lab_say(c->lab, "misuse", "%s", text);
	}
}

static void misusef(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void misusef(struct check *c, const char *format, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	misuse(c, text);
}

static void begin(void *arg, const char *callback)
{
	struct check *c = arg;
	if (c->depth >= DEPTH)
		return;
	c->stack[c->depth].name = callback;
	c->stack[c->depth].began = pf_time_mono_ns();
	c->stack[c->depth++].nested = 0;
	(void)snprintf(c->lab->where->callback, sizeof(c->lab->where->callback), "%s", callback);
	if (c->depth == 1)
		__atomic_store_n(&c->lab->where->since_ns, c->stack[0].began, __ATOMIC_RELEASE);
}

static struct timing *timing_of(struct check *c, const char *name)
{
	for (unsigned i = 0; i < c->n_timings; i++) {
		if (c->timings[i].name == name)
			return &c->timings[i];
	}
	if (c->n_timings == CALLBACKS)
		return NULL;
	c->timings[c->n_timings] = (struct timing){ .name = name };
	return &c->timings[c->n_timings++];
}

static void end(void *arg)
{
	struct check *c = arg;
	if (c->depth == 0)
		return;
	int64_t took = pf_time_mono_ns() - c->stack[--c->depth].began;
	struct timing *t = timing_of(c, c->stack[c->depth].name);
	if (t) {
		int64_t own = took - c->stack[c->depth].nested;
		t->calls++;
		t->ns += own;
		t->max_ns = own > t->max_ns ? own : t->max_ns;
		if (own > SLOW_MS * PF_NS_PER_MS)
			misusef(c, "%s took more than %d ms, which makes samples late", t->name, SLOW_MS);
	}
	if (c->depth > 0) {
		c->stack[c->depth - 1].nested += took;
		(void)snprintf(c->lab->where->callback, sizeof(c->lab->where->callback), "%s",
			       c->stack[c->depth - 1].name);
	} else {
		__atomic_store_n(&c->lab->where->since_ns, INT64_C(0), __ATOMIC_RELEASE);
	}
}

static void value(void *arg, unsigned metric)
{
	struct check *c = arg;
	c->n_values++;
	if (metric < c->n_given)
		c->given[metric] = true;
}

static void said(void *arg, char severity, const char *text)
{
	struct check *c = arg;
	if (c->phase == PF_LAB_LIVE)
		pf_lab_say(c->lab, "said", "%c\t%s", severity, text);
}

/* What the host has to complain about is misuse, but for what it only warns of. */
static void notice(void *arg, enum pf_severity severity, const char *text)
{
	if (severity == PF_WARNING)
		misuse(arg, text);
}

static bool has_control(struct pf_view text, const char *allowed)
{
	for (size_t i = 0; i < text.n; i++) {
		unsigned char b = (unsigned char)text.p[i];
		if ((b < ' ' || b == 0x7f) && (b == '\0' || !strchr(allowed, b)))
			return true;
	}
	return false;
}

static void line(void *arg, struct pf_view tag, struct pf_view text)
{
	struct check *c = arg;
	c->n_records++;
	c->n_bytes += tag.n + text.n + 2;
	struct pf_view type = tag;
	if (tag.n == 0) {
		type.p = text.p;
		while (type.n < text.n && text.p[type.n] != ' ')
			type.n++;
	}
	if (has_control(tag, "") || has_control(text, "\t"))
		misusef(c, "a record of type '%.*s' has control bytes", type.n < 40 ? (int)type.n : 40, type.p);
	if (!c->other_type && !pf_import_wants(c->room.import, type)) {
		c->other_type = true;
		pf_lab_say(c->lab, "note",
			   "records of type '%.*s' do not match the key, so that Analyze is not given them",
			   type.n < 40 ? (int)type.n : 40, type.p);
	}
	if (c->phase == PF_LAB_RECORD)
		pf_lab_say(c->lab, "line", "%.*s%s%.*s", (int)tag.n, tag.n ? tag.p : "", tag.n ? " " : "", (int)text.n,
			   text.p);
}

static void check_text(struct check *c, const char *callback, const struct pf_buf *text, const char *allowed)
{
	if (has_control(pf_buf_text(text), allowed))
		misusef(c, "%s makes text with control bytes", callback);
}

/* Both lines of headings and the data stand above each other. */
static void draw_brief(struct check *c, const struct pf_step *step, struct pf_buf *text)
{
	static const int types[] = { PERFOLIO_BRIEF_TITLE, PERFOLIO_BRIEF_NAMES, PERFOLIO_BRIEF_VALUES };
	size_t widths[3];
	pf_buf_clear(text);
	pf_import_brief(c->room.import, PERFOLIO_BRIEF_COUNT, step, text);
	if (text->n > 0)
		misuse(c, "print_brief makes text for type 5, which only counts");
	for (unsigned i = 0; i < PF_N(types); i++) {
		pf_buf_clear(text);
		pf_import_brief(c->room.import, types[i], step, text);
		check_text(c, "print_brief", text, "\t");
		if (memchr(pf_buf_text(text).p, '\n', text->n))
			misuse(c, "print_brief makes more than one line");
		widths[i] = text->n;
	}
	if (widths[1] != widths[2] && widths[1] + 1 != widths[2] && widths[2] + 1 != widths[1])
		misusef(c, "print_brief: the heading has %zu columns, the data %zu", widths[1], widths[2]);
	else if (widths[0] != widths[1] && widths[0] + 1 != widths[1] && widths[1] + 1 != widths[0])
		misusef(c, "print_brief: the two lines of the heading have %zu and %zu columns", widths[0], widths[1]);
}

static void draw_verbose(struct check *c, const struct pf_step *step, struct pf_buf *text)
{
	pf_buf_clear(text);
	pf_import_verbose(c->room.import, true, false, step, pf_view_of(""), text);
	check_text(c, "print_verbose", text, "\t\n");
	if (text->n > 0 && text->p[text->n - 1] != '\n')
		misuse(c, "print_verbose: the last line has no end");
}

static unsigned count_byte(const struct pf_buf *text, char byte)
{
	unsigned n = 0;
	for (size_t i = 0; i < text->n; i++)
		n += text->p[i] == byte;
	return n;
}

/* Names are followed by the separator, values have it before them: there are as many of both. */
static void draw_plot(struct check *c, int names, int values, const char *what, const struct pf_step *step,
		      struct pf_buf *text)
{
	pf_buf_clear(text);
	pf_import_plot(c->room.import, -1, names, step, text);
	check_text(c, "print_plot", text, "");
	unsigned n = count_byte(text, ' ');
	pf_buf_clear(text);
	pf_import_plot(c->room.import, -1, values, step, text);
	check_text(c, "print_plot", text, "");
	unsigned have = count_byte(text, ' ');
	if (n != have)
		misusef(c, "print_plot: %u names and %u values in the %s", n, have, what);
}

static void pushed(struct perfolio_export *to, const char *name, double v)
{
	struct check *c = to->host;
	if (!name || name[0] == '\0')
		misuse(c, "print_export pushes a value without a name");
	else if (strpbrk(name, " \t\n\r"))
		misusef(c, "print_export: the name '%.60s' has blanks", name);
	if (v != v)
		misusef(c, "print_export: the value of %.60s is not a number", name ? name : "");
}

/* NOLINTBEGIN(readability-function-size): the module interface has that many arguments */
static void push(struct perfolio_export *to, const char *name, const char *units, double v, int gauge,
		 const char *format, const char *group, const char *title)
{
	(void)units, (void)gauge, (void)format, (void)group, (void)title;
	pushed(to, name, v);
}
/* NOLINTEND(readability-function-size) */

static void push_text(struct perfolio_export *to, const char *text)
{
	if (has_control(pf_view_of(text ? text : ""), "\t\n"))
		misuse(to->host, "print_export makes text with control bytes");
}

static void draw(struct check *c, const struct pf_step *step)
{
	struct pf_buf text = { 0 };
	draw_brief(c, step, &text);
	c->room.state.verbose = 1;
	draw_verbose(c, step, &text);
	c->room.state.verbose = 0;
	c->room.state.plot = 1;
	draw_plot(c, PERFOLIO_PLOT_SUM_NAMES, PERFOLIO_PLOT_SUM, "summary", step, &text);
	draw_plot(c, PERFOLIO_PLOT_DET_NAMES, PERFOLIO_PLOT_DET, "detail", step, &text);
	c->room.state.plot = 0;
	struct perfolio_export to = {
		.size = sizeof(to), .host = c, .summary = push, .detail = push, .text = push_text
	};
	for (const char *kind = "lgs"; *kind != '\0'; kind++)
		pf_import_export(c->room.import, *kind, step, &to);
	pf_buf_done(&text);
}

/* The next sample, a second after the one before. */
static void next_sample(struct check *c)
{
	int64_t last = c->room.state.time_ns;
	c->room.state.time_ns = last ? last + PF_NS_PER_SEC : pf_time_wall_ns();
	struct pf_sample *cur = pf_frames_begin(&c->room.frames, c->room.state.time_ns, c->room.state.time_ns);
	if (cur)
		pf_import_sample(c->room.import, cur);
}

/* Analyze what was recorded, up to the next mark. */
static void replay(struct check *c)
{
	struct pf_view text;
	while (pf_view_line(&c->recorded, &text) == 0) {
		if (text.n == 4 && memcmp(text.p, "mark", 4) == 0)
			return;
		if (text.n == 5 && memcmp(text.p, "mark\t", 5) == 0)
			return;
		if (text.n < 5 || memcmp(text.p, "line\t", 5) != 0)
			continue;
		struct pf_view data = { text.p + 5, text.n - 5 }, type = { data.p, 0 };
		while (type.n < data.n && data.p[type.n] != ' ')
			type.n++;
		data = (struct pf_view){ data.p + type.n, data.n - type.n };
		pf_import_analyze(c->room.import, type, data);
	}
}

static void take(struct check *c)
{
	next_sample(c);
	if (c->phase == PF_LAB_PLAYBACK)
		replay(c);
	else
		pf_import_get_data(c->room.import);
}

/* What live runs and playback do; a step without predecessor is the baseline. */
static void intervals(struct check *c)
{
	struct pf_import *imp = c->room.import;
	struct pf_buf text = { 0 };
	if (c->phase == PF_LAB_PLAYBACK)
		pf_import_get_header(imp, "# Collectl: V4.3.1-1  Host: localhost  Interval: 1\n");
	pf_import_init_interval(imp);
	pf_import_brief(imp, PERFOLIO_BRIEF_RESET, NULL, &text);
	take(c);
	if (c->phase == PF_LAB_LIVE)
		pf_import_interval_end(imp);
	pf_import_init_interval(imp);
	for (unsigned i = 0; i < INTERVALS; i++) {
		take(c);
		pf_import_interval_end(imp);
		c->room.state.mini_instances = i + 1;
		struct pf_step step = pf_frames_step(&c->room.frames);
		draw(c, &step);
		pf_import_init_interval(imp);
	}
	pf_buf_clear(&text);
	pf_import_brief(imp, PERFOLIO_BRIEF_TOTALS, NULL, &text);
	pf_buf_done(&text);
}

static void record(struct check *c)
{
	struct pf_import *imp = c->room.import;
	struct pf_buf text = { 0 };
	pf_import_init_interval(imp);
	pf_import_update_header(imp, &text);
	check_text(c, "update_header", &text, "\t\n");
	pf_buf_done(&text);
	for (unsigned i = 0; i <= INTERVALS; i++) {
		take(c);
		pf_lab_say(c->lab, "mark", "%s", "");
	}
}

static unsigned open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;
	while (d && readdir(d))
		n++;
	if (d)
		(void)closedir(d);
	return n;
}

static size_t memory(void)
{
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

/* What grows and grows. */
static void run_long(struct check *c)
{
	struct pf_import *imp = c->room.import;
	int64_t until = pf_time_mono_ns() + LONG_NS * PF_NS_PER_SEC;
	size_t before = 0, half = 0;
	unsigned files = 0, n = 0;
	pf_import_init_interval(imp);
	for (; n < LONG && (n < WARM_UP || pf_time_mono_ns() < until); n++) {
		if (n > 4 && pf_time_mono_ns() > until + 2 * PF_NS_PER_SEC)
			break;
		if (n == WARM_UP) {
			before = memory();
			files = open_files();
		}
		if (n == WARM_UP + (LONG - WARM_UP) / 2)
			half = memory();
		take(c);
		pf_import_interval_end(imp);
		pf_import_init_interval(imp);
	}
	pf_lab_say(c->lab, "intervals", "%u", n);
	if (n <= WARM_UP + 10)
		return;
	size_t after = memory();
	unsigned later = open_files();
	if (later > files && later - files >= (n - WARM_UP) / 100 + 2)
		misusef(c, "leaves descriptors open: %u more after %u intervals", later - files, n - WARM_UP);
	if (after > before + GROWTH_LEAST && (half == 0 || after > half + GROWTH_LEAST / 4))
		misusef(c, "memory grows: %zu bytes more after %u intervals, %zu in each", after - before, n - WARM_UP,
			(after - before) / (n - WARM_UP));
}

static void tell_metrics(struct check *c)
{
	const struct pf_catalog *cat = c->room.catalog;
	for (unsigned i = 0; i < cat->n_metrics && i < c->n_given; i++) {
		const struct pf_metric *m = cat->metrics[i];
		if (!c->given[i]) {
			pf_lab_say(c->lab, "note", "metric %s was never given a value", m->name);
			continue;
		}
		const struct pf_indom *dom = pf_catalog_domain_of(cat, i);
		struct pf_step step = pf_frames_step(&c->room.frames);
		char text[256] = "";
		unsigned slots = dom ? dom->n : 1;
		for (unsigned slot = 0; step.cur && slot < slots; slot++) {
			if (!pf_sample_has(step.cur, i, slot))
				continue;
			union pf_value v = pf_sample_get(step.cur, i, slot);
			if (m->type == PF_STRING)
				(void)snprintf(text, sizeof(text), "%.200s", v.s);
			else
				(void)snprintf(text, sizeof(text), "%.15g", pf_number(m, v));
			break;
		}
		pf_lab_say(c->lab, "metric", "%s\t%u\t%s", m->name, dom ? dom->n : 0, text);
	}
}

static void tell(struct check *c)
{
	struct pf_import_facts facts;
	for (unsigned i = 0; i < c->n_timings; i++)
		pf_lab_say(c->lab, "callback", "%s\t%llu\t%lld\t%lld", c->timings[i].name,
			   (unsigned long long)c->timings[i].calls, (long long)c->timings[i].ns,
			   (long long)c->timings[i].max_ns);
	if (c->phase == PF_LAB_LONG)
		return;
	pf_lab_say(c->lab, "records", "%llu\t%llu", (unsigned long long)c->n_records, (unsigned long long)c->n_bytes);
	if (c->phase == PF_LAB_RECORD)
		return;
	tell_metrics(c);
	if (c->phase == PF_LAB_LIVE && c->n_records == 0 && pf_import_facts(c->room.import, 0, &facts) &&
	    !facts.withdrawn)
		pf_lab_say(c->lab, "note", "%s",
			   c->n_values ? "values are set but nothing is recorded: recordings will have nothing of it"
				       : "neither records nor values came of it");
	if (c->phase == PF_LAB_PLAYBACK && c->room.catalog->n_metrics > 0 && c->n_values == 0)
		pf_lab_say(c->lab, "note", "in playback no metric has a value: they are not set in Analyze");
}

static void work(void *arg, const struct pf_lab *lab)
{
	struct check *c = arg;
	c->lab = lab;
	const struct pf_import_watch watch = { begin, end, value, said, c };
	const struct pf_notice to = { notice, c };
	struct pf_err err = { 0 };
	if (pf_lab_room_open(&c->room, c->path, c->args, c->phase, &watch, &to, &err) < 0) {
		pf_lab_say(lab, "refused", "%s", err.text);
		return;
	}
	struct pf_import_facts facts;
	if (pf_import_facts(c->room.import, 0, &facts)) {
		pf_lab_say(lab, "name", "%s", facts.name);
		if (facts.withdrawn)
			pf_lab_say(lab, "withdrawn", "Init took it back");
	}
	c->n_given = 8192;
	c->given = calloc(c->n_given, sizeof(*c->given));
	if (!c->given)
		c->n_given = 0;
	pf_import_tap(c->room.import, line, c, c->phase == PF_LAB_LIVE || c->phase == PF_LAB_LONG);
	if (c->phase == PF_LAB_RECORD)
		record(c);
	else if (c->phase == PF_LAB_LONG)
		run_long(c);
	else
		intervals(c);
	tell(c);
	pf_lab_room_close(&c->room);
	free(c->given);
}

int pf_lab_check(const char *path, const char *args, enum pf_lab_phase phase, struct pf_view recorded,
		 struct pf_buf *out, struct pf_lab_end *ret_end, struct pf_err *err)
{
	struct check *c = calloc(1, sizeof(*c));
	if (!c)
		return pf_err_set(err, -ENOMEM, "no memory");
	c->path = path;
	c->args = args;
	c->phase = phase;
	c->recorded = recorded;
	int rc = pf_lab_run(work, c, WAIT_S * PF_NS_PER_SEC, out, ret_end, err);
	free(c);
	return rc;
}

/* sinks/exposition.c - names, units and values for Prometheus. */
#include "sinks/exposition.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/time.h"
#include "formats/text/number.h"
#include "formats/text/utf8.h"

enum { DOMAIN_LABEL_ROOM = 64, MS_PER_SEC = 1000 };

const char *pf_expo_type(enum pf_expo_form form)
{
	return form == PF_EXPO_OPEN ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
				    : "text/plain; version=0.0.4; charset=utf-8";
}

void pf_expo_done(struct pf_expo *e)
{
	pf_arena_done(&e->arena);
	pf_buf_done(&e->label);
	pf_about_ear_done(&e->ear);
	free(e->families);
	free(e->seen);
	free(e->stamps);
	*e = (struct pf_expo){ 0 };
}

static bool ends_with(const struct pf_buf *b, const char *end)
{
	size_t n = strlen(end);
	return b->n > n && memcmp(b->p + b->n - n, end, n) == 0;
}

/* "bytes", "seconds", "bytes_per_second" ...; nothing for counts. Above the line first, then what stands below it. */
static void add_units(struct pf_buf *out, const struct pf_units *u)
{
	const struct {
		const char *many, *one;
		int power;
	} parts[] = { { "bytes", "byte", u->space }, { "seconds", "second", u->time } };
	for (unsigned i = 0; i < 2; i++) {
		for (int k = 0; k < parts[i].power; k++) {
			pf_buf_str(out, out->n ? "_" : "");
			pf_buf_str(out, parts[i].many);
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		for (int k = 0; k > parts[i].power; k--) {
			pf_buf_str(out, out->n ? "_per_" : "per_");
			pf_buf_str(out, parts[i].one);
		}
	}
}

static uint64_t power_of(uint64_t base, unsigned n)
{
	uint64_t v = 1;
	while (n-- > 0 && !__builtin_mul_overflow(v, base, &v)) {
	}
	return v;
}

static void choose_scale(struct pf_expo_family *f, const struct pf_units *u)
{
	static const uint64_t to_seconds[] = { 1000000000, 1000000, 1000, 1 }; /* divisors: of ns, us, ms, s */
	static const uint64_t of_seconds[] = { 60, 3600 };
	unsigned t = u->time_scale;
	double time = t < 4 ? 1.0 / (double)to_seconds[t] : t < 6 ? (double)of_seconds[t - 4] : 1;
	f->scale = pow(1024, u->space_scale * u->space) * pow(time, u->time) * pow(10, u->count_scale * u->count);
	f->multiply = 1;
	f->divide = 1;
	if (u->space < 0 || u->time < 0 || u->space > 1 || u->time > 1 || u->count_scale != 0) {
		f->multiply = f->scale == 1 ? 1 : 0; /* then values are floating-point */
		return;
	}
	if (u->space == 1)
		f->multiply = power_of(1024, u->space_scale);
	if (u->time == 1 && t < 4)
		f->divide = to_seconds[t];
	else if (u->time == 1 && t < 6)
		f->multiply *= of_seconds[t - 4];
}

/* PCP's name with what Prometheus takes, without the ending that its type brings. */
static void add_name(struct pf_buf *out, const struct pf_metric *m)
{
	if (isdigit((unsigned char)m->name[0]))
		pf_buf_char(out, '_');
	for (const char *p = m->name; *p != '\0'; p++)
		pf_buf_char(out, isalnum((unsigned char)*p) && (unsigned char)*p < 0x80 ? *p : '_');
	const char *ending = m->sem == PF_COUNTER ? "_total" : "_info";
	if ((m->sem == PF_COUNTER || m->type == PF_STRING) && ends_with(out, ending))
		out->n -= strlen(ending);
}

static const char *type_of(const struct pf_metric *m)
{
	return m->type == PF_STRING ? "info" : m->sem == PF_COUNTER ? "counter" : "gauge";
}

static const char *ending_of(const struct pf_metric *m)
{
	return m->type == PF_STRING ? "_info" : m->sem == PF_COUNTER ? "_total" : "";
}

/* Is the name, or what readers reserve beside it, that of another family? */
static bool is_taken(const struct pf_expo *e, unsigned metric, struct pf_view family, struct pf_view sample)
{
	for (unsigned i = 0; i < e->n_families; i++) {
		const struct pf_expo_family *f = &e->families[i];
		if (!f->made || i == metric)
			continue;
		struct pf_view other = f->sample;
		bool same = other.n == sample.n && memcmp(other.p, sample.p, sample.n) == 0;
		bool begins = other.n > family.n && memcmp(other.p, family.p, family.n) == 0;
		bool begun = sample.n > other.n && memcmp(sample.p, other.p, other.n) == 0;
		struct pf_view more = begins  ? (struct pf_view){ other.p + family.n, other.n - family.n }
				      : begun ? (struct pf_view){ sample.p + other.n, sample.n - other.n }
					      : (struct pf_view){ "", 0 };
		if (same || pf_view_is(more, "_total") || pf_view_is(more, "_info") || pf_view_is(more, "_created"))
			return true;
	}
	return false;
}

static void add_help(struct pf_buf *out, const char *text)
{
	uint32_t cp = 0;
	bool ok;
	size_t n;
	for (struct pf_view v = pf_view_of(text); v.n > 0; v.p += n, v.n -= n) {
		n = pf_utf8_next(v, &cp, &ok);
		if (!ok || (cp < ' ' && cp != '\n') || cp == 0x7f)
			pf_buf_str(out, PF_UTF8_REPLACEMENT);
		else if (cp == '\n')
			pf_buf_str(out, "\\n");
		else if (cp == '\\')
			pf_buf_str(out, "\\\\");
		else if (cp == '"')
			pf_buf_char(out, '\''); /* only one form escapes quotes */
		else
			pf_buf_view(out, (struct pf_view){ v.p, n });
	}
	pf_buf_char(out, '\n');
}

static void write_head(struct pf_buf *out, enum pf_expo_form form, const struct pf_metric *m, const char *line,
		       struct pf_view family, struct pf_view sample, struct pf_view unit)
{
	bool open = form == PF_EXPO_OPEN;
	struct pf_view name = open ? family : sample;
	const char *type = !open && m->type == PF_STRING ? "gauge" : type_of(m);
	pf_buf_clear(out);
	pf_buf_fmt(out, "# TYPE %.*s %s\n", (int)name.n, name.p, type);
	if (open && unit.n > 0)
		pf_buf_fmt(out, "# UNIT %.*s %.*s\n", (int)name.n, name.p, (int)unit.n, unit.p);
	pf_buf_fmt(out, "# HELP %.*s ", (int)name.n, name.p);
	add_help(out, line ? line : m->help && m->help[0] ? m->help : m->name);
}

/* NAME[_N][_UNIT] and the ending of its type. */
static void compose(struct pf_buf *out, const struct pf_metric *m, struct pf_view unit, unsigned number)
{
	pf_buf_clear(out);
	add_name(out, m);
	char ending[64] = "_";
	if (unit.n > 0 && unit.n + 1 < sizeof(ending)) {
		memcpy(ending + 1, unit.p, unit.n);
		ending[unit.n + 1] = '\0';
		if (ends_with(out, ending))
			out->n -= unit.n + 1;
	}
	if (number > 1)
		pf_buf_fmt(out, "_%u", number);
	if (unit.n > 0)
		pf_buf_str(out, ending);
}

static int make_family(struct pf_expo *e, const struct pf_metric *m, unsigned metric)
{
	struct pf_expo_family *f = &e->families[metric];
	struct pf_buf unit = { 0 }, name = { 0 }, head = { 0 };
	if (m->type != PF_STRING)
		add_units(&unit, &m->units);
	choose_scale(f, &m->units);
	struct pf_view family, sample;
	unsigned number = 1;
	do {
		compose(&name, m, pf_buf_text(&unit), number++);
		size_t n = name.n;
		pf_buf_str(&name, ending_of(m));
		sample = pf_buf_text(&name);
		family = (struct pf_view){ sample.p, n };
	} while (!name.failed && is_taken(e, metric, family, sample));
	int rc = name.failed ? name.failed : unit.failed;
	for (unsigned form = 0; rc == 0 && form < PF_N_EXPO_FORMS; form++) {
		write_head(&head, form, m, f->line, family, sample, pf_buf_text(&unit));
		f->head[form] = (struct pf_view){ pf_arena_dup(&e->arena, pf_buf_text(&head)), head.n };
		rc = head.failed || !f->head[form].p ? -ENOMEM : 0;
	}
	if (rc == 0) {
		f->sample = (struct pf_view){ pf_arena_dup(&e->arena, sample), sample.n };
		f->made = f->sample.p != NULL;
		rc = f->made ? 0 : -ENOMEM;
	}
	pf_buf_done(&unit);
	pf_buf_done(&name);
	pf_buf_done(&head);
	return rc;
}

static int room_for_families(struct pf_expo *e, unsigned n)
{
	if (n <= e->n_families)
		return 0;
	struct pf_expo_family *more = reallocarray(e->families, n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + e->n_families, 0, (n - e->n_families) * sizeof(*more));
	e->families = more;
	e->n_families = n;
	return 0;
}

int pf_expo_listen(struct pf_expo *e, const struct pf_catalog *cat)
{
	struct pf_about about;
	if (!cat->tellers)
		return 0;
	int rc = room_for_families(e, cat->n_metrics);
	while (rc == 0 && (rc = pf_about_next(&e->ear, cat, PF_ABOUT_TEXT, INT64_MAX, &about)) == 1) {
		rc = 0;
		if (about.which != PF_ABOUT_LINE || about.metric < 0 || about.text.n == 0)
			continue;
		struct pf_expo_family *f = &e->families[about.metric];
		pf_buf_clear(&e->label);
		pf_escape_text(&e->label, about.text);
		f->line = pf_arena_dup(&e->arena, pf_buf_text(&e->label));
		rc = e->label.failed || !f->line ? -ENOMEM : 0;
	}
	return rc;
}

/* Room for the label values of @n series: a table at most half full, and a stamp that empties it. */
static int begin_labels(struct pf_expo *e, unsigned n)
{
	e->stamp++;
	if (2 * (uint64_t)n <= e->n_seen)
		return 0;
	unsigned size = e->n_seen ? e->n_seen : DOMAIN_LABEL_ROOM;
	while (size < 2 * (uint64_t)n) {
		if (__builtin_mul_overflow(size, 2u, &size))
			return -ENOMEM;
	}
	uint64_t *seen = reallocarray(NULL, size, sizeof(*seen));
	uint64_t *stamps = calloc(size, sizeof(*stamps));
	if (!seen || !stamps) {
		free(seen);
		free(stamps);
		return -ENOMEM;
	}
	free(e->seen);
	free(e->stamps);
	e->seen = seen;
	e->stamps = stamps;
	e->n_seen = size;
	return 0;
}

/* The first of its kind in this family? By hash: FNV-1a of 64 bits. */
static bool is_new_label(struct pf_expo *e)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < e->label.n; i++)
		h = (h ^ (unsigned char)e->label.p[i]) * UINT64_C(1099511628211);
	unsigned at = (unsigned)(h >> 32) & (e->n_seen - 1);
	while (e->stamps[at] == e->stamp) {
		if (e->seen[at] == h)
			return false;
		at = (at + 1) & (e->n_seen - 1);
	}
	e->stamps[at] = e->stamp;
	e->seen[at] = h;
	return true;
}

/* name="VALUE": nothing in it that a terminal could obey, quotes and backslashes escaped. */
static void make_label(struct pf_buf *to, const char *key, const char *value)
{
	pf_buf_str(to, key);
	pf_buf_str(to, "=\"");
	size_t from = to->n;
	pf_escape_text(to, pf_view_of(value));
	size_t more = 0;
	for (size_t i = from; i < to->n; i++)
		more += to->p[i] == '"' || to->p[i] == '\\';
	if (more > 0 && pf_buf_reserve(to, more)) {
		size_t w = to->n + more;
		for (size_t r = to->n; r > from; r--) {
			char c = to->p[r - 1];
			to->p[--w] = c;
			if (c == '"' || c == '\\')
				to->p[--w] = '\\';
		}
		to->n += more;
	}
	pf_buf_char(to, '"');
}

/* In the base unit, exactly where it is a whole number of a decimal part. */
static void write_whole(struct pf_buf *out, const struct pf_expo_family *f, uint64_t v)
{
	uint64_t whole;
	char text[PF_NUMBER_SIZE];
	if (f->multiply == 0 || __builtin_mul_overflow(v, f->multiply, &whole)) {
		pf_buf_add(out, text, pf_number_real(text, (double)v * f->scale));
		return;
	}
	pf_buf_u64(out, whole / f->divide);
	uint64_t rest = whole % f->divide;
	if (rest == 0)
		return;
	pf_buf_char(out, '.');
	for (uint64_t d = f->divide / 10; rest > 0; d /= 10) {
		pf_buf_char(out, (char)('0' + rest / d));
		rest %= d;
	}
}

static void write_number(struct pf_buf *out, const struct pf_expo_family *f, enum pf_type type, union pf_value v)
{
	char text[PF_NUMBER_SIZE];
	if (type == PF_FLOAT || type == PF_DOUBLE) {
		pf_buf_add(out, text,
			   type == PF_FLOAT && f->scale == 1 ? pf_number_float(text, (float)v.d)
							     : pf_number_real(text, v.d * f->scale));
		return;
	}
	bool minus = (type == PF_S32 || type == PF_S64) && v.i < 0;
	if (minus)
		pf_buf_char(out, '-');
	write_whole(out, f, minus ? -(uint64_t)v.i : v.u);
}

/* Counters are never negative, and nothing is told that is no number. */
bool pf_expo_tells(const struct pf_step *step, unsigned metric, unsigned slot)
{
	if (!pf_sample_has(step->cur, metric, slot))
		return false;
	const struct pf_metric *m = step->catalog->metrics[metric];
	union pf_value v = pf_sample_get(step->cur, metric, slot);
	bool counter = m->sem == PF_COUNTER;
	if (m->type > PF_STRING)
		return false; /* bytes and events have no form there */
	if (m->type == PF_FLOAT || m->type == PF_DOUBLE)
		return isfinite(v.d) && !(counter && v.d < 0);
	return !(counter && (m->type == PF_S32 || m->type == PF_S64) && v.i < 0);
}

static void write_time(struct pf_buf *out, enum pf_expo_form form, int64_t time_ns)
{
	int64_t ms = time_ns / PF_NS_PER_MS;
	if (form == PF_EXPO_OPEN)
		pf_buf_fmt(out, " %lld.%03lld", (long long)(ms / MS_PER_SEC), (long long)(ms % MS_PER_SEC));
	else
		pf_buf_fmt(out, " %lld", (long long)ms);
}

/* The label that names the instance. */
static int name_instance(struct pf_expo *e, const struct pf_step *step, unsigned metric, unsigned slot)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	pf_buf_clear(&e->label);
	if (dom)
		make_label(&e->label, "name", dom->instances[slot].name);
	return e->label.failed;
}

static int add_text(struct pf_expo *e, const struct pf_step *step, unsigned metric, unsigned slot)
{
	if (step->catalog->metrics[metric]->type != PF_STRING)
		return 0;
	const char *text = pf_sample_get(step->cur, metric, slot).s;
	pf_buf_str(&e->label, e->label.n > 0 ? "," : "");
	make_label(&e->label, "value", text ? text : "");
	return e->label.failed;
}

int pf_expo_labels(struct pf_expo *e, const struct pf_step *step, unsigned metric, unsigned slot,
		   struct pf_view *ret_labels)
{
	int rc = name_instance(e, step, metric, slot);
	if (rc == 0)
		rc = add_text(e, step, metric, slot);
	if (rc < 0)
		return rc;
	*ret_labels = pf_buf_text(&e->label);
	return 0;
}

void pf_expo_name(struct pf_buf *out, const struct pf_expo_family *f, struct pf_view labels)
{
	pf_buf_view(out, f->sample);
	if (labels.n > 0) {
		pf_buf_char(out, '{');
		pf_buf_view(out, labels);
		pf_buf_char(out, '}');
	}
	pf_buf_char(out, ' ');
}

void pf_expo_value(struct pf_buf *out, const struct pf_expo_family *f, const struct pf_metric *m, union pf_value v)
{
	if (m->type == PF_STRING)
		pf_buf_char(out, '1');
	else
		write_number(out, f, m->type, v);
}

static int write_series(struct pf_expo *e, struct pf_buf *out, const struct pf_step *step, unsigned metric,
			unsigned slot)
{
	const struct pf_expo_family *f = &e->families[metric];
	int rc = name_instance(e, step, metric, slot);
	if (rc < 0 || !is_new_label(e))
		return rc;
	rc = add_text(e, step, metric, slot);
	if (rc < 0)
		return rc;
	pf_expo_name(out, f, pf_buf_text(&e->label));
	pf_expo_value(out, f, step->catalog->metrics[metric], pf_sample_get(step->cur, metric, slot));
	return 1;
}

int pf_expo_family(struct pf_expo *e, const struct pf_catalog *cat, unsigned metric,
		   const struct pf_expo_family **ret_family)
{
	int rc = room_for_families(e, cat->n_metrics);
	if (rc == 0 && !e->families[metric].made)
		rc = make_family(e, cat->metrics[metric], metric);
	if (rc == 0)
		*ret_family = &e->families[metric];
	return rc;
}

static int write_family(struct pf_expo *e, struct pf_buf *out, enum pf_expo_form form, const struct pf_step *step,
			unsigned metric, bool times)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	unsigned n = dom ? dom->n : 1;
	unsigned slot = 0;
	while (slot < n && !pf_expo_tells(step, metric, slot))
		slot++;
	if (slot == n)
		return 0;
	struct pf_expo_family *f = &e->families[metric];
	int rc = f->made ? 0 : make_family(e, step->catalog->metrics[metric], metric);
	if (rc == 0)
		rc = begin_labels(e, n);
	if (rc < 0)
		return rc;
	pf_buf_view(out, f->head[form]);
	for (; slot < n; slot++) {
		if (!pf_expo_tells(step, metric, slot))
			continue;
		rc = write_series(e, out, step, metric, slot);
		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		if (times)
			write_time(out, form, step->cur->time_ns);
		pf_buf_char(out, '\n');
	}
	return out->failed;
}

int pf_expo_write(struct pf_expo *e, struct pf_buf *out, enum pf_expo_form form, const struct pf_step *step, bool times)
{
	int rc = pf_expo_listen(e, step->catalog);
	if (rc == 0)
		rc = room_for_families(e, step->catalog->n_metrics);
	for (unsigned m = 0; rc == 0 && m < step->catalog->n_metrics; m++)
		rc = write_family(e, out, form, step, m, times);
	if (rc == 0 && form == PF_EXPO_OPEN)
		pf_buf_str(out, "# EOF\n");
	return rc < 0 ? rc : out->failed;
}

/* formats/feed/openmetrics.c - lines of OpenMetrics and Prometheus text. Where the two differ, what either allows is taken: blanks and tabs as
 * in 0.0.4, counters with and without _total, a carriage return at the end of a line. Numbers, names, escapes and UTF-8 are strict. */
#include "formats/feed/openmetrics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/feed/family.h"
#include "formats/text/utf8.h"

enum { LINE_MAX_DEFAULT = 32768, FAMILIES_DEFAULT = 4096, SERIES_DEFAULT = 50000, WHY_SIZE = 160 };

/**
 * struct pf_om - a reader.
 * @text: number of the text, @line: of the line in it; @only: it has something that only OpenMetrics has; @eof: "# EOF" was there
 * @values: label values of a line without their escapes, @n_values bytes of them
 */
struct pf_om {
	struct pf_om_limits limits;
	struct pf_families families;
	struct pf_seen seen;
	uint32_t text;
	unsigned line;
	bool only;
	bool eof;
	char *values;
	size_t n_values;
	struct pf_om_label labels[PF_OM_LABELS_MAX];
	char why[WHY_SIZE];
};

struct pf_om *pf_om_new(const struct pf_om_limits *limits)
{
	struct pf_om *om = calloc(1, sizeof(*om));
	if (!om)
		return NULL;
	om->limits = *limits;
	if (om->limits.line == 0)
		om->limits.line = LINE_MAX_DEFAULT;
	if (om->limits.families == 0)
		om->limits.families = FAMILIES_DEFAULT;
	if (om->limits.series == 0)
		om->limits.series = SERIES_DEFAULT;
	om->families.max = om->limits.families;
	om->values = malloc(om->limits.line);
	return om->values ? om : pf_om_free(om);
}

struct pf_om *pf_om_free(struct pf_om *om)
{
	if (!om)
		return NULL;
	pf_families_done(&om->families);
	free(om->seen.rows);
	free(om->values);
	free(om);
	return NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct pf_view *v)
{
	while (v->n > 0 && is_blank(v->p[0])) {
		v->p++;
		v->n--;
	}
}

static void skip(struct pf_view *v, size_t n)
{
	v->p += n;
	v->n -= n;
}

/* A name at the front; with @colons that of a metric. */
static struct pf_view take_name(struct pf_view *v, bool colons)
{
	struct pf_view name = { v->p, 0 };
	while (name.n < v->n) {
		char c = v->p[name.n];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colons && c == ':');
		if (!letter && (name.n == 0 || c < '0' || c > '9'))
			break;
		name.n++;
	}
	skip(v, name.n);
	return name;
}

static bool is_word(struct pf_view v, const char *lower)
{
	return v.n == strlen(lower) && strncasecmp(v.p, lower, v.n) == 0;
}

/* A decimal number, NaN or an infinity, and nothing else. */
static int number(struct pf_view word, double *ret_v)
{
	struct pf_view bare = word;
	double sign = word.n > 0 && word.p[0] == '-' ? -1 : 1;
	if (word.n > 0 && (word.p[0] == '-' || word.p[0] == '+'))
		skip(&bare, 1);
	if (is_word(bare, "inf") || is_word(bare, "infinity")) {
		*ret_v = sign * INFINITY;
		return 0;
	}
	if (is_word(word, "nan")) {
		*ret_v = NAN;
		return 0;
	}
	return pf_view_double(word, ret_v);
}

static int bad(struct pf_om *om, const char *what, struct pf_view of)
{
	(void)snprintf(om->why, sizeof(om->why), "%s%s%.*s%s", what, of.n > 0 ? " '" : "", of.n < 60 ? (int)of.n : 60,
		       of.n > 0 ? of.p : "", of.n > 0 ? "'" : "");
	return -EINVAL;
}

static const struct pf_view nothing = { "", 0 };

/* "..." at the front, without its escapes into om->values, where there is room: it does not get longer than the line. */
static int take_quoted(struct pf_om *om, struct pf_view *v, struct pf_view *ret_value)
{
	char *to = om->values + om->n_values;
	size_t n = 0;
	skip(v, 1);
	while (v->n > 0 && v->p[0] != '"') {
		char c = v->p[0];
		if (c == '\\') {
			if (v->n < 2 || !strchr("\\\"n", v->p[1]) || v->p[1] == '\0')
				return bad(om, "a backslash in a label's value that escapes nothing", nothing);
			skip(v, 1);
			c = v->p[0] == 'n' ? '\n' : v->p[0];
		}
		to[n++] = c;
		skip(v, 1);
	}
	if (v->n == 0)
		return bad(om, "a label's value without its closing quote", nothing);
	skip(v, 1);
	om->n_values += n;
	*ret_value = (struct pf_view){ to, n };
	return 0;
}

static int take_label(struct pf_om *om, struct pf_view *v, struct pf_om_label *labels, unsigned n)
{
	struct pf_om_label *l = &labels[n];
	l->name = take_name(v, false);
	skip_blanks(v);
	if (l->name.n == 0 || v->n == 0 || v->p[0] != '=')
		return bad(om, "a label that is not NAME=\"VALUE\"", nothing);
	skip(v, 1);
	skip_blanks(v);
	if (v->n == 0 || v->p[0] != '"')
		return bad(om, "a label without quotes around its value:", l->name);
	for (unsigned i = 0; i < n; i++) {
		if (labels[i].name.n == l->name.n && memcmp(labels[i].name.p, l->name.p, l->name.n) == 0)
			return bad(om, "a label that is there twice:", l->name);
	}
	return take_quoted(om, v, &l->value);
}

/* {...} at the front. Return: how many labels, or -EINVAL. */
static int take_labels(struct pf_om *om, struct pf_view *v, struct pf_om_label *labels)
{
	unsigned n = 0;
	skip(v, 1);
	for (;;) {
		skip_blanks(v);
		if (v->n > 0 && v->p[0] == '}') {
			skip(v, 1);
			return (int)n;
		}
		if (n == PF_OM_LABELS_MAX)
			return bad(om, "more than 64 labels", nothing);
		int rc = take_label(om, v, labels, n);
		if (rc < 0)
			return rc;
		n++;
		skip_blanks(v);
		if (v->n > 0 && v->p[0] == ',')
			skip(v, 1);
		else if (v->n == 0 || v->p[0] != '}')
			return bad(om, "labels without a comma between them or a closing brace", nothing);
	}
}

/* # {LABELS} VALUE [TIME] behind a value: looked at, not used. */
static int check_exemplar(struct pf_om *om, struct pf_view v)
{
	struct pf_om_label labels[PF_OM_LABELS_MAX];
	struct pf_view word;
	double value;
	om->only = true;
	skip(&v, 1);
	skip_blanks(&v);
	if (v.n == 0 || v.p[0] != '{')
		return bad(om, "an exemplar without labels", nothing);
	int rc = take_labels(om, &v, labels);
	if (rc < 0)
		return rc;
	if (pf_view_word(&v, &word) < 0 || number(word, &value) < 0)
		return bad(om, "an exemplar without a value", nothing);
	if (pf_view_word(&v, &word) == 0 && (number(word, &value) < 0 || !isfinite(value)))
		return bad(om, "an exemplar with a time that is no number:", word);
	skip_blanks(&v);
	return v.n > 0 ? bad(om, "something behind an exemplar", nothing) : 0;
}

static const struct {
	const char *word;
	enum pf_om_type type;
	bool only; /* of OpenMetrics */
} types[] = {
	{ "counter", PF_OM_COUNTER, false },
	{ "gauge", PF_OM_GAUGE, false },
	{ "histogram", PF_OM_HISTOGRAM, false },
	{ "summary", PF_OM_SUMMARY, false },
	{ "untyped", PF_OM_UNKNOWN, false },
	{ "unknown", PF_OM_UNKNOWN, true },
	{ "gaugehistogram", PF_OM_GAUGEHISTOGRAM, true },
	{ "info", PF_OM_INFO, true },
	{ "stateset", PF_OM_STATESET, true },
};

/* What a series of a type may be called, and what it is then. @label: it must have this one. */
static const struct part {
	enum pf_om_type type;
	const char *suffix;
	const char *label;
	bool counter, created, counts;
} parts[] = {
	{ PF_OM_UNKNOWN, "", NULL, false, false, false },
	{ PF_OM_GAUGE, "", NULL, false, false, false },
	{ PF_OM_COUNTER, "_total", NULL, true, false, false },
	{ PF_OM_COUNTER, "_created", NULL, false, true, false },
	{ PF_OM_COUNTER, "", NULL, true, false, false },
	{ PF_OM_HISTOGRAM, "_bucket", "le", true, false, true },
	{ PF_OM_HISTOGRAM, "_count", NULL, true, false, true },
	{ PF_OM_HISTOGRAM, "_sum", NULL, true, false, false },
	{ PF_OM_HISTOGRAM, "_created", NULL, false, true, false },
	{ PF_OM_GAUGEHISTOGRAM, "_bucket", "le", false, false, true },
	{ PF_OM_GAUGEHISTOGRAM, "_gcount", NULL, false, false, true },
	{ PF_OM_GAUGEHISTOGRAM, "_gsum", NULL, false, false, false },
	{ PF_OM_SUMMARY, "", "quantile", false, false, false },
	{ PF_OM_SUMMARY, "_count", NULL, true, false, true },
	{ PF_OM_SUMMARY, "_sum", NULL, true, false, false },
	{ PF_OM_SUMMARY, "_created", NULL, false, true, false },
	{ PF_OM_INFO, "_info", NULL, false, false, false },
	{ PF_OM_STATESET, "", NULL, false, false, false },
};

/* The part of a known family that @name is. NULL: there is none. */
static const struct part *part_of(const struct pf_om *om, struct pf_view name, struct pf_family **ret_family)
{
	for (unsigned i = 0; i < PF_N(parts); i++) {
		size_t n = strlen(parts[i].suffix);
		if (n >= name.n || memcmp(name.p + name.n - n, parts[i].suffix, n) != 0)
			continue;
		struct pf_family *f = pf_family_find(&om->families, (struct pf_view){ name.p, name.n - n }, om->text);
		if (!f || !f->typed || f->type != parts[i].type)
			continue;
		*ret_family = f;
		return &parts[i];
	}
	return NULL;
}

static const struct pf_om_label *label_of(const struct pf_om_series *s, struct pf_view name)
{
	for (unsigned i = 0; i < s->n_labels; i++) {
		if (s->labels[i].name.n == name.n && memcmp(s->labels[i].name.p, name.p, name.n) == 0)
			return &s->labels[i];
	}
	return NULL;
}

/* What the type demands of labels and value. */
static int check_part(struct pf_om *om, const struct part *part, const struct pf_om_series *s)
{
	const struct pf_om_label *l = part->label ? label_of(s, pf_view_of(part->label)) : NULL;
	double v = 0;
	if (part->label && !l)
		return bad(om,
			   part->type == PF_OM_SUMMARY ? "a summary's value without the label quantile"
						       : "a bucket without the label le",
			   nothing);
	if (l && (number(l->value, &v) < 0 || isnan(v)))
		return bad(om, "a bound that is no number:", l->value);
	if (l && part->type == PF_OM_SUMMARY && !(v >= 0 && v <= 1))
		return bad(om, "a quantile that is not from 0 to 1:", l->value);
	if (part->counter && strcmp(part->suffix, "_sum") != 0 && s->value < 0)
		return bad(om, "a counter below zero", nothing);
	if (part->type == PF_OM_INFO && s->value != 1)
		return bad(om, "an info of which the value is not 1", nothing);
	if (part->type == PF_OM_STATESET) {
		if (!label_of(s, s->family))
			return bad(om, "a stateset without a label of its name", nothing);
		if (s->value != 0 && s->value != 1)
			return bad(om, "a state that is neither 0 nor 1", nothing);
	}
	return 0;
}

/* Which family the series belongs to, and what that makes of it. */
static int place(struct pf_om *om, struct pf_om_series *s)
{
	struct pf_family *f = NULL;
	const struct part *part = part_of(om, s->name, &f);
	if (!part) {
		f = pf_family_get(&om->families, s->name, om->text);
		if (!f)
			return bad(om, "more families than allowed, at", s->name);
		if (f->typed)
			return bad(om, "a series whose name its type does not have:", s->name);
		part = &parts[0];
	}
	f->sampled = true;
	s->family = pf_view_of(f->name);
	s->type = part->type;
	s->counter = part->counter;
	s->created = part->created;
	s->counts = part->counts;
	s->help = f->helped ? pf_view_of(f->help) : nothing;
	s->unit = f->united ? pf_view_of(f->unit) : nothing;
	return check_part(om, part, s);
}

/* The same series again? The order of labels does not matter. */
static int check_new(struct pf_om *om, const struct pf_om_series *s)
{
	uint64_t hash = pf_feed_hash(s->name, PF_FEED_SEED);
	for (unsigned i = 0; i < s->n_labels; i++) {
		if (s->labels[i].value.n > 0) /* an empty label is as none */
			hash += pf_feed_hash(s->labels[i].value, pf_feed_hash(s->labels[i].name, PF_FEED_SEED) * 31);
	}
	if (om->seen.n >= om->limits.series)
		return bad(om, "more series than allowed, at", s->name);
	int rc = pf_seen_add(&om->seen, hash, om->text);
	if (rc <= 0)
		return rc < 0 ? bad(om, "no memory", nothing) : bad(om, "a series that was there before:", s->name);
	return 0;
}

static int series_line(struct pf_om *om, struct pf_view v, const struct pf_om_to *to)
{
	struct pf_om_series s = { .labels = om->labels };
	struct pf_view word;
	om->n_values = 0;
	s.name = take_name(&v, true);
	if (s.name.n == 0)
		return bad(om, "no name of a metric at the front", nothing);
	bool apart = v.n > 0 && is_blank(v.p[0]);
	skip_blanks(&v);
	if (v.n > 0 && v.p[0] == '{') {
		int n = take_labels(om, &v, om->labels);
		if (n < 0)
			return n;
		s.n_labels = (unsigned)n;
		apart = true;
	}
	if (!apart)
		return bad(om, "no blank behind the name", s.name);
	if (pf_view_word(&v, &word) < 0)
		return bad(om, "no value for", s.name);
	if (number(word, &s.value) < 0)
		return bad(om, "a value that is no number:", word);
	skip_blanks(&v);
	if (v.n > 0 && v.p[0] != '#') {
		(void)pf_view_word(&v, &word);
		if (number(word, &s.time) < 0 || !isfinite(s.time))
			return bad(om, "a time that is no number:", word);
		s.timed = true;
		skip_blanks(&v);
	}
	int rc = 0;
	if (v.n > 0)
		rc = v.p[0] == '#' ? check_exemplar(om, v) : bad(om, "something behind the value of", s.name);
	if (rc == 0)
		rc = place(om, &s);
	if (rc == 0)
		rc = check_new(om, &s);
	if (rc == 0)
		to->series(to->arg, &s);
	return rc;
}

/* Keep @text in *@to, without its escapes; nothing is allocated if it is there already. */
static int keep(struct pf_om *om, char **to, struct pf_view text)
{
	size_t n = 0;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		if (c == '\\' && i + 1 < text.n && strchr("\\\"n", text.p[i + 1])) {
			i++;
			c = text.p[i] == 'n' ? '\n' : text.p[i];
		}
		om->values[n++] = c;
	}
	struct pf_view plain = { om->values, n };
	if (*to && pf_view_is(plain, *to))
		return 0;
	char *copy = pf_view_dup(plain);
	if (!copy)
		return bad(om, "no memory", nothing);
	free(*to);
	*to = copy;
	return 0;
}

static int type_line(struct pf_om *om, struct pf_family *f, struct pf_view rest)
{
	rest = pf_view_trim(rest);
	if (f->typed)
		return bad(om, "a second TYPE for", pf_view_of(f->name));
	if (f->sampled)
		return bad(om, "a TYPE behind values of", pf_view_of(f->name));
	for (unsigned i = 0; i < PF_N(types); i++) {
		if (!pf_view_is(rest, types[i].word))
			continue;
		f->typed = true;
		f->type = types[i].type;
		om->only |= types[i].only;
		return 0;
	}
	return bad(om, "there is no type", rest);
}

static int unit_line(struct pf_om *om, struct pf_family *f, struct pf_view rest)
{
	rest = pf_view_trim(rest);
	size_t n = strlen(f->name);
	om->only = true;
	if (f->united)
		return bad(om, "a second UNIT for", pf_view_of(f->name));
	if (rest.n > 0 &&
	    (n <= rest.n || f->name[n - rest.n - 1] != '_' || memcmp(f->name + n - rest.n, rest.p, rest.n) != 0))
		return bad(om, "a UNIT that is not the end of the name:", rest);
	int rc = keep(om, &f->unit, rest);
	f->united = rc == 0;
	return rc;
}

static int help_line(struct pf_om *om, struct pf_family *f, struct pf_view rest)
{
	if (f->helped)
		return bad(om, "a second HELP for", pf_view_of(f->name));
	skip_blanks(&rest);
	int rc = keep(om, &f->help, rest);
	f->helped = rc == 0;
	return rc;
}

static int comment_line(struct pf_om *om, struct pf_view v)
{
	struct pf_view whole = v, word;
	skip(&v, 1);
	if (pf_view_word(&v, &word) < 0)
		return 0;
	if (pf_view_is(pf_view_trim(whole), "# EOF")) {
		om->eof = true;
		return 0;
	}
	int (*take)(struct pf_om *, struct pf_family *, struct pf_view) = pf_view_is(word, "TYPE")   ? type_line
									  : pf_view_is(word, "HELP") ? help_line
									  : pf_view_is(word, "UNIT") ? unit_line
												     : NULL;
	if (!take)
		return 0;
	skip_blanks(&v);
	struct pf_view name = take_name(&v, true);
	if (name.n == 0 || (v.n > 0 && !is_blank(v.p[0])))
		return bad(om, "no name of a metric behind", word);
	struct pf_family *f = pf_family_get(&om->families, name, om->text);
	return f ? take(om, f, v) : bad(om, "more families than allowed, at", name);
}

/* Well-formed, and nothing that ends a text early. */
static bool is_text(struct pf_view v)
{
	while (v.n > 0) {
		uint32_t cp;
		bool ok = v.p[0] != '\0';
		size_t n = (unsigned char)v.p[0] < 0x80 ? 1 : pf_utf8_next(v, &cp, &ok);
		if (!ok)
			return false;
		skip(&v, n);
	}
	return true;
}

static int any_line(struct pf_om *om, struct pf_view v, const struct pf_om_to *to)
{
	if (v.n >= om->limits.line) {
		(void)snprintf(om->why, sizeof(om->why), "a line of more than %u bytes", om->limits.line - 1);
		return -EMSGSIZE;
	}
	if (!is_text(v))
		return bad(om, "bytes that are no UTF-8", nothing);
	skip_blanks(&v);
	if (v.n == 0)
		return 0;
	if (om->eof)
		return bad(om, "something behind # EOF", nothing);
	return v.p[0] == '#' ? comment_line(om, v) : series_line(om, v, to);
}

void pf_om_begin(struct pf_om *om, bool strict)
{
	om->text++;
	om->line = 0;
	om->seen.n = 0;
	om->only = strict;
	om->eof = false;
}

void pf_om_line(struct pf_om *om, struct pf_view line, const struct pf_om_to *to)
{
	om->line++;
	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	if (any_line(om, line, to) < 0)
		to->bad(to->arg, om->line, om->why);
}

void pf_om_end(struct pf_om *om, const struct pf_om_to *to)
{
	if (om->only && !om->eof)
		to->bad(to->arg, 0, "OpenMetrics that does not end with # EOF: it was cut off");
}

void pf_om_text(struct pf_om *om, struct pf_view text, bool strict, const struct pf_om_to *to)
{
	struct pf_view line;
	pf_om_begin(om, strict);
	while (pf_view_line(&text, &line) == 0)
		pf_om_line(om, line, to);
	pf_om_end(om, to);
}

void pf_om_instance(const struct pf_om_label *labels, unsigned n, unsigned max, struct pf_buf *name)
{
	pf_buf_clear(name);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			pf_buf_char(name, ',');
		pf_buf_view(name, labels[i].name);
		pf_buf_char(name, '=');
		for (size_t k = 0; k < labels[i].value.n; k++) {
			char c = labels[i].value.p[k];
			if (c == '\\' || c == ',' || c == '\n')
				pf_buf_char(name, '\\');
			pf_buf_char(name, c == '\n' ? 'n' : c);
		}
	}
	if (n == 0)
		pf_buf_char(name, '-');
	if (name->failed || name->n <= max || max < 32)
		return;
	uint64_t hash = pf_feed_hash(pf_buf_text(name), PF_FEED_SEED);
	size_t cut = max - 17;
	while (cut > 0 && ((unsigned char)name->p[cut] & 0xc0) == 0x80)
		cut--;
	name->n = cut;
	pf_buf_fmt(name, "~%016llx", (unsigned long long)hash);
}

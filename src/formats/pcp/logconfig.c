/* formats/pcp/logconfig.c - pmlogger's configuration, read statement by statement. */
#include "formats/pcp/logconfig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/pcp/logwords.h"

/* @rc: 0, -EINVAL once there is an error, -ENOMEM */
struct reader {
	struct pf_log_words words;
	struct pf_logconfig *c;
	int rc;
};

static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
	{ "msec", 1 },	     { "msecs", 1 },	   { "millisecond", 1 }, { "milliseconds", 1 }, { "sec", 1000 },
	{ "secs", 1000 },    { "second", 1000 },   { "seconds", 1000 },	 { "min", 60000 },	{ "mins", 60000 },
	{ "minute", 60000 }, { "minutes", 60000 }, { "hour", 3600000 },	 { "hours", 3600000 },
};

static bool failed(const struct reader *r)
{
	return r->rc < 0;
}

/* There is room for one more. */
static bool room(struct reader *r, void **array, unsigned n, unsigned *cap, size_t item)
{
	if (n < *cap)
		return true;
	unsigned more_cap = *cap ? *cap * 2 : 16;
	void *more = reallocarray(*array, more_cap, item);
	if (!more) {
		r->rc = -ENOMEM;
		return false;
	}
	*array = more;
	*cap = more_cap;
	return true;
}

#define ROOM(r, array, n, cap)                                                                                         \
	({                                                                                                             \
		void *array_ = (array);                                                                                \
		bool ok_ = room(r, &array_, n, &(cap), sizeof(*(array)));                                              \
		(array) = array_;                                                                                      \
		ok_;                                                                                                   \
	})

static const char *keep(struct reader *r, struct pf_view text)
{
	const char *copy = pf_arena_dup(&r->c->arena, text);
	if (!copy)
		r->rc = -ENOMEM;
	return copy ? copy : "";
}

static void complain(struct reader *r, const char *what)
{
	if (failed(r))
		return;
	r->rc = -EINVAL;
	r->c->error.at = pf_log_words_place(&r->words);
	r->c->error.what = what;
}

static void refuse(struct reader *r)
{
	complain(r, "syntax error");
}

static void advance(struct reader *r)
{
	if (failed(r))
		return;
	pf_log_words_next(&r->words);
	if (r->words.kind == PF_LOG_BAD)
		r->rc = -EINVAL;
}

static bool at(const struct reader *r, int kind)
{
	return !failed(r) && r->words.kind == kind;
}

static bool at_word(const struct reader *r, const char *word)
{
	return at(r, PF_LOG_NAME) && pf_view_is(r->words.text, word);
}

/* If it is there, it is read. */
static bool accept(struct reader *r, int kind)
{
	bool there = at(r, kind);
	if (there)
		advance(r);
	return there;
}

static bool accept_word(struct reader *r, const char *word)
{
	bool there = at_word(r, word);
	if (there)
		advance(r);
	return there;
}

static void expect(struct reader *r, int kind)
{
	if (!accept(r, kind))
		refuse(r);
}

static bool is_keyword(struct pf_view word)
{
	static const char *const others[] = { "log",   "mandatory", "advisory", "maybe",   "on",
					      "off",   "every",	    "once",	"default", "access",
					      "allow", "disallow",  "enquire",	"all",	   "except" };
	for (unsigned i = 0; i < PF_N(others); i++) {
		if (pf_view_is(word, others[i]))
			return true;
	}
	for (unsigned i = 0; i < PF_N(units); i++) {
		if (pf_view_is(word, units[i].name))
			return true;
	}
	return false;
}

/* @braced: keywords are plain names. */
static bool at_plain_name(const struct reader *r, bool braced)
{
	return at(r, PF_LOG_NAME) && (braced || !is_keyword(r->words.text));
}

/* A number that no instance has stays what it is, so that it is told and found nowhere. */
static void read_instance(struct reader *r, bool braced)
{
	struct pf_log_instance one = { .id = -1 };
	if (at(r, PF_LOG_NUMBER)) {
		one.id = r->words.number > INT64_MAX ? INT64_MAX : (int64_t)r->words.number;
	} else if (!at_plain_name(r, braced) && !at(r, PF_LOG_STRING)) {
		refuse(r);
		return;
	}
	if (!ROOM(r, r->c->instances, r->c->n_instances, r->c->cap_instances))
		return;
	one.text = keep(r, r->words.text);
	if (one.id < 0)
		one.name = one.text;
	r->c->instances[r->c->n_instances++] = one;
}

/* "[a, b c]"; pmlogger takes the metric as told as soon as it has seen the bracket. Return: where that is. */
static struct pf_preproc_place read_instances(struct reader *r, struct pf_log_metric *m, bool braced)
{
	advance(r);
	do {
		read_instance(r, braced);
		advance(r);
		m->n_instances++;
	} while (!failed(r) && (accept(r, ',') || !at(r, ']')));
	return failed(r) ? m->at : pf_log_words_place(&r->words);
}

static void read_metric(struct reader *r, bool braced)
{
	if (!at_plain_name(r, braced)) {
		refuse(r);
		return;
	}
	struct pf_log_metric m = { .name = keep(r, r->words.text), .first_instance = r->c->n_instances };
	advance(r);
	if (failed(r))
		return;
	m.at = pf_log_words_place(&r->words);
	bool chosen = at(r, '[');
	if (chosen)
		m.at = read_instances(r, &m, braced);
	if (failed(r) || !ROOM(r, r->c->metrics, r->c->n_metrics, r->c->cap_metrics))
		return;
	r->c->metrics[r->c->n_metrics++] = m;
	r->c->statements[r->c->n_statements - 1].n++;
	if (chosen)
		advance(r);
}

static void read_metrics(struct reader *r)
{
	if (!accept(r, '{')) {
		read_metric(r, false);
		return;
	}
	do
		read_metric(r, true);
	while (!failed(r) && (accept(r, ',') || !at(r, '}')));
	expect(r, '}');
}

static int64_t unit_of(struct pf_view word)
{
	for (unsigned i = 0; i < PF_N(units); i++) {
		if (pf_view_is(word, units[i].name))
			return units[i].ms;
	}
	return 0;
}

/* The number was told in a way that pmlogger cannot count; what it says of it is that it is not positive. */
static void set_interval(struct reader *r, struct pf_log_statement *s, uint64_t number, int64_t unit)
{
	char *text = r->c->error.text;
	size_t size = sizeof(r->c->error.text);
	int64_t ms;
	if (number > INT64_MAX || __builtin_mul_overflow((int64_t)number, unit, &ms)) {
		(void)snprintf(text, size, "Logging delta (-%" PRId64 " msec) must be positive", unit);
		complain(r, text);
	} else if (ms > PF_LOGCONFIG_MS_MAX) {
		(void)snprintf(text, size, "Logging delta (%" PRId64 " msec) cannot be bigger than %d msec", ms,
			       PF_LOGCONFIG_MS_MAX);
		complain(r, text);
	} else {
		s->interval_ms = ms;
	}
}

/* once, default, [every] NUMBER UNIT */
static void read_frequency(struct reader *r, struct pf_log_statement *s)
{
	if (accept_word(r, "once"))
		return;
	s->interval_ms = -1;
	if (accept_word(r, "default"))
		return;
	(void)accept_word(r, "every");
	uint64_t number = r->words.number;
	expect(r, PF_LOG_NUMBER);
	int64_t unit = at(r, PF_LOG_NAME) ? unit_of(r->words.text) : 0;
	if (unit == 0)
		refuse(r);
	else
		set_interval(r, s, number, unit);
	advance(r);
}

static void read_statement(struct reader *r)
{
	struct pf_log_statement s = { .first = r->c->n_metrics };
	bool said = false;
	(void)accept_word(r, "log");
	s.mandatory = accept_word(r, "mandatory");
	said = s.mandatory || accept_word(r, "advisory");
	if (accept_word(r, "on")) {
		read_frequency(r, &s);
	} else if (said && accept_word(r, "off")) {
		s.state = PF_LOG_OFF;
	} else if (s.mandatory && accept_word(r, "maybe")) {
		s.state = PF_LOG_MAYBE;
	} else {
		refuse(r);
	}
	if (failed(r) || !ROOM(r, r->c->statements, r->c->n_statements, r->c->cap_statements))
		return;
	r->c->statements[r->c->n_statements++] = s;
	read_metrics(r);
}

static unsigned read_operation(struct reader *r)
{
	if (accept_word(r, "advisory"))
		return PF_LOG_ADVISORY;
	if (accept_word(r, "mandatory"))
		return PF_LOG_MANDATORY;
	if (accept_word(r, "enquire"))
		return PF_LOG_ENQUIRE;
	refuse(r);
	return 0;
}

static unsigned read_operations(struct reader *r)
{
	unsigned all = 0;
	bool except = accept_word(r, "all");
	if (except && !accept_word(r, "except"))
		return PF_LOG_ALL;
	do
		all |= read_operation(r);
	while (accept(r, ','));
	return except ? PF_LOG_ALL & ~all : all;
}

static void read_host(struct reader *r, bool allow)
{
	if (!at(r, PF_LOG_NAME) && !at(r, PF_LOG_HOST) && !at(r, '*')) {
		refuse(r);
		return;
	}
	if (!ROOM(r, r->c->access, r->c->n_access, r->c->cap_access))
		return;
	r->c->access[r->c->n_access++] = (struct pf_log_access){ .allow = allow, .host = keep(r, r->words.text) };
}

static void read_rule(struct reader *r)
{
	unsigned first = r->c->n_access;
	r->words.hosts = true;
	bool allow = accept_word(r, "allow");
	if (!allow && !accept_word(r, "disallow"))
		refuse(r);
	read_host(r, allow);
	for (advance(r); accept(r, ','); advance(r))
		read_host(r, allow);
	r->words.hosts = false;
	expect(r, ':');
	unsigned operations = read_operations(r);
	for (unsigned i = first; i < r->c->n_access; i++)
		r->c->access[i].operations = operations;
	expect(r, ';');
}

static void read_access(struct reader *r)
{
	expect(r, '[');
	if (!accept_word(r, "access"))
		refuse(r);
	expect(r, ']');
	do
		read_rule(r);
	while (!failed(r) && !at(r, PF_LOG_END));
}

int pf_logconfig_read(struct pf_logconfig *ret, const struct pf_preproc_input *in)
{
	*ret = (struct pf_logconfig){ 0 };
	int rc = pf_preproc_run(&ret->source, in, &ret->preproc);
	if (rc < 0 && rc != -EINVAL)
		return rc;
	struct reader r = { .c = ret, .words = { .config = ret, .rest = pf_buf_text(&ret->source.text) } };
	advance(&r);
	while (!failed(&r) && !at(&r, PF_LOG_END) && !at(&r, '['))
		read_statement(&r);
	if (at(&r, '['))
		read_access(&r);
	return r.rc == -EINVAL ? 0 : r.rc;
}

void pf_logconfig_done(struct pf_logconfig *c)
{
	pf_preproc_done(&c->source);
	free(c->statements);
	free(c->metrics);
	free(c->instances);
	free(c->access);
	pf_arena_done(&c->arena);
	*c = (struct pf_logconfig){ 0 };
}

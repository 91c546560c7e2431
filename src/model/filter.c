/* model/filter.c - choosing instances by name or number. */
#include "model/filter.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

enum { MAX_PARTS = 256, MAX_NUMBER = 1 << 20 };

/* One part of the list: an expression, or the numbers @from to @to. */
struct part {
	bool is_regex;
	regex_t regex;
	uint64_t from, to;
};

struct pf_instance_filter {
	char letter;
	bool negate;
	struct part *parts;
	unsigned n;
	struct pf_instance_filter *next;
};

static int range(struct part *part, struct pf_view text, struct pf_err *err)
{
	const char *dash = memchr(text.p, '-', text.n);
	struct pf_view from = { text.p, dash ? (size_t)(dash - text.p) : text.n };
	struct pf_view to = dash ? (struct pf_view){ dash + 1, (size_t)(text.p + text.n - dash - 1) } : from;
	if (pf_view_u64(from, &part->from) < 0 || pf_view_u64(to, &part->to) < 0 || part->to > MAX_NUMBER ||
	    part->from > part->to)
		return pf_err_set(err, -EINVAL, "'%.*s' is no CPU number or range", (int)text.n, text.p);
	return 0;
}

enum { REPEATS_MAX = 4 };

/* Users write Perl: \\d is the one class of it that the C library lacks. */
static char *posix_form(struct pf_view text)
{
	struct pf_buf b = { 0 };
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\\' && i + 1 < text.n && text.p[i + 1] == 'd') {
			pf_buf_str(&b, "[0-9]");
			i++;
		} else if (text.p[i] == '\\' && i + 1 < text.n) {
			pf_buf_add(&b, text.p + i, 2);
			i++;
		} else {
			pf_buf_char(&b, text.p[i]);
		}
	}
	if (b.failed)
		pf_buf_done(&b);
	return b.p;
}

/* The C library doubles an expression for each repetition of a repetition: a dozen of them take all memory. */
static bool repeats_too_often(struct pf_view text)
{
	unsigned n = 0;
	for (size_t i = 0; i < text.n && n <= REPEATS_MAX; i++)
		n = strchr("+*?}", text.p[i]) && text.p[i] != '\0' ? n + 1 : 0;
	return n > REPEATS_MAX;
}

int pf_filter_regex(regex_t *ret_regex, struct pf_view text, struct pf_err *err)
{
	if (repeats_too_often(text))
		return pf_err_set(err, -EINVAL, "a filter repeats repetitions more than %d times", REPEATS_MAX);
	pf_autofree char *copy = posix_form(text);
	if (!copy)
		return pf_err_set(err, -ENOMEM, "no memory for a filter");
	int rc = regcomp(ret_regex, copy, REG_EXTENDED);
	if (rc != 0) {
		char why[128];
		(void)regerror(rc, ret_regex, why, sizeof(why));
		return pf_err_set(err, -EINVAL, "'%s' is no regular expression: %s", copy, why);
	}
	return 0;
}

static int expression(struct part *part, struct pf_view text, struct pf_err *err)
{
	int rc = pf_filter_regex(&part->regex, text, err);
	part->is_regex = rc == 0;
	return rc;
}

static int add_parts(struct pf_instance_filter *f, struct pf_view rest, struct pf_err *err)
{
	while (rest.n > 0) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct pf_view text = { rest.p, comma ? (size_t)(comma - rest.p) : rest.n };
		rest = comma ? (struct pf_view){ comma + 1, rest.n - text.n - 1 } : (struct pf_view){ "", 0 };
		if (text.n == 0)
			continue;
		if (f->n == MAX_PARTS)
			return pf_err_set(err, -EINVAL, "more than %d parts in a filter", MAX_PARTS);
		struct part *part = &f->parts[f->n];
		int rc = f->letter == 'c' ? range(part, text, err) : expression(part, text, err);
		if (rc < 0)
			return rc;
		f->n++;
	}
	return f->n > 0 ? 0 : pf_err_set(err, -EINVAL, "an empty filter");
}

int pf_filter_new(char letter, const char *text, struct pf_instance_filter *next,
		  struct pf_instance_filter **ret_filter, struct pf_err *err)
{
	struct pf_instance_filter *f = calloc(1, sizeof(*f));
	struct part *parts = calloc(MAX_PARTS, sizeof(*parts));
	if (!f || !parts) {
		free(f);
		free(parts);
		return pf_err_set(err, -ENOMEM, "no memory for a filter");
	}
	*f = (struct pf_instance_filter){ .letter = letter, .negate = text[0] == '^', .parts = parts };

	int rc = add_parts(f, pf_view_of(f->negate ? text + 1 : text), err);
	if (rc < 0) {
		(void)pf_filter_free(f);
		return rc;
	}
	f->next = next;
	*ret_filter = f;
	return 0;
}

struct pf_instance_filter *pf_filter_free(struct pf_instance_filter *list)
{
	while (list) {
		struct pf_instance_filter *next = list->next;
		for (unsigned i = 0; i < list->n; i++) {
			if (list->parts[i].is_regex)
				regfree(&list->parts[i].regex);
		}
		free(list->parts);
		free(list);
		list = next;
	}
	return NULL;
}

const struct pf_instance_filter *pf_filter_find(const struct pf_instance_filter *list, char letter)
{
	while (list && list->letter != letter)
		list = list->next;
	return list;
}

/* The number at the end of "cpu12". */
static bool number_of(struct pf_view name, uint64_t *ret_v)
{
	size_t i = name.n;
	while (i > 0 && name.p[i - 1] >= '0' && name.p[i - 1] <= '9')
		i--;
	return pf_view_u64((struct pf_view){ name.p + i, name.n - i }, ret_v) == 0;
}

static bool matches(const struct part *part, struct pf_view name)
{
	if (!part->is_regex) {
		uint64_t v = 0;
		return number_of(name, &v) && v >= part->from && v <= part->to;
	}
	char text[256];
	size_t n = name.n < sizeof(text) ? name.n : sizeof(text) - 1;
	memcpy(text, name.p, n);
	text[n] = '\0';
	return regexec(&part->regex, text, 0, NULL, 0) == 0;
}

bool pf_filter_keeps(const struct pf_instance_filter *filter, struct pf_view name)
{
	for (unsigned i = 0; i < filter->n; i++) {
		if (matches(&filter->parts[i], name))
			return !filter->negate;
	}
	return filter->negate;
}

bool pf_filter_negates(const struct pf_instance_filter *filter)
{
	return filter->negate;
}

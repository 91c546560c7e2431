/* cmd/switches.c - command lines by table. Behaviour: Getopt::Long(3perl) with bundling, as collectl uses it. */
#include "cmd/switches.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/nearest.h"
#include "base/view.h"

/* Where the parser is: @at is the word being looked at. */
struct cursor {
	int argc;
	char **argv;
	int at;
	const struct pf_switch *table;
	bool peer;
	char *into;
	struct pf_err *err;
};

/* The next of the names in @names ("a|bc"); NULL at the end. */
static const char *next_name(const char **names, size_t *ret_n)
{
	const char *p = *names;
	if (*p == '\0')
		return NULL;
	*ret_n = strcspn(p, "|");
	*names = p + *ret_n + (p[*ret_n] == '|');
	return p;
}

static bool has_name(const struct pf_switch *s, const char *name, size_t n)
{
	const char *names = s->names;
	size_t have;
	for (const char *p = next_name(&names, &have); p; p = next_name(&names, &have)) {
		if (have == n && memcmp(p, name, n) == 0)
			return true;
	}
	return false;
}

/* Name of which @name is a proper beginning, or NULL. */
static const char *longer_name(const struct pf_switch *s, const char *name, size_t n, size_t *ret_n)
{
	const char *names = s->names;
	size_t have;
	for (const char *p = next_name(&names, &have); p; p = next_name(&names, &have)) {
		if (!s->exact && have > n && n > 0 && memcmp(p, name, n) == 0) {
			*ret_n = have;
			return p;
		}
	}
	return NULL;
}

static int unknown(const struct cursor *c, const char *name, size_t n)
{
	int shown = n < 80 ? (int)n : 80;
	if (c->peer)
		return pf_err_set(c->err, -EINVAL, "Unknown option: %.*s", shown, name);
	struct pf_nearest near = { .word = { name, n } };
	for (const struct pf_switch *s = c->table; s->names; s++) {
		const char *names = s->names;
		size_t have;
		for (const char *p = next_name(&names, &have); p && n > 1 && !s->later; p = next_name(&names, &have))
			pf_nearest_offer(&near, (struct pf_view){ p, have });
	}
	if (near.best.n > 1)
		return pf_err_set(c->err, -EINVAL, "no switch --%.*s; was --%.*s meant?", shown, name, (int)near.best.n,
				  near.best.p);
	return pf_err_set(c->err, -EINVAL, "no switch %s%.*s; see perfolio watch --help", n > 1 ? "--" : "-", shown,
			  name);
}

static int ambiguous(const struct cursor *c, const char *name, size_t n)
{
	struct pf_buf list = { 0 };
	for (const struct pf_switch *s = c->table; s->names; s++) {
		size_t have;
		const char *p = longer_name(s, name, n, &have);
		if (!p)
			continue;
		pf_buf_str(&list, list.n ? ", " : "");
		pf_buf_add(&list, p, have);
	}
	int rc = pf_err_set(c->err, -EINVAL, c->peer ? "Option %.*s is ambiguous (%s)" : "--%.*s can mean %s", (int)n,
			    name, pf_buf_text(&list).p);
	pf_buf_done(&list);
	return rc;
}

/* The row for a long name. @ret_negated: it was "noNAME". */
static int find_long(const struct cursor *c, const char *name, size_t n, const struct pf_switch **ret_row,
		     bool *ret_negated)
{
	const struct pf_switch *begun = NULL;
	const struct pf_switch *ours = NULL;
	unsigned n_begun = 0;
	*ret_negated = false;
	for (const struct pf_switch *s = c->table; s->names; s++) {
		size_t have;
		if (has_name(s, name, n) && c->peer && s->exact) {
			ours = s; /* unless it abbreviates one of the peer's */
			continue;
		}
		if (has_name(s, name, n)) {
			*ret_row = s;
			return 0;
		}
		if (longer_name(s, name, n, &have)) {
			begun = s;
			n_begun++;
		}
	}
	if (ours && n_begun != 1) {
		*ret_row = ours;
		return 0;
	}
	if (n_begun > 1)
		return ambiguous(c, name, n);
	if (n_begun == 1) {
		*ret_row = begun;
		return 0;
	}
	if (n > 2 && name[0] == 'n' && name[1] == 'o') {
		size_t skip = name[2] == '-' ? 3 : 2;
		for (const struct pf_switch *s = c->table; s->names; s++) {
			if (s->kind == PF_SWITCH_FLAG && has_name(s, name + skip, n - skip)) {
				*ret_row = s;
				*ret_negated = true;
				return 0;
			}
		}
	}
	return unknown(c, name, n);
}

/* Longest name of a switch. */
static const char *full_name(const struct pf_switch *s, size_t *ret_n)
{
	const char *names = s->names;
	const char *longest = names;
	size_t have;
	*ret_n = 0;
	for (const char *p = next_name(&names, &have); p; p = next_name(&names, &have)) {
		if (have > *ret_n) {
			longest = p;
			*ret_n = have;
		}
	}
	return longest;
}

static int not_a_number(const struct cursor *c, const struct pf_switch *row, const char *name, size_t n,
			const char *value)
{
	if (c->peer)
		return pf_err_set(c->err, -EINVAL, "Value \"%.80s\" invalid for option %.*s (number expected)", value,
				  (int)n, name);
	size_t full;
	const char *p = full_name(row, &full);
	return pf_err_set(c->err, -EINVAL, "--%.*s: '%.80s' is not a number", (int)full, p, value);
}

static int store(const struct cursor *c, const struct pf_switch *row, const char *name, size_t n, const char *value,
		 bool flag)
{
	char *to = c->into + row->offset;
	if (row->later)
		return pf_err_set(c->err, -ENOTSUP, "%s%.*s is not available in this version", n > 1 ? "--" : "-",
				  (int)n, name);
	if (row->offset_given) {
		bool given = true;
		memcpy(c->into + row->offset_given, &given, sizeof(given));
	}
	if (row->kind == PF_SWITCH_FLAG) {
		memcpy(to, &flag, sizeof(flag));
	} else if (row->kind == PF_SWITCH_TEXT) {
		memcpy(to, &value, sizeof(value));
	} else {
		int64_t v;
		if (pf_view_i64(pf_view_of(value), &v) < 0)
			return not_a_number(c, row, name, n, value);
		memcpy(to, &v, sizeof(v));
	}
	return 0;
}

/* Value from the next word. */
static int next_value(struct cursor *c, const char *name, size_t n, const char **ret_value)
{
	if (c->at + 1 >= c->argc)
		return c->peer ? pf_err_set(c->err, -EINVAL, "Option %.*s requires an argument", (int)n, name)
			       : pf_err_set(c->err, -EINVAL,
					    "%s%.*s needs a value behind it; see perfolio watch --help",
					    n > 1 ? "--" : "-", (int)n, name);
	*ret_value = c->argv[++c->at];
	return 0;
}

static int take_long(struct cursor *c, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const struct pf_switch *row = NULL;
	bool negated = false;
	int rc = find_long(c, word, n, &row, &negated);
	if (rc < 0)
		return rc;
	if (row->kind == PF_SWITCH_FLAG) {
		if (equals)
			return pf_err_set(c->err, -EINVAL, "Option %.*s does not take an argument", (int)n, word);
		return store(c, row, word, n, NULL, !negated);
	}
	const char *value = equals ? equals + 1 : NULL;
	if (!value && !row->later)
		rc = next_value(c, word, n, &value);
	return rc < 0 ? rc : store(c, row, word, n, value, true);
}

static int take_bundle(struct cursor *c, const char *p)
{
	while (*p != '\0') {
		const struct pf_switch *row = c->table;
		while (row->names && !has_name(row, p, 1))
			row++;
		if (!row->names)
			return unknown(c, p, 1);
		if (row->kind == PF_SWITCH_FLAG) {
			int rc = store(c, row, p, 1, NULL, true);
			if (rc < 0)
				return rc;
			p++;
			continue;
		}
		const char *value = p + 1;
		int rc = *value == '=' ? (value++, 0) : 0;
		if (*value == '\0' && !row->later)
			rc = next_value(c, p, 1, &value);
		return rc < 0 ? rc : store(c, row, p, 1, value, true);
	}
	return 0;
}

int pf_switches_parse(int argc, char **argv, const struct pf_switch *table, bool peer, void *into,
		      const char **ret_operands, struct pf_err *err)
{
	struct cursor c = { argc, argv, 1, table, peer, into, err };
	unsigned n_operands = 0;
	bool only_operands = false;
	for (; c.at < argc; c.at++) {
		const char *word = argv[c.at];
		int rc = 0;
		if (only_operands || word[0] != '-' || word[1] == '\0')
			ret_operands[n_operands++] = word;
		else if (strcmp(word, "--") == 0)
			only_operands = true;
		else if (word[1] == '-')
			rc = take_long(&c, word + 2);
		else
			rc = take_bundle(&c, word + 1);
		if (rc < 0)
			return rc;
	}
	ret_operands[n_operands] = NULL;
	return 0;
}

/* A word that was meant as a long one; nobody means -t by what begins like --top. */
static int mistyped(const char *w, struct pf_err *err)
{
	if (w[1] == 't' && w[2] == 'o')
		return pf_err_set(err, -EINVAL, "invalid switch '%s'.  did you mean -%s?", w, w);
	return pf_err_set(err, -EINVAL, "invalid switch '%s'.  did you mean -%s?  if not use '-%c %s'", w, w, w[1],
			  w + 2);
}

int pf_switches_mistyped(int argc, char **argv, struct pf_err *err)
{
	static const char beginnings[][3] = { "al", "ad", "be", "co", "de", "en", "fl", "he", "no", "in", "ra",
					      "li", "lu", "me", "op", "su", "ro", "ru", "ti", "wi", "pr", "to" };
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i];
		if (w[0] != '-' || strlen(w) <= 2)
			continue;
		for (unsigned k = 0; k < sizeof(beginnings) / sizeof(beginnings[0]); k++) {
			if (w[1] == beginnings[k][0] && w[2] == beginnings[k][1])
				return mistyped(w, err);
		}
	}
	return 0;
}

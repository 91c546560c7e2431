/* trace/dlang/pragma.c - lines that start with #: pragmas, line markers of cpp. */
#include <errno.h>

#include "trace/dlang/front.h"

static int malformed(struct pf_dcomp *c, const struct pf_dpos *pos, const char *what)
{
	return pf_d_fail(c, pos, -EINVAL, "D_PRAGMA_MALFORM", "malformed #pragma %s", what);
}

static int set_option(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view word)
{
	const struct pf_dhost *h = &c->p->host;
	const char *eq = memchr(word.p, '=', word.n);
	const char *name = pf_d_text(c, eq ? (struct pf_view){ word.p, (size_t)(eq - word.p) } : word);
	const char *value = NULL;
	if (eq) {
		struct pf_view v = { eq + 1, (size_t)(word.p + word.n - eq - 1) };
		if (v.n >= 2 && v.p[0] == '"' && v.p[v.n - 1] == '"')
			v = (struct pf_view){ v.p + 1, v.n - 2 };
		value = pf_d_text(c, v);
	}
	if (c->rc < 0)
		return c->rc;
	struct pf_err reason = { 0 };
	int rc = h->setopt ? h->setopt(h->arg, name, value, &reason) : -EINVAL;
	if (rc >= 0) {
		pf_dtypes_refresh(c->p);
		return 0;
	}
	const char *why = reason.text[0] ? reason.text : "Invalid option name";
	if (!value)
		return pf_d_fail(c, pos, rc, "D_PRAGMA_OPTSET", "failed to set option '%.60s': %s", name, why);
	return pf_d_fail(c, pos, rc, "D_PRAGMA_OPTSET", "failed to set option '%.60s' to '%.100s': %s", name, value,
			 why);
}

/* Several options may stand on the line; a word without = behind one with a value is a mistake. */
static int options(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view rest)
{
	struct pf_view word;
	bool any = false;
	while (pf_view_word(&rest, &word) == 0) {
		if (any && (word.p[0] == '=' || word.p[0] == '"'))
			return pf_d_fail(c, pos, -EINVAL, "D_PRAGMA_MALFORM",
					 "superfluous arguments specified for #pragma option");
		int rc = set_option(c, pos, word);
		if (rc < 0)
			return rc;
		any = true;
	}
	return any ? 0 : malformed(c, pos, "option: a name is missing");
}

static int depends_on(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view rest)
{
	struct pf_view kind, name;
	if (pf_view_word(&rest, &kind) < 0 || pf_view_word(&rest, &name) < 0)
		return malformed(c, pos, "depends_on: class and name expected");
	if (!pf_view_is(kind, "module") && !pf_view_is(kind, "provider") && !pf_view_is(kind, "library"))
		return pf_d_fail(c, pos, -EINVAL, "D_PRAGMA_INVAL", "#pragma depends_on class '%.*s' is invalid",
				 kind.n > 60 ? 60 : (int)kind.n, kind.p);
	return 0; /* what is missing is said where it is used */
}

static bool is_attribute_class(struct pf_view v)
{
	static const char *const known[] = { "provider", "module", "function", "args", "ident", "name" };
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (pf_view_is(v, known[i]))
			return true;
	}
	return false;
}

static int attributes(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view rest)
{
	struct pf_view stability, kind, name;
	if (pf_view_word(&rest, &stability) < 0 || pf_view_word(&rest, &kind) < 0 || pf_view_word(&rest, &name) < 0)
		return malformed(c, pos, "attributes: stability, class and name expected");
	if (!is_attribute_class(kind) && !pf_view_is(name, "provider"))
		return malformed(c, pos, "attributes: unknown class");
	return 0;
}

/* Behind "pragma D". */
static int pragma_d(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view rest)
{
	struct pf_view word;
	if (pf_view_word(&rest, &word) < 0)
		return malformed(c, pos, "D: a directive is missing");
	if (pf_view_is(word, "option"))
		return options(c, pos, rest);
	if (pf_view_is(word, "depends_on"))
		return depends_on(c, pos, rest);
	if (pf_view_is(word, "attributes"))
		return attributes(c, pos, rest);
	if (pf_view_is(word, "binding"))
		return pf_view_skip(&rest, 2) == 2 ? 0 : malformed(c, pos, "binding: version and name expected");
	if (pf_view_is(word, "error")) {
		rest = pf_view_trim(rest);
		return pf_d_fail(c, pos, -EINVAL, "D_PRAGERR", "#pragma error: %.*s", rest.n > 200 ? 200 : (int)rest.n,
				 rest.p);
	}
	if (pf_view_is(word, "line") || pf_view_is(word, "ident"))
		return 0;
	return pf_d_fail(c, pos, -EINVAL, "D_PRAGMA_INVAL", "invalid #pragma D directive: %.*s",
			 word.n > 60 ? 60 : (int)word.n, word.p);
}

static int pragma(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view rest)
{
	struct pf_view word, before = rest;
	if (pf_view_word(&rest, &word) < 0)
		return 0;
	if (pf_view_is(word, "D"))
		return pragma_d(c, pos, rest);
	if (pf_view_is(word, "error"))
		return pragma_d(c, pos, before);
	return 0; /* ident and pragmas of other languages */
}

/* # 12 "file" 1, # line 12 "file": the next line is number 12 of that file. */
static int line_marker(struct pf_dcomp *c, struct pf_dlex *x, const struct pf_dpos *pos, struct pf_view rest)
{
	uint64_t line = 0;
	if (pf_view_next_u64(&rest, &line) < 0 || line > 100000000)
		return pf_d_fail(c, pos, -EINVAL, "D_PRAGMA_MALFORM", "malformed line marker");
	rest = pf_view_trim(rest);
	x->line = (unsigned)line;
	if (rest.n < 2 || rest.p[0] != '"')
		return 0;
	const char *end = memchr(rest.p + 1, '"', rest.n - 1);
	if (!end)
		return pf_d_fail(c, pos, -EINVAL, "D_PRAGMA_MALFORM", "malformed line marker");
	c->file = pf_d_text(c, (struct pf_view){ rest.p + 1, (size_t)(end - rest.p - 1) });
	return c->rc;
}

int pf_dpragma(struct pf_dcomp *c, struct pf_dlex *x, struct pf_view line, const struct pf_dpos *pos)
{
	struct pf_view rest = pf_view_trim(line), word;
	struct pf_view whole = rest;
	if (pf_view_word(&rest, &word) < 0)
		return 0;
	if (word.p[0] >= '0' && word.p[0] <= '9')
		return line_marker(c, x, pos, whole);
	if (pf_view_is(word, "line"))
		return line_marker(c, x, pos, rest);
	if (pf_view_is(word, "pragma"))
		return pragma(c, pos, rest);
	if (pf_view_is(word, "ident"))
		return 0;
	if (pf_view_is(word, "error")) {
		rest = pf_view_trim(rest);
		return pf_d_fail(c, pos, -EINVAL, "D_PRAGERR", "#error: %.*s", rest.n > 200 ? 200 : (int)rest.n,
				 rest.p);
	}
	return pf_d_fail(c, pos, -EINVAL, "D_PRAGCTL_INVAL", "invalid control directive: #%.*s",
			 word.n > 60 ? 60 : (int)word.n, word.p);
}

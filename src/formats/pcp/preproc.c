/* formats/pcp/preproc.c - the preprocessor of pmlogger's configuration. */
#include "formats/pcp/preproc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct macro {
	struct pf_view name;
	struct pf_view value;
	bool defined;
};

/* @skips: lines are left out, by an %ifdef at the line @opened, 0: none is open. @arena: names and values of macros. @budget: bytes that may
 * still be read */
struct run {
	struct pf_preproc *out;
	const struct pf_preproc_input *in;
	struct pf_preproc_error *error;
	struct macro macros[PF_PREPROC_MACROS];
	unsigned n_macros;
	struct pf_arena arena;
	unsigned depth;
	unsigned opened;
	bool skips;
	size_t budget;
};

/* Directives that stand at the beginning of a line, in the order in which they are looked for. */
enum directive { INCLUDE, DEFINE, UNDEF, IFDEF, IFNDEF, ELSE, ENDIF, SHELL, N_DIRECTIVES };

static const char *const words[N_DIRECTIVES] = { "%include", "%define", "%undef", "%ifdef",
						 "%ifndef",  "%else",	"%endif", "%shell" };

static int run_file(struct run *r, const char *name, struct pf_view text);

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
	return is_alpha(c) || (c >= '0' && c <= '9');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct pf_view skip_blanks(struct pf_view v)
{
	while (v.n > 0 && is_blank(v.p[0]))
		v = (struct pf_view){ v.p + 1, v.n - 1 };
	return v;
}

static int complain(struct run *r, const struct pf_preproc_place *at, struct pf_view line, const char *what)
{
	size_t n = line.n < sizeof(r->error->directive) - 1 ? line.n : sizeof(r->error->directive) - 1;
	*r->error = (struct pf_preproc_error){ .at = *at, .what = what };
	memcpy(r->error->directive, line.p, n);
	return -EINVAL;
}

static struct macro *find_macro(struct run *r, struct pf_view name)
{
	for (unsigned i = 0; i < r->n_macros; i++) {
		if (r->macros[i].name.n == name.n && memcmp(r->macros[i].name.p, name.p, name.n) == 0)
			return &r->macros[i];
	}
	return NULL;
}

static bool is_defined(struct run *r, struct pf_view name)
{
	const struct macro *m = find_macro(r, name);
	return m && m->defined;
}

/* The name behind a directive. @ret_rest: what stands behind it. NULL: it is one; else what is wrong. */
static const char *take_name(struct pf_view rest, struct pf_view *ret_name, struct pf_view *ret_rest)
{
	size_t n = 0;
	rest = skip_blanks(rest);
	while (n < rest.n && !is_blank(rest.p[n]))
		n++;
	if (n == 0)
		return "Missing macro name";
	for (size_t i = 0; i < n; i++) {
		if (!is_word(rest.p[i]) || (i == 0 && !is_alpha(rest.p[i])))
			return "Illegal character in macro name";
	}
	*ret_name = (struct pf_view){ rest.p, n };
	*ret_rest = skip_blanks((struct pf_view){ rest.p + n, rest.n - n });
	return NULL;
}

/* "value", 'value' or one word; nothing else may be there. */
static const char *take_value(struct pf_view rest, struct pf_view *ret_value)
{
	struct pf_view behind;
	if (rest.n > 0 && (rest.p[0] == '"' || rest.p[0] == '\'')) {
		const char *end = memchr(rest.p + 1, rest.p[0], rest.n - 1);
		if (!end)
			return "Unterminated value string in %define";
		*ret_value = (struct pf_view){ rest.p + 1, (size_t)(end - rest.p) - 1 };
		behind = (struct pf_view){ end + 1, rest.n - ret_value->n - 2 };
	} else {
		size_t n = 0;
		while (n < rest.n && !is_blank(rest.p[n]))
			n++;
		*ret_value = (struct pf_view){ rest.p, n };
		behind = (struct pf_view){ rest.p + n, rest.n - n };
	}
	return skip_blanks(behind).n > 0 ? "Unexpected extra text in a control line" : NULL;
}

static int define(struct run *r, const struct pf_preproc_place *at, struct pf_view line, struct pf_view rest)
{
	struct pf_view name;
	struct pf_view value;
	const char *what = take_name(rest, &name, &rest);
	if (!what)
		what = take_value(rest, &value);
	if (!what && is_defined(r, name))
		what = "Macro redefinition";
	if (what)
		return complain(r, at, line, what);
	struct macro *m = find_macro(r, name);
	if (!m && r->n_macros == PF_PREPROC_MACROS)
		return complain(r, at, line, "Too many macros");
	char *copy = pf_arena_dup(&r->arena, value);
	char *name_copy = m ? NULL : pf_arena_dup(&r->arena, name);
	if (!copy || (!m && !name_copy))
		return -ENOMEM;
	if (!m) {
		m = &r->macros[r->n_macros++];
		m->name = (struct pf_view){ name_copy, name.n };
	}
	m->value = (struct pf_view){ copy, value.n };
	m->defined = true;
	return 0;
}

static int undefine(struct run *r, const struct pf_preproc_place *at, struct pf_view line, struct pf_view rest)
{
	struct pf_view name;
	const char *what = take_name(rest, &name, &rest);
	if (!what && rest.n > 0)
		what = "Unexpected extra text in a control line";
	if (what)
		return complain(r, at, line, what);
	struct macro *m = find_macro(r, name);
	if (m)
		m->defined = false;
	return 0;
}

static int begin_if(struct run *r, const struct pf_preproc_place *at, struct pf_view line, struct pf_view rest,
		    bool wanted)
{
	struct pf_view name;
	if (r->opened > 0)
		return complain(r, at, line, "Nested %ifdef or %ifndef");
	const char *what = take_name(rest, &name, &rest);
	if (!what && rest.n > 0)
		what = "Unexpected extra text in a control line";
	if (what)
		return complain(r, at, line, what);
	r->opened = at->line;
	r->skips = is_defined(r, name) != wanted;
	return 0;
}

static int end_if(struct run *r, const struct pf_preproc_place *at, struct pf_view line, struct pf_view rest,
		  enum directive d)
{
	if (skip_blanks(rest).n > 0)
		return complain(r, at, line, "Unexpected extra text in a control line");
	if (r->opened == 0)
		return complain(r, at, line,
				d == ELSE ? "No matching %ifdef or %ifndef for %else"
					  : "No matching %ifdef or %ifndef for %endif");
	r->skips = d == ELSE && !r->skips;
	if (d == ENDIF)
		r->opened = 0;
	return 0;
}

/* The name in "..." or <...>. */
static const char *take_file(struct pf_view rest, struct pf_view *ret_name)
{
	rest = skip_blanks(rest);
	if (rest.n == 0 || (rest.p[0] != '"' && rest.p[0] != '<'))
		return "Expected \" or < after %include";
	const char *end = memchr(rest.p + 1, rest.p[0] == '<' ? '>' : '"', rest.n - 1);
	if (!end)
		return rest.p[0] == '<' ? "Expected > after file name" : "Expected \" after file name";
	*ret_name = (struct pf_view){ rest.p + 1, (size_t)(end - rest.p) - 1 };
	struct pf_view behind = { end + 1, rest.n - ret_name->n - 2 };
	return skip_blanks(behind).n > 0 ? "Unexpected extra text in %include line" : NULL;
}

static int include(struct run *r, const struct pf_preproc_place *at, struct pf_view line, struct pf_view rest)
{
	struct pf_view name;
	const char *what = take_file(rest, &name);
	if (!what && r->depth == PF_PREPROC_DEPTH)
		what = "%include and/or %shell nesting too deep";
	if (what)
		return complain(r, at, line, what);
	char *copy = pf_arena_dup(&r->out->names, name);
	if (!copy)
		return -ENOMEM;
	struct pf_buf text = { 0 };
	int rc = r->in->include ? r->in->include(r->in->arg, copy, &text) : -ENOENT;
	if (rc == 0 && text.failed)
		rc = text.failed;
	if (rc == 0)
		rc = run_file(r, copy, pf_buf_text(&text));
	else if (rc != -ENOMEM)
		rc = complain(r, at, line, "Cannot open file for %include");
	pf_buf_done(&text);
	return rc;
}

/* Return: which directive the line is, or N_DIRECTIVES. */
static enum directive directive_of(struct pf_view line, struct pf_view *ret_rest)
{
	for (unsigned d = 0; d < N_DIRECTIVES; d++) {
		size_t n = strlen(words[d]);
		if (!pf_view_starts(line, words[d]))
			continue;
		*ret_rest = (struct pf_view){ line.p + n, line.n - n };
		return (enum directive)d;
	}
	return N_DIRECTIVES;
}

static int obey(struct run *r, const struct pf_preproc_place *at, struct pf_view line, struct pf_view rest,
		enum directive d)
{
	switch (d) {
	case INCLUDE:
		return include(r, at, line, rest);
	case DEFINE:
		return define(r, at, line, rest);
	case UNDEF:
		return undefine(r, at, line, rest);
	case SHELL:
		return complain(r, at, line, "%shell is not run here");
	default:
		return begin_if(r, at, line, rest, d == IFDEF);
	}
}

/* "%NAME" or "%{NAME}" at the beginning of @v. Return: how long that is, 0 it is neither. */
static size_t macro_at(struct run *r, struct pf_view v, struct pf_view *ret_value)
{
	bool braced = v.n > 1 && v.p[1] == '{';
	size_t from = braced ? 2 : 1;
	size_t n = 0;
	while (from + n < v.n && is_word(v.p[from + n]))
		n++;
	if (n == 0 || (braced && (from + n >= v.n || v.p[from + n] != '}')))
		return 0;
	const struct macro *m = find_macro(r, (struct pf_view){ v.p + from, n });
	if (!m || !m->defined)
		return 0;
	*ret_value = m->value;
	return from + n + braced;
}

static int put_line(struct run *r, const struct pf_preproc_place *at, struct pf_view line)
{
	struct pf_preproc *out = r->out;
	struct pf_view value;
	if (out->n_places == out->cap_places) {
		unsigned cap = out->cap_places ? out->cap_places * 2 : 64;
		struct pf_preproc_place *more = reallocarray(out->places, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		out->places = more;
		out->cap_places = cap;
	}
	out->places[out->n_places++] = *at;
	for (size_t i = 0; i < line.n;) {
		const char *next = memchr(line.p + i, '%', line.n - i);
		size_t plain = next ? (size_t)(next - line.p) - i : line.n - i;
		pf_buf_add(&out->text, line.p + i, plain);
		i += plain;
		if (!next)
			break;
		size_t n = macro_at(r, (struct pf_view){ line.p + i, line.n - i }, &value);
		pf_buf_view(&out->text, n > 0 ? value : PF_VIEW("%"));
		i += n > 0 ? n : 1;
		if (out->text.n > PF_PREPROC_MAX)
			return -EFBIG;
	}
	pf_buf_char(&out->text, '\n');
	return out->text.failed ? out->text.failed : out->text.n > PF_PREPROC_MAX ? -EFBIG : 0;
}

static int run_line(struct run *r, const struct pf_preproc_place *at, struct pf_view line)
{
	struct pf_view rest;
	enum directive d = directive_of(line, &rest);
	if (d == ELSE || d == ENDIF)
		return end_if(r, at, line, rest, d);
	if (r->skips && (d != IFDEF && d != IFNDEF))
		return 0;
	return d == N_DIRECTIVES ? put_line(r, at, line) : obey(r, at, line, rest, d);
}

static int run_file(struct run *r, const char *name, struct pf_view text)
{
	struct pf_preproc_place at = { .file = name };
	struct pf_view line;
	int rc = text.n <= r->budget ? 0 : -EFBIG;
	r->budget -= rc == 0 ? text.n : 0;
	r->depth++;
	while (rc == 0 && pf_view_line(&text, &line) == 0) {
		at.line++;
		if (r->depth == 1)
			r->out->end = at;
		rc = run_line(r, &at, line);
	}
	if (rc == 0 && r->depth == 1)
		r->out->end.line++;
	r->depth--;
	return rc;
}

int pf_preproc_run(struct pf_preproc *ret, const struct pf_preproc_input *in, struct pf_preproc_error *ret_error)
{
	struct run *r = calloc(1, sizeof(*r));
	*ret = (struct pf_preproc){ 0 };
	*ret_error = (struct pf_preproc_error){ 0 };
	if (!r)
		return -ENOMEM;
	r->out = ret;
	r->in = in;
	r->error = ret_error;
	r->budget = PF_PREPROC_MAX;
	char *name = pf_arena_dup(&ret->names, pf_view_of(in->name));
	ret->end = (struct pf_preproc_place){ name, 0 };
	int rc = name ? run_file(r, name, in->text) : -ENOMEM;
	if (rc == 0 && r->opened > 0) {
		*ret_error = (struct pf_preproc_error){ .at = { name, 0 },
							.what = "End of input and no matching %endif for %ifdef or "
								"%ifndef",
							.opened = r->opened };
		rc = -EINVAL;
	}
	pf_arena_done(&r->arena);
	free(r);
	return rc;
}

void pf_preproc_done(struct pf_preproc *p)
{
	pf_buf_done(&p->text);
	free(p->places);
	pf_arena_done(&p->names);
	*p = (struct pf_preproc){ 0 };
}

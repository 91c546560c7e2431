/* trace/dlang/prog.c - a program from its first text to its end: names, errors, taking back what failed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/sentence.h"
#include "trace/dlang/front.h"

enum { QUOTED = 240 }; /* characters of a specifier that a message repeats */

struct pf_dprog *pf_dprog_new(const struct pf_dhost *host)
{
	struct pf_dprog *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	if (host)
		p->host = *host;
	p->syms = pf_arena_alloc(&p->arena, sizeof(*p->syms));
	if (!p->syms || pf_dtypes_init(p) < 0)
		return pf_dprog_free(p);
	return p;
}

struct pf_dprog *pf_dprog_free(struct pf_dprog *p)
{
	if (p) {
		pf_arena_done(&p->arena);
		free(p);
	}
	return NULL;
}

/* The place in front of a message: "line 3: ", `"file", line 3: `, or nothing in a specifier of one line. */
static void place(const struct pf_dcomp *c, const struct pf_dpos *pos, char *out, size_t n)
{
	out[0] = '\0';
	if (!pos || pos->line == 0)
		return;
	if (c->file)
		(void)snprintf(out, n, "\"%.80s\", line %u: ", c->file, pos->line);
	else if (c->origin == PF_DP_SCRIPT || memchr(c->text.p, '\n', c->text.n))
		(void)snprintf(out, n, "line %u: ", pos->line);
}

static void quote(struct pf_view v, char *out)
{
	size_t n = v.n > QUOTED ? QUOTED : v.n;
	for (size_t i = 0; i < n; i++) {
		out[i] = v.p[i];
		if ((unsigned char)v.p[i] < 0x20 || v.p[i] == 0x7f)
			out[i] = ' ';
	}
	(void)snprintf(out + n, 4, "%s", v.n > n ? "..." : "");
}

static void note(struct pf_ddiag *d, const struct pf_dpos *pos, const char *tag)
{
	*d = (struct pf_ddiag){ .tag = tag };
	if (!pos)
		return;
	d->line = pos->line;
	d->column = pos->column;
	size_t n = pos->token.n < sizeof(d->token) - 1 ? pos->token.n : sizeof(d->token) - 1;
	if (n > 0)
		memcpy(d->token, pos->token.p, n);
}

int pf_d_fail(struct pf_dcomp *c, const struct pf_dpos *pos, int rc, const char *tag, const char *fmt, ...)
{
	if (c->rc < 0)
		return c->rc;
	c->rc = rc;
	if (c->blame)
		pos = c->blame;
	note(&c->p->diag, pos, tag);

	char where[128], label[32] = "", message[PF_ERR_TEXT + 160];
	place(c, pos, where, sizeof(where));
	if (pf_d_option(c, "errtags", 0) > 0)
		(void)snprintf(label, sizeof(label), "[%s] ", tag);
	int n = snprintf(message, sizeof(message), "%s%s", label, where);
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(message + n, PF_ERR_TEXT, NULL, fmt, ap);
	va_end(ap);

	char quoted[QUOTED + 4];
	quote(c->text, quoted);
	(void)pf_err_set(c->err, rc, "%s", message);
	if (c->origin == PF_DP_SCRIPT)
		return pf_err_context(c->err, rc, "failed to compile script %.200s", c->where ? c->where : "-");
	return pf_err_context(c->err, rc, "invalid probe specifier %s", quoted);
}

int pf_d_nomem(struct pf_dcomp *c)
{
	return pf_d_fail(c, NULL, -ENOMEM, "D_NOMEM", "no memory");
}

void *pf_d_alloc(struct pf_dcomp *c, size_t n)
{
	void *mem = pf_arena_alloc(&c->p->arena, n);
	if (!mem)
		(void)pf_d_nomem(c);
	return mem;
}

char *pf_d_text(struct pf_dcomp *c, struct pf_view v)
{
	char *s = pf_arena_dup(&c->p->arena, v);
	if (!s)
		(void)pf_d_nomem(c);
	return s;
}

int64_t pf_d_option(struct pf_dcomp *c, const char *name, int64_t unset)
{
	const struct pf_dhost *h = &c->p->host;
	int64_t v = h->option ? h->option(h->arg, name) : -1;
	return v < 0 ? unset : v;
}

bool pf_d_deeper(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	if (c->depth >= PF_D_MAX_DEPTH) {
		(void)pf_d_fail(c, pos, -EFBIG, "D_SYNTAX", "nested more than %d levels deep", PF_D_MAX_DEPTH);
		return false;
	}
	c->depth++;
	return true;
}

static unsigned hash(enum pf_dspace space, struct pf_view name)
{
	uint32_t h = 2166136261U + (uint32_t)space;
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 16777619U;
	return (h ^ (h >> 16)) % PF_D_BUCKETS;
}

struct pf_dsym *pf_dsym_find(struct pf_dprog *p, enum pf_dspace space, struct pf_view name)
{
	for (struct pf_dsym *s = p->syms->table[hash(space, name)]; s; s = s->chain) {
		if (s->space == space && s->name.n == name.n && memcmp(s->name.p, name.p, name.n) == 0)
			return s;
	}
	return NULL;
}

struct pf_dsym *pf_dsym_add(struct pf_dcomp *c, enum pf_dspace space, struct pf_view name)
{
	struct pf_dsyms *t = c->p->syms;
	if (t->n >= PF_D_MAX_NAMES) {
		(void)pf_d_fail(c, NULL, -EFBIG, "D_SYNTAX", "program has more than %d names", PF_D_MAX_NAMES);
		return NULL;
	}
	struct pf_dsym *s = pf_d_alloc(c, sizeof(*s));
	char *copy = pf_d_text(c, name);
	if (!s || !copy)
		return NULL;
	s->space = space;
	s->name = (struct pf_view){ copy, name.n };
	s->bucket = hash(space, name);
	s->chain = t->table[s->bucket];
	t->table[s->bucket] = s;
	s->older = t->newest;
	t->newest = s;
	t->n++;
	return s;
}

void pf_dsym_undo(struct pf_dprog *p, struct pf_dsym *until)
{
	struct pf_dsyms *t = p->syms;
	while (t->newest && t->newest != until) {
		struct pf_dsym *s = t->newest;
		t->table[s->bucket] = s->chain; /* newest overall is first of its chain */
		t->newest = s->older;
		t->n--;
	}
}

/* How long the lists of a program were, to cut them back. */
struct mark {
	struct pf_dsym *newest;
	uint64_t loaded;
	unsigned n_clauses, n_vars[3], n_aggs, n_strings;
	struct pf_dxlator *xlators;
	struct pf_dprovider *last_provider;
	bool destructive;
};

static struct mark mark(const struct pf_dprog *p)
{
	struct mark m = { p->syms->newest, p->syms->loaded, p->n_clauses, { 0 },	 p->n_aggs,
			  p->n_strings,	   p->xlators,	    NULL,	  p->destructive };
	memcpy(m.n_vars, p->n_vars, sizeof(m.n_vars));
	for (struct pf_dprovider *v = p->providers; v; v = v->next)
		m.last_provider = v;
	return m;
}

/* Keep the first @n elements of a list linked by ->next. */
#define CUT(list, n)                                                                                                   \
	do {                                                                                                           \
		__typeof__(list) *at_ = &(list);                                                                       \
		for (unsigned i_ = 0; i_ < (n); i_++)                                                                  \
			at_ = &(*at_)->next;                                                                           \
		*at_ = NULL;                                                                                           \
	} while (0)

static void take_back(struct pf_dprog *p, const struct mark *m)
{
	CUT(p->clauses, m->n_clauses);
	p->n_clauses = m->n_clauses;
	for (size_t i = 0; i < 3; i++) {
		CUT(p->vars[i], m->n_vars[i]);
		p->n_vars[i] = m->n_vars[i];
	}
	CUT(p->aggs, m->n_aggs);
	p->n_aggs = m->n_aggs;
	CUT(p->strings, m->n_strings);
	p->n_strings = m->n_strings;
	p->xlators = m->xlators;
	if (m->last_provider)
		m->last_provider->next = NULL;
	else
		p->providers = NULL;
	p->destructive = m->destructive;
	p->syms->loaded = m->loaded;
	p->syms->strings_end = NULL;
	p->syms->aggs_end = NULL;
	p->syms->clauses_end = NULL;
	memset(p->syms->vars_end, 0, sizeof(p->syms->vars_end));
	pf_dsym_undo(p, m->newest);
}

static int run(struct pf_dcomp *c, struct pf_view text)
{
	if (text.n > PF_D_MAX_TEXT)
		return pf_d_fail(c, NULL, -EFBIG, "D_SYNTAX", "program is longer than %d bytes", PF_D_MAX_TEXT);
	const char *copy = pf_d_text(c, text);
	if (!copy)
		return c->rc;
	c->text = (struct pf_view){ copy, text.n };
	c->lex = (struct pf_dlex){ .text = c->text, .line = 1 };
	c->used = pf_d_alloc(c, c->argc > 0 ? (size_t)c->argc : 1);
	if (!c->used)
		return c->rc;

	int rc = pf_dparse_items(c);
	if (rc == 0 && !c->library)
		rc = pf_dmacro_check_used(c);
	return rc;
}

int pf_dprog_compile(struct pf_dprog *p, enum pf_dprog_origin origin, const char *where, struct pf_view text, int argc,
		     const char *const *argv, struct pf_err *err)
{
	struct pf_dcomp c = { .p = p, .err = err, .origin = origin, .where = where, .argc = argc, .argv = argv };
	struct mark m = mark(p);
	c.text = text;
	p->diag = (struct pf_ddiag){ 0 };
	pf_dtypes_refresh(p);

	int rc = run(&c, text);
	if (rc < 0)
		take_back(p, &m);
	return rc;
}

int pf_dprog_define(struct pf_dprog *p, const char *where, struct pf_view text, struct pf_err *err)
{
	struct pf_dcomp c = { .p = p, .err = err, .origin = PF_DP_SCRIPT, .where = where, .library = true };
	struct mark m = mark(p);
	c.text = text;
	int rc = run(&c, text);
	if (rc < 0)
		take_back(p, &m);
	return rc;
}

int pf_d_sub_compile(struct pf_dcomp *c, const char *where, struct pf_view text)
{
	struct pf_err unseen = { 0 };
	struct pf_dcomp sub = { .p = c->p, .err = &unseen, .origin = PF_DP_SCRIPT, .where = where, .library = true };
	struct pf_ddiag diag = c->p->diag;
	struct mark m = mark(c->p);
	sub.text = text;
	int rc = run(&sub, text);
	if (rc < 0)
		take_back(c->p, &m);
	c->p->diag = diag;
	return rc;
}

struct pf_dtype *pf_dprog_type(struct pf_dprog *p, struct pf_view text)
{
	struct pf_err unseen = { 0 };
	struct pf_dcomp c = { .p = p, .err = &unseen, .origin = PF_DP_SCRIPT, .where = "type", .library = true };
	struct pf_ddiag diag = p->diag;
	const char *copy = pf_d_text(&c, text);
	struct pf_dtype *t = NULL;
	if (copy) {
		c.text = (struct pf_view){ copy, text.n };
		c.lex = (struct pf_dlex){ .text = c.text, .line = 1 };
		t = pf_dparse_typename(&c);
		const struct pf_dtoken *end = t ? pf_dlex_peek(&c) : NULL;
		if (!end || end->kind != PF_DK_EOF)
			t = NULL;
	}
	p->diag = diag;
	return t;
}

int pf_ddesc_parse(struct pf_dprog *p, enum pf_dprog_origin origin, struct pf_view text, struct pf_ddesc *ret_desc,
		   struct pf_err *err)
{
	struct pf_dcomp c = { .p = p, .err = err, .origin = origin, .text = text };
	struct pf_dpos pos = { 1, 1, text };
	*ret_desc = (struct pf_ddesc){ 0 };
	return pf_dparse_desc(&c, text, &pos, ret_desc);
}

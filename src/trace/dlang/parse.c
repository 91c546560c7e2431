/* trace/dlang/parse.c - external items, clauses, statements. */
#include <errno.h>

#include "base/buf.h"
#include "trace/dlang/front.h"

static char here(const struct pf_dlex *x)
{
	if (x->at < x->text.n)
		return x->text.p[x->at];
	return '\0';
}

static bool ends_desc(char ch)
{
	return ch == '\0' || strchr(" \t\n\r\f\v,/{;", ch) != NULL;
}

/* Text of one description, macros put in. */
static int desc_text(struct pf_dcomp *c, struct pf_view *ret_text, struct pf_dpos *ret_pos)
{
	struct pf_dlex *x = &c->lex;
	struct pf_buf b = { 0 };
	struct pf_dlex start = *x;
	int rc = 0;
	while (rc == 0 && x->at < x->text.n && !ends_desc(here(x))) {
		if (here(x) == '$') {
			rc = pf_dmacro_text(c, x, &b);
			continue;
		}
		if (here(x) == '[') { /* a set may hold what would end the description */
			const char *close = memchr(x->text.p + x->at, ']', x->text.n - x->at);
			size_t n = close ? (size_t)(close - (x->text.p + x->at)) : 0;
			if (close && !memchr(x->text.p + x->at, '\n', n)) {
				pf_buf_add(&b, x->text.p + x->at, n);
				x->at += n;
			}
		} else if (here(x) == '\\' && x->at + 1 < x->text.n && x->text.p[x->at + 1] != '\n') {
			pf_buf_char(&b, here(x));
			x->at++;
		}
		pf_buf_char(&b, here(x));
		x->at++;
	}
	*ret_pos = pf_dlex_pos(&start, x->at - start.at);
	const char *copy = rc == 0 && b.failed == 0 ? pf_d_text(c, pf_buf_text(&b)) : NULL;
	*ret_text = (struct pf_view){ copy, b.n };
	pf_buf_done(&b);
	return copy ? 0 : pf_d_nomem(c); /* keeps an earlier error */
}

static int syntax_here(struct pf_dcomp *c)
{
	struct pf_dlex *x = &c->lex;
	struct pf_dpos pos = pf_dlex_pos(x, 1);
	if (x->at >= x->text.n)
		return pf_d_fail(c, &pos, -EINVAL, "D_SYNTAX", "syntax error near end of input");
	return pf_d_fail(c, &pos, -EINVAL, "D_SYNTAX", "syntax error near \"%c\"", here(x));
}

/* desc {, desc} */
static int parse_descs(struct pf_dcomp *c, struct pf_dclause *clause)
{
	struct pf_ddesc **tail = &clause->descs;
	for (unsigned n = 0;; n++) {
		if (pf_dlex_skip(c, &c->lex) < 0)
			return c->rc;
		if (c->lex.at >= c->lex.text.n || ends_desc(here(&c->lex)) || strchr("})]", here(&c->lex)))
			return syntax_here(c);
		struct pf_ddesc *d = pf_d_alloc(c, sizeof(*d));
		struct pf_view text;
		struct pf_dpos pos;
		if (!d || desc_text(c, &text, &pos) < 0 || pf_dparse_desc(c, text, &pos, d) < 0)
			return c->rc;
		*tail = d;
		tail = &d->next;
		if (n == 0)
			clause->pos = pos;
		if (pf_dlex_skip(c, &c->lex) < 0)
			return c->rc;
		if (here(&c->lex) != ',')
			return 0;
		c->lex.at++;
	}
}

static struct pf_dstmt *parse_stmt(struct pf_dcomp *c);

static struct pf_dstmt *new_stmt(struct pf_dcomp *c, enum pf_dstmt_kind kind, const struct pf_dpos *pos)
{
	struct pf_dstmt *s = pf_d_alloc(c, sizeof(*s));
	if (s) {
		s->kind = kind;
		s->pos = *pos;
	}
	return s;
}

/* Statements up to the }, which is taken. */
static int parse_block(struct pf_dcomp *c, struct pf_dstmt **ret_list)
{
	struct pf_dstmt **tail = ret_list;
	*ret_list = NULL;
	for (;;) {
		const struct pf_dtoken *t = pf_dlex_peek(c);
		if (!t)
			return c->rc;
		if (pf_dlex_accept(c, PF_DK_RBRACE))
			return 0;
		if (pf_dlex_accept(c, PF_DK_SEMI))
			continue;
		struct pf_dstmt *s = parse_stmt(c);
		if (!s)
			return c->rc < 0 ? c->rc : pf_d_nomem(c);
		*tail = s;
		tail = &s->next;
		if (s->kind == PF_DS_IF)
			continue; /* an if ends itself */
		t = pf_dlex_peek(c);
		if (!t)
			return c->rc;
		if (t->kind != PF_DK_SEMI && t->kind != PF_DK_RBRACE)
			return pf_d_syntax(c);
	}
}

/* The arm of an if: a block or one statement with its semicolon. */
static int parse_arm(struct pf_dcomp *c, struct pf_dstmt **ret_list)
{
	*ret_list = NULL;
	if (pf_dlex_accept(c, PF_DK_LBRACE))
		return parse_block(c, ret_list);
	if (pf_dlex_accept(c, PF_DK_SEMI))
		return 0;
	struct pf_dstmt *s = parse_stmt(c);
	if (!s)
		return c->rc < 0 ? c->rc : pf_d_nomem(c);
	*ret_list = s;
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	if (s->kind == PF_DS_IF || t->kind == PF_DK_RBRACE)
		return 0;
	return pf_dlex_expect(c, PF_DK_SEMI);
}

static struct pf_dstmt *parse_if(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	struct pf_dstmt *s = new_stmt(c, PF_DS_IF, pos);
	pf_dlex_take(c);
	if (!s || pf_dlex_expect(c, PF_DK_LPAREN) < 0)
		return NULL;
	s->expr = pf_dparse_expr(c);
	if (!s->expr || pf_dlex_expect(c, PF_DK_RPAREN) < 0 || parse_arm(c, &s->then) < 0)
		return NULL;
	if (pf_dlex_accept(c, PF_DK_ELSE) && parse_arm(c, &s->otherwise) < 0)
		return NULL;
	return c->rc < 0 ? NULL : s;
}

static struct pf_dstmt *parse_stmt(struct pf_dcomp *c)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t || !pf_d_deeper(c, &t->pos))
		return NULL;
	struct pf_dpos pos = t->pos;
	struct pf_dstmt *s = NULL;
	if (t->kind == PF_DK_IF) {
		s = parse_if(c, &pos);
	} else {
		struct pf_dexpr *e = pf_dparse_expr(c);
		s = e ? new_stmt(c, PF_DS_EXPR, &pos) : NULL;
		if (s)
			s->expr = e;
	}
	pf_d_back(c);
	return s;
}

static int parse_predicate(struct pf_dcomp *c, struct pf_dexpr **ret_expr)
{
	c->lex.at++; /* the / */
	c->lex.predicate = true;
	c->lex.parens = c->lex.brackets = 0;
	*ret_expr = pf_dparse_expr(c);
	if (!*ret_expr || pf_dlex_expect(c, PF_DK_EPRED) < 0)
		return c->rc;
	c->lex.predicate = false;
	return pf_dlex_skip(c, &c->lex);
}

static int parse_clause(struct pf_dcomp *c)
{
	struct pf_dclause *clause = pf_d_alloc(c, sizeof(*clause));
	struct pf_dexpr *predicate = NULL;
	struct pf_dstmt *stmts = NULL;
	if (!clause || parse_descs(c, clause) < 0)
		return c->rc;
	if (here(&c->lex) == '/' && parse_predicate(c, &predicate) < 0)
		return c->rc;
	if (here(&c->lex) == '{') {
		c->lex.at++;
		c->lex.parens = c->lex.brackets = 0;
		if (parse_block(c, &stmts) < 0)
			return c->rc;
	} else if (c->origin == PF_DP_SCRIPT && !predicate) {
		return pf_d_fail(c, &clause->pos, -EINVAL, "D_SYNTAX",
				 "expected predicate and/or actions following probe description");
	}
	if (c->library)
		return pf_d_fail(c, &clause->pos, -EINVAL, "D_SYNTAX", "probe clauses are not permitted in a library");
	return pf_dsema_clause(c, clause, predicate, stmts);
}

/* Does the name of a type followed by something that can be declared stand here? */
static bool typedef_starts(struct pf_dcomp *c, struct pf_dlex ahead, struct pf_view word)
{
	ahead.at += word.n;
	size_t blanks = 0;
	while (ahead.at < ahead.text.n && strchr(" \t\n\r", here(&ahead)) && here(&ahead) != '\0') {
		ahead.at++;
		blanks++;
	}
	char next = here(&ahead);
	if (next != '*' && (blanks == 0 || !pf_d_is_ident_start(next)))
		return false;
	return pf_dtype_find(c, PF_VIEW(""), word) != NULL;
}

/* What an item begins with: a keyword of declarations, the name of a type, or a probe description (IDENT). */
static enum pf_dtok item_start(struct pf_dcomp *c)
{
	const struct pf_dlex *x = &c->lex;
	size_t n = 0;
	while (x->at + n < x->text.n && pf_d_is_ident(x->text.p[x->at + n]))
		n++;
	struct pf_view word = { x->text.p + x->at, n };
	char next = '\0';
	if (x->at + n < x->text.n)
		next = x->text.p[x->at + n];
	if (n == 0 || !pf_d_is_ident_start(word.p[0]) || next == ':')
		return PF_DK_IDENT;
	enum pf_dtok k = pf_dlex_keyword(word);
	if (k != PF_DK_IDENT && !pf_dparse_starts_item(k))
		return PF_DK_IDENT; /* "return" is a probe */
	if (k != PF_DK_IDENT)
		return strchr("-?[", next) && next != '\0' && k != PF_DK_SELF ? PF_DK_IDENT : k;
	return typedef_starts(c, *x, word) ? PF_DK_TYPEDEF : PF_DK_IDENT;
}

static int parse_item(struct pf_dcomp *c)
{
	if (c->origin != PF_DP_SCRIPT && c->origin != PF_DP_NAME)
		return parse_clause(c);
	switch (item_start(c)) {
	case PF_DK_IDENT:
		return parse_clause(c);
	case PF_DK_INLINE:
		return pf_dparse_inline(c);
	case PF_DK_TRANSLATOR:
		return pf_dparse_translator(c);
	case PF_DK_PROVIDER:
		return pf_dparse_provider(c);
	default:
		return pf_dparse_declaration(c);
	}
}

int pf_dparse_items(struct pf_dcomp *c)
{
	for (;;) {
		c->lex.predicate = false;
		c->lex.parens = c->lex.brackets = 0;
		c->have = false;
		if (pf_dlex_skip(c, &c->lex) < 0)
			return c->rc;
		if (c->lex.at >= c->lex.text.n)
			break;
		if (here(&c->lex) == ';') {
			c->lex.at++;
			continue;
		}
		c->any = true;
		if (parse_item(c) < 0)
			return c->rc;
	}
	if (!c->any && !c->library && pf_d_option(c, "empty", 0) <= 0)
		return pf_d_fail(c, NULL, -EINVAL, "D_EMPTY", "empty D program translation unit");
	return 0;
}

/* trace/dlang/lex.c - text to tokens, comments and # lines on the way. */
#include <errno.h>

#include "trace/dlang/front.h"

bool pf_d_is_ident_start(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}

bool pf_d_is_ident(char ch)
{
	return pf_d_is_ident_start(ch) || (ch >= '0' && ch <= '9');
}

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r' || ch == '\f' || ch == '\v';
}

/* The character @ahead of the position, NUL at the end. */
static char at(const struct pf_dlex *x, size_t ahead)
{
	if (ahead < x->text.n - x->at)
		return x->text.p[x->at + ahead];
	return '\0';
}

static size_t left(const struct pf_dlex *x)
{
	return x->text.n - x->at;
}

struct pf_dpos pf_dlex_pos(const struct pf_dlex *x, size_t n)
{
	size_t column = x->at - x->line_start + 1;
	return (struct pf_dpos){ x->line,
				 column > 1000000 ? 1000000 : (unsigned)column,
				 { x->text.p + x->at, n < left(x) ? n : left(x) } };
}

static void newline(struct pf_dlex *x) /* at the newline */
{
	x->at++;
	x->line++;
	x->line_start = x->at;
}

static int skip_comment(struct pf_dcomp *c, struct pf_dlex *x)
{
	struct pf_dpos pos = pf_dlex_pos(x, 2);
	x->at += 2;
	while (left(x) > 0) {
		if (at(x, 0) == '*' && at(x, 1) == '/') {
			x->at += 2;
			return 0;
		}
		if (at(x, 0) == '\n')
			newline(x);
		else
			x->at++;
	}
	return pf_d_fail(c, &pos, -EINVAL, "D_SYNTAX", "end-of-file encountered before matching */");
}

/* Is there only white space between the start of the line and here? */
static bool starts_line(const struct pf_dlex *x)
{
	for (size_t i = x->line_start; i < x->at; i++) {
		if (x->text.p[i] != ' ' && x->text.p[i] != '\t')
			return false;
	}
	return true;
}

static int hash_line(struct pf_dcomp *c, struct pf_dlex *x)
{
	const char *start = x->text.p + x->at;
	const char *nl = memchr(start, '\n', left(x));
	size_t n = nl ? (size_t)(nl - start) : left(x);
	struct pf_dpos pos = pf_dlex_pos(x, n);
	bool first = x->at == 0 && at(x, 1) == '!';
	x->at += n;
	if (nl)
		newline(x);
	return first ? 0 : pf_dpragma(c, x, (struct pf_view){ start + 1, n - 1 }, &pos);
}

int pf_dlex_skip(struct pf_dcomp *c, struct pf_dlex *x)
{
	while (left(x) > 0) {
		char ch = at(x, 0);
		int rc = 0;
		if (ch == '\n')
			newline(x);
		else if (is_blank(ch))
			x->at++;
		else if (ch == '/' && at(x, 1) == '*')
			rc = skip_comment(c, x);
		else if (ch == '/' && at(x, 1) == '/' && !x->predicate)
			while (left(x) > 0 && at(x, 0) != '\n')
				x->at++;
		else if (ch == '#' && starts_line(x))
			rc = hash_line(c, x);
		else
			return 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* A / closes a predicate iff what follows is the end, ; { or /. */
static bool closes_predicate(const struct pf_dlex *x)
{
	size_t i = 1;
	while (i < left(x) && is_blank(at(x, i)))
		i++;
	return i >= left(x) || strchr(";{/", at(x, i)) != NULL;
}

static size_t run_of_ident(const struct pf_dlex *x, size_t from)
{
	size_t n = from;
	while (n < left(x) && pf_d_is_ident(at(x, n)))
		n++;
	return n - from;
}

static int too_long(struct pf_dcomp *c, const struct pf_dpos *pos)
{
	return pf_d_fail(c, pos, -EFBIG, "D_SYNTAX", "name is longer than %d characters", PF_D_MAX_IDENT);
}

/* `name after @module characters of module. */
static int read_symbol(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t, size_t module)
{
	size_t n = run_of_ident(x, module + 1);
	t->kind = PF_DK_KSYM;
	t->module = (struct pf_view){ x->text.p + x->at, module };
	t->name = (struct pf_view){ x->text.p + x->at + module + 1, n };
	t->pos = pf_dlex_pos(x, module + 1 + n);
	if (n == 0)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "symbol name expected after `");
	if (n > PF_D_MAX_IDENT || module > PF_D_MAX_IDENT)
		return too_long(c, &t->pos);
	x->at += module + 1 + n;
	return 0;
}

static int read_word(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	size_t n = run_of_ident(x, 0);
	if (at(x, n) == '`')
		return read_symbol(c, x, t, n);
	t->pos = pf_dlex_pos(x, n);
	if (n > PF_D_MAX_IDENT)
		return too_long(c, &t->pos);
	t->name = t->pos.token;
	t->kind = pf_dlex_keyword(t->name);
	x->at += n;
	return 0;
}

static int read_number(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	size_t n = run_of_ident(x, 0);
	if (at(x, n) == '`')
		return read_symbol(c, x, t, n);
	t->pos = pf_dlex_pos(x, n);
	bool hex = at(x, 0) == '0' && (at(x, 1) | 0x20) == 'x';
	bool exponent = !hex && (memchr(t->pos.token.p, 'e', n) || memchr(t->pos.token.p, 'E', n));
	if (at(x, n) == '.' || exponent)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "floating-point constants are not permitted");
	x->at += n;
	return pf_dlex_number(c, t, t->pos.token);
}

static int read_aggregation(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	bool named = pf_d_is_ident_start(at(x, 1));
	size_t n = named ? run_of_ident(x, 1) : 0;
	t->pos = pf_dlex_pos(x, n + 1);
	t->kind = PF_DK_AGG;
	t->name = named ? (struct pf_view){ x->text.p + x->at + 1, n } : PF_VIEW("_");
	if (n > PF_D_MAX_IDENT)
		return too_long(c, &t->pos);
	x->at += n + 1;
	return 0;
}

/* The characters of 'x' or "x", without the quotes, escapes as written. */
static int read_quoted(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t, struct pf_view *ret_inner)
{
	char quote = at(x, 0);
	size_t n = 1;
	while (n < left(x) && at(x, n) != quote && at(x, n) != '\n')
		n += at(x, n) == '\\' && n + 1 < left(x) && at(x, n + 1) != '\n' ? 2 : 1;
	t->pos = pf_dlex_pos(x, n + 1);
	if (n > PF_D_MAX_TOKEN)
		return pf_d_fail(c, &t->pos, -EFBIG, "D_SYNTAX", "constant is longer than %d bytes", PF_D_MAX_TOKEN);
	if (n >= left(x))
		return pf_d_fail(c, &t->pos, -EINVAL, quote == '"' ? "D_STR_NL" : "D_CHR_NL",
				 "end of input in %s constant", quote == '"' ? "string" : "character");
	if (at(x, n) == '\n')
		return pf_d_fail(c, &t->pos, -EINVAL, quote == '"' ? "D_STR_NL" : "D_CHR_NL",
				 "newline encountered in %s constant", quote == '"' ? "string" : "character");
	*ret_inner = (struct pf_view){ x->text.p + x->at + 1, n - 1 };
	x->at += n + 1;
	return 0;
}

static int read_string(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	struct pf_view inner;
	int rc = read_quoted(c, x, t, &inner);
	t->kind = PF_DK_STRING;
	return rc < 0 ? rc : pf_dlex_escape(c, &t->pos, inner, &t->string);
}

static int read_char(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	struct pf_view inner, bytes;
	int rc = read_quoted(c, x, t, &inner);
	if (rc == 0)
		rc = pf_dlex_escape(c, &t->pos, inner, &bytes);
	if (rc < 0)
		return rc;
	if (bytes.n == 0)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_CHR_NULL", "empty character constant");
	if (bytes.n > 8)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_CHR_OFLOW", "character constant is longer than 8 characters");
	t->kind = PF_DK_INT;
	t->value = 0;
	for (size_t i = 0; i < bytes.n; i++)
		t->value = t->value << 8 | (unsigned char)bytes.p[i];
	t->type = t->value <= INT32_MAX ? c->p->types.i32 : c->p->types.i64;
	return 0;
}

/* Longest first within one beginning. */
static const struct {
	char text[4];
	enum pf_dtok kind;
} puncts[] = {
	{ "...", PF_DK_ELLIPSIS },  { "<<=", PF_DK_ASSIGN_SHL }, { ">>=", PF_DK_ASSIGN_SHR },
	{ "->", PF_DK_ARROW },	    { "++", PF_DK_INC },	 { "--", PF_DK_DEC },
	{ "<<", PF_DK_SHL },	    { ">>", PF_DK_SHR },	 { "<=", PF_DK_LE },
	{ ">=", PF_DK_GE },	    { "==", PF_DK_EQ },		 { "!=", PF_DK_NE },
	{ "&&", PF_DK_LAND },	    { "^^", PF_DK_LXOR },	 { "||", PF_DK_LOR },
	{ "*=", PF_DK_ASSIGN_MUL }, { "/=", PF_DK_ASSIGN_DIV },	 { "%=", PF_DK_ASSIGN_MOD },
	{ "+=", PF_DK_ASSIGN_ADD }, { "-=", PF_DK_ASSIGN_SUB },	 { "&=", PF_DK_ASSIGN_AND },
	{ "^=", PF_DK_ASSIGN_XOR }, { "|=", PF_DK_ASSIGN_OR },	 { "(", PF_DK_LPAREN },
	{ ")", PF_DK_RPAREN },	    { "[", PF_DK_LBRACK },	 { "]", PF_DK_RBRACK },
	{ "{", PF_DK_LBRACE },	    { "}", PF_DK_RBRACE },	 { ";", PF_DK_SEMI },
	{ ",", PF_DK_COMMA },	    { ":", PF_DK_COLON },	 { "?", PF_DK_QUESTION },
	{ ".", PF_DK_DOT },	    { "!", PF_DK_NOT },		 { "~", PF_DK_TILDE },
	{ "*", PF_DK_STAR },	    { "/", PF_DK_SLASH },	 { "%", PF_DK_PERCENT },
	{ "+", PF_DK_PLUS },	    { "-", PF_DK_MINUS },	 { "<", PF_DK_LT },
	{ ">", PF_DK_GT },	    { "=", PF_DK_ASSIGN },	 { "&", PF_DK_AND },
	{ "^", PF_DK_XOR },	    { "|", PF_DK_OR },
};

/* Brackets are counted so that a stray one is named as what it is. */
static int count_brackets(struct pf_dcomp *c, struct pf_dlex *x, const struct pf_dtoken *t)
{
	if (t->kind == PF_DK_LPAREN)
		x->parens++;
	if (t->kind == PF_DK_LBRACK)
		x->brackets++;
	if (t->kind == PF_DK_RPAREN && x->parens-- == 0)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "extra ) in input stream");
	if (t->kind == PF_DK_RBRACK && x->brackets-- == 0)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "extra ] in input stream");
	return 0;
}

static int read_punct(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	for (size_t i = 0; i < sizeof(puncts) / sizeof(puncts[0]); i++) {
		size_t n = strlen(puncts[i].text);
		if (n > left(x) || memcmp(x->text.p + x->at, puncts[i].text, n) != 0)
			continue;
		t->kind = puncts[i].kind;
		t->pos = pf_dlex_pos(x, n);
		if (t->kind == PF_DK_SLASH && x->predicate && closes_predicate(x)) {
			t->kind = PF_DK_EPRED;
			if (x->parens > 0 || x->brackets > 0)
				return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX",
						 "closing %c expected in predicate before /",
						 x->parens > 0 ? ')' : ']');
		}
		x->at += n;
		return count_brackets(c, x, t);
	}
	t->pos = pf_dlex_pos(x, 1);
	char ch = at(x, 0);
	if (ch > 0x20 && ch < 0x7f)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "syntax error near \"%c\"", ch);
	return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "invalid character 0x%02x in the program", (unsigned char)ch);
}

int pf_dlex_read(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t)
{
	int rc = pf_dlex_skip(c, x);
	if (rc < 0)
		return rc;
	*t = (struct pf_dtoken){ .kind = PF_DK_EOF, .pos = pf_dlex_pos(x, 0) };
	if (left(x) == 0)
		return 0;

	char ch = at(x, 0);
	if (pf_d_is_ident_start(ch))
		return read_word(c, x, t);
	if ((ch >= '0' && ch <= '9') || (ch == '.' && at(x, 1) >= '0' && at(x, 1) <= '9'))
		return read_number(c, x, t);
	if (ch == '"')
		return read_string(c, x, t);
	if (ch == '\'')
		return read_char(c, x, t);
	if (ch == '@')
		return read_aggregation(c, x, t);
	if (ch == '`')
		return read_symbol(c, x, t, 0);
	if (ch == '$')
		return pf_dmacro_token(c, x, t);
	return read_punct(c, x, t);
}

const struct pf_dtoken *pf_dlex_peek(struct pf_dcomp *c)
{
	if (c->rc < 0)
		return NULL;
	if (!c->have) {
		if (pf_dlex_read(c, &c->lex, &c->tok) < 0)
			return NULL;
		c->have = true;
	}
	return &c->tok;
}

const struct pf_dtoken *pf_dlex_peek2(struct pf_dcomp *c, struct pf_dtoken *ret_second)
{
	if (!pf_dlex_peek(c))
		return NULL;
	struct pf_dlex ahead = c->lex;
	return pf_dlex_read(c, &ahead, ret_second) < 0 ? NULL : ret_second;
}

void pf_dlex_take(struct pf_dcomp *c)
{
	c->have = false;
}

bool pf_dlex_accept(struct pf_dcomp *c, enum pf_dtok kind)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t || t->kind != kind)
		return false;
	pf_dlex_take(c);
	return true;
}

int pf_dlex_expect(struct pf_dcomp *c, enum pf_dtok kind)
{
	return pf_dlex_accept(c, kind) ? 0 : pf_d_syntax(c);
}

int pf_d_syntax(struct pf_dcomp *c)
{
	const struct pf_dtoken *t = pf_dlex_peek(c);
	if (!t)
		return c->rc;
	if (t->kind == PF_DK_EOF)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "syntax error near end of input");
	struct pf_view v = t->pos.token;
	return pf_d_fail(c, &t->pos, -EINVAL, "D_SYNTAX", "syntax error near \"%.*s\"", v.n > 60 ? 60 : (int)v.n, v.p);
}

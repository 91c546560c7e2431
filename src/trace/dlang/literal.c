/* trace/dlang/literal.c - keywords, integer constants and escapes. */
#include <errno.h>

#include "trace/dlang/front.h"

/* In the order of enum pf_dtok from PF_DK_AUTO on, which is alphabetical but for KINT and KSTRING. */
static const char *const keywords[] = {
	"auto",	  "break",	"case",	   "char",     "const",	   "continue", "counter",  "default",  "do",
	"double", "else",	"enum",	   "extern",   "float",	   "for",      "goto",	   "if",       "import",
	"inline", "int",	"long",	   "offsetof", "probe",	   "provider", "register", "restrict", "return",
	"self",	  "short",	"signed",  "sizeof",   "static",   "string",   "stringof", "struct",   "switch",
	"this",	  "translator", "typedef", "union",    "unsigned", "void",     "volatile", "while",    "xlate",
};

_Static_assert(sizeof(keywords) / sizeof(keywords[0]) == PF_DK_XLATE - PF_DK_AUTO + 1, "one text for each keyword");

static int compare(struct pf_view word, const char *s)
{
	size_t n = strlen(s);
	int d = memcmp(word.p, s, word.n < n ? word.n : n);
	return d != 0 ? d : (word.n > n) - (word.n < n);
}

enum pf_dtok pf_dlex_keyword(struct pf_view word)
{
	size_t low = 0, high = sizeof(keywords) / sizeof(keywords[0]);
	while (low < high) {
		size_t mid = (low + high) / 2;
		int d = compare(word, keywords[mid]);
		if (d == 0)
			return (enum pf_dtok)(PF_DK_AUTO + mid);
		if (d < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return PF_DK_IDENT;
}

static unsigned digit_value(char ch)
{
	if (ch >= '0' && ch <= '9')
		return (unsigned)(ch - '0');
	ch = (char)(ch | 0x20);
	return ch >= 'a' && ch <= 'z' ? (unsigned)(ch - 'a') + 10 : 99;
}

/* u l ul lu ll ull llu in either case; false: something else. */
static bool suffix(struct pf_view s, bool *ret_u, bool *ret_l)
{
	static const char *const known[] = { "", "u", "l", "ul", "lu", "ll", "ull", "llu" };
	char lower[4] = "";
	if (s.n > 3)
		return false;
	for (size_t i = 0; i < s.n; i++)
		lower[i] = (char)(s.p[i] | 0x20);
	*ret_u = strchr(lower, 'u') != NULL;
	*ret_l = strchr(lower, 'l') != NULL;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(lower, known[i]) == 0)
			return true;
	}
	return false;
}

/* The first type that fits: int, long (decimal); int, unsigned, long, unsigned long (the others, and with u the unsigned ones). */
static struct pf_dtype *int_type(const struct pf_dtypes *t, uint64_t v, bool decimal, bool u, bool l)
{
	if (!l && !u && v <= INT32_MAX)
		return t->i32;
	if (!l && (u || !decimal) && v <= UINT32_MAX)
		return t->u32;
	if (!u && v <= INT64_MAX)
		return t->i64;
	return t->u64;
}

int pf_dlex_number(struct pf_dcomp *c, struct pf_dtoken *t, struct pf_view text)
{
	unsigned base = 10;
	size_t i = 0;
	if (text.n > 2 && text.p[0] == '0' && (text.p[1] | 0x20) == 'x' && digit_value(text.p[2]) < 16) {
		base = 16;
		i = 2;
	} else if (text.n > 1 && text.p[0] == '0') {
		base = 8;
		i = 1;
	}

	uint64_t v = 0;
	bool overflow = false;
	for (; i < text.n && digit_value(text.p[i]) < base; i++)
		overflow |= __builtin_mul_overflow(v, (uint64_t)base, &v) ||
			    __builtin_add_overflow(v, (uint64_t)digit_value(text.p[i]), &v);

	bool u = false, l = false;
	if (!suffix((struct pf_view){ text.p + i, text.n - i }, &u, &l))
		return pf_d_fail(c, &t->pos, -EINVAL, "D_INT_DIGIT", "integer constant \"%.*s\" has invalid digit %c",
				 text.n > 60 ? 60 : (int)text.n, text.p, text.p[i]);
	if (overflow)
		return pf_d_fail(c, &t->pos, -EINVAL, "D_INT_OFLOW", "integer constant %.*s does not fit in 64 bits",
				 text.n > 60 ? 60 : (int)text.n, text.p);
	t->kind = PF_DK_INT;
	t->value = v;
	t->type = int_type(&c->p->types, v, base == 10, u, l);
	return 0;
}

/* One escape at in.p[*i], which stands behind the backslash. */
static char escape(struct pf_view in, size_t *i)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	char ch = in.p[(*i)++];
	const char *simple = ch ? strchr(from, ch) : NULL;
	if (simple)
		return to[simple - from];
	unsigned v = 0;
	if (ch == 'x' && *i < in.n && digit_value(in.p[*i]) < 16) {
		while (*i < in.n && digit_value(in.p[*i]) < 16)
			v = (v << 4 | digit_value(in.p[(*i)++])) & 0xff;
		return (char)v;
	}
	if (ch < '0' || ch > '7')
		return ch;
	(*i)--;
	for (unsigned n = 0; n < 3 && *i < in.n && digit_value(in.p[*i]) < 8; n++)
		v = v << 3 | digit_value(in.p[(*i)++]);
	return (char)(v & 0xff);
}

int pf_dlex_escape(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view in, struct pf_view *ret_out)
{
	(void)pos;
	char *out = pf_d_alloc(c, in.n + 1);
	if (!out)
		return c->rc;
	size_t n = 0;
	for (size_t i = 0; i < in.n;) {
		char ch = in.p[i++];
		if (ch == '\\' && i < in.n)
			ch = escape(in, &i);
		out[n++] = ch;
	}
	*ret_out = (struct pf_view){ out, n };
	return 0;
}

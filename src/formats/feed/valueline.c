/* formats/feed/valueline.c - see valueline.h. */
#include "formats/feed/valueline.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/text/utf8.h"

/* What is left of a line, and how much of @out->room is used. */
struct reader {
	struct pf_view rest;
	struct pf_valueline *out;
	size_t used;
};

static int bad(struct pf_valueline *v, const char *why)
{
	v->why = why;
	return -EINVAL;
}

static void skip(struct reader *r, size_t n)
{
	r->rest.p += n;
	r->rest.n -= n;
}

static void blanks(struct reader *r)
{
	while (r->rest.n > 0 && strchr(" \t\r", r->rest.p[0]))
		skip(r, 1);
}

static bool next_is(struct reader *r, char c)
{
	blanks(r);
	if (r->rest.n == 0 || r->rest.p[0] != c)
		return false;
	skip(r, 1);
	return true;
}

static void add(struct reader *r, char c)
{
	r->out->room[r->used++] = c; /* texts do not get longer than the line, which fits */
}

static void add_utf8(struct reader *r, uint32_t cp)
{
	if (cp < 0x80) {
		add(r, (char)cp);
		return;
	}
	if (cp >= 0x10000) {
		add(r, (char)(0xf0 | cp >> 18));
		add(r, (char)(0x80 | (cp >> 12 & 0x3f)));
	} else if (cp >= 0x800) {
		add(r, (char)(0xe0 | cp >> 12));
	} else {
		add(r, (char)(0xc0 | cp >> 6));
	}
	if (cp >= 0x800)
		add(r, (char)(0x80 | (cp >> 6 & 0x3f)));
	add(r, (char)(0x80 | (cp & 0x3f)));
}

/* Four hexadecimal digits, or UINT32_MAX. */
static uint32_t hex4(struct reader *r)
{
	uint32_t v = 0;
	if (r->rest.n < 4)
		return UINT32_MAX;
	for (int i = 0; i < 4; i++) {
		char c = r->rest.p[i];
		uint32_t digit = c >= '0' && c <= '9'	? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
				 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
							: 16;
		if (digit == 16)
			return UINT32_MAX;
		v = v << 4 | digit;
	}
	skip(r, 4);
	return v;
}

/* Behind \u; a pair of surrogates is one character. NUL is refused: names end there. */
static int unicode(struct reader *r)
{
	uint32_t cp = hex4(r);
	if (cp >= 0xd800 && cp < 0xdc00 && r->rest.n >= 6 && r->rest.p[0] == '\\' && r->rest.p[1] == 'u') {
		skip(r, 2);
		uint32_t low = hex4(r);
		if (low < 0xdc00 || low > 0xdfff)
			return -EINVAL;
		cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
	}
	if (cp == 0 || (cp >= 0xd800 && cp <= 0xdfff) || cp > 0x10ffff)
		return -EINVAL;
	add_utf8(r, cp);
	return 0;
}

static int escape(struct reader *r)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	if (r->rest.n < 2)
		return -EINVAL;
	char c = r->rest.p[1];
	skip(r, 2);
	if (c == 'u')
		return unicode(r);
	const char *at = c != '\0' ? strchr(from, c) : NULL;
	if (!at)
		return -EINVAL;
	add(r, to[at - from]);
	return 0;
}

static int string(struct reader *r, struct pf_view *ret_text)
{
	if (!next_is(r, '"'))
		return bad(r->out, "JSON that has no text where one must be");
	const char *start = r->out->room + r->used;
	size_t from = r->used;
	while (r->rest.n > 0 && r->rest.p[0] != '"') {
		if ((unsigned char)r->rest.p[0] < 0x20)
			return bad(r->out, "JSON with a control character in a text");
		if (r->rest.p[0] == '\\') {
			if (escape(r) < 0)
				return bad(r->out, "JSON with a wrong escape");
			continue;
		}
		add(r, r->rest.p[0]);
		skip(r, 1);
	}
	if (r->rest.n == 0)
		return bad(r->out, "JSON with a text that does not end");
	skip(r, 1);
	*ret_text = (struct pf_view){ start, r->used - from };
	return 0;
}

static bool is_json_number(struct pf_view w)
{
	size_t i = w.n > 0 && w.p[0] == '-';
	size_t whole = i;
	while (i < w.n && w.p[i] >= '0' && w.p[i] <= '9')
		i++;
	return i > whole && !(w.p[whole] == '0' && i > whole + 1) && w.p[w.n - 1] != '.';
}

/* A number, true, false or null. */
static int scalar(struct reader *r, double *ret_v)
{
	static const struct {
		const char *word;
		double v;
	} words[] = { { "true", 1 }, { "false", 0 }, { "null", NAN } };
	blanks(r);
	struct pf_view word = { r->rest.p, 0 };
	while (word.n < r->rest.n && !strchr(",} \t\r", word.p[word.n]))
		word.n++;
	skip(r, word.n);
	for (unsigned i = 0; i < PF_N(words); i++) {
		if (pf_view_is(word, words[i].word)) {
			*ret_v = words[i].v;
			return 0;
		}
	}
	if (!is_json_number(word) || pf_view_double(word, ret_v) < 0)
		return bad(r->out, "JSON with a value that is no number");
	return 0;
}

enum { NAME = 1, VALUE = 2, INSTANCE = 4, TYPE = 8, UNITS = 16, HELP = 32 };

/* One "key": value. */
static int member(struct reader *r, unsigned *seen)
{
	struct pf_view key, type = { "gauge", 5 }, ignored;
	double number;
	const struct {
		const char *key;
		unsigned bit;
		struct pf_view *text;
	} known[] = {
		{ "name", NAME, &r->out->name }, { "instance", INSTANCE, &r->out->instance },
		{ "type", TYPE, &type },	 { "units", UNITS, &r->out->units },
		{ "help", HELP, &r->out->help }, { "value", VALUE, NULL },
	};
	int rc = string(r, &key);
	if (rc < 0)
		return rc;
	if (!next_is(r, ':'))
		return bad(r->out, "JSON without a colon behind a key");
	blanks(r);
	for (unsigned i = 0; i < PF_N(known); i++) {
		if (!pf_view_is(key, known[i].key))
			continue;
		if (*seen & known[i].bit)
			return bad(r->out, "JSON with a key that is there twice");
		*seen |= known[i].bit;
		rc = known[i].text ? string(r, known[i].text) : scalar(r, &r->out->value);
		r->out->counter |= pf_view_is(type, "counter");
		if (rc == 0 && !pf_view_is(type, "counter") && !pf_view_is(type, "gauge"))
			rc = bad(r->out, "a type that is neither counter nor gauge");
		return rc;
	}
	return r->rest.n > 0 && r->rest.p[0] == '"' ? string(r, &ignored) : scalar(r, &number);
}

static int object(struct reader *r)
{
	unsigned seen = 0;
	skip(r, 1);
	if (!next_is(r, '}')) {
		do {
			int rc = member(r, &seen);
			if (rc < 0)
				return rc;
		} while (next_is(r, ','));
		if (!next_is(r, '}'))
			return bad(r->out, "JSON that does not end");
	}
	blanks(r);
	if (r->rest.n > 0)
		return bad(r->out, "something behind a JSON object");
	if (!(seen & NAME) || !(seen & VALUE) || r->out->name.n == 0)
		return bad(r->out, "JSON without name and value");
	return 1;
}

static int plain(struct pf_view line, struct pf_valueline *v)
{
	struct pf_view word, more;
	if (pf_view_word(&line, &v->name) < 0)
		return 0;
	if (pf_view_word(&line, &word) < 0)
		return bad(v, "a name without a value");
	if (pf_view_word(&line, &more) == 0)
		return bad(v, "more than a name and a value");
	return pf_view_double(word, &v->value) < 0 ? bad(v, "a value that is no number") : 1;
}

static bool is_text(struct pf_view v)
{
	while (v.n > 0) {
		uint32_t cp;
		bool ok = v.p[0] != '\0';
		size_t n = (unsigned char)v.p[0] < 0x80 ? 1 : pf_utf8_next(v, &cp, &ok);
		if (!ok)
			return false;
		v.p += n;
		v.n -= n;
	}
	return true;
}

int pf_valueline_parse(struct pf_view line, struct pf_valueline *v)
{
	const struct pf_view none = { "", 0 };
	v->name = v->instance = v->units = v->help = none;
	v->counter = false;
	v->value = 0;
	v->why = "";
	line = pf_view_trim(line);
	if (line.n == 0)
		return 0;
	if (line.n > PF_VALUELINE_MAX)
		return bad(v, "a line of more than 8192 bytes");
	if (!is_text(line))
		return bad(v, "bytes that are no UTF-8");
	if (line.p[0] == '#')
		return 0;
	struct reader r = { line, v, 0 };
	return line.p[0] == '{' ? object(&r) : plain(line, v);
}

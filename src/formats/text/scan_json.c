/* formats/text/scan_json.c - JSON and JSON lines. Source: RFC 8259; stricter, as our documents are: no member twice, integers that fit 64 bits.
 * An element is an object in the list {"ROOT": {..., "LIST": [ELEMENT...]}}, or a whole line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "formats/text/number.h"
#include "formats/text/scan.h"

/* Objects and lists in each other: our documents have less than 32. */
enum { DEPTH_MAX = 64, ELEMENT_DEPTH = 4, NUMBER_MAX = 512 };

enum state {
	VALUE,	     /* one must come */
	FIRST_VALUE, /* one, or the end of the list */
	FIRST_NAME,  /* a member, or the end of the object */
	NAME,	     /* a member must come */
	COLON,
	AFTER,	/* a comma or the end of what is around */
	BEFORE, /* of a document, or line */
	STRING,
	ESCAPE,
	HEX,
	NUMBER,
	WORD,
};

/* A name of a member of an object that is still open: @n bytes at @at of json.names. */
struct name {
	size_t at;
	size_t n;
};

/**
 * struct json
 * @open: by depth: is it an object? @first: by depth: index of its first name
 * @is_name: the string is a name; @text: what was read of a string (names and times only), number or word
 * @unit, @high, @digits: of an escape \uXXXX: so far, the surrogate before it or 0, digits read
 * @timed: the value that comes is the element's time
 */
struct json {
	struct pf_scan base;
	enum state state;
	unsigned depth;
	bool open[DEPTH_MAX];
	size_t first[DEPTH_MAX];
	struct name *list;
	size_t n_list;
	size_t cap_list;
	struct pf_buf names;
	struct pf_buf text;
	bool is_name;
	uint32_t unit;
	uint32_t high;
	unsigned digits;
	bool timed;
	int64_t time_ns;
	uint64_t documents;
};

static int fail(struct json *j, struct pf_err *err, const char *rule, const char *what)
{
	return pf_scan_fail(&j->base, err, rule, "%s", what);
}

/* Members of an element: of the list's, or of a line. */
static bool in_element(const struct json *j)
{
	return j->depth == (j->base.lines ? 1 : ELEMENT_DEPTH) && j->open[j->depth - 1];
}

static int open_one(struct json *j, bool object, struct pf_err *err)
{
	if (j->depth == DEPTH_MAX)
		return fail(j, err, "depth", "objects and lists are nested too deeply");
	j->open[j->depth] = object;
	j->first[j->depth] = j->n_list;
	j->depth++;
	j->state = object ? FIRST_NAME : FIRST_VALUE;
	if (in_element(j))
		j->time_ns = 0;
	if (j->depth == ELEMENT_DEPTH - 1 && !object && !j->base.lines && j->base.elements == 0)
		j->base.good = j->base.byte + 1; /* the list begins */
	return 0;
}

static int compare_names(const void *a, const void *b, void *bytes)
{
	const struct name *x = a;
	const struct name *y = b;
	const char *p = bytes;
	size_t n = x->n < y->n ? x->n : y->n;
	int order = n > 0 ? memcmp(p + x->at, p + y->at, n) : 0;
	return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* All its members are known when an object ends: sorted, equal ones are neighbours. */
static int check_names(struct json *j, struct pf_err *err)
{
	size_t from = j->first[j->depth - 1];
	size_t n = j->n_list - from;
	struct name *list = n > 0 ? j->list + from : NULL;
	int rc = 0;
	if (n > 1)
		qsort_r(list, n, sizeof(*list), compare_names, j->names.p);
	for (size_t i = 1; i < n && rc == 0; i++) {
		if (compare_names(&list[i - 1], &list[i], j->names.p) == 0)
			rc = pf_scan_fail(&j->base, err, "duplicate", "an object has the member \"%.*s\" twice",
					  (int)(list[i].n < 64 ? list[i].n : 64),
					  pf_buf_text(&j->names).p + list[i].at);
	}
	if (n > 0) {
		size_t least = SIZE_MAX;
		for (size_t i = 0; i < n; i++)
			least = list[i].at < least ? list[i].at : least;
		j->names.n = least;
	}
	j->n_list = from;
	return rc;
}

/* A whole value ended with the byte before @end. */
static void value_ends(struct json *j, uint64_t end)
{
	j->timed = false;
	if (j->depth > 0) {
		j->state = AFTER;
		return;
	}
	j->state = BEFORE;
	j->documents++;
	if (j->base.lines)
		pf_scan_element(&j->base, end, j->time_ns);
	else
		j->base.good = end;
}

static int close_one(struct json *j, bool object, struct pf_err *err)
{
	if (j->open[j->depth - 1] != object)
		return fail(j, err, "syntax", object ? "a list ends with a brace" : "an object ends with a bracket");
	bool element = in_element(j) && !j->base.lines;
	int rc = object ? check_names(j, err) : 0;
	if (rc < 0)
		return rc;
	j->depth--;
	if (element)
		pf_scan_element(&j->base, j->base.byte + 1, j->time_ns);
	value_ends(j, j->base.byte + 1);
	return 0;
}

static int add_name(struct json *j)
{
	if (j->n_list == j->cap_list) {
		size_t cap = j->cap_list ? 2 * j->cap_list : 64;
		struct name *more = reallocarray(j->list, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		j->list = more;
		j->cap_list = cap;
	}
	j->list[j->n_list++] = (struct name){ j->names.n, j->text.n };
	pf_buf_view(&j->names, pf_buf_text(&j->text));
	return j->names.failed ? j->names.failed : j->text.failed;
}

static int string_ends(struct json *j, struct pf_err *err)
{
	if (j->high)
		return fail(j, err, "escape", "half of a surrogate pair stands alone");
	if (!j->is_name) {
		value_ends(j, j->base.byte + 1);
		return 0;
	}
	j->timed = in_element(j) && pf_view_is(pf_buf_text(&j->text), "timestamp");
	j->state = COLON;
	return add_name(j);
}

static void put_utf8(struct pf_buf *b, uint32_t cp)
{
	if (cp < 0x80) {
		pf_buf_char(b, (char)cp);
	} else if (cp < 0x800) {
		pf_buf_char(b, (char)(0xc0 | cp >> 6));
		pf_buf_char(b, (char)(0x80 | (cp & 0x3f)));
	} else if (cp < 0x10000) {
		pf_buf_char(b, (char)(0xe0 | cp >> 12));
		pf_buf_char(b, (char)(0x80 | (cp >> 6 & 0x3f)));
		pf_buf_char(b, (char)(0x80 | (cp & 0x3f)));
	} else {
		pf_buf_char(b, (char)(0xf0 | cp >> 18));
		pf_buf_char(b, (char)(0x80 | (cp >> 12 & 0x3f)));
		pf_buf_char(b, (char)(0x80 | (cp >> 6 & 0x3f)));
		pf_buf_char(b, (char)(0x80 | (cp & 0x3f)));
	}
}

/* Four digits of \uXXXX are together. */
static int take_unit(struct json *j, struct pf_err *err)
{
	uint32_t unit = j->unit;
	j->state = STRING;
	if (j->high) {
		if (unit < 0xdc00 || unit > 0xdfff)
			return fail(j, err, "escape", "half of a surrogate pair stands alone");
		unit = 0x10000 + ((j->high - 0xd800) << 10) + (unit - 0xdc00);
		j->high = 0;
	} else if (unit >= 0xd800 && unit < 0xdc00) {
		j->high = unit;
		return 0;
	} else if (unit >= 0xdc00 && unit <= 0xdfff) {
		return fail(j, err, "escape", "half of a surrogate pair stands alone");
	}
	if (j->is_name)
		put_utf8(&j->text, unit);
	return 0;
}

static int in_hex(struct json *j, char c, struct pf_err *err)
{
	static const char hex[] = "0123456789abcdef";
	const char *at = c ? strchr(hex, pf_ascii_lower(c)) : NULL;
	if (!at)
		return fail(j, err, "escape", "\\u is not followed by four hexadecimal digits");
	j->unit = j->unit << 4 | (uint32_t)(at - hex);
	return ++j->digits == 4 ? take_unit(j, err) : 0;
}

static int in_escape(struct json *j, char c, struct pf_err *err)
{
	static const char from[] = "\"\\/bfnrt";
	static const char to[] = "\"\\/\b\f\n\r\t";
	if (c == 'u') {
		j->state = HEX;
		j->unit = j->digits = 0;
		return 0;
	}
	const char *at = c ? strchr(from, c) : NULL;
	if (!at)
		return fail(j, err, "escape", "an escape that JSON does not have");
	if (j->high)
		return fail(j, err, "escape", "half of a surrogate pair stands alone");
	if (j->is_name)
		pf_buf_char(&j->text, to[at - from]);
	j->state = STRING;
	return 0;
}

static int in_string(struct json *j, char c, struct pf_err *err)
{
	if (c == '"')
		return string_ends(j, err);
	if (c == '\\') {
		j->state = ESCAPE;
		return 0;
	}
	if (j->high)
		return fail(j, err, "escape", "half of a surrogate pair stands alone");
	if ((unsigned char)c < 0x20)
		return fail(j, err, "control", "a control character stands in a string");
	if (j->is_name)
		pf_buf_char(&j->text, c);
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t skip_digits(struct pf_view v, size_t i)
{
	while (i < v.n && is_digit(v.p[i]))
		i++;
	return i;
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static bool is_number(struct pf_view v, bool *ret_integer)
{
	size_t i = v.n > 0 && v.p[0] == '-';
	size_t from = i;
	i = skip_digits(v, i);
	if (i == from || (v.p[from] == '0' && i > from + 1))
		return false;
	*ret_integer = i == v.n;
	if (i < v.n && v.p[i] == '.') {
		from = ++i;
		i = skip_digits(v, i);
		if (i == from)
			return false;
	}
	if (i < v.n && (v.p[i] == 'e' || v.p[i] == 'E')) {
		i++;
		i += i < v.n && (v.p[i] == '+' || v.p[i] == '-');
		from = i;
		i = skip_digits(v, i);
		if (i == from)
			return false;
	}
	return i == v.n;
}

/* Doubles beyond 64 bits are written with all their places, too (formats/text/number.h): only what has digits that no double tells is an integer that
 * does not fit. */
static bool is_double(struct pf_view text)
{
	char copy[PF_NUMBER_SIZE];
	char again[PF_NUMBER_SIZE];
	if (text.n >= sizeof(copy))
		return false;
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	size_t n = pf_number_real(again, strtod(copy, NULL));
	return n == text.n && memcmp(again, copy, n) == 0;
}

static int number_ends(struct json *j, struct pf_err *err)
{
	struct pf_view text = pf_buf_text(&j->text);
	bool integer = false;
	int64_t i;
	uint64_t u;
	if (!is_number(text, &integer))
		return pf_scan_fail(&j->base, err, "number", "'%.*s' is no number", (int)(text.n < 40 ? text.n : 40),
				    text.p);
	if (integer && pf_view_i64(text, &i) < 0 && pf_view_u64(text, &u) < 0 && !is_double(text))
		return pf_scan_fail(&j->base, err, "number", "the integer %.*s does not fit 64 bits",
				    (int)(text.n < 40 ? text.n : 40), text.p);
	if (j->timed && integer && pf_view_i64(text, &i) == 0)
		j->time_ns = i;
	value_ends(j, j->base.byte);
	return 0;
}

static int word_ends(struct json *j, struct pf_err *err)
{
	struct pf_view text = pf_buf_text(&j->text);
	if (!pf_view_is(text, "true") && !pf_view_is(text, "false") && !pf_view_is(text, "null"))
		return pf_scan_fail(&j->base, err, "syntax", "'%.*s' is no value", (int)(text.n < 40 ? text.n : 40),
				    text.p);
	value_ends(j, j->base.byte);
	return 0;
}

static int begin_value(struct json *j, char c, struct pf_err *err)
{
	pf_buf_clear(&j->text);
	if (c == '{' || c == '[')
		return open_one(j, c == '{', err);
	if (c == '"') {
		j->state = STRING;
		j->is_name = false;
		return 0;
	}
	if (c != '-' && !is_digit(c) && !(c >= 'a' && c <= 'z'))
		return fail(j, err, "syntax", "a value is missing");
	j->state = c >= 'a' && c <= 'z' ? WORD : NUMBER;
	pf_buf_char(&j->text, c);
	return 0;
}

static int begin_name(struct json *j, char c, struct pf_err *err)
{
	if (c != '"')
		return fail(j, err, "syntax", "the name of a member is missing");
	pf_buf_clear(&j->text);
	j->state = STRING;
	j->is_name = true;
	return 0;
}

static int after_value(struct json *j, char c, struct pf_err *err)
{
	bool object = j->open[j->depth - 1];
	if (c == '}' || c == ']')
		return close_one(j, c == '}', err);
	if (c != ',')
		return fail(j, err, "syntax", "a comma is missing");
	j->state = object ? NAME : VALUE;
	return 0;
}

/* The first value of a document, or of the next line: from the second on, lines stand for themselves. */
static int begin_document(struct json *j, char c, struct pf_err *err)
{
	if (c != '{')
		return fail(j, err, "syntax", j->documents ? "something stands behind the end" : "no object begins");
	if (j->documents > 0 && !j->base.lines) {
		if (j->base.elements > 0)
			return fail(j, err, "syntax", "something stands behind the end of the document");
		j->base.lines = true;
	}
	return begin_value(j, c, err);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool in_number(char c)
{
	return is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

/* Between two words of the syntax. */
static int between(struct json *j, char c, struct pf_err *err)
{
	if (is_blank(c))
		return j->base.lines && c == '\n' && j->depth > 0
			       ? fail(j, err, "cut", "the line ends inside an element")
			       : 0;
	switch (j->state) {
	case BEFORE:
		return begin_document(j, c, err);
	case FIRST_VALUE:
		return c == ']' ? close_one(j, false, err) : begin_value(j, c, err);
	case FIRST_NAME:
		return c == '}' ? close_one(j, true, err) : begin_name(j, c, err);
	case NAME:
		return begin_name(j, c, err);
	case COLON:
		j->state = VALUE;
		return c == ':' ? 0 : fail(j, err, "syntax", "a colon is missing behind the name of a member");
	case AFTER:
		return after_value(j, c, err);
	default:
		return begin_value(j, c, err);
	}
}

/* One character of ASCII. @ret_again: it does not belong to what ended before it. */
static int take(struct pf_scan *s, char c, bool *ret_again, struct pf_err *err)
{
	struct json *j = (struct json *)s;
	*ret_again = false;
	switch (j->state) {
	case STRING:
		return in_string(j, c, err);
	case ESCAPE:
		return in_escape(j, c, err);
	case HEX:
		return in_hex(j, c, err);
	case NUMBER:
	case WORD:
		if (j->state == NUMBER ? in_number(c) : c >= 'a' && c <= 'z') {
			pf_buf_char(&j->text, c);
			return j->text.n > NUMBER_MAX ? fail(j, err, "number", "a number without an end") : 0;
		}
		*ret_again = true;
		return j->state == NUMBER ? number_ends(j, err) : word_ends(j, err);
	default:
		return between(j, c, err);
	}
}

static int wide(struct pf_scan *s, struct pf_view bytes, struct pf_err *err)
{
	struct json *j = (struct json *)s;
	if (j->state != STRING)
		return fail(j, err, "syntax", "a character that has no place here");
	if (j->high)
		return fail(j, err, "escape", "half of a surrogate pair stands alone");
	if (j->is_name)
		pf_buf_view(&j->text, bytes);
	return j->text.failed;
}

static void give_up(struct pf_scan *s)
{
	struct json *j = (struct json *)s;
	j->depth = 0;
	j->n_list = 0;
	j->names.n = 0;
	j->high = 0;
	j->time_ns = 0;
	j->timed = false;
	j->state = BEFORE;
}

static int end(struct pf_scan *s, struct pf_err *err)
{
	struct json *j = (struct json *)s;
	if (j->depth == 0 && j->state == BEFORE && j->documents > 0)
		return 0;
	if (s->lines)
		return pf_scan_fail(s, err, "cut", "the file ends inside a line, which is lost");
	return pf_scan_fail(s, err, "cut", "the document ends before its end: %u objects and lists are open", j->depth);
}

static struct pf_scan *open_scan(void)
{
	struct json *j = calloc(1, sizeof(*j));
	if (!j)
		return NULL;
	j->base.scanner = &pf_scanner_json;
	j->base.line = 1;
	j->state = BEFORE;
	return &j->base;
}

static struct pf_scan *close_scan(struct pf_scan *s)
{
	struct json *j = (struct json *)s;
	if (!j)
		return NULL;
	pf_buf_done(&j->names);
	pf_buf_done(&j->text);
	free(j->list);
	free(j);
	return NULL;
}

static bool looks_like(struct pf_view head)
{
	head = pf_view_trim(head);
	return head.n > 0 && head.p[0] == '{';
}

const struct pf_scanner pf_scanner_json = {
	.name = "json",
	.looks_like = looks_like,
	.open = open_scan,
	.take = take,
	.wide = wide,
	.give_up = give_up,
	.end = end,
	.close = close_scan,
};
